// Package markdown finds the links, pictures and raw HTML of a CommonMark text
// and where they are, so that a caller can later edit the source at exactly
// those places while every other byte stays as the author wrote it.
//
// It is the only package that knows the Markdown parser. It refuses to know
// what a destination means: References, files and URLs are opaque strings to
// it, and whether a link is kept or loses its target is the caller's answer.
// It knows no front matter either; that is cut off before.
package markdown

import (
	"cmp"
	"slices"
	"strings"
)

// Any is the Target of an Edit that belongs to every target: it is dropped as
// soon as one target of the document is.
const Any = -1

// Target is one place that a text points at: an inline link or picture, an
// autolink, or a reference definition with all of its uses.
type Target struct {
	// Destination is what CommonMark reads: escapes and entities resolved, and
	// an e-mail autolink with its "mailto:".
	Destination string
	// Offset is the byte of the source where the destination is written.
	Offset int
	// Image reports whether any use is a picture.
	Image bool
	// Alt is the plain text of the picture, of a definition the first one's.
	Alt string
}

// Edit is a piece of the source, [Start,End), that is replaced depending on
// what becomes of its target.
//
// An Edit of no length is a guard: if its target is dropped, a backslash goes
// in there. It keeps text that was only text from turning into a list, a link
// or HTML once the link syntax around it is gone.
type Edit struct {
	Start, End int
	// DestStart and DestEnd, within [Start,End), hold the written destination.
	// They both equal Start if the piece holds none, like an opening bracket.
	DestStart, DestEnd int
	// Target is an index into Document.Targets, or Any.
	Target int
}

// HTML is a piece of raw HTML, a block or inline, comments among them (CommonMark
// 0.31.2, sections 4.6 and 6.6).
type HTML struct {
	Offset int
	Text   string
}

// Spaced is a path with spaces, as in ![plan](media/my plan.svg), which
// CommonMark takes for text unless it is written between "<" and ">".
type Spaced struct {
	Offset int
	Path   string
	Image  bool
}

// Document is what Parse finds. Everything is ordered by its place in the
// source; Edits never overlap.
type Document struct {
	Targets []Target
	Edits   []Edit
	HTML    []HTML
	// Spaced are paths that were meant to be destinations.
	Spaced []Spaced
	// Footnotes are where texts such as "[^1]: See there." begin, which other readers of
	// Markdown take for notes, and CommonMark for text or for the target of a link.
	Footnotes []int
	// Excess is set where the text is too costly to read; then nothing else is.
	Excess *Excess
}

// Parse finds the links, pictures and raw HTML of source. It is safe for
// concurrent use and takes any input, valid UTF-8 or not.
func Parse(source string) Document {
	if !worthParsing(source) {
		return Document{}
	}
	f := read(source)
	if f.excess != nil {
		return Document{Excess: f.excess}
	}
	c := collector{finding: f, source: source}
	for _, d := range f.definitions {
		c.addDefinition(d)
	}
	slices.SortFunc(f.uses, func(a, b use) int { return cmp.Compare(a.open, b.open) })
	for i := range f.uses {
		c.addUse(&f.uses[i])
	}
	if len(c.edits) > 0 {
		for _, at := range f.suspects {
			c.guard(at, Any)
		}
	}
	for _, d := range f.definitions {
		if at := d.node.Pos(); strings.HasPrefix(source[at:], "[^") {
			f.footnotes = append(f.footnotes, at)
		}
	}
	slices.Sort(f.footnotes)
	slices.SortFunc(f.spaced, func(a, b Spaced) int { return cmp.Compare(a.Offset, b.Offset) })
	slices.SortFunc(f.html, func(a, b HTML) int { return cmp.Compare(a.Offset, b.Offset) })
	targets, edits := ordered(c.targets, c.edits)
	return Document{Targets: targets, Edits: edits, HTML: f.html, Spaced: f.spaced, Footnotes: f.footnotes}
}

// worthParsing spares most plain texts the parser: an inline link needs "](",
// a reference-style one a definition's "]:", and autolinks and HTML a "<". A long
// text is parsed all the same, since it may be too costly for other readers.
func worthParsing(source string) bool {
	const short = 4 << 10
	return len(source) > short || strings.IndexByte(source, '<') >= 0 ||
		strings.Contains(source, "](") || strings.Contains(source, "]:")
}

// ordered brings targets and edits into the order of the source. Definitions
// are collected before the links that use them, so targets may need it too.
func ordered(targets []Target, edits []Edit) ([]Target, []Edit) {
	byOffset := func(a, b Target) int { return cmp.Compare(a.Offset, b.Offset) }
	if !slices.IsSortedFunc(targets, byOffset) {
		place := make([]int, len(targets))
		order := make([]int, len(targets))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return byOffset(targets[a], targets[b]) })
		sorted := make([]Target, len(targets))
		for to, from := range order {
			sorted[to], place[from] = targets[from], to
		}
		targets = sorted
		for i, e := range edits {
			if e.Target != Any {
				edits[i].Target = place[e.Target]
			}
		}
	}
	slices.SortFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Target, b.Target))
	})
	return targets, disjoint(edits)
}

// disjoint is the promise that Edits never overlap, held even where the parser
// reads the same bytes twice, as it does with a few malformed definitions.
func disjoint(edits []Edit) []Edit {
	kept, end := edits[:0], 0
	for _, e := range edits {
		if e.Start < end || (len(kept) > 0 && e == kept[len(kept)-1]) {
			continue
		}
		kept = append(kept, e)
		end = e.End
	}
	return kept
}
