package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"souk/build/document"
)

// placed are the members of documents that have an equivalent in schema.org, besides those
// that identify the document.
var placed = map[string][]string{
	"seller":  {"name", "legalName", "tagline", "summary", "website", "founded", "headquarters", "logo", "contact"},
	"product": {"name", "summary", "seller", "sku", "gtin", "availability", "media", "price", "variants"},
	"service": {"name", "summary", "seller", "regions", "media", "price"},
}

var structural = []string{"kind", "slug", "companySlug", "url", "apiUrl", "actions"}

// Data returns a Seller without its lists, a Product or a Service in terms of schema.org, as a
// line of JSON-LD 1.1. It calls without for each member that has no equivalent, as in
// "product.proof".
func (s *Site) Data(value any, without func(member string)) ([]byte, error) {
	var kind string
	var data *thing
	switch d := value.(type) {
	case document.SellerAlone:
		kind, data = d.Kind, s.organization(d.Seller)
	case document.Product:
		kind, data = d.Kind, s.productData(d)
	case document.Service:
		kind, data = d.Kind, s.serviceData(d)
	default:
		return nil, fmt.Errorf("a %T has no type in schema.org", value)
	}
	body, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(structural, name) && !slices.Contains(placed[kind], name) && !empty(members[name]) {
			without(kind + "." + name)
		}
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(data)
	return line.Bytes(), err
}

// empty reports whether a member has no content.
func empty(value json.RawMessage) bool {
	return slices.Contains([]string{`[]`, `""`, `null`, `{"total":0}`}, string(value))
}
