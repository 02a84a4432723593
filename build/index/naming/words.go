package naming

import "souk/build/index/text"

// An As is the role of a word in a name; lower is better.
type As uint32

// The roles of a word.
const (
	// Whole: the whole name, apart from case, accents, punctuation and spaces.
	Whole As = iota
	// First: the first word.
	First
	// Within: another word.
	Within
)

// A Reader finds the words of names, one name at a time.
type Reader struct{ list []text.Token }

// Each calls yield for every word of a name, in both spellings if it has an umlaut, as often
// as it occurs, and then for the whole name as one word, unless it has only one word. It
// returns the number of words, without other spellings.
func (r *Reader) Each(name string, yield func(word string, as As)) (words int) {
	compact := text.Compact(name)
	if compact == "" {
		return 0
	}
	digraphs := text.CompactDigraphs(name)
	r.list = text.Tokens(r.list[:0], name)
	for i, t := range r.list {
		as := Within
		if i == 0 {
			as = First
		}
		for _, word := range [...]string{t.Text, t.Digraphs} {
			switch word {
			case "":
			case compact, digraphs:
				yield(word, Whole)
			default:
				yield(word, as)
			}
		}
	}
	for _, all := range [...]string{compact, digraphs} {
		if all != "" && (len(r.list) != 1 || all != r.list[0].Text && all != r.list[0].Digraphs) {
			yield(all, Whole)
		}
	}
	return len(r.list)
}
