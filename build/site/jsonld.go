package site

import (
	"fmt"

	"souk/build/document"
)

// What pages say in terms of schema.org, as JSON-LD 1.1. Only types and
// properties that a page also shows are used.

type ld map[string]any

func (s *Site) website() any {
	return ld{
		"@context": "https://schema.org", "@type": "WebSite",
		"name": s.market.Name, "url": s.market.SiteURL + "/", "description": s.market.Description,
		"inLanguage": s.market.Language,
		"potentialAction": ld{
			"@type": "SearchAction", "query-input": "required name=q",
			"target": ld{"@type": "EntryPoint", "urlTemplate": s.market.SiteURL + "/search?q={q}"},
		},
	}
}

func (s *Site) organization(d document.Seller) any {
	o := ld{"@context": "https://schema.org", "@type": "Organization", "name": d.Name, "url": d.URL}
	set(o, "legalName", d.LegalName)
	set(o, "description", d.Summary)
	set(o, "slogan", d.Tagline)
	if d.Website != "" {
		o["sameAs"] = []string{d.Website}
	}
	if d.Logo != nil {
		o["logo"] = d.Logo.URL
	}
	if d.Founded != 0 {
		o["foundingDate"] = fmt.Sprint(d.Founded)
	}
	if h := d.Headquarters; h != nil {
		a := ld{"@type": "PostalAddress"}
		set(a, "addressLocality", h.City)
		set(a, "addressRegion", h.Region)
		set(a, "addressCountry", h.Country)
		o["address"] = a
	}
	return o
}

func set(o ld, name, value string) {
	if value != "" {
		o[name] = value
	}
}

func offerOf(p *document.Price, url string) ld {
	o := ld{"@type": "Offer", "price": p.Amount, "priceCurrency": p.Currency, "url": url}
	return o
}

func seller(l document.Link) ld {
	return ld{"@type": "Organization", "name": l.Name, "url": l.URL}
}

func pictures(media []document.Media) (urls []string) {
	for _, m := range media {
		urls = append(urls, m.URL)
	}
	return urls
}

func (s *Site) productData(d document.Product) any {
	p := ld{"@context": "https://schema.org", "@type": "Product", "name": d.Name, "url": d.URL, "brand": seller(d.Seller)}
	set(p, "description", d.Summary)
	set(p, "sku", d.SKU)
	if len(d.Media) > 0 {
		p["image"] = pictures(d.Media)
	}
	var offers []ld
	for _, v := range d.Variants {
		if v.Price != nil {
			o := offerOf(v.Price, d.URL)
			o["name"] = v.Name
			set(o, "sku", v.SKU)
			offers = append(offers, o)
		}
	}
	if len(offers) == 0 && d.Price != nil {
		offers = append(offers, offerOf(d.Price, d.URL))
	}
	for _, o := range offers {
		o["seller"] = seller(d.Seller)
	}
	if len(offers) > 0 {
		p["offers"] = offers
	}
	return p
}

func (s *Site) serviceData(d document.Service) any {
	p := ld{"@context": "https://schema.org", "@type": "Service", "name": d.Name, "url": d.URL, "provider": seller(d.Seller)}
	set(p, "description", d.Summary)
	if len(d.Regions) > 0 {
		p["areaServed"] = d.Regions
	}
	if d.Price != nil {
		p["offers"] = offerOf(d.Price, d.URL)
	}
	return p
}

func (s *Site) articleData(d document.Article) any {
	a := ld{"@context": "https://schema.org", "@type": "Article", "headline": d.Title, "url": d.URL, "inLanguage": s.market.Language}
	set(a, "description", d.Summary)
	set(a, "datePublished", d.PublishedAt)
	set(a, "dateModified", d.UpdatedAt)
	if len(d.Authors) > 0 {
		var authors []ld
		for _, name := range d.Authors {
			authors = append(authors, ld{"@type": "Person", "name": name})
		}
		a["author"] = authors
	}
	if len(d.Media) > 0 {
		a["image"] = pictures(d.Media)
	}
	a["publisher"] = ld{"@type": "Organization", "name": s.market.Name, "url": s.market.SiteURL + "/"}
	return a
}

// listing returns an ItemList of cards.
func (s *Site) listing(name string, items []document.Listing) any {
	all := make([]ld, 0, len(items))
	for i, l := range items {
		all = append(all, ld{"@type": "ListItem", "position": i + 1, "url": l.URL})
	}
	return ld{"@context": "https://schema.org", "@type": "ItemList", "name": name, "itemListElement": all}
}

// breadcrumbs returns the way to a page.
func breadcrumbs(way []Crumb) any {
	all := make([]ld, 0, len(way))
	for i, c := range way {
		all = append(all, ld{"@type": "ListItem", "position": i + 1, "name": c.Name, "item": c.URL})
	}
	return ld{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": all}
}
