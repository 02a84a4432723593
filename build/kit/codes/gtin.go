package codes

import (
	"slices"
	"strings"
)

// GTIN reports whether a code is a Global Trade Item Number, as under a bar code (EAN, UPC, ISBN of 13
// digits), by its length and its check digit (GS1 General Specifications, section 7.9).
func GTIN(code string) bool {
	if !slices.Contains([]int{8, 12, 13, 14}, len(code)) || strings.Trim(code, "0123456789") != "" {
		return false
	}
	sum := 0
	for i := range code {
		weight := 1 + 2*(i%2)
		sum += weight * int(code[len(code)-1-i]-'0')
	}
	return sum%10 == 0
}
