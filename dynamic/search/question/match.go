package question

import (
	"slices"
	"strings"
)

// maxName is the maximum number of pieces in a name.
const maxName = 6

// A mark is a phrase in a text: the pieces from one up to another.
type mark struct {
	from, to int
	*phrase
}

// A name is the meaning of the pieces from one up to another.
type name struct {
	to     int
	things []Thing
}

// A span is pieces that were understood.
type span struct {
	from, to int
	Meaning
	// bound is the bound that the pieces express, or nil for another meaning.
	bound *bound
	// keeps means that the pieces stay in the text; silent, that no Meaning reports them.
	keeps, silent bool
}

// A reader reads one text.
type reader struct {
	*Table
	Market
	text   string
	pieces []piece
	// begins and ends are the phrases that begin at a piece and end before it, names the names
	// that begin at a piece, each longest first.
	begins, ends [][]mark
	names        [][]name
	taken        []bool
	spans        []*span
	// likened means that the text asks for something like a listing, which counts only once.
	likened bool
	// lookups counts the searches for listings by words.
	lookups int
	// excluded counts the exclusions.
	excluded int
}

// Read returns the meaning of a text in a market.
func (t *Table) Read(text string, market Market) *Reading {
	r := &reader{Table: t, Market: market, text: text, pieces: pieces(text)}
	r.look()
	r.amounts()
	for i := 0; i < len(r.pieces); {
		i = max(i+1, r.rule(i))
	}
	r.denials()
	r.settle()
	r.kind()
	return r.reading()
}

// look finds the phrases and names in the text.
func (r *reader) look() {
	n := len(r.pieces)
	r.begins, r.ends, r.names, r.taken = make([][]mark, n), make([][]mark, n+1), make([][]name, n), make([]bool, n)
	for i := range r.pieces {
		for _, p := range r.phrases[r.pieces[i].folded] {
			if to := i + len(p.words); r.reads(i, p.words) {
				r.begins[i] = append(r.begins[i], mark{i, to, p})
				r.ends[to] = append(r.ends[to], mark{i, to, p})
			}
		}
		for to := r.stretch(i); to > i; to-- {
			if things := r.Names(r.said(i, to)); len(things) > 0 {
				r.names[i] = append(r.names[i], name{to, things})
			}
		}
	}
}

// reads reports whether the pieces from i on are these words, within one sentence.
func (r *reader) reads(i int, words []string) bool {
	if i+len(words) > len(r.pieces) {
		return false
	}
	for j, w := range words {
		if p := &r.pieces[i+j]; p.folded != w || j > 0 && p.ended {
			return false
		}
	}
	return true
}

// stretch returns the last possible end of a name that begins at a piece.
func (r *reader) stretch(i int) (to int) {
	to = min(i+1, len(r.pieces))
	for to < min(len(r.pieces), i+maxName) && !r.pieces[to].ended {
		to++
	}
	return to
}

// said returns the text of the pieces from i up to to.
func (r *reader) said(i, to int) string { return r.text[r.pieces[i].from:r.pieces[to-1].to] }

// goesOn reports whether a piece follows in the same sentence.
func (r *reader) goesOn(i int) bool { return i < len(r.pieces) && !r.pieces[i].ended }

// at returns the longest phrase with one of some roles that begins at a piece.
func (r *reader) at(i int, roles ...role) (mark, bool) {
	if i >= len(r.pieces) {
		return mark{}, false
	}
	return first(r.begins[i], roles)
}

// before returns the longest phrase with one of some roles that ends before a piece, in the
// same sentence.
func (r *reader) before(i int, roles ...role) (mark, bool) {
	if i < len(r.pieces) && r.pieces[i].ended {
		return mark{}, false
	}
	m, found := first(r.ends[i], roles)
	return m, found && !r.taken[m.from]
}

// first returns the longest of some phrases with one of some roles.
func first(marks []mark, roles []role) (longest mark, found bool) {
	for _, m := range marks {
		if slices.Contains(roles, m.role) && (!found || len(m.words) > len(longest.words)) {
			longest, found = m, true
		}
	}
	return longest, found
}

// has reports whether a phrase with one of some roles begins at a piece, in the same sentence.
func (r *reader) has(i int, roles ...role) bool {
	_, found := r.on(i, roles...)
	return found
}

// on returns the longest phrase with one of some roles that begins at a piece, in the same
// sentence.
func (r *reader) on(i int, roles ...role) (mark, bool) {
	m, found := r.at(i, roles...)
	return m, found && r.goesOn(i)
}

// numberAt, gluedAt and hyphenAt report whether such a piece follows.
func (r *reader) numberAt(i int) bool { return i < len(r.pieces) && r.pieces[i].number }
func (r *reader) gluedAt(i int) bool  { return i < len(r.pieces) && r.pieces[i].glued() }
func (r *reader) hyphenAt(i int) bool { return i < len(r.pieces) && r.pieces[i].hyphen() }

// behind returns the first piece from i on that does not begin a phrase with one of some
// roles.
func (r *reader) behind(i int, roles ...role) int {
	for {
		m, found := r.at(i, roles...)
		if !found || !r.goesOn(i) {
			return i
		}
		i = m.to
	}
}

// ahead returns the first piece of the consecutive phrases with some roles that end before a
// piece.
func (r *reader) ahead(i int, roles ...role) int {
	for {
		m, found := r.before(i, roles...)
		if !found {
			return i
		}
		i = m.from
	}
}

// named returns the longest name of a thing with a filter that begins at a piece.
func (r *reader) named(i int, filter string) (values []string, to int) {
	if i >= len(r.pieces) {
		return nil, i
	}
	for _, n := range r.names[i] {
		for _, thing := range n.things {
			if thing.Filter == filter {
				values = append(values, thing.Value)
			}
		}
		if len(values) > 0 {
			return values, n.to
		}
	}
	return nil, i
}

// take adds a span and returns the piece after it.
func (r *reader) take(s *span) int {
	for i := s.from; i < s.to; i++ {
		r.taken[i] = true
	}
	r.spans = append(r.spans, s)
	return s.to
}

// mean takes pieces as values of a filter.
func (r *reader) mean(from, to int, as As, filter string, values ...string) int {
	return r.take(&span{from: from, to: to, Meaning: Meaning{As: as, Filter: filter, Values: values}})
}

// asksBeside reports whether the text asks for anything apart from the pieces from one up to
// another.
func (r *reader) asksBeside(from, to int) bool {
	return r.Asks(r.text[:r.pieces[from].from] + " " + r.text[r.pieces[to-1].to:])
}

// border reports whether a name ends before a piece.
func (r *reader) border(i int) bool { return !r.goesOn(i) || r.breaks(i) }

// breaks reports whether a piece cannot be part of a name.
func (r *reader) breaks(i int) bool {
	p := &r.pieces[i]
	_, phrase := first(r.begins[i], borders)
	return phrase || r.taken[i] || p.number || p.minus || r.Stop(p.folded)
}

// borders are the roles of phrases before which a name ends.
var borders = []role{under, over, atMost, atLeast, between, or, and, but, located, near, outside, by, without, no, not, doNot, nor, similar, versus, onsite}

// reading returns the result.
func (r *reader) reading() *Reading {
	reading := &Reading{Services: r.serves()}
	rest, names := []byte(r.text), []byte(r.text)
	for _, s := range r.spans {
		s.From, s.To = r.pieces[s.from].from, r.pieces[s.to-1].to
		if !s.keeps {
			blank(rest[s.From:s.To])
			if s.As != Similar {
				blank(names[s.From:s.To])
			}
		}
		if !s.silent {
			reading.Meanings = append(reading.Meanings, s.Meaning)
		}
	}
	slices.SortStableFunc(reading.Meanings, func(a, b Meaning) int { return a.From - b.From })
	reading.Rest, reading.Names = string(rest), string(names)
	return reading
}

func blank(text []byte) {
	for i := range text {
		text[i] = ' '
	}
}

// endsAs reports whether a word has the ending of a role.
func (r *reader) endsAs(word string, with role) bool {
	return slices.ContainsFunc(r.endings[with], func(ending string) bool { return len(word) > len(ending) && strings.HasSuffix(word, ending) })
}

// folded returns the meaningful words among the pieces from i up to to.
func (r *reader) folded(i, to int) (words []string) {
	for ; i < to; i++ {
		if word := r.pieces[i].folded; !r.Stop(word) {
			words = append(words, word)
		}
	}
	return words
}

// fields returns the folded words of a name.
func fields(name string) (words []string) {
	for _, p := range pieces(name) {
		words = append(words, p.folded)
	}
	return words
}

// stems returns the stems of the words of a name.
func (r *reader) stems(name string) []string {
	words := fields(name)
	for i, word := range words {
		words[i] = r.Stem(word)
	}
	return words
}
