package document

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"

	"souk/build/catalog"
)

// Addresses are the two roots of all addresses of a marketplace, without a trailing slash.
// Packages that keep catalog items without a Catalog, such as search, can create links and
// cards from them.
type Addresses struct {
	// Site is the root of pages, API the root of documents.
	Site, API string
}

// Link returns the Link to an item.
func (a Addresses) Link(ref catalog.Ref, name string) Link {
	path := ref.Path()
	l := Link{
		Kind: ref.Kind.String(), CompanySlug: ref.Company, Slug: ref.Slug, Name: name,
		URL: a.Site + "/" + path, APIURL: a.documentURL(path),
	}
	if ref.Kind == catalog.KindCategory {
		l.RootKind = ref.Root.String()
	}
	return l
}

// documentURL returns the address of the document for a path below the marketplace.
func (a Addresses) documentURL(path string) string {
	if path == "" {
		return a.API + marketplacePath
	}
	return a.API + marketplacePath + "/" + path
}

// SitePath returns the path of the site in its escaped form, without a trailing slash: "" if
// the site is at the root of its host. Links by path begin with it, because the server of the
// site may not see it.
func (a Addresses) SitePath() string {
	u, err := url.Parse(a.Site)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// AddressesIn returns the Addresses in the body of a release's MarketFile. Without one, they are
// those of a site at the root of any host.
func AddressesIn(market []byte) Addresses {
	var d struct {
		URL    string `json:"url"`
		APIURL string `json:"apiUrl"`
	}
	_ = json.Unmarshal(market, &d) // both are then empty
	site := strings.TrimRight(d.URL, "/")
	return Addresses{Site: site, API: cmp.Or(strings.TrimSuffix(d.APIURL, marketplacePath), site+APIRoot)}
}

// SellerLink returns the Link to a Seller.
func (a Addresses) SellerLink(companySlug, name string) Link {
	return a.Link(catalog.SellerRef(companySlug), name)
}

// Listing returns the card of an offer. categories are the Links to its current categories;
// image may be nil.
func (a Addresses) Listing(o *catalog.Offer, seller Link, categories []Link, shown []string, image *Image) Listing {
	l := a.Link(o.Ref, o.Name)
	card := Listing{
		Kind: l.Kind, CompanySlug: l.CompanySlug, Slug: l.Slug, Name: l.Name, Summary: o.Summary,
		URL: l.URL, APIURL: l.APIURL, Seller: seller, Categories: categories,
		Price: price(o.Price), Availability: o.Availability, Image: image, Proof: notes(o.Proof), UpdatedAt: date(o.UpdatedAt),
	}
	if named := o.Named(shown); len(named) > 0 {
		card.Attributes = attributes(named)
	}
	return card
}

// maxCardCategories is the maximum number of categories on the card of a company.
const maxCardCategories = 5

// CompanyCard returns the card of a Seller. categories are the Links to the current categories
// that it names; logo may be nil.
func (a Addresses) CompanyCard(s *catalog.Seller, categories []Link, logo *Media) CompanyCard {
	l := a.Link(s.Ref, s.Name)
	return CompanyCard{
		Kind: l.Kind, Slug: l.Slug, Name: l.Name, Tagline: s.Tagline, Summary: s.Summary, Logo: logo, Headquarters: headquarters(s),
		Categories: categories[:min(maxCardCategories, len(categories))], Proof: notes(s.Proof), URL: l.URL, APIURL: l.APIURL,
	}
}

// Search returns the address of a search with the given parameters.
func (a Addresses) Search(parameters url.Values) string {
	return a.API + searchPath + "?" + parameters.Encode()
}

// SearchCompanies returns the address of a search of companies with the given parameters.
func (a Addresses) SearchCompanies(parameters url.Values) string {
	return a.API + companiesPath + "?" + parameters.Encode()
}

// Addresses returns the roots that the Renderer writes.
func (r *Renderer) Addresses() Addresses { return Addresses{r.site, r.api} }

// Listing returns the card of a current offer.
func (r *Renderer) Listing(n *catalog.Node) Listing {
	o := n.Card()
	var shown []string
	for _, m := range o.Categories {
		if c := r.catalog.Node(m.Ref); c != nil && c.Current() {
			shown = c.Item().(*catalog.Category).CardAttributes
			break
		}
	}
	return r.Addresses().Listing(o, r.Link(n.Seller()), r.links(o.Categories), shown, r.cardImage(n, o))
}

// CardImage returns the picture for an offer's card: its first picture file, or else the
// seller's logo, or nil.
func (r *Renderer) CardImage(n *catalog.Node) *Image {
	return r.cardImage(n, n.Card())
}

func (r *Renderer) cardImage(n *catalog.Node, o *catalog.Offer) *Image {
	var m *Media
	for _, p := range o.Media {
		if p.File != "" && m == nil {
			m = r.media(p.File, "", p.Alt)
		}
	}
	if m == nil {
		m = r.logo(n.Seller().Item().(*catalog.Seller))
	}
	return m.image()
}

// image returns the card's picture, or nil if m is nil.
func (m *Media) image() *Image {
	if m == nil {
		return nil
	}
	return &Image{URL: m.URL, Alt: m.Alt, Width: m.Width, Height: m.Height, Renditions: m.Renditions}
}

// FirstFile returns the first picture that the marketplace itself serves, for a card, or nil.
func FirstFile(pictures []Media) *Image {
	for _, m := range pictures {
		if m.Bytes > 0 {
			return m.image()
		}
	}
	return nil
}
