package source

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
)

// seller writes one with a name.
func (f *folded) seller(i int, name string) {
	f.write(fmt.Sprintf("sellers/s%d/seller.yaml", i), fmt.Sprintf("officialDomain: s%d.example\nversions: [{version: 1, name: %s}]\n", i, name))
}

// save does so after a Scan of an edit.
func (f *folded) save(folder *Folder) {
	f.Helper()
	f.scan(folder, true)
	if err := folder.Save(); err != nil {
		f.Fatal(err)
	}
}

func (f *folded) bytes(file string) string {
	f.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	return string(data)
}

func TestAnEditSupplementsTheCacheAndLeavesItsFileAsItIs(t *testing.T) {
	f := newFolded(t)
	before := f.bytes(f.cache())
	f.seller(3, "Other")
	f.seller(20, "New")
	if err := os.Remove(filepath.Join(f.dir, "content/sellers/s7/seller.yaml")); err != nil {
		t.Fatal(err)
	}
	edited := f.open()
	f.save(edited)
	if f.bytes(f.cache()) != before {
		t.Error("an edit writes the file of the cache")
	}
	next := f.open()
	if f.scan(next, false); next.held != inCache || next.Fingerprint() != edited.Fingerprint() {
		t.Error("the next process looks at single files, or knows of other ones")
	}
	ch, err := next.Change()
	if all := names(ch); err != nil || len(ch.Put) != 20 || !all["Other"] || !all["New"] || all["S3"] || all["S7"] {
		t.Errorf("it is told %v, %v", all, err)
	}
}

func TestWhatIsEditedBackSupplementsNothing(t *testing.T) {
	f := newFolded(t)
	for _, name := range []string{"Other", "S3"} {
		f.seller(3, name)
		f.save(f.open())
	}
	last := f.open()
	if ch, err := last.Change(); err != nil || len(ch.Put) != 20 || !names(ch)["S3"] {
		t.Errorf("it is told %v, %v", names(ch), err)
	}
	if s := last.cache.later; s == nil || len(s.Read.Paths)+len(s.Gone) > 0 {
		t.Errorf("the supplement has %+v", s)
	}
}

func TestWhatAnotherProcessReadAndSavedMeanwhileIsToldAsItReadIt(t *testing.T) {
	f := newFolded(t)
	for _, name := range []string{"Earlier", "Later", "S3"} {
		slow := f.open() // it has seen what supplements the cache so far
		f.seller(3, name)
		f.save(f.open())
		f.scan(slow, true)
		ch, err := slow.Change()
		if all := names(ch); err != nil || len(ch.Put) != 20 || !all[name] {
			t.Errorf("with %s the process that began before is told %v, %v", name, all, err)
		}
	}
}

func TestManyEditsWriteTheCacheAnew(t *testing.T) {
	f := newFolded(t)
	before := f.bytes(f.cache())
	for i := range 20 {
		f.seller(i, fmt.Sprint("Other ", i))
	}
	folder := f.open()
	f.save(folder)
	if f.bytes(f.cache()) == before || folder.cache.later != nil {
		t.Error("every file is in the supplement")
	}
	if _, err := os.Stat(f.cache() + supplementSuffix); !os.IsNotExist(err) {
		t.Errorf("a supplement of the former file stays: %v", err)
	}
}

func TestACacheThatIsWrittenAnewBeforeTheFirstChangeIsWhatThatTells(t *testing.T) {
	f := newFolded(t)
	for i := range 10 {
		f.seller(i, fmt.Sprint("Other ", i))
	}
	edited := f.open()
	f.save(edited)
	f.touch(10, 20)
	folder := f.open()
	f.scan(folder, false)
	if err := folder.Restamp(); err != nil || folder.cache.later != nil {
		t.Fatalf("what differs is in a supplement, or %v", err)
	}
	ch, err := folder.Change()
	if all := names(ch); err != nil || len(ch.Put) != 20 || !all["Other 3"] || all["S3"] {
		t.Errorf("it is told %v, %v", all, err)
	}
	again := f.open()
	f.scan(again, false)
	base, since, ok := again.Before(edited.Fingerprint())
	if all := names(base); !ok || !all["Other 3"] || all["S3"] || names(since)["S3"] {
		t.Errorf("before it was %v, then %v", all, names(since))
	}
}

// touch gives the files of some sellers another time.
func (f *folded) touch(from, to int) {
	f.now = f.now.AddDate(0, 0, 1)
	for i := from; i < to; i++ {
		_ = os.Chtimes(filepath.Join(f.dir, fmt.Sprintf("content/sellers/s%d/seller.yaml", i)), f.now, f.now) // it may be gone
	}
}

func TestAFolderThatStaysHoldsNotWhatManyFilesWere(t *testing.T) {
	f := newFolded(t)
	folder := f.open()
	if f.scan(folder, false); len(folder.base) > 0 {
		t.Fatalf("%d files differ at first", len(folder.base))
	}
	if _, err := folder.Change(); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		f.seller(i, fmt.Sprint("Other ", i))
	}
	if f.scan(folder, true); folder.base != nil {
		t.Errorf("what %d files were is held", len(folder.base))
	}
	if err := folder.Save(); err != nil {
		t.Fatal(err)
	}
	next := f.open()
	if f.scan(next, false); next.Fingerprint() != folder.Fingerprint() {
		t.Error("the next process knows of other files")
	}
}

func TestASupplementThatIsDamagedOrOfAnotherFileCountsAsNone(t *testing.T) {
	for name, lose := range map[string]func(f *folded){
		"cut short": func(f *folded) {
			f.write("../cache"+supplementSuffix, f.bytes(f.cache() + supplementSuffix)[:100])
		},
		"other bytes": func(f *folded) {
			f.write("../cache"+supplementSuffix, strings.Replace(f.bytes(f.cache()+supplementSuffix), "Other", "Worse", 1))
		},
		"gone": func(f *folded) {
			if err := os.Remove(f.cache() + supplementSuffix); err != nil {
				f.Fatal(err)
			}
		},
		"of another file": func(f *folded) {
			earlier := f.bytes(f.cache() + supplementSuffix)
			f.seller(4, "Whole")
			folder := f.open()
			f.scan(folder, true)
			if err := folder.SaveWhole(); err != nil {
				f.Fatal(err)
			}
			f.write("../cache"+supplementSuffix, strings.Replace(earlier, "Other", "Worse", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolded(t)
			f.T = t
			f.seller(3, "Other")
			f.save(f.open())
			lose(f)
			folder := f.open()
			if _, err := folder.Scan(t.Context(), Whole); err != nil {
				t.Fatal(err)
			}
			if ch, err := folder.Change(); err != nil || len(ch.Put) != 20 || !names(ch)["Other"] || len(folder.Problems()) > 0 {
				t.Errorf("it is told %v, %v, %v", names(ch), err, folder.Problems())
			}
		})
	}
}

func TestWhatIsRememberedAsGoodStaysWhateverSupplementsTheCacheLater(t *testing.T) {
	f := newFolded(t)
	f.seller(3, "Good")
	good := f.open()
	f.save(good)
	for range 2 { // the second time each name leads to the right file already
		if err := good.Remember(); err != nil {
			t.Fatal(err)
		}
	}
	f.seller(3, "Later")
	f.seller(4, "Later too")
	later := f.open()
	f.save(later)
	ch, ok := later.Recall(good.Fingerprint())
	if all := names(ch); !ok || !all["Good"] || !all["S4"] || len(ch.Put) != 20 {
		t.Errorf("%v are recalled, %v", all, ok)
	}
	if _, ok := later.Recall(later.Fingerprint()); ok {
		t.Error("other content is recalled")
	}
	if err := later.Remember(); err != nil {
		t.Fatal(err)
	}
	if ch, ok := later.Recall(later.Fingerprint()); !ok || !names(ch)["Later too"] {
		t.Errorf("%v are recalled, %v", names(ch), ok)
	}
	// A process that was killed in the middle of it has left another supplement.
	if err := os.Remove(f.cache() + goodSuffix + supplementSuffix); err != nil {
		t.Fatal(err)
	}
	if _, ok := later.Recall(later.Fingerprint()); ok {
		t.Error("what was supplemented is recalled without its supplement")
	}
}

func TestWhateverIsSavedHoweverTheNextProcessIsToldTheSame(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := newFolded(t)
		defer os.RemoveAll(f.dir)
		for range rapid.IntRange(1, 5).Draw(r, "processes") {
			for range rapid.IntRange(0, 3).Draw(r, "edits") {
				f.edit(r)
			}
			folder, folds := f.open(), rapid.Bool().Draw(r, "folds")
			if _, err := folder.Scan(t.Context(), Whole); err != nil {
				r.Fatal(err)
			}
			if rapid.Bool().Draw(r, "restamped") {
				if err := folder.Restamp(); err != nil {
					r.Fatal(err)
				}
			}
			told := map[catalog.Ref]string{}
			switch {
			case rapid.Bool().Draw(r, "before"):
				told = f.before(r, folder)
			case folds:
				f.letGo(r, folder)
			}
			f.tellsAll(r, folder, told)
			if folds {
				f.letGo(r, folder)
			}
			for range rapid.IntRange(0, 2).Draw(r, "scans more") {
				for range rapid.SampledFrom([]int{1, 3, 40}).Draw(r, "edits before it") {
					f.edit(r)
				}
				if _, err := folder.Scan(t.Context(), Whole); err != nil {
					r.Fatal(err)
				}
				f.tellsAll(r, folder, told)
			}
			var err error
			switch rapid.IntRange(0, 3).Draw(r, "saving") {
			case 0:
				err = folder.SaveWhole()
			case 1:
				err = folder.Fold()
			default:
				err = folder.Save()
			}
			if err != nil {
				r.Fatal(err)
			}
		}
	})
}

func (f *folded) letGo(r *rapid.T, folder *Folder) {
	if err := folder.FoldApart(); err != nil {
		r.Fatal(err)
	}
}

// tellsAll has a folder tell what has changed, and fails where that is not, with what it
// told before, what one tells that knows nothing yet.
func (f *folded) tellsAll(r *rapid.T, folder *Folder, told map[catalog.Ref]string) {
	ch, err := folder.Change()
	if err != nil {
		r.Fatal(err)
	}
	tell(told, ch)
	fresh := Open(folder.root, filepath.Join(f.dir, "none"), "v", folder.shelf, folder.now)
	if _, err := fresh.Scan(f.Context(), Whole); err != nil {
		r.Fatal(err)
	}
	want, err := fresh.Change()
	if err != nil || !reflect.DeepEqual(told, tell(map[catalog.Ref]string{}, want)) {
		r.Fatalf("it is told %q, not %v, %v", told, want, err)
	}
	if a, b := folder.Problems(), fresh.Problems(); folder.Fingerprint() != fresh.Fingerprint() || !reflect.DeepEqual(a, b) {
		r.Fatalf("%v is wrong, not %v, or the fingerprint is another", a, b)
	}
}

// edit writes, deletes or touches a file; some have two for one item, or a mistake.
func (f *folded) edit(r *rapid.T) {
	i := rapid.IntRange(0, 22).Draw(r, "seller")
	file := fmt.Sprintf("sellers/s%d/%s", i, rapid.SampledFrom([]string{"seller.yaml", "seller.md", "products/arm.md", "products/arm.yaml"}).Draw(r, "file"))
	path := filepath.Join(f.dir, "content", file)
	switch rapid.IntRange(0, 4).Draw(r, "edit") {
	case 0:
		os.Remove(path)
	case 1:
		f.now = f.now.AddDate(0, 0, 1)
		os.Chtimes(path, f.now, f.now)
	case 2:
		f.touch(i, 20)
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

// before returns what the cache had, and holds it against the cache alone.
func (f *folded) before(r *rapid.T, folder *Folder) map[catalog.Ref]string {
	cached := f.open()
	if err := cached.unfold(); err != nil {
		r.Fatal(err)
	}
	base, since, ok := folder.Before(cached.Fingerprint())
	if !ok {
		r.Fatal("what the cache had is not told")
	}
	want, err := cached.Change()
	if err != nil {
		r.Fatal(err)
	}
	told := tell(tell(map[catalog.Ref]string{}, base), since)
	if all := tell(map[catalog.Ref]string{}, want); !reflect.DeepEqual(told, all) {
		r.Fatalf("before it was %q, not %q", told, all)
	}
	return told
}

// tell brings what was told, packed, up to date with a Change.
func tell(told map[catalog.Ref]string, ch catalog.Change) map[catalog.Ref]string {
	for _, ref := range ch.Delete {
		delete(told, ref)
	}
	for _, item := range ch.Put {
		told[catalog.RefOf(item)] = string(catalog.Pack(item))
	}
	return told
}
