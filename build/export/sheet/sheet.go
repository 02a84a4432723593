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
	// Header has the names of the columns.
	Header []string
}

// Sheets are the tables by their names. Every thing has the first columns and the last.
var Sheets = map[string]Sheet{
	"companies": sheet(catalog.KindSeller, "", `legalName tagline website founded employees headquarters.city headquarters.region headquarters.country
		contact.email contact.telephone contact.url contact.address.street contact.address.postalCode contact.address.city contact.address.region contact.address.country
		languages logo links categories details proof keywords`),
	"products":   sheet(catalog.KindProduct, "seller.slug", "categories sku gtin availability website price.amount price.list price.currency price.unit price.from attributes variants media links proof keywords"),
	"services":   sheet(catalog.KindService, "seller.slug", "categories delivery regions website price.amount price.list price.currency price.unit price.from attributes media links proof keywords"),
	"categories": sheet(catalog.KindCategory, "category.root", "parent synonyms order"),
}

func sheet(kind catalog.Kind, first, columns string) Sheet {
	s := Sheet{Kind: kind, Header: strings.Fields(first)}
	for name := range strings.FieldsSeq("slug name summary description " + columns + " related publishedAt updatedAt") {
		s.Header = append(s.Header, kind.String()+"."+name)
	}
	return s
}

// Why something has no place in a table, in words that follow a number.
const (
	Descriptions = "descriptions with pictures, or with links to what is not in the tables"
	Related      = "relations to articles and market maps"
	Files        = "files (PDFs)"
)

// A Market is where the things of a table are.
type Market struct {
	Catalog *catalog.Catalog
	// Media is the address of its published pictures.
	Media string
	// Without is called for what has no place in the table.
	Without func(what string)
}

// Row returns the row of a current thing.
func (s Sheet) Row(n *catalog.Node, m Market) []string {
	values := map[string]string{}
	m.head(values, n.Head())
	switch item := n.Item().(type) {
	case *catalog.Seller:
		m.seller(values, item)
	case *catalog.Offer:
		m.offer(values, item)
	case *catalog.Category:
		m.category(values, item)
	}
	cells := make([]string, len(s.Header))
	for i, column := range s.Header {
		field := strings.TrimPrefix(column, s.Kind.String()+".")
		cells[i] = strings.TrimSpace(values[field])
		if field != "description" {
			cells[i] = strings.ReplaceAll(cells[i], "\n", " ")
		}
	}
	return cells
}

func (m Market) current(ref catalog.Ref) bool {
	n := m.Catalog.Node(ref)
	return n != nil && n.Current()
}

// inTables reports whether a thing is public, and in one of the tables.
func (m Market) inTables(ref catalog.Ref) bool {
	return m.current(ref) && ref.Kind != catalog.KindArticle && ref.Kind != catalog.KindMarketMap
}

func (m Market) head(v map[string]string, h *catalog.Head) {
	v["slug"], v["name"], v["summary"], v["keywords"] = h.Ref.Slug, h.Name, h.Summary, list(h.Keywords)
	v["publishedAt"], v["updatedAt"] = h.PublishedAt.Written(), h.UpdatedAt.Written()
	if slices.ContainsFunc(h.Description.Targets, func(t catalog.Target) bool { return t.Web == "" && !m.inTables(t.Ref) }) {
		m.Without(Descriptions)
	} else {
		v["description"] = h.Description.Source
	}
	v["related"] = array(h.Related, func(r catalog.Relation) string {
		switch {
		case !m.current(r.Ref):
			return ""
		case !m.inTables(r.Ref):
			m.Without(Related)
			return ""
		case r.Rel == catalog.RelRelated:
			return quoted(r.Ref.String())
		}
		return object("ref", quoted(r.Ref.String()), "rel", quoted(r.Rel.String()))
	})
}

func (m Market) seller(v map[string]string, s *catalog.Seller) {
	v["legalName"], v["tagline"], v["website"], v["employees"] = s.LegalName, s.Tagline, s.Website, s.Employees
	if s.Founded != 0 {
		v["founded"] = strconv.Itoa(s.Founded)
	}
	if h := s.Headquarters; h != nil {
		v["headquarters.city"], v["headquarters.region"], v["headquarters.country"] = h.City, h.Region, h.Country
	}
	if c := s.Contact; c != nil {
		v["contact.email"], v["contact.telephone"], v["contact.url"] = c.Email, c.Telephone, c.URL
		if a := c.Address; a != nil {
			v["contact.address.street"], v["contact.address.postalCode"], v["contact.address.city"] = a.Street, a.PostalCode, a.City
			v["contact.address.region"], v["contact.address.country"] = a.Region, a.Country
		}
	}
	if s.Logo != nil {
		v["logo"] = m.address(*s.Logo)
	}
	v["languages"], v["proof"] = list(s.Languages), array(s.Proof, proof)
	v["links"] = array(s.Links, link)
	v["details"] = array(s.Details, func(l catalog.Labelled) string { return object("label", quoted(l.Label), "value", quoted(l.Value)) })
	v["categories"] = m.names(s.Categories, func(ref catalog.Ref) string { return ref.Root.String() + "/" + ref.Slug })
}

func (m Market) offer(v map[string]string, o *catalog.Offer) {
	v["seller.slug"], v["sku"], v["gtin"], v["delivery"], v["regions"] = o.Ref.Company, o.SKU, o.GTIN, o.Delivery, list(o.Regions)
	v["categories"] = m.names(o.Categories, func(ref catalog.Ref) string { return ref.Slug })
	if p := o.Price; p != nil {
		v["price.amount"], v["price.currency"], v["price.unit"], v["price.from"], v["price.list"] = p.Amount, p.Currency, p.Unit, truth(p.From), p.List
	}
	v["availability"], v["website"], v["links"] = o.Availability, o.Website, array(o.Links, link)
	for range o.Files {
		m.Without(Files)
	}
	v["attributes"], v["proof"] = attributes(o.Attributes), array(o.Proof, proof)
	v["variants"] = array(o.Variants, func(one catalog.Variant) string {
		price, image := "", ""
		if p := one.Image; p != nil {
			image = m.picture(*p)
		}
		if p := one.Price; p != nil {
			price = object("amount", quoted(p.Amount), "currency", quoted(p.Currency), "unit", quoted(p.Unit), "from", truth(p.From), "list", quoted(p.List))
		}
		return object("name", quoted(one.Name), "sku", quoted(one.SKU), "gtin", quoted(one.GTIN), "attributes", attributes(one.Attributes), "price", price, "availability", quoted(one.Availability), "image", image)
	})
	v["media"] = array(o.Media, m.picture)
}

func (m Market) category(v map[string]string, c *catalog.Category) {
	v["root"], v["synonyms"] = c.Ref.Root.String(), list(c.Synonyms)
	if c.Parent != nil && m.current(c.Parent.Ref) {
		v["parent"] = c.Parent.Ref.Slug
	}
	if c.Order != catalog.NoOrder {
		v["order"] = strconv.Itoa(c.Order)
	}
}

// names returns what is public of the things that something mentions.
func (m Market) names(all []catalog.Mention, form func(catalog.Ref) string) string {
	var public []string
	for _, one := range all {
		if m.current(one.Ref) {
			public = append(public, form(one.Ref))
		}
	}
	return strings.Join(public, "; ")
}

func (m Market) picture(p catalog.Picture) string {
	return object("url", quoted(m.address(p)), "alt", quoted(p.Alt))
}

// address returns the web address of a picture.
func (m Market) address(p catalog.Picture) string {
	if media := m.Catalog.Media(p.File); media != nil {
		return m.Media + media.Name
	}
	return p.URL
}

// list joins texts, as JSON if they have characters that separate lists.
func list(texts []string) string {
	if slices.ContainsFunc(texts, func(s string) bool { return strings.ContainsAny(s, ";|,\n[") }) {
		return array(texts, quoted)
	}
	return strings.Join(texts, "; ")
}

func link(l catalog.Labelled) string { return object("label", quoted(l.Label), "url", quoted(l.Value)) }

func proof(p catalog.Proof) string {
	return object("kind", quoted(p.Kind), "title", quoted(p.Title), "issuer", quoted(p.Issuer), "url", quoted(p.URL), "date", quoted(p.Date.Written()), "public", "true")
}

func attributes(all []catalog.Attribute) string {
	var pairs []string
	for i, a := range all {
		value := a.Value
		if catalog.Continues(all, i) {
			continue
		}
		if a.Listed {
			values := []string{a.Value}
			for i++; i < len(all) && catalog.Continues(all, i); i++ {
				values = append(values, all[i].Value)
			}
			pairs = append(pairs, a.Name, array(values, quoted))
			continue
		}
		if a.Kind == catalog.TextValue {
			value = quoted(a.Value)
		}
		if a.Unit != "" {
			value = object("value", value, "unit", quoted(a.Unit))
		}
		pairs = append(pairs, a.Name, value)
	}
	return object(pairs...)
}

func truth(is bool) string {
	if is {
		return "true"
	}
	return ""
}

// object returns keys and values as JSON, without keys whose value is "".
func object(pairs ...string) string {
	var all []string
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			all = append(all, quoted(pair[0])+":"+pair[1])
		}
	}
	return enclosed("{", all, "}")
}

// array returns items as JSON, without those whose form is "".
func array[T any](items []T, form func(T) string) string {
	var all []string
	for _, item := range items {
		if text := form(item); text != "" {
			all = append(all, text)
		}
	}
	return enclosed("[", all, "]")
}

func enclosed(open string, all []string, end string) string {
	if all == nil {
		return ""
	}
	return open + strings.Join(all, ",") + end
}

// quoted returns a text as JSON, and "" for "".
func quoted(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can be written
	return strings.TrimSuffix(b.String(), "\n")
}
