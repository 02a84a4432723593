package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"souk/build/codes"
	"souk/build/fold"
	"souk/build/index/text"
)

// A Piece of a text is a word, a number or a symbol, with its place in bytes.
type Piece struct {
	Raw, Folded string
	From, To    int
	Number      bool
	Symbol      bool
	// Hyphen: only a hyphen separates it from the piece before, or two stops two numbers;
	// Glued: nothing does; Ended: a comma or the like does. Minus: it has one before it, and
	// that a space or nothing.
	Hyphen, Glued, Ended, Minus bool
}

// Minuses are what is written for the sign of a number.
const Minuses = "-–−"

// Pieces splits a text for patterns. Other than the words that are looked for, a
// number is parted from its unit, and symbols of money and comparison count.
func Pieces(s string) (list []Piece) {
	hyphen, ended, minus, last := false, false, -1, -1
	add := func(from, to int, p Piece) {
		p.Raw, p.From, p.To = s[from:to], from, to
		p.Folded = fold.Text(p.Raw)
		p.Glued = last == from
		p.Hyphen, p.Ended, p.Minus = hyphen && len(list) > 0, ended && len(list) > 0, minus == from && last < from-1
		hyphen, ended, last = false, false, to
		list = append(list, p)
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r >= '0' && r <= '9':
			end := numeral(s, i)
			add(i, end, Piece{Number: true})
			i = end
		case text.IsWordRune(r) || r == '°' && i+size < len(s) && text.IsWordRune(rune(s[i+size])):
			end := i
			if r == '°' {
				end += size // °C is one word
			}
			for end < len(s) {
				r, size := utf8.DecodeRuneInString(s[end:])
				if !text.IsWordRune(r) {
					break
				}
				end += size
			}
			if end == i+1 && last < i {
				end += text.Signs(s[i], s[end:])
			}
			if n := len("EUR"); end > i+n && digits(s[i+n:end]) == end-i-n && codes.Currency(s[i:i+n]) {
				end = i + n // EUR100
			}
			add(i, end, Piece{})
			i = end
		case strings.ContainsRune("<>≤≥", r):
			end := i + size
			if strings.HasPrefix(s[end:], "=") {
				end++
			}
			add(i, end, Piece{Symbol: true})
			i = end
		case unicode.Is(unicode.Sc, r) || strings.ContainsRune("\"″”", r) && last == i && list[len(list)-1].Number && strings.Count(s[:i], "\"")%2 == 0:
			add(i, i+size, Piece{Symbol: true}) // an amount of money, or inches
			i += size
		case strings.ContainsRune("%‰°", r) && len(list) > 0 && list[len(list)-1].Number && strings.Trim(s[list[len(list)-1].To:i], " ") == "":
			add(i, i+size, Piece{Symbol: true}) // 40 %
			i += size
		case r == '+' && last == i && isAmount(list) && !text.IsWordRune(runeAt(s, i+size)):
			add(i, i+size, Piece{Symbol: true}) // 3+ years
			i += size
		case strings.ContainsRune(Minuses, r) && !parts(list, last == i) && numeral(s, i+size) > i+size:
			end := numeral(s, i+size)
			add(i, end, Piece{Number: true})
			i = end
		case strings.ContainsRune(Minuses, r) && !parts(list, last == i) && signed(s[i+size:]):
			add(i, i+size, Piece{Symbol: true})
			i += size
		case r == '-' || r == '–':
			hyphen = last == i
			i += size
			if r == '-' {
				minus = i
			}
			if next := len(s) - len(strings.TrimLeft(s[i:], " ")); !hyphen && next > i && amountsBeside(s, list, next) {
				hyphen, i = true, next // 100 - 300 USD, 2 kg - 5 kg
			}
		case strings.HasPrefix(s[i:], "..") && last == i && list[len(list)-1].Number && numeral(s, i+2) > i+2:
			hyphen = true // 10..20 is how filters write a range
			i += 2
		default:
			ended = ended || strings.ContainsRune(",;:.!?()", r) && !within(s, i, last)
			hyphen = false
			i += size
		}
	}
	return list
}

func runeAt(s string, i int) rune {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r
}

// isAmount reports whether the last of some pieces is a number, or a unit or money behind one.
func isAmount(list []Piece) bool {
	n := len(list)
	return n > 0 && (list[n-1].Number || n > 1 && list[n-2].Number)
}

// within reports whether a full stop is inside a name, as in Crate.io, where a piece ended at last,
// or begins one, as in .NET.
func within(s string, i, last int) bool {
	next, _ := utf8.DecodeRuneInString(s[i+1:])
	return s[i] == '.' && i+1 < len(s) && (last == i && text.IsWordRune(next) || i > 0 && s[i-1] == ' ' && unicode.IsLetter(next))
}

// parts reports whether a dash parts what is before it from what follows, rather than
// being the sign of that: it touches a word, a number, or the money of a number.
func parts(list []Piece, touches bool) bool {
	n := len(list)
	return touches && (!list[n-1].Symbol || n > 1 && list[n-2].Number)
}

// amountsBeside reports whether the last of some pieces ends an amount and another begins at i.
func amountsBeside(s string, list []Piece, i int) bool {
	return isAmount(list) && (numeral(s, i) > i || signed(s[i:]))
}

// signed reports whether a text begins with an amount of money, whose sign may be before it.
func signed(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return unicode.Is(unicode.Sc, r) && numeral(s, size) > size
}

// numeral returns the end of the number at i: digits, with a separator between two, or a space
// between groups of three, as in 10 000.
func numeral(s string, i int) int {
	end := i
	for end < len(s) {
		c := s[end]
		separates := (c == '.' || c == ',' || c == '\'') && digits(s[end+1:]) > 0
		if (c < '0' || c > '9') && !separates {
			break
		}
		end++
	}
	if n := digits(s[i:]); n > groupDigits || i+n != end {
		return end
	}
	for end > i {
		space := spaceOf(s[end:])
		if space == 0 || digits(s[end+space:]) != groupDigits {
			break
		}
		end += space + groupDigits
	}
	if end > i+groupDigits && end+1 < len(s) && (s[end] == ',' || s[end] == '.') { // 1 200,50
		if n := digits(s[end+1:]); n > 0 {
			end += 1 + n
		}
	}
	return end
}

// groupDigits is how many digits are written together in large numbers.
const groupDigits = 3

// digits returns how many digits a text begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// spaceOf returns the length of the space that a text begins with, of those that part groups of digits:
// also the one where no line breaks, its narrow kind, and the thin one.
func spaceOf(s string) int {
	for _, space := range [...]string{" ", "\u00a0", "\u202f", "\u2009"} {
		if strings.HasPrefix(s, space) {
			return len(space)
		}
	}
	return 0
}

// Decimal reads a number as people write it: 1,000.50 and 1.000,50 are the same. Of
// one separator before three digits, money has it between thousands; else it is where
// the language has it: 1,500 is a thousand and more in English, 1.500 says nothing
// safely in languages with a decimal comma.
func (g *Grammar) Decimal(raw string, money bool) (decimal string, ok bool) {
	const longest = 20
	if len(raw) > longest {
		return "", false
	}
	raw = strings.NewReplacer("'", "", " ", "", "\u00a0", "", "\u202f", "", "\u2009", "").Replace(raw)
	at := strings.LastIndexAny(raw, ".,")
	if at < 0 {
		return raw, true
	}
	whole, fraction, separator := raw[:at], raw[at+1:], raw[at]
	bare := strings.NewReplacer(".", "", ",", "").Replace(whole)
	switch {
	case strings.IndexByte(whole, separator) >= 0:
		// The same separator twice parts thousands.
		if !thousands(raw, separator) {
			return "", false
		}
		return bare + fraction, true
	case strings.ContainsAny(whole, ".,"):
		return bare + "." + fraction, thousands(whole, '.'+','-separator)
	case len(fraction) != 3 || len(whole) > 3 || whole == "0":
		return whole + "." + fraction, true
	case money || separator == ',' && !g.comma:
		return whole + fraction, true
	case separator == '.' && !g.comma || separator == ',' && g.comma:
		return whole + "." + fraction, true
	default:
		return "", false
	}
}

// thousands reports whether a separator parts a number into groups of three digits.
func thousands(raw string, separator byte) bool {
	groups := strings.Split(raw, string(separator))
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return false
		}
	}
	return len(groups[0]) > 0 && len(groups[0]) <= 3
}
