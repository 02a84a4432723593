package site

import (
	"net/url"
	"slices"
	"strings"

	"souk/build/document"
)

// Variants are shown as a table, with a column for each attribute that any of them has.

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

// cell formats a variant's value in a column.
func (s *Site) cell(v document.Variant, column string) string {
	for _, a := range v.Attributes {
		if a.Name == column {
			return s.value(a)
		}
	}
	return ""
}

// value formats the value of an attribute with its unit.
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

// filledVariants returns the variants of a product with its own attributes where they have none of the
// name and others have.
func filledVariants(d document.Product) []document.Variant {
	variants := slices.Clone(d.Variants)
	for i := range variants {
		v := &variants[i]
		for _, name := range columns(d.Variants) {
			named := func(a document.Attribute) bool { return a.Name == name }
			if at := slices.IndexFunc(d.Attributes, named); at >= 0 && !slices.ContainsFunc(v.Attributes, named) {
				v.Attributes = append(slices.Clip(v.Attributes), d.Attributes[at])
			}
		}
	}
	return variants
}

// valued returns the search for listings with a value of an attribute.
func (s *Site) valued(name, value string) string {
	return s.path(s.market.SiteURL + "/search?" + url.Values{"attribute": {name + ":" + value}}.Encode())
}

func isAvailable(v document.Variant) bool { return v.Availability != "" }
func hasSKU(v document.Variant) bool      { return v.SKU != "" }
func hasGTIN(v document.Variant) bool     { return v.GTIN != "" }
func hasPrice(v document.Variant) bool    { return v.Price != nil }
