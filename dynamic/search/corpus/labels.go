package corpus

import (
	"cmp"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"souk/build/document"
)

// This file translates the values of facets to words.

// CategoryLabels returns the names of all categories, followed by the parent's name if another
// category of the root has the same name.
func (c *Corpus) CategoryLabels() []string {
	type name struct{ root, name string }
	alike := map[name]int{}
	for i := range c.Categories {
		link := &c.Categories[i].Link
		alike[name{link.RootKind, link.Name}]++
	}
	labels := make([]string, len(c.Categories))
	for i := range c.Categories {
		one := &c.Categories[i]
		labels[i] = one.Link.Name
		if alike[name{one.Link.RootKind, one.Link.Name}] > 1 && len(one.Lineage) > 1 {
			labels[i] += " (" + c.Categories[one.Lineage[1]].Link.Name + ")"
		}
	}
	return labels
}

// LanguageTag returns the canonical form of a BCP 47 tag.
func LanguageTag(tag string) string {
	if parsed, err := language.Parse(tag); err == nil {
		return parsed.String()
	}
	return tag
}

// Country names an ISO 3166-1 code, spoken a BCP 47 tag.
func (c *Corpus) Country(code string) string {
	if region, err := language.ParseRegion(code); err == nil {
		if names := display.Regions(language.Make(c.Language)); names != nil {
			return cmp.Or(names.Name(region), code)
		}
	}
	return code
}

func (c *Corpus) Spoken(tag string) string {
	if parsed, err := language.Parse(tag); err == nil {
		if names := display.Tags(language.Make(c.Language)); names != nil {
			return cmp.Or(names.Name(parsed), tag)
		}
	}
	return tag
}

func (c *Corpus) Availability(way string) string {
	return c.Texts.Text(document.AvailabilityTexts()[way])
}

func (c *Corpus) Delivery(way string) string { return c.Texts.Text(document.DeliveryTexts()[way]) }

func (c *Corpus) Proof(kind string) string { return c.Texts.Text(document.ProofTexts()[kind]) }

func (c *Corpus) Truth(value string) string {
	if value == "true" {
		return c.Texts.Text("site.yes")
	}
	return c.Texts.Text("site.no")
}
