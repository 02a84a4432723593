package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// sharedPictures is the number of pictures that belong to nobody in particular.
const sharedPictures = 12

func sharedPicture(i int) string { return fmt.Sprintf("media/picture-%d.svg", i+1) }

// A text is a content file in the making.
type text struct{ strings.Builder }

func (t *text) line(format string, args ...any) {
	fmt.Fprintf(t, format, args...)
	t.WriteByte('\n')
}

func marketplaceText(listings int) string {
	var t text
	t.line("name: Bench of %d", listings)
	t.line("siteUrl: https://bench.example")
	t.line("description: A synthetic marketplace, made to be measured.")
	t.line("contactEmail: desk@bench.example")
	return t.String()
}

func categoryText(c category) string {
	r := chance("category "+c.root, len(c.slug)<<16|c.order)
	var t text
	t.line("name: %s", c.name)
	t.line("summary: %s", quoted(sentence(r)))
	if c.parent != "" {
		t.line("parent: %s", c.parent)
	}
	t.line("synonyms:\n  - %s %s\n  - %s", pick(r, adjectives), pick(r, objects), pick(r, nuisances))
	if c.order > 0 {
		t.line("order: %d", c.order)
	}
	return t.String()
}

// quoted writes a sentence so that YAML does not take a colon in it for a key.
func quoted(s string) string {
	if strings.Contains(s, ": ") {
		return `"` + s + `"`
	}
	return s
}

func (m *market) sellerText(s seller) string {
	r := chance("profile", s.number)
	var t text
	t.line("officialDomain: %s.example", s.slug)
	t.line("versions:")
	for v := range 1 + r.IntN(2) {
		s.identity(&t, r, v+1)
	}
	t.line("categories:")
	t.line("  - product/%s", pick(r, m.productLeaves).slug)
	t.line("  - service/%s", pick(r, m.workLeaves).slug)
	t.line("details:\n  - label: Spare parts kept for\n    value: %d years\n  - label: Visits\n    value: by appointment", 5+r.IntN(20))
	if r.IntN(2) == 0 {
		proofText(&t, r)
	}
	t.line("related:\n  - %s", m.anyOffer(r).reference())
	t.line("keywords:\n  - %s\n  - %s %s", pick(r, trades), pick(r, adjectives), pick(r, things))
	if s.hidden {
		t.line("status: draft")
	}
	t.line("publishedAt: %s\nupdatedAt: 2025-%02d-%02d", day(r), 10+r.IntN(3), 1+r.IntN(28))
	if r.IntN(4) == 0 {
		t.line("private:\n  accountManager: desk-%d\n  note: Prefers letters.", r.IntN(9))
	}
	return t.String()
}

// identity writes one version of a seller's identity.
func (s seller) identity(t *text, r *rand.Rand, version int) {
	city := pick(r, cities)
	t.line("  - version: %d\n    name: %s\n    legalName: %s Ltd", version, s.name, s.name)
	t.line("    tagline: %s %s for %s.", capital(pick(r, adjectives)), pick(r, things), pick(r, trades))
	t.line("    summary: %s", quoted(sentence(r)))
	t.line("    website: https://www.%s.example", s.slug)
	t.line("    founded: %d\n    employees: %d", 1900+r.IntN(120), 2+r.IntN(400))
	t.line("    headquarters:\n      city: %s\n      country: %s", city[:len(city)-3], city[len(city)-2:])
	if s.logo() {
		t.line("    logo: media/logo.svg")
	}
	t.line("    languages:\n      - %s\n      - en-GB", pick(r, languages))
	t.line("    links:\n      - label: Documentation\n        url: https://docs.%s.example", s.slug)
}

func proofText(t *text, r *rand.Rand) {
	t.line("proof:\n  - kind: %s\n    title: %s %s of the year\n    issuer: Society of %s", pick(r, proofKinds),
		capital(pick(r, adjectives)), pick(r, things), capital(pick(r, trades)))
	t.line("    date: %s\n    public: %t", day(r), r.IntN(4) > 0)
	if r.IntN(3) == 0 {
		t.line("    evidence:\n      file: letters/%d.pdf", r.IntN(1000))
	}
}

// offerText returns the file of a product or service.
func (m *market) offerText(o offer) string {
	r := o.rest
	var t text
	if o.extension == ".md" {
		t.line("---")
	}
	t.line("name: %s", o.name)
	t.line("summary: %s", quoted(sentence(r)))
	m.offerCategories(&t, o)
	if o.kind == "product" {
		productText(&t, o)
	} else {
		t.line("delivery: %s\nregions:\n  - Benelux\n  - %s", pick(r, []string{"remote", "onsite", "hybrid"}), capital(pick(r, trades)))
	}
	t.line("price:\n  amount: \"%d.%02d\"\n  currency: %s", 10+r.IntN(20000), 5*r.IntN(20), pick(r, currencies))
	if r.IntN(3) == 0 {
		t.line("  from: true")
	}
	attributesText(&t, r, "", 3+r.IntN(4))
	if r.IntN(25) == 0 {
		t.line("media:\n  - file: ../../../%s\n    alt: A %s %s", sharedPicture(r.IntN(sharedPictures)), pick(r, adjectives), pick(r, things))
	}
	if r.IntN(5) == 0 {
		proofText(&t, r)
	}
	t.line("keywords:\n  - %s\n  - %s %s\n  - %s", pick(r, things), pick(r, adjectives), pick(r, objects), pick(r, trades))
	m.relatedText(&t, o)
	o.dates(&t)
	if o.extension == ".md" {
		t.line("---\n")
		m.description(&t, o)
	}
	return t.String()
}

func (m *market) offerCategories(t *text, o offer) {
	leaves := m.productLeaves
	if o.kind == "service" {
		leaves = m.workLeaves
	}
	first := pick(o.rest, leaves)
	t.line("categories:\n  - %s", first.slug)
	if second := pick(o.rest, leaves); o.rest.IntN(4) == 0 && second != first {
		t.line("  - %s", second.slug)
	}
}

// productText writes what only products have.
func productText(t *text, o offer) {
	r := o.rest
	sku := fmt.Sprintf("%s-%03d", strings.ToUpper(o.slug[:2]), o.number)
	t.line("sku: %s", sku)
	if r.IntN(7) > 0 {
		return
	}
	t.line("variants:")
	for v := range 2 + r.IntN(2) {
		t.line("  - name: %s %s\n    sku: %s-%d", capital(pick(r, adjectives)), pick(r, materials), sku, v+1)
		attributesText(t, r, "    ", 1)
		if v > 0 {
			t.line("    price:\n      amount: \"%d.00\"\n      currency: EUR", 100+r.IntN(9000))
		}
	}
}

// attributesText writes n attributes in a row of different names.
func attributesText(t *text, r *rand.Rand, indent string, n int) {
	t.line("%sattributes:", indent)
	from := r.IntN(len(attribute))
	for i := range n {
		at := (from + i) % len(attribute)
		switch {
		case at < len(units):
			t.line("%s  %s: {value: %d.%d, unit: %s}", indent, attribute[at], r.IntN(900), 1+r.IntN(9), units[at])
		case r.IntN(3) == 0:
			t.line("%s  %s: %t", indent, attribute[at], r.IntN(2) == 0)
		default:
			t.line("%s  %s: %s %s", indent, attribute[at], pick(r, adjectives), pick(r, materials))
		}
	}
}

// relatedText names other offers: of the same seller, and of anybody.
func (m *market) relatedText(t *text, o offer) {
	r := o.rest
	t.line("related:")
	t.line("  - %s", m.anyOffer(r).reference())
	if other := m.offer(o.of, r.IntN(m.sizes[o.of.number])); other.number != o.number {
		t.line("  - %s", other.reference())
	}
	if r.IntN(10) == 0 {
		t.line("  - article:article-%d", 1+r.IntN(m.articles))
	}
}

func (o offer) dates(t *text) {
	r := o.rest
	if o.status != "" {
		t.line("status: %s", o.status)
	}
	t.line("publishedAt: %s", o.from)
	if r.IntN(2) == 0 {
		t.line("updatedAt: 2025-%02d-%02d", 10+r.IntN(3), 1+r.IntN(28))
	}
	if o.until != "" {
		t.line("expiresAt: %s", o.until)
	}
	if r.IntN(10) == 0 {
		t.line("private:\n  margin: %d\n  note: Ask %s first.", r.IntN(50), pick(r, people))
	}
}

// description writes a few hundred bytes of Markdown with each kind of link.
func (m *market) description(t *text, o offer) {
	r := o.rest
	other := m.anyOffer(r)
	t.line("%s It goes well with the [%s](%s).\n", paragraph(r, 1), other.name, other.reference())
	t.line("## %s\n", pick(r, sections))
	for range 2 + r.IntN(3) {
		t.line("- %s **%s** for %s", pick(r, uses), pick(r, objects), pick(r, trades))
	}
	t.line("- more from [the maker][maker]\n\n[maker]: seller:%s", o.of.slug)
}

func (m *market) articleText(i int) string {
	r := chance("article", i)
	var t text
	t.line("---\ntitle: On %s %s %d", pick(r, adjectives), pick(r, objects), i+1)
	t.line("summary: %s", quoted(sentence(r)))
	t.line("authors:\n  - %s %s", pick(r, people), pick(r, families))
	t.line("related:\n  - %s\n  - category:product/%s", m.anyOffer(r).reference(), pick(r, m.productLeaves).slug)
	t.line("media:\n  - file: ../%s\n    alt: What the text is about", sharedPicture(i%sharedPictures))
	if i%10 == 9 {
		t.line("status: draft")
	}
	t.line("publishedAt: %s\neditorial:\n  reader: %s\n---\n", day(r), pick(r, people))
	for range 4 {
		o := m.anyOffer(r)
		t.line("## %s\n\n%s\n", pick(r, sections), paragraph(r, 4))
		t.line("- [%s](%s)\n- [its maker](seller:%s \"The maker\")\n- `seller:nobody` is no link\n", o.name, o.reference(), o.of.slug)
	}
	return t.String()
}

func (m *market) mapText(i int) string {
	r := chance("map", i)
	var t text
	t.line("title: The market of %s %s %d", pick(r, adjectives), pick(r, objects), i+1)
	t.line("summary: %s", quoted(sentence(r)))
	if i%10 == 9 {
		t.line("status: unpublished")
	}
	t.line("publishedAt: %s\nsegments:", day(r))
	for s := range 5 {
		t.line("  - name: Segment %d\n    summary: %s\n    category: product/%s", s+1, quoted(sentence(r)), pick(r, m.productLeaves).slug)
		t.line("    entries:\n      - seller:%s", m.seller(r.IntN(len(m.sizes))).slug)
		for range 4 + r.IntN(8) {
			t.line("      - ref: %s\n        note: %s %s", m.anyOffer(r).reference(), capital(pick(r, adjectives)), pick(r, objects))
		}
	}
	return t.String()
}

// picture returns a small drawing.
func picture(r *rand.Rand, title string) string {
	var t text
	t.line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="128" height="128">`)
	t.line("<title>%s</title>", title)
	t.line(`<rect width="128" height="128" rx="24" fill="#%06x"/>`, r.IntN(1<<24))
	for range 3 {
		t.line(`<circle cx="%d" cy="%d" r="%d" fill="#%06x"/>`, r.IntN(128), r.IntN(128), 4+r.IntN(30), r.IntN(1<<24))
	}
	t.line(`<path d="M%d %dh%dv%dz" fill="#%06x"/>`, r.IntN(64), r.IntN(64), 10+r.IntN(50), 10+r.IntN(50), r.IntN(1<<24))
	t.line("</svg>")
	return t.String()
}
