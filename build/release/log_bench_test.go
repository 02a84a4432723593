package release

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// largeFile returns one of the files of a largeRecord.
func largeFile(i, sellers int) string {
	return fmt.Sprintf("api/v1/marketplace/companies/seller-%06d/products/product-with-a-name-%07d.json", i%sellers, i)
}

// largeRecord returns the whole manifest of a large release.
func largeRecord(files, sellers int) *record {
	r := &record{Clock: clock, Owners: map[string]Owner{}}
	for i := range files {
		r.Files = append(r.Files, largeFile(i, sellers))
		r.Entries = append(r.Entries, Entry{Digest: DigestOf([]byte{byte(i), byte(i >> 8), byte(i >> 16)}), Size: int64(i), ModTime: int64(i)})
	}
	for i := range sellers {
		slug := fmt.Sprintf("seller-%06d", i)
		r.Owners[slug] = Owner{ID: slug, Domains: []string{slug + ".example"}}
	}
	return r
}

// BenchmarkFollow opens the manifest of a large release, as a server without
// content does when it starts.
func BenchmarkFollow(b *testing.B) {
	const files, sellers = 1_300_000, 100_000
	public := filepath.Join(b.TempDir(), "public")
	if err := os.MkdirAll(Folder(public), 0o755); err != nil {
		b.Fatal(err)
	}
	l := log{path: filepath.Join(Folder(public), logName)}
	if err := l.replace(largeRecord(files, sellers)); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			reader, err := Follow(public)
			if err != nil {
				b.Fatal(err)
			}
			if err := reader.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	reader, err := Follow(public)
	if err != nil {
		b.Fatal(err)
	}
	defer reader.Close()
	b.Run("lookup", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i = (i + 104729) % files
			if file := largeFile(i, sellers); !reader.Has(file) {
				b.Fatal(file)
			}
		}
	})
	b.Run("owners", func(b *testing.B) {
		for b.Loop() {
			reader.EachOwner(func(string, Owner) {})
		}
	})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	again, err := Follow(public)
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.Logf("%.1f MB of log, %.2f MB of heap", float64(l.size)/1e6, (float64(after.HeapAlloc)-float64(before.HeapAlloc))/1e6)
	if err := again.Close(); err != nil {
		b.Fatal(err)
	}
	b.Run("builder", func(b *testing.B) {
		for b.Loop() {
			records, err := l.read()
			if err != nil {
				b.Fatal(err)
			}
			m := newManifest()
			m.apply(records[0])
			if len(m.entries) != files {
				b.Fatalf("%d files were read", len(m.entries))
			}
		}
	})
}
