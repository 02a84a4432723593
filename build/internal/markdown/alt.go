package markdown

import "strings"

// WithAlts returns source with other alternative texts for some of its pictures. alts maps
// indexes into the targets of d, which Parse returned for source, to texts. Only inline
// pictures change, and only those whose text contains no links or pictures.
func WithAlts(source string, d Document, alts map[int]string) string {
	var b strings.Builder
	done, begins := 0, map[int]int{}
	for _, e := range d.Edits {
		alt, wanted := alts[e.Target]
		switch {
		case !wanted:
		case e.DestStart == e.Start:
			if strings.HasPrefix(source[e.Start:e.End], "![") {
				begins[e.Target] = e.Start + len("![")
			}
		case begins[e.Target] > done && !strings.Contains(source[begins[e.Target]:e.Start], "["):
			b.WriteString(source[done:begins[e.Target]])
			b.WriteString(literal(alt))
			done = e.Start
		}
	}
	b.WriteString(source[done:])
	return b.String()
}

// literal returns a text on one line, escaped so that CommonMark reads it as plain text.
func literal(text string) string {
	var b strings.Builder
	for _, c := range strings.Join(strings.Fields(text), " ") {
		if c < 0x80 && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
