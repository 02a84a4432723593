package match

import (
	"math"
	"slices"

	"souk/dynamic/search/hit"
)

// StrictWords is the maximum number of meaningful words that are all required. A longer text
// is a question, unless it is the full name of a listing.
const StrictWords = 3

const (
	// questionPart is the part of a question, as 1 in so many, that a listing must have by the
	// weights of the words; shortPart is the same for a text of few words.
	questionPart, shortPart = 3, 2
	// FewAnswers is how many listings must match before those with less of the query are left
	// out.
	FewAnswers = 20
	// mostRead is how many postings the words of a question may have in total, in multiples of
	// all listings; fewRead is negligible. They bound the cost of a long question.
	mostRead = 1.5
	fewRead  = 30_000
	// maxAsked is how many words of a question are evaluated, the rarest.
	maxAsked = 32
)

// question finds the listings with enough of a text of many words. A word that no listing has
// is ignored, after trying it as misspelled and, at the end, as unfinished.
//
// The score is the sum of BM25 over the words, times the share of the query that the listing
// has, so that one rare word does not outweigh the rest.
func (m *matching) question(r *ParsedQuery) error {
	x := m.Matcher
	if err := m.leaveOutFrequent(r); err != nil {
		return err
	}
	lists := make([]*Postings, len(r.Words))
	for i, w := range r.Words {
		if w.frequent {
			lists[i] = &Postings{Terms: &Terms{}}
			continue
		}
		p, err := x.wordPostings(m.ctx, w, askedForms)
		if err != nil {
			return err
		}
		if i == len(r.Words)-1 && r.Open && !m.visible.Shows(p.Docs) {
			if p, err = x.unfinished(m.ctx, w.Text); err != nil {
				return err
			}
		}
		if i == len(r.Words)-1 && r.Open {
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
	if err := m.widen(hit.TierCorrected, r, lists); err != nil {
		return err
	}
	m.leaveOutUnmatched(r, lists)
	groups, needed := m.groups(r, lists)
	if err := m.Weighed(groups, needed, questionPart, r.Wider == anyWord); err != nil {
		return err
	}
	if err := m.learn(r); err != nil {
		return err
	}
	return m.ctx.Err()
}

// leaveOutFrequent ignores the most frequent words of a long question, which say least, if all
// words together have too many postings. It never ignores the rarest few.
func (m *matching) leaveOutFrequent(r *ParsedQuery) error {
	listings := m.Matcher.Corpus.Listings(m.visible)
	left := max(int(mostRead*float64(listings)), fewRead)
	if r.Telling*listings <= left && r.Telling <= maxAsked {
		return nil
	}
	type frequent struct{ word, listings int }
	var list []frequent
	for i, w := range r.Words {
		if w.Stop {
			continue
		}
		n, err := m.Matcher.Count(m.ctx, w.Text, m.visible)
		if err != nil {
			return err
		}
		list = append(list, frequent{i, min(n, listings)})
	}
	slices.SortStableFunc(list, func(a, b frequent) int { return a.listings - b.listings })
	for i, f := range list {
		if left -= f.listings; left < 0 && i > StrictWords || i >= maxAsked {
			r.Words[f.word].Stop, r.Words[f.word].frequent = true, true
			r.Telling--
		}
	}
	m.understood.LeftOut = r.leftOut()
	return nil
}

// WeightUnit is the smallest difference between weights.
const WeightUnit = 1.0 / 1024

// together is the minimum share of the listings with either of two neighbours that have both,
// for them to count as one: open source says no more than open.
const together = 0.6

// weigh sets the weights of the required words: their rarity, but neighbours that nearly
// always occur together weigh as much as the rarer one.
func (m *matching) weigh(r *ParsedQuery, groups []Group) {
	weights := make([]float64, len(groups))
	last := -1
	for i := range groups {
		g := &groups[i]
		if g.Stop || g.Listings == 0 {
			last = -1
			continue
		}
		weights[i] = g.Idf
		if last >= 0 && r.Words[i].follows {
			before := &groups[last]
			shared := m.visible.Count(both(before.Postings, g.Postings).Docs)
			if either := before.Listings + g.Listings - shared; float64(shared) >= together*float64(either) {
				part := max(weights[last], weights[i]) / (weights[last] + weights[i])
				weights[last], weights[i] = weights[last]*part, weights[i]*part
			}
		}
		last = i
	}
	for i := range groups {
		groups[i].Weight = float32(math.Round(weights[i]/WeightUnit) * WeightUnit)
	}
}
