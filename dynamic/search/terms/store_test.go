package terms

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// source makes a Source of listings of one word each.
func source(words ...string) Source {
	s := Source{Analyser: func() func(int32) Entry {
		return func(at int32) Entry {
			return Entry{Words: []Word{{Text: words[at], Weight: 8, InName: true}}, Length: 3, Exact: []string{"n" + words[at]}}
		}
	}}
	for _, w := range words {
		s.Digests = append(s.Digests, Digest([]byte(w+strings.Repeat(" ", len(Digest{})-len(w)))))
	}
	return s
}

func open(t *testing.T, s Source, o Options) *Index {
	t.Helper()
	x, err := Open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func closed(t *testing.T, x *Index) {
	t.Helper()
	if err := x.Release(); err != nil {
		t.Error(err)
	}
}

// listings returns the postings of a term in all Segments.
func listings(t *testing.T, x *Index, field Field, term string) []Posting {
	t.Helper()
	var list []Posting
	for _, s := range x.Segments() {
		if err := s.Each(field, term, func(p Posting) { list = append(list, p) }); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func TestAPostingTellsWhatTheEntrySaid(t *testing.T) {
	x := open(t, source("bell", "arm", "bell2"), Options{})
	defer closed(t, x)
	want := []Posting{{Listing: 1, Weight: 8, InName: true, Length: 3}}
	if got := listings(t, x, Words, "arm"); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := listings(t, x, Exact, "nbell2"); len(got) != 1 || got[0].Listing != 2 {
		t.Errorf("the exact term leads to %+v", got)
	}
	if got := listings(t, x, Words, "nbell2"); len(got) != 0 {
		t.Errorf("an exact term is a word of %+v", got)
	}
	if got := slices.Collect(x.Segments()[0].Words().Words(0, x.Segments()[0].Words().Len())); !slices.Equal(got, []string{"arm", "bell", "bell2"}) {
		t.Errorf("the dictionary is %v", got)
	}
}

func TestAChangeIsWrittenToASegmentOfItsOwn(t *testing.T) {
	o := Options{Folder: t.TempDir(), Release: "r1"}
	first := open(t, source("a", "b", "c", "d", "e"), o)
	o.Previous, o.Release = first, "r2"
	next := open(t, source("a", "b", "changed", "d", "e"), o)
	defer closed(t, next)
	if s := next.Segments(); len(s) != 2 || s[0].stored != first.Segments()[0].stored || len(s[1].digests) != 1 {
		t.Errorf("after one change there are %d segments", len(s))
	}
	if got := listings(t, next, Words, "c"); len(got) != 0 {
		t.Errorf("the word before the change still leads to %+v", got)
	}
	if got := listings(t, first, Words, "c"); len(got) != 1 {
		t.Errorf("the index before no longer answers: %+v", got)
	}
	closed(t, first)
	if got := listings(t, next, Words, "changed"); len(got) != 1 || got[0].Listing != 2 {
		t.Errorf("the changed word leads to %+v", got)
	}
}

func TestAFolderThatAnotherProcessWritesToIsOnlyRead(t *testing.T) {
	var log bytes.Buffer
	o := Options{Folder: filepath.Join(t.TempDir(), "search"), Release: "r1", Log: slog.New(slog.NewTextHandler(&log, nil))}
	segments := func() int {
		found, err := filepath.Glob(filepath.Join(o.Folder, segmentPattern))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	holder := &store{Options: Options{Folder: o.Folder, Log: slog.New(slog.DiscardHandler)}}
	unlock := holder.lock()
	x := open(t, source("a", "b"), o)
	if got := listings(t, x, Words, "a"); len(got) != 1 {
		t.Errorf("the index in memory finds %+v", got)
	}
	if n := segments(); n != 0 || strings.Count(log.String(), "\n") != 1 {
		t.Errorf("it wrote %d segments and logged %s", n, log.String())
	}
	unlock()
	o.Previous = x
	next := open(t, source("a", "b"), o)
	if n := segments(); n != 1 {
		t.Errorf("once the folder is free, it holds %d segments", n)
	}
	closed(t, x)
	closed(t, next)
}

func TestEveryLanguageHasItsStemmer(t *testing.T) {
	for tag, forms := range map[string][2]string{
		"": {"robots", "robot"}, "en-GB": {"robots", "robot"}, "de": {"maschinen", "maschine"}, "pt": {"robos", "robo"}, "ru": {"роботы", "робот"},
	} {
		stem, stop := Stemming(tag)
		if stem == nil || len(stop) == 0 || stem(forms[0]) != stem(forms[1]) {
			t.Errorf("%s: %v do not have one stem", tag, forms)
		}
	}
	if stem, stop := Stemming("xx"); stem != nil || stop != nil {
		t.Error("an unknown language has a stemmer")
	}
}
