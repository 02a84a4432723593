package site

import "souk/build/document"

// text returns a text of the site in the market's language.
func (s *Site) text(key string, values ...any) string { return s.market.Texts.Text(key, values...) }

// Texts whose keys depend on values in a document.
var (
	kindTexts = map[string]string{
		"seller": "site.kind.seller", "product": "site.kind.product", "service": "site.kind.service",
		"category": "site.kind.category", "article": "site.kind.article", "marketMap": "site.kind.marketMap",
	}
	filterTexts = map[string]string{
		"kind": "site.filter.kind", "category": "site.filter.category", "seller": "site.filter.seller", "country": "site.filter.country", "city": "site.filter.city",
		"availability": "site.availability", "delivery": "site.delivery", "region": "site.regions", "language": "site.languages", "proof": "site.proof", "priceUnit": "site.filter.priceUnit",
		"price": "site.price",
	}
	understoodTexts = map[string]string{
		document.AsCorrected: "site.understood.corrected", document.AsFilter: "site.understood.filter", document.AsCategory: "site.understood.category",
		document.AsPreferred: "site.understood.preferred", document.AsExcluded: "site.understood.excluded", document.AsSimilar: "site.understood.similar",
		document.AsLeftOut: "site.understood.leftOut",
	}
	relTexts = map[string]string{
		"worksWith": "site.rel.worksWith", "alternativeTo": "site.rel.alternativeTo", "requires": "site.rel.requires", "partOf": "site.rel.partOf",
		"successorOf": "site.rel.successorOf", "serviceFor": "site.rel.serviceFor", "requiredBy": "site.rel.requiredBy", "hasPart": "site.rel.hasPart",
		"succeededBy": "site.rel.succeededBy", "servicedBy": "site.rel.servicedBy",
	}
	rootLeads = map[string]string{"product": "site.root.product", "service": "site.root.service"}
	rootTexts = map[string]string{"product": "name.products", "service": "name.services"}
)

// named returns a template function that names a value using one of these maps.
func (s *Site) named(texts map[string]string) func(string) string {
	return func(value string) string {
		if key, known := texts[value]; known {
			return s.text(key)
		}
		return value
	}
}

// kindOf returns the kind of a related item and, for a category, its root, since both roots may
// have a category of that name.
func (s *Site) kindOf(l document.Link) string {
	kind := s.named(kindTexts)(l.Kind)
	if l.RootKind != "" {
		kind += " · " + s.named(rootTexts)(l.RootKind)
	}
	return kind
}

// relation returns how a related item relates, or "" if it is just related.
func (s *Site) relation(l document.Link) string {
	if key := relTexts[l.Rel]; key != "" {
		return s.text(key)
	}
	return ""
}
