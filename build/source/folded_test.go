package source

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"souk/build/rendition"
)

// A folded has a content folder that was read, and the cache of it.
type folded struct {
	*testing.T
	dir string
	now time.Time
}

func newFolded(t *testing.T) *folded {
	f := &folded{t, t.TempDir(), time.Now().Add(time.Hour)}
	f.write("marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
	for i := range 20 {
		f.write(fmt.Sprintf("sellers/s%d/seller.yaml", i), fmt.Sprintf("officialDomain: s%d.example\nversions: [{version: 1, name: S%d}]\n", i, i))
	}
	all := f.open()
	f.scan(all, true)
	if err := all.Save(); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *folded) write(file, text string) {
	path := filepath.Join(f.dir, "content", filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.Fatal(err)
	}
}

func (f *folded) cache() string { return filepath.Join(f.dir, "cache") }

func (f *folded) open() *Folder {
	return Open(filepath.Join(f.dir, "content"), f.cache(), "v", rendition.Open(""), func() time.Time { return f.now })
}

func (f *folded) scan(folder *Folder, changed bool) {
	f.Helper()
	if is, err := folder.Scan(f.Context()); err != nil || is != changed {
		f.Fatalf("changed: %v, %v", is, err)
	}
}

func TestAScanThatFindsNothingChangedLooksAtNoIndex(t *testing.T) {
	f := newFolded(t)
	folder := f.open()
	f.scan(folder, false)
	if !folder.folded || len(folder.files) > 0 {
		t.Error("the index was read")
	}
	known := f.open()
	if err := known.unfold(); err != nil || known.Fingerprint() != folder.Fingerprint() {
		t.Errorf("the fingerprints differ, or %v", err)
	}
	ch, err := folder.Change()
	if err != nil || len(ch.Put) != 20 || len(folder.Problems()) > 0 {
		t.Errorf("%d items are told, %v, %v", len(ch.Put), folder.Problems(), err)
	}
}

func TestAScanFindsWhatCameWentAndChangedBehindACache(t *testing.T) {
	for name, edit := range map[string]func(f *folded){
		"came": func(f *folded) {
			f.write("sellers/new/seller.yaml", "officialDomain: new.example\nversions: [{version: 1, name: N}]\n")
		},
		"changed": func(f *folded) {
			f.write("sellers/s3/seller.yaml", "officialDomain: s3.example\nversions: [{version: 1, name: X}]\n")
		},
		"went": func(f *folded) {
			if err := os.Remove(filepath.Join(f.dir, "content/sellers/s3/seller.yaml")); err != nil {
				f.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolded(t)
			f.T = t
			edit(f)
			f.scan(f.open(), true)
		})
	}
}

func TestAFileThatWasReadTooSoonIsReadOnceMoreAndThenKnown(t *testing.T) {
	f := newFolded(t)
	f.now = time.Now()
	f.write("sellers/s3/seller.yaml", "officialDomain: s3.example\nversions: [{version: 1, name: Soon}]\n")
	soon := f.open()
	f.scan(soon, true)
	if err := soon.Save(); err != nil {
		t.Fatal(err)
	}
	f.now = f.now.Add(time.Hour)
	again := f.open()
	f.scan(again, false)
	if again.folded {
		t.Fatal("it was not read again")
	}
	if err := again.Restamp(); err != nil {
		t.Fatal(err)
	}
	last := f.open()
	f.scan(last, false)
	if ch, err := last.Change(); err != nil || len(ch.Put) != 20 {
		t.Errorf("%d items are told, %v", len(ch.Put), err)
	}
	third := f.open()
	if f.scan(third, false); !third.folded {
		t.Error("it is read a third time")
	}
}

func TestWithoutItsCacheAFolderThatWasScannedIsReadAnew(t *testing.T) {
	f := newFolded(t)
	folder := f.open()
	f.scan(folder, false)
	fingerprint := folder.Fingerprint()
	if err := os.Remove(f.cache()); err != nil {
		t.Fatal(err)
	}
	if ch, err := folder.Change(); err != nil || len(ch.Put) != 20 || folder.Fingerprint() != fingerprint {
		t.Errorf("%d items are told, %v, or the fingerprint is another", len(ch.Put), err)
	}
}
