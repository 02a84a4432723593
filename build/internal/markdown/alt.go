package markdown

import "strings"

// WithAlts returns source with other alternative texts for some of its pictures, by
// their targets in d, which is what Parse found in source. Only inline pictures change,
// and none whose text has links or pictures in it.
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

// literal returns a text on one line, in the form in which CommonMark reads it as itself.
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
