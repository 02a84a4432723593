package search

import (
	"context"
	"math"
	"slices"
	"strings"

	"souk/build/index"
	"souk/build/index/terms"
	"souk/build/index/text"
	"souk/dynamic/search/grammar"
)

// A tier is how a listing was found. A stricter tier comes before a laxer one,
// whatever the scores.
type tier uint32

const (
	// tierSKU: the whole query is its SKU, or that of a variant.
	tierSKU tier = iota
	// tierName: the whole query is its name.
	tierName
	// tierAll: it has every word.
	tierAll
	// tierUnfinished: it has every word; the last may be the beginning of one, what others
	// write as one word may be two, and what no listing has may be a keyword of its seller.
	tierUnfinished
	// tierCorrected: it has every word; words that no listing has count as
	// misspelled.
	tierCorrected
	// tierMisspelt: it has every word, any of which may be misspelled.
	tierMisspelt
	// tierMost: it has all words but one; of a question, enough by weight.
	tierMost
	// tierSome: it has at least half of the words, else any; of a question, any.
	tierSome
)

// enough is how many listings the stricter tiers must have found, without
// withheld ones and before filters, for a tier to stay closed.
var enough = [...]int{tierUnfinished: 10, tierCorrected: 3, tierMisspelt: 3, tierMost: 1, tierSome: 1}

// matches are the listings that a query finds. Each is a 64-bit key: 3 bits of
// tier, 29 of score, the greatest first, and 32 of the place in the order of
// names. The least key is the best.
type matches []uint64

const scoreBits = 29

func keyOf(t tier, score float32, doc uint32) uint64 {
	// The bits of positive floats sort like their values; the sign bit is zero
	// and the two lowest bits are noise.
	inverted := uint64(1)<<scoreBits - 1 - uint64(math.Float32bits(score)>>2)
	return uint64(t)<<(32+scoreBits) | inverted<<32 | uint64(doc)
}

func docOf(key uint64) uint32 { return uint32(key) }

// A matcher finds the listings of one query: what they must hold, tier by tier, which
// the gathering collects.
type matcher struct {
	gathering
	index   *Index
	ctx     context.Context
	visible *visibility
	told    understanding
}

// match returns the listings of a query and those that it compares, which come first,
// before filters, and how it was understood.
func (x *Index) match(ctx context.Context, r *parsedQuery, compared []uint32, v *visibility) (found, understanding, error) {
	m := &matcher{gathering: x.engine.begin(ctx, x, v), index: x, ctx: ctx, visible: v}
	for _, doc := range compared {
		m.one(tierSKU, 0, doc)
	}
	var err error
	switch {
	case strings.TrimSpace(r.text) == "":
		m.everything()
	case len(r.compacts) > 0:
		if err = m.run(r); err == nil {
			err = m.nameCorrected(r)
		}
	}
	f := m.end()
	if err == nil {
		err = m.forgetIdle(r, f)
	}
	return f, m.told, err
}

// forgetIdle tells of corrected words as left out where no listing found has what they were
// corrected to: others were found without them.
func (m *matcher) forgetIdle(r *parsedQuery, f found) error {
	if !m.told.partly {
		return nil
	}
	var held []correction
	for _, c := range m.told.corrected {
		p, err := m.index.misspelt(m.ctx, r.words[c.word].text, m.visible)
		if err != nil {
			return err
		}
		docs, all, err := f.among(m.ctx, p, 1)
		if err != nil {
			return err
		}
		if all && len(docs) == 0 {
			m.told.leave(c.word)
		} else {
			held = append(held, c)
		}
	}
	m.told.corrected = held
	return nil
}

// nameCorrected tells of the categories that corrected words name together with others, as
// robto arm does Robot arms. One beside others says too little: it may be of a name. One alone
// that is the name of a listing or a seller, and of no category, asks for that.
func (m *matcher) nameCorrected(r *parsedQuery) error {
	if len(m.told.corrected) == 1 && len(r.words) == 1 {
		name := text.Compacts(m.told.corrected[0].to[0])
		if m.index.exact.category(name) < 0 {
			if named, err := m.index.namesOffer(m.ctx, name, m.visible); named || err != nil {
				return err
			}
		}
	}
	meant := *r
	meant.words = slices.Clone(r.words)
	for _, c := range m.told.corrected {
		meant.words[c.word].text = c.to[0]
	}
	for _, s := range m.index.meanings.spans(&meant, m.index.stems) {
		within := func(i int) bool { return s.from <= i && i < s.to }
		if len(s.categories) > 0 && (s.to-s.from > 1 || r.telling == 1) && slices.ContainsFunc(m.told.corrected, func(c correction) bool { return within(c.word) }) {
			shorter := func(c recognised) bool { return within(c.fromWord) }
			m.told.categories = append(slices.DeleteFunc(m.told.categories, shorter), recognised{s.from, s.to, s.categories[0]})
		}
	}
	return nil
}

func (m *matcher) foundEnough(t tier) (bool, error) {
	n, err := m.count()
	return n >= enough[t], err
}

// exact finds the listings whose SKU or name is the whole query. Names that are
// spelled like the query come first.
func (m *matcher) exact(r *parsedQuery) error {
	for t, prefix := range [...]string{tierSKU: index.ExactSKU, tierName: index.ExactName} {
		for _, compact := range r.compacts {
			p, err := m.index.read(m.ctx, terms.Exact, prefix+compact)
			if err != nil {
				return err
			}
			for _, doc := range p.docs {
				score := float32(0)
				if tier(t) == tierName {
					score = float32(likenessOf(m.index.corpus.name(doc), r.text, r.spelled))
				}
				m.one(tier(t), score, doc)
			}
		}
	}
	return nil
}

func (m *matcher) run(r *parsedQuery) error {
	x := m.index
	before, err := m.count()
	if err != nil {
		return err
	}
	if err := m.exact(r); err != nil {
		return err
	}
	n, err := m.count()
	if err != nil {
		return err
	}
	exact := n > before
	if exact {
		r.asWritten()
	} else {
		m.told.leftOut = r.leftOut()
	}
	if !exact && (r.telling > strictWords || r.standing || x.either(r)) {
		return m.question(r)
	}
	groups := make([]*postings, len(r.words))
	for i, w := range r.words {
		p, err := x.wordPostings(m.ctx, w, typedForms)
		if err != nil {
			return err
		}
		if i == len(r.words)-1 && r.open {
			p = x.begun(p, w)
		}
		groups[i] = p
	}
	if !exact {
		if err := m.mean(r, groups, typedForms); err != nil {
			return err
		}
	}
	m.matchAll(tierAll, r, groups)
	if before > 0 {
		return nil // what is compared is spelled as it is called
	}
	if err := m.matchFurther(r, groups); err != nil {
		return err
	}
	if enough, err := m.foundEnough(tierUnfinished); enough || err != nil {
		return err
	}
	if err := m.unfinished(r, groups); err != nil || exact {
		return err
	}
	return m.relax(r, groups)
}

// matchFurther finds what writes words as two, however many listings write them as one: whoever
// types a name cannot know how each writes it. Where no listing has a word, it finds those of
// sellers who are to be found by it.
func (m *matcher) matchFurther(r *parsedQuery, groups []*postings) error {
	widened, err := m.widenFurther(r, groups)
	if widened {
		m.matchAll(tierUnfinished, r, groups)
	}
	return err
}

// widenFurther widens the groups likewise; those of a long question only where no listing has the
// word, since what has it says more.
func (m *matcher) widenFurther(r *parsedQuery, groups []*postings) (widened bool, err error) {
	for i, w := range r.words {
		if w.stop || r.telling > strictWords && m.visible.shows(m.index, groups[i]) {
			continue
		}
		apart, err := m.apart(w.text)
		if err != nil {
			return false, err
		}
		if len(apart.docs) > 0 {
			m.told.apart = append(m.told.apart, correction{i, apart.words})
		}
		lists := []weighted{{groups[i], 1}, {apart, 1}}
		sellers := append([]string{w.text}, w.others...)
		if m.visible.shows(m.index, groups[i]) {
			sellers = nil // what says a word itself is what was asked for
		}
		for _, word := range sellers {
			of, err := m.index.exactly(m.ctx, index.ExactSellerWord+m.index.stems.of(word))
			if err != nil {
				return false, err
			}
			lists = append(lists, weighted{of, 1})
		}
		if lists = slices.DeleteFunc(lists, func(l weighted) bool { return len(l.docs) == 0 }); len(lists) > 1 || len(groups[i].docs) == 0 {
			widened = widened || len(lists) > 0
			groups[i] = m.index.scratch.union(lists)
		}
	}
	return widened, nil
}

// unfinished widens the last group to the words that begin like it.
func (m *matcher) unfinished(r *parsedQuery, groups []*postings) error {
	last := len(groups) - 1
	if !r.open || last < 0 {
		return nil
	}
	p, err := m.index.unfinished(m.ctx, r.words[last].text)
	if one := m.index.singular(r.words[last].text); err == nil && one != "" && text.TypingErrors(one) == 0 && !m.visible.shows(m.index, groups[last]) {
		// What a word of so few letters begins is nearer than what a letter of its plural is wrong in.
		p, err = m.index.unfinished(m.ctx, one)
	}
	if err != nil {
		return err
	}
	digraphs, err := m.index.unfinished(m.ctx, r.words[last].digraphs)
	if err != nil || len(p.docs)+len(digraphs.docs) == 0 {
		return err
	}
	groups[last] = m.index.scratch.union([]weighted{{groups[last], 1}, {p, 1}, {digraphs, 1}})
	m.matchAll(tierUnfinished, r, groups)
	return nil
}

// relax opens the tiers of typing errors and missing words.
func (m *matcher) relax(r *parsedQuery, groups []*postings) error {
	for _, t := range [...]tier{tierCorrected, tierMisspelt} {
		before, err := m.count()
		if err != nil || before >= enough[t] {
			return err
		}
		if t == tierMisspelt && before == 0 && r.telling > 1 && m.heldAll(r, groups) {
			break // words that are there are meant before what they are near to
		}
		corrected := slices.Clone(m.told.corrected)
		if err := m.widen(t, r, groups); err != nil {
			return err
		}
		m.matchAll(t, r, groups)
		if t == tierMisspelt {
			after, err := m.count()
			if err != nil {
				return err
			}
			if after == before {
				m.told.corrected = corrected // a known word was taken for others to no avail
			}
		}
	}
	if enough, err := m.foundEnough(tierMost); enough || err != nil || r.telling < 2 {
		return err
	}
	m.told.partly = true
	if err := m.forgetLone(r, groups); err != nil {
		return err
	}
	m.leaveOutUnheld(r, groups)
	m.matchSome(tierMost, r, groups, r.telling-1)
	for least := (r.telling + 1) / 2; least > 0; least-- {
		if enough, err := m.foundEnough(tierSome); enough || err != nil {
			return err
		}
		m.matchSome(tierSome, r, groups, least)
	}
	return m.ctx.Err()
}

// forgetLone takes back the correction of a word that no listing has, where another word of the
// text is there as it is written and no listing has both that and what the word was corrected to,
// nor it or a category is called so: chaos monkey asks for no money.
func (m *matcher) forgetLone(r *parsedQuery, groups []*postings) error {
	written := make([]*postings, len(groups))
	for i, w := range r.words {
		if w.stop {
			continue
		}
		p, err := m.index.wordPostings(m.ctx, w, typedForms)
		if err != nil {
			return err
		}
		if m.visible.shows(m.index, p) {
			written[i] = p
		}
	}
	m.told.corrected = slices.DeleteFunc(m.told.corrected, func(c correction) bool {
		lone := false
		for i, p := range written {
			if i == c.word || p == nil {
				continue
			}
			if lone = true; m.visible.shows(m.index, both(p, groups[c.word])) {
				return false
			}
		}
		ofCategory := func(word string) bool { return m.index.meanings.ofCategories[m.index.stems.of(word)] }
		if !lone || written[c.word] != nil || m.named(groups[c.word]) || slices.ContainsFunc(c.to, ofCategory) {
			return false
		}
		groups[c.word] = &postings{terms: &Terms{}}
		return true
	})
	return nil
}

// named reports whether a listing that may be shown has a word in its name.
func (m *matcher) named(p *postings) bool {
	for at, doc := range p.docs {
		if p.impacts[at]&namedBit != 0 && !m.visible.hides(m.index.corpus.sellerOf[doc]) {
			return true
		}
	}
	return false
}

// heldAll reports whether every word that is needed has a listing.
func (m *matcher) heldAll(r *parsedQuery, groups []*postings) bool {
	for i, w := range r.words {
		if !w.stop && !m.visible.shows(m.index, groups[i]) {
			return false
		}
	}
	return true
}

// leaveOutUnheld tells of the words that no listing has, in whatever spelling, where others of
// the text find something without them.
func (m *matcher) leaveOutUnheld(r *parsedQuery, groups []*postings) {
	var unheld []int
	needed := 0
	for i, w := range r.words {
		if w.stop {
			continue
		}
		if needed++; !m.visible.shows(m.index, groups[i]) {
			unheld = append(unheld, i)
		}
	}
	if len(unheld) < needed {
		m.told.leave(unheld...)
	}
}

// wellKnown is how many listings a word has that is none's misspelling.
const wellKnown = 20

// known reports whether a word is spelled as it is meant, given its listings.
func (m *matcher) known(w queryWord, p *postings) (bool, error) {
	if m.index.meanings.ofCategories[m.index.stems.of(w.text)] || m.visible.count(m.index, p) >= wellKnown {
		return true, nil
	}
	exact, err := m.index.word(m.ctx, w.text)
	if one := m.index.singular(w.text); one != "" && err == nil && !m.visible.shows(m.index, exact) {
		exact, err = m.index.word(m.ctx, one)
	}
	return m.visible.shows(m.index, exact), err
}

// singular returns a word without the s of its plural; "" if it is none.
func (x *Index) singular(word string) string {
	if one, plural := strings.CutSuffix(word, "s"); plural && one != "" && x.stems.of(one) == x.stems.of(word) {
		return one
	}
	return ""
}

// widen adds to the groups the words that theirs may be misspellings of: in
// tierCorrected for those without any listing, in tierMisspelt for all. A word that
// carries no meaning is spelled as it is meant, also where nothing else is asked, and so
// is one that tells of others in another language: without is no misspelt with. The name of a
// currency is no misspelt word either: who pays in pounds wants no ponds. No word of
// many listings is taken for another in tierMisspelt, nor one that a listing is called or
// that a category is named by. Beside others, a word that articles have is spelled right.
func (m *matcher) widen(t tier, r *parsedQuery, groups []*postings) error {
	for i, w := range r.words {
		if w.stop || w.asks || m.index.language.IsStop(w.text) || text.Asks(w.text) || grammar.TellsOfOthers()[w.text] || grammar.Currencies[w.text] != nil || t == tierCorrected && m.visible.shows(m.index, groups[i]) {
			continue
		}
		if t == tierMisspelt {
			if known, err := m.known(w, groups[i]); err != nil {
				return err
			} else if known {
				continue
			}
		}
		if r.telling > 1 && m.index.articles.hold(w.text, m.index.stems) {
			continue
		}
		p, err := m.index.misspelt(m.ctx, w.text, m.visible)
		if err != nil {
			return err
		}
		if len(p.docs) > 0 {
			m.told.correct(i, p.words)
			groups[i] = m.index.scratch.union([]weighted{{groups[i], 1}, {p, 1}})
		}
	}
	return nil
}

// The score of a listing is the BM25 score of its words, plus a bonus for those
// in its name: as much again if the words are the whole name, less if the name
// is longer.
const (
	nameBonus = 0.3
	restBonus = 0.6
)

// besideCategory is how much a word that only asks counts beside the name of a category:
// tracing tools are not those that call themselves a tool most often.
const besideCategory = 0.1

// matchAll finds the listings that have every needed word.
func (m *matcher) matchAll(t tier, r *parsedQuery, lists []*postings) {
	groups, needed := m.groups(r, lists)
	m.all(t, groups, needed)
}

// groups returns the groups of the words: needed ones first, the rarest
// leading. Stop words count if they occur but are not needed.
func (m *matcher) groups(r *parsedQuery, lists []*postings) (groups []group, needed int) {
	groups = make([]group, 0, len(lists))
	for i, p := range lists {
		g := group{p, m.index.idf(len(p.docs)), r.words[i].stop}
		if !g.stop {
			needed++
		} else if r.words[i].asks && len(m.told.categories) > 0 {
			g.idf *= besideCategory
		}
		groups = append(groups, g)
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		if a.stop != b.stop {
			if a.stop {
				return 1
			}
			return -1
		}
		return len(a.docs) - len(b.docs)
	})
	return groups, needed
}

// matchSome finds the listings that have at least this many of the needed
// words.
func (m *matcher) matchSome(t tier, r *parsedQuery, lists []*postings, least int) {
	groups, needed := m.groups(r, lists)
	m.some(t, groups, needed, least)
}
