package source

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"souk/build/catalog"
	"souk/build/internal/markdown"
)

// body is the Markdown of a file and the line where it begins.
type body struct {
	text string
	// line is the line in the file on which the text begins.
	line int
	// within is the position of the YAML text that contains it; all mistakes in it are
	// reported there.
	within catalog.Position
}

// position returns the position in the file of a byte offset in the text.
func (b body) position(offset int) catalog.Position {
	if b.within.Line > 0 {
		return b.within
	}
	before := b.text[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return catalog.Position{
		Line:   b.line + strings.Count(before, "\n"),
		Column: utf8.RuneCountInString(before[start:]) + 1,
	}
}

// places returns the positions of ascending offsets in one pass over the text.
func (b body) places() func(offset int) catalog.Position {
	done, at := 0, catalog.Position{Line: b.line, Column: 1}
	return func(offset int) catalog.Position {
		if b.within.Line > 0 {
			return b.within
		}
		passed := b.text[done:offset]
		if last := strings.LastIndexByte(passed, '\n'); last >= 0 {
			at.Line += strings.Count(passed, "\n")
			at.Column, passed = 1, passed[last+1:]
		}
		at.Column += utf8.RuneCountInString(passed)
		done = offset
		return at
	}
}

// markdownText finds the items and pictures of the marketplace that a text names. Other links
// are only checked.
func (d *decoder) markdownText(b body) catalog.Text {
	// A substring would keep the whole file in memory.
	b.text = strings.Clone(b.text)
	document := d.parseMarkdown(b)
	text := catalog.Text{Source: b.text}
	if len(d.alts) > 0 {
		d.describe(&text, &document)
	}
	kept, place := make([]int, len(document.Targets)), b.places()
	for i, t := range document.Targets {
		at := place(t.Offset)
		if t.Image && strings.TrimSpace(t.Alt) == "" {
			d.warnAt(at, "", "the picture has no alt, so people who cannot see it do not know what it shows")
		}
		told := len(d.problems)
		target, ours := d.target(t, at)
		if inFootnote(b.text, t.Offset) {
			d.problems = d.problems[:told] // there is already a warning
		}
		if kept[i] = -1; ours {
			kept[i] = len(text.Targets)
			text.Targets = append(text.Targets, target)
		}
	}
	for _, e := range document.Edits {
		// A definition of any target protects definitions that may be dropped.
		if e.Target != markdown.Any {
			if e.Target = kept[e.Target]; e.Target < 0 {
				continue
			}
		}
		if len(text.Targets) > 0 {
			text.Edits = append(text.Edits, e)
		}
	}
	return text
}

// describe replaces alternative texts of pictures by the better ones of the file's media. The
// targets keep their positions, for messages.
func (d *decoder) describe(text *catalog.Text, document *markdown.Document) {
	alts, size := map[int]string{}, len(text.Source)
	for i, t := range document.Targets {
		shown := t.Destination
		if !hasScheme(shown) {
			shown = d.fileAt(shown)
		}
		alt, described := d.alts[shown]
		if !described || !t.Image || !saysNothing(t.Alt, shown) {
			continue
		}
		// Each character may be escaped, and a picture shown any number of times.
		if size += 2 * len(alt); size > MaxMarkdown {
			break
		}
		alts[i] = alt
	}
	source := markdown.WithAlts(text.Source, *document, alts)
	again := markdown.Parse(source)
	if len(again.Targets) != len(document.Targets) {
		return
	}
	text.Source, document.Edits = source, again.Edits
	for i := range alts {
		document.Targets[i].Alt = again.Targets[i].Alt
	}
}

// saysNothing reports whether an alternative text consists of words of the picture's file
// name, as editors and converters generate it.
func saysNothing(alt, file string) bool {
	words := func(text string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
	}
	name := path.Base(file)
	return slices.Contains([]string{"", words(name), words(strings.TrimSuffix(name, path.Ext(name)))}, words(alt))
}

// inFootnote reports whether a destination is the text of a footnote, which CommonMark takes
// for that of a link: "[^1]: there".
func inFootnote(text string, destination int) bool {
	before := strings.TrimRight(text[:destination], " \t\n<>")
	if !strings.HasSuffix(before, "]:") {
		return false
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.HasPrefix(strings.TrimLeft(line, " >"), "[^")
}

// maxHTML is how many pieces of raw HTML in a file are reported one by one.
const maxHTML = 20

// parseMarkdown parses a text and finds the mistakes outside its links.
func (d *decoder) parseMarkdown(b body) markdown.Document {
	if len(b.text) > MaxMarkdown {
		d.wrongAt(b.position(0), fmt.Sprintf("at most %d KB are read", MaxMarkdown>>10), "the Markdown is too long: %d KB", len(b.text)>>10)
		return markdown.Document{}
	}
	document := markdown.Parse(b.text)
	if e := document.Excess; e != nil {
		d.tooCostly(b.position(e.Offset), e.Mark)
	}
	place := b.places()
	for i, h := range document.HTML {
		mending := "write it in Markdown"
		if strings.HasPrefix(h.Text, "<!--") {
			mending = "remove the comment, which would be public; in front matter, text after # is not"
		}
		if i == maxHTML {
			d.wrongAt(place(h.Offset), mending, "raw HTML, here and in %d more places", len(document.HTML)-i-1)
			break
		}
		d.wrongAt(place(h.Offset), mending, "raw HTML %q", shorten(strings.TrimSpace(h.Text)))
	}
	place = b.places()
	for _, s := range document.Spaced {
		d.spaced(s, place(s.Offset))
	}
	if document.Excess == nil {
		d.warnOfTraces(b.text, inMarkdown, b.position)
	}
	if len(document.Footnotes) > 0 {
		d.warnAt(b.position(document.Footnotes[0]), "write it in the text, or in a section of its own and link to that",
			"footnotes are not part of CommonMark and are shown as they are written")
	}
	return document
}

// spaced reports a destination with spaces, which Markdown takes for text. Words that are not
// a destination, as in "[a](as we say)", are not reported.
func (d *decoder) spaced(s markdown.Spaced, at catalog.Position) {
	what, meant := "", ""
	kind, slug, _ := strings.Cut(s.Path, ": ")
	ref, err := catalog.ParseRef(kind + ":" + strings.TrimLeft(slug, " "))
	hasPrefix := func(scheme string) bool { return strings.HasPrefix(strings.ToLower(s.Path), scheme) }
	switch {
	case err == nil:
		what, meant = "Reference", "write "+ref.String()
	case slices.ContainsFunc([]string{"http://", "https://", "mailto:", "tel:"}, hasPrefix):
		what, meant = "address", "write %20 for each, or leave them out"
	case s.Image && strings.ContainsAny(s.Path, "./"), inMedia("x/" + s.Path):
		what, meant = "path", fmt.Sprintf("write <%s>, or %s", s.Path, strings.ReplaceAll(s.Path, " ", "%20"))
	default:
		return
	}
	d.wrongAt(at, meant, "the %s %q has spaces, so it does not work", what, shorten(s.Path))
}

func (d *decoder) tooCostly(at catalog.Position, mark string) {
	switch mark {
	case markdown.Nested:
		d.wrongAt(at, "use fewer levels", "lists or quotes are nested too deeply")
	case markdown.Crowded:
		d.wrongAt(at, "split it into several texts",
			"from here on, the text has too many headings, list items, short lines, table cells, links and other marks")
	case markdown.Defined:
		d.wrongAt(at, "shorten its address and title", "from here on, a link definition is too long for the number of its uses")
	default:
		d.wrongAt(at, fmt.Sprintf(`close each, write \%s for the character itself, and use more paragraphs`, mark),
			"from here on, there are too many %q in one paragraph", mark)
	}
}

// target returns the target of a destination, and whether it is in the marketplace.
func (d *decoder) target(t markdown.Target, at catalog.Position) (catalog.Target, bool) {
	to := t.Destination
	none := catalog.Target{}
	switch {
	case d.spacious(to, at):
		return none, false
	case strings.HasPrefix(to, "#"):
		return none, false
	case catalog.IsRefLike(to):
		ref, err := catalog.ParseRef(to)
		switch {
		case err != nil:
			d.wrongAt(at, "", "%v", err)
		case t.Image:
			d.wrongAt(at, "use a file in a media folder", "the picture leads to the Reference %q", to)
		default:
			return catalog.Target{Ref: ref, At: at}, true
		}
		return none, false
	case hasScheme(to):
		d.checkScheme(to, at)
		if t.Image {
			d.checkPicture(to, at)
		}
		// Only code that knows the marketplace's own address can decide whether this is part
		// of it.
		return catalog.Target{Web: to, Alt: t.Alt, Image: t.Image, At: at}, catalog.MayLeadHere(to)
	case to == "" || strings.HasPrefix(to, "/") || strings.HasPrefix(to, "?") || !inMedia("x/"+to):
		if t.Image && to != "" && d.pictureFile(to, at) == "" {
			return none, false // already reported
		}
		d.wrongAt(at, "link to a web address, a Reference such as seller:acme, or a picture such as media/plan.svg",
			"the link %q has no target", shorten(to))
		return none, false
	}
	file := d.linkedFile(to, t.Image, at)
	return catalog.Target{File: file, Alt: t.Alt, Image: t.Image, At: at}, file != ""
}

// hasScheme reports whether a destination is an absolute URI (RFC 3986,
// section 3.1).
func hasScheme(s string) bool {
	scheme, _, found := strings.Cut(s, ":")
	if !found || scheme == "" {
		return false
	}
	for i := range len(scheme) {
		c := scheme[i] | 0x20
		if (c < 'a' || c > 'z') && (i == 0 || !strings.Contains("0123456789+-.", scheme[i:i+1])) {
			return false
		}
	}
	return true
}

func (d *decoder) checkScheme(to string, at catalog.Position) {
	scheme, _, _ := strings.Cut(strings.ToLower(to), ":")
	switch scheme {
	case "mailto", "tel":
		return
	case "http", "https":
		if u, err := url.Parse(to); err == nil && hasHost(u) {
			d.checkUser(to, at)
			return
		}
		d.wrongAt(at, "write it in full, as in https://acme.example/", "%q is not a web address", shorten(to))
	default:
		d.wrongAt(at, cmp.Or(nearestKind(to), "use http, https, mailto or tel, or a Reference such as seller:acme"), "a link must not point to %q", shorten(to))
	}
}
