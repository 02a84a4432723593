package naming

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/index/text"
)

// wordsOf returns the words of a name with their roles.
func wordsOf(name string) (list []string, count int) {
	count = new(Reader).Each(name, func(word string, as As) { list = append(list, fmt.Sprint(word, " ", as)) })
	return list, count
}

func TestWordsOfANameHaveTheirRole(t *testing.T) {
	for name, want := range map[string][]string{
		"Bell":          {"bell 0"},
		"Frost Bell":    {"frost 1", "bell 2", "frostbell 0"},
		"K8s Dash":      {"k8s 1", "dash 2", "k8sdash 0"},
		"USB-C":         {"usb 1", "c 2", "usbc 0"},
		"C++":           {"c++ 1", "c 0"},
		"Müsli":         {"musli 0", "muesli 0"},
		"Big big Öl":    {"big 1", "big 2", "ol 2", "oel 2", "bigbigol 0", "bigbigoel 0"},
		"日本語":           {"日本 1", "本語 2", "日本語 0"},
		"…":             nil,
		"":              nil,
		"Node.js 2,5 V": {"node 1", "js 2", "2.5 2", "v 2", "nodejs25v 0"},
	} {
		if got, _ := wordsOf(name); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if _, count := wordsOf("Big big Öl"); count != 3 {
		t.Errorf("it has %d words", count)
	}
}

func TestAListHasEachUseOnceWithTheBestFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.StringMatching(`[abö ]{0,6}`), 0, 30).Draw(t, "names")
		var w Writer
		for i, name := range all {
			w.Add(10*i, name)
		}
		l := w.List()
		if !l.Sound() || len(l.Documents) != len(all) {
			t.Fatalf("%d names of %d, sound %v", len(l.Documents), len(all), l.Sound())
		}
		var got, want []string
		for at := range l.Words.Len() {
			uses := l.Of(at, at+1)
			if !slices.IsSorted(uses) {
				t.Fatalf("%q has the uses %v", l.Words.At(at), uses)
			}
			for _, u := range uses {
				got = append(got, fmt.Sprint(l.Words.At(at), " ", u.As(), " of ", l.Documents[u.Rank()]))
			}
			for rest := uses; len(rest) > 0; {
				after := After(rest)
				if len(after) >= len(rest) || len(after) > 0 && after[0].As() <= rest[0].As() || rest[len(rest)-len(after)-1].As() != rest[0].As() {
					t.Fatalf("after %v come %v", rest, after)
				}
				rest = after
			}
		}
		for i, name := range all {
			words, _ := wordsOf(name)
			for _, word := range words {
				want = append(want, fmt.Sprint(word, " of ", 10*i))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("it has %q, want %q", got, want)
		}
		for rank := range l.Documents {
			name := all[l.Documents[rank]/10]
			if int(l.Lengths[rank]) != len(name) || int(l.Counts[rank]) != max(1, len(text.Tokens(nil, name))) {
				t.Fatalf("%q: length %d, %d words", name, l.Lengths[rank], l.Counts[rank])
			}
			if rank > 0 && cmp.Or(cmp.Compare(l.Lengths[rank-1], l.Lengths[rank]), cmp.Compare(l.Documents[rank-1], l.Documents[rank])) >= 0 {
				t.Fatalf("the names are not in order of rank: %v, %v", l.Lengths, l.Documents)
			}
		}
		from, to := l.Words.Span("a")
		if n := len(l.Of(from, to)); n != len(slices.DeleteFunc(slices.Clone(want), func(s string) bool { return !strings.HasPrefix(s, "a") })) {
			t.Fatalf("%d uses begin with a", n)
		}
	})
}

func TestAnInconsistentListIsNotSound(t *testing.T) {
	var w Writer
	w.Add(0, "Frost Bell")
	w.Add(1, "Bell")
	whole := w.List()
	for name, damage := range map[string]func(l *List){
		"fewer uses":       func(l *List) { l.Uses = l.Uses[1:] },
		"no ends":          func(l *List) { l.Ends = nil },
		"ends in disorder": func(l *List) { l.Ends = slices.Clone(l.Ends); l.Ends[0], l.Ends[1] = l.Ends[1], l.Ends[0] },
		"no words":         func(l *List) { l.Words = text.Vocabulary{} },
		"fewer documents":  func(l *List) { l.Documents = l.Documents[1:] },
		"fewer lengths":    func(l *List) { l.Lengths = l.Lengths[1:] },
		"fewer counts":     func(l *List) { l.Counts = l.Counts[1:] },
	} {
		if l := whole; !l.Sound() {
			t.Fatal("a whole list is not sound")
		} else if damage(&l); l.Sound() {
			t.Errorf("a list with %s is sound", name)
		}
	}
}
