package match

import (
	"cmp"
	"slices"

	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/hit"
)

// Words learnt from the market: those that the best answers to a question share
// stand beside its own, so that what says the same in the words of the trade comes
// further up (pseudo-relevance feedback; Rocchio: Relevance Feedback in Information
// Retrieval, 1971). They only order, and never decide what is found. Nothing is
// kept: what is withheld when the question is asked teaches nothing.
//
// The figures were chosen on the collections of the tests.
const (
	// learntFrom is how many of the best answers are read, learntLeast how many of
	// them must share a word.
	learntFrom, learntLeast = 7, 2
	// learntWords is how many words are learnt, of those looked up at most.
	learntWords, learntLookups = 10, 40
	// learntShare is the share of all listings that hold a word which says too
	// little.
	learntShare = 0.15
	// LearntFactor is how much a learnt word counts.
	LearntFactor = 0.3
	// learntText is how much of a description is read, in bytes.
	learntText = 1000
)

// A Learnt word is one that answers share, with all its forms.
type Learnt struct {
	*Postings
	word string
	// Weight is how much it says about the answers; shared is how many have it.
	Weight float64
	shared int
	// last is the last answer that has it.
	last uint32
}

// learn orders what was found, but for what has every word, by what the best of it
// shares as well.
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

// learntWords returns the words that the best of what was found share and that few
// others have, the most telling first.
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

// shared returns the words that enough of the best of what was found have and that
// were not asked for, by how much they say about it.
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

// stems returns what the words of a query have in common with their other forms.
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
