package naming

import "souk/build/index/text"

// An As says what a word is to a name; the least is the best.
type As uint32

// What a word may be to a name.
const (
	// Whole: it is all of the name, but for case, accents, punctuation and spaces.
	Whole As = iota
	// First: it is the first word.
	First
	// Within: it is another word.
	Within
)

// A Reader finds the words of one name after the other.
type Reader struct{ list []text.Token }

// Each calls yield for every word of a name, in both of its spellings if it has an umlaut,
// as often as the name has it, and then for all of the name as one word unless that is its
// only word. It returns how many words were read, without other spellings.
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
