package search

import (
	"slices"
	"souk/build/document"
	"souk/build/index/text"
	"souk/dynamic/search/grammar"
	"souk/dynamic/search/match"
	"strings"
)

// aroundJoiner understands that listings are compared by what stands between the names of
// two of them, from a piece to before another, as in X vs Y.
func (r *reading) aroundJoiner(i, end int) (next int, err error) {
	for from := max(0, i-maxNameWords); from < i && !r.pieces[i].Ended; from++ {
		if next, err = r.comparison(from, from, end, r.Alternatives); next > i || err != nil {
			return next, err
		}
	}
	return i, nil
}

// comparison understands that listings are compared, from a piece on: the names of two or
// more, the first of which begins at first and the second at second or later, with joiners
// or commas between them. They come first, and what has the words of all comes behind.
func (r *reading) comparison(i, first, second int, joiners map[string]bool) (next int, err error) {
	type naming struct {
		from, to int
		docs     []uint32
	}
	var names []naming
	for from := first; from < len(r.pieces); {
		one := naming{from: from}
		if one.to, one.docs, err = r.listingsAt(from); err != nil {
			return i, err
		}
		if len(one.docs) == 0 && from+1 < len(r.pieces) && r.ArticleWords[r.pieces[from].Folded] && !r.pieces[from+1].Ended {
			from++
			continue
		}
		if len(one.docs) == 0 {
			break
		}
		names, next, from = append(names, one), one.to, one.to
		switch {
		case from < len(r.pieces) && r.joins(from, joiners) > from:
			from = r.joins(from, joiners)
		case from < len(r.pieces) && !r.pieces[from].Ended:
			from = len(r.pieces)
		}
	}
	if len(names) < 2 || names[1].from < second || r.denied(i) < i {
		return i, nil
	}
	if i < first {
		r.tell(i, first, Interpretation{As: document.AsLeftOut})
	}
	for at, one := range names {
		link := r.index.Corpus.Link(r.index.Corpus.Listing(one.docs[0]))
		r.say(one.from, one.to, Interpretation{As: document.AsPreferred, To: []string{link.Name}, Link: &link})
		r.compares = append(r.compares, one.docs...)
		if at > 0 {
			between := r.rest[r.pieces[names[at-1].to-1].To:r.pieces[one.from].From]
			blank(between)
		}
	}
	return next, nil
}

// joins returns the end of the joiner of two listings that begins at a piece.
func (r *reading) joins(i int, joiners map[string]bool) (end int) {
	for _, p := range r.Phrases[r.pieces[i].Folded] {
		if p.Means == grammar.Against && r.reads(i, p.Words) {
			return i + len(p.Words)
		}
	}
	if joiners[r.pieces[i].Folded] {
		return i + 1
	}
	return i
}

// listingsAt returns the listings that the pieces from one on name, the longest name first, and
// where that ends.
func (r *reading) listingsAt(from int) (to int, docs []uint32, err error) {
	for to = min(len(r.pieces), from+maxNameWords); to > from; to-- {
		if r.free(from) && r.free(to-1) {
			docs, err = r.listingsCalled(r.said(from, to))
			if len(docs) > 0 || err != nil {
				return to, docs, err
			}
		}
	}
	return from, nil, nil
}

// maxAbbreviated is how many listings have a word that may be an abbreviation of one's name:
// more are not looked through.
const maxAbbreviated = 256

// listingsCalled returns the listings that may be shown with a name; where there are none,
// the only one that has these words, two or more, in its name, as Wren 7 arm has Wren 7, that begins
// with a word of no other, as Apistop strips does, or has an abbreviation behind it, as Rigid Frame
// Arm (RFA) has RFA.
func (r *reading) listingsCalled(name string) ([]uint32, error) {
	docs, err := r.index.ListingsNamed(r.ctx, text.Compacts(name), r.visible)
	said := match.WordsOf(name)
	if len(docs) > 0 || err != nil || len(said) == 0 {
		return docs, err
	}
	held, err := r.index.Phrase(r.ctx, said, match.TypedForms)
	if err != nil || len(said) == 1 && len(held.Docs) > maxAbbreviated {
		return nil, err
	}
	alone := r.visible.Count(held.Docs) == 1
	for _, doc := range held.Docs {
		full := r.index.Corpus.Name(doc)
		called := match.WordsOf(full)
		if r.visible.Hides(r.index.Corpus.SellerOf[doc]) || !(len(said) > 1 && hasRun(called, said) || abbreviates(name, full) || alone && len(called) > 0 && called[0] == said[0]) {
			continue
		}
		if docs = append(docs, doc); len(docs) > 1 {
			return nil, nil
		}
	}
	return docs, nil
}

// abbreviates reports whether a name ends with an abbreviation in parentheses that is typed.
func abbreviates(typed, name string) bool {
	_, short, found := strings.Cut(name, " (")
	short, closed := strings.CutSuffix(short, ")")
	return found && closed && strings.EqualFold(short, typed) && short[0] >= 'A' && short[0] <= 'Z'
}

// hasRun reports whether a list has another in it, one after the other.
func hasRun(list, run []string) bool {
	for ; len(list) >= len(run); list = list[1:] {
		if slices.Equal(list[:len(run)], run) {
			return true
		}
	}
	return false
}
