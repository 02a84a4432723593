package search

import (
	"context"
	"slices"
)

// embedded is the engine of this process: it counts with postings in memory.
type embedded struct{}

func (embedded) begin(_ context.Context, x *Index, v *visibility) gathering {
	room := x.scratch.keys.Get().(*matches)
	return &held{index: x, visible: v, seen: x.scratch.get(), found: (*room)[:0], room: room}
}

// held gathers the listings of one query from the postings of its words.
type held struct {
	index   *Index
	visible *visibility
	seen    *scratch
	found   matches
	// room is where found is kept once it was told.
	room *matches
}

func (h *held) everything() {
	n := uint32(len(h.index.corpus.places))
	h.found = slices.Grow(h.found, int(n))
	for doc := range n {
		h.one(tierAll, 0, doc)
	}
}

func (h *held) one(t tier, score float32, doc uint32) {
	if h.visible.hides(h.index.corpus.sellerOf[doc]) || !h.seen.mark(doc) {
		return
	}
	h.found = append(h.found, keyOf(t, score, doc))
}

func (h *held) count() (int, error) { return len(h.found), nil }

func (h *held) end() found {
	h.index.scratch.put(h.seen)
	return &counted{h.index, h.found, h.room}
}

func (h *held) best(most int) ([]uint64, error) {
	best := heap{most: most}
	for _, key := range h.found {
		best.offer(key)
	}
	return best.sorted(), nil
}

func (h *held) all(t tier, groups []group, needed int) {
	if needed == 0 || len(groups[0].docs) == 0 {
		return
	}
	at := make([]int, len(groups))
next:
	for i, doc := range groups[0].docs {
		if h.seen.marked(doc) {
			continue
		}
		score, named, inName := 0.0, 0.0, 0
		for j, g := range groups {
			if j == 0 {
				at[0] = i
			} else if at[j] = g.find(doc, at[j]); at[j] == len(g.docs) || g.docs[at[j]] != doc {
				if j < needed {
					if at[j] == len(g.docs) {
						return
					}
					continue next
				}
				continue
			}
			impact := g.impacts[at[j]]
			score += g.idf * float64(impact>>1) / impactUnit
			if impact&namedBit != 0 {
				named += g.idf * float64(impact>>1) / impactUnit
				inName++
			}
		}
		h.one(t, h.index.score(doc, score, named, inName, needed), doc)
	}
}

// score adds the bonus for a name that contains inName of the words of the
// query; these make up named of the score.
func (x *Index) score(doc uint32, score, named float64, inName, words int) float32 {
	if inName > 0 {
		inName = min(inName, words)
		cover := min(1, float64(inName)/float64(x.nameLengths[doc]))
		share := float64(inName) / float64(words)
		score += named * share * (nameBonus + restBonus*cover)
	}
	return float32(score)
}

func (h *held) some(t tier, groups []group, needed, least int) {
	s := h.index.scratch.getScores()
	defer h.index.scratch.putScores(s)
	for _, g := range groups[:needed] {
		for i, doc := range g.docs {
			if s.mark(doc) {
				s.scores[doc], s.named[doc], s.counts[doc], s.inName[doc] = 0, 0, 0, 0
			}
			s.scores[doc] += float32(g.idf * float64(g.impacts[i]>>1) / impactUnit)
			s.counts[doc]++
			if g.impacts[i]&namedBit != 0 {
				s.named[doc] += float32(g.idf * float64(g.impacts[i]>>1) / impactUnit)
				s.inName[doc]++
			}
		}
	}
	s.each(func(doc uint32) {
		if int(s.counts[doc]) >= least {
			h.one(t, h.index.score(doc, float64(s.scores[doc]), float64(s.named[doc]), int(s.inName[doc]), needed), doc)
		}
	})
}

func (h *held) weighed(groups []group, needed int) error {
	s := h.index.scratch.getScores()
	defer h.index.scratch.putScores(s)
	asked, most := float32(0), uint8(0)
	for _, g := range groups[:needed] {
		if !h.visible.shows(h.index, g.postings) {
			continue
		}
		idf := float32(g.idf)
		asked += g.weight()
		for i, doc := range g.docs {
			if s.mark(doc) {
				s.scores[doc], s.held[doc], s.counts[doc] = 0, 0, 0
			}
			score := idf * float32(g.impacts[i]>>1) / impactUnit
			if g.impacts[i]&namedBit != 0 {
				score *= 1 + namedShare
			}
			s.scores[doc] += score
			s.held[doc] += g.weight()
			s.counts[doc]++
			most = max(most, s.counts[doc])
		}
	}
	if int(most) == needed {
		h.all(tierAll, groups, needed)
	}
	h.answer(s, tierMost, asked, asked)
	if len(h.found) < fewAnswers {
		h.answer(s, tierSome, asked, 0)
	}
	return nil
}

// answer adds the listings of which what they hold, so many times, is as much as least.
func (h *held) answer(s *scores, t tier, asked, least float32) {
	s.each(func(doc uint32) {
		if s.held[doc]*leastPart >= least {
			h.one(t, s.scores[doc]*s.held[doc]/asked, doc)
		}
	})
}

func (h *held) lift(words []learnt) {
	x := h.index
	s := x.scratch.getScores()
	defer x.scratch.putScores(s)
	for _, w := range words {
		weight := float32(learntFactor*x.idf(len(w.docs))*w.weight/words[0].weight) / impactUnit
		for i, doc := range w.docs {
			if s.mark(doc) {
				s.scores[doc] = 0
			}
			s.scores[doc] += weight * float32(w.impacts[i]>>1)
		}
	}
	for i, key := range h.found {
		if t, doc := tierOf(key), docOf(key); t > tierAll && s.marked(doc) {
			h.found[i] = keyOf(t, scoreOf(key)+s.scores[doc], doc)
		}
	}
}

// counted are listings that were found in this process. Room gets their memory back once
// they are told.
type counted struct {
	index *Index
	keys  matches
	room  *matches
}

func (f *counted) none(context.Context) (bool, error) { return len(f.keys) == 0, nil }

func (f *counted) leaves(_ context.Context, c *selection) (bool, error) {
	x := f.index
	return slices.ContainsFunc(f.keys, func(key uint64) bool { return c.lacks(x.facets.of(docOf(key))) == 0 }), nil
}

func (f *counted) among(_ context.Context, p *postings, most int) (docs []uint32, safe bool, err error) {
	s := f.index.scratch.get()
	defer f.index.scratch.put(s)
	for _, key := range f.keys {
		s.mark(docOf(key))
	}
	for _, doc := range p.docs {
		if !s.marked(doc) {
			continue
		}
		if len(docs) == most {
			return nil, false, nil
		}
		docs = append(docs, doc)
	}
	return docs, true, nil
}

func (f *counted) within(_ context.Context, c *selection, most int) (docs []uint32, safe bool, err error) {
	for _, key := range f.keys {
		if c.lacks(f.index.facets.of(docOf(key))) != 0 {
			continue
		}
		if len(docs) == most {
			return nil, false, nil
		}
		docs = append(docs, docOf(key))
	}
	return docs, true, nil
}

func (f *counted) without(out map[uint32]bool) found {
	return &counted{f.index, slices.DeleteFunc(f.keys, func(key uint64) bool { return out[docOf(key)] }), f.room}
}

func (f *counted) prefer(wanted *preferences) {
	x := f.index
	served := make([]uint32, 0, len(wanted.served)+len(wanted.categories))
	for _, one := range wanted.served {
		served = append(served, one.id)
	}
	for _, at := range wanted.categories {
		served = append(served, x.facets.categoryID[at])
	}
	for i, key := range f.keys {
		l, ids := x.corpus.listing(docOf(key)), x.facets.of(docOf(key))
		if slices.Contains(wanted.sellers, l.seller) || slices.ContainsFunc(served, func(id uint32) bool { return slices.Contains(ids, id) }) {
			f.keys[i] = keyOf(tierOf(key), scoreOf(key)*preferFactor+preferPlus, docOf(key))
		}
	}
}

func (f *counted) tally(_ context.Context, c *selection, offset, limit int) (t *tally, done func(), err error) {
	t, told := f.index.tally(f.keys, c, offset+limit)
	t.top = t.top[min(offset, len(t.top)):]
	return t, func() {
		told()
		*f.room = f.keys
		f.index.scratch.keys.Put(f.room)
	}, nil
}
