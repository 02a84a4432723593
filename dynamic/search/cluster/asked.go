package cluster

import (
	"context"
	"math/bits"
	"slices"

	"souk/build/document"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/hit"
	"souk/dynamic/search/match"
)

// Engine is the engine of a Cluster. It sends Questions to the Holding of the listings.
type Engine struct {
	*match.Lexicon
	Facets  *facet.Facets
	Holding Holding
}

func (x *Engine) Begin(ctx context.Context, v *corpus.Visibility) engine.Begun {
	a := &asking{Engine: x, ctx: ctx, visible: v, named: map[uint32]bool{}}
	if !v.ShowsAll() {
		sellers := x.Facets.List[facet.AtSeller]
		for at, seller := range x.Facets.SellerAt {
			if v.Hides(seller) {
				a.question.Withheld = append(a.question.Withheld, sellers.First+uint32(at))
			}
		}
	}
	return a
}

// asking builds and sends the Question of one query.
type asking struct {
	*Engine
	ctx      context.Context
	visible  *corpus.Visibility
	question Question
	// named are the listings that were added one by one.
	named map[uint32]bool
	// counted is the number of tiers for which the number of listings, n, was requested.
	counted, n int
}

// stepOf returns how strict a tier is for a Cluster. Names with a spelling closer to the text
// come first.
func stepOf(t hit.Tier, score float32) int {
	switch t {
	case hit.TierSKU:
		return maxStep
	case hit.TierName:
		return 7 + min(int(score), int(match.SameSpelling))
	default:
		return int(hit.TierSome-t) + 1
	}
}

func (a *asking) Everything() {
	a.question.Tiers = append(a.question.Tiers, Tier{Step: stepOf(hit.TierAll, 0), Everything: true})
}

func (a *asking) One(t hit.Tier, score float32, doc uint32) {
	if a.visible.Hides(a.Corpus.SellerOf[doc]) || a.named[doc] {
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

func (a *asking) All(t hit.Tier, groups []match.Group, needed int) {
	a.weigh(groups)
	if needed > 0 && len(groups[0].Docs) > 0 {
		a.tier(t, groups[:needed], nil, needed)
	}
}

func (a *asking) Weighed(groups []match.Group, needed, part int, any bool) error {
	a.All(hit.TierAll, groups, needed)
	shown, weights, asked := []match.Group{}, []int{}, 0
	for _, g := range groups[:needed] {
		if a.visible.Shows(g.Postings.Docs) {
			weight := int(g.Weight / match.WeightUnit)
			shown, weights, asked = append(shown, g), append(weights, weight), asked+weight
		}
	}
	if len(shown) == 0 {
		return nil
	}
	a.tier(hit.TierSome, shown, weights, (asked+part-1)/part)
	n, err := a.Count()
	if err == nil && (any || n < match.FewAnswers) {
		a.question.Tiers = a.question.Tiers[:len(a.question.Tiers)-1]
		a.tier(hit.TierSome, shown, nil, 1)
	}
	return err
}

func (a *asking) tier(t hit.Tier, groups []match.Group, weights []int, least int) {
	one := Tier{Step: stepOf(t, 0), Weights: weights, Least: least}
	for _, g := range groups {
		one.Groups = append(one.Groups, g.Terms)
	}
	a.question.Tiers = append(a.question.Tiers, one)
}

// weigh sets what orders the listings of a tier: all words that count so far.
func (a *asking) weigh(groups []match.Group) {
	a.question.Words = a.question.Words[:0]
	for _, g := range groups {
		if len(g.Docs) > 0 {
			a.question.Words = append(a.question.Words, WordWeight{g.Terms, g.Idf, !g.Stop})
		}
	}
}

func (a *asking) Lift(words []match.Learnt) {
	for _, w := range words {
		if weight := match.LearntFactor * a.Idf(a.visible.Count(w.Docs), a.visible) * w.Weight / words[0].Weight; weight > 0 {
			a.question.Words = append(a.question.Words, WordWeight{w.Terms, weight, false})
		}
	}
}

func (a *asking) Count() (int, error) {
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

func (a *asking) Best(most int) ([]uint64, error) {
	answer, err := a.ask(a.ctx, func(q *Question) { q.Limit = most })
	if err != nil {
		return nil, err
	}
	var keys []uint64
	for _, r := range answer.Top {
		keys = append(keys, hit.KeyOf(hit.TierAll, float32(r.Score), r.Number))
	}
	return keys, nil
}

func (a *asking) End() engine.Found { return a }

// ask sends the question with additional requests.
func (a *asking) ask(ctx context.Context, with func(*Question)) (*Answer, error) {
	q := a.question
	with(&q)
	if len(q.Tiers) == 0 {
		return &Answer{Counts: map[string][]Count{}, Without: make([]Uncounted, len(q.Narrowings))}, nil
	}
	return a.Holding.Ask(ctx, &q)
}

func (a *asking) Passing(ctx context.Context, c *facet.Selection) (int, error) {
	answer, err := a.ask(ctx, func(q *Question) { q.Narrowings = narrowingsOf(c) })
	if err != nil {
		return 0, err
	}
	return answer.Total, nil
}

func (a *asking) Any(ctx context.Context, p *match.Postings) (bool, error) {
	answer, err := a.ask(ctx, func(q *Question) { q.Among = p.Terms })
	return err == nil && answer.Total > 0, err
}

func (a *asking) Without(out []engine.Exclusion) engine.Found {
	for _, one := range out {
		var left Exclusion
		if one.Selection != nil {
			left.Narrowings = narrowingsOf(one.Selection)
		}
		if one.Postings != nil {
			left.Terms = one.Postings.Terms
		}
		a.question.Without = append(a.question.Without, left)
	}
	return a
}

func (a *asking) Prefer(wanted *engine.Preferences) {
	f := a.Facets
	add := func(filter string, ids ...uint32) {
		a.question.Preferred = append(a.question.Preferred, Preferred{filter, ids})
	}
	if len(wanted.Sellers) > 0 {
		var ids []uint32
		for at, seller := range f.SellerAt {
			if slices.Contains(wanted.Sellers, seller) {
				ids = append(ids, f.List[facet.AtSeller].First+uint32(at))
			}
		}
		add(document.FilterSeller, ids...)
	}
	for _, one := range wanted.Served {
		add(one.Filter, one.ID)
	}
	if len(wanted.Categories) > 0 {
		var ids []uint32
		for _, at := range wanted.Categories {
			ids = append(ids, f.CategoryID[at])
		}
		add(document.FilterCategory, ids...)
	}
}

// narrowingsOf converts the narrowings of a selection for a Cluster.
func narrowingsOf(c *facet.Selection) []Narrowing {
	list := make([]Narrowing, len(c.Narrowings))
	for i, n := range c.Narrowings {
		list[i].Filter = n.Filter
		for id := n.First; id < n.End; {
			from := nextID(c, id, n.End, true)
			if id = nextID(c, from, n.End, false); from < id {
				list[i].Runs = append(list[i].Runs, [2]uint32{from, id})
			}
		}
	}
	return list
}

// nextID returns the first id from one on that is chosen, or is not, or end if there is none.
func nextID(c *facet.Selection, id, end uint32, chosen bool) uint32 {
	for id < end {
		word := c.Chosen[id>>6]
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

func (a *asking) Tally(ctx context.Context, c *facet.Selection, offset, limit int) (t *facet.Tally, done func(), err error) {
	answer, err := a.ask(ctx, func(q *Question) {
		q.Narrowings, q.Sort, q.Pinned, q.Offset, q.Limit, q.Counts = narrowingsOf(c), c.Sort, c.Pinned, offset, limit, true
		if q.Sort == document.SortPrice {
			if q.Sort = document.SortName; c.Currency != nil {
				q.Sort, q.Currency = document.SortPrice, c.Currency.Folded
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	t, done = a.answerTally(answer, c)
	return t, done, nil
}

// answerTally returns the tally of an Answer.
func (x *Engine) answerTally(answer *Answer, c *facet.Selection) (t *facet.Tally, done func()) {
	t, done = x.Facets.EmptyTally(c)
	t.Total = answer.Total
	for _, r := range answer.Top {
		t.Top = append(t.Top, uint64(r.Number))
	}
	put := func(list []Count, wanted func(id uint32) bool) {
		for _, one := range list {
			if !wanted(one.ID) || one.Listings == 0 {
				continue
			}
			if t.Counts[one.ID] == 0 { // a chosen id may occur twice
				t.Met = append(t.Met, one.ID)
			}
			t.Counts[one.ID] = int32(one.Listings)
		}
	}
	for filter, list := range answer.Counts {
		put(list, func(id uint32) bool {
			return !slices.ContainsFunc(c.Narrowings, func(n facet.Narrowing) bool { return n.Filter == filter && id >= n.First && id < n.End })
		})
	}
	for i, n := range c.Narrowings {
		t.Alone[i] = answer.Without[i].Total - answer.Total
		put(answer.Without[i].Counts, func(id uint32) bool { return id >= n.First && id < n.End })
	}
	t.Order()
	x.surpluses(t)
	categories := x.Facets.List[facet.AtCategory]
	t.Within = make([]int32, categories.End-categories.First)
	for _, one := range answer.Counts[document.FilterCategory] {
		t.Within[one.ID-categories.First] = int32(one.Listings)
	}
	return t, done
}

// surpluses converts the number of listings that have any value of a facet to the number of
// values beyond the first.
func (x *Engine) surpluses(t *facet.Tally) {
	for i := range x.Facets.List {
		one := &x.Facets.List[i]
		if one.Surplus == 0 || t.Counts[one.Surplus] == 0 {
			continue
		}
		all := int32(0)
		for _, id := range facet.Run(t.Met, one.First, one.End) {
			all += t.Counts[id]
		}
		t.Counts[one.Surplus] = all - t.Counts[one.Surplus]
	}
}
