package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/internal/listing"
	"souk/build/kit/rendition"
)

// A remembered has a content folder of 20 sellers and the memory of reading it.
type remembered struct {
	*testing.T
	dir string
	now time.Time
}

func newRemembered(t *testing.T) *remembered {
	f := &remembered{t, t.TempDir(), time.Now().Add(time.Hour)}
	f.write("marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
	for i := range 20 {
		f.seller(i, fmt.Sprint("S", i))
	}
	f.release(f.scanned())
	return f
}

func (f *remembered) write(file, text string) {
	path := filepath.Join(f.dir, "content", filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.Fatal(err)
	}
}

func (f *remembered) seller(i int, name string) {
	f.write(fmt.Sprintf("sellers/s%d/seller.yaml", i), fmt.Sprintf("officialDomain: s%d.example\nversions: [{version: 1, name: %s}]\n", i, name))
}

func (f *remembered) remove(file string) {
	if err := os.RemoveAll(filepath.Join(f.dir, "content", file)); err != nil {
		f.Fatal(err)
	}
}

func (f *remembered) file() string { return filepath.Join(f.dir, "memory") }

func (f *remembered) openAt(memory string) *Folder {
	return Open(filepath.Join(f.dir, "content"), memory, "v", rendition.Open(""), func() time.Time { return f.now })
}

func (f *remembered) scan(folder *Folder) {
	f.Helper()
	if err := folder.Scan(f.Context(), Whole); err != nil {
		f.Fatal(err)
	}
}

// scanned returns the content as another process sees it.
func (f *remembered) scanned() *Folder {
	f.Helper()
	folder := f.openAt(f.file())
	f.scan(folder)
	return folder
}

func (f *remembered) save(folder *Folder, release *Release) {
	f.Helper()
	if err := folder.Save(release); err != nil {
		f.Fatal(err)
	}
}

// release marks the current content as good.
func (f *remembered) release(folder *Folder) {
	f.Helper()
	folder.Approve()
	f.save(folder, &Release{Public: "public", Facts: fmt.Append(nil, folder.GoodFingerprint())})
}

// items returns the packed items of a first Change.
func items(ch catalog.Change) map[catalog.Ref]string { return apply(map[catalog.Ref]string{}, ch) }

func apply(all map[catalog.Ref]string, ch catalog.Change) map[catalog.Ref]string {
	for _, ref := range ch.Delete {
		delete(all, ref)
	}
	for _, item := range ch.Put {
		all[catalog.RefOf(item)] = string(catalog.Pack(item))
	}
	return all
}

func names(ch catalog.Change) map[string]bool {
	all := map[string]bool{}
	for _, item := range ch.Put {
		all[item.Common().Name] = true
	}
	return all
}

func TestARunReadsOnlyTheFilesThatDifferFromTheMemory(t *testing.T) {
	f := newRemembered(t)
	folder := f.scanned()
	if folder.Differs() || len(folder.unsaved) > 0 || len(folder.All().Put) != 20 {
		t.Errorf("%v differ, %v were read, of %d items", folder.good, folder.unsaved, len(folder.All().Put))
	}
	f.seller(3, "Other")
	f.seller(20, "New")
	f.remove("sellers/s4")
	folder = f.scanned()
	ch := folder.Change()
	if got := names(ch); len(folder.unsaved) != 3 || !got["Other"] || !got["New"] || len(ch.Put) != 2 || len(ch.Delete) != 1 {
		t.Errorf("%v were read, %v are new, %v are gone", folder.unsaved, got, ch.Delete)
	}
	f.save(folder, nil)
	if next := f.scanned(); len(next.unsaved) > 0 || !reflect.DeepEqual(items(next.Change()), items(ch)) {
		t.Errorf("after a process that released nothing %v were read, and %v are new", next.unsaved, names(next.Change()))
	}
}

func TestTheLastGoodContentSurvivesLaterReads(t *testing.T) {
	f := newRemembered(t)
	good := f.scanned()
	want := items(good.All())
	f.seller(3, "Other")
	f.remove("sellers/s4")
	f.write("sellers/s5/products/arm.yaml", "name: Arm\ncategories: [arms]\n")
	for range 2 {
		folder := f.scanned()
		if got := items(folder.Good()); !reflect.DeepEqual(got, want) || folder.GoodFingerprint() != good.Fingerprint() || folder.Fingerprint() == good.Fingerprint() {
			t.Errorf("%d items were good, not %d, or the fingerprints are wrong", len(got), len(want))
		}
		if got := apply(items(folder.All()), folder.Back()); !reflect.DeepEqual(got, want) {
			t.Errorf("back it goes to %d items, not %d", len(got), len(want))
		}
		f.save(folder, nil)
	}
	folder := f.scanned()
	f.seller(3, "S3")
	if f.scan(folder); len(folder.good) != 2 {
		t.Errorf("after one file is as before %d differ", len(folder.good))
	}
	f.release(folder)
	if next := f.scanned(); next.Differs() || next.GoodFingerprint() != next.Fingerprint() || string(next.Released("public").Facts) != fmt.Sprint(next.Fingerprint()) {
		t.Error("after a release another content is good")
	}
}

func TestMemoryIsStoredPerPublicFolder(t *testing.T) {
	f := newRemembered(t)
	folder := f.scanned()
	f.save(folder, &Release{Public: "one", Facts: []byte("1"), Removals: []byte("[1]")})
	f.save(folder, &Release{Public: "two", Facts: []byte("2"), Removals: []byte("[2]")})
	f.save(folder, &Release{Public: "one", Facts: []byte("3")})
	next := f.openAt(f.file())
	for public, want := range map[string]Release{"one": {"one", []byte("3"), []byte("[1]")}, "two": {"two", []byte("2"), []byte("[2]")}, "none": {Public: "none"}} {
		if got := next.Released(public); !reflect.DeepEqual(got, want) {
			t.Errorf("of %s %q is remembered, not %q", public, got, want)
		}
	}
}

func TestADamagedOrOutdatedMemoryIsRebuilt(t *testing.T) {
	for name, damage := range map[string]func(*remembered, []byte) []byte{
		"cut short":       func(_ *remembered, data []byte) []byte { return data[:len(data)/2] },
		"nothing":         func(*remembered, []byte) []byte { return nil },
		"no database":     func(*remembered, []byte) []byte { return []byte(strings.Repeat("text ", 10_000)) },
		"other bytes":     func(_ *remembered, data []byte) []byte { return bytes.ReplaceAll(data, []byte("S3"), []byte("XX")) },
		"another version": func(_ *remembered, data []byte) []byte { return data },
	} {
		t.Run(name, func(t *testing.T) {
			f := newRemembered(t)
			f.T = t
			data, err := os.ReadFile(f.file())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.file(), damage(f, data), 0o600); err != nil {
				t.Fatal(err)
			}
			folder := f.openAt(f.file())
			if name == "another version" {
				folder.memory.version = "w"
			}
			if f.scan(folder); len(folder.All().Put) != 20 || !names(folder.All())["S3"] || len(folder.unsaved) == 0 {
				t.Errorf("%v are read, %d anew", names(folder.All()), len(folder.unsaved))
			}
			f.release(folder)
			next := f.openAt(f.file())
			next.memory.version = folder.memory.version
			if f.scan(next); next.Differs() || len(next.unsaved) > 0 {
				t.Errorf("the next process reads %v", next.unsaved)
			}
		})
	}
}

func TestOnlyAReleaseReplacesWhatAnotherProcessSaved(t *testing.T) {
	f := newRemembered(t)
	one, two := f.scanned(), f.scanned()
	f.seller(3, "Other")
	f.scan(two)
	f.release(two)
	f.seller(4, "Later")
	f.scan(one)
	f.save(one, nil)
	if next := f.scanned(); next.GoodFingerprint() != two.Fingerprint() {
		t.Error("who only read has changed what is good")
	}
	f.release(one)
	if next := f.scanned(); next.Differs() || len(next.unsaved) > 0 {
		t.Errorf("after the release %v are read", next.unsaved)
	}
}

func TestAMemoryThatCannotBeWrittenIsReported(t *testing.T) {
	f := newRemembered(t)
	if err := os.WriteFile(filepath.Join(f.dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	folder := f.openAt(filepath.Join(f.dir, "file/memory"))
	if f.scan(folder); len(folder.All().Put) != 20 {
		t.Errorf("%d items are read", len(folder.All().Put))
	}
	if folder.Save(nil) == nil {
		t.Error("nobody is told that nothing was saved")
	}
}

func TestNobodyElseMayReadTheMemory(t *testing.T) {
	info, err := os.Stat(newRemembered(t).file())
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

// pin gives all files of sellers the same time in 1970, as reproducible archives do.
func (f *remembered) pin() {
	for i := range 20 {
		file := filepath.Join(f.dir, fmt.Sprintf("content/sellers/s%d/seller.yaml", i))
		before := f.look(file)
		// The clock of a file system may tick more slowly than this runs.
		for f.look(file).Changed == before.Changed {
			if err := os.Chtimes(file, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
				f.Fatal(err)
			}
		}
	}
}

func (f *remembered) look(file string) listing.File {
	one, err := listing.At(file)
	if err != nil {
		f.Fatal(err)
	}
	if one.Changed == 0 {
		f.Skip("the system does not tell when a file changed")
	}
	return one
}

func TestAnEditThatKeepsSizeAndTimeIsFound(t *testing.T) {
	const file, other = "sellers/s3/seller.yaml", "officialDomain: s3.example\nversions: [{version: 1, name: X3}]\n"
	for name, test := range map[string]struct {
		edit    func(f *remembered)
		changed bool
	}{
		"written in place": {func(f *remembered) { f.write(file, other) }, true},
		"put in its place": {func(f *remembered) {
			f.write("new", other)
			if err := os.Rename(filepath.Join(f.dir, "content/new"), filepath.Join(f.dir, "content", file)); err != nil {
				f.Fatal(err)
			}
		}, true},
		"the same bytes": {func(f *remembered) { f.write(file, strings.Replace(other, "X3", "S3", 1)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newRemembered(t)
			f.pin()
			folder := f.scanned()
			f.save(folder, nil)
			test.edit(f)
			f.pin()
			f.scan(folder)
			if other := f.scanned(); other.Differs() != test.changed || folder.Differs() != test.changed {
				t.Errorf("the content differs: %t, and %t to who knew it before", other.Differs(), folder.Differs())
			}
		})
	}
}

func TestAFileReadRightAfterAChangeIsReadOnceMore(t *testing.T) {
	f := newRemembered(t)
	f.now = time.Now()
	f.seller(3, "Soon")
	f.release(f.scanned())
	f.now = f.now.Add(time.Hour)
	again := f.scanned()
	if again.Differs() || len(again.unsaved) != 1 {
		t.Fatalf("%v were read again", again.unsaved)
	}
	f.save(again, nil)
	if third := f.scanned(); len(third.unsaved) > 0 {
		t.Error("it is read a third time")
	}
}

func TestAChangeListsDeletedItemsWhoseFilesAreGone(t *testing.T) {
	f := newRemembered(t)
	folder := f.scanned()
	f.remove("")
	f.write("marketplace.md", "---\nname: M\nsiteUrl: https://market.example\n---\n")
	f.scan(folder)
	if change := folder.Change(); len(change.Delete) != 20 || change.Marketplace == nil {
		t.Errorf("%d sellers are gone, of 20", len(change.Delete))
	}
}

func TestACancelledScanReadsNoMoreFolders(t *testing.T) {
	f := newRemembered(t)
	folder := f.openAt(f.file())
	ended, end := context.WithCancel(t.Context())
	end()
	if err := folder.Scan(ended, Whole); !errors.Is(err, context.Canceled) || folder.Scanned() {
		t.Errorf("it ended with %v, scanned: %t", err, folder.Scanned())
	}
	if found, _, err := walk(ended, filepath.Join(f.dir, "content"), Whole); len(found) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d files were found, %v", len(found), err)
	}
	f.scan(folder)
}

func TestTheNextProcessSeesTheSameContentHoweverItWasSaved(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := newRemembered(t)
		defer os.RemoveAll(f.dir)
		good := items(f.scanned().All())
		for range rapid.IntRange(1, 4).Draw(r, "processes") {
			folder := f.openAt(f.file())
			for range rapid.IntRange(1, 3).Draw(r, "scans") {
				for range rapid.IntRange(0, 4).Draw(r, "edits") {
					f.edit(r)
				}
				f.scan(folder)
				f.compare(r, folder, good)
				switch rapid.IntRange(0, 2).Draw(r, "saving") {
				case 0:
					good = items(folder.All())
					f.release(folder)
				case 1:
					f.save(folder, nil)
				}
			}
		}
		f.compare(r, f.scanned(), good)
	})
}

// compare compares a folder with one that starts without memory.
func (f *remembered) compare(r *rapid.T, folder *Folder, good map[catalog.Ref]string) {
	fresh := f.openAt("")
	f.scan(fresh)
	want := items(fresh.All())
	if got := items(folder.All()); !reflect.DeepEqual(got, want) {
		r.Fatalf("all is %q, not %q", got, want)
	}
	if got := items(folder.Good()); !reflect.DeepEqual(got, good) {
		r.Fatalf("what was good is %q, not %q", got, good)
	}
	if got := apply(items(folder.Good()), folder.Change()); !reflect.DeepEqual(got, want) {
		r.Fatalf("with its changes it is %q, not %q", got, want)
	}
	if got := apply(items(folder.All()), folder.Back()); !reflect.DeepEqual(got, good) {
		r.Fatalf("and back %q, not %q", got, good)
	}
	if a, b := folder.Problems(), fresh.Problems(); folder.Fingerprint() != fresh.Fingerprint() || !reflect.DeepEqual(a, b) {
		r.Fatalf("%v is wrong, not %v, or the fingerprint is another", a, b)
	}
}

// edit writes, deletes or touches a file. Some edits create two files for one item, or a
// mistake.
func (f *remembered) edit(r *rapid.T) {
	i := rapid.IntRange(0, 22).Draw(r, "seller")
	file := fmt.Sprintf("sellers/s%d/%s", i, rapid.SampledFrom([]string{"seller.yaml", "seller.md", "products/arm.md", "products/arm.yaml"}).Draw(r, "file"))
	path := filepath.Join(f.dir, "content", file)
	switch rapid.IntRange(0, 3).Draw(r, "edit") {
	case 0:
		os.Remove(path)
	case 1:
		f.now = f.now.AddDate(0, 0, 1)
		os.Chtimes(path, f.now, f.now)
	default:
		text := fmt.Sprintf("name: %s\ncategories: [robots]\n", rapid.SampledFrom([]string{"A", "B", "{}"}).Draw(r, "name"))
		if strings.Contains(file, "seller.") {
			text = fmt.Sprintf("officialDomain: s%d.example\nversions: [{version: 1, name: %s}]\n", i, rapid.SampledFrom([]string{"A", "B", "{}"}).Draw(r, "name"))
		}
		if strings.HasSuffix(file, ".md") {
			text = "---\n" + text + "---\n"
		}
		f.write(file, text)
	}
}
