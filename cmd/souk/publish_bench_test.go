package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"souk/build/publish/s3test"
)

// BenchmarkPublish publishes a synthetic marketplace of SOUK_BENCH_LISTINGS
// listings whole, and then after a change of one product, to a local S3 server
// and to a folder: make bench runs it once.
func BenchmarkPublish(b *testing.B) {
	listings := cmp.Or(os.Getenv("SOUK_BENCH_LISTINGS"), "1000")
	for name, destination := range map[string]func() string{
		"S3":     func() string { return s3test.Start(b).Bucket(b, "market") },
		"folder": func() string { return filepath.Join(b.TempDir(), "out") },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				publishOnce(b, listings, destination())
				b.StartTimer()
			}
		})
	}
}

func publishOnce(b *testing.B, listings, destination string) {
	dir := b.TempDir()
	content, public, state := filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "state")
	generate := exec.Command("go", "run", "../../build/bench", "-generate", content, "-listings", listings)
	if out, err := generate.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
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
	b.ReportMetric(all.Seconds, "s/all")
	b.ReportMetric(all.Requests, "requests/all")
	products, err := filepath.Glob(filepath.Join(content, "sellers", "*", "products", "*"))
	if err != nil || len(products) == 0 {
		b.Fatal(products, err)
	}
	text, err := os.ReadFile(products[len(products)/2])
	if err != nil {
		b.Fatal(err)
	}
	text = bytes.Replace(text, []byte("summary: "), []byte("summary: Changed. "), 1)
	if err := os.WriteFile(products[len(products)/2], text, 0o644); err != nil {
		b.Fatal(err)
	}
	do("build", "--content", content)
	one := do("publish", destination)
	b.ReportMetric(one.Seconds, "s/change")
	b.ReportMetric(one.Requests, "requests/change")
	b.ReportMetric(one.Uploaded, "uploads/change")
}
