package search

import (
	"strings"
	"unicode/utf8"
)

// A token is a word of a folded text.
type token struct {
	text string
	// glued: only punctuation, no space, parts it from the word before.
	glued bool
	// pair: two neighbouring letters of an unspaced script, or one that stands
	// alone.
	pair bool
}

// tokens appends the words of text to list: runs of letters and digits. A point
// or comma between digits, an English contraction, C++, C# and F# stay whole.
// Scripts without spaces give each pair of neighbours.
func tokens(list []token, text string) []token {
	s := fold(text)
	glued := false
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		switch {
		case !isWordRune(r):
			if r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == ',' || r == ';' || r == '|' || r == 0x3000 {
				glued = false
			}
			i += size
			continue
		case isUnspaced(r):
			end := i
			list, end = pairs(list, s, i, glued)
			i = end
		default:
			end, skip := wordEnd(s, i)
			list = append(list, token{text: cleaned(s[i:end]), glued: glued})
			i = end + skip
		}
		glued = true
	}
	return list
}

func decode(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

// wordEnd gives the end of the word that begins at i, and how many bytes after
// it belong to nothing, as those of a possessive.
func wordEnd(s string, i int) (end, skip int) {
	start := i
	last := rune(0)
	for i < len(s) {
		r, size := decode(s[i:])
		switch {
		case isWordRune(r) && !isUnspaced(r):
			last = r
			i += size
			continue
		case (r == '.' || r == ',') && isDigit(last) && i+1 < len(s) && isDigit(rune(s[i+1])):
			i++
			continue
		case r == '\'' || r == '’':
			tail := contraction(s[i+size:])
			if tail == "s" {
				return i, size + 1
			}
			if tail != "" {
				i += size + len(tail)
				continue
			}
		case i == start+1 && r == '#' && (s[start] == 'c' || s[start] == 'f'):
			return i + 1, 0
		case i == start+1 && s[start] == 'c' && strings.HasPrefix(s[i:], "++"):
			return i + 2, 0
		}
		break
	}
	return i, 0
}

// contraction gives the rest of an English contraction that s begins with.
func contraction(s string) string {
	for _, tail := range [...]string{"s", "t", "re", "ve", "ll", "m", "d"} {
		if strings.HasPrefix(s, tail) {
			if r, _ := utf8.DecodeRuneInString(s[len(tail):]); len(s) == len(tail) || !isWordRune(r) {
				return tail
			}
		}
	}
	return ""
}

// cleaned drops the apostrophes of contractions and writes a decimal comma as
// a point.
func cleaned(word string) string {
	if strings.IndexByte(word, ',') >= 0 {
		word = strings.ReplaceAll(word, ",", ".")
	}
	if strings.ContainsAny(word, "'’") {
		word = strings.NewReplacer("'", "", "’", "").Replace(word)
	}
	return word
}

// pairs appends the pairs of neighbours of the run of unspaced letters that
// begins at i, or the letter itself where it stands alone.
func pairs(list []token, s string, i int, glued bool) ([]token, int) {
	before := -1
	alone := true
	for i < len(s) {
		r, size := decode(s[i:])
		if !isUnspaced(r) {
			break
		}
		if before >= 0 {
			list = append(list, token{text: s[before : i+size], glued: glued || !alone, pair: true})
			alone = false
		}
		before = i
		i += size
	}
	if alone {
		list = append(list, token{text: s[before:i], glued: glued, pair: true})
	}
	return list, i
}
