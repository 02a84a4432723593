// Package merchant converts public documents to rows of a product feed for Google Merchant
// Center: tab-separated text with the attributes of the product data specification
// (support.google.com/merchants/answer/7052112). It knows that specification, and reports
// what of a document cannot be part of a feed. It does not know where documents come from,
// and invents nothing: if a feed needs shipping costs, or an availability that a product does
// not state, the operator sets them where it is loaded.
package merchant

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/internal/markdown"
	"souk/build/kit/codes"
)

// Header is the first line, with the column names.
const Header = "id\titem_group_id\ttitle\tdescription\tlink\timage_link\tadditional_image_link\tprice\tsale_price\tavailability\tbrand\tgtin\tmpn\tproduct_type\n"

// The limits of the specification, in characters.
const (
	longestTitle       = 150
	longestDescription = 5000
	longestCode        = 70
	longestType        = 750
	mostPictures       = 10 // in addition to the first
)

// Reasons why something is not in a feed, worded to follow a number.
const (
	Services    = "services: the feed is of products"
	NoPrice     = "products or variants without a price"
	LowestOnly  = "products or variants whose price is only the lowest of several"
	PerUnit     = "products or variants with a price for a unit, as an hour"
	NoPicture   = "products without a picture that the feed takes: PNG, JPEG, GIF or WebP"
	OnlySVG     = "products whose pictures are all SVG, which the feed does not take"
	NoText      = "products without a summary and a description"
	Shortened   = "titles or descriptions cut to the length that the feed takes"
	NoCode      = "article numbers (sku) longer than 70 characters"
	Unavailable = "products or variants whose availability the feed does not have"
	Attributes  = "attributes other than a GTIN"
	Proof       = "pieces of proof"
)

// Rows returns the rows of a product, one for each of its variants if it has any. It calls
// without for each thing that is left out.
func Rows(d document.Product, without func(why string)) string {
	for range d.Proof {
		without(Proof)
	}
	images := pictures(d.Media)
	text := cmp.Or(d.Summary, markdown.Plain(d.Description))
	switch {
	case len(images) == 0 && len(d.Media) > 0 && !slices.ContainsFunc(d.Media, func(m document.Media) bool { return !strings.EqualFold(path.Ext(m.URL), ".svg") }):
		without(OnlySVG)
		return ""
	case len(images) == 0:
		without(NoPicture)
		return ""
	case text == "":
		without(NoText)
		return ""
	}
	base := row{
		id: idOf(d.APIURL), title: d.Name, text: text, link: d.URL, images: images, brand: d.Seller.Name,
		gtin: gtin(d.GTIN, d.Attributes, without), mpn: d.SKU, price: d.Price, availability: d.Availability,
	}
	if len(d.Categories) > 0 {
		base.kind = d.Categories[0].Name
	}
	if len(d.Variants) == 0 {
		return base.line(without)
	}
	var all strings.Builder
	for _, v := range d.Variants {
		one := base
		one.id, one.group = idOf(d.APIURL+"#"+v.Name), base.id
		one.title, one.mpn, one.price, one.availability = d.Name+" – "+v.Name, v.SKU, v.Price, v.Availability
		one.gtin = gtin(v.GTIN, v.Attributes, without)
		all.WriteString(one.line(without))
	}
	return all.String()
}

type row struct {
	id, group, title, text, link string
	images                       []string
	price                        *document.Price
	brand, gtin, mpn, kind       string
	availability                 string
}

// availabilities are those that the specification has too.
var availabilities = map[string]string{"inStock": "in_stock", "outOfStock": "out_of_stock", "preOrder": "preorder"}

// line returns the row, or "" if it cannot be in the feed.
func (r row) line(without func(string)) string {
	switch {
	case r.price == nil:
		without(NoPrice)
		return ""
	case r.price.From:
		without(LowestOnly)
		return ""
	case r.price.Unit != "":
		without(PerUnit)
		return ""
	}
	if len([]rune(r.mpn)) > longestCode {
		without(NoCode)
		r.mpn = ""
	}
	available, known := availabilities[r.availability]
	if !known && r.availability != "" {
		without(Unavailable)
	}
	// The price of the specification is that before a reduction.
	price, sale := r.price.Amount+" "+r.price.Currency, ""
	if r.price.List != "" {
		price, sale = r.price.List+" "+r.price.Currency, price
	}
	cut := func(text string, most int) string {
		if all := []rune(text); len(all) > most {
			without(Shortened)
			return string(all[:most-1]) + "…"
		}
		return text
	}
	fields := []string{
		r.id, r.group, cut(r.title, longestTitle), cut(r.text, longestDescription), r.link,
		r.images[0], strings.Join(r.images[1:min(len(r.images), mostPictures+1)], ","),
		price, sale, available, cut(r.brand, longestCode), r.gtin, r.mpn, cut(r.kind, longestType),
	}
	for i := range fields {
		fields[i] = quoted(fields[i])
	}
	return strings.Join(fields, "\t") + "\n"
}

// quoted returns a value on one line, in quotation marks if it contains any.
func quoted(value string) string {
	value = strings.Join(strings.Fields(value), " ")
	if strings.Contains(value, `"`) {
		return `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
	}
	return value
}

// idOf returns an id of at most 50 characters that only changes with the address.
func idOf(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:12])
}

// pictures returns the pictures in formats that the feed accepts.
func pictures(media []document.Media) (urls []string) {
	for _, m := range media {
		switch strings.ToLower(path.Ext(m.URL)) {
		case ".png", ".jpg", ".jpeg", ".gif", ".webp":
			if strings.HasPrefix(m.URL, "http") && !strings.Contains(m.URL, ",") {
				urls = append(urls, m.URL)
			}
		}
	}
	return urls
}

// gtin returns found, or if that is empty, the first attribute whose name says that it is a
// GTIN.
func gtin(found string, attributes []document.Attribute, without func(string)) string {
	for _, a := range attributes {
		text, _ := a.Value.(string)
		text = strings.ReplaceAll(text, " ", "")
		if found == "" && slices.Contains([]string{"gtin", "ean", "upc", "isbn"}, strings.ToLower(a.Name)) && codes.GTIN(text) {
			found = text
		} else {
			without(Attributes)
		}
	}
	return found
}
