package search

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"souk/build/index"
	"souk/build/index/text"
	"souk/build/kit/fold"
	"souk/dynamic/search/corpus"
)

// A knownClass generates a query with which a person looks for a listing that they know; ""
// if there is no such query for it.
type knownClass struct {
	name string
	make func(k *knownItems, l *corpus.Listing) string
	// byName means that any listing with the same name is correct.
	byName bool
	// least is the required MRR@10.
	least float64
}

var knownClasses = []knownClass{
	{"exact name", func(_ *knownItems, l *corpus.Listing) string { return l.Offer.Name }, true, 0.95},
	{"one typing error", (*knownItems).misspelt, true, 0.95},
	{"unfinished last word", (*knownItems).unfinished, true, 0.95},
	{"other word order", (*knownItems).reordered, true, 0.95},
	{"two rare description words", func(k *knownItems, l *corpus.Listing) string { return k.described(l, 1) }, false, 0.95},
	{"two shared description words", func(k *knownItems, l *corpus.Listing) string { return k.described(l, 2) }, false, 0.92},
	{"plural", (*knownItems).plural, true, 0.95},
	{"punctuation and spacing", (*knownItems).respaced, true, 0.95},
}

// knownItems generates queries for known items. The same corpus always gets the same
// queries.
type knownItems struct {
	corpus *corpus.Corpus
	random *rand.Rand
	// mentions counts the listings with a word in their description.
	mentions map[string]int
	language *text.Language
}

func newKnownItems(c *corpus.Corpus) *knownItems {
	k := &knownItems{corpus: c, random: rand.New(rand.NewPCG(7, 11)), mentions: map[string]int{}, language: index.Language("en")}
	for i := range every(c) {
		for _, w := range k.description(&every(c)[i]) {
			k.mentions[w]++
		}
	}
	return k
}

// description returns the distinct words of a description, in order.
func (k *knownItems) description(l *corpus.Listing) []string {
	var words []string
	for _, t := range text.Tokens(nil, l.Offer.Description.Source+" "+l.Offer.Summary) {
		if len(t.Text) >= 4 && !text.HasDigit(t.Text) && !k.language.IsStop(t.Text) && !strings.ContainsAny(t.Text, ".+#") {
			words = append(words, t.Text)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func (k *knownItems) misspelt(l *corpus.Listing) string {
	words := strings.Fields(l.Offer.Name)
	var long []int
	for i, w := range words {
		if len(w) >= 5 && strings.IndexFunc(w, func(r rune) bool { return r > 127 || !unicode.IsLetter(r) }) < 0 {
			long = append(long, i)
		}
	}
	if len(long) == 0 {
		return ""
	}
	i := long[k.random.IntN(len(long))]
	w := []rune(words[i])
	at := 1 + k.random.IntN(len(w)-2)
	other := rune('a' + k.random.IntN(26))
	switch k.random.IntN(4) {
	case 0:
		w = slices.Delete(w, at, at+1)
	case 1:
		w = slices.Insert(w, at, other)
	case 2:
		w[at] = other
	default:
		w[at], w[at+1] = w[at+1], w[at]
	}
	words[i] = string(w)
	return strings.Join(words, " ")
}

func (k *knownItems) unfinished(l *corpus.Listing) string {
	words := strings.Fields(l.Offer.Name)
	last := []rune(words[len(words)-1])
	if len(last) < 5 || !unicode.IsLetter(last[len(last)-1]) || len(last) == 5 && len(words) == 1 {
		return ""
	}
	least := 3
	if len(words) == 1 {
		least = 4
	}
	words[len(words)-1] = string(last[:max(least, len(last)-1-k.random.IntN(3))])
	return strings.Join(words, " ")
}

func (k *knownItems) reordered(l *corpus.Listing) string {
	words := strings.Fields(l.Offer.Name)
	if len(words) < 2 {
		return ""
	}
	k.random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	if strings.Join(words, " ") == l.Offer.Name {
		slices.Reverse(words)
	}
	return strings.Join(words, " ")
}

// described returns the two rarest words in a description that are not in the name and that
// at least the given number of listings share.
func (k *knownItems) described(l *corpus.Listing, least int) string {
	words := k.description(l)
	words = slices.DeleteFunc(words, func(w string) bool {
		return k.mentions[w] < least || strings.Contains(fold.Text(l.Offer.Name), w)
	})
	if len(words) < 2 {
		return ""
	}
	slices.SortStableFunc(words, func(a, b string) int { return k.mentions[a] - k.mentions[b] })
	return words[0] + " " + words[1]
}

func (k *knownItems) plural(l *corpus.Listing) string {
	name := l.Offer.Name
	last := rune(name[len(name)-1])
	switch {
	case len(name) < 4 || !unicode.IsLower(last):
		return ""
	case last == 's':
		return ""
	case last == 'y' && !strings.ContainsRune("aeiou", rune(name[len(name)-2])):
		return name[:len(name)-1] + "ies"
	case strings.ContainsRune("xz", last) || strings.HasSuffix(name, "ch") || strings.HasSuffix(name, "sh"):
		return name + "es"
	default:
		return name + "s"
	}
}

func (k *knownItems) respaced(l *corpus.Listing) string {
	name := l.Offer.Name
	switch words := strings.Fields(name); {
	case len(words) > 1 && len(words) < 4:
		return strings.Join(words, [...]string{"", "-", "/", " - "}[k.random.IntN(4)])
	case len(words) > 1:
		return strings.ToUpper(strings.Join(words, "_"))
	}
	for i, r := range name {
		if i > 1 && i < len(name)-1 && unicode.IsUpper(r) && unicode.IsLower(rune(name[i-1])) {
			return name[:i] + [...]string{" ", "-"}[k.random.IntN(2)] + name[i:]
		}
	}
	return ""
}

// A knownResult is the result for a class.
type knownResult struct {
	queries, first int
	reciprocal     float64
	missed         []string
}

// runKnown searches for up to most listings with the queries of a class.
func runKnown(t testing.TB, x *Index, k *knownItems, class knownClass, most int) knownResult {
	t.Helper()
	var r knownResult
	for _, i := range k.random.Perm(len(every(k.corpus))) {
		l := &every(k.corpus)[i]
		q := class.make(k, l)
		if q == "" {
			continue
		}
		if r.queries++; r.queries > most {
			r.queries = most
			break
		}
		answer, err := x.Search(t.Context(), Query{Text: q, Limit: 10})
		if err != nil {
			t.Fatalf("%q: %v", q, err)
		}
		at := slices.IndexFunc(answer.Listings, func(h Hit) bool {
			same := h.APIURL == k.corpus.Card(*l).APIURL
			return same || class.byName && text.Compact(h.Name) == text.Compact(l.Offer.Name)
		})
		if at == 0 {
			r.first++
		} else {
			got := ""
			if len(answer.Listings) > 0 {
				got = answer.Listings[0].Name
			}
			r.missed = append(r.missed, fmt.Sprintf("%q: %s at %d of %d, first is %s", q, l.Offer.Name, at+1, answer.Total, got))
		}
		if at >= 0 {
			r.reciprocal += 1 / float64(at+1)
		}
	}
	return r
}

func TestKnownItemsOfCNCFAreFound(t *testing.T) {
	corpus := extract(readCatalog(t, cncfFolder(t)))
	x := openMemory(t, corpus, nil)
	k := newKnownItems(x.Corpus)
	var queries int
	var reciprocal float64
	t.Logf("%-28s %8s %8s %10s", "class", "queries", "MRR@10", "success@1")
	for _, class := range knownClasses {
		r := runKnown(t, x, k, class, 400)
		mrr := r.reciprocal / float64(r.queries)
		t.Logf("%-28s %8d %8.3f %10.3f", class.name, r.queries, mrr, float64(r.first)/float64(r.queries))
		if os.Getenv("SOUK_MISSED") != "" {
			for _, m := range r.missed {
				t.Log("    ", m)
			}
		}
		if mrr < class.least {
			t.Errorf("%s: MRR@10 is %.3f, less than %.2f", class.name, mrr, class.least)
		}
		queries += r.queries
		reciprocal += r.reciprocal
	}
	overall := reciprocal / float64(queries)
	t.Logf("%-28s %8d %8.3f", "all", queries, overall)
	if overall < 0.98 {
		t.Errorf("MRR@10 over all classes is %.3f, less than 0.98", overall)
	}
}
