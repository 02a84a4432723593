package site

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/kit/unit"
	"souk/templates"
)

// A compared is what the page of a comparison shows. Without Columns a script fills the
// page, unless it is Filled.
type compared struct {
	// Columns are the listings, and Rows what they have.
	Columns []comparedListing
	Rows    []comparedRow
	// Missing are listings that cannot be compared.
	Missing []document.MissingCompared
	// Filled means that the page needs no script; Faults say why there is no table.
	Filled bool
	Faults []document.FieldError
}

// A comparedListing is the head of a column. Others is the address of the comparison
// without it.
type comparedListing struct {
	document.Listing
	Ref, Others string
}

// A comparedRow is an attribute or a field of all listings.
type comparedRow struct {
	Name    string
	Differs bool
	Cells   []comparedCell
}

// A comparedCell is what one listing has: a price or a text, or nothing if both are empty.
type comparedCell struct {
	Price *document.Price
	Text  string
	// Original is the text of a number before it was converted.
	Original string
}

// comparisonScript returns the script of the page, which converts units as the program does.
func comparisonScript() File {
	units, _ := json.Marshal(strings.Join(unit.Lines(), "\n")) // a text
	return asset("comparison", "js", "const units = "+string(units)+";\n"+templates.SiteComparison)
}

// Comparison returns the page of a comparison.
func (s *Site) Comparison(c document.Comparison) ([]byte, error) {
	return s.rendered(s.comparing(s.compared(c)))
}

// ComparisonRefused returns the page for a comparison that cannot be made, with what is
// wrong with the request, if anything is.
func (s *Site) ComparisonRefused(faults []document.FieldError) ([]byte, error) {
	return s.rendered(s.comparing(compared{Filled: true, Faults: faults}))
}

// comparing returns the page of a comparison.
func (s *Site) comparing(c compared) view {
	v := s.start("compare", s.text("site.comparison"), "", s.market.SiteURL+document.ComparePath, "")
	v.Crumbs, v.Hidden, v.Doc = s.crumbs(Crumb{v.Title, v.URL}), true, c
	return v
}

func (s *Site) compared(c document.Comparison) compared {
	page := compared{Filled: true, Missing: c.Missing}
	refs := make([]string, len(c.Listings))
	for i, l := range c.Listings {
		refs[i] = l.Kind + ":" + l.CompanySlug + "/" + l.Slug
	}
	for i, l := range c.Listings {
		others := url.Values{"ref": slices.Delete(slices.Clone(refs), i, i+1)}
		page.Columns = append(page.Columns, comparedListing{l, refs[i], s.market.SiteURL + document.ComparePath + "?" + others.Encode()})
	}
	for _, r := range c.Rows {
		row := comparedRow{Name: r.Name, Differs: r.Differs}
		if r.Field != "" {
			row.Name = s.named(filterTexts)(r.Field)
		}
		if r.Unit != "" {
			row.Name += " (" + r.Unit + ")"
		}
		for _, cell := range r.Cells {
			row.Cells = append(row.Cells, s.comparedCell(r.Field, cell))
		}
		page.Rows = append(page.Rows, row)
	}
	return page
}

func (s *Site) comparedCell(field string, cell any) (c comparedCell) {
	switch one := cell.(type) {
	case *document.Price:
		c.Price = one
	case string:
		names := document.DeliveryTexts()
		if field == document.FilterAvailability {
			names = document.AvailabilityTexts()
		}
		c.Text = s.named(names)(one)
	case *document.ComparisonCell:
		c.Text = s.value(document.Attribute{Value: one.Value, Values: one.Values, Unit: one.Unit})
		if one.Original != nil {
			c.Original = s.value(document.Attribute{Value: one.Original.Value, Unit: one.Original.Unit})
		}
	}
	return c
}
