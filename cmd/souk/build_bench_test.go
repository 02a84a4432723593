//go:build unix

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"souk/internal/testing/markettest"
)

// measured is the result of running souk in a separate process.
type measured struct {
	wall, cpu time.Duration
	// memory is the peak resident size in MB.
	memory float64
	report struct{ Written, Documents int }
}

// measure runs souk with --json.
func measure(b *testing.B, args ...string) (m measured) {
	b.Helper()
	var messages bytes.Buffer
	program := exec.Command(built(b), append(args, "--json")...)
	program.Stderr = &messages
	markettest.Settle()
	began := time.Now()
	out, err := program.Output()
	m.wall = time.Since(began)
	if err == nil {
		err = json.Unmarshal(out, &m.report)
	}
	if err != nil {
		b.Fatalf("%v\n%s", err, messages.Bytes())
	}
	m.cpu = program.ProcessState.UserTime() + program.ProcessState.SystemTime()
	m.memory = float64(program.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / (1 << 10)
	if runtime.GOOS == "darwin" {
		m.memory /= 1 << 10 // macOS reports bytes
	}
	return m
}

// tell reports the run's metrics, and its ratio to a floor.
func (m measured) tell(b *testing.B, floor time.Duration) {
	b.ReportMetric(m.wall.Seconds(), "s")
	b.ReportMetric(m.cpu.Seconds(), "cpu-s")
	b.ReportMetric(m.memory, "peak-MB")
	b.ReportMetric(floor.Seconds(), "floor-s")
	b.ReportMetric(float64(m.wall)/float64(floor), "x-floor")
}

// BenchmarkBuild measures `souk build`. Cold builds, with the defaults and then with more
// and more features off, are compared with writing the same files. Rebuilds, unchanged and
// after an edit of one product, are compared with a walk over all sources.
func BenchmarkBuild(b *testing.B) {
	content := markettest.Content(b)
	for _, off := range []string{
		"", "--snapshot", "--snapshot --precompress", "--snapshot --pages", "--snapshot --pages --precompress", "--snapshot --pages --precompress --search-parts",
	} {
		b.Run("cold/"+cmp.Or(strings.ReplaceAll(off, " --", "-"), "default"), func(b *testing.B) {
			for b.Loop() {
				public := filepath.Join(b.TempDir(), "public")
				args := []string{"build", "--content", content, "--public", public, "--state", filepath.Join(b.TempDir(), "state")}
				for flag := range strings.FieldsSeq(off) {
					args = append(args, flag, "off")
				}
				m := measure(b, args...)
				files := markettest.Files(b, public, time.Time{})
				m.tell(b, markettest.Floor(b, public, files))
				b.ReportMetric(float64(len(files)), "files")
			}
		})
	}
	dir := b.TempDir()
	args := []string{"build", "--content", content, "--public", filepath.Join(dir, "public"), "--state", filepath.Join(dir, "state")}
	measure(b, args...)
	again := func(name string, changed bool, edit func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				edit(b)
				m := measure(b, args...)
				if (m.report.Written > 0) != changed {
					b.Fatalf("%d documents were written", m.report.Written)
				}
				began := time.Now()
				markettest.Files(b, content, began)
				m.tell(b, time.Since(began))
			}
		})
	}
	again("unchanged", false, func(*testing.B) {})
	again("one-product", true, func(b *testing.B) { changeOne(b, content) })
}

// changeOne changes the summary of a product.
func changeOne(b *testing.B, content string) {
	b.Helper()
	products, err := filepath.Glob(filepath.Join(content, "sellers", "*", "products", "*.*"))
	if err != nil || len(products) == 0 {
		b.Fatal(products, err)
	}
	file := products[len(products)/2]
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	text = bytes.Replace(text, []byte("\nsummary: "), fmt.Appendf(nil, "\nsummary: At %d. ", time.Now().UnixNano()), 1)
	if err := os.WriteFile(file, text, 0o644); err != nil {
		b.Fatal(err)
	}
}
