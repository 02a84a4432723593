// Package markdown finds the links, pictures and raw HTML of a CommonMark text and their
// positions, so that a caller can edit the source at exactly those positions while every
// other byte stays as the author wrote it.
//
// Only this package knows the Markdown parser. It does not know what a destination means:
// References, files and URLs are opaque strings, and the caller decides whether a link is
// kept. It does not know front matter either, which is removed before.
package markdown

import (
	"cmp"
	"slices"
	"strings"
)

// Any is the Target of an Edit that belongs to every target: it is dropped as soon as any
// target of the document is dropped.
const Any = -1

// Target is one destination in a text: an inline link or picture, an autolink, or a
// reference definition with all of its uses.
type Target struct {
	// Destination is the destination as CommonMark reads it: with escapes and entities
	// resolved, and "mailto:" before an e-mail autolink.
	Destination string
	// Offset is the byte offset of the destination in the source.
	Offset int
	// Image reports whether any use is a picture.
	Image bool
	// Alt is the plain text of the picture; for a definition, of its first picture.
	Alt string
}

// Edit is a piece of the source, [Start,End), that is replaced depending on the decision
// about its target.
//
// An empty Edit is a guard: if its target is dropped, a backslash is inserted there. It
// keeps plain text from turning into a list, a link or HTML when the link syntax around it
// is removed.
type Edit struct {
	Start, End int
	// DestStart and DestEnd, within [Start,End), enclose the destination. Both equal Start
	// if the piece contains none, such as an opening bracket.
	DestStart, DestEnd int
	// Target is an index into Document.Targets, or Any.
	Target int
}

// HTML is a piece of raw HTML, block or inline, including comments (CommonMark 0.31.2,
// sections 4.6 and 6.6).
type HTML struct {
	Offset int
	Text   string
}

// Spaced is a path with spaces, as in ![plan](media/my plan.svg), which CommonMark reads as
// text unless it is between "<" and ">".
type Spaced struct {
	Offset int
	Path   string
	Image  bool
}

// Document is the result of Parse. Everything is in source order; Edits never overlap.
type Document struct {
	Targets []Target
	Edits   []Edit
	HTML    []HTML
	// Spaced lists paths that were meant to be destinations.
	Spaced []Spaced
	// Footnotes are the offsets of texts such as "[^1]: See there.", which other Markdown
	// parsers read as notes, and CommonMark as text or as the target of a link.
	Footnotes []int
	// Excess is set if the text is too costly to parse; nothing else is set then.
	Excess *Excess
}

// Parse finds the links, pictures and raw HTML of source. It is safe for concurrent use and
// accepts any input, valid UTF-8 or not.
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

// worthParsing avoids parsing most plain texts: an inline link needs "](", a reference link
// the "]:" of a definition, and autolinks and HTML a "<". A long text is always parsed,
// since it may be too costly for other uses.
func worthParsing(source string) bool {
	const short = 4 << 10
	return len(source) > short || strings.IndexByte(source, '<') >= 0 ||
		strings.Contains(source, "](") || strings.Contains(source, "]:")
}

// ordered sorts targets and edits by position. Definitions are collected before the links
// that use them, so targets may be unsorted too.
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

// disjoint ensures that Edits never overlap, even if the parser reads the same bytes twice,
// as it does with a few malformed definitions.
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
