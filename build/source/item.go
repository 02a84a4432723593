package source

import (
	"cmp"
	"strconv"
	"strings"

	"souk/build/catalog"
	"souk/build/kit/fold"
)

func (s shared) fill(d *decoder, h *catalog.Head) {
	switch s.Status {
	case "draft":
		h.Status = catalog.Draft
	case "unpublished":
		h.Status = catalog.Unpublished
	}
	h.PublishedAt, h.UpdatedAt, h.ExpiresAt = catalog.Date(s.PublishedAt), catalog.Date(s.UpdatedAt), catalog.Date(s.ExpiresAt)
	h.Aliases = d.aliases(h.Ref, s.Aliases)
}

// aliases returns the former References of an item. They have the item's own kind, since the
// document at a former address is the item's own.
func (d *decoder) aliases(of catalog.Ref, list []reference) []catalog.Mention {
	var all []catalog.Mention
	seen := map[catalog.Ref]bool{{}: true}
	for _, a := range list {
		switch {
		case a.Ref.Kind == catalog.KindNone: // it is not a Reference
		case of.Kind == catalog.KindNone:
			d.wrongAt(a.At, "remove it", "the marketplace has no Reference, so %q cannot be its alias", a.Ref)
		case of.Kind == catalog.KindPage:
			d.wrongAt(a.At, "remove it", "a page in site/ has no Reference, so %q cannot be its alias", a.Ref)
		case a.Ref == of:
			d.wrongAt(a.At, "remove it", "the alias %q is its current Reference", a.Ref)
		case a.Ref.Kind != of.Kind || a.Ref.Root != of.Root:
			d.wrongAt(a.At, "write it as in "+strconv.Quote(example(of).String()), "an alias of %s is a former Reference of the same kind, and %q is not", of, a.Ref)
		case seen[a.Ref]:
			d.wrongAt(a.At, "remove one", "the alias %q appears twice", a.Ref)
		default:
			all = append(all, catalog.Mention(a))
			if isDevice(a.Ref.Slug) {
				d.warnAt(a.At, "remove it if a release must work on Windows", "Windows cannot hold a file or a folder called %q", a.Ref.Slug)
			}
		}
		seen[a.Ref] = true
	}
	return all
}

// example returns a sample of a former Reference.
func example(of catalog.Ref) catalog.Ref {
	of.Slug = "former-slug"
	return of
}

func (f *marketplaceFile) settings(d *decoder) *catalog.Marketplace {
	d.aliases(catalog.Ref{}, f.Aliases)
	if f.APIURL.text != "" && !strings.HasSuffix(f.APIURL.text, "/api/v1") {
		d.wrongAt(f.APIURL.at, "end it in /api/v1", "the apiUrl %q does not end in /api/v1", f.APIURL.text)
	}
	m := &catalog.Marketplace{
		Name: f.Name, SiteURL: f.SiteURL.text, APIURL: cmp.Or(f.APIURL.text, f.SiteURL.text+"/api/v1"),
		File: d.file, Language: cmp.Or(string(f.Language), "en"), ContactEmail: f.ContactEmail.text,
		Featured: d.featured(f.Featured), NoClaims: f.Claims == "off", Join: string(f.Join),
	}
	if f.Theme != nil {
		f.Theme.set(d, m)
	}
	return m
}

// featured returns the items that the home page shows first.
func (d *decoder) featured(list []reference) (all []catalog.Mention) {
	seen := map[catalog.Ref]bool{}
	for _, r := range list {
		switch {
		case r.Ref.Kind == catalog.KindNone: // it is not a Reference
		case r.Ref.Kind == catalog.KindCategory:
			d.wrongAt(r.At, "write a seller, a product, a service, an article or a market map", "%s is a category and cannot be featured", r.Ref)
		case seen[r.Ref]:
			d.wrongAt(r.At, "remove one", "%s is featured twice", r.Ref)
		default:
			all = append(all, catalog.Mention(r))
		}
		seen[r.Ref] = true
	}
	return all
}

// selected returns the version of the identity to show, or nil.
func (f *sellerFile) selected(d *decoder) *versionFile {
	var best *versionFile
	seen, wanted := map[string]bool{}, fold.Canonical(f.SelectedVersion.text)
	for i := range f.Versions {
		v := &f.Versions[i]
		version := fold.Canonical(v.Version.text)
		if seen[version] && version != "" {
			d.wrongAt(v.Version.at, "", "the version %q appears twice", v.Version.text)
		}
		seen[version] = true
		switch {
		case wanted != "" && version == wanted:
			best = v
		case f.SelectedVersion.text == "" && (best == nil || compareVersions(v.Version.text, best.Version.text) > 0):
			best = v
		}
	}
	if f.SelectedVersion.text != "" && best == nil {
		d.wrongAt(f.SelectedVersion.at, "", "there is no version %q, which selectedVersion names", f.SelectedVersion.text)
	}
	return best
}

// compareVersions compares runs of digits as numbers and the rest as text, so that 10 is
// higher than 9 and 1.10 higher than 1.9.
func compareVersions(a, b string) int {
	for a != "" && b != "" {
		i, j := leadingDigits(a), leadingDigits(b)
		if i > 0 && j > 0 {
			x, y := strings.TrimLeft(a[:i], "0"), strings.TrimLeft(b[:j], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[i:], b[j:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func leadingDigits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

func (f *sellerFile) item(d *decoder, h catalog.Head) catalog.Item {
	f.fill(d, &h)
	h.Related, h.Keywords = relations(f.Related), f.Keywords
	s := &catalog.Seller{
		ID: cmp.Or(f.ID.text, h.Ref.Slug), IDAt: f.ID.at,
		OfficialDomain: f.OfficialDomain.name, DomainAt: f.OfficialDomain.at, DomainDerived: f.DomainProof == "derived", Contact: f.Contact.contact(),
		ReplacesRemoved: f.Replaces != "", Details: details(f.Details), Proof: proof(f.Proof),
	}
	for _, name := range f.FormerDomains {
		s.FormerDomains = append(s.FormerDomains, string(name))
	}
	for _, c := range f.Categories {
		if c.Ref.Kind != catalog.KindNone {
			s.Categories = append(s.Categories, catalog.Mention(c))
		}
	}
	if v := f.selected(d); v != nil {
		h.Name, h.Summary = v.Name, v.Summary
		s.LegalName, s.Tagline, s.Website = v.LegalName, v.Tagline, string(v.Website)
		s.Founded, s.FoundedAt, s.Employees = v.Founded.number, v.Founded.at, v.Employees.text
		if v.Headquarters != nil && *v.Headquarters != (headquartersFile{}) {
			s.Headquarters = &catalog.Headquarters{City: v.Headquarters.City, Region: v.Headquarters.Region, Country: string(v.Headquarters.Country)}
		}
		if v.Logo != (image{}) {
			s.Logo = &catalog.Picture{File: v.Logo.file, URL: v.Logo.url, At: v.Logo.at}
		}
		for _, l := range v.Languages {
			s.Languages = append(s.Languages, string(l))
		}
		s.Links = links(v.Links)
	}
	s.Head = h
	return s
}

func links(list []linkFile) (all []catalog.Labelled) {
	for _, l := range list {
		all = append(all, catalog.Labelled{Label: l.Label, Value: string(l.URL)})
	}
	return all
}

// contact returns nil if there is no way to reach the company.
func (f *contactFile) contact() *catalog.Contact {
	if f == nil {
		return nil
	}
	c := &catalog.Contact{Email: f.Email.text, Telephone: string(f.Telephone), URL: string(f.URL)}
	if a := f.Address; a != nil {
		c.Address = &catalog.Address{Street: a.Street, PostalCode: a.PostalCode.text, City: a.City, Region: a.Region, Country: string(a.Country)}
		if *c.Address == (catalog.Address{}) {
			c.Address = nil
		}
	}
	if *c == (catalog.Contact{}) {
		return nil
	}
	return c
}

func (f *offerFile) offer(d *decoder, h catalog.Head) *catalog.Offer {
	f.fill(d, &h)
	h.Name, h.Summary = f.Name, f.Summary
	h.Related, h.Keywords = relations(f.Related), f.Keywords
	o := &catalog.Offer{
		Head: h, Price: price(f.Price), Attributes: f.Attributes, Media: pictures(f.Media), Proof: proof(f.Proof),
		Website: string(f.Website), Links: links(f.Links),
	}
	for _, a := range f.Files {
		o.Files = append(o.Files, catalog.Attachment{File: a.File.file, At: a.File.at, Label: a.Label, Language: string(a.Language)})
	}
	for _, c := range f.Categories {
		if c.text != "" {
			o.Categories = append(o.Categories, catalog.Mention{Ref: catalog.CategoryRef(h.Ref.Kind, c.text), At: c.at})
		}
	}
	return o
}

func (f *productFile) item(d *decoder, h catalog.Head) catalog.Item {
	o := f.offer(d, h)
	o.SKU, o.SKUAt, o.GTIN, o.Availability = f.SKU.text, f.SKU.at, string(f.GTIN), f.Availability
	for _, v := range f.Variants {
		one := catalog.Variant{
			Name: v.Name, SKU: v.SKU.text, SKUAt: v.SKU.at, GTIN: string(v.GTIN), Attributes: v.Attributes, Price: price(v.Price), Availability: v.Availability,
		}
		if v.Image != nil {
			one.Image = &pictures([]mediaFile{*v.Image})[0]
		}
		o.Variants = append(o.Variants, one)
	}
	return o
}

func (f *serviceFile) item(d *decoder, h catalog.Head) catalog.Item {
	o := f.offer(d, h)
	o.Delivery, o.Regions = f.Delivery, f.Regions
	return o
}

func (f *categoryFile) item(d *decoder, h catalog.Head) catalog.Item {
	f.fill(d, &h)
	h.Name, h.Summary, h.Related = f.Name, f.Summary, relations(f.Related)
	c := &catalog.Category{Head: h, Synonyms: f.Synonyms, Order: orderOf(f.Order), Pins: d.pins(h.Ref, f.Pins), CardAttributes: f.CardAttributes}
	if f.Parent.text != "" {
		c.Parent = &catalog.Mention{Ref: catalog.CategoryRef(h.Ref.Root, f.Parent.text), At: f.Parent.at}
	}
	return c
}

// orderOf returns the order in a file, or catalog.NoOrder.
func orderOf(given *int) int {
	if given == nil {
		return catalog.NoOrder
	}
	return *given
}

// pins returns the listings that come first in a category.
func (d *decoder) pins(of catalog.Ref, list []pin) (all []catalog.Mention) {
	seen := map[catalog.Ref]bool{}
	for _, p := range list {
		switch {
		case p.Ref.Kind == catalog.KindNone: // it is not a Reference
		case p.Ref.Kind != catalog.KindProduct && p.Ref.Kind != catalog.KindService:
			d.wrongAt(p.At, "pin a listing, as in \""+of.Root.String()+":acme/arm-7\"", "%s is not a listing and cannot be pinned", p.Ref)
		case p.Ref.Kind != of.Root:
			d.wrongAt(p.At, "pin it in a category under the root "+p.Ref.Kind.String(), "%s cannot be in a category under the root %s", p.Ref, of.Root)
		case seen[p.Ref]:
			d.wrongAt(p.At, "remove one", "the pin %s appears twice", p.Ref)
		default:
			all = append(all, catalog.Mention(p))
		}
		seen[p.Ref] = true
	}
	return all
}

func (f *articleFile) item(d *decoder, h catalog.Head) catalog.Item {
	f.fill(d, &h)
	h.Name, h.Summary, h.Related = f.Title, f.Summary, relations(f.Related)
	return &catalog.Article{Head: h, Authors: f.Authors, Media: pictures(f.Media)}
}

func (f *marketMapFile) item(d *decoder, h catalog.Head) catalog.Item {
	f.fill(d, &h)
	h.Name, h.Summary, h.Related = f.Title, f.Summary, relations(f.Related)
	m := &catalog.MarketMap{Head: h}
	for _, s := range f.Segments {
		segment := catalog.Segment{Name: s.Name, Summary: s.Summary}
		if s.Category.Ref.Kind != catalog.KindNone {
			segment.Category = &catalog.Mention{Ref: s.Category.Ref, At: s.Category.At}
		}
		seen := map[catalog.Ref]bool{}
		for _, e := range s.Entries {
			if e.Ref.Kind == catalog.KindNone {
				continue
			}
			if seen[e.Ref] {
				d.warnAt(e.At, "", "%s appears twice in the segment", e.Ref)
			}
			seen[e.Ref] = true
			segment.Entries = append(segment.Entries, catalog.Entry(e))
		}
		m.Segments = append(m.Segments, segment)
	}
	return m
}

// relations returns the relations that name an item.
func relations(list []relation) []catalog.Relation {
	var all []catalog.Relation
	for _, r := range list {
		if r.Ref.Kind != catalog.KindNone {
			all = append(all, catalog.Relation(r))
		}
	}
	return all
}

// proof returns only the public items; the others never leave this package.
func proof(list []proofFile) []catalog.Proof {
	var all []catalog.Proof
	for _, p := range list {
		if p.Public {
			all = append(all, catalog.Proof{Kind: p.Kind, Title: p.Title, Issuer: p.Issuer, URL: string(p.URL), Date: catalog.Date(p.Date)})
		}
	}
	return all
}

func details(list []detailFile) []catalog.Labelled {
	var all []catalog.Labelled
	for _, d := range list {
		all = append(all, catalog.Labelled(d))
	}
	return all
}

func price(p *priceFile) *catalog.Price {
	if p == nil {
		return nil
	}
	return &catalog.Price{Amount: string(p.Amount), Currency: string(p.Currency), Unit: p.Unit, From: p.From, List: string(p.List)}
}

func pictures(list []mediaFile) []catalog.Picture {
	var all []catalog.Picture
	for _, m := range list {
		all = append(all, catalog.Picture{File: m.File.file, URL: string(m.URL), Alt: m.Alt, At: cmp.Or(m.File.at, m.at)})
	}
	return all
}
