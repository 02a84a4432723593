package site

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"souk/build/document"
)

// A set is a filter in the form. templates/site/script.js renders the same, and a test
// compares the two.
type set struct {
	Name, Legend string
	// Any means that at most one value can be chosen, and that there is a choice for all.
	Any bool
	// Chosen means that a value is chosen.
	Chosen bool
	// First are the values that are always shown. Rest is folded, or Open if one of its values
	// is chosen.
	First, Rest []choice
	Open        bool
	// For numbers that differ, Range is the prefix of a range in a parameter, and Least and
	// Most are the bounds.
	Range       string
	Least, Most string
}

// A choice is a value of a set. Counted reports whether it has a Count. URL is the search for
// it on pages whose choices are links.
type choice struct {
	Name, Value, Label string
	Count              int
	Counted, Selected  bool
	URL                string
}

// sets are the filters of a page.
type sets []set

// First returns the filters that are always shown.
func (all sets) First() sets { return all[:min(shownSets, len(all))] }

// Rest returns the filters that are folded.
func (all sets) Rest() sets { return all[min(shownSets, len(all)):] }

// Chosen reports whether a value in them is chosen.
func (all sets) Chosen() bool { return slices.ContainsFunc(all, func(s set) bool { return s.Chosen }) }

// Ranges reports whether some of them have fields for numbers.
func (all sets) Ranges() bool {
	return slices.ContainsFunc(all, func(s set) bool { return s.Range != "" })
}

const (
	// shownValues is how many values of a filter are shown before the rest is folded.
	shownValues = 8
	// shownSets is how many filters are shown before the rest is folded.
	shownSets = 8
)

// sets returns the filters of the given number of results.
func (s *Site) sets(filters []document.SearchFilter, total int) (all sets) {
	for _, f := range filters {
		if !narrows(f, total) {
			continue
		}
		one := set{Name: f.Name, Legend: s.legend(f), Any: f.Name == document.FilterKind}
		var values []choice
		for _, sent := range f.Selected {
			values = append(values, choice{Name: f.Name, Value: sent, Label: s.span(f, sent), Selected: true})
		}
		for _, v := range f.Values {
			values = append(values, choice{Name: f.Name, Value: v.Value, Label: v.Label, Count: v.Count, Counted: true, Selected: v.Selected})
		}
		if f.Name == document.FilterCategory {
			s.tellApart(values)
		}
		if f.Type == "number" && f.Min != f.Max {
			one.Range, one.Least, one.Most = f.Name+":"+f.Attribute+":"+f.Unit, s.bound(f, f.Min.String()), s.bound(f, f.Max.String())
		}
		one.First, one.Rest = values[:min(shownValues, len(values))], values[min(shownValues, len(values)):]
		one.Open, one.Chosen = chosen(one.Rest), chosen(values)
		all = append(all, one)
	}
	return all
}

// narrows reports whether a value of a filter is chosen, or would exclude some of the results.
func narrows(f document.SearchFilter, total int) bool {
	return len(f.Selected) > 0 || f.Min != f.Max ||
		slices.ContainsFunc(f.Values, func(v document.SearchFilterValue) bool { return v.Selected || v.Count < total })
}

func chosen(values []choice) bool {
	return slices.ContainsFunc(values, func(c choice) bool { return c.Selected })
}

// legend names a filter, with the unit of its numbers.
func (s *Site) legend(f document.SearchFilter) string {
	name := f.Attribute
	if name == "" {
		name = s.named(filterTexts)(f.Name)
	}
	if f.Unit != "" {
		name += " (" + f.Unit + ")"
	}
	return name
}

// span formats a range from a parameter for people.
func (s *Site) span(f document.SearchFilter, sent string) string {
	if f.Name == document.FilterAttribute {
		_, sent, _ = strings.Cut(sent, ":")
	}
	sent = strings.TrimSpace(sent)
	least, most, found := strings.Cut(sent, "..")
	least, above := strings.CutSuffix(strings.TrimSpace(least), "<")
	most, under := strings.CutPrefix(strings.TrimSpace(most), "<")
	number, unit := most, ""
	if at := strings.IndexFunc(most, func(r rune) bool { return !strings.ContainsRune("0123456789.+-", r) }); at >= 0 {
		number, unit = most[:at], " "+strings.TrimSpace(most[at:])
	}
	from, to := s.bound(f, least), s.bound(f, number)
	if above {
		from = "> " + from
	}
	if under {
		to = "< " + to
	}
	switch {
	case !found:
		return sent
	case from+to == "":
		return s.text("site.search.all")
	case to == "" && !above:
		from = "≥ " + from
	case from == "" && !under:
		to = "≤ " + to
	case from != "" && to != "":
		from += " – "
	}
	return from + to + unit
}

// bound formats a bound of a filter's numbers for the language.
func (s *Site) bound(f document.SearchFilter, number string) string {
	switch {
	case number == "":
		return ""
	case f.Name == document.FilterPrice:
		return s.format.texts.Decimal(number)
	}
	return s.format.number(json.Number(number))
}

// tellApart adds the root to categories of the same name under both roots.
func (s *Site) tellApart(categories []choice) {
	named := map[string]int{}
	for _, c := range categories {
		named[c.Label]++
	}
	for i := range categories {
		c := &categories[i]
		if root, _, _ := strings.Cut(c.Value, "/"); named[c.Label] > 1 {
			c.Label += " (" + s.named(rootTexts)(root) + ")"
		}
	}
}

// toldApart does the same for the categories to begin with.
func (s *Site) toldApart(categories []document.CategoryDirection) []document.CategoryDirection {
	named := map[string]int{}
	for _, c := range categories {
		named[c.Name]++
	}
	categories = slices.Clone(categories)
	for i := range categories {
		if c := &categories[i]; named[c.Name] > 1 {
			c.Name += " (" + s.named(rootTexts)(string(c.RootKind)) + ")"
		}
	}
	return categories
}

// chips returns the chosen values, each with the address of the search without it.
func (s *Site) chips(of document.Search, parameters url.Values, all sets) (chips []document.Link) {
	type chip struct {
		choice
		legend string
	}
	var chosen []chip
	for _, one := range all {
		for _, c := range slices.Concat(one.First, one.Rest) {
			if c.Selected {
				chosen = append(chosen, chip{c, one.Legend})
			}
		}
	}
	for i, one := range chosen {
		rest := url.Values{}
		for name, values := range parameters {
			if !slices.Contains(of.Filters, name) {
				rest[name] = values
			}
		}
		for j, other := range chosen {
			if j != i {
				rest.Add(other.Name, other.Value)
			}
		}
		chips = append(chips, document.Link{Name: one.legend + ": " + one.Label, URL: s.searchAt(of, Asked(of, rest), 0)})
	}
	return chips
}

// orders returns the orders of the results, with one by price for each of their currencies.
func (s *Site) orders(of document.Search, parameters url.Values, filters []document.SearchFilter) []choice {
	sort, currency := parameters.Get("sort"), parameters.Get("currency")
	all := []choice{{Label: s.text("site.sort.relevance")}, {Value: document.SortName, Label: s.text("site.sort.name")}}
	if of.Of == document.ListingSearch().Of {
		all = append(all, choice{Value: document.SortNewest, Label: s.text("site.sort.newest")})
	}
	currencies := []string{}
	if sort == document.SortPrice {
		currencies = append(currencies, currency)
	}
	for _, f := range filters {
		if f.Name == document.FilterPrice && !slices.Contains(currencies, f.Unit) {
			currencies = append(currencies, f.Unit)
		}
	}
	for _, one := range currencies {
		all = append(all, choice{Value: document.SortPrice + ":" + one, Label: s.text("site.sort.price", "currency", one)})
	}
	for i := range all {
		all[i].Selected = all[i].Value == sort || sort == document.SortPrice && all[i].Value == document.SortPrice+":"+currency
	}
	return all
}

// Understood returns the interpretations that a person may want to know. It leaves out words
// without meaning, and that the whole text is a category, which is shown separately. It
// includes a bound that excludes all results.
func (f found) Understood() (told []document.Interpretation) {
	if f.Result == nil {
		return nil
	}
	for _, one := range f.Result.Interpreted {
		match := f.Result.CategoryMatch
		if (one.As != document.AsLeftOut || one.Filter != "") && (match == nil || one.Link == nil || one.Link.URL != match.URL) {
			told = append(told, one)
		}
	}
	return told
}

// understood describes the interpretation of a part of a text.
func (s *Site) understood(one document.Interpretation) string {
	key := understoodTexts[one.As]
	named := one.As == document.AsCategory || one.As == document.AsSimilar
	switch {
	case key == "", named && one.Link == nil:
		return one.Text
	case one.Filter == document.FilterAttribute:
		return s.text(key, "text", withAttribute(one))
	case one.As == document.AsCorrected:
		return s.text(key, "text", one.Text, "to", strings.Join(one.To, ", "))
	case named:
		return s.text(key, "text", one.Text, "name", one.Link.Name)
	default:
		return s.text(key, "text", one.Text)
	}
}

// withAttribute returns the words of a bound, followed by its attribute if they do not name
// it: "lighter than 5 kg (Weight)".
func withAttribute(one document.Interpretation) string {
	name, _, named := strings.Cut(one.Value, ":")
	if !named || strings.Contains(strings.ToLower(one.Text), strings.ToLower(name)) {
		return one.Text
	}
	return one.Text + " (" + name + ")"
}

// Asked converts the parameters of the page's form to those of a search: empty ones are
// dropped, a range comes in three parts, and the order by price includes its currency. Unknown
// parameters are dropped too, because sites that share a link may add some.
func Asked(of document.Search, form url.Values) url.Values {
	asked := url.Values{}
	for _, name := range of.Parameters {
		if values := slices.DeleteFunc(slices.Clone(form[name]), func(v string) bool { return v == "" }); len(values) > 0 {
			asked[name] = values
		}
	}
	if sort, currency, found := strings.Cut(asked.Get("sort"), ":"); found {
		asked.Set("sort", sort)
		if !asked.Has("currency") || !asked.Has(document.FilterPrice) {
			asked.Set("currency", currency)
		}
	}
	ranges, least, most := form["range"], form["min"], form["max"]
	for i, of := range ranges {
		part := strings.SplitN(of, ":", 3)
		if len(part) < 3 || i >= len(least) || i >= len(most) || least[i]+most[i] == "" {
			continue
		}
		bounds := least[i] + ".." + most[i]
		if part[0] == document.FilterPrice {
			asked[document.FilterPrice], asked["currency"] = []string{bounds}, []string{part[2]}
			continue
		}
		asked.Add(document.FilterAttribute, strings.TrimSpace(part[1]+":"+bounds+" "+part[2]))
	}
	if !asked.Has(document.FilterPrice) && asked.Get("sort") != document.SortPrice {
		delete(asked, "currency")
	}
	return asked
}
