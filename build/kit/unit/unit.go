package unit

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Unit is a unit of measure; two are the same unit if they are ==. The zero
// Unit is that of a bare number.
type Unit struct {
	known *measure // nil if the table does not have it
	own   string   // the text of a unit that the table does not have
}

// measure is a unit of the table: base = (amount + offset) × factor.
type measure struct {
	dimension, symbol string
	factor, offset    *big.Rat
}

// Parse returns the unit that a text means: a symbol in its case ("mW", "MW"),
// else in any where only one unit can be meant ("KW", "Ghz"), or a word
// ("kilograms", "Zoll"). Of a text that is no unit of the table the Unit is of a
// dimension of its own, and known is false; the empty text is the Unit of a bare
// number, and known.
func Parse(symbol string) (u Unit, known bool) {
	text := normal(symbol)
	for range 4 { // without accents, a text may need to be normalized again
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
		case exact[small] != nil || respelled(small) != nil: // "M" is no metre
			return Unit{own: text}, false
		default:
			return Unit{own: small}, false
		}
	}
	return Unit{own: text}, false
}

// per has how people write at the end of a unit what it is divided by, and the table's own
// spelling.
var per = strings.NewReplacer("/sec ", "/s", "/second ", "/s", "/mn ", "/min", "/minute ", "/min", "/hr ", "/h", "/hour ", "/h")

// respelled returns the unit of the table that a text means which has points within it
// ("fl. oz", "N.m"), a divisor as a power ("min⁻¹", "l·min⁻¹") or another word for it
// ("ft/sec"); nil for none.
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

// Dimension returns the name of what the unit measures: two amounts can be
// compared if it is the same. It is "length" and the like, "" of a bare number,
// and "own:" with its Symbol of a unit that the table does not have.
func (u Unit) Dimension() string {
	switch {
	case u.known != nil:
		return u.known.dimension
	case u.own != "":
		return "own:" + u.own
	}
	return ""
}

// Symbol returns the canonical symbol, which Parse reads as this unit; of one
// that the table does not have its text without case and accents (in its case if
// the table has another unit in small letters: "M" is no metre), of a bare number
// "".
func (u Unit) Symbol() string {
	if u.known != nil {
		return u.known.symbol
	}
	return u.own
}

// Alike returns the units of the table that measure what u does, and u is among them; none
// of a bare number and of a unit that the table does not have.
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

// Base returns what an amount in u is in the base unit of u's dimension.
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

// FromBase returns what an amount in the base unit of u's dimension is in u.
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

// signs are written in more than one way; a power is written after NFKC as a
// digit, which "m^2" and "m**2" are then as well.
var signs = strings.NewReplacer("^", "", "**", "", "⋅", "·", "∙", "·", "•", "·", "″", "\"", "′′", "\"", "''", "\"", "’’", "\"", "”", "\"", "′", "'", "’", "'", "−", "-")

// slashes have no spaces around them.
var slashes = strings.NewReplacer(" / ", "/", " /", "/", "/ ", "/")

// elsewhere are symbols of what the table does not have, and that in another case are
// symbols of the table: molar, centimorgan, gauss, newton second, megafarad of old.
var elsewhere = map[string]bool{"mM": true, "μM": true, "uM": true, "nM": true, "cM": true, "kG": true, "mG": true, "Ns": true, "MF": true, "MA": true}

// normal returns a text as the table's symbols are compared: NFKC (m² as m2, µ
// and μ as one, K as K), without dots at the end, its spaces single.
func normal(text string) string {
	text = signs.Replace(norm.NFKC.String(strings.ToValidUTF8(text, "\uFFFD")))
	text = slashes.Replace(strings.Join(strings.Fields(text), " "))
	return norm.NFKC.String(strings.TrimSpace(strings.TrimRight(text, ". ")))
}

// fold takes case and accents away.
func fold(text string) string {
	var out strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		if !unicode.Is(unicode.Mn, r) {
			out.WriteRune(r)
		}
	}
	return norm.NFKC.String(out.String())
}
