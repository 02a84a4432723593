//go:build unix

package markettest

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// Files returns the files of a folder that were written since a moment, by their
// paths in it; the zero time returns all.
func Files(t testing.TB, folder string, since time.Time) (files []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		// Builds set modification times in whole microseconds.
		if err == nil && !info.ModTime().Before(since.Truncate(time.Microsecond)) {
			file, _ := filepath.Rel(folder, path)
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Floor is the least that any program takes to make files of a folder public: it
// writes the same bytes to a new folder, eight files at a time, and syncs the
// file system once.
func Floor(t testing.TB, folder string, files []string) time.Duration {
	t.Helper()
	to := t.TempDir()
	Settle()
	began := time.Now()
	var group errgroup.Group
	group.SetLimit(8)
	for _, file := range files {
		group.Go(func() error {
			data, err := os.ReadFile(filepath.Join(folder, file))
			if err != nil {
				return err
			}
			path := filepath.Join(to, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			return os.WriteFile(path, data, 0o644)
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	unix.Sync()
	return time.Since(began)
}

// Settle waits until this process has nothing to do, and everything that was
// written lies on the disk, so that no step pays for another one.
func Settle() {
	runtime.GC()
	unix.Sync()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for before := CPU(); ; {
		<-again.C
		now := CPU()
		if now-before < 10*time.Millisecond {
			return
		}
		before = now
	}
}

// CPU returns the processor time that this process used.
func CPU() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Percentile returns the n-th percentile.
func Percentile[T int | time.Duration](all []T, n int) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)*n/100, len(sorted)-1)]
}

// Report tells the median and the slowest in a hundred of some times.
func Report(b *testing.B, times []time.Duration) {
	b.Helper()
	b.ReportMetric(Milliseconds(Percentile(times, 50)), "p50-ms")
	b.ReportMetric(Milliseconds(Percentile(times, 99)), "p99-ms")
}

// Milliseconds returns a time as a metric.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
