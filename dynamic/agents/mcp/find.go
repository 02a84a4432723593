package mcp

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
	"souk/dynamic/search/suggest"
)

// defaultLimit is the default number of results.
const defaultLimit = 10

// find implements the tool search.
func find(ctx context.Context, m Market, a arguments) (*answer, error) {
	offset, err := a.offset()
	if err != nil {
		return nil, err
	}
	q := search.Query{
		Text: a.texts["q"], Limit: a.number("limit", defaultLimit), Offset: offset, Filters: map[string][]string{},
		Currency: a.texts["currency"], Sort: a.texts["sort"], Literal: a.texts["interpret"] == "off",
	}
	for _, filter := range document.SearchFilters() {
		q.Filters[filter] = a.lists[filter]
		if one := a.texts[filter]; one != "" {
			q.Filters[filter] = []string{one}
		}
	}
	if a.texts["kind"] == "seller" {
		return findCompanies(ctx, m, a, q)
	}
	if len(a.lists[document.FilterCity]) > 0 {
		return nil, invalid(document.FilterCity, fault.Invalid, "it filters companies: send kind seller too, or leave it out")
	}
	r, err := m.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	if a.full() || q.Limit > defaultLimit {
		return hits(r, a.full(), shortest[0], 0), nil
	}
	for _, short := range shortest {
		found := hits(r, false, short, tight)
		if err := found.fit(); err != nil {
			return nil, err
		}
		if len(found.Items) == len(r.Listings) {
			return found, nil
		}
	}
	return hits(r, false, shortest[len(shortest)-1], tight), nil
}

// shortest lists text lengths of a brief result, in its value and its row, from long to
// short. The first that fits the budget is used.
var shortest = [][2]int{{100, 60}, {60, 40}, {40, 0}, {0, 0}}

// hits returns the answer to a search.
func hits(r *search.Result, full bool, short [2]int, budget int) *answer {
	found := &answer{Total: r.Total, Lead: foundLine(r), Extra: extra(r, full), Budget: budget}
	for i, hit := range r.Listings {
		one := hitItem(hit, full, short)
		if at := r.Offset + i; at <= search.MaxOffset { // no search can start beyond it
			one.at = strconv.Itoa(at)
		}
		found.Items = append(found.Items, one)
	}
	if r.Next != "" {
		found.Next = strconv.Itoa(r.Offset + r.Limit)
	}
	return found
}

// findCompanies implements the tool search for companies.
func findCompanies(ctx context.Context, m Market, a arguments, q search.Query) (*answer, error) {
	delete(q.Filters, document.FilterKind)
	q.Filters[document.FilterCity] = a.lists[document.FilterCity]
	for filter, values := range q.Filters {
		if len(values) > 0 && !slices.Contains(document.CompanyFilters(), filter) {
			return nil, invalid(filter, fault.Invalid, "it filters listings: for companies, use category, country, city, language and proof")
		}
	}
	r, err := m.Companies(ctx, q)
	if err != nil {
		return nil, err
	}
	found := &answer{Total: r.Total, Lead: fmt.Sprintf("%d companies, from number %d: name, place, address, what it does.", r.Total, r.Offset+1)}
	for i, hit := range r.Companies {
		about, place := hit.Tagline, ""
		if about == "" {
			about = hit.Summary
		}
		if h := hit.Headquarters; h != nil {
			place = strings.Trim(h.City+", "+h.Country, ", ")
		}
		one := item{row: []string{hit.Name, place, hit.URL, short(about, shortest[0][1])}, at: strconv.Itoa(r.Offset + i)}
		if a.full() {
			one.value, one.cut = fitted(asMap(hit), wholeLevels, budget/5)
		} else {
			one.value = map[string]any{"kind": hit.Kind, "name": short(clean(hit.Name), 120), "url": hit.URL, "apiUrl": hit.APIURL}
			if place != "" {
				one.value["place"] = short(clean(place), 60)
			}
			if about != "" {
				one.value["summary"] = short(clean(about), shortest[0][0])
			}
		}
		found.Items = append(found.Items, one)
	}
	if r.Next != "" {
		found.Next = strconv.Itoa(r.Offset + r.Limit)
	}
	return found, nil
}

// offset parses next as a number.
func (a arguments) offset() (int, error) {
	text := a.texts["next"]
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > search.MaxOffset {
		return 0, invalid("next", fault.Invalid, "%q is not valid: send next as the last answer has it, or leave it out", line(text, 30))
	}
	return n, nil
}

func foundLine(r *search.Result) string {
	switch {
	case r.Total == 0:
		return "Nothing matches. Use fewer filters or other words; suggest completes names, and categories lists what there is."
	case len(r.Listings) == 0:
		return fmt.Sprintf("%d match, none on this page.", r.Total)
	}
	return fmt.Sprintf("%d match, from number %d: name, seller, price, address, summary.", r.Total, r.Offset+1)
}

func hitItem(hit search.Hit, full bool, most [2]int) item {
	about := hit.Summary
	if h := hit.Highlight; h != nil && h.Snippet != "" {
		about = h.Snippet
	}
	money := priceText(hit.Price)
	one := item{row: []string{hit.Name, hit.Seller.Name, money, hit.URL, short(about, most[1])}}
	if full {
		one.value, one.cut = fitted(asMap(hit), wholeLevels, budget/5)
		return one
	}
	one.value = map[string]any{"kind": hit.Kind, "name": short(clean(hit.Name), 120), "seller": short(clean(hit.Seller.Name), 120), "url": hit.URL, "apiUrl": hit.APIURL}
	if about != "" && most[0] > 0 {
		one.value["summary"] = short(clean(about), most[0])
	}
	if money != "" {
		one.value["price"] = money
	}
	if hit.Matched != nil {
		one.value["matched"] = hit.Matched
	}
	return one
}

func priceText(p *document.Price) string {
	if p == nil {
		return ""
	}
	text := p.Amount + " " + p.Currency
	if p.Unit != "" {
		text += " / " + p.Unit
	}
	if p.From {
		text = "from " + text
	}
	return short(clean(text), 60)
}

// extra returns the fields of a result other than its listings.
func extra(r *search.Result, full bool) map[string]any {
	more := map[string]any{}
	if len(r.Interpreted) > 0 {
		var texts []string
		for _, i := range r.Interpreted {
			text := fmt.Sprintf("%q: %s %s", i.Text, i.As, strings.Join(append([]string{i.Filter, i.Value, i.Currency}, i.To...), " "))
			texts = append(texts, line(text, 120))
		}
		more["interpreted"] = texts[:min(len(texts), 5)]
	}
	match := func(name string, l *document.Link) {
		if l != nil {
			more[name] = map[string]any{"kind": l.Kind, "name": l.Name, "url": l.URL, "apiUrl": l.APIURL}
		}
	}
	match("categoryMatch", r.CategoryMatch)
	match("sellerMatch", r.SellerMatch)
	if r.Companies.Total > 0 {
		more["companies"] = r.Companies.Total
	}
	directions := map[string]int{}
	for _, d := range r.CategoryDirections[:min(len(r.CategoryDirections), 3)] {
		directions[d.RootKind+"/"+d.Slug] = d.Count
	}
	if len(directions) > 0 {
		more["categories"] = directions
	}
	if full {
		whole, _ := fitted(map[string]any{"filters": asAny(r.Filters), "articles": asAny(r.Articles)}, wholeLevels, budget/4)
		for name, value := range whole {
			more[name] = value
		}
	}
	return more
}

// suggestions implements the tool suggest.
func suggestions(ctx context.Context, m Market, a arguments) (*answer, error) {
	q := suggest.Query{Text: a.texts["q"], Limit: a.number("limit", suggest.DefaultSuggestions), Kinds: a.lists["kind"]}
	r, err := m.Suggest(ctx, q)
	if err != nil {
		return nil, err
	}
	found := &answer{Total: len(r.Suggestions), Lead: fmt.Sprintf("%d found: name, kind, seller, address.", len(r.Suggestions))}
	for _, s := range r.Suggestions {
		value := map[string]any{"kind": s.Kind, "name": short(clean(s.Name), 120), "url": s.URL, "apiUrl": s.APIURL}
		if s.Seller != "" {
			value["seller"] = short(clean(s.Seller), 120)
		}
		found.Items = append(found.Items, item{value: value, row: []string{s.Name, s.Kind, s.Seller, s.URL}})
	}
	return found, nil
}
