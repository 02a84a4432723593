package search

import (
	"cmp"
	"math"
	"slices"

	"souk/build/index"
	"souk/build/index/text"
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
	// learntFactor is how much a learnt word counts.
	learntFactor = 0.3
	// learntText is how much of a description is read, in bytes.
	learntText = 1000
)

// A learnt word is one that answers share, with all its forms.
type learnt struct {
	*postings
	word string
	// weight is how much it says about the answers; shared is how many have it.
	weight float64
	shared int
	// last is the last answer that has it.
	last uint32
}

// learn orders what was found, but for what has every word, by what the best of it
// shares as well.
func (m *matcher) learn(r *parsedQuery) error {
	words, err := m.learntWords(r)
	if err != nil || len(words) == 0 {
		return err
	}
	m.lift(words)
	return nil
}

// learntWords returns the words that the best of what was found share and that few
// others have, the most telling first.
func (m *matcher) learntWords(r *parsedQuery) ([]learnt, error) {
	x := m.index
	var found []learnt
	shared, err := m.shared(r)
	if err != nil {
		return nil, err
	}
	for n, w := range shared {
		if n >= learntLookups {
			break
		}
		count, err := x.count(m.ctx, w.word)
		if err != nil {
			return nil, err
		}
		if float64(count) <= learntShare*float64(len(x.corpus.places)) {
			w.weight *= x.idf(count)
			found = append(found, w)
		}
	}
	slices.SortFunc(found, moreTelling)
	found = found[:min(len(found), learntWords)]
	for i := range found {
		p, err := x.inflected(m.ctx, found[i].word, askedForms)
		if err != nil {
			return nil, err
		}
		found[i].postings = p
	}
	return found, nil
}

func moreTelling(a, b learnt) int {
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.word, b.word))
}

// shared returns the words that enough of the best of what was found have and that
// were not asked for, by how much they say about it.
func (m *matcher) shared(r *parsedQuery) ([]learnt, error) {
	x := m.index
	best, err := m.best(learntFrom)
	if err != nil {
		return nil, err
	}
	asked := r.stems(x.stems)
	at := map[string]int{}
	var list []learnt
	reader := index.NewAnalyser(x.language)
	for _, key := range best {
		doc := docOf(key)
		words, length := reader.Gist(x.corpus.analysed(x.corpus.described(doc)), learntText)
		for _, w := range words {
			stem := x.stems.of(w.Text)
			if asked[stem] || x.language.IsStop(w.Text) || text.HasDigit(w.Text) || len(w.Text) < 3 {
				continue
			}
			i, known := at[stem]
			if !known {
				i, at[stem] = len(list), len(list)
				list = append(list, learnt{word: w.Text})
			}
			if !known || list[i].last != doc {
				list[i].shared++
				list[i].last = doc
			}
			list[i].weight += float64(scoreOf(key)) * impactShare(float64(w.Weight), length)
		}
	}
	list = slices.DeleteFunc(list, func(w learnt) bool { return w.shared < learntLeast })
	slices.SortFunc(list, moreTelling)
	return list, nil
}

// stems returns what the words of a query have in common with their other forms.
func (r *parsedQuery) stems(known *stems) map[string]bool {
	stems := map[string]bool{}
	for _, w := range r.words {
		stems[known.of(w.text)] = true
		for _, other := range w.others {
			stems[known.of(other)] = true
		}
	}
	return stems
}

func tierOf(key uint64) tier { return tier(key >> (32 + scoreBits)) }

// scoreOf returns the score of a key, but for its noise.
func scoreOf(key uint64) float32 {
	inverted := uint64(1)<<scoreBits - 1 - key>>32&(1<<scoreBits-1)
	return math.Float32frombits(uint32(inverted) << 2)
}
