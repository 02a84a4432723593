package match

import (
	"context"
	"slices"
	"strings"

	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/hit"
	"souk/dynamic/search/question"
)

// enough is how many visible listings the stricter tiers must find, before filters, for the
// next tier to be skipped.
var enough = [...]int{hit.TierUnfinished: 10, hit.TierCorrected: 3, hit.TierMisspelt: 3}

// A Matcher contains everything needed to match texts in a market.
type Matcher struct {
	*Lexicon
	Exact    *exactMatches
	Meanings *meanings
	Articles *Articles
	// phrases are those of the market's language.
	phrases *question.Table
	// learns means that words shared by the best answers to a question order the others.
	learns bool
}

func NewMatcher(l *Lexicon, before *Articles) *Matcher {
	return &Matcher{
		Lexicon: l, Exact: newExactMatches(l.Corpus), Meanings: newMeanings(l.Corpus, l.Stems), Articles: newArticles(l.Corpus.Articles, l.Language, before),
		phrases: question.NewTable(l.Corpus.Language), learns: true,
	}
}

// Beside returns a Matcher for another lexicon of the same market: its companies.
func (x *Matcher) Beside(l *Lexicon) *Matcher {
	return &Matcher{Lexicon: l, Exact: newExactMatches(l.Corpus), Meanings: newMeanings(l.Corpus, l.Stems), Articles: x.Articles, phrases: x.phrases}
}

// A matching finds the listings of one query, tier by tier; the gathering collects them.
type matching struct {
	Gathering
	*Matcher
	ctx        context.Context
	visible    *corpus.Visibility
	understood Understanding
}

// Match adds to a gathering the listings that match a query and, before them, those that it
// compares, and returns how the query was understood.
func (x *Matcher) Match(ctx context.Context, g Gathering, r *ParsedQuery, compared []uint32, v *corpus.Visibility) (Understanding, error) {
	m := &matching{Gathering: g, Matcher: x, ctx: ctx, visible: v}
	for _, doc := range compared {
		m.One(hit.TierSKU, 0, doc)
	}
	var err error
	switch {
	case strings.TrimSpace(r.Text) == "":
		m.Everything()
	case len(r.Compacts) > 0:
		for _, step := range [...]func(*ParsedQuery) error{m.run, m.nameCorrected, m.forgetIdle} {
			if err = step(r); err != nil {
				break
			}
		}
	}
	return m.understood, err
}

// forgetIdle reports corrected words as left out if no result contains a correction, so that
// the results do not depend on it.
func (m *matching) forgetIdle(r *ParsedQuery) error {
	if !m.understood.partly {
		return nil
	}
	var held []correction
	for _, c := range m.understood.Corrected {
		p, err := m.Matcher.misspelt(m.ctx, r.Words[c.Word].Text, m.visible)
		if err != nil {
			return err
		}
		any, err := m.Any(m.ctx, p)
		if err != nil {
			return err
		}
		if any {
			held = append(held, c)
		} else {
			m.understood.leave(c.Word)
		}
	}
	m.understood.Corrected = held
	return nil
}

// nameCorrected reports the categories that corrected words name together with others, as
// robto arm names Robot arms. A single corrected word beside others is not enough, since it
// may be part of a name. A single word alone counts unless it is the name of a listing or
// seller.
func (m *matching) nameCorrected(r *ParsedQuery) error {
	if len(m.understood.Corrected) == 1 && len(r.Words) == 1 {
		name := text.Compacts(m.understood.Corrected[0].To[0])
		if m.Matcher.Exact.Category(name) < 0 {
			if named, err := m.Matcher.NamesOffer(m.ctx, name, m.visible); named || err != nil {
				return err
			}
		}
	}
	meant := *r
	meant.Words = slices.Clone(r.Words)
	for _, c := range m.understood.Corrected {
		meant.Words[c.Word].Text = c.To[0]
	}
	for _, s := range m.Matcher.Meanings.Spans(&meant, m.Matcher.Stems) {
		within := func(i int) bool { return s.from <= i && i < s.to }
		if len(s.Categories) > 0 && (s.to-s.from > 1 || r.Telling == 1) && slices.ContainsFunc(m.understood.Corrected, func(c correction) bool { return within(c.Word) }) {
			shorter := func(c recognised) bool { return within(c.FromWord) }
			m.understood.Categories = append(slices.DeleteFunc(m.understood.Categories, shorter), recognised{s.from, s.to, s.Categories[0]})
		}
	}
	return nil
}

func (m *matching) foundEnough(t hit.Tier) (bool, error) {
	n, err := m.Count()
	return n >= enough[t], err
}

// exact finds the listings whose SKU or name is the whole query. Names with the query's
// spelling come first.
func (m *matching) exact(r *ParsedQuery) error {
	for t, prefix := range [...]string{hit.TierSKU: index.ExactSKU, hit.TierName: index.ExactName} {
		for _, compact := range r.Compacts {
			p, err := m.Matcher.read(m.ctx, Exact, prefix+compact)
			if err != nil {
				return err
			}
			for _, doc := range p.Docs {
				score := float32(0)
				if hit.Tier(t) == hit.TierName {
					score = float32(LikenessOf(m.Matcher.Corpus.Name(doc), r.Text, r.spelled))
				}
				m.One(hit.Tier(t), score, doc)
			}
		}
	}
	return nil
}

func (m *matching) run(r *ParsedQuery) error {
	x := m.Matcher
	before, err := m.Count()
	if err != nil {
		return err
	}
	if err := m.exact(r); err != nil {
		return err
	}
	n, err := m.Count()
	if err != nil {
		return err
	}
	exact := n > before
	if exact {
		r.asWritten()
	} else {
		m.understood.LeftOut = r.leftOut()
	}
	strict := exact || x.names(r, m.visible)
	if !strict && (r.Telling > StrictWords || r.Standing || x.either(r)) {
		return m.question(r)
	}
	groups := make([]*Postings, len(r.Words))
	for i, w := range r.Words {
		p, err := x.wordPostings(m.ctx, w, TypedForms)
		if err != nil {
			return err
		}
		if i == len(r.Words)-1 && r.Open {
			p = x.begun(p, w)
		}
		groups[i] = p
	}
	if !exact {
		if err := m.mean(r, groups, TypedForms); err != nil {
			return err
		}
	}
	m.matchAll(hit.TierAll, r, groups)
	if before > 0 {
		return nil // compared names are exact
	}
	if err := m.matchFurther(r, groups); err != nil {
		return err
	}
	if err := m.unfinished(r, groups); err != nil {
		return err
	}
	if n, err := m.Count(); err != nil || strict && n > 0 {
		return err
	}
	for _, step := range [...]func(*ParsedQuery, []*Postings) error{m.respell, m.relax} {
		if err := step(r, groups); err != nil {
			return err
		}
	}
	return m.ctx.Err()
}

// names reports whether a text is the full name of a seller or category, or has a synonym.
func (x *Matcher) names(r *ParsedQuery, v *corpus.Visibility) bool {
	if x.Exact.Seller(r.Compacts, v) >= 0 || x.Exact.Category(r.Compacts) >= 0 {
		return true
	}
	_, known := x.Meanings.span(r, 0, len(r.Words), x.Stems)
	return known
}

// matchFurther finds listings that write words as two, however many write them as one: a
// person who types a name cannot know how each listing writes it. For words that no listing
// has, it finds the listings of sellers with such search words.
func (m *matching) matchFurther(r *ParsedQuery, groups []*Postings) error {
	widened, err := m.widenFurther(r, groups)
	if widened {
		m.matchAll(hit.TierUnfinished, r, groups)
	}
	return err
}

// widenFurther widens the groups in the same way; for a long question only for words that no
// listing has, since listings with the word say more.
func (m *matching) widenFurther(r *ParsedQuery, groups []*Postings) (widened bool, err error) {
	for i, w := range r.Words {
		if w.Stop || r.Telling > StrictWords && m.visible.Shows(groups[i].Docs) {
			continue
		}
		apart, err := m.splitWord(w.Text)
		if err != nil {
			return false, err
		}
		if len(apart.Docs) > 0 {
			m.understood.Apart = append(m.understood.Apart, correction{i, apart.Words})
		}
		lists := []weighted{{groups[i], 1}, {apart, 1}}
		sellers := append([]string{w.Text}, w.Others...)
		if m.visible.Shows(groups[i].Docs) {
			sellers = nil // listings with the word itself match better
		}
		for _, word := range sellers {
			of, err := m.Matcher.exactly(m.ctx, index.ExactSellerWord+m.Matcher.Stems.Of(word))
			if err != nil {
				return false, err
			}
			lists = append(lists, weighted{of, 1})
		}
		if lists = slices.DeleteFunc(lists, func(l weighted) bool { return len(l.Docs) == 0 }); len(lists) > 1 || len(groups[i].Docs) == 0 {
			widened = widened || len(lists) > 0
			groups[i] = m.Matcher.Scratch.union(lists)
		}
	}
	return widened, nil
}

// unfinished widens the last group to the words that begin like it.
func (m *matching) unfinished(r *ParsedQuery, groups []*Postings) error {
	last := len(groups) - 1
	if enough, err := m.foundEnough(hit.TierUnfinished); enough || err != nil || !r.Open || last < 0 {
		return err
	}
	p, err := m.Matcher.unfinished(m.ctx, r.Words[last].Text)
	if one := m.Matcher.singular(r.Words[last].Text); err == nil && one != "" && text.TypingErrors(one) == 0 && !m.visible.Shows(groups[last].Docs) {
		// For such a short word, words that begin with it are closer than words that differ
		// from its plural by a letter.
		p, err = m.Matcher.unfinished(m.ctx, one)
	}
	if err != nil {
		return err
	}
	digraphs, err := m.Matcher.unfinished(m.ctx, r.Words[last].digraphs)
	if err != nil || len(p.Docs)+len(digraphs.Docs) == 0 {
		return err
	}
	groups[last] = m.Matcher.Scratch.union([]weighted{{groups[last], 1}, {p, 1}, {digraphs, 1}})
	m.matchAll(hit.TierUnfinished, r, groups)
	return nil
}

// respell adds the tiers of typing errors.
func (m *matching) respell(r *ParsedQuery, groups []*Postings) error {
	for _, t := range [...]hit.Tier{hit.TierCorrected, hit.TierMisspelt} {
		before, err := m.Count()
		if err != nil || before >= enough[t] {
			return err
		}
		if t == hit.TierMisspelt && before == 0 && r.Telling > 1 && m.allFound(r, groups) {
			break // existing words take precedence over similar ones
		}
		corrected := slices.Clone(m.understood.Corrected)
		if err := m.widen(t, r, groups); err != nil {
			return err
		}
		m.matchAll(t, r, groups)
		if t == hit.TierMisspelt {
			after, err := m.Count()
			if err != nil {
				return err
			}
			if after == before {
				m.understood.Corrected = corrected // correcting a known word did not help
			}
		}
	}
	return nil
}

// relax adds the tiers of missing words if few listings have all of them.
func (m *matching) relax(r *ParsedQuery, groups []*Postings) error {
	n, err := m.Count()
	if err != nil || n >= FewAnswers && r.Wider == asAsked {
		return err
	}
	if m.understood.partly = n == 0 && r.Telling > 1; m.understood.partly {
		if err := m.forgetLone(r, groups); err != nil {
			return err
		}
	}
	if !m.anyFound(r, groups) {
		r.asWritten() // only asking words are left
	}
	m.leaveOutUnmatched(r, groups)
	list, needed := m.groups(r, groups)
	if err := m.Weighed(list, needed, shortPart, r.Wider == anyWord); err != nil {
		return err
	}
	return m.learn(r)
}

// forgetLone undoes the correction of a word that no listing has if another word of the text
// exists as written, no listing has both that word and a correction, and neither is the name
// of a category or listing: chaos monkey does not ask for money.
func (m *matching) forgetLone(r *ParsedQuery, groups []*Postings) error {
	written := make([]*Postings, len(groups))
	for i, w := range r.Words {
		if w.Stop {
			continue
		}
		p, err := m.Matcher.wordPostings(m.ctx, w, TypedForms)
		if err != nil {
			return err
		}
		if m.visible.Shows(p.Docs) {
			written[i] = p
		}
	}
	m.understood.Corrected = slices.DeleteFunc(m.understood.Corrected, func(c correction) bool {
		lone := false
		for i, p := range written {
			if i == c.Word || p == nil {
				continue
			}
			if lone = true; m.visible.Shows(both(p, groups[c.Word]).Docs) {
				return false
			}
		}
		ofCategory := func(word string) bool { return m.Matcher.Meanings.OfCategories[m.Matcher.Stems.Of(word)] }
		if !lone || written[c.Word] != nil || m.named(groups[c.Word]) || slices.ContainsFunc(c.To, ofCategory) {
			return false
		}
		groups[c.Word] = &Postings{Terms: &Terms{}}
		return true
	})
	return nil
}

// named reports whether a visible listing has a word in its name.
func (m *matching) named(p *Postings) bool {
	for at, doc := range p.Docs {
		if p.Impacts[at]&NamedBit != 0 && !m.visible.Hides(m.Matcher.Corpus.SellerOf[doc]) {
			return true
		}
	}
	return false
}

// anyFound reports whether any required word has a listing.
func (m *matching) anyFound(r *ParsedQuery, groups []*Postings) bool {
	for i, w := range r.Words {
		if !w.Stop && m.visible.Shows(groups[i].Docs) {
			return true
		}
	}
	return false
}

// allFound reports whether every required word has a listing.
func (m *matching) allFound(r *ParsedQuery, groups []*Postings) bool {
	for i, w := range r.Words {
		if !w.Stop && !m.visible.Shows(groups[i].Docs) {
			return false
		}
	}
	return true
}

// leaveOutUnmatched reports the words that no listing has, in any spelling, if the other words of
// the text find listings without them.
func (m *matching) leaveOutUnmatched(r *ParsedQuery, groups []*Postings) {
	var unheld []int
	needed := 0
	for i, w := range r.Words {
		if w.Stop {
			continue
		}
		if needed++; !m.visible.Shows(groups[i].Docs) {
			unheld = append(unheld, i)
		}
	}
	if len(unheld) < needed {
		m.understood.leave(unheld...)
	}
}

// A word found in at least wellKnown listings is never treated as a misspelling.
const wellKnown = 20

// known reports whether a word with these listings counts as correctly spelled.
func (m *matching) known(w queryWord, p *Postings) (bool, error) {
	if m.Matcher.Meanings.OfCategories[m.Matcher.Stems.Of(w.Text)] || m.visible.Count(p.Docs) >= wellKnown {
		return true, nil
	}
	exact, err := m.Matcher.Word(m.ctx, w.Text)
	if one := m.Matcher.singular(w.Text); one != "" && err == nil && !m.visible.Shows(exact.Docs) {
		exact, err = m.Matcher.Word(m.ctx, one)
	}
	return m.visible.Shows(exact.Docs), err
}

// singular returns a word without its plural s, or "" if it has none.
func (x *Lexicon) singular(word string) string {
	if one, plural := strings.CutSuffix(word, "s"); plural && one != "" && x.Stems.Of(one) == x.Stems.Of(word) {
		return one
	}
	return ""
}

// maxCorrected is the maximum number of words of a text that are looked up as misspellings,
// which bounds the most expensive step.
const maxCorrected = 4

// widen adds to the groups the words that theirs may be misspellings of: in TierCorrected for
// words without any listing, in TierMisspelt for all. It does not correct words without
// meaning, even if the text asks for nothing else; phrases of another language (without is not
// a misspelling of with); or names of currencies (pounds is not ponds). In TierMisspelt it
// does not correct words of many listings, in a listing's name or in a category's name. Beside
// other words, a word found in articles counts as correct.
func (m *matching) widen(t hit.Tier, r *ParsedQuery, groups []*Postings) error {
	looked := 0
	for i, w := range r.Words {
		if w.Stop || w.asks || m.Matcher.Language.IsStop(w.Text) || text.Asks(w.Text) || question.Speaks(w.Text) || t == hit.TierCorrected && m.visible.Shows(groups[i].Docs) {
			continue
		}
		if t == hit.TierMisspelt {
			if known, err := m.known(w, groups[i]); err != nil {
				return err
			} else if known {
				continue
			}
		}
		if r.Telling > 1 && m.Matcher.Articles.hold(w.Text, m.Matcher.Stems) {
			continue
		}
		if looked++; looked > maxCorrected {
			return nil
		}
		p, err := m.Matcher.misspelt(m.ctx, w.Text, m.visible)
		if err != nil {
			return err
		}
		if len(p.Docs) > 0 {
			m.understood.correct(i, p.Words)
			groups[i] = m.Matcher.Scratch.union([]weighted{{groups[i], 1}, {p, 1}})
		}
	}
	return nil
}

// The score of a listing is the BM25 score of its words, plus a bonus for words in its name:
// as much again if the words are the whole name, less if the name is longer.
const (
	NameBonus = 0.3
	RestBonus = 0.6
)

// besideCategory is the weight of an asking word beside the name of a category: a query for
// tracing tools should not prefer listings that often call themselves a tool.
const besideCategory = 0.1

// matchAll finds the listings with every required word.
func (m *matching) matchAll(t hit.Tier, r *ParsedQuery, lists []*Postings) {
	groups, needed := m.groups(r, lists)
	m.All(t, groups, needed)
}

// groups returns the groups of the words: required ones first, the rarest leading. Stop words
// count if they occur but are not required.
func (m *matching) groups(r *ParsedQuery, lists []*Postings) (groups []Group, needed int) {
	groups = make([]Group, 0, len(lists))
	for i, p := range lists {
		n := m.visible.Count(p.Docs)
		g := Group{Postings: p, Listings: n, Idf: m.Matcher.Idf(n, m.visible), Stop: r.Words[i].Stop}
		if !g.Stop {
			needed++
		} else if r.Words[i].asks && len(m.understood.Categories) > 0 {
			g.Idf *= besideCategory
		}
		groups = append(groups, g)
	}
	m.weigh(r, groups)
	slices.SortStableFunc(groups, func(a, b Group) int {
		if a.Stop != b.Stop {
			if a.Stop {
				return 1
			}
			return -1
		}
		return a.Listings - b.Listings
	})
	return groups, needed
}
