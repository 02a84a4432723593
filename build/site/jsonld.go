package site

import (
	"fmt"

	"souk/build/document"
)

// The schema.org data of pages, as JSON-LD 1.1. It contains only what a page also shows.

const schema = "https://schema.org"

// A thing has the properties that pages use of all schema.org types.
type thing struct {
	Context     string        `json:"@context,omitempty"`
	Type        string        `json:"@type"`
	Name        string        `json:"name,omitempty"`
	Headline    string        `json:"headline,omitempty"`
	URL         string        `json:"url,omitempty"`
	Description string        `json:"description,omitempty"`
	Language    string        `json:"inLanguage,omitempty"`
	Image       []string      `json:"image,omitempty"`
	SKU         string        `json:"sku,omitempty"`
	GTIN        string        `json:"gtin,omitempty"`
	Brand       *thing        `json:"brand,omitempty"`
	Provider    *thing        `json:"provider,omitempty"`
	Offers      []offer       `json:"offers,omitempty"`
	AreaServed  []string      `json:"areaServed,omitempty"`
	Authors     []thing       `json:"author,omitempty"`
	Publisher   *thing        `json:"publisher,omitempty"`
	Published   document.Date `json:"datePublished,omitempty"`
	Modified    document.Date `json:"dateModified,omitempty"`
	LegalName   string        `json:"legalName,omitempty"`
	Slogan      string        `json:"slogan,omitempty"`
	Logo        string        `json:"logo,omitempty"`
	Founded     string        `json:"foundingDate,omitempty"`
	SameAs      []string      `json:"sameAs,omitempty"`
	Address     *address      `json:"address,omitempty"`
	Contact     *contact      `json:"contactPoint,omitempty"`
	Action      *action       `json:"potentialAction,omitempty"`
	Items       []step        `json:"itemListElement,omitempty"`
}

type address struct {
	Type       string `json:"@type"`
	Street     string `json:"streetAddress,omitempty"`
	PostalCode string `json:"postalCode,omitempty"`
	City       string `json:"addressLocality,omitempty"`
	Region     string `json:"addressRegion,omitempty"`
	Country    string `json:"addressCountry,omitempty"`
}

type contact struct {
	Type      string `json:"@type"`
	Email     string `json:"email,omitempty"`
	Telephone string `json:"telephone,omitempty"`
	URL       string `json:"url,omitempty"`
}

type action struct {
	Type   string `json:"@type"`
	Target struct {
		Type string `json:"@type"`
		URL  string `json:"urlTemplate"`
	} `json:"target"`
	Input string `json:"query-input"`
}

// An offer is an Offer, or an AggregateOffer if only the lowest price is known.
type offer struct {
	Type      string      `json:"@type"`
	Name      string      `json:"name,omitempty"`
	SKU       string      `json:"sku,omitempty"`
	GTIN      string      `json:"gtin,omitempty"`
	URL       string      `json:"url"`
	Price     string      `json:"price,omitempty"`
	LowPrice  string      `json:"lowPrice,omitempty"`
	Currency  string      `json:"priceCurrency"`
	Available string      `json:"availability,omitempty"`
	Prices    []unitPrice `json:"priceSpecification,omitempty"`
	Seller    *thing      `json:"seller,omitempty"`
}

// A unitPrice is a UnitPriceSpecification. Kind is a PriceTypeEnumeration, and empty for the
// present price.
type unitPrice struct {
	Type     string `json:"@type"`
	Kind     string `json:"priceType,omitempty"`
	Price    string `json:"price"`
	Currency string `json:"priceCurrency"`
	Unit     string `json:"unitText,omitempty"`
}

// A step is a ListItem.
type step struct {
	Type     string `json:"@type"`
	Position int    `json:"position"`
	Name     string `json:"name,omitempty"`
	Item     string `json:"item,omitempty"`
	URL      string `json:"url,omitempty"`
}

func (s *Site) website() *thing {
	search := &action{Type: "SearchAction", Input: "required name=q"}
	search.Target.Type, search.Target.URL = "EntryPoint", s.market.SiteURL+"/search?q={q}"
	return &thing{
		Context: schema, Type: "WebSite", Name: s.market.Name, URL: s.market.SiteURL + "/",
		Description: s.market.Description, Language: s.market.Language, Action: search,
	}
}

func (s *Site) organization(d document.Seller) *thing {
	o := &thing{
		Context: schema, Type: "Organization", Name: d.Name, URL: d.URL,
		LegalName: d.LegalName, Description: d.Summary, Slogan: d.Tagline,
	}
	if outside(d.Website) != "" {
		o.SameAs = []string{d.Website}
	}
	if d.Logo != nil && safe(d.Logo.URL, true) {
		o.Logo = d.Logo.URL
	}
	if d.Founded != 0 {
		o.Founded = fmt.Sprint(d.Founded)
	}
	if h := d.Headquarters; h != nil {
		o.Address = &address{Type: "PostalAddress", City: h.City, Region: h.Region, Country: h.Country}
	}
	if c := d.Contact; c != nil {
		if a := c.Address; a != nil {
			o.Address = &address{"PostalAddress", a.Street, a.PostalCode, a.City, a.Region, a.Country}
		}
		if c.Email != "" || c.Telephone != "" || outside(c.URL) != "" {
			o.Contact = &contact{"ContactPoint", c.Email, c.Telephone, outside(c.URL)}
		}
	}
	return o
}

func offerOf(p *document.Price, url string) offer {
	o := offer{Type: "Offer", Price: p.Amount, Currency: p.Currency, URL: url}
	if p.From {
		o.Type, o.Price, o.LowPrice = "AggregateOffer", "", p.Amount
		return o
	}
	if p.Unit != "" {
		o.Prices = append(o.Prices, unitPrice{"UnitPriceSpecification", "", p.Amount, p.Currency, p.Unit})
	}
	if p.List != "" {
		o.Prices = append(o.Prices, unitPrice{"UnitPriceSpecification", schema + "/StrikethroughPrice", p.List, p.Currency, p.Unit})
	}
	return o
}

// available are the availabilities that schema.org has.
var available = map[string]string{
	"inStock": schema + "/InStock", "outOfStock": schema + "/OutOfStock", "preOrder": schema + "/PreOrder", "discontinued": schema + "/Discontinued",
}

func seller(l document.Link) *thing { return &thing{Type: "Organization", Name: l.Name, URL: l.URL} }

func pictures(media []document.Media) (urls []string) {
	for _, m := range media {
		if safe(m.URL, true) {
			urls = append(urls, m.URL)
		}
	}
	return urls
}

func (s *Site) productData(d document.Product) *thing {
	p := &thing{
		Context: schema, Type: "Product", Name: d.Name, URL: d.URL, Brand: seller(d.Seller),
		Description: d.Summary, SKU: d.SKU, GTIN: d.GTIN, Image: pictures(d.Media),
	}
	for _, v := range d.Variants {
		if v.Price != nil {
			o := offerOf(v.Price, d.URL)
			o.Name, o.SKU, o.GTIN, o.Available = v.Name, v.SKU, v.GTIN, available[v.Availability]
			p.Offers = append(p.Offers, o)
		}
	}
	if len(p.Offers) == 0 && d.Price != nil {
		p.Offers = []offer{offerOf(d.Price, d.URL)}
		p.Offers[0].Available = available[d.Availability]
	}
	for i := range p.Offers {
		p.Offers[i].Seller = p.Brand
	}
	return p
}

func (s *Site) serviceData(d document.Service) *thing {
	p := &thing{
		Context: schema, Type: "Service", Name: d.Name, URL: d.URL, Provider: seller(d.Seller),
		Description: d.Summary, AreaServed: d.Regions, Image: pictures(d.Media),
	}
	if d.Price != nil {
		p.Offers = []offer{offerOf(d.Price, d.URL)}
	}
	return p
}

func (s *Site) articleData(d document.Article) *thing {
	a := &thing{
		Context: schema, Type: "Article", Headline: d.Title, URL: d.URL, Language: s.market.Language,
		Description: d.Summary, Published: d.PublishedAt, Modified: d.UpdatedAt, Image: pictures(d.Media),
		Publisher: &thing{Type: "Organization", Name: s.market.Name, URL: s.market.SiteURL + "/"},
	}
	for _, name := range d.Authors {
		a.Authors = append(a.Authors, thing{Type: "Person", Name: name})
	}
	return a
}

// list returns an ItemList.
func list(name string, urls []string) *thing {
	l := &thing{Context: schema, Type: "ItemList", Name: name}
	for i, url := range urls {
		l.Items = append(l.Items, step{Type: "ListItem", Position: i + 1, URL: url})
	}
	return l
}

func (s *Site) listing(name string, items []document.Listing) *thing {
	urls := make([]string, 0, len(items))
	for _, l := range items {
		urls = append(urls, l.URL)
	}
	return list(name, urls)
}

// mapData returns an ItemList of the items that a map's page shows, each once.
func (s *Site) mapData(d document.MarketMap) *thing {
	var urls []string
	seen := map[string]bool{}
	for _, segment := range d.Segments {
		for _, e := range segment.Entries {
			if !seen[e.URL] {
				seen[e.URL] = true
				urls = append(urls, e.URL)
			}
		}
	}
	if d.Large() {
		urls = nil
	}
	l := list(d.Title, urls)
	l.URL, l.Description = d.URL, d.Summary
	return l
}

// breadcrumbs returns the breadcrumbs of a page.
func breadcrumbs(way []Crumb) *thing {
	l := &thing{Context: schema, Type: "BreadcrumbList"}
	for i, c := range way {
		l.Items = append(l.Items, step{Type: "ListItem", Position: i + 1, Name: c.Name, Item: c.URL})
	}
	return l
}
