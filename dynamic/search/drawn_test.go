package search

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"souk/build/catalog"
)

// This file generates random filters, and offers with values to filter by.

// dress gives an offer random values to filter by.
func dress(t *rapid.T, o *catalog.Offer) {
	attributes := rapid.SliceOfN(rapid.Custom(drawnAttribute), 0, 4)
	price := rapid.Custom(func(t *rapid.T) *catalog.Price {
		if rapid.Bool().Draw(t, "free") {
			return nil
		}
		return &catalog.Price{
			Amount:   rapid.SampledFrom([]string{"5", "5.00", "10.50", "100", "99999999999999999999.5"}).Draw(t, "amount"),
			Currency: rapid.SampledFrom([]string{"EUR", "USD"}).Draw(t, "currency"), Unit: rapid.SampledFrom([]string{"", "hour", "Hour", "m²"}).Draw(t, "unit"),
		}
	})
	o.Attributes, o.Price = attributes.Draw(t, "attributes"), price.Draw(t, "price")
	if o.Ref.Kind == catalog.KindProduct {
		available := rapid.SampledFrom([]string{"", "", "inStock", "preOrder"})
		o.Availability = available.Draw(t, "availability")
		for i := range rapid.IntRange(0, 2).Draw(t, "variants") {
			o.Variants = append(o.Variants, catalog.Variant{Name: fmt.Sprint("v", i), Attributes: attributes.Draw(t, "own"), Price: price.Draw(t, "own price"), Availability: available.Draw(t, "own availability")})
		}
	} else {
		o.Delivery = rapid.SampledFrom([]string{"", "remote", "onsite", "hybrid"}).Draw(t, "delivery")
		o.Regions = rapid.SliceOfN(rapid.SampledFrom([]string{"Benelux", "Élsass", "elsass"}), 0, 2).Draw(t, "regions")
	}
	for _, kind := range rapid.SliceOfN(rapid.SampledFrom([]string{"award", "review"}), 0, 2).Draw(t, "proof") {
		o.Proof = append(o.Proof, catalog.Proof{Kind: kind, Title: "P"})
	}
	if day := rapid.IntRange(0, 3).Draw(t, "published"); day > 0 {
		o.PublishedAt = catalog.Date{Time: time.Date(2025, 1, day, 0, 0, 0, 0, time.UTC), Day: true}
	}
}

func drawnAttribute(t *rapid.T) catalog.Attribute {
	switch rapid.IntRange(0, 5).Draw(t, "attribute") {
	case 5:
		return catalog.Attribute{Name: "Colour", Value: rapid.SampledFrom([]string{"Red", "Blue"}).Draw(t, "listed"), Listed: true}
	case 0:
		return catalog.Attribute{Name: rapid.SampledFrom([]string{"Colour", "colour"}).Draw(t, "name"), Value: rapid.SampledFrom([]string{"Red", "red", "Grün", "grun", "2.5"}).Draw(t, "colour")}
	case 1:
		if rapid.IntRange(0, 3).Draw(t, "as text") == 0 {
			return catalog.Attribute{Name: "Wireless", Value: rapid.SampledFrom([]string{"True", "true", "maybe"}).Draw(t, "whether")}
		}
		return catalog.Attribute{Name: "Wireless", Kind: catalog.BooleanValue, Value: rapid.SampledFrom([]string{"true", "false"}).Draw(t, "truth")}
	case 2:
		return catalog.Attribute{Name: "Ports", Kind: catalog.NumberValue, Value: rapid.SampledFrom([]string{"1", "2", "4", "4.0"}).Draw(t, "ports")}
	case 3:
		return catalog.Attribute{Name: "Length", Value: rapid.SampledFrom([]string{"long", "10", "10 mm", "1 m", "7 m"}).Draw(t, "how long")}
	default:
		return catalog.Attribute{
			Name: "Length", Kind: catalog.NumberValue, Value: rapid.SampledFrom([]string{"1", "10", "100", "0.5", "2500"}).Draw(t, "number"),
			Unit: rapid.SampledFrom([]string{"mm", "cm", "m", "kg", "g", "", "bolts"}).Draw(t, "unit"),
		}
	}
}

// drawnFilters adds random filters to a query. It drops attributes that the market would
// reject.
func drawnFilters(t *rapid.T, x *Index, q *Query) {
	some := func(filter string, values ...string) {
		if rapid.IntRange(0, 3).Draw(t, "filters") == 0 {
			q.Filters[filter] = rapid.SliceOfNDistinct(rapid.SampledFrom(values), 1, min(3, len(values)), rapid.ID[string]).Draw(t, filter)
		}
	}
	some("availability", "inStock", "preOrder", "onRequest")
	some("delivery", "remote", "onsite", "hybrid")
	some("region", "Benelux", "elsass", "Nowhere")
	some("language", "de", "en", "fr")
	some("proof", "award", "review", "customer")
	some("priceUnit", "HOUR", "m²", "day")
	some("attribute", "Colour:RED", "colour:gruen", "COLOUR:grun", "Wireless:true", "Wireless:false", "Wireless:TRUE", "Wireless:maybe", "Length:10", "Length:1 m", "Length:7 m", "Length:100 cm", "Ports:2..", "Ports:4", "Ports:..3", "Length:5..200 cm", "Length:0.01.. m",
		"Length:..1 kg", "Length:10 mm", "Length:long", "Length:1..10", "Length:1000..1000 g", "Length:2 bolts")
	if rapid.IntRange(0, 3).Draw(t, "priced") == 0 {
		q.Filters["price"] = []string{rapid.SampledFrom([]string{"5..5", "..10.5", "6..", "..", "5.01..10.49"}).Draw(t, "price")}
		q.Currency = rapid.SampledFrom([]string{"EUR", "USD", "CHF"}).Draw(t, "in")
	}
	q.Sort = rapid.SampledFrom([]string{"", "relevance", "name", "newest", "price"}).Draw(t, "sort")
	if q.Sort == "price" && q.Currency == "" {
		q.Currency = rapid.SampledFrom([]string{"EUR", "USD", "CHF"}).Draw(t, "by")
	}
	q.Filters["attribute"] = slices.DeleteFunc(q.Filters["attribute"], func(sent string) bool { return x.Check(Query{}.with("attribute", sent)) != nil })
}
