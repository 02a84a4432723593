package table

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"souk/build/intake/feed"
	"souk/build/intake/merge"
)

// A Header is a column that a shop's export has, and where it goes. What is of a variant
// goes to the product if it has one form only. A target without a dot says how other
// columns are read.
type Header struct{ Name, Target string }

// Shopify contains the columns of both generations of Shopify's export.
var Shopify = []Header{
	{"Handle", "product.slug"}, {"URL handle", "product.slug"},
	{"Title", "product.name"},
	{"Body (HTML)", "product.html"}, {"Description", "product.html"},
	{"Vendor", "seller.name"},
	{"Type", "product.categories"}, {"Product Category", "product.categories"},
	{"Tags", "product.keywords"},
	{"Status", "product.status"}, {"Published", "product.status"}, {"Published on online store", "product.status"},
	{"Option1 Name", "option 1"}, {"Option2 Name", "option 2"}, {"Option3 Name", "option 3"},
	{"Option1 Value", "variant.option 1"}, {"Option2 Value", "variant.option 2"}, {"Option3 Value", "variant.option 3"},
	{"Variant SKU", "variant.sku"}, {"SKU", "variant.sku"},
	{"Variant Barcode", "variant.gtin"}, {"Barcode", "variant.gtin"},
	{"Variant Price", "variant.price.amount"}, {"Price", "variant.price.amount"},
	{"Variant Compare At Price", "variant.price.list"}, {"Compare-at price", "variant.price.list"},
	{"Image Src", "product.media"}, {"Product image URL", "product.media"}, {"Image Alt Text", "alt"},
	{"Variant Image", "variant.media"}, {"Variant image URL", "variant.media"},
	{"SEO Description", "product.summary"},
}

// WooCommerce contains the columns of WooCommerce's export, apart from further attributes
// and units.
var WooCommerce = []Header{
	{"ID", "id"}, {"Type", "type"}, {"Parent", "parent"},
	{"SKU", "variant.sku"}, {"GTIN, UPC, EAN, or ISBN", "variant.gtin"},
	{"Name", "product.name"},
	{"Published", "product.status"},
	{"Short description", "product.summary"}, {"Description", "product.html"},
	{"Regular price", "variant.price.list"}, {"Sale price", "variant.price.amount"},
	{"Categories", "product.categories"}, {"Tags", "product.keywords"}, {"Images", "product.media"},
	{"External URL", "product.website"},
	{"In stock?", "variant.availability"},
	{"Brands", "product.attributes.Brand"},
	{"Weight (kg)", "product.attributes.Weight (kg)"}, {"Length (cm)", "product.attributes.Length (cm)"},
	{"Width (cm)", "product.attributes.Width (cm)"}, {"Height (cm)", "product.attributes.Height (cm)"},
	{"Attribute 1 name", "option 1"}, {"Attribute 1 value(s)", "variant.option 1"},
}

// wooCommerce returns the target of a column, ignoring its number or unit.
func wooCommerce(name string) string {
	name = strings.ToLower(name)
	var n int
	var what string
	if _, err := fmt.Sscanf(name, "attribute %d %s", &n, &what); err == nil {
		return map[string]string{"name": fmt.Sprintf("option %d", n), "value(s)": fmt.Sprintf("variant.option %d", n)}[what]
	}
	if size, unit, has := strings.Cut(name, " ("); has && slices.Contains([]string{"weight", "length", "width", "height"}, size) {
		return "product.attributes." + strings.ToUpper(size[:1]) + size[1:] + " (" + strings.Replace(unit, "lbs", "lb", 1)
	}
	return columns(WooCommerce)(name)
}

// columns returns the targets of columns; capitals make no difference.
func columns(headers []Header) func(name string) string {
	return func(name string) string {
		for _, h := range headers {
			if strings.EqualFold(h.Name, name) {
				return h.Target
			}
		}
		return ""
	}
}

// A shop collects the rows of its products.
type shop struct {
	b *feed.Batch
	*grid
	targets []string
	woo     bool
	// groups are the rows of each product, in the order of the table.
	groups [][]row
	index  map[string]int
}

// A variant is a variant of a product, with its row's values for the product's fields.
type variant struct {
	line       int
	names      []string
	attributes merge.Map
	cells      []feed.Cell
}

func readShop(b *feed.Batch, g *grid, targets []string, woo bool) {
	s := &shop{b: b, grid: g, targets: targets, woo: woo, index: map[string]int{}}
	fields := "variants price sku gtin media"
	if woo {
		fields += " attributes availability"
	}
	for field := range strings.FieldsSeq(fields) {
		b.Covered = append(b.Covered, "product."+field)
	}
	for _, r := range g.rows {
		s.group(r)
	}
	for _, rows := range s.groups {
		s.product(rows)
	}
}

// group adds a row to its product. A WooCommerce variation refers to its parent by SKU or
// ID.
func (s *shop) group(r row) {
	id := "id:" + s.get(r, "id")
	key := cmp.Or(s.get(r, "product.slug"), s.get(r, "parent"), s.get(r, "variant.sku"), id)
	at, known := s.index[key]
	if !known {
		at = len(s.groups)
		s.index[key], s.groups = at, append(s.groups, nil)
	}
	if s.get(r, "type") != "variation" {
		s.index[id] = at
	}
	s.groups[at] = append(s.groups[at], r)
}

// get returns the text of a row for a target.
func (s *shop) get(r row, target string) string {
	for i, to := range s.targets {
		if text := strings.TrimSpace(r.cells[i]); to == target && text != "" {
			return text
		}
	}
	return ""
}

var states = []string{"published", "draft", "unpublished"}

// product adds the product of some rows.
func (s *shop) product(rows []row) {
	variation := func(r row) bool { return strings.Contains(s.get(r, "type"), "variation") }
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(fmt.Sprint(variation(a)), fmt.Sprint(variation(b))) })
	var cells []feed.Cell
	var variants []variant
	with, state, line := 0, 0, rows[0].line // with counts what says how others are read
	for n, r := range rows {
		v := variant{line: r.line}
		for i, text := range r.cells {
			c := feed.Cell{Column: s.header[i], Target: s.targets[i], Text: strings.TrimSpace(text)}
			if c.Text == "" {
				continue
			}
			s.b.See(c.Column, c.Target, c.Text)
			number, isOption := strings.CutPrefix(c.Target, "variant.option ")
			switch {
			case c.Target == "" || c.Target == "-":
				s.b.Lose(c.Column, NoPlace, r.line, 1)
				continue
			case c.Target == "product.status":
				state = max(state, map[string]int{"draft": 1, "0": 1, "-1": 1, "false": 2, "archived": 2}[strings.ToLower(c.Text)])
				with++
				continue
			case !strings.Contains(c.Target, "."), c.Target == "product.slug" && n > 0:
				with++
				continue
			case isOption:
				name := cmp.Or(s.get(r, "option "+number), s.get(rows[0], "option "+number))
				if s.woo && !variation(r) {
					c.Target = "product.attributes." + cmp.Or(name, "Attribute "+number)
					break
				}
				if name != "" && (name != "Title" || c.Text != "Default Title") {
					v.names, v.attributes = append(v.names, c.Text), v.attributes.Set(feed.Name(name), c.Text)
				}
				with++
				continue
			case c.Target == "variant.availability":
				c.Text = cmp.Or(map[string]string{"1": "inStock", "0": "outOfStock"}[c.Text], c.Text)
			case c.Target == "product.summary" && strings.Contains(c.Text, "<"):
				c.Text, _ = s.b.Markdown(c.Text)
			case c.Target == "product.keywords" || c.Target == "product.categories":
				c.Text = strings.ReplaceAll(c.Text, ",", ";")
			case c.Target == "product.media":
				c.Text, c.Label = s.pictures(c.Text), s.get(r, "alt")
			case c.Target == "variant.price.list" && s.woo && s.get(r, "variant.price.amount") == "":
				c.Target = "variant.price.amount" // the regular price is the actual price
			}
			field, own := strings.CutPrefix(c.Target, "variant.")
			switch {
			case own, s.woo && n > 0 && c.Target == "product.media":
				c.Target = "product." + strings.TrimPrefix(field, "product.")
				v.cells = append(v.cells, c)
			case n > 0 && s.woo:
				s.b.Lose(c.Column, "a variation has no place for it", r.line, 1)
			default:
				cells = append(cells, c)
			}
		}
		switch {
		case s.woo && (variation(r) || len(rows) == 1), !s.woo && (len(v.names) > 0 || s.get(r, "variant.price.amount") != ""):
			variants = append(variants, v)
		case s.woo:
			cells = append(cells, v.cells...)
		default:
			for _, c := range v.cells {
				s.b.Lose(c.Column, "its row has no variant", r.line, 1)
			}
		}
	}
	if state > 0 {
		cells = append(cells, feed.Cell{Target: "product.status", Text: states[state], Silent: true})
	}
	if len(variants) == 1 && len(variants[0].names) == 0 {
		cells, variants = append(cells, variants[0].cells...), nil
	}
	t := s.b.Row(line, cells)
	if t == nil {
		for _, v := range variants {
			with += len(v.cells)
		}
		s.b.Lose("(the whole row)", "its product was refused", line, with)
		return
	}
	t.Values += with
	if len(variants) > 0 {
		s.variants(t, variants)
	}
}

// pictures returns the pictures of a cell, of which WooCommerce has several, as JSON.
func (s *shop) pictures(text string) string {
	if !s.woo {
		return text
	}
	var all []map[string]string
	for _, address := range strings.Split(text, ",") {
		all = append(all, map[string]string{"url": strings.TrimSpace(address)})
	}
	list, _ := json.Marshal(all) // of texts
	return string(list)
}

// variants gives a product its variants, and the lowest of their prices.
func (s *shop) variants(t *feed.Thing, variants []variant) {
	var all merge.List
	var lowest merge.Map
	for i, v := range variants {
		name := cmp.Or(strings.Join(v.names, " / "), fmt.Sprintf("Variant %d", i+1))
		one := s.b.Variant(v.line, t.Fields.Text("name")+", "+name, v.cells)
		m, media := one.Fields.Set("name", name).Set("media", nil), one.Fields.List("media")
		if len(v.attributes) > 0 {
			m = m.Set("attributes", v.attributes)
		}
		if len(media) > 0 {
			m = m.Set("image", media[0])
			s.b.Lose("pictures", "a variant has one picture", v.line, len(media)-1)
			one.Values -= len(media) - 1
		}
		t.Values += one.Values
		all = append(all, m)
		price := m.Map("price").Set("list", nil)
		amount, least := price.Text("amount"), lowest.Text("amount")
		switch {
		case amount == "":
		case lowest == nil:
			lowest = price
		case amount != least && feed.Less(amount, least):
			lowest = price.Set("from", merge.Raw("true"))
		case amount != least:
			lowest = lowest.Set("from", merge.Raw("true"))
		}
	}
	t.Fields = t.Fields.Set("variants", all)
	if lowest != nil {
		t.Fields = t.Fields.Set("price", lowest)
	}
}
