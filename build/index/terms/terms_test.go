package terms

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func segmentOf(entries ...Entry) *Segment {
	var w Writer
	w.Begin(len(entries))
	for _, e := range entries {
		w.Add(e)
	}
	return w.Segment()
}

func postings(t *testing.T, s *Segment, field Field, term string) (list []Posting) {
	t.Helper()
	if err := s.Each(field, term, func(p Posting) { list = append(list, p) }); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestPostingsMatchTheirEntries(t *testing.T) {
	named := func(word string) Entry {
		return Entry{Words: []Word{{Text: word, Weight: 8, InName: true}, {Text: "all", Weight: 3}}, Length: 3, Exact: []string{"n" + word}}
	}
	s := segmentOf(named("bell"), Entry{}, named("arm"), named("bell2"))
	if len(s.Lengths) != 4 {
		t.Errorf("it has %d documents", len(s.Lengths))
	}
	if got, want := postings(t, s, Words, "arm"), []Posting{{Document: 2, Weight: 8, InName: true, Length: 3}}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := postings(t, s, Exact, "nbell2"); len(got) != 1 || got[0].Document != 3 {
		t.Errorf("the exact term leads to %+v", got)
	}
	for _, term := range []string{"nbell2", "be", ""} {
		if got := postings(t, s, Words, term); len(got) != 0 {
			t.Errorf("%q is a word of %+v", term, got)
		}
	}
	for counts, want := range map[string]int{"all": 3, "bell": 1, "none": 0} {
		if got, err := s.Count(Words, counts, nil); err != nil || got != want {
			t.Errorf("%d documents have %s (%v), want %d", got, counts, err, want)
		}
	}
	if got, err := s.Count(Words, "all", func(document uint32) bool { return document > 2 }); err != nil || got != 1 {
		t.Errorf("of the last document %d have it, %v", got, err)
	}
}

func TestDocumentsWithoutTermsMakeASegment(t *testing.T) {
	s := segmentOf(Entry{}, Entry{})
	if got := postings(t, s, Words, "a"); len(s.Lengths) != 2 || len(got) != 0 {
		t.Errorf("%d documents, of which %v have a word", len(s.Lengths), got)
	}
}

func TestEveryLanguageHasAStemmer(t *testing.T) {
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

func TestASegmentWithoutSomeDocumentsEqualsOneOfTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		term := rapid.StringMatching("[ab]{0,3}")
		word := rapid.Custom(func(t *rapid.T) Word {
			return Word{term.Draw(t, "word"), uint32(rapid.IntRange(1, 300).Draw(t, "weight")), rapid.Bool().Draw(t, "in name"), rapid.Bool().Draw(t, "own")}
		})
		entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Entry {
			return Entry{
				Words:  rapid.SliceOfNDistinct(word, 0, 5, func(w Word) string { return w.Text }).Draw(t, "words"),
				Length: rapid.IntRange(1, 1000).Draw(t, "length"),
				Exact:  rapid.SliceOfNDistinct(term, 0, 2, rapid.ID).Draw(t, "exact"),
			}
		}), 0, 200).Draw(t, "entries")
		var drops []uint32
		var rest []Entry
		for i, e := range entries {
			if rapid.Bool().Draw(t, "drop") {
				drops = append(drops, uint32(i))
			} else {
				rest = append(rest, e)
			}
		}
		got, err := segmentOf(entries...).Without(context.Background(), drops)
		if want := segmentOf(rest...); err != nil || !reflect.DeepEqual(told(t, got), told(t, want)) {
			t.Fatalf("it tells %v, want %v (%v)", told(t, got), told(t, want), err)
		}
		model := map[string][]Posting{}
		for i, e := range rest {
			for _, w := range e.Words {
				model[w.Text] = append(model[w.Text], Posting{uint32(i), int(w.Weight), w.InName, w.Own, e.Length})
			}
		}
		if words := told(t, got)[Words]; !reflect.DeepEqual(words, model) {
			t.Fatalf("it tells %v of %v", words, model)
		}
	})
}

// told returns all postings of each Field by term.
func told(t *rapid.T, s *Segment) (all [Fields]map[string][]Posting) {
	for field := range Fields {
		all[field] = map[string][]Posting{}
		for at := range s.Lists[field].Terms.Len() {
			term := s.Lists[field].Terms.At(at)
			if err := s.Each(field, term, func(p Posting) { all[field][term] = append(all[field][term], p) }); err != nil {
				t.Fatal(err)
			}
			if n, err := s.Count(field, term, nil); err != nil || n != len(all[field][term]) {
				t.Fatalf("%d documents have %q, %v", n, term, err)
			}
		}
	}
	return all
}
