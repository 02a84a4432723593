package unit

import (
	"math/big"
	"strconv"
	"strings"
)

const (
	maxDecimal  = 60 // characters that ParseDecimal reads
	maxExponent = 40
	significant = 9 // digits of a non-terminating decimal
)

// ParseDecimal parses a decimal number: an optional sign, digits with at most one point
// among or before them, and an optional exponent of at most ±40; at most 60 characters in
// all. It rejects spaces, thousands separators and anything else.
func ParseDecimal(text string) (amount *big.Rat, ok bool) {
	if text == "" || len(text) > maxDecimal {
		return nil, false
	}
	mantissa, exponent, scientific := text, "", false
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent, scientific = text[:i], text[i+1:], true
	}
	if scientific {
		n, err := strconv.Atoi(exponent)
		if err != nil || n < -maxExponent || n > maxExponent {
			return nil, false
		}
	}
	unsigned := strings.TrimLeft(mantissa, "+-")
	whole, fraction, pointed := strings.Cut(unsigned, ".")
	if len(mantissa)-len(unsigned) > 1 || !digits(whole+fraction) || pointed && fraction == "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// Decimal formats an amount as a decimal without an exponent: exactly if it terminates
// ("0.1"), otherwise rounded to 9 significant digits, half away from zero.
func Decimal(amount *big.Rat) (text string, exact bool) { return decimal(amount, nearest) }

// DecimalBelow is like Decimal but rounds non-terminating decimals down, so that the text
// is never above the amount.
func DecimalBelow(amount *big.Rat) string {
	text, _ := decimal(amount, down)
	return text
}

// DecimalAbove is like Decimal but rounds non-terminating decimals up, so that the text is
// never below the amount.
func DecimalAbove(amount *big.Rat) string {
	text, _ := decimal(amount, up)
	return text
}

func decimal(amount *big.Rat, direction rounding) (text string, exact bool) {
	if places, finite := amount.FloatPrec(); finite {
		return amount.FloatString(places), true
	}
	return rounded(amount, direction), false
}

type rounding int

const (
	down rounding = iota
	nearest
	up
)

// rounded formats an amount with 9 significant digits, without trailing zeros in its
// fraction.
func rounded(amount *big.Rat, direction rounding) string {
	scale := big.NewRat(1, 1) // amount × scale has 9 digits before its point
	ten := big.NewRat(10, 1)
	size := new(big.Rat).Abs(amount)
	low, high := power(significant-1), power(significant)
	for size.Sign() != 0 && size.Cmp(low) < 0 {
		size.Mul(size, ten)
		scale.Mul(scale, ten)
	}
	for size.Cmp(high) >= 0 {
		size.Quo(size, ten)
		scale.Quo(scale, ten)
	}
	scaled := new(big.Rat).Mul(amount, scale)
	switch direction {
	case nearest:
		half := big.NewRat(int64(scaled.Sign()), 2)
		scaled.SetInt(truncated(scaled.Add(scaled, half)))
	case down:
		scaled.SetInt(floor(scaled))
	case up:
		scaled.SetInt(new(big.Int).Neg(floor(scaled.Neg(scaled))))
	}
	scaled.Quo(scaled, scale)
	places, _ := scaled.FloatPrec()
	return scaled.FloatString(places)
}

func power(n int64) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil))
}

func truncated(r *big.Rat) *big.Int { return new(big.Int).Quo(r.Num(), r.Denom()) }

// floor returns the greatest integer not above r, by Euclidean division by a positive
// denominator.
func floor(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }
