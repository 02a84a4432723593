package source

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/kit/problem"
)

// recordOf returns the record of a file that says text.
func recordOf(path, text string) *record {
	sum := sha256.Sum256([]byte(text))
	_, ref, _ := place(path)
	r := &record{stamp: stamp{Size: int64(len(text)), ModTime: 1}, digest: string(sum[:]), reading: &reading{}}
	r.reading.Item = &catalog.Offer{Head: catalog.Head{Ref: ref, File: path, Name: text}, SKU: text}
	if len(text)%7 == 0 {
		r.reading.Problems = problem.List{{File: path, Text: text}}
	}
	return r
}

func recordsOf(files int) map[string]*record {
	all := map[string]*record{}
	for i := range files {
		path := fmt.Sprintf("sellers/acme/products/p%04d.md", i)
		all[path] = recordOf(path, fmt.Sprint("text ", i))
	}
	return all
}

func totalsOf(files map[string]*record) (t totals) {
	for path, r := range files {
		t.add(path, r)
	}
	return t
}

// readBack returns what another process finds in the cache.
func readBack(t interface{ Fatal(...any) }, file string) (*cache, map[string]*record) {
	c := &cache{file: file, version: "v"}
	told, there := c.begin()
	files, _ := c.open()
	if there && told != totalsOf(files) {
		t.Fatal("the totals are not those of the files")
	}
	c.read()
	for path, r := range c.all {
		if r.reading != nil {
			one, packed := r.reading.Item.(*catalog.Packed)
			if !packed {
				t.Fatal(path + " is not packed")
			}
			r.reading.Item = one.Unpack()
		}
	}
	return c, files
}

func TestTheCacheHoldsWhatWasSavedLastHoweverMuchOfItChanged(t *testing.T) {
	dir, saves := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		saves++
		file := filepath.Join(dir, fmt.Sprint(saves))
		files := recordsOf(rapid.SampledFrom([]int{0, 1, 3000}).Draw(t, "files"))
		c := &cache{file: file, version: "v"}
		for range rapid.IntRange(1, 3).Draw(t, "saves") {
			if err := c.save(files, totalsOf(files)); err != nil {
				t.Fatal(err)
			}
			again, got := readBack(t, file)
			if !reflect.DeepEqual(got, files) {
				t.Fatalf("%d files of %d are read back, or differ", len(got), len(files))
			}
			if rapid.Bool().Draw(t, "another process") {
				c = again
			}
			files = maps.Clone(files)
			for range rapid.IntRange(0, 3).Draw(t, "edits") {
				path := fmt.Sprintf("sellers/acme/products/p%04d.md", rapid.IntRange(0, 3100).Draw(t, "file"))
				if rapid.Bool().Draw(t, "deleted") {
					delete(files, path)
				} else {
					files[path] = recordOf(path, rapid.StringN(0, 9, -1).Draw(t, "text"))
				}
			}
		}
	})
}

func TestOneEditRewritesOneShareOfTheCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache")
	files := recordsOf(20_000)
	c := &cache{file: file, version: "v"}
	if err := c.save(files, totalsOf(files)); err != nil {
		t.Fatal(err)
	}
	before := map[[16]byte]bool{}
	for _, s := range c.saved {
		before[s.Sum] = true
	}
	const new = "sellers/acme/products/p1234-and-more.md"
	files[new] = recordOf(new, "new")
	// What is only copied is not looked at.
	changed := maps.Clone(files)
	for _, s := range sharesOf(slices.Sorted(maps.Keys(files)), files) {
		if !slices.Contains(s.paths, new) {
			for _, path := range s.paths {
				changed[path] = &record{stamp: files[path].stamp, digest: files[path].digest}
			}
		}
	}
	if err := c.save(changed, totalsOf(changed)); err != nil {
		t.Fatal(err)
	}
	fresh := 0
	for _, s := range c.saved {
		if !before[s.Sum] {
			fresh++
		}
	}
	if len(c.saved) < 10 || fresh > 2 {
		t.Errorf("%d of %d shares are new", fresh, len(c.saved))
	}
	if _, got := readBack(t, file); !reflect.DeepEqual(got, files) {
		t.Error("the cache holds something else")
	}
}

func TestADamagedShareIsMissingAndMendedByTheNextSave(t *testing.T) {
	for name, at := range map[string]int{"an item": 100, "the length of the share": 2} {
		t.Run(name, func(t *testing.T) { testDamagedShare(t, at) })
	}
}

func testDamagedShare(t *testing.T, at int) {
	file := filepath.Join(t.TempDir(), "cache")
	files := recordsOf(5000)
	if err := (&cache{file: file, version: "v"}).save(files, totalsOf(files)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[at] ^= 1
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	c, got := readBack(t, file)
	missing := 0
	for path, r := range got {
		if r.reading == nil {
			missing++
			r.reading = files[path].reading
		}
	}
	if missing == 0 || missing == len(files) {
		t.Fatalf("%d readings of %d are missing", missing, len(files))
	}
	if err := c.save(got, totalsOf(got)); err != nil {
		t.Fatal(err)
	}
	if _, got = readBack(t, file); !reflect.DeepEqual(got, files) {
		t.Error("the cache is not mended")
	}
}

func TestACacheThatIsCutShortOrOfAnotherVersionIsEmpty(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache")
	if err := (&cache{file: file, version: "v"}).save(recordsOf(3), totals{}); err != nil {
		t.Fatal(err)
	}
	if _, there := (&cache{file: file, version: "w"}).begin(); there {
		t.Error("another version reads it")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for size := range data {
		if err := os.WriteFile(file, data[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		c := &cache{file: file, version: "v"}
		_, there := c.begin()
		if files, _ := c.open(); there || files != nil {
			t.Fatalf("%d bytes of %d tell of files", size, len(data))
		}
	}
}
