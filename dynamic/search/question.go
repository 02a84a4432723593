package search

import (
	"math"
	"slices"
)

// strictWords is the greatest number of words of meaning that are all needed. A
// text of more is a question, unless it is wholly a listing's name.
const strictWords = 3

const (
	// leastPart is which part of what was asked a listing must hold, as 1 in so many,
	// by the weights of the words.
	leastPart = 3
	// fewAnswers is how many listings must hold that much, or those that hold
	// anything of it are found too.
	fewAnswers = 20
	// mostRead is how many listings the words of a question may have together, in
	// multiples of all listings; fewRead is as good as nothing. They bound what a
	// long question costs.
	mostRead = 1.5
	fewRead  = 30_000
	// namedShare is how much more a word counts that is in the name.
	namedShare = 0.3
)

// question finds the listings that hold enough of a text of many words. A word
// that no listing has asks for nothing, once it counts as misspelled and, at the
// end, as unfinished.
//
// The score is the sum of BM25 over the words, times the share of what was asked
// that the listing holds, so that one rare word does not outweigh the rest.
func (m *matcher) question(r *parsedQuery) error {
	x := m.index
	if err := m.leaveOutFrequent(r); err != nil {
		return err
	}
	lists := make([]*postings, len(r.words))
	for i, w := range r.words {
		if w.frequent {
			lists[i] = &postings{terms: &Terms{}}
			continue
		}
		p, err := x.wordPostings(m.ctx, w, askedForms)
		if err != nil {
			return err
		}
		if i == len(r.words)-1 && r.open && !m.visible.shows(x, p) {
			if p, err = x.unfinished(m.ctx, w.text); err != nil {
				return err
			}
		}
		if i == len(r.words)-1 && r.open {
			p = x.begun(p, w)
		}
		lists[i] = p
	}
	if err := m.mean(r, lists, askedForms); err != nil {
		return err
	}
	if _, err := m.widenFurther(r, lists); err != nil {
		return err
	}
	if err := m.widen(tierCorrected, r, lists); err != nil {
		return err
	}
	m.leaveOutUnheld(r, lists)
	groups, needed := m.groups(r, lists)
	if err := m.weighed(groups, needed); err != nil {
		return err
	}
	if err := m.learn(r); err != nil {
		return err
	}
	return m.ctx.Err()
}

// leaveOutFrequent leaves the most frequent words of a long question out, which say
// least, if all together have too many listings; never of the rarest few.
func (m *matcher) leaveOutFrequent(r *parsedQuery) error {
	listings := len(m.index.corpus.places)
	left := max(int(mostRead*float64(listings)), fewRead)
	if r.telling*listings <= left {
		return nil
	}
	type frequent struct{ word, listings int }
	var list []frequent
	for i, w := range r.words {
		if w.stop {
			continue
		}
		n, err := m.index.count(m.ctx, w.text)
		if err != nil {
			return err
		}
		list = append(list, frequent{i, min(n, listings)})
	}
	slices.SortStableFunc(list, func(a, b frequent) int { return a.listings - b.listings })
	for i, f := range list {
		if left -= f.listings; left < 0 && i > strictWords {
			r.words[f.word].stop, r.words[f.word].frequent = true, true
			r.telling--
		}
	}
	m.told.leftOut = r.leftOut()
	return nil
}

// weightUnit is the least difference between weights.
const weightUnit = 1.0 / 1024

// weight returns how much of what is asked a word is: its inverse document frequency
// in whole units, so that sums of weights are exact and compare alike in any order.
func (g *group) weight() float32 { return float32(math.Round(g.idf/weightUnit) * weightUnit) }
