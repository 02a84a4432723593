package web

import (
	"encoding/hex"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/build/release"
)

// A coding is a form in which a body is stored.
type coding uint8

// The codings, the preferred one first.
const (
	brotli coding = iota
	gzip
	identity
	codings
)

// names are the values of Content-Encoding.
var names = [codings]string{"br", "gzip", ""}

// encodings are the header fields that name the coding of a body.
var encodings = [codings]constant{
	brotli: newConstant(document.Header{Name: "Content-Encoding", Value: names[brotli]}),
	gzip:   newConstant(document.Header{Name: "Content-Encoding", Value: names[gzip]}),
}

// suffixes are the extensions of the file names.
var suffixes = [codings]string{".br", ".gz", ""}

// marks distinguish the ETags of a document's codings.
var marks = [codings]string{"-br", "-gz", ""}

// size returns the size of an entry in a coding; 0 if there is none.
func (c coding) size(e release.Entry) int64 {
	switch c {
	case brotli:
		return e.Brotli
	case gzip:
		return e.Gzip
	default:
		return e.Size
	}
}

// tag returns the strong ETag of a body. The ETag of a compressed body also contains its
// size: an unchanged document keeps its twins when the program is upgraded, and another
// server or a new folder may have different ones.
func (b *body) tag() string { return b.coding.tag(b.digest, b.size) }

// mark returns the ETag of a body in a coding, derived from the plain body's tag, which may
// be "".
func (c coding) mark(tag string) string {
	if plain, ok := strings.CutSuffix(tag, `"`); ok {
		return plain + marks[c] + `"`
	}
	return ""
}

func (c coding) tag(d release.Digest, size int64) string {
	text := make([]byte, 0, 2*len(d)+24)
	text = hex.AppendEncode(append(text, '"'), d[:])
	if c != identity {
		text = strconv.AppendInt(append(text, marks[c]...), size, 10)
	}
	return string(append(text, '"'))
}

// twins reports in which codings there are twins.
func twins(e release.Entry) [codings]bool {
	return [codings]bool{brotli: e.Brotli > 0, gzip: e.Gzip > 0}
}

// choose returns the available coding that a client prefers. A client that refuses even the
// plain form gets it anyway, which is more useful than a 406.
func choose(accept []string, available [codings]bool) coding {
	if len(accept) == 0 || available == [codings]bool{} {
		return identity
	}
	likes := preferences(accept)
	best := identity
	for c := identity; ; c-- {
		if (c == identity || available[c]) && likes[c] > 0 && likes[c] >= likes[best] {
			best = c
		}
		if c == 0 {
			return best
		}
	}
}

// preferences parses Accept-Encoding.
func preferences(accept []string) (likes [codings]float64) {
	const unsaid = -1
	others := float64(unsaid)
	likes = [codings]float64{unsaid, unsaid, unsaid}
	for _, line := range accept {
		for item := range strings.SplitSeq(line, ",") {
			name, parameters, _ := strings.Cut(item, ";")
			switch q := quality(parameters); strings.ToLower(strings.TrimSpace(name)) {
			case "br":
				likes[brotli] = q
			case "gzip", "x-gzip":
				likes[gzip] = q
			case "identity":
				likes[identity] = q
			case "*":
				others = q
			}
		}
	}
	for c := range likes {
		if likes[c] == unsaid {
			likes[c] = others
		}
	}
	// The plain form is acceptable unless it is refused.
	const willDo = 0.0001
	if likes[identity] == unsaid {
		likes[identity] = willDo
	}
	return likes
}

// prefersMarkdown reports whether a client names text/markdown and likes it at least as well
// as HTML. A wildcard does not name it.
func prefersMarkdown(accept []string) bool {
	const unsaid = -1
	markdown, page, text, any := 0.0, float64(unsaid), float64(unsaid), 0.0
	for _, line := range accept {
		for item := range strings.SplitSeq(line, ",") {
			mediaType, parameters, _ := strings.Cut(item, ";")
			q := 1.0
			for parameter := range strings.SplitSeq(parameters, ";") {
				if name, _, _ := strings.Cut(parameter, "="); strings.EqualFold(strings.TrimSpace(name), "q") {
					q = quality(parameter)
				}
			}
			switch strings.ToLower(strings.TrimSpace(mediaType)) {
			case "text/markdown":
				markdown = q
			case "text/html":
				page = q
			case "text/*":
				text = q
			case "*/*":
				any = q
			}
		}
	}
	if text == unsaid {
		text = any
	}
	if page == unsaid {
		page = text
	}
	return markdown > 0 && markdown >= page
}

// quality parses the q of an item; an invalid one counts as 0.
func quality(parameters string) float64 {
	name, value, given := strings.Cut(strings.TrimSpace(parameters), "=")
	if !given || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 1
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 0
	}
	return q
}

// matches reports whether If-None-Match contains an ETag, by weak comparison.
func matches(ifNoneMatch []string, tag string) bool {
	for _, line := range ifNoneMatch {
		rest := strings.TrimSpace(line)
		if rest == "*" {
			return true
		}
		for rest != "" {
			var one string
			if one, rest = nextTag(rest); one == tag {
				return true
			}
		}
	}
	return false
}

// nextTag splits the first entity tag off a list and removes its W/. A tag may contain
// commas, so only the quotes show where it ends.
func nextTag(list string) (tag, rest string) {
	list = strings.TrimLeft(list, ", \t")
	list = strings.TrimPrefix(list, "W/")
	if !strings.HasPrefix(list, `"`) {
		return "", ""
	}
	end := strings.IndexByte(list[1:], '"')
	if end < 0 {
		return "", ""
	}
	return list[:end+2], list[end+2:]
}
