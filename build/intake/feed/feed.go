// Package feed turns rows of a source into things with the fields of content, and accounts
// for every value of the source. It knows the fields that a source can fill, and neither
// the formats of sources nor the content that exists.
package feed

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/intake/merge"
	"souk/build/kit/fold"
)

// A Thing is something that a source describes.
type Thing struct {
	Kind catalog.Kind
	Root catalog.Kind // of a category
	// Keys identify it from one import to the next, the best first.
	Keys []string
	// Slug is the requested slug. Given means that the source specifies it.
	Slug  string
	Given bool
	// Named means that other things refer to it but the source does not describe
	// it.
	Named bool
	// Seller is the seller of a product or service.
	Seller *Thing
	// Fields are the fields of its file, with a seller's identity merged into them.
	// They may contain Links and Pictures.
	Fields merge.Map
	// Line is where the source describes it first.
	Line int
	// Values is how many values of the source it carries.
	Values int
	// Websites are all that the source gives for a seller.
	Websites []string
}

// A Link stands for a Reference to another thing, whose slug is not known yet.
type Link struct {
	To *Thing
	// Form returns what the field contains.
	Form func(catalog.Ref) string
}

// A Picture stands for a picture in the source or at a web address. Alt is its alternative
// text, "" for a logo. If PDF is true, it is a PDF and Alt is its label.
type Picture struct {
	Name, Alt string
	PDF       bool
}

// A Loss counts values of one field that could not be imported for one reason.
type Loss struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
	Count  int    `json:"count"`
	Line   int    `json:"firstLine"`
}

// A Column is a column or key of the source.
type Column struct {
	Name    string   `json:"name"`
	Target  string   `json:"target,omitempty"`
	Samples []string `json:"values"`
	Count   int      `json:"count"`
}

// A Problem is a row that cannot be imported.
type Problem struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Text) }

// A Batch is everything that a source describes.
type Batch struct {
	Things   []*Thing
	Problems []Problem
	// Notes count repairs by kind.
	Notes map[string]int
	// Found is how many values the source has.
	Found int
	// Carried is the number of them that no single thing contains.
	Carried int
	Columns []*Column
	// Covered are the targets that the source has a place for; nil means all. What it
	// does not cover stays as it is.
	Covered []string
	// Decimal is the decimal separator of the source, where a number can be read both ways.
	Decimal byte
	// Defaults are the values of targets that a row leaves out.
	Defaults []Cell
	// Services decides which categories have services.
	Services func(category string) bool

	losses  map[[2]string]*Loss
	columns map[string]*Column
	byKey   map[string]*Thing
}

// NewBatch returns an empty Batch.
func NewBatch() *Batch {
	return &Batch{Notes: map[string]int{}, losses: map[[2]string]*Loss{}, columns: map[string]*Column{}, byKey: map[string]*Thing{}, Decimal: '.'}
}

// See counts a value of the source, and says which column or key it is in.
func (b *Batch) See(column, target, value string) {
	b.Found++
	c := b.Column(column, target)
	c.Count++
	if len(c.Samples) < 3 && !slices.Contains(c.Samples, value) {
		c.Samples = append(c.Samples, value)
	}
}

// Column returns a column or key, which may have no values.
func (b *Batch) Column(name, target string) *Column {
	c := b.columns[name]
	if c == nil {
		c = &Column{Name: name, Target: target}
		b.columns[name], b.Columns = c, append(b.Columns, c)
	}
	return c
}

// Lose reports values that have no place in content.
func (b *Batch) Lose(field, reason string, line, count int) {
	if count == 0 {
		return
	}
	key := [2]string{field, reason}
	if b.losses[key] == nil {
		b.losses[key] = &Loss{Field: field, Reason: reason, Line: line}
	}
	b.losses[key].Count += count
}

// Losses returns the Losses, sorted by field and reason.
func (b *Batch) Losses() []*Loss {
	return slices.SortedFunc(maps.Values(b.losses), func(x, y *Loss) int {
		return cmp.Or(cmp.Compare(x.Field, y.Field), cmp.Compare(x.Reason, y.Reason))
	})
}

// Lost returns how many values were lost.
func (b *Batch) Lost() (n int) {
	for _, l := range b.losses {
		n += l.Count
	}
	return n
}

// Refuse reports a row that cannot be imported, with the number of its values.
func (b *Batch) Refuse(line, values int, text string) {
	b.Problems = append(b.Problems, Problem{line, text})
	if values > 0 {
		b.Lose("(the whole row)", text, line, values)
	}
}

// Covers reports whether the source has a place for a field, or for part of it.
func (b *Batch) Covers(kind catalog.Kind, path string) (all, part bool) {
	if b.Covered == nil {
		return true, true
	}
	target := kind.String() + "." + path
	for _, c := range b.Covered {
		all = all || c == target || strings.HasPrefix(target, c+".")
		part = part || strings.HasPrefix(c, target+".")
	}
	return all, all || part
}

// Thing returns the thing with a key and adds it if necessary.
func (b *Batch) Thing(kind, root catalog.Kind, key string, line int) *Thing {
	t := b.byKey[key]
	if t == nil {
		t = &Thing{Kind: kind, Root: root, Keys: []string{key}, Line: line, Named: true}
		b.byKey[key], b.Things = t, append(b.Things, t)
	}
	return t
}

// Category returns the category at a path of names, topmost first, and adds its
// parents.
func (b *Batch) Category(root catalog.Kind, path []string, line int) (category *Thing) {
	key := "category:" + root.String()
	for _, name := range path {
		above := category
		key += "/" + fold.Text(name)
		if category = b.byKey[key]; category != nil {
			continue
		}
		category = b.Thing(catalog.KindCategory, root, key, line)
		category.Slug = Slug(name)
		category.Fields = merge.Map{{Key: "name", Value: name}}
		if above != nil {
			category.Fields = category.Fields.Set("parent", Link{above, func(r catalog.Ref) string { return r.Slug }})
			if b.slugTaken(category) {
				category.Slug = above.Slug + "-" + category.Slug
			}
		}
	}
	return category
}

// slugTaken reports whether a category with another path has the slug.
func (b *Batch) slugTaken(category *Thing) bool {
	key := "slug of " + category.Root.String() + "/" + category.Slug
	if b.byKey[key] == nil {
		b.byKey[key] = category
	}
	return b.byKey[key] != category
}

// Slug returns the slug of a name, "" if the name has no letter or digit of ASCII.
func Slug(name string) string {
	var out []byte
	for _, r := range fold.Text(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out = append(out, byte(r))
		case r != '\'' && r != '’' && r != '.' && len(out) > 0 && out[len(out)-1] != '-':
			out = append(out, '-')
		}
	}
	slug := strings.Trim(string(out), "-")
	if len(slug) > 60 {
		slug = strings.TrimRight(slug[:60], "-")
	}
	return slug
}

// Digest returns a number for a text, to name things whose names cannot become
// slugs.
func Digest(text string) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(text)) // never fails
	return sum.Sum64()
}
