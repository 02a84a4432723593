package search

// strictWords is the greatest number of words of meaning that are all needed. A
// text of more is a question, unless it is wholly a listing's name.
const strictWords = 3

const (
	// leastShare is how much of what was asked a listing must hold, by the
	// inverse document frequencies of the words.
	leastShare = 1.0 / 3
	// fewAnswers is how many listings must hold that much, or those that hold
	// anything of it are found too.
	fewAnswers = 20
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
	lists := make([]*postings, len(r.words))
	for i, w := range r.words {
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
	if err := m.widen(tierCorrected, r, lists); err != nil {
		return err
	}
	m.matchAll(tierAll, r, lists)
	groups, needed := m.groups(r, lists)
	s := x.scratch.get()
	defer x.scratch.put(s)
	asked := float32(0)
	for _, g := range groups[:needed] {
		if !m.visible.shows(x, g.postings) {
			continue
		}
		idf := float32(g.idf)
		asked += idf
		for i, doc := range g.docs {
			if s.mark(doc) {
				s.scores[doc], s.held[doc] = 0, 0
			}
			score := idf * float32(g.impacts[i]>>1) / impactUnit
			if g.impacts[i]&namedBit != 0 {
				score *= 1 + namedShare
			}
			s.scores[doc] += score
			s.held[doc] += idf
		}
	}
	m.answer(s, tierMost, asked, leastShare*asked)
	if len(m.found) < fewAnswers {
		m.answer(s, tierSome, asked, 0)
	}
	if err := m.learn(r); err != nil {
		return err
	}
	return m.ctx.Err()
}

// answer adds the listings that hold at least so much of what was asked.
func (m *matcher) answer(s *scratch, t tier, asked, least float32) {
	s.each(func(doc uint32) {
		if s.held[doc] >= least {
			m.add(t, s.scores[doc]*s.held[doc]/asked, doc)
		}
	})
}
