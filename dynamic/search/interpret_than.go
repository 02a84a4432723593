package search

import (
	"strings"

	"souk/build/catalog"
	"souk/dynamic/search/grammar"
)

// thanListing understands a bound by what a listing has, as in cheaper than Beacon: the phrase
// is the pieces from i to before end. Where nothing else is asked for, it is something like it.
func (r *reading) thanListing(i, end int, side grammar.Meaning) (next int, err error) {
	measure := ""
	for _, p := range r.pieces[i:end] {
		measure += r.Compared[p.Folded]
	}
	from := end
	if from < len(r.pieces) && r.ArticleWords[r.pieces[from].Folded] {
		from++
	}
	if measure == "" || len(r.left) > 0 || from >= len(r.pieces) || r.pieces[from].Ended || r.denied(i) < i {
		return i, nil
	}
	to, list, err := r.listingsAt(from)
	if err != nil || len(list) == 0 || !r.relative(i, to, list[0], measure, side) {
		return i, err
	}
	if !r.asksFor(string(r.rest)) {
		r.stand(list)
	}
	r.left = list
	return to, nil
}

// thanIt understands that something like a listing has to be cheaper, lighter or the like, as in
// like Beacon but cheaper, by a word at a piece.
func (r *reading) thanIt(i int) (next int) {
	if i >= len(r.pieces) || r.pieces[i].Ended {
		return i
	}
	measure := r.Compared[r.pieces[i].Folded]
	for _, p := range r.Phrases[r.pieces[i].Folded] {
		if bounds := p.Means == grammar.AtMost || p.Means == grammar.AtLeast; bounds && measure != "" && len(p.Words) == 2 && r.relative(i, i+1, r.left[0], measure, p.Means) {
			return i + 1
		}
	}
	return i
}

// relative tells of a bound by the price or the measure of a listing, and reports whether it has
// one.
func (r *reading) relative(i, end int, doc uint32, measure string, side grammar.Meaning) bool {
	o := r.index.Corpus.Listing(doc).Offer
	if measure == "price" {
		price := o.Price
		for _, v := range o.Variants {
			if v.Price != nil && (price == nil || v.Price.Currency == price.Currency && !ordered(price.Amount, v.Price.Amount)) {
				price = v.Price
			}
		}
		if price == nil {
			return false
		}
		return r.price(i, end, price.Currency, side.Bounds(price.Amount)) > i
	}
	for name := range strings.FieldsSeq(grammar.Measures[measure]) {
		for _, a := range o.Attributes {
			if a.Kind == catalog.NumberValue && stemmed(a.Name, r.index.Language) == stemmed(name, r.index.Language) {
				r.amountOf(i, end, a.Name, a.Unit, side.Bounds(a.Value))
				return true
			}
		}
	}
	return false
}
