package search

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"souk/dynamic/search/corpus"
	"souk/dynamic/search/suggest"
)

// A scripted query is one line of a query script. testdata/sample.queries describes the
// format.
type scripted struct {
	line    int
	query   string
	suggest bool
	options map[string]string
	// first contains the names that must come first. If it is empty, there must be no
	// results; if it is nil, any are allowed.
	first []string
}

func readScript(t *testing.T, file string) []scripted {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []scripted
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if text := strings.TrimSpace(lines.Text()); text != "" && !strings.HasPrefix(text, "#") {
			list = append(list, parseScripted(n, lines.Text()))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func parseScripted(n int, text string) scripted {
	s := scripted{line: n, options: map[string]string{}}
	if query, first, told := strings.Cut(text, "->"); told {
		text, s.first = query, []string{}
		if first = strings.TrimSpace(first); first != "" {
			s.first = strings.Split(first, " | ")
		}
	}
	if open := strings.Index(text, "["); open >= 0 {
		for _, name := range []string{"total", "category", "seller", "matched"} {
			if _, rest, there := strings.Cut(text[open:], name+"="); there {
				value, _, _ := strings.Cut(rest, "]")
				if name != "matched" {
					value, _, _ = strings.Cut(value, " ")
				}
				s.options[name] = value
			}
		}
		text = text[:open]
	}
	s.query = strings.TrimSpace(text)
	s.query, s.suggest = strings.CutPrefix(s.query, "suggest: ")
	return s
}

func TestQueriesOfTheSample(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		runScript(t, openMemory(t, extract(readCatalog(t, sampleFolder)), nil), "testdata/sample.queries")
	})
}

func TestQueriesOfCNCF(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		runScript(t, openMemory(t, extract(readCatalog(t, cncfFolder(t))), nil), "testdata/cncf.queries")
	})
}

func runScript(t *testing.T, x *Index, file string) {
	for _, s := range readScript(t, file) {
		var got []string
		told := map[string]string{}
		if strings.HasPrefix(s.query, "suggest:") || s.suggest {
			a, err := x.Suggest(t.Context(), suggest.Query{Text: s.query, Limit: suggest.DefaultSuggestions})
			if err != nil {
				t.Fatalf("%s:%d: %v", file, s.line, err)
			}
			for _, one := range a.Suggestions {
				got = append(got, one.Kind+" "+one.Name)
			}
		} else {
			r, err := x.Search(t.Context(), Query{Text: s.query, Limit: 10})
			if err != nil {
				t.Fatalf("%s:%d: %v", file, s.line, err)
			}
			for _, h := range r.Listings {
				got = append(got, h.Name)
			}
			told = tell(r)
		}
		for name, want := range s.options {
			if told[name] != want {
				t.Errorf("%s:%d: %q: %s is %s, want %s", file, s.line, s.query, name, told[name], want)
			}
		}
		switch {
		case s.first == nil && len(got) == 0:
			t.Errorf("%s:%d: %q finds nothing", file, s.line, s.query)
		case s.first == nil:
		case len(s.first) == 0 && len(got) > 0, len(got) < len(s.first), strings.Join(got[:len(s.first)], "|") != strings.Join(s.first, "|"):
			t.Errorf("%s:%d: %q: got %q, want first %q", file, s.line, s.query, got, s.first)
		}
	}
}

func tell(r *Result) map[string]string {
	told := map[string]string{"total": fmt.Sprint(r.Total), "category": "-", "seller": "-", "matched": "-"}
	if r.CategoryMatch != nil {
		told["category"] = corpus.CategoryValue(*r.CategoryMatch)
	}
	if r.SellerMatch != nil {
		told["seller"] = r.SellerMatch.Slug
	}
	if len(r.Listings) > 0 && r.Listings[0].Matched != nil {
		m := r.Listings[0].Matched
		told["matched"] = strings.TrimSpace(m.Variant + " " + m.SKU)
	}
	return told
}
