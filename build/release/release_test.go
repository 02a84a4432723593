package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A site is a public folder under test with a clock that advances with every release.
type site struct {
	t   *testing.T
	dir string
	now time.Time
	pre Precompress
}

func newSite(t *testing.T) *site {
	return &site{t: t, dir: t.TempDir(), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), pre: 100}
}

func (s *site) open() *Tree {
	s.t.Helper()
	tree, err := Open(Options{
		Public: filepath.Join(s.dir, "public"), Precompress: s.pre,
		Now:     func() time.Time { return s.now },
		Waiting: func() { s.t.Error("the folder is locked") },
		Ours: func(file string, body func() ([]byte, error)) bool {
			data, err := body()
			return err == nil && (bytes.HasPrefix(data, []byte("ours")) || file == DescriptionFile)
		},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return tree
}

var clock = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)

// publish releases exactly these documents; those with an empty body become stubs.
func publish(tree *Tree, documents map[string]string) (result Result, err error) {
	if err := tree.Lock(context.Background()); err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, tree.Unlock()) }()
	plan, err := tree.Begin()
	if err != nil {
		return Result{}, err
	}
	w := plan.Writer()
	for _, file := range slices.Sorted(maps.Keys(documents)) {
		body := documents[file]
		if body == "" {
			err = w.Gone(file, []byte("ours: gone"))
		} else {
			err = w.Put(file, []byte(body))
		}
		if err != nil {
			return Result{}, errors.Join(err, plan.Discard())
		}
	}
	for _, file := range plan.Unmentioned() {
		w.Remove(file)
	}
	return plan.Commit(context.Background(), clock, false)
}

func (s *site) mustPublish(tree *Tree, documents map[string]string) Result {
	s.t.Helper()
	s.now = s.now.Add(10 * time.Second)
	result, err := publish(tree, documents)
	if err != nil {
		s.t.Fatal(err)
	}
	return result
}

func long(text string) string { return "ours: " + strings.Repeat(text+" ", 100) }

// vast returns a document that is large enough for both twins.
func vast(text string) string { return long(strings.Repeat(text, 400)) }

// files returns the bytes of every public file except the release's description.
func (s *site) files() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	root := filepath.Join(s.dir, "public")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		body, err := Decompress(name, data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if name != DescriptionFile {
			all[name] = string(body)
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// wanted returns the expected files of the public folder for documents, including twins.
func (s *site) wanted(documents map[string]string) map[string]string {
	all := map[string]string{}
	for file, body := range documents {
		if body == "" {
			all[StubOf(file)] = "ours: gone"
			continue
		}
		all[file] = body
		twins := s.pre.wants(file, len(body))
		if twins.gzip {
			all[file+".gz"] = body
		}
		if twins.brotli {
			all[file+".br"] = body
		}
	}
	return all
}

func (s *site) expect(when string, documents map[string]string) {
	s.t.Helper()
	if got, want := s.files(), s.wanted(documents); !maps.Equal(got, want) {
		s.t.Errorf("%s:\ngot  %v\nwant %v", when, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

var (
	first  = map[string]string{"a/x.json": long("x"), "a/y.json": "ours: y", "b/z.json": vast("z"), "deep/er/w.json": "ours"}
	second = map[string]string{"a/x.json": long("other"), "a/y.json": "", "c/new.json": long("n"), "deep/er/w.json": "ours"}
)

func TestAReleaseWritesItsDocumentsWithTheirTwins(t *testing.T) {
	s := newSite(t)
	result := s.mustPublish(s.open(), first)
	s.expect("the first release", first)
	if result.Written != 4 || result.Documents != 4 || result.ID == "" {
		t.Errorf("result %+v", result)
	}
	result = s.mustPublish(s.open(), second)
	s.expect("the second release", second)
	if result.Written != 3 || result.Unchanged != 1 || result.Removed != 2 {
		t.Errorf("result %+v", result)
	}
}

func TestTheIDDependsOnlyOnTheDocuments(t *testing.T) {
	s, other := newSite(t), newSite(t)
	other.pre = NoPrecompress
	s.mustPublish(s.open(), first)
	detour := s.mustPublish(s.open(), second).ID
	if direct := other.mustPublish(other.open(), second).ID; direct != detour {
		t.Errorf("the same documents have the ids %s and %s", direct, detour)
	}
	if again := s.mustPublish(s.open(), first).ID; again == detour {
		t.Error("other documents have the same id")
	}
}

// stamps returns a value for each file that changes if the file is touched.
func (s *site) stamps() map[string]string {
	all := map[string]string{}
	for file := range s.files() {
		info, err := os.Stat(filepath.Join(s.dir, "public", file))
		if err != nil {
			s.t.Fatal(err)
		}
		all[file] = fmt.Sprint(info.ModTime().UnixNano(), info.Size())
	}
	return all
}

func TestARepeatedReleaseTouchesNothing(t *testing.T) {
	s := newSite(t)
	s.mustPublish(s.open(), first)
	before := s.stamps()
	if result := s.mustPublish(s.open(), first); result.Written != 0 {
		t.Errorf("result %+v", result)
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "public.release")); err != nil {
		t.Fatal(err)
	}
	if result := s.mustPublish(s.open(), first); result.Written != 0 || result.Unchanged != 4 {
		t.Errorf("without its state: %+v", result)
	}
	if after := s.stamps(); !maps.Equal(before, after) {
		t.Errorf("files were touched:\n%v\n%v", before, after)
	}
}

func TestWithoutItsStateAReleaseReplacesEarlierFiles(t *testing.T) {
	s := newSite(t)
	s.mustPublish(s.open(), first)
	if err := os.RemoveAll(filepath.Join(s.dir, "public.release")); err != nil {
		t.Fatal(err)
	}
	s.mustPublish(s.open(), second)
	s.expect("after the state was lost", second)
}

func TestANewVersionIsModifiedInALaterSecond(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, map[string]string{"a.json": "ours: 1"})
	old, _ := tree.Lookup("a.json")
	s.now = time.Unix(0, old.ModTime)
	if _, err := publish(tree, map[string]string{"a.json": "ours: 2"}); err != nil {
		t.Fatal(err)
	}
	if e, _ := tree.Lookup("a.json"); e.ModTime/1e9 <= old.ModTime/1e9 {
		t.Errorf("two versions of one size within one second: %d and %d", old.ModTime, e.ModTime)
	}
}

func TestForeignFilesAreKeptAndReported(t *testing.T) {
	s := newSite(t)
	for _, lost := range []bool{false, true} {
		s.mustPublish(s.open(), first)
		foreign := filepath.Join(s.dir, "public", "a", "mine.txt")
		if err := os.WriteFile(foreign, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		if lost {
			if err := os.RemoveAll(filepath.Join(s.dir, "public.release")); err != nil {
				t.Fatal(err)
			}
		}
		tree := s.open()
		s.mustPublish(tree, second)
		if got := tree.Foreign(); !slices.Equal(got, []string{"a/mine.txt"}) {
			t.Errorf("foreign files %v, state lost: %v", got, lost)
		}
		if data, err := os.ReadFile(foreign); string(data) != "mine" {
			t.Errorf("the foreign file holds %q, %v", data, err)
		}
	}
}

func TestAForeignFileInTheWayOfADocumentIsRejected(t *testing.T) {
	s := newSite(t)
	s.mustPublish(s.open(), first)
	if err := os.MkdirAll(filepath.Join(s.dir, "public", "c", "new.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("c/new.json/mine.txt", "mine")
	var clash *ForeignError
	if _, err := publish(s.open(), second); !errors.As(err, &clash) || !slices.Equal(clash.Files, []string{"c/new.json/mine.txt"}) {
		t.Errorf("got %v", err)
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "public", "c")); err != nil {
		t.Fatal(err)
	}
	s.expect("after a release that was refused", first)
	s.mustPublish(s.open(), second)
}

// The program's own staging folders are only those whose names start as its stages do.
func TestOtherFoldersAreNotMistakenForStages(t *testing.T) {
	s := newSite(t)
	documents := map[string]string{"a/x.json": "1", "stage-door/plan.json": "ours"}
	s.mustPublish(s.open(), documents)
	foreign := filepath.Join(s.dir, "public", "stage-1", "mine.txt")
	if err := os.MkdirAll(filepath.Dir(foreign), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(foreign, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if result := s.mustPublish(s.open(), documents); result.Written != 0 {
		t.Errorf("%d documents were written again", result.Written)
	}
	if data, err := os.ReadFile(foreign); string(data) != "mine" {
		t.Errorf("the foreign file holds %q, %v", data, err)
	}
}

func TestDamageIsRepaired(t *testing.T) {
	damages := map[string]func(public string) error{
		"a document is overwritten": func(p string) error {
			return os.WriteFile(filepath.Join(p, "a/x.json"), []byte("broken"), 0o644)
		},
		"a document is deleted": func(p string) error { return os.Remove(filepath.Join(p, "a/y.json")) },
		"a twin is overwritten": func(p string) error { return os.WriteFile(filepath.Join(p, "a/x.json.gz"), []byte("broken"), 0o644) },
		"a twin is deleted":     func(p string) error { return os.Remove(filepath.Join(p, "b/z.json.br")) },
		"a twin is left over":   func(p string) error { return os.WriteFile(filepath.Join(p, "a/y.json.gz"), []byte("old"), 0o644) },
		"a document is an empty folder": func(p string) error {
			return errors.Join(os.Remove(filepath.Join(p, "a/y.json")), os.Mkdir(filepath.Join(p, "a/y.json"), 0o755))
		},
		"all times are new": func(p string) error {
			return filepath.WalkDir(p, func(path string, _ fs.DirEntry, err error) error {
				return errors.Join(err, os.Chtimes(path, clock, clock))
			})
		},
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.mustPublish(s.open(), first)
			if err := damage(filepath.Join(s.dir, "public")); err != nil {
				t.Fatal(err)
			}
			s.mustPublish(s.open(), first)
			s.expect("after the damage", first)
		})
	}
}

func TestStagingInsideThePublicFolderWorks(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	tree.stages = tree.stagesAt(true)
	s.mustPublish(tree, first)
	s.mustPublish(tree, second)
	s.expect("staged within the public folder", second)
	s.noStages("two releases")
}

func TestPrecompressSizesAreParsed(t *testing.T) {
	for text, want := range map[string]Precompress{"off": -1, "all": 0, "4KB": 4096, "4kb": 4096, "100": 100, "1M": 1 << 20, "12 B": 12} {
		if got, err := ParsePrecompress(text); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "much", "-1", "4GBytes", "999999999999"} {
		if got, err := ParsePrecompress(text); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}

func TestChangingThePolicyWritesOrDeletesOnlyTwins(t *testing.T) {
	s := newSite(t)
	s.pre = NoPrecompress
	s.mustPublish(s.open(), first)
	before := s.stamps()
	s.pre = 100
	s.mustPublish(s.open(), first)
	s.expect("with twins", first)
	s.pre = NoPrecompress
	s.mustPublish(s.open(), first)
	s.expect("without twins", first)
	if after := s.stamps(); !maps.Equal(before, after) {
		t.Errorf("documents were touched: %v, %v", before, after)
	}
}

func TestEachPolicyLeavesTheTwinsThatAFreshBuildMakes(t *testing.T) {
	documents := map[string]string{
		"small.json": long("s"), "large.json": vast("l"), "noise.json": noise(2000), "none.png": long(strings.Repeat("p", brotliFrom)),
		"below.json": "ours" + strings.Repeat("b", brotliFrom-5), "at.json": "ours" + strings.Repeat("a", brotliFrom-4),
	}
	policies := []Precompress{NoPrecompress, 100, 0, brotliFrom + 100, 4 << 10}
	for _, from := range policies {
		for _, to := range policies {
			s := newSite(t)
			for _, s.pre = range []Precompress{from, to} {
				tree := s.open()
				s.mustPublish(tree, documents)
				s.now = s.now.Add(time.Hour)
			}
			fresh := newSite(t)
			fresh.pre = to
			fresh.mustPublish(fresh.open(), documents)
			if got, want := s.files(), fresh.files(); !maps.Equal(got, want) {
				t.Errorf("from %v to %v there are %q, want %q", from, to, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
			if result := s.mustPublish(s.open(), documents); result.Written != 0 || result.Removed != 0 {
				t.Errorf("from %v to %v, a further build does %+v", from, to, result)
			}
		}
	}
}

// noise returns a document that compression does not make smaller.
func noise(size int) string {
	draw, body := rand.New(rand.NewPCG(1, 2)), []byte("ours")
	for len(body) < size {
		body = append(body, byte(draw.Uint32()))
	}
	return string(body)
}

func TestEveryFileIsVerifiedAfterAMachineFailure(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	file := filepath.Join(s.dir, "public", "a", "y.json")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	// The size and time of the file reached the disk, but its bytes did not.
	if err := os.WriteFile(file, make([]byte, info.Size()), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	tree.manifest.boot = "another run of the machine"
	if err := tree.log.replace(tree.manifest.fullRecord()); err != nil {
		t.Fatal(err)
	}
	s.mustPublish(s.open(), first)
	s.expect("after the machine failed", first)
}
