package unit

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Unit is a unit of measure; units can be compared with ==. The zero Unit is the unit of a
// bare number.
type Unit struct {
	known *measure // nil if the table does not have it
	own   string   // the text of a unit that is not in the table
}

// measure is a unit of the table: base = (amount + offset) × factor.
type measure struct {
	dimension, symbol string
	factor, offset    *big.Rat
}

// Parse returns the unit that a text means: a symbol with its case ("mW", "MW"), a symbol
// in any case if it is unambiguous ("KW", "Ghz"), or a word ("kilograms", "Zoll"). If a
// text is not in the table, the Unit has its own dimension and known is false. The empty
// text is the Unit of a bare number, and known.
func Parse(symbol string) (u Unit, known bool) {
	text := normal(symbol)
	for range 4 { // after removing accents, a text may need to be normalized again
		if text == "" {
			return Unit{}, true
		}
		if m := exact[text]; m != nil {
			return Unit{known: m}, true
		}
		if elsewhere[text] {
			return Unit{own: text}, false
		}
		small := fold(text)
		if m := folded[small]; m != nil {
			return Unit{known: m}, true
		}
		if m := respelled(text); m != nil {
			return Unit{known: m}, true
		}
		again := normal(small)
		switch {
		case again != small || small == "":
			text = again
		case exact[small] != nil || respelled(small) != nil: // "M" is not metre
			return Unit{own: text}, false
		default:
			return Unit{own: small}, false
		}
	}
	return Unit{own: text}, false
}

// per replaces other spellings of divisors at the end of a unit with the table's.
var per = strings.NewReplacer("/sec ", "/s", "/second ", "/s", "/mn ", "/min", "/minute ", "/min", "/hr ", "/h", "/hour ", "/h")

// respelled returns the unit of the table for a text with points in it ("fl. oz", "N.m"), a
// divisor as a power ("min⁻¹", "l·min⁻¹") or another word for a divisor ("ft/sec"); nil if
// there is none.
func respelled(text string) *measure {
	if above, below, found := cutLast(strings.TrimSuffix(text, "-1"), "·* "); strings.HasSuffix(text, "-1") {
		if text = above + "/" + below; !found {
			text = "1/" + below
		}
	}
	for _, other := range []string{text, strings.ReplaceAll(text, ".", ""), per.Replace(text + " ")} {
		other = normal(other)
		if m := exact[other]; m != nil {
			return m
		}
		if m := folded[fold(other)]; m != nil {
			return m
		}
	}
	return nil
}

// cutLast cuts a text at the last of some signs.
func cutLast(text, signs string) (before, after string, found bool) {
	at := strings.LastIndexAny(text, signs)
	if at < 0 {
		return "", text, false
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	return text[:at], text[at+size:], true
}

// Dimension returns the name of the unit's dimension. Amounts can be compared if their
// dimensions are equal. It is "length" and the like, "" for a bare number, and "own:" with
// its Symbol for a unit that is not in the table.
func (u Unit) Dimension() string {
	switch {
	case u.known != nil:
		return u.known.dimension
	case u.own != "":
		return "own:" + u.own
	}
	return ""
}

// Symbol returns the canonical symbol, which Parse parses as this unit. For a unit that is
// not in the table it is the text without case and accents (with its case if the table has
// another unit in lower case: "M" is not metre); for a bare number it is "".
func (u Unit) Symbol() string {
	if u.known != nil {
		return u.known.symbol
	}
	return u.own
}

// Alike returns the units of the table with the dimension of u, including u; none for a
// bare number or a unit that is not in the table.
func (u Unit) Alike() []Unit {
	if u.known == nil {
		return nil
	}
	var list []Unit
	for _, group := range table {
		if group.name == u.known.dimension {
			for _, r := range group.units {
				list = append(list, Unit{known: exact[normal(r.symbol)]})
			}
		}
	}
	return list
}

// Base converts an amount in u to the base unit of u's dimension.
func (u Unit) Base(amount *big.Rat) *big.Rat {
	base := new(big.Rat).Set(amount)
	if u.known == nil {
		return base
	}
	if u.known.offset != nil {
		base.Add(base, u.known.offset)
	}
	return base.Mul(base, u.known.factor)
}

// FromBase converts an amount in the base unit of u's dimension to u.
func (u Unit) FromBase(amount *big.Rat) *big.Rat {
	own := new(big.Rat).Set(amount)
	if u.known == nil {
		return own
	}
	own.Quo(own, u.known.factor)
	if u.known.offset != nil {
		own.Sub(own, u.known.offset)
	}
	return own
}

// signs replaces different ways to write the same sign. After NFKC, a power is a digit, so
// "m^2" and "m**2" are converted too.
var signs = strings.NewReplacer("^", "", "**", "", "⋅", "·", "∙", "·", "•", "·", "″", "\"", "′′", "\"", "''", "\"", "’’", "\"", "”", "\"", "′", "'", "’", "'", "−", "-")

// slashes removes spaces around slashes.
var slashes = strings.NewReplacer(" / ", "/", " /", "/", "/ ", "/")

// elsewhere lists symbols of units that are not in the table, but whose spellings in
// another case are: molar, centimorgan, gauss, newton second, and the old megafarad.
var elsewhere = map[string]bool{"mM": true, "μM": true, "uM": true, "nM": true, "cM": true, "kG": true, "mG": true, "Ns": true, "MF": true, "MA": true}

// normal returns a text in the form in which symbols are compared: NFKC (m² as m2, µ and μ
// as one, K as K), without dots at the end, and with single spaces.
func normal(text string) string {
	text = signs.Replace(norm.NFKC.String(strings.ToValidUTF8(text, "\uFFFD")))
	text = slashes.Replace(strings.Join(strings.Fields(text), " "))
	return norm.NFKC.String(strings.TrimSpace(strings.TrimRight(text, ". ")))
}

// fold removes case and accents.
func fold(text string) string {
	var out strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		if !unicode.Is(unicode.Mn, r) {
			out.WriteRune(r)
		}
	}
	return norm.NFKC.String(out.String())
}
