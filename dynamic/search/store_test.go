package search

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/index"
	"souk/dynamic/search/suggest"
)

// A shelf is an index folder for a test.
type shelf struct {
	t      *testing.T
	folder string
	log    bytes.Buffer
}

func newShelf(t *testing.T) *shelf {
	return &shelf{t: t, folder: filepath.Join(t.TempDir(), "search")}
}

func (s *shelf) open(c *catalog.Catalog, release string, previous *Index) *Index {
	s.t.Helper()
	s.log.Reset()
	x, err := Open(context.Background(), extract(c), Options{
		Folder: s.folder, Scratch: filepath.Dir(s.folder), State: index.State{Release: release}, Previous: previous, Log: slog.New(slog.NewTextHandler(&s.log, nil)),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return x
}

func (s *shelf) close(x *Index) {
	s.t.Helper()
	if err := x.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// segments returns the part files.
func (s *shelf) segments() []string {
	s.t.Helper()
	found, err := filepath.Glob(filepath.Join(s.folder, "*.part"))
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

func (s *shelf) lines() int { return strings.Count(s.log.String(), "\n") }

func mustFind(t *testing.T, x *Index, q, name string) {
	t.Helper()
	r, err := x.Search(t.Context(), Query{Text: q, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Listings) == 0 || r.Listings[0].Name != name {
		t.Errorf("%q finds %+v, want %s first", q, r.Listings, name)
	}
}

func TestRestartWithTheSameReleaseWritesNothing(t *testing.T) {
	s, c := newShelf(t), readCatalog(t, sampleFolder)
	s.close(s.open(c, "r1", nil))
	before := s.state()
	x := s.open(c, "r1", nil)
	defer s.close(x)
	if after := s.state(); after != before {
		t.Errorf("the folder changed from\n%s\nto\n%s", before, after)
	}
	if s.lines() != 0 {
		t.Errorf("it logged %s", s.log.String())
	}
	mustFind(t, x, "wren 7 arm", "Wren 7 arm")
}

// state lists all files in the folder with their sizes and times.
func (s *shelf) state() string {
	var b strings.Builder
	err := filepath.Walk(s.folder, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}

func TestCorruptIndexIsRebuiltAndLoggedOnce(t *testing.T) {
	damage := map[string]func(path string) error{
		"a changed byte": func(path string) error {
			data, err := os.ReadFile(path)
			if err == nil {
				data[len(data)/2] ^= 0x80
				err = os.WriteFile(path, data, 0o600)
			}
			return err
		},
		"a cut file":  func(path string) error { return os.Truncate(path, 10) },
		"a lost file": os.Remove,
	}
	c := readCatalog(t, sampleFolder)
	for name, spoil := range damage {
		for _, pattern := range []string{"*.part", "head"} {
			if name == "a lost file" && pattern == "head" {
				continue // there would be no index at all
			}
			s := newShelf(t)
			s.close(s.open(c, "r1", nil))
			found, err := filepath.Glob(filepath.Join(s.folder, pattern))
			if err != nil || len(found) != 1 {
				t.Fatalf("%s: %v %v", pattern, found, err)
			}
			if err := spoil(found[0]); err != nil {
				t.Fatal(err)
			}
			x := s.open(c, "r1", nil)
			mustFind(t, x, "wren 7 arm", "Wren 7 arm")
			if s.lines() != 1 {
				t.Errorf("%s of %s: %d lines of log:\n%s", name, pattern, s.lines(), s.log.String())
			}
			s.close(x)
			if n := len(s.segments()); n != 1 {
				t.Errorf("%s of %s: %d segments are left", name, pattern, n)
			}
			s.close(s.open(c, "r1", nil))
			if s.lines() != 0 {
				t.Errorf("%s of %s: the new index is no better: %s", name, pattern, s.log.String())
			}
		}
	}
}

func TestIndexOfAnotherMarketIsReplaced(t *testing.T) {
	s, c := newShelf(t), readCatalog(t, sampleFolder)
	s.close(s.open(c, "r1", nil))
	other := catalog.New()
	put := catalog.Change{Marketplace: c.Market(), Now: sampleNow(), Put: []catalog.Item{
		&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("solo"), Name: "Solo"}, ID: "solo"},
		&catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "solo", Slug: "thing"}, Name: "Only Thing"}},
	}}
	other.Apply(put)
	x := s.open(other, "r2", nil)
	mustFind(t, x, "only thing", "Only Thing")
	if r, err := x.Search(t.Context(), Query{Text: "wren 7 arm", Limit: 5}); err != nil || r.Total != 0 {
		t.Errorf("the other market still finds %+v, %v", r, err)
	}
	s.close(x)
	if n := len(s.segments()); n != 1 {
		t.Errorf("%d segments are left", n)
	}
}

func TestSmallChangeWritesOnlyWhatItAffects(t *testing.T) {
	s, c := newShelf(t), readCatalog(t, sampleFolder)
	x := s.open(c, "r1", nil)
	base := s.segments()
	ref := catalog.Ref{Kind: catalog.KindProduct, Company: "brass-wren", Slug: "wren-7"}
	o := *c.Node(ref).Item().(*catalog.Offer)
	o.Name = "Zwitscher 7"
	c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&o}})
	next := s.open(c, "r2", x)
	if len(next.Corpus.Segments) != 2 {
		t.Errorf("%d segments after one change", len(next.Corpus.Segments))
	}
	mustFind(t, x, "wren 7 arm", "Wren 7 arm") // the old index still answers
	s.close(x)
	mustFind(t, next, "zwitscher", "Zwitscher 7")
	s.close(next)
	again := s.open(c, "r2", nil)
	if len(again.Corpus.Segments) != 2 || s.lines() != 0 {
		t.Errorf("the next start has %d segments and says %s", len(again.Corpus.Segments), s.log.String())
	}
	mustFind(t, again, "zwitscher", "Zwitscher 7")
	s.close(again)
	if len(s.segments()) != 2 || s.segments()[0] != base[0] && s.segments()[1] != base[0] {
		t.Errorf("segments are %v, began with %v", s.segments(), base)
	}
}

func TestDeletingOldFilesDoesNotDisturbReaders(t *testing.T) {
	s, c := newShelf(t), readCatalog(t, sampleFolder)
	x := s.open(c, "r1", nil)
	old := s.segments()[0]
	change := catalog.Change{Now: sampleNow()}
	for _, n := range c.Nodes() {
		if o, is := n.Item().(*catalog.Offer); is {
			changed := *o
			changed.Summary += " Now in another colour."
			change.Put = append(change.Put, &changed)
		}
	}
	c.Apply(change)
	next := s.open(c, "r2", x)
	defer s.close(next)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the files of the old index are left: %v", err)
	}
	mustFind(t, x, "wren 7 arm", "Wren 7 arm")
	s.close(x)
	if _, err := x.Search(t.Context(), Query{}); err != ErrClosed {
		t.Errorf("a closed index answers %v", err)
	}
}

func TestEmptyMarketHasAnIndex(t *testing.T) {
	c := catalog.New()
	c.Apply(catalog.Change{Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1"}, Now: sampleNow()})
	s := newShelf(t)
	s.close(s.open(c, "r1", nil))
	x := s.open(c, "r1", nil)
	defer s.close(x)
	for _, q := range []string{"", "robot"} {
		if r, err := x.Search(t.Context(), Query{Text: q, Limit: 5}); err != nil || r.Total != 0 {
			t.Errorf("%q: %+v, %v", q, r, err)
		}
	}
	if a, err := x.Suggest(t.Context(), suggest.Query{Text: "robot", Limit: 5}); err != nil || len(a.Suggestions) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}
