package search

import (
	"slices"
	"souk/build/document"
	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/grammar"
	"souk/dynamic/search/match"
	"strings"
)

const (
	// maxExcluded is how many words of meaning are excluded as one thing; where more
	// follow, what is excluded is not safe to say.
	maxExcluded = 3
	// maxStanding is how many categories stand for a listing, and maxSimilar how many
	// words of all of them and of its summary.
	maxStanding = 3
	maxSimilar  = 8
)

// likeness understands that something like a listing is asked for: the listing is left
// out, and its categories and the words of its summary are asked for.
func (r *reading) likeness(i, end int, means grammar.Meaning) (next int, err error) {
	if means == grammar.Like && i > 0 && !r.pieces[i].Ended && !r.Anything[r.pieces[i-1].Folded] || len(r.left) > 0 {
		return i, nil
	}
	from := end
	if from < len(r.pieces) && r.ArticleWords[r.pieces[from].Folded] {
		from++
	}
	for to := min(len(r.pieces), from+maxNameWords); to > from; to-- {
		name := r.compact(from, to)
		if name == "" || r.pieces[from].Ended {
			continue
		}
		list, err := r.listingsCalled(r.said(from, to))
		if err != nil {
			return i, err
		}
		if len(list) == 0 {
			continue
		}
		if hasRun(match.WordsOf(r.index.Corpus.Name(list[0])), match.WordsOf(r.said(i, to))) {
			return i, nil // Like Minds Consulting is being typed, not asked for what is like it
		}
		if denied := r.denied(i); denied < i {
			return r.leaveOut(denied, to), nil
		}
		next = to
		if to < len(r.pieces) && r.But[r.pieces[to].Folded] && !r.deniesAt(to) {
			next++
		}
		if means == grammar.Like && i > 0 && !r.pieces[i].Ended {
			i--
		}
		r.standFor(i, to, list)
		if next > to {
			for at := r.pieces[to].From; at < r.pieces[to].To; at++ {
				r.rest[at] = ' '
			}
		}
		return r.thanIt(next), nil
	}
	return i, nil
}

// othersThan understands that something like the listing is asked for whose name is before a
// piece, as in X alternatives.
func (r *reading) othersThan(i int) (next int, err error) {
	for from := max(0, i-maxNameWords); from < i && !r.pieces[i].Ended && len(r.left) == 0; from++ {
		if !r.free(from) {
			continue
		}
		list, err := r.index.ListingsNamed(r.ctx, text.Compacts(r.said(from, i)), r.visible)
		if err != nil {
			return i, err
		}
		if len(list) == 0 && from == i-1 {
			if list, err = r.listingsCalled(r.pieces[from].Raw); err != nil {
				return i, err
			}
		}
		if len(list) > 0 && r.denied(from) == from {
			r.standFor(from, i+1, list)
			return i + 1, nil
		}
	}
	return i, nil
}

// standFor tells that something like some listings is asked for, and has the first stand for them.
func (r *reading) standFor(i, end int, list []uint32) {
	r.stand(list)
	link := r.index.Corpus.Link(r.index.Corpus.Listing(list[0]))
	r.tell(i, end, Interpretation{As: document.AsSimilar, To: slices.Clone(r.appended), Link: &link})
}

// stand has the categories and the summary of the first of some listings stand for them, which
// are left out.
func (r *reading) stand(list []uint32) {
	corpus := r.index.Corpus
	l := corpus.Listing(list[0])
	own := map[string]bool{}
	for _, t := range text.Tokens(nil, l.Offer.Name) {
		own[t.Text] = true
	}
	add := func(most int, texts ...string) {
		for _, t := range text.Tokens(nil, strings.Join(texts, " ")) {
			if most > 0 && !own[t.Text] && !r.index.Language.IsStop(t.Text) && !slices.Contains(r.appended, t.Text) && len(t.Text) <= index.MaxWord {
				r.appended = append(r.appended, t.Text)
				most--
			}
		}
	}
	var names []string
	for _, at := range l.Categories[:min(len(l.Categories), maxStanding)] {
		names = append(names, corpus.Categories[at].Item.Name)
	}
	add(maxSimilar, names...)
	add(maxSimilar, l.Offer.Summary)
	r.left, r.Categories = list, l.Categories
}

// exclusion understands what must not be had: a pattern behind the phrase, which knows
// that it is denied, or else the words up to the next phrase, comma or joiner.
func (r *reading) exclusion(i, end int, means grammar.Meaning) (next int, err error) {
	from := end
	for from < len(r.pieces) && !r.pieces[from].Ended && r.ArticleWords[r.pieces[from].Folded] {
		from++
	}
	if from >= len(r.pieces) || r.pieces[from].Ended || r.pieces[from].Hyphen {
		return i, nil
	}
	if !slices.ContainsFunc(r.Phrases[r.pieces[end].Folded], func(p grammar.Phrase) bool { return p.Means.Denies() }) {
		if next, err = r.at(end); next > end || err != nil {
			return next, err
		}
	}
	if from == r.behindThe(end) {
		if code, to := r.countryFrom(from); code != "" {
			return r.inCountries(r.denied(end), from, to, code), nil
		}
	}
	to, err := r.unwanted(from)
	if err != nil {
		return i, err
	}
	last := r.truthFrom(from, to)
	if last == from && means == grammar.CommaExcluding {
		last = r.valueFrom(from, to)
	}
	if last == to && means == grammar.TailExcluding && i > 0 || last > from && means == grammar.CommaExcluding {
		return r.exclude(i, from, last, exclusion{words: r.wordsOf(from, last)}), nil
	}
	if next := r.deniedAmount(from, to); next > to {
		return next, nil
	}
	words := r.wordsOf(from, to)
	if len(words) == 0 || len(words) > maxExcluded {
		return i, nil
	}
	alone := means == grammar.CommaExcluding && i == 0 && to == len(r.pieces)
	if alone && to > from+1 {
		return r.nonThing(i)
	}
	if means != grammar.Excluding && !alone {
		joined, err := r.index.Word(r.ctx, r.pieces[i].Folded+words[0])
		// No code, NoSQL.
		if err != nil || i == 0 || to < len(r.pieces) && !r.deniesAt(to) || r.visible.Shows(joined.Docs) {
			return i, err
		}
		if means == grammar.CommaExcluding && !r.pieces[i].Ended && !r.listed(i, from, len(words)) {
			// A mesh that is not Istio.
			named, err := r.index.ListingsNamed(r.ctx, text.Compacts(r.said(from, to)), r.visible)
			if err != nil || len(named) == 0 {
				return i, err
			}
		}
	}
	r.exclude(i, end, to, exclusion{words: words})
	if means == grammar.Excluding {
		return r.row(to)
	}
	return to, nil
}

// exclude tells that what the pieces from one to before end say is excluded, behind what begins
// at i.
func (r *reading) exclude(i, from, end int, what exclusion) (next int) {
	if at := r.makerNamed(from, end); at >= 0 {
		what.seller = namedMaker
		r.unasked = append(r.unasked, r.index.Corpus.Sellers[at].Company.Slug)
	}
	r.without = append(r.without, what)
	r.tell(i, end, Interpretation{As: document.AsExcluded, To: what.words})
	return end
}

// minus understands what has a minus before it, as in mower -petrol or -red-wine: it must not be
// had, or not be from there.
func (r *reading) minus(i int) (next int) {
	if !r.pieces[i].Minus {
		return i
	}
	if code, end := r.countryFrom(i); code != "" {
		r.elsewhere = append(r.elsewhere, code)
		r.tell(i, end, Interpretation{As: document.AsExcluded, To: []string{code}})
		return end
	}
	end := i + 1
	for end < len(r.pieces) && r.pieces[end].Hyphen {
		end++
	}
	words := r.wordsOf(i, end)
	if len(words) == 0 || len(words) > maxExcluded {
		return i
	}
	return r.exclude(i, i, end, exclusion{words: words})
}

// nonThing understands that what a word says must not be had, or all that hyphens join to it, as
// in non-electric or, at the beginning, not electric bikes. No listing that may be shown is called so: non-stick is
// wanted where one is.
func (r *reading) nonThing(i int) (next int, err error) {
	if i+1 >= len(r.pieces) || r.pieces[i+1].Ended {
		return i, nil
	}
	end := i + 2
	for end < len(r.pieces) && r.pieces[end].Hyphen {
		end++ // non-open-source
	}
	words := r.wordsOf(i+1, end)
	if len(words) == 0 || len(words) > maxExcluded {
		return i, nil
	}
	joined, err := r.index.Word(r.ctx, r.pieces[i].Folded+words[0])
	if err != nil || r.visible.Shows(joined.Docs) {
		return i, err
	}
	return r.exclude(i, i+1, end, exclusion{words: words}), nil
}

// truthFrom returns where the name of an attribute ends that is true or false of things and
// begins at a piece, within a thing that ends before another; from itself if there is none.
func (r *reading) truthFrom(from, to int) (end int) {
	for end = min(to, from+maxNameWords); end > from; end-- {
		at, known := r.truthNamed(from, end)
		if known && len(r.wordsOf(from, end)) > 0 && r.index.facets.Shown(r.index.facets.List[at].First, r.index.facets.List[at].End, r.visible) {
			break
		}
	}
	return end
}

// valueFrom returns where a value that an attribute has in words ends, which begins at a piece,
// within a thing that ends before another; from itself if there is none.
func (r *reading) valueFrom(from, to int) (end int) {
	for end = min(to, from+maxExcluded); end > from; end-- {
		if len(r.wordsOf(from, end)) > 0 && r.isValue(r.said(from, end)) {
			break
		}
	}
	return end
}

// isValue reports whether an attribute of something that may be shown has a value in words.
func (r *reading) isValue(value string) bool {
	for at := range r.index.facets.List {
		one := &r.index.facets.List[at]
		if one.Filter != document.FilterAttribute || one.Kind != facet.TextValues {
			continue
		}
		if id, held := r.index.facets.Find(one, value); held && r.index.facets.Shown(id, id+1, r.visible) {
			return true
		}
	}
	return false
}

// truthNamed returns the facet of what is true or false of things by the name that the pieces
// from one to before another are.
func (r *reading) truthNamed(from, end int) (at int, known bool) {
	if at, known = r.truths[stemmed(r.said(from, end), r.index.Language)]; known {
		return at, true
	}
	name := r.compact(from, end)
	at, known = r.truths[name]
	return at, known && name != ""
}

// row understands what else is excluded behind a first thing, as in without red, blue or
// green, or neither red, blue nor green, and returns the piece behind it. Behind a comma
// alone something else may be wanted.
func (r *reading) row(to int) (next int, err error) {
	at, ends := to, []int{to}
	for at+1 < len(r.pieces) && r.gap(at) == "," && !r.Alternatives[r.pieces[at].Folded] && !r.border(at) && len(ends) <= maxExcluded {
		if at, err = r.unwanted(at); err != nil {
			return to, err
		}
		ends = append(ends, at)
	}
	switch {
	case at+1 >= len(r.pieces):
		return to, nil
	case r.Alternatives[r.pieces[at].Folded] && !r.pieces[at+1].Ended && !r.border(at+1):
		if at, err = r.unwanted(at + 1); err != nil {
			return to, err
		}
		ends = append(ends, at)
	case !r.goesOn(at) || !r.deniesAt(at): // which is understood by itself
		return to, nil
	}
	for _, end := range ends[1:] {
		first := to
		if r.Alternatives[r.pieces[to].Folded] {
			first++
		}
		words := r.wordsOf(first, end)
		if len(words) == 0 || len(words) > maxExcluded {
			break
		}
		to = r.exclude(to, first, end, exclusion{words: words})
	}
	return to, nil
}

// unwanted returns where what is excluded from a piece on ends. A number is part of it in the
// name of a listing: whoever says not Wren 9 may want Wren 7.
func (r *reading) unwanted(from int) (to int, err error) {
	to = r.thing(from)
	if to < len(r.pieces) && r.pieces[to].Number && !r.pieces[to].Ended {
		named, _, err := r.listingsAt(from)
		return max(to, named), err
	}
	return to, nil
}

// deniesAt reports whether a denial begins at a piece.
func (r *reading) deniesAt(i int) bool {
	return slices.ContainsFunc(r.Phrases[r.pieces[i].Folded], func(p grammar.Phrase) bool { return p.Means.Denies() && r.reads(i, p.Words) })
}

// thing returns where what is named from a piece on ends.
func (r *reading) thing(from int) (to int) {
	to = from + 1
	for to < len(r.pieces) && !r.pieces[to].Ended && !r.border(to) {
		to++
	}
	return to
}

// wordsOf returns the words of meaning among the pieces from i to before end.
func (r *reading) wordsOf(i, end int) (words []string) {
	for _, t := range text.Tokens(nil, r.said(i, end)) {
		if !r.index.Language.IsStop(t.Text) {
			words = append(words, t.Text)
		}
	}
	return words
}

// listed reports whether a denial at a piece stands between two things, as in battery not
// steel, rather than in a sentence, as in what we do not trust: in a text of few words,
// behind one of meaning and before one, so many of which follow.
func (r *reading) listed(i, from, words int) bool {
	q := match.Parse(r.typed, r.index.Language)
	telling := func(p *grammar.Piece) bool {
		return slices.ContainsFunc(q.Words, func(w match.QueryWord) bool { return w.From == p.From && !w.Stop })
	}
	return q.Telling-words <= match.StrictWords && telling(&r.pieces[i-1]) && telling(&r.pieces[from])
}

// deniedAmount understands that an attribute, whose name the pieces from one to before
// another are, must not have an amount, as in without a payload over 5 kg.
func (r *reading) deniedAmount(from, to int) (next int) {
	if to == len(r.pieces) || r.attributes[stemmed(r.said(from, to), r.index.Language)] == nil {
		return to
	}
	for _, p := range r.Phrases[r.pieces[to].Folded] {
		end := to + len(p.Words)
		if a, ok := r.money(end); ok && a.currency == "" && (p.Means == grammar.AtMost || p.Means == grammar.AtLeast) && r.reads(to, p.Words) {
			return r.bounded(to, end, p.Means)
		}
	}
	return to
}

// border reports whether what is excluded ends before a piece.
func (r *reading) border(i int) bool {
	p := &r.pieces[i]
	if p.Number || r.PlaceJoiners[p.Folded] || r.RangeJoiners[p.Folded] || r.But[p.Folded] || r.BorderWords[p.Folded] {
		return true
	}
	return slices.ContainsFunc(r.Phrases[p.Folded], func(f grammar.Phrase) bool { return r.reads(i, f.Words) })
}
