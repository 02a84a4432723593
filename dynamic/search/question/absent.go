package question

import "slices"

// Absent reports whether a text says of the words from one byte to before another that they are
// absent: a denial stands before them in the same part of a sentence, as in works without the
// internet, or a word for free of them behind, as in sugar-free.
func (t *Table) Absent(text string, from, to int) bool {
	const most = 48 // bytes that are looked at before
	start := max(0, from-most)
	for start > 0 && text[start]&0xC0 == 0x80 {
		start++ // not within a character
	}
	return t.deniesBefore(pieces(text[start:from])) || t.freeBehind(text[to:])
}

// deniesBefore reports whether a denial is among the last of some pieces, with no end of a part
// of the sentence behind it.
func (t *Table) deniesBefore(list []piece) bool {
	const nearest = 5
	r := &reader{Table: t, pieces: list}
	for i := len(list) - 1; i >= 0 && i >= len(list)-nearest; i-- {
		for _, p := range t.phrases[list[i].folded] {
			if slices.Contains(denialRoles, p.role) && r.reads(i, p.words) {
				return true
			}
			if p.role == but && r.reads(i, p.words) {
				return false
			}
		}
		if list[i].ended {
			return false
		}
	}
	return false
}

func (t *Table) freeBehind(text string) bool {
	const most = 12
	list := pieces(text[:min(len(text), most)])
	if len(list) == 0 || list[0].ended {
		return false
	}
	return slices.ContainsFunc(t.phrases[list[0].folded], func(p *phrase) bool { return p.role == free })
}
