//go:build unix

package main

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"souk/internal/testing/markettest"
	"souk/internal/testing/s3test"
)

// BenchmarkPublish publishes a whole marketplace, and then an edit of one product, to a
// local S3 server and to a folder. The floor writes the same files.
func BenchmarkPublish(b *testing.B) {
	for name, destination := range map[string]func() string{
		"S3":     func() string { return s3test.Start(b).Bucket(b, "market") },
		"folder": func() string { return filepath.Join(b.TempDir(), "out") },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				publishOnce(b, destination())
			}
		})
	}
}

func publishOnce(b *testing.B, destination string) {
	content, dir := markettest.Content(b), b.TempDir()
	public, state := filepath.Join(dir, "public"), filepath.Join(dir, "state")
	do := func(args ...string) (report struct {
		Seconds            float64
		Requests, Uploaded float64
	}) {
		args = append(args, "--public", public, "--state", state, "--json")
		code, stdout, stderr := souk(args...)
		if err := json.Unmarshal([]byte(stdout), &report); code != 0 || err != nil {
			b.Fatalf("%v\n%s", err, stderr)
		}
		return report
	}
	do("build", "--content", content)
	all := do("publish", destination)
	floor := markettest.Floor(b, public, markettest.Files(b, public, time.Time{}))
	b.ReportMetric(all.Seconds, "s/all")
	b.ReportMetric(floor.Seconds(), "floor-s")
	b.ReportMetric(all.Seconds/floor.Seconds(), "x-floor")
	b.ReportMetric(all.Requests, "requests/all")
	changeOne(b, content)
	do("build", "--content", content)
	one := do("publish", destination)
	b.ReportMetric(one.Seconds, "s/change")
	b.ReportMetric(one.Requests, "requests/change")
	b.ReportMetric(one.Uploaded, "uploads/change")
}
