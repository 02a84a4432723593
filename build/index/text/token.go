package text

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/kit/fold"
)

// A Token is a word of a folded text.
type Token struct {
	Text string
	// Digraphs is the word with each umlaut as two letters, or "" if it has none.
	Digraphs string
	// Glued means that only punctuation, no space, separates it from the previous word.
	Glued bool
	// Pair means two neighbouring letters of an unspaced script, or a single one.
	Pair bool
	// From and To are the position in the folded text, in bytes; see Offsets.
	From, To int
}

// Place returns the position of the word in its text, in bytes, given the text's Offsets.
func (t Token) Place(offsets []int) (from, to int) {
	end := len(offsets) - 1
	from, to = offsets[t.From], offsets[end]
	// The word ends where the next letter begins that is not folded together with its last.
	for i := max(t.To, 1); i <= end; i++ {
		if offsets[i] > offsets[i-1] {
			return from, offsets[i]
		}
	}
	return from, to
}

// Tokens appends the words of text to list: runs of letters and digits. A point
// or comma between digits, an English contraction, C++, C# and F# stay whole.
// Scripts without spaces yield each pair of neighbours.
func Tokens(list []Token, text string) []Token {
	from := len(list)
	list = appendTokens(list, fold.Text(text))
	if digraphs := Digraphs(text); digraphs != "" {
		// Both lists have the same words, because letters remain letters.
		for i, t := range appendTokens(nil, fold.Text(digraphs)) {
			if at := from + i; at < len(list) && t.Text != list[at].Text {
				list[at].Digraphs = t.Text
			}
		}
	}
	return list
}

func appendTokens(list []Token, s string) []Token {
	glued := false
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		switch {
		case !IsWordRune(r):
			if r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == ',' || r == ';' || r == '|' || r == 0x3000 {
				glued = false
			}
			i += size
			continue
		case IsUnspaced(r):
			end := i
			list, end = pairs(list, s, i, glued)
			i = end
		default:
			end, skip := wordEnd(s, i)
			list = append(list, Token{Text: cleaned(s[i:end]), Glued: glued, From: i, To: end})
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

// wordEnd returns the end of the word that begins at i, and the number of bytes after it that
// belong to no word, such as a possessive.
func wordEnd(s string, i int) (end, skip int) {
	start := i
	last := rune(0)
	for i < len(s) {
		if c := s[i]; asciiWords[c] { // the usual case
			last = rune(c)
			i++
			continue
		}
		r, size := decode(s[i:])
		switch {
		case IsWordRune(r) && !IsUnspaced(r):
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
		case i == start+1:
			return i + Signs(s[start], s[i:]), 0
		}
		break
	}
	return i, 0
}

// Signs returns the number of bytes after a single-letter word that belong to it, as in C++,
// C# and F#.
func Signs(letter byte, behind string) int {
	switch letter |= 0x20; { // lower case
	case letter == 'c' && strings.HasPrefix(behind, "++"):
		return len("++")
	case (letter == 'c' || letter == 'f') && strings.HasPrefix(behind, "#"):
		return len("#")
	}
	return 0
}

// contraction returns the rest of an English contraction if s begins with one.
func contraction(s string) string {
	for _, tail := range [...]string{"s", "t", "re", "ve", "ll", "m", "d"} {
		if strings.HasPrefix(s, tail) {
			if r, _ := utf8.DecodeRuneInString(s[len(tail):]); len(s) == len(tail) || !IsWordRune(r) {
				return tail
			}
		}
	}
	return ""
}

// cleaned drops the apostrophes of contractions and turns a decimal comma into
// a point.
func cleaned(word string) string {
	if strings.IndexByte(word, ',') >= 0 {
		word = strings.ReplaceAll(word, ",", ".")
	}
	if strings.IndexByte(word, '\'') >= 0 || strings.Contains(word, "’") {
		word = strings.NewReplacer("'", "", "’", "").Replace(word)
	}
	return word
}

// pairs appends the pairs of neighbours in the run of unspaced letters that begins at i, or
// the letter itself if it is alone.
func pairs(list []Token, s string, i int, glued bool) ([]Token, int) {
	before := -1
	alone := true
	for i < len(s) {
		r, size := decode(s[i:])
		if !IsUnspaced(r) {
			break
		}
		if before >= 0 {
			list = append(list, Token{Text: s[before : i+size], Glued: glued || !alone, Pair: true, From: before, To: i + size})
			alone = false
		}
		before = i
		i += size
	}
	if alone {
		list = append(list, Token{Text: s[before:i], Glued: glued, Pair: true, From: before, To: i})
	}
	return list, i
}

// Join joins tokens into one word.
func Join(list []Token) string {
	var b strings.Builder
	for _, t := range list {
		b.WriteString(t.Text)
	}
	return b.String()
}

// JoinDigraphs is Join with each umlaut as two letters, or "" if there are none.
func JoinDigraphs(list []Token) string {
	if !slices.ContainsFunc(list, func(t Token) bool { return t.Digraphs != "" }) {
		return ""
	}
	var b strings.Builder
	for _, t := range list {
		b.WriteString(cmp.Or(t.Digraphs, t.Text))
	}
	return b.String()
}
