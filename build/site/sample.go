package site

import (
	"encoding/json"
	"reflect"

	"souk/build/document"
)

// samples returns two pages of each layout: one with everything that its document can contain,
// and one with only the required parts.
func (s *Site) samples() (all []view) {
	for _, full := range []bool{true, false} {
		for _, document := range pageTypes {
			value := reflect.New(reflect.TypeOf(document)).Elem()
			s.fill(value, "", full, 0)
			views, _ := s.view(value.Interface())
			all = append(all, views...)
		}
		all = append(all, s.moved(all[len(all)-1]))
		result := document.SearchResult{}
		s.fill(reflect.ValueOf(&result).Elem(), "", full, 0)
		var company document.Link
		s.fill(reflect.ValueOf(&company).Elem(), "", full, 0)
		for _, f := range []found{{}, {Bad: true}, {Away: true}, {Result: &result, Limit: "10", Plain: s.market.SiteURL + "/search?q=a"}} {
			for _, f.Search = range document.Searches() {
				all = append(all, s.searching("a", f))
			}
		}
		for _, form := range []string{document.ClaimForm, document.RemoveForm} {
			for _, outcome := range []string{FormSent, FormInvalid} {
				v := s.form(form, company)
				v.Typed = Typed{Name: "a", Email: "a", Outcome: outcome, Faults: []string{"requesterEmail"}}
				all = append(all, v)
			}
		}
		var card document.Listing
		s.fill(reflect.ValueOf(&card).Elem(), "", full, 0)
		cell := &document.ComparisonCell{Value: json.Number("1"), Original: &document.Quantity{Value: "1000", Unit: "g"}}
		table := s.compared(document.Comparison{
			Listings: []document.Listing{card, card}, Missing: []document.MissingCompared{{Ref: "product:a/a", Status: "removed"}},
			Rows: []document.ComparisonRow{{Name: "a", Unit: "kg", Cells: document.ComparisonCells{cell, nil}, Differs: true}, {Field: "price", Cells: document.ComparisonCells{card.Price, nil}}},
		})
		for _, c := range []compared{{}, {Filled: true, Faults: []document.FieldError{{Message: "a"}}}, table} {
			all = append(all, s.comparing(c))
		}
		notice := s.missing()
		notice.Layout = "notice"
		all = append(all, s.missing(), s.removed(), notice)
	}
	return all
}

// pageTypes are the documents that have pages.
var pageTypes = []any{
	document.Home{}, document.Seller{}, document.Product{}, document.Service{}, document.Category{}, document.CategoryPage{},
	document.CategoryRoot{}, document.SummaryList{}, document.SellerList{}, document.Article{}, document.MarketMap{}, document.OwnPage{},
	document.ListingPageDocument{}, document.SummaryPageDocument{}, document.SellerPageDocument{}, document.APIReference{},
}

// sampled are the values of fields that do not accept any text.
var sampled = map[string]string{
	"Kind": "product", "RootKind": "product", "Country": "DE", "Currency": "EUR", "Amount": "1290.50", "Type": "image/png",
	"PublishedAt": "2026-01-31", "UpdatedAt": "2026-01-31", "Date": "2026-01-31", "Delivery": "remote", "Availability": "inStock", "Rel": "visitWebsite",
	"Alt": "a picture", "Language": "en", "Unit": "kg",
}

// fill fills a value of a public type completely, or only with what is always present.
func (s *Site) fill(v reflect.Value, name string, full bool, depth int) {
	const deepest = 7 // for recursive types
	switch v.Kind() {
	case reflect.String:
		text, known := sampled[name]
		switch {
		case name == "URL" || name == "Href" || name == "Website" || name == "Next" || name == "Previous":
			text = s.market.SiteURL + "/a"
		case name == "APIURL":
			text = s.market.APIURL + "/marketplace/a"
		case !known:
			text = "a"
		}
		if full || name == "URL" || name == "APIURL" || known && name != "PublishedAt" && name != "UpdatedAt" && name != "Date" {
			v.SetString(text)
		}
	case reflect.Int, reflect.Int64:
		if full {
			v.SetInt(2)
		}
	case reflect.Bool:
		v.SetBool(full)
	case reflect.Interface:
		if full {
			v.Set(reflect.ValueOf(json.Number("12")))
		}
	case reflect.Pointer:
		if full && depth < deepest {
			v.Set(reflect.New(v.Type().Elem()))
			s.fill(v.Elem(), name, full, depth+1)
		}
	case reflect.Slice:
		if full && depth < deepest {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			for i := range 2 {
				s.fill(v.Index(i), name, full, depth+1)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if of := v.Type().Field(i); of.IsExported() || of.Anonymous {
				s.fill(v.Field(i), of.Name, full, depth+1)
			}
		}
	}
}
