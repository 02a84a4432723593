package search

import (
	"context"
	"maps"
	"math/bits"
	"slices"

	"souk/build/document"
)

// clustered is the engine of a Cluster: it asks what holds the listings.
type clustered struct{ holding Holding }

func (e clustered) begin(ctx context.Context, x *Index, v *visibility) gathering {
	a := &asking{index: x, ctx: ctx, visible: v, holding: e.holding, named: map[uint32]bool{}}
	if !v.showsAll() {
		sellers := x.facets.list[atSeller]
		for at, seller := range x.facets.sellerAt {
			if v.hides(seller) {
				a.question.Withheld = append(a.question.Withheld, sellers.first+uint32(at))
			}
		}
	}
	return a
}

// asking gathers the question for the listings of one query, and asks it.
type asking struct {
	index    *Index
	ctx      context.Context
	visible  *visibility
	holding  Holding
	question Question
	// named are the listings that were added one by one.
	named map[uint32]bool
	// counted is how many tiers the number of listings was asked for, which is n.
	counted, n int
}

// stepOf returns how strict a tier is for a Cluster. Names that are spelled more like the
// text come first.
func stepOf(t tier, score float32) int {
	switch t {
	case tierSKU:
		return MaxStep
	case tierName:
		return 7 + min(int(score), int(sameSpelling))
	default:
		return int(tierSome-t) + 1
	}
}

func (a *asking) everything() {
	a.question.Tiers = append(a.question.Tiers, Tier{Step: stepOf(tierAll, 0), Everything: true})
}

func (a *asking) one(t tier, score float32, doc uint32) {
	if a.visible.hides(a.index.corpus.sellerOf[doc]) || a.named[doc] {
		return
	}
	a.named[doc] = true
	step := stepOf(t, score)
	at := slices.IndexFunc(a.question.Tiers, func(t Tier) bool { return t.Step == step })
	if at < 0 {
		at = len(a.question.Tiers)
		a.question.Tiers = append(a.question.Tiers, Tier{Step: step})
	}
	a.question.Tiers[at].Numbers = append(a.question.Tiers[at].Numbers, doc)
}

func (a *asking) all(t tier, groups []group, needed int) {
	a.weigh(groups)
	if needed > 0 && len(groups[0].docs) > 0 {
		a.tier(t, groups[:needed], nil, needed)
	}
}

func (a *asking) some(t tier, groups []group, needed, least int) {
	a.weigh(groups)
	a.tier(t, groups[:needed], nil, least)
}

func (a *asking) weighed(groups []group, needed int) error {
	a.all(tierAll, groups, needed)
	shown, weights, asked := []group{}, []int{}, 0
	for _, g := range groups[:needed] {
		if a.visible.shows(a.index, g.postings) {
			weight := int(g.weight() / weightUnit)
			shown, weights, asked = append(shown, g), append(weights, weight), asked+weight
		}
	}
	if len(shown) == 0 {
		return nil
	}
	a.tier(tierMost, shown, weights, (asked+leastPart-1)/leastPart)
	n, err := a.count()
	if err == nil && n < fewAnswers {
		a.tier(tierSome, shown, nil, 1)
	}
	return err
}

func (a *asking) tier(t tier, groups []group, weights []int, least int) {
	one := Tier{Step: stepOf(t, 0), Weights: weights, Least: least}
	for _, g := range groups {
		one.Groups = append(one.Groups, g.terms)
	}
	a.question.Tiers = append(a.question.Tiers, one)
}

// weigh says what orders the listings of a tier: all of the words, as far as they count
// now.
func (a *asking) weigh(groups []group) {
	a.question.Words = a.question.Words[:0]
	for _, g := range groups {
		if len(g.docs) > 0 {
			a.question.Words = append(a.question.Words, WordWeight{g.terms, g.idf, !g.stop})
		}
	}
}

func (a *asking) lift(words []learnt) {
	for _, w := range words {
		if weight := learntFactor * a.index.idf(len(w.docs)) * w.weight / words[0].weight; weight > 0 {
			a.question.Words = append(a.question.Words, WordWeight{w.terms, weight, false})
		}
	}
}

func (a *asking) count() (int, error) {
	if len(a.question.Tiers) == a.counted {
		return a.n, nil
	}
	if !slices.ContainsFunc(a.question.Tiers, func(t Tier) bool { return len(t.Numbers) == 0 }) {
		return len(a.named), nil
	}
	answer, err := a.ask(a.ctx, func(q *Question) {})
	if err != nil {
		return 0, err
	}
	a.counted, a.n = len(a.question.Tiers), answer.Total
	return a.n, nil
}

func (a *asking) best(most int) ([]uint64, error) {
	answer, err := a.ask(a.ctx, func(q *Question) { q.Limit = most })
	if err != nil {
		return nil, err
	}
	var keys []uint64
	for _, r := range answer.Top {
		keys = append(keys, keyOf(tierAll, float32(r.Score), r.Number))
	}
	return keys, nil
}

func (a *asking) end() found { return a }

// ask asks the question with what is asked for beside it.
func (a *asking) ask(ctx context.Context, with func(*Question)) (*Answer, error) {
	q := a.question
	with(&q)
	if len(q.Tiers) == 0 {
		return &Answer{Counts: map[string][]Count{}, Without: make([]Uncounted, len(q.Narrowings))}, nil
	}
	return a.holding.Ask(ctx, &q)
}

func (a *asking) none(context.Context) (bool, error) {
	n, err := a.count()
	return n == 0, err
}

func (a *asking) leaves(ctx context.Context, c *selection) (bool, error) {
	answer, err := a.ask(ctx, func(q *Question) { q.Narrowings = c.asked() })
	return err == nil && answer.Total > 0, err
}

func (a *asking) among(ctx context.Context, p *postings, most int) (docs []uint32, safe bool, err error) {
	return a.numbers(ctx, most, func(q *Question) { q.Among = p.terms })
}

func (a *asking) within(ctx context.Context, c *selection, most int) (docs []uint32, safe bool, err error) {
	return a.numbers(ctx, most, func(q *Question) { q.Narrowings = c.asked() })
}

// numbers returns the listings that answer the question with what is asked for beside it,
// and whether these are no more than so many.
func (a *asking) numbers(ctx context.Context, most int, with func(*Question)) (docs []uint32, safe bool, err error) {
	answer, err := a.ask(ctx, func(q *Question) {
		with(q)
		q.Limit, q.Sort = most, document.SortName
	})
	if err != nil || answer.Total > most {
		return nil, false, err
	}
	for _, r := range answer.Top {
		docs = append(docs, r.Number)
	}
	return docs, true, nil
}

func (a *asking) without(out map[uint32]bool) found {
	rest := *a
	rest.question.Without = slices.Sorted(maps.Keys(out))
	rest.counted = -1
	for doc := range out {
		if rest.named[doc] {
			rest.named = maps.Clone(rest.named)
			delete(rest.named, doc)
		}
	}
	return &rest
}

func (a *asking) prefer(wanted *preferences) {
	f := a.index.facets
	add := func(filter string, ids ...uint32) {
		a.question.Preferred = append(a.question.Preferred, Preferred{filter, ids})
	}
	if len(wanted.sellers) > 0 {
		var ids []uint32
		for at, seller := range f.sellerAt {
			if slices.Contains(wanted.sellers, seller) {
				ids = append(ids, f.list[atSeller].first+uint32(at))
			}
		}
		add(document.FilterSeller, ids...)
	}
	for _, one := range wanted.served {
		add(one.filter, one.id)
	}
	if len(wanted.categories) > 0 {
		var ids []uint32
		for _, at := range wanted.categories {
			ids = append(ids, f.categoryID[at])
		}
		add(document.FilterCategory, ids...)
	}
}

// asked returns the narrowings of a selection as a Cluster is asked.
func (c *selection) asked() []Narrowing {
	list := make([]Narrowing, len(c.narrowings))
	for i, n := range c.narrowings {
		list[i].Filter = n.filter
		for id := n.first; id < n.end; {
			from := c.next(id, n.end, true)
			if id = c.next(from, n.end, false); from < id {
				list[i].Runs = append(list[i].Runs, [2]uint32{from, id})
			}
		}
	}
	return list
}

// next returns the first id from one on that is chosen, or is not; end if there is none.
func (c *selection) next(id, end uint32, chosen bool) uint32 {
	for id < end {
		word := c.chosen[id>>6]
		if !chosen {
			word = ^word
		}
		if word >>= id & 63; word != 0 {
			return min(end, id+uint32(bits.TrailingZeros64(word)))
		}
		id = (id>>6 + 1) << 6
	}
	return end
}

func (a *asking) tally(ctx context.Context, c *selection, offset, limit int) (t *tally, done func(), err error) {
	answer, err := a.ask(ctx, func(q *Question) {
		q.Narrowings, q.Sort, q.Pinned, q.Offset, q.Limit, q.Counts = c.asked(), c.sort, c.pinned, offset, limit, true
		if q.Sort == document.SortPrice {
			if q.Sort = document.SortName; c.currency != nil {
				q.Sort, q.Currency = document.SortPrice, c.currency.folded
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	t, done = a.index.toldTally(answer, c)
	return t, done, nil
}

// toldTally returns the tally of an Answer.
func (x *Index) toldTally(answer *Answer, c *selection) (t *tally, done func()) {
	t, done = x.emptyTally(c)
	t.total = answer.Total
	for _, r := range answer.Top {
		t.top = append(t.top, uint64(r.Number))
	}
	put := func(list []Count, wanted func(id uint32) bool) {
		for _, one := range list {
			if !wanted(one.ID) || one.Listings == 0 {
				continue
			}
			if t.counts[one.ID] == 0 { // a chosen one may be told twice
				t.met = append(t.met, one.ID)
			}
			t.counts[one.ID] = int32(one.Listings)
		}
	}
	for filter, list := range answer.Counts {
		put(list, func(id uint32) bool {
			return !slices.ContainsFunc(c.narrowings, func(n narrowing) bool { return n.filter == filter && id >= n.first && id < n.end })
		})
	}
	for i, n := range c.narrowings {
		t.alone[i] = answer.Without[i].Total - answer.Total
		put(answer.Without[i].Counts, func(id uint32) bool { return id >= n.first && id < n.end })
	}
	t.order()
	x.surpluses(t)
	categories := x.facets.list[atCategory]
	t.within = make([]int32, categories.end-categories.first)
	for _, one := range answer.Counts[document.FilterCategory] {
		t.within[one.ID-categories.first] = int32(one.Listings)
	}
	return t, done
}

// surpluses turns the number of listings that have any value of a facet into the number
// of values beyond the first.
func (x *Index) surpluses(t *tally) {
	for i := range x.facets.list {
		one := &x.facets.list[i]
		if one.surplus == 0 || t.counts[one.surplus] == 0 {
			continue
		}
		all := int32(0)
		for _, id := range run(t.met, one.first, one.end) {
			all += t.counts[id]
		}
		t.counts[one.surplus] = all - t.counts[one.surplus]
	}
}
