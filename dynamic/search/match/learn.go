package match

import (
	"cmp"
	"slices"

	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/hit"
)

// Words learnt from the market: words that the best results of a question share are added to
// the question's own, so that results that use the words of the trade rank higher
// (pseudo-relevance feedback; Rocchio: Relevance Feedback in Information Retrieval, 1971).
// They only affect the order, never the set. They are not stored, so withheld listings teach
// nothing.
//
// The constants were chosen on the collections of the tests.
const (
	// learntFrom is how many of the best results are read; learntLeast of them must share a
	// word.
	learntFrom, learntLeast = 7, 2
	// learntWords is the maximum number of words to learn, from at most learntLooked
	// candidates.
	learntWords, learntLookups = 10, 40
	// learntShare is the share of all listings above which a word is too common.
	learntShare = 0.15
	// LearntFactor is the weight of a learnt word.
	LearntFactor = 0.3
	// learntText is how many bytes of a description are read.
	learntText = 1000
)

// A Learnt is a word that results share, with all its forms.
type Learnt struct {
	*Postings
	word string
	// Weight says how characteristic it is of the results; shared is how many have it.
	Weight float64
	shared int
	// last is the last result that has it.
	last uint32
}

// learn orders the results that lack some words also by the words that the best of them share.
func (m *matching) learn(r *ParsedQuery) error {
	if !m.learns {
		return nil
	}
	words, err := m.learntWords(r)
	if err != nil || len(words) == 0 {
		return err
	}
	m.Lift(words)
	return nil
}

// learntWords returns the words that the best results share and that are rare elsewhere, the
// most characteristic first.
func (m *matching) learntWords(r *ParsedQuery) ([]Learnt, error) {
	x := m.Matcher
	var found []Learnt
	shared, err := m.shared(r)
	if err != nil {
		return nil, err
	}
	for n, w := range shared {
		if n >= learntLookups {
			break
		}
		count, err := x.Count(m.ctx, w.word, m.visible)
		if err != nil {
			return nil, err
		}
		if float64(count) <= learntShare*float64(x.Corpus.Listings(m.visible)) {
			w.Weight *= x.Idf(count, m.visible)
			found = append(found, w)
		}
	}
	slices.SortFunc(found, moreTelling)
	found = found[:min(len(found), learntWords)]
	for i := range found {
		p, err := x.Inflected(m.ctx, found[i].word, askedForms)
		if err != nil {
			return nil, err
		}
		found[i].Postings = p
	}
	return found, nil
}

func moreTelling(a, b Learnt) int {
	return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.word, b.word))
}

// shared returns the words that enough of the best results have and that are not in the query,
// the most characteristic first.
func (m *matching) shared(r *ParsedQuery) ([]Learnt, error) {
	x := m.Matcher
	best, err := m.Best(learntFrom)
	if err != nil {
		return nil, err
	}
	asked := r.stems(x.Stems)
	at := map[string]int{}
	var list []Learnt
	reader := index.NewAnalyser(x.Language)
	for _, key := range best {
		doc := hit.DocOf(key)
		words, length := reader.Gist(x.Corpus.Analysed(x.Corpus.Described(doc)), learntText)
		for _, w := range words {
			stem := x.Stems.Of(w.Text)
			if asked[stem] || x.Language.IsStop(w.Text) || text.HasDigit(w.Text) || len(w.Text) < 3 {
				continue
			}
			i, known := at[stem]
			if !known {
				i, at[stem] = len(list), len(list)
				list = append(list, Learnt{word: w.Text})
			}
			if !known || list[i].last != doc {
				list[i].shared++
				list[i].last = doc
			}
			list[i].Weight += float64(hit.ScoreOf(key)) * ImpactShare(float64(w.Weight), length)
		}
	}
	list = slices.DeleteFunc(list, func(w Learnt) bool { return w.shared < learntLeast })
	slices.SortFunc(list, moreTelling)
	return list, nil
}

// stems returns the common parts of the forms of a query's words.
func (r *ParsedQuery) stems(known *stems) map[string]bool {
	stems := map[string]bool{}
	for _, w := range r.Words {
		stems[known.Of(w.Text)] = true
		for _, other := range w.Others {
			stems[known.Of(other)] = true
		}
	}
	return stems
}
