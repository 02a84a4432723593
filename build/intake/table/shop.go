package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"souk/build/catalog"
	"souk/build/intake/feed"
	"souk/build/intake/merge"
)

// A Header is a column that a shop's export has, and where it goes. What is of a variant
// goes to the product if it has one form only.
type Header struct{ Name, Target string }

// Shopify has the columns of both generations of Shopify's export.
var Shopify = []Header{
	{"Handle", "product.slug"}, {"URL handle", "product.slug"},
	{"Title", "product.name"},
	{"Body (HTML)", "product.html"}, {"Description", "product.html"},
	{"Vendor", "seller.name"},
	{"Type", "product.categories"}, {"Product Category", "product.categories"}, {"Product category", "product.categories"},
	{"Tags", "product.keywords"},
	{"Status", "product.status"}, {"Published", "product.status"}, {"Published on online store", "product.status"},
	{"Option1 Name", "option 1"}, {"Option2 Name", "option 2"}, {"Option3 Name", "option 3"},
	{"Option1 name", "option 1"}, {"Option2 name", "option 2"}, {"Option3 name", "option 3"},
	{"Option1 Value", "variant.option 1"}, {"Option2 Value", "variant.option 2"}, {"Option3 Value", "variant.option 3"},
	{"Option1 value", "variant.option 1"}, {"Option2 value", "variant.option 2"}, {"Option3 value", "variant.option 3"},
	{"Variant SKU", "variant.sku"}, {"SKU", "variant.sku"},
	{"Variant Barcode", "variant.gtin"}, {"Barcode", "variant.gtin"},
	{"Variant Price", "variant.price.amount"}, {"Price", "variant.price.amount"},
	{"Variant Compare At Price", "variant.price.list"}, {"Compare-at price", "variant.price.list"},
	{"Image Src", "product.media"}, {"Product image URL", "product.media"},
	{"Image Alt Text", "alt"}, {"Image alt text", "alt"},
	{"SEO Description", "product.summary"}, {"SEO description", "product.summary"},
}

// WooCommerce has the columns of WooCommerce's export. Its attributes are numbered.
var WooCommerce = []Header{
	{"ID", "id"}, {"Type", "type"}, {"Parent", "parent"},
	{"SKU", "variant.sku"}, {"GTIN, UPC, EAN, or ISBN", "variant.gtin"},
	{"Name", "product.name"},
	{"Published", "product.status"},
	{"Short description", "product.summary from HTML"},
	{"Description", "product.html"},
	{"Regular price", "variant.price.list"}, {"Sale price", "variant.price.amount"},
	{"Categories", "product.categories"}, {"Tags", "product.keywords"}, {"Images", "product.media"},
	{"External URL", "product.website"},
	{"In stock?", "product.availability"},
	{"Brands", "product.attributes.Brand"},
	{"Weight (kg)", "product.attributes.Weight (kg)"}, {"Weight (g)", "product.attributes.Weight (g)"}, {"Weight (lbs)", "product.attributes.Weight (lb)"}, {"Weight (oz)", "product.attributes.Weight (oz)"},
	{"Length (cm)", "product.attributes.Length (cm)"}, {"Width (cm)", "product.attributes.Width (cm)"}, {"Height (cm)", "product.attributes.Height (cm)"},
	{"Length (mm)", "product.attributes.Length (mm)"}, {"Width (mm)", "product.attributes.Width (mm)"}, {"Height (mm)", "product.attributes.Height (mm)"},
	{"Length (in)", "product.attributes.Length (in)"}, {"Width (in)", "product.attributes.Width (in)"}, {"Height (in)", "product.attributes.Height (in)"},
}

func own(headers []Header) map[string]string {
	all := map[string]string{}
	for _, h := range headers {
		all[h.Name] = h.Target
	}
	return all
}

// A shop collects the rows of its products.
type shop struct {
	b       *feed.Batch
	header  []string
	targets []string
	// groups are the rows of each product, in the order of the table.
	groups [][]row
	index  map[string]int
}

func newShop(b *feed.Batch, g *grid, headers map[string]string, target func(string, map[string]string) string) *shop {
	s := &shop{b: b, header: g.header, index: map[string]int{}}
	for _, name := range g.header {
		s.targets = append(s.targets, target(name, headers))
	}
	b.Covered = append(b.Covered, "product.variants", "product.price", "product.sku", "product.gtin", "product.media")
	return s
}

// group adds a row to those with the same key.
func (s *shop) group(key string, r row) {
	at, known := s.index[key]
	if !known {
		at = len(s.groups)
		s.index[key], s.groups = at, append(s.groups, nil)
	}
	s.groups[at] = append(s.groups[at], r)
}

// get returns the text of a row for a target.
func (s *shop) get(r row, target string) string {
	for i, to := range s.targets {
		if to == target && strings.TrimSpace(r.cells[i]) != "" {
			return strings.TrimSpace(r.cells[i])
		}
	}
	return ""
}

// A variant is one form of a product.
type variant struct {
	names      []string
	attributes merge.Map
	cells      []feed.Cell
}

// field converts the variant's value for a field of the product.
func (s *shop) field(v *variant, line int, field string) (value merge.Value) {
	for _, c := range v.cells {
		if c.Target != "variant."+field {
			continue
		}
		if !s.b.Has(catalog.KindProduct, "variants."+field) {
			s.b.Lose(c.Column, "content has no field variants."+field, line, 1)
			continue
		}
		var err error
		if value, err = feed.Convert(s.b, "product."+field, c.Text); err != nil {
			s.b.Lose(c.Column, err.Error(), line, 1)
			value = nil
		}
	}
	return value
}

func readShopify(b *feed.Batch, g *grid, target func(string, map[string]string) string) {
	s := newShop(b, g, own(Shopify), target)
	for _, r := range g.rows {
		s.group(s.get(r, "product.slug"), r)
	}
	for _, group := range s.groups {
		s.shopify(group)
	}
}

func (s *shop) shopify(group []row) {
	var cells []feed.Cell
	var variants []variant
	var options [3]string
	for n := range options {
		options[n] = s.get(group[0], fmt.Sprintf("option %d", n+1))
	}
	status := "published"
	for n, r := range group {
		var v variant
		for i, text := range r.cells {
			text = strings.TrimSpace(text)
			if text == "" {
				continue
			}
			to := s.targets[i]
			s.b.See(s.header[i], to, text)
			cell := feed.Cell{Column: s.header[i], Target: to, Text: text}
			switch {
			case to == "" || to == "-":
				s.b.Lose(s.header[i], NoPlace, r.line, 1)
			case to == "product.slug" && n > 0:
				cell.Target = "" // counted below
				cells = append(cells, cell)
			case to == "product.status":
				if no := strings.ToLower(text); no == "false" || no == "archived" {
					status = "unpublished"
				} else if no == "draft" && status == "published" {
					status = "draft"
				}
				cell.Target = ""
				cells = append(cells, cell)
			case to == "product.keywords" || to == "product.categories":
				cell.Text = strings.ReplaceAll(text, ",", ";")
				cells = append(cells, cell)
			case to == "product.media":
				cell.Label = s.get(r, "alt")
				cells = append(cells, cell)
			case strings.HasPrefix(to, "option"), to == "alt":
				cell.Target = ""
				cells = append(cells, cell)
			case strings.HasPrefix(to, "variant.option "):
				at, _ := strconv.Atoi(to[len("variant.option "):])
				if name := options[at-1]; name != "" && !(name == "Title" && text == "Default Title") {
					v.names = append(v.names, text)
					v.attributes = v.attributes.Set(strings.ReplaceAll(name, ":", " "), text)
				}
				cell.Target = ""
				cells = append(cells, cell)
			case strings.HasPrefix(to, "variant."):
				v.cells = append(v.cells, cell)
			default:
				cells = append(cells, cell)
			}
		}
		if len(v.names) > 0 || slices.ContainsFunc(v.cells, func(c feed.Cell) bool { return c.Target == "variant.price.amount" }) {
			variants = append(variants, v)
		} else {
			for _, c := range v.cells {
				s.b.Lose(c.Column, "its row has no variant", r.line, 1)
			}
		}
	}
	if status != "published" {
		cells = append(cells, feed.Cell{Target: "product.status", Text: status, Silent: true})
	}
	s.product(group[0].line, cells, variants)
}

// product adds a product with its variants.
func (s *shop) product(line int, cells []feed.Cell, variants []variant) {
	// What only says how the others are to be read is carried with them.
	with := 0
	cells = slices.DeleteFunc(cells, func(c feed.Cell) bool {
		if c.Target == "" {
			with++
		}
		return c.Target == ""
	})
	if len(variants) == 1 && len(variants[0].names) == 0 {
		for _, c := range variants[0].cells {
			c.Target = "product." + strings.TrimPrefix(c.Target, "variant.")
			cells = append(cells, c)
		}
		variants = nil
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
		s.variants(line, t, variants)
	}
	lowerList(s.b, line, t)
}

func (s *shop) variants(line int, t *feed.Thing, variants []variant) {
	currency := s.b.Default("product.price.currency")
	var all merge.List
	var lowest string
	differ := false
	for i := range variants {
		v := &variants[i]
		m := merge.Map{{Key: "name", Value: cmp.Or(strings.Join(v.names, " / "), fmt.Sprintf("Variant %d", i+1))}}
		for _, field := range []string{"sku", "gtin"} {
			if value := s.field(v, line, field); value != nil {
				m = m.Set(field, value)
				t.Values++
			}
		}
		if len(v.attributes) > 0 {
			m = m.Set("attributes", v.attributes)
		}
		amount, list := s.field(v, line, "price.amount"), s.field(v, line, "price.list")
		text, _ := merge.Text(amount)
		switch {
		case text == "":
			s.b.Lose("price", "the variant has no price to compare it with", line, present(list))
		case currency == "":
			s.b.Lose("price", "the price has no currency: give all rows one with --set 'product.price.currency=EUR'", line, 1+present(list))
		default:
			price := merge.Map{{Key: "amount", Value: text}, {Key: "currency", Value: currency}}
			t.Values++
			if listed, _ := merge.Text(list); listed != "" && less(text, listed) {
				price = append(price, merge.Pair{Key: "list", Value: listed})
				t.Values++
			} else {
				s.b.Lose("price", "the price before a reduction is not above the price", line, present(list))
			}
			m = m.Set("price", price)
			differ = differ || lowest != "" && text != lowest
			if lowest == "" || less(text, lowest) {
				lowest = text
			}
		}
		all = append(all, m)
	}
	if lowest != "" {
		price := merge.Map{{Key: "amount", Value: lowest}, {Key: "currency", Value: currency}}
		if differ {
			price = append(price, merge.Pair{Key: "from", Value: merge.Raw("true")})
		}
		t.Fields = t.Fields.Set("price", price)
	}
	t.Fields = t.Fields.Set("variants", all)
}

func present(v merge.Value) int {
	if v == nil {
		return 0
	}
	return 1
}

// less compares decimals.
func less(a, b string) bool {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return x < y
}

// lowerList takes out a price before a reduction that is not above the price.
func lowerList(b *feed.Batch, line int, t *feed.Thing) {
	price, _ := t.Fields.Get("price").(merge.Map)
	amount, _ := merge.Text(price.Get("amount"))
	list, _ := merge.Text(price.Get("list"))
	if list != "" && !less(amount, list) {
		t.Fields = t.Fields.Set("price", price.Set("list", nil))
		t.Values--
		b.Lose("price", "the price before a reduction is not above the price", line, 1)
	}
}

func readWooCommerce(b *feed.Batch, g *grid, target func(string, map[string]string) string) {
	headers := own(WooCommerce)
	for n := range 100 {
		for _, what := range []string{"name", "value(s)", "visible", "global", "default"} {
			headers[fmt.Sprintf("Attribute %d %s", n, what)] = fmt.Sprintf("attribute %d %s", n, what)
		}
	}
	s := newShop(b, g, headers, target)
	b.Covered = append(b.Covered, "product.attributes")
	for _, r := range g.rows {
		key := cmp.Or(s.get(r, "parent"), s.get(r, "variant.sku"), "id:"+s.get(r, "id"))
		if id := "id:" + s.get(r, "id"); s.get(r, "type") != "variation" {
			if _, known := s.index[key]; !known {
				s.index[key] = len(s.groups)
				s.groups = append(s.groups, nil)
			}
			s.index[id] = s.index[key] // a variation names its parent by SKU or by ID
		}
		s.group(key, r)
	}
	for _, group := range s.groups {
		s.wooCommerce(group)
	}
}

func (s *shop) wooCommerce(group []row) {
	slices.SortStableFunc(group, func(a, b row) int {
		return cmp.Compare(strings.Count(s.get(a, "type"), "variation"), strings.Count(s.get(b, "type"), "variation"))
	})
	var cells []feed.Cell
	var variants []variant
	for n, r := range group {
		v := variant{}
		variation := strings.Contains(s.get(r, "type"), "variation")
		regular := s.get(r, "variant.price.list")
		reduced := s.get(r, "variant.price.amount") != ""
		for i, text := range r.cells {
			text = strings.TrimSpace(text)
			if text == "" {
				continue
			}
			to := s.targets[i]
			s.b.See(s.header[i], to, text)
			cell := feed.Cell{Column: s.header[i], Target: to, Text: text}
			number, isAttribute := strings.CutPrefix(to, "attribute ")
			number, what, _ := strings.Cut(number, " ")
			switch {
			case to == "" || to == "-" || isAttribute && what != "name" && what != "value(s)":
				s.b.Lose(s.header[i], NoPlace, r.line, 1)
				continue
			case to == "id" || to == "type" || to == "parent" || isAttribute && what == "name" || to == "product.status" && text == "1":
				cell.Target = ""
			case isAttribute:
				name := cmp.Or(s.get(r, "attribute "+number+" name"), s.get(group[0], "attribute "+number+" name"))
				if variation {
					v.names = append(v.names, text)
					v.attributes = v.attributes.Set(strings.ReplaceAll(name, ":", " "), text)
					cell.Target = ""
				} else {
					cell.Target = "product.attributes." + cmp.Or(name, "Attribute "+number)
				}
			case to == "product.status":
				cell.Text = "draft"
			case to == "product.availability":
				cell.Text = "inStock"
				if text == "0" {
					cell.Text = "outOfStock"
				}
			case to == "product.summary from HTML":
				cell.Target = "product.summary"
				cell.Text, _ = s.b.Markdown(text)
			case to == "product.keywords" || to == "product.categories":
				cell.Text = strings.ReplaceAll(text, ",", ";")
			case to == "product.media":
				s.pictures(&cells, cell)
				continue
			case to == "variant.price.list" && !reduced && text == regular:
				cell.Target = "variant.price.amount" // the regular price is what it costs
			}
			if strings.HasPrefix(cell.Target, "variant.") {
				v.cells = append(v.cells, cell)
			} else if n > 0 && cell.Target != "" {
				s.b.Lose(s.header[i], "a variation has no place for it", r.line, 1)
			} else {
				cells = append(cells, cell)
			}
		}
		if variation || len(group) == 1 {
			variants = append(variants, v)
		} else {
			for _, c := range v.cells {
				c.Target = "product." + strings.TrimPrefix(c.Target, "variant.")
				cells = append(cells, c)
			}
		}
	}
	s.product(group[0].line, cells, variants)
}

// pictures adds the pictures that one cell lists; the cell counts once.
func (s *shop) pictures(cells *[]feed.Cell, cell feed.Cell) {
	for n, address := range strings.Split(cell.Text, ",") {
		one := cell
		one.Text, one.Silent = strings.TrimSpace(address), n > 0
		*cells = append(*cells, one)
	}
}
