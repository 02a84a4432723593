package feed

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"souk/build/catalog"
	"souk/build/intake/merge"
	"souk/build/kit/fold"
)

// A Cell is one value of a row, with the target that it fills.
type Cell struct {
	Column, Target, Text string
	// Value replaces Text if the format provides the value itself.
	Value merge.Value
	// Paths replaces Text if a format knows the paths of categories.
	Paths [][]string
	// Label is the text of a picture.
	Label string
	// Silent cells are not values of the source.
	Silent bool
}

func (c Cell) blank() bool {
	return c.Value == nil && c.Paths == nil && strings.TrimSpace(c.Text) == ""
}

// values is how many values of the source the cell is.
func (c Cell) values() int {
	if c.Silent {
		return 0
	}
	return 1
}

// kinds are the kinds of things that a row can describe.
var kinds = []catalog.Kind{catalog.KindSeller, catalog.KindCategory, catalog.KindProduct, catalog.KindService}

// Row adds the things that one row describes: a seller with a product or service, or a
// category. It returns the product or service if there is one, otherwise the seller or
// the category, or nil if the row was refused. See must have been called for the cells.
func (b *Batch) Row(number int, cells []Cell) (made *Thing) {
	of := map[catalog.Kind][]Cell{}
	text := map[string]string{}
	values := 0
	add := func(c Cell) {
		f, _ := FieldOf(c.Target)
		of[f.kind] = append(of[f.kind], c)
		if text[c.Target] == "" {
			text[c.Target] = strings.TrimSpace(c.Text)
		}
	}
	for _, c := range cells {
		if !c.blank() {
			values += c.values()
			add(c)
		}
	}
	for _, c := range b.Defaults {
		f, _ := FieldOf(c.Target)
		amount := f.kind.String() + ".price.amount"
		priced := f.path[0] != "price" || c.Target == amount || text[amount] != ""
		if text[c.Target] == "" && priced && (f.kind == catalog.KindSeller || len(of[f.kind]) > 0) {
			add(c)
		}
	}
	var seller *Thing
	for _, kind := range kinds {
		cells := of[kind]
		if len(cells) == 0 {
			continue
		}
		name, slug := text[kind.String()+".name"], text[kind.String()+".slug"]
		switch {
		case name == "" && slug == "":
			b.Refuse(number, values, fmt.Sprintf("it has no %s.name", kind))
			return nil
		case kind.Offer() && seller == nil:
			b.Refuse(number, values, "it names no seller: map a column to seller.name, or give all rows one with --set 'seller.name=…'")
			return nil
		case kind.Offer():
			made = b.offer(number, kind, seller, name, slug, text[kind.String()+".sku"])
		case kind == catalog.KindCategory:
			root := catalog.KindProduct
			if strings.EqualFold(text["category.root"], "service") {
				root = catalog.KindService
			}
			made = b.Thing(kind, root, "category:"+root.String()+"/"+fold.Text(cmp.Or(slug, name)), number)
			if made.Named {
				made.Fields = made.Fields.Set("name", nil) // the slug may come from the name
			}
		default:
			key := "seller:" + fold.Text(name)
			if slug != "" {
				key = "seller of slug " + slug
			}
			made = b.Thing(kind, catalog.KindNone, key, number)
			seller = made
		}
		if slug != "" {
			made.Slug, made.Given = slug, true
		}
		for _, c := range cells {
			b.fill(number, made, c)
		}
		if kind.Offer() {
			b.price(number, made)
			if made.Fields.Get("categories") == nil {
				b.Notes["put what names no category into the category Other"]++
				made.Fields = made.Fields.Set("categories", merge.List{categoryLink(kind, b.Category(kind, []string{"Other"}, number))})
			}
		}
		if made.Slug == "" {
			made.Slug = Slug(name)
		}
	}
	return made
}

// offer adds a product or service. Two of one seller with the same name are
// different.
func (b *Batch) offer(number int, kind catalog.Kind, seller *Thing, name, slug, sku string) *Thing {
	t := &Thing{Kind: kind, Seller: seller, Line: number}
	for _, id := range [][2]string{{"slug", slug}, {"sku", sku}, {"name", fold.Text(name)}} {
		if id[1] == "" {
			continue
		}
		key := kind.String() + " with " + id[0] + " " + id[1]
		for n := 2; b.byKey[seller.Keys[0]+" "+key] != nil; n++ {
			key = fmt.Sprintf("%s with %s %s (%d)", kind, id[0], id[1], n)
		}
		b.byKey[seller.Keys[0]+" "+key] = t
		t.Keys = append(t.Keys, key)
	}
	b.Things = append(b.Things, t)
	return t
}

// Variant returns a named variant of a product with the fields of cells.
func (b *Batch) Variant(number int, name string, cells []Cell) *Thing {
	t := &Thing{Kind: catalog.KindProduct, Line: number, Fields: merge.Map{{Key: "name", Value: name}}}
	for _, c := range cells {
		b.fill(number, t, c)
	}
	for _, c := range b.Defaults {
		if c.Target == "product.price.currency" && t.Fields.Map("price").Get("amount") != nil && t.Fields.Map("price").Get("currency") == nil {
			b.fill(number, t, c)
		}
	}
	b.price(number, t)
	return t
}

// price takes out a price that is incomplete, and a price before a reduction that is not
// above it.
func (b *Batch) price(number int, t *Thing) {
	price, list := t.Fields.Map("price"), t.Fields.Map("price").Text("list")
	why, lost, left := "", len(price), merge.Value(nil)
	switch {
	case price == nil:
		return
	case price.Get("amount") == nil:
		why = "the price has no amount"
	case price.Get("currency") == nil:
		why = "the price has no currency: give all rows one with --set '" + t.Kind.String() + ".price.currency=EUR'"
	case list == "" || Less(price.Text("amount"), list):
		return
	default:
		why, lost, left = "the price before a reduction is not above the price", 1, price.Set("list", nil)
	}
	t.Fields = t.Fields.Set("price", left)
	t.Values -= lost
	b.Lose("price", why, number, lost)
}

// Less compares decimals.
func Less(a, b string) bool {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return x < y
}

func categoryLink(kind catalog.Kind, to *Thing) Link {
	return Link{to, func(r catalog.Ref) string {
		if kind == catalog.KindSeller {
			return r.Root.String() + "/" + r.Slug
		}
		return r.Slug
	}}
}

// fill sets the field that a cell is for.
func (b *Batch) fill(number int, t *Thing, c Cell) {
	f, name := FieldOf(c.Target)
	path, value := f.path, c.Value
	if path[0] == "slug" || path[0] == "root" {
		t.Values += c.values()
		return
	}
	if value == nil {
		var err error
		if value, err = f.make(input{Batch: b, text: c.Text, cell: c, of: t, name: name}); err != nil {
			b.Lose(c.Column, err.Error(), number, c.values())
			return
		}
	}
	t.Named = false
	t.Values += c.values()
	if text, is := value.(string); is && path[0] == "website" && t.Kind == catalog.KindSeller {
		t.Websites = append(t.Websites, text)
	}
	if list, is := value.(merge.List); is {
		had, _ := t.Fields.Get(path[0]).(merge.List)
		t.Fields = t.Fields.Set(path[0], union(had, list))
		return
	}
	if m, is := value.(merge.Map); is && name != "" {
		path, value = append(slices.Clip(path), m[0].Key), m[0].Value
	}
	fields, same := put(t.Fields, path, value)
	if !same {
		t.Values -= c.values()
		b.Lose(c.Column, "an earlier row says something else of the same "+t.Kind.String(), number, c.values())
		return
	}
	t.Fields = fields
}

// put sets a value at a path, unless another is there.
func put(m merge.Map, path []string, value merge.Value) (merge.Map, bool) {
	had := m.Get(path[0])
	if len(path) == 1 {
		return m.Set(path[0], value), had == nil || merge.Equal(had, value)
	}
	below, is := had.(merge.Map)
	if had != nil && !is {
		return m, false
	}
	below, same := put(below, path[1:], value)
	return m.Set(path[0], below), same
}

// union adds the items to a list that it does not have.
func union(a, b merge.List) merge.List {
	for _, item := range b {
		if !slices.ContainsFunc(a, func(had merge.Value) bool { return same(had, item) }) {
			a = append(a, item)
		}
	}
	return a
}

func same(a, b merge.Value) bool {
	switch a := a.(type) {
	case Link:
		b, is := b.(Link)
		return is && a.To == b.To
	case Picture:
		b, is := b.(Picture)
		return is && a.Name == b.Name
	}
	return merge.Equal(a, b)
}

// root returns the root of the categories of a thing.
func (b *Batch) root(of catalog.Kind, path []string) catalog.Kind {
	switch {
	case of.Offer():
		return of
	case b.Services != nil && slices.ContainsFunc(path, b.Services):
		return catalog.KindService
	}
	return catalog.KindProduct
}
