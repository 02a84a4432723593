package search

import (
	"cmp"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"souk/build/document"
)

// This file names the values of facets in words.

// categoryLabels returns the names of all categories, each with that of the category above
// it where another of its root has the same.
func (c *Corpus) categoryLabels() []string {
	type name struct{ root, name string }
	alike := map[name]int{}
	for i := range c.categories {
		link := &c.categories[i].link
		alike[name{link.RootKind, link.Name}]++
	}
	labels := make([]string, len(c.categories))
	for i := range c.categories {
		one := &c.categories[i]
		labels[i] = one.link.Name
		if alike[name{one.link.RootKind, one.link.Name}] > 1 && len(one.lineage) > 1 {
			labels[i] += " (" + c.categories[one.lineage[1]].link.Name + ")"
		}
	}
	return labels
}

// languageTag returns a tag of BCP 47 in its usual form.
func languageTag(tag string) string {
	if parsed, err := language.Parse(tag); err == nil {
		return parsed.String()
	}
	return tag
}

// country names a code of ISO 3166-1, spoken a tag of BCP 47.
func (c *Corpus) country(code string) string {
	if region, err := language.ParseRegion(code); err == nil {
		if names := display.Regions(language.Make(c.language)); names != nil {
			return cmp.Or(names.Name(region), code)
		}
	}
	return code
}

func (c *Corpus) spoken(tag string) string {
	if parsed, err := language.Parse(tag); err == nil {
		if names := display.Tags(language.Make(c.language)); names != nil {
			return cmp.Or(names.Name(parsed), tag)
		}
	}
	return tag
}

func (c *Corpus) delivery(way string) string { return c.texts.Text(document.DeliveryTexts()[way]) }

func (c *Corpus) proof(kind string) string { return c.texts.Text(document.ProofTexts()[kind]) }

func (c *Corpus) truth(value string) string {
	if value == "true" {
		return c.texts.Text("site.yes")
	}
	return c.texts.Text("site.no")
}
