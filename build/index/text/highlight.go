package text

import (
	"strings"
	"unicode/utf8"

	"souk/build/kit/fold"
)

// Highlight returns the parts of a name that were typed, in code points: beginnings of its
// words that equal one of words, or the part at the start of the name that a compact text
// covers, if words were joined or split. A part covered by one of whole must end with a word.
func Highlight(name string, words, compact, whole []string) [][2]int {
	letters := lettersOf(name)
	marks := make([]bool, len(letters))
	first := true
	for start := range letters {
		if letters[start].folded == "" || start > 0 && letters[start-1].folded != "" && !letters[start].unspaced {
			continue
		}
		for _, w := range words {
			mark(marks, start, covers(letters, start, w, false))
		}
		for _, c := range compact {
			if first {
				mark(marks, start, covers(letters, start, c, true))
			}
		}
		for _, c := range whole {
			if end := covers(letters, start, c, true); first && (end == len(letters) || letters[end].folded == "" || letters[end].unspaced) {
				mark(marks, start, end)
			}
		}
		first = false
	}
	for i := range marks {
		// A separator between two words was not typed as a letter.
		marks[i] = marks[i] && letters[i].folded != ""
	}
	return runs(marks)
}

// A letter is one code point of a name with its folded form, which is empty if it is not part
// of a word.
type letter struct {
	folded string
	// digraph is an umlaut as two letters, or "" for another letter.
	digraph  string
	unspaced bool
}

func lettersOf(name string) []letter {
	letters := make([]letter, 0, len(name))
	for _, r := range name {
		if r < utf8.RuneSelf {
			letters = append(letters, letter{folded: foldedASCII(r)})
			continue
		}
		l := letter{unspaced: IsUnspaced(r), digraph: fold.Text(Digraphs(string(r)))}
		for _, f := range fold.Text(string(r)) {
			if IsWordRune(f) {
				l.folded += string(f)
			}
		}
		letters = append(letters, l)
	}
	return letters
}

// foldedASCII returns the folded form of an ASCII character, or "" if it is not part of a
// word.
func foldedASCII(r rune) string {
	const all = "0123456789abcdefghijklmnopqrstuvwxyz"
	switch {
	case r >= '0' && r <= '9':
		return all[r-'0':][:1]
	case r >= 'a' && r <= 'z':
		return all[10+r-'a':][:1]
	case r >= 'A' && r <= 'Z':
		return all[10+r-'A':][:1]
	default:
		return ""
	}
}

// covers returns the end of the part that text covers from a start, or 0. With skip,
// characters between words are ignored.
func covers(letters []letter, start int, text string, skip bool) int {
	for i := start; i < len(letters); i++ {
		if text == "" {
			return i
		}
		l := letters[i]
		if l.digraph != "" && (strings.HasPrefix(text, l.digraph) || strings.HasPrefix(l.digraph, text)) {
			if end := covers(letters, i+1, strings.TrimPrefix(text, l.digraph[:min(len(text), len(l.digraph))]), skip); end > 0 {
				return end
			}
		}
		switch f := l.folded; {
		case f == "" && !skip && !strings.HasPrefix(text, "."):
			return 0
		case f == "":
			text = strings.TrimPrefix(text, ".")
		case strings.HasPrefix(text, f):
			text = text[len(f):]
		case strings.HasPrefix(f, text):
			text = ""
		default:
			return 0
		}
	}
	if text == "" {
		return len(letters)
	}
	return 0
}

func mark(marks []bool, from, to int) {
	for i := from; i < to; i++ {
		marks[i] = true
	}
}

// runs returns the marked parts as pairs of start and end.
func runs(marks []bool) [][2]int {
	list := [][2]int{}
	for i, marked := range marks {
		switch last := len(list) - 1; {
		case !marked:
		case i > 0 && marks[i-1]:
			list[last][1] = i + 1
		default:
			list = append(list, [2]int{i, i + 1})
		}
	}
	return list
}
