// Package sheet makes rows of a table of what is public in a catalog, with the columns
// that souk import knows by themselves. What it leaves out, it counts.
package sheet

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"souk/build/catalog"
)

// A Sheet is a table of one kind of thing.
type Sheet struct {
	Kind catalog.Kind
	// columns are the fields of content, in the order of the columns.
	columns []string
}

// Sheets are the tables by their names.
var Sheets = map[string]Sheet{
	"companies":  {catalog.KindSeller, fields("seller", "slug name legalName tagline summary description website founded employees headquarters.city headquarters.region headquarters.country languages links categories details keywords publishedAt updatedAt")},
	"products":   {catalog.KindProduct, append([]string{"seller.slug"}, fields("product", "slug name summary description categories sku price.amount price.currency price.unit price.from attributes variants keywords publishedAt updatedAt")...)},
	"services":   {catalog.KindService, append([]string{"seller.slug"}, fields("service", "slug name summary description categories delivery regions price.amount price.currency price.unit price.from attributes keywords publishedAt updatedAt")...)},
	"categories": {catalog.KindCategory, fields("category", "root slug name summary description parent synonyms order publishedAt updatedAt")},
}

func fields(kind, names string) (all []string) {
	for name := range strings.FieldsSeq(names) {
		all = append(all, kind+"."+name)
	}
	return all
}

// Header returns the names of the columns.
func (s Sheet) Header() []string { return s.columns }

// Why something has no place in a table, in words that follow a number.
const (
	Pictures     = "things with pictures"
	Proof        = "things with proof"
	Related      = "things that name what belongs with them"
	Descriptions = "descriptions with pictures, or with links into the market"
	Moments      = "dates with a time of day"
)

// Row returns the row of a current thing, and calls without for what has no place. current
// returns the thing of a Reference, nil if it is not public.
func (s Sheet) Row(n *catalog.Node, current func(catalog.Ref) *catalog.Node, without func(string)) []string {
	r := row{current: current, without: without, values: map[string]string{}}
	switch item := n.Item().(type) {
	case *catalog.Seller:
		r.seller(item)
	case *catalog.Offer:
		r.offer(item)
	case *catalog.Category:
		r.category(item)
	}
	r.head(n.Head())
	cells := make([]string, len(s.columns))
	for i, column := range s.columns {
		kind, field, _ := strings.Cut(column, ".")
		if kind != s.Kind.String() {
			field = column
		}
		cells[i] = strings.TrimSpace(r.values[field])
		if field != "description" {
			cells[i] = strings.ReplaceAll(cells[i], "\n", " ")
		}
	}
	return cells
}

type row struct {
	current func(catalog.Ref) *catalog.Node
	without func(string)
	values  map[string]string
}

func (r row) head(h *catalog.Head) {
	r.values["slug"], r.values["name"], r.values["summary"] = h.Ref.Slug, h.Name, h.Summary
	r.values["keywords"] = list(h.Keywords)
	r.values["publishedAt"], r.values["updatedAt"] = r.day(h.PublishedAt), r.day(h.UpdatedAt)
	if len(h.Description.Targets) == 0 {
		r.values["description"] = h.Description.Source
	} else {
		r.without(Descriptions)
	}
	if len(h.Related) > 0 {
		r.without(Related)
	}
}

// day returns a day. A moment can be written in many ways, so that it has no place.
func (r row) day(d catalog.Date) string {
	if !d.Day && !d.Time.IsZero() {
		r.without(Moments)
		return ""
	}
	return d.String()
}

func (r row) seller(s *catalog.Seller) {
	v := r.values
	v["legalName"], v["tagline"], v["website"], v["employees"] = s.LegalName, s.Tagline, s.Website, s.Employees
	if s.Founded != 0 {
		v["founded"] = strconv.Itoa(s.Founded)
	}
	if h := s.Headquarters; h != nil {
		v["headquarters.city"], v["headquarters.region"], v["headquarters.country"] = h.City, h.Region, h.Country
	}
	v["languages"] = list(s.Languages)
	v["links"], v["details"] = labelled(s.Links, "url"), labelled(s.Details, "value")
	v["categories"] = r.references(s.Categories, func(ref catalog.Ref) string { return ref.Root.String() + "/" + ref.Slug })
	if s.Logo != nil {
		r.without(Pictures)
	}
	if len(s.Proof) > 0 {
		r.without(Proof)
	}
}

func (r row) offer(o *catalog.Offer) {
	v := r.values
	v["seller.slug"], v["sku"], v["delivery"], v["regions"] = o.Ref.Company, o.SKU, o.Delivery, list(o.Regions)
	v["categories"] = r.references(o.Categories, func(ref catalog.Ref) string { return ref.Slug })
	if p := o.Price; p != nil {
		v["price.amount"], v["price.currency"], v["price.unit"] = p.Amount, p.Currency, p.Unit
		if p.From {
			v["price.from"] = "true"
		}
	}
	v["attributes"] = attributes(o.Attributes)
	if len(o.Variants) > 0 {
		var all []string
		for _, one := range o.Variants {
			all = append(all, variant(one))
		}
		v["variants"] = "[" + strings.Join(all, ",") + "]"
	}
	if len(o.Media) > 0 {
		r.without(Pictures)
	}
	if len(o.Proof) > 0 {
		r.without(Proof)
	}
}

func (r row) category(c *catalog.Category) {
	r.values["root"], r.values["synonyms"] = c.Ref.Root.String(), list(c.Synonyms)
	if c.Parent != nil && r.current(c.Parent.Ref) != nil {
		r.values["parent"] = c.Parent.Ref.Slug
	}
	if c.Order != catalog.NoOrder {
		r.values["order"] = strconv.Itoa(c.Order)
	}
}

// references returns the References that are public.
func (r row) references(all []catalog.Mention, form func(catalog.Ref) string) string {
	var public []string
	for _, m := range all {
		if r.current(m.Ref) != nil {
			public = append(public, form(m.Ref))
		}
	}
	return strings.Join(public, "; ")
}

// list joins texts, as JSON if they have characters that separate lists.
func list(texts []string) string {
	if slices.ContainsFunc(texts, func(s string) bool { return strings.ContainsAny(s, ";|,\n[") }) {
		return quoted(texts)
	}
	return strings.Join(texts, "; ")
}

func quoted(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // texts and lists of them can be written
	return strings.TrimSuffix(b.String(), "\n")
}

func labelled(all []catalog.Labelled, value string) string {
	var items []string
	for _, l := range all {
		items = append(items, `{"label":`+quoted(l.Label)+`,"`+value+`":`+quoted(l.Value)+"}")
	}
	if items == nil {
		return ""
	}
	return "[" + strings.Join(items, ",") + "]"
}

func attributes(all []catalog.Attribute) string {
	var pairs []string
	for _, a := range all {
		value := a.Value
		if a.Kind == catalog.TextValue {
			value = quoted(a.Value)
		}
		if a.Unit != "" {
			value = `{"value":` + value + `,"unit":` + quoted(a.Unit) + "}"
		}
		pairs = append(pairs, quoted(a.Name)+":"+value)
	}
	if pairs == nil {
		return ""
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

func variant(v catalog.Variant) string {
	fields := []string{`"name":` + quoted(v.Name)}
	if v.SKU != "" {
		fields = append(fields, `"sku":`+quoted(v.SKU))
	}
	if text := attributes(v.Attributes); text != "" {
		fields = append(fields, `"attributes":`+text)
	}
	if p := v.Price; p != nil {
		price := `{"amount":` + quoted(p.Amount) + `,"currency":` + quoted(p.Currency)
		if p.Unit != "" {
			price += `,"unit":` + quoted(p.Unit)
		}
		if p.From {
			price += `,"from":true`
		}
		fields = append(fields, `"price":`+price+"}")
	}
	return "{" + strings.Join(fields, ",") + "}"
}
