package engine

import (
	"context"
	"slices"

	"souk/dynamic/search/corpus"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/hit"
	"souk/dynamic/search/match"
)

// Embedded is the engine in this process. It counts with postings in memory.
type Embedded struct {
	*match.Lexicon
	Facets *facet.Facets
	// NameLengths are the numbers of words in the names.
	NameLengths []uint8
}

func (x *Embedded) Begin(_ context.Context, v *corpus.Visibility) Begun {
	room := x.Scratch.Keys.Get().(*hit.Matches)
	return &collector{Embedded: x, visible: v, seen: x.Scratch.Get(), found: (*room)[:0], room: room}
}

// collector collects the listings of one query from the postings of its words.
type collector struct {
	*Embedded
	visible *corpus.Visibility
	seen    *match.Scratch
	found   hit.Matches
	// room is where the matches are stored after use.
	room *hit.Matches
}

func (h *collector) Everything() {
	n := uint32(len(h.Embedded.Corpus.Places))
	h.found = slices.Grow(h.found, int(n))
	for doc := range n {
		h.One(hit.TierAll, 0, doc)
	}
}

func (h *collector) One(t hit.Tier, score float32, doc uint32) {
	if h.visible.Hides(h.Embedded.Corpus.SellerOf[doc]) || !h.seen.Mark(doc) {
		return
	}
	h.found = append(h.found, hit.KeyOf(t, score, doc))
}

func (h *collector) Count() (int, error) { return len(h.found), nil }

func (h *collector) Any(_ context.Context, p *match.Postings) (bool, error) {
	s := h.Embedded.Scratch.Get()
	defer h.Embedded.Scratch.Put(s)
	for _, key := range h.found {
		s.Mark(hit.DocOf(key))
	}
	return slices.ContainsFunc(p.Docs, s.Marked), nil
}

func (h *collector) End() Found {
	h.Embedded.Scratch.Put(h.seen)
	return &Counted{h.Embedded, h.found, h.room}
}

func (h *collector) Best(most int) ([]uint64, error) {
	best := hit.Least{Most: most}
	for _, key := range h.found {
		best.Offer(key)
	}
	return best.Sorted(), nil
}

func (h *collector) All(t hit.Tier, groups []match.Group, needed int) {
	if needed == 0 || len(groups[0].Docs) == 0 {
		return
	}
	at := make([]int, len(groups))
next:
	for i, doc := range groups[0].Docs {
		if h.seen.Marked(doc) {
			continue
		}
		score, named, inName := 0.0, 0.0, 0
		for j, g := range groups {
			if j == 0 {
				at[0] = i
			} else if at[j] = g.Find(doc, at[j]); at[j] == len(g.Docs) || g.Docs[at[j]] != doc {
				if j < needed {
					if at[j] == len(g.Docs) {
						return
					}
					continue next
				}
				continue
			}
			impact := g.Impacts[at[j]]
			score += g.Idf * float64(impact>>1) / match.ImpactUnit
			if impact&match.NamedBit != 0 {
				named += g.Idf * float64(impact>>1) / match.ImpactUnit
				inName++
			}
		}
		h.One(t, h.Embedded.score(doc, score, named, inName, needed), doc)
	}
}

// score adds the bonus for a name that contains inName of the query's words; these make up
// named of the score.
func (x *Embedded) score(doc uint32, score, named float64, inName, words int) float32 {
	if inName > 0 {
		inName = min(inName, words)
		cover := min(1, float64(inName)/float64(x.NameLengths[doc]))
		share := float64(inName) / float64(words)
		score += named * share * (match.NameBonus + match.RestBonus*cover)
	}
	return float32(score)
}

func (h *collector) Weighed(groups []match.Group, needed, part int, any bool) error {
	s := h.Embedded.Scratch.GetScores()
	defer h.Embedded.Scratch.PutScores(s)
	asked, most := float32(0), uint8(0)
	for _, g := range groups[:needed] {
		if !h.visible.Shows(g.Postings.Docs) {
			continue
		}
		idf := float32(g.Idf)
		asked += g.Weight
		for i, doc := range g.Docs {
			if s.Mark(doc) {
				s.Scores[doc], s.Held[doc], s.Counts[doc], s.Named[doc], s.InName[doc] = 0, 0, 0, 0, 0
			}
			score := idf * float32(g.Impacts[i]>>1) / match.ImpactUnit
			if g.Impacts[i]&match.NamedBit != 0 {
				s.Named[doc] += score
				s.InName[doc]++
			}
			s.Scores[doc] += score
			s.Held[doc] += g.Weight
			s.Counts[doc]++
			most = max(most, s.Counts[doc])
		}
	}
	if int(most) == needed {
		h.All(hit.TierAll, groups, needed)
	}
	h.answer(s, needed, asked, asked/float32(part))
	if any || len(h.found) < match.FewAnswers {
		h.answer(s, needed, asked, 0)
	}
	return nil
}

// answer adds the listings with at least the given share of the query.
func (h *collector) answer(s *match.Scores, words int, asked, least float32) {
	s.Each(func(doc uint32) {
		if s.Held[doc] >= least {
			h.One(hit.TierSome, h.Embedded.score(doc, float64(s.Scores[doc]), float64(s.Named[doc]), int(s.InName[doc]), words)*s.Held[doc]/asked, doc)
		}
	})
}

func (h *collector) Lift(words []match.Learnt) {
	x := h.Embedded
	s := x.Scratch.GetScores()
	defer x.Scratch.PutScores(s)
	for _, w := range words {
		weight := float32(match.LearntFactor*x.Idf(h.visible.Count(w.Docs), h.visible)*w.Weight/words[0].Weight) / match.ImpactUnit
		for i, doc := range w.Docs {
			if s.Mark(doc) {
				s.Scores[doc] = 0
			}
			s.Scores[doc] += weight * float32(w.Impacts[i]>>1)
		}
	}
	for i, key := range h.found {
		if t, doc := hit.TierOf(key), hit.DocOf(key); t == hit.TierSome && s.Marked(doc) {
			h.found[i] = hit.KeyOf(t, hit.ScoreOf(key)+s.Scores[doc], doc)
		}
	}
}

// Counted are listings that matched in this process. Room gets their memory back after use.
type Counted struct {
	*Embedded
	Keys hit.Matches
	room *hit.Matches
}

func (f *Counted) Passing(_ context.Context, c *facet.Selection) (n int, err error) {
	if len(c.Narrowings) == 0 {
		return len(f.Keys), nil
	}
	for _, key := range f.Keys {
		if c.Lacks(f.Facets.Of(hit.DocOf(key))) == 0 {
			n++
		}
	}
	return n, nil
}

func (f *Counted) Without(out []Exclusion) Found {
	s := f.Embedded.Scratch.Get()
	defer f.Embedded.Scratch.Put(s)
	for _, one := range out {
		clear(s.Marks)
		if one.Postings != nil {
			for _, doc := range one.Postings.Docs {
				s.Mark(doc)
			}
		}
		f.Keys = slices.DeleteFunc(f.Keys, func(key uint64) bool {
			doc := hit.DocOf(key)
			return (one.Postings == nil || s.Marked(doc)) && (one.Selection == nil || one.Selection.Lacks(f.Embedded.Facets.Of(doc)) == 0)
		})
	}
	return f
}

func (f *Counted) Prefer(wanted *Preferences) {
	x := f.Embedded
	served := make([]uint32, 0, len(wanted.Served)+len(wanted.Categories))
	for _, one := range wanted.Served {
		served = append(served, one.ID)
	}
	for _, at := range wanted.Categories {
		served = append(served, x.Facets.CategoryID[at])
	}
	for i, key := range f.Keys {
		l, ids := x.Corpus.Listing(hit.DocOf(key)), x.Facets.Of(hit.DocOf(key))
		if slices.Contains(wanted.Sellers, l.Seller) || slices.ContainsFunc(served, func(id uint32) bool { return slices.Contains(ids, id) }) {
			f.Keys[i] = hit.KeyOf(hit.TierOf(key), hit.ScoreOf(key)*preferFactor+preferPlus, hit.DocOf(key))
		}
	}
}

func (f *Counted) Tally(_ context.Context, c *facet.Selection, offset, limit int) (t *facet.Tally, done func(), err error) {
	t, told := f.Facets.Tally(f.Keys, c, offset+limit)
	t.Top = t.Top[min(offset, len(t.Top)):]
	return t, func() {
		told()
		*f.room = f.Keys
		f.Embedded.Scratch.Keys.Put(f.room)
	}, nil
}
