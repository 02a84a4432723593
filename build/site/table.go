package site

import (
	"slices"
	"strings"

	"souk/build/document"
)

// Variants are shown as a table, with a column for each attribute that any of
// them has.

// columns returns the names of the attributes, in the order in which they occur.
func columns(variants []document.Variant) (names []string) {
	for _, v := range variants {
		for _, a := range v.Attributes {
			if !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// cell writes the value of a variant in a column.
func (s *Site) cell(v document.Variant, column string) string {
	for _, a := range v.Attributes {
		if a.Name == column {
			return s.value(a)
		}
	}
	return ""
}

// value writes the value of an attribute with its unit, or its values.
func (s *Site) value(a document.Attribute) string {
	if len(a.Values) > 0 {
		return strings.Join(a.Values, ", ")
	}
	if yes, ok := a.Value.(bool); ok {
		if yes {
			return s.text("site.yes")
		}
		return s.text("site.no")
	}
	text := s.format.number(a.Value)
	if a.Unit != "" {
		text += "\u00a0" + a.Unit
	}
	return text
}

func hasSKU(v document.Variant) bool   { return v.SKU != "" }
func hasGTIN(v document.Variant) bool  { return v.GTIN != "" }
func hasPrice(v document.Variant) bool { return v.Price != nil }
