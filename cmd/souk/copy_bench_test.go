//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"souk/build/delivery/publish"
	"souk/build/delivery/replica"
	"souk/build/release"
	"souk/internal/testing/markettest"
	"souk/internal/testing/s3test"
)

// counted is an origin that counts the bytes read from it.
type counted struct {
	*publish.Origin
	bytes atomic.Int64
}

func (c *counted) Head(ctx context.Context, version string) ([]byte, string, error) {
	data, now, err := c.Origin.Head(ctx, version)
	c.bytes.Add(int64(len(data)))
	return data, now, err
}

func (c *counted) Read(ctx context.Context, key string, most int64) ([]byte, error) {
	data, err := c.Origin.Read(ctx, key, most)
	c.bytes.Add(int64(len(data)))
	return data, err
}

func (c *counted) File(ctx context.Context, file string, e release.Entry, extensionless bool) ([]byte, error) {
	data, err := c.Origin.File(ctx, file, e, extensionless)
	c.bytes.Add(int64(len(data)))
	return data, err
}

// BenchmarkCopy publishes a marketplace to a local S3 server and copies it as servers do:
// the whole, nothing new, an edit of one product, and the removal of one seller.
func BenchmarkCopy(b *testing.B) {
	for b.Loop() {
		copyOnce(b)
	}
}

func copyOnce(b *testing.B) {
	content, dir := markettest.Content(b), b.TempDir()
	public, state := filepath.Join(dir, "public"), filepath.Join(dir, "state")
	removals := filepath.Join(dir, "removals.json")
	if err := os.WriteFile(removals, []byte(`{"removals":[]}`), 0o600); err != nil {
		b.Fatal(err)
	}
	destination := strings.Replace(s3test.Start(b).Bucket(b, "market"), "s3://market", "s3://market/public", 1)
	origin, err := publish.OpenOrigin(destination, publish.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer origin.Close()
	from := &counted{Origin: origin}
	c, err := replica.Open(b.Context(), replica.Options{Origin: from, State: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	do := func(args ...string) (report struct{ Seconds, Requests, Uploaded, Bytes float64 }) {
		args = append(args, "--public", public, "--state", state, "--removals", removals, "--json")
		code, stdout, stderr := souk(args...)
		if err := json.Unmarshal([]byte(stdout), &report); code != 0 || err != nil {
			b.Fatalf("%v\n%s", err, stderr)
		}
		return report
	}
	step := func(name string, change bool) {
		if change {
			do("build", "--content", content)
			up := do("publish", destination, "--for-servers", "--host", "nginx")
			b.Logf("%-8s published: %.0f requests, %.0f bytes, %.2f s", name, up.Requests, up.Bytes, up.Seconds)
			b.ReportMetric(up.Requests, "requests/publish-"+name)
		}
		asked, bytes, began := from.Requests(), from.bytes.Load(), time.Now()
		if _, err := c.Sync(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.Logf("%-8s copied: %d requests, %d bytes, %.2f s", name, from.Requests()-asked, from.bytes.Load()-bytes, time.Since(began).Seconds())
		b.ReportMetric(float64(from.Requests()-asked), "requests/copy-"+name)
	}
	step("whole", true)
	step("nothing", false)
	changeOne(b, content)
	step("edit", true)
	sellers, err := filepath.Glob(filepath.Join(content, "sellers", "*", "seller.*"))
	if err != nil || len(sellers) == 0 {
		b.Fatal(sellers, err)
	}
	text, err := os.ReadFile(sellers[len(sellers)/2])
	id := regexp.MustCompile(`(?m)^officialDomain: *(\S+)`).FindSubmatch(text)
	if err != nil || id == nil {
		b.Fatal(sellers[len(sellers)/2], err)
	}
	if err := os.WriteFile(removals, fmt.Appendf(nil, `{"removals":[{"officialDomain":%q}]}`, id[1]), 0o600); err != nil {
		b.Fatal(err)
	}
	step("removal", true)
}
