package feed

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/intake/merge"
	"souk/build/kit/fold"
)

// A Cell is one value of a row, with the target that it fills.
type Cell struct {
	Column, Target, Text string
	// Value replaces Text if a format made it itself.
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

// kinds are what a row can describe.
var kinds = []catalog.Kind{catalog.KindSeller, catalog.KindCategory, catalog.KindProduct, catalog.KindService}

// Row adds what one row describes: a seller with a product or service, or a category. It
// returns the offer, or else the seller or the category; nil if the row was refused. The
// cells must have been seen.
func (b *Batch) Row(number int, cells []Cell) *Thing {
	of := map[catalog.Kind][]Cell{}
	text := map[string]string{}
	values := 0
	for _, c := range cells {
		if c.blank() {
			continue
		}
		if !c.Silent {
			values++
		}
		kind, _, _ := strings.Cut(c.Target, ".")
		k, _ := catalog.ParseKind(kind)
		of[k] = append(of[k], c)
		if text[c.Target] == "" {
			text[c.Target] = strings.TrimSpace(c.Text)
		}
	}
	for _, c := range b.Defaults {
		kind, _, _ := strings.Cut(c.Target, ".")
		k, _ := catalog.ParseKind(kind)
		if text[c.Target] == "" && (k == catalog.KindSeller || len(of[k]) > 0) {
			of[k] = append(of[k], c)
			text[c.Target] = c.Text
		}
	}
	var seller, made *Thing
	for _, kind := range kinds {
		cells := of[kind]
		if len(cells) == 0 {
			continue
		}
		name, slug := text[kind.String()+".name"], text[kind.String()+".slug"]
		if name == "" && slug == "" {
			b.Refuse(number, values, fmt.Sprintf("it has no %s.name", kind))
			return nil
		}
		if kind.Offer() && seller == nil {
			b.Refuse(number, values, "it names no seller: map a column to seller.name, or give all rows one with --set 'seller.name=…'")
			return nil
		}
		var t *Thing
		switch kind {
		case catalog.KindSeller:
			t = b.seller(number, name, slug)
			seller = t
		case catalog.KindCategory:
			root, _ := catalog.ParseKind(text["category.root"])
			if root != catalog.KindService {
				root = catalog.KindProduct
			}
			t = b.Thing(kind, root, "category:"+root.String()+"/"+fold.Text(cmp.Or(slug, name)), number)
			t.Slug, t.Given = slug, slug != ""
			if t.Named {
				t.Fields = t.Fields.Set("name", nil) // what named it may have used its slug
			}
		default:
			t = b.offer(number, kind, seller, name, slug, text[kind.String()+".sku"])
		}
		for _, c := range cells {
			b.fill(number, t, c)
		}
		if kind.Offer() {
			b.finish(number, t)
		}
		if t.Slug == "" {
			t.Slug = Slug(name)
		}
		made = t
	}
	return made
}

func (b *Batch) seller(number int, name, slug string) *Thing {
	key := "seller:" + fold.Text(name)
	if slug != "" {
		key = "seller of slug " + slug
	}
	t := b.Thing(catalog.KindSeller, catalog.KindNone, key, number)
	if slug != "" {
		t.Slug, t.Given = slug, true
	}
	return t
}

// offer adds a product or service. What has the name of another of the same seller is
// another one.
func (b *Batch) offer(number int, kind catalog.Kind, seller *Thing, name, slug, sku string) *Thing {
	var keys []string
	of := seller.Keys[0] + " "
	for _, id := range [][2]string{{"slug", slug}, {"sku", sku}, {"name", fold.Text(name)}} {
		if id[1] == "" {
			continue
		}
		key := kind.String() + " with " + id[0] + " " + id[1]
		for n := 2; b.byKey[of+key] != nil; n++ {
			key = fmt.Sprintf("%s with %s %s (%d)", kind, id[0], id[1], n)
		}
		keys = append(keys, key)
	}
	t := b.Thing(kind, catalog.KindNone, of+keys[0], number)
	for _, key := range keys[1:] {
		b.byKey[of+key] = t
	}
	t.Keys, t.Seller = keys, seller
	t.Slug, t.Given = slug, slug != ""
	return t
}

// finish adds what every offer needs, and takes out a price that is incomplete.
func (b *Batch) finish(number int, t *Thing) {
	if t.Fields.Get("categories") == nil {
		b.Notes["put what names no category into the category Other"]++
		t.Fields = t.Fields.Set("categories", merge.List{categoryLink(t.Kind, b.Category(t.Kind, []string{"Other"}, number))})
	}
	if price, is := t.Fields.Get("price").(merge.Map); is && (price.Get("amount") == nil || price.Get("currency") == nil) {
		t.Fields = t.Fields.Set("price", nil)
		what := "the price has no currency: give all rows one with --set '" + t.Kind.String() + ".price.currency=EUR'"
		if price.Get("amount") == nil {
			what = "the price has no amount"
		}
		lost := len(price)
		for _, d := range b.Defaults {
			if name, is := strings.CutPrefix(d.Target, t.Kind.String()+".price."); is && merge.Equal(price.Get(name), d.Text) {
				lost--
			}
		}
		t.Values -= lost
		b.Lose("price", what, number, lost)
	}
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
	field, name, _ := FieldOf(c.Target)
	path := strings.Split(strings.TrimSuffix(strings.TrimPrefix(field.Target, t.Kind.String()+"."), ".*"), ".")
	value, err := c.Value, error(nil)
	var all merge.List
	if label := map[string]string{"website": "Website", "links": name}[path[0]]; label != "" && t.Kind.Offer() && !b.has(t.Kind, path[0]) {
		path, name = []string{"attributes"}, label
	}
	switch {
	case path[0] == "slug" || path[0] == "root":
		t.Values += counted(c)
		return
	case path[0] != "html" && path[0] != "description" && !b.has(t.Kind, strings.Join(path, ".")):
		b.Lose(c.Column, "content has no field "+strings.Join(path, "."), number, counted(c))
		return
	case path[0] == "categories" && c.Paths != nil:
		for _, names := range c.Paths {
			all = union(all, merge.List{categoryLink(t.Kind, b.Category(b.root(t.Kind, names), names, number))})
		}
	case path[0] == "categories":
		all = b.categories(number, t.Kind, c.Text)
	case path[0] == "parent":
		value = Link{b.Category(t.Root, []string{strings.TrimSpace(c.Text)}, number), func(r catalog.Ref) string { return r.Slug }}
	case path[0] == "attributes" && name != "":
		name, value = attribute(b, name, c.Text)
		path = append(path, name)
	case path[0] == "private":
		path, value = append(path, name), c.Text
	case value != nil:
		if list, is := value.(merge.List); is {
			all = list
		}
	case path[0] == "media" || path[0] == "logo":
		value, err = b.picture(t, c)
	default:
		value, err = field.as.make(b, c.Text)
	}
	if err != nil {
		if !c.Silent {
			b.Lose(c.Column, err.Error(), number, 1)
		}
		return
	}
	switch {
	case path[0] == "html":
		path = []string{"description"}
	case path[0] == "links" && name != "":
		all = merge.List{merge.Map{{Key: "label", Value: name}, {Key: "url", Value: value}}}
	case path[0] == "details" && name != "":
		all = merge.List{merge.Map{{Key: "label", Value: name}, {Key: "value", Value: value}}}
	case path[0] == "media":
		all = merge.List{value}
	}
	if list, is := value.(merge.List); is && all == nil {
		all = list
	}
	if path[0] == "website" && t.Kind == catalog.KindSeller {
		t.Websites = append(t.Websites, value.(string))
	}
	t.Named = false
	if all != nil {
		had, _ := t.Fields.Get(path[0]).(merge.List)
		t.Fields = t.Fields.Set(path[0], union(had, all))
		t.Values += counted(c)
		return
	}
	if path[0] == "price" && len(path) == 2 && path[1] != "currency" {
		if part := money.FindStringSubmatch(strings.TrimSpace(c.Text)); part != nil && max(part[1], part[3]) != "" {
			if code, err := currency.make(b, max(part[1], part[3])); err == nil {
				t.Fields, _ = put(t.Fields, []string{"price", "currency"}, code)
			}
		}
	}
	fields, same := put(t.Fields, path, value)
	if !same {
		b.Lose(c.Column, "an earlier row says something else of the same "+t.Kind.String(), number, counted(c))
		return
	}
	t.Fields = fields
	t.Values += counted(c)
}

func counted(c Cell) int {
	if c.Silent {
		return 0
	}
	return 1
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

func union(a, b merge.List) merge.List {
	for _, item := range b {
		found := false
		for _, had := range a {
			found = found || same(had, item)
		}
		if !found {
			a = append(a, item)
		}
	}
	return a
}

func same(a, b merge.Value) bool {
	x, isLink := a.(Link)
	y, isToo := b.(Link)
	if isLink || isToo {
		return x.To == y.To
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

var rooted = regexp.MustCompile(`^(product|service)/[a-z0-9-]+$`)

// categories returns the categories that a text names.
func (b *Batch) categories(number int, of catalog.Kind, text string) (all merge.List) {
	for _, part := range Split(text) {
		root := b.root(of, []string{part})
		if rooted.MatchString(part) {
			kind, slug, _ := strings.Cut(part, "/")
			root, _ = catalog.ParseKind(kind)
			part = slug
		}
		var path []string
		for name := range strings.SplitSeq(part, ">") {
			if name = strings.TrimSpace(name); name != "" {
				path = append(path, name)
			}
		}
		if len(path) > 0 {
			all = union(all, merge.List{categoryLink(of, b.Category(root, path, number))})
		}
	}
	return all
}

var (
	measured  = regexp.MustCompile(`^(.*\S)\s*[(\[]([^()\[\]]+)[)\]]$`)
	numerical = regexp.MustCompile(`^-?(0|[1-9][0-9]*)([.,][0-9]+)?$`)
)

// attribute returns a name without its unit, and the value with it.
func attribute(b *Batch, name, text string) (string, merge.Value) {
	text = strings.TrimSpace(strings.Map(unseen, text))
	part := measured.FindStringSubmatch(name)
	value := merge.Value(text)
	if numerical.MatchString(text) {
		if number, err := decimal(strings.TrimPrefix(text, "-"), b.Decimal); err == nil {
			sign := ""
			if text[0] == '-' {
				sign = "-"
			}
			value = merge.Raw(sign + number.(string))
			if part != nil {
				name, value = part[1], merge.Map{{Key: "value", Value: value}, {Key: "unit", Value: part[2]}}
			}
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(name, ":", " ")), value
}

// picture returns a picture at a web address, or one that comes with the source.
func (b *Batch) picture(t *Thing, c Cell) (merge.Value, error) {
	field, where := "url", merge.Value(Picture{strings.TrimSpace(c.Text)})
	if strings.Contains(c.Text, "://") {
		address, err := webAddress(b, c.Text)
		if err != nil {
			return nil, err
		}
		if where = address; b.Fetch {
			field, where = "file", Picture{address.(string)}
		}
	} else {
		field = "file"
	}
	if strings.HasSuffix(c.Target, ".logo") {
		return where, nil
	}
	alt := strings.TrimSpace(strings.Map(unseen, c.Label))
	if alt == "" {
		b.Notes["gave a picture without a text the name of its product"]++
		alt, _ = merge.Text(t.Fields.Get("name"))
	}
	return merge.Map{{Key: field, Value: where}, {Key: "alt", Value: alt}}, nil
}

// Convert makes the value of a target of a text.
func Convert(b *Batch, target, text string) (merge.Value, error) {
	field, _, _ := FieldOf(target)
	return field.as.make(b, text)
}

// Default returns the value that rows without one get for a target.
func (b *Batch) Default(target string) string {
	for _, c := range b.Defaults {
		if c.Target == target {
			return c.Text
		}
	}
	return ""
}
