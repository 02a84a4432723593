package source

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/internal/listing"
	"souk/build/kit/rendition"
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
	if is, err := folder.Scan(f.Context(), Whole); err != nil || is != changed {
		f.Fatalf("changed: %v, %v", is, err)
	}
}

func TestAScanThatFindsNothingChangedLooksAtNoIndex(t *testing.T) {
	f := newFolded(t)
	folder := f.open()
	f.scan(folder, false)
	if folder.held != inCache || len(folder.files) > 0 {
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

// pin gives all files of sellers one time of 1970, as archives do whose bytes are to be the
// same every time.
func (f *folded) pin() {
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

func (f *folded) look(file string) listing.File {
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
		edit    func(f *folded)
		changed bool
	}{
		"written in place": {func(f *folded) { f.write(file, other) }, true},
		"put in its place": {func(f *folded) {
			f.write("new", other)
			if err := os.Rename(filepath.Join(f.dir, "content/new"), filepath.Join(f.dir, "content", file)); err != nil {
				f.Fatal(err)
			}
		}, true},
		"the same bytes": {func(f *folded) { f.write(file, strings.Replace(other, "X3", "S3", 1)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolded(t)
			f.pin()
			folder := f.open()
			f.scan(folder, false)
			if err := folder.Restamp(); err != nil {
				t.Fatal(err)
			}
			test.edit(f)
			f.pin()
			f.scan(f.open(), test.changed)
			f.scan(folder, test.changed)
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
	if again.held == inCache {
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
	if f.scan(third, false); third.held != inCache {
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

// offers writes some, of which one has a mistake.
func (f *folded) offers() {
	for i := range 5 {
		f.write(fmt.Sprintf("sellers/s%d/products/arm.md", i), fmt.Sprintf("---\nname: Arm %d\ncategories: [robots]\n---\n\nAn arm.\n", i))
	}
	f.write("sellers/s6/products/odd.md", "---\nname: Odd\nweight: heavy\ncategories: [robots]\n---\n")
}

// names returns those of all items that a Change puts.
func names(ch catalog.Change) map[string]bool {
	all := map[string]bool{}
	for _, item := range ch.Put {
		all[item.Common().Name] = true
	}
	return all
}

// fold has a folder tell all of the content and let go of what little needs not.
func (f *folded) fold(folder *Folder) catalog.Change {
	f.Helper()
	_ = folder.FoldApart() // where it cannot be saved nothing is let go of
	ch, err := folder.Change()
	if err != nil {
		f.Fatal(err)
	}
	_ = folder.FoldApart()
	return ch
}

func TestAFoldingFolderHoldsOnlyTheFilesThatTellOfTheWholeOnceTheyAreTold(t *testing.T) {
	f := newFolded(t)
	f.offers()
	f.write("texts/en.yaml", "")
	if err := os.Remove(f.cache()); err != nil { // of which little would differ
		t.Fatal(err)
	}
	plain, folding := f.open(), f.open()
	f.scan(plain, true)
	f.scan(folding, true)
	want, err := plain.Change()
	if err != nil {
		t.Fatal(err)
	}
	got := f.fold(folding)
	if len(got.Put) != 26 || !maps.Equal(names(got), names(want)) {
		t.Fatalf("%v are told", names(got))
	}
	if len(folding.files) != 3 {
		t.Errorf("%d files are held: of the marketplace, the texts and the mistake there are 3", len(folding.files))
	}
	if a, b := folding.Problems(), plain.Problems(); len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("the problems are %v, of a folder that holds all %v", a, b)
	}
	if folding.Fingerprint() != plain.Fingerprint() {
		t.Error("the fingerprints differ")
	}
}

func TestWhoReleasesNothingSavesNothingThatIsLittle(t *testing.T) {
	f := newFolded(t)
	before, err := os.ReadFile(f.cache())
	if err != nil {
		t.Fatal(err)
	}
	f.write("texts/en.yaml", "")
	folding := f.open()
	f.scan(folding, true)
	f.fold(folding)
	if err := folding.SaveApart(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(f.cache())
	if _, none := os.Stat(f.cache() + supplementSuffix); err != nil || !slices.Equal(before, after) || none == nil {
		t.Errorf("the cache is another, %v, %v", err, none)
	}
	if err := folding.Save(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.cache() + supplementSuffix); err != nil {
		t.Errorf("a release saves nothing: %v", err)
	}
}

func TestItemsOfAFoldingFolderStayWhateverBecomesOfTheCache(t *testing.T) {
	f := newFolded(t)
	f.offers()
	folding := f.open()
	f.scan(folding, true)
	ch := f.fold(folding)
	want := names(ch)
	f.write("sellers/s1/products/arm.md", "---\nname: Another\ncategories: [robots]\n---\n")
	other := f.open()
	f.scan(other, true)
	if err := other.Save(); err != nil {
		t.Fatal(err)
	}
	if got := names(ch); !maps.Equal(got, want) {
		t.Errorf("after another process has saved the items are %v", got)
	}
	if err := os.Remove(f.cache()); err != nil {
		t.Fatal(err)
	}
	if got := names(ch); !maps.Equal(got, want) {
		t.Errorf("without the cache the items are %v", got)
	}
}

func TestAFolderThatLetGoOfItsFilesFindsWhatChangesLater(t *testing.T) {
	for name, lose := range map[string]bool{"with its cache": false, "without its cache": true} {
		t.Run(name, func(t *testing.T) {
			f := newFolded(t)
			f.T = t
			f.offers()
			folding := f.open()
			f.scan(folding, true)
			f.fold(folding)
			if lose {
				if err := os.Remove(f.cache()); err != nil {
					t.Fatal(err)
				}
			}
			f.write("sellers/s1/products/arm.md", "---\nname: Another\ncategories: [robots]\n---\n")
			if err := os.Remove(filepath.Join(f.dir, "content/sellers/s6/products/odd.md")); err != nil {
				t.Fatal(err)
			}
			f.scan(folding, true)
			ch, err := folding.Change()
			if err != nil || !names(ch)["Another"] || !slices.Contains(ch.Delete, catalog.Ref{Kind: catalog.KindProduct, Company: "s6", Slug: "odd"}) && !lose {
				t.Errorf("%v are told, %v deleted, %v", names(ch), ch.Delete, err)
			}
			if list := folding.Problems(); len(list) > 0 {
				t.Errorf("a mistake is told of a file that is gone: %v", list)
			}
			if err := folding.Save(); err != nil {
				t.Fatal(err)
			}
			again := f.open()
			if f.scan(again, false); again.Fingerprint() != folding.Fingerprint() {
				t.Error("the cache has other files")
			}
		})
	}
}

func TestAMistakeThatStaysIsToldAgainHoweverManyFilesChange(t *testing.T) {
	f := newFolded(t)
	f.write("synonyms.yaml", "- [arm]\n")
	all := f.open()
	f.scan(all, true)
	if err := all.SaveWhole(); err != nil {
		t.Fatal(err)
	}
	folding := f.open()
	f.scan(folding, false)
	f.fold(folding)
	for i := range 20 {
		f.seller(i, fmt.Sprint("Other ", i))
	}
	f.now = f.now.AddDate(0, 0, 1)
	if err := os.Chtimes(filepath.Join(f.dir, "content/synonyms.yaml"), f.now, f.now); err != nil {
		t.Fatal(err)
	}
	f.scan(folding, true)
	if ch, err := folding.Change(); err != nil || len(ch.Put) != 20 || len(folding.Problems()) != 1 {
		t.Errorf("%d items and %v are told, %v", len(ch.Put), folding.Problems(), err)
	}
}

func TestWhereTheCacheCannotBeSavedAFoldingFolderTellsAllTheSame(t *testing.T) {
	f := newFolded(t)
	f.offers()
	if err := os.WriteFile(filepath.Join(f.dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	folding := Open(filepath.Join(f.dir, "content"), filepath.Join(f.dir, "file/cache"), "v", rendition.Open(""), func() time.Time { return f.now })
	f.scan(folding, true)
	if ch := f.fold(folding); len(ch.Put) != 26 {
		t.Errorf("%d items are told", len(ch.Put))
	}
	if folding.Save() == nil {
		t.Error("nobody is told that nothing was saved")
	}
}

func TestAChangeTellsWhatIsGoneWhereNoFileStayed(t *testing.T) {
	f := newFolded(t)
	all := f.open()
	f.scan(all, false)
	if _, err := all.Change(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(f.dir, "content")); err != nil {
		t.Fatal(err)
	}
	f.write("marketplace.md", "---\nname: M\nsiteUrl: https://market.example\n---\n")
	f.scan(all, true)
	change, err := all.Change()
	if err != nil || len(change.Delete) != 20 || change.Marketplace == nil {
		t.Errorf("%d sellers are gone, of 20: %v", len(change.Delete), err)
	}
}

func TestAScanThatNobodyWaitsForLooksAtNoMoreFolders(t *testing.T) {
	f := newFolded(t)
	folder := f.open()
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := folder.Scan(ended, Whole); !errors.Is(err, context.Canceled) || folder.Scanned() {
		t.Errorf("it ended with %v, scanned: %t", err, folder.Scanned())
	}
	if found, _, err := walk(ended, filepath.Join(f.dir, "content"), Whole); len(found) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d files were found, %v", len(found), err)
	}
	f.scan(folder, false)
}
