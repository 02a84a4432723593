package document

import (
	"slices"
	"unicode"

	"souk/build/catalog"
)

// Marketplace is the marketplace itself.
type Marketplace struct {
	Kind         string `json:"kind" doc:"marketplace." jsonschema:"enum=marketplace"`
	Slug         string `json:"slug" doc:"marketplace." jsonschema:"enum=marketplace"`
	Name         string `json:"name" doc:"Its name."`
	Description  string `json:"description,omitempty" doc:"Its purpose, as Markdown."`
	Language     string `json:"language" doc:"The language of its texts, as a BCP 47 tag."`
	ContactEmail string `json:"contactEmail,omitempty" doc:"The operator's email address." jsonschema:"format=email"`
	URL          string `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL       string `json:"apiUrl" doc:"This document." jsonschema:"format=uri"`
	Counts       Counts `json:"counts" doc:"The number of public items of each kind."`
	Featured     []Link `json:"featured,omitempty" doc:"Items that the operator features: sellers, products, services, articles or market maps; at most 12."`
	Links        []Link `json:"links" doc:"Its lists and category roots: companies, products, services, articles, market maps."`
}

// Counts are the numbers of current items.
type Counts struct {
	Sellers    int `json:"sellers" doc:"Companies."`
	Products   int `json:"products" doc:"Products of all companies."`
	Services   int `json:"services" doc:"Services of all companies."`
	Categories int `json:"categories" doc:"Categories under both roots."`
	Articles   int `json:"articles" doc:"Articles."`
	MarketMaps int `json:"marketMaps" doc:"Market maps."`
}

// CompanyCard is the entry of a Seller in lists and search results.
type CompanyCard struct {
	Kind         string        `json:"kind" doc:"seller." jsonschema:"enum=seller"`
	Slug         string        `json:"slug" doc:"The companySlug."`
	Name         string        `json:"name" doc:"The company's name."`
	Tagline      string        `json:"tagline,omitempty" doc:"A short description, in half a line."`
	Summary      string        `json:"summary,omitempty" doc:"A description in a sentence or two."`
	Logo         *Media        `json:"logo,omitempty" doc:"Its logo."`
	Headquarters *Headquarters `json:"headquarters,omitempty" doc:"The location of its head office."`
	Categories   []Link        `json:"categories" doc:"The categories that the company names, in its order; at most 5."`
	Proof        []ProofNote   `json:"proof,omitempty" doc:"Its first public proof, in the author's order; at most 3. Absent if there is none."`
	URL          string        `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL       string        `json:"apiUrl" doc:"Its Seller Profile." jsonschema:"format=uri"`
}

// CompanyPage is the first page of a list of companies.
type CompanyPage struct {
	Total int           `json:"total" doc:"The number of items in the whole list."`
	Items []CompanyCard `json:"items" doc:"Ordered by name ignoring case and accents, then name, then address; at most 100."`
	Next  string        `json:"next,omitempty" doc:"The document of the next page; absent if there is none." jsonschema:"format=uri"`
}

// Letter leads to the companies whose names begin with it.
type Letter struct {
	Letter string `json:"letter" doc:"The first letter of names without accents, in upper case; # for names that start with anything else."`
	Count  int    `json:"count" doc:"The number of names that start with it."`
	URL    string `json:"url" doc:"The page that contains the first of them." jsonschema:"format=uri"`
	APIURL string `json:"apiUrl" doc:"The document of that page." jsonschema:"format=uri"`
}

// SellerList is the list of all companies.
type SellerList struct {
	Kind    string        `json:"kind" doc:"sellerList." jsonschema:"enum=sellerList"`
	Slug    string        `json:"slug" doc:"companies." jsonschema:"enum=companies"`
	Title   string        `json:"title" doc:"The headline of the list."`
	URL     string        `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL  string        `json:"apiUrl" doc:"This document." jsonschema:"format=uri"`
	Total   int           `json:"total" doc:"The number of items in the whole list."`
	Items   []CompanyCard `json:"items" doc:"Ordered by name ignoring case and accents, then name, then address; at most 100."`
	Next    string        `json:"next,omitempty" doc:"The document of the next page; absent if there is none." jsonschema:"format=uri"`
	Letters []Letter      `json:"letters" doc:"The first letters of all companies' names, in the order of the list; empty if there are more than 60."`
}

// SellerPageDocument is a page after the first of a list of companies.
type SellerPageDocument struct {
	Kind     string        `json:"kind" doc:"page." jsonschema:"enum=page"`
	Of       Link          `json:"of" doc:"The list of all companies, or the category that it belongs to."`
	APIURL   string        `json:"apiUrl" doc:"This document." jsonschema:"format=uri"`
	Items    []CompanyCard `json:"items" doc:"Ordered by name ignoring case and accents, then name, then address; at most 100."`
	Next     string        `json:"next,omitempty" doc:"The document of the next page; absent on the last page." jsonschema:"format=uri"`
	Previous string        `json:"previous,omitempty" doc:"The document of the previous page; on the second page, the list or the category." jsonschema:"format=uri"`
}

func (r *Renderer) marketplace() Marketplace {
	m, count := r.catalog.Market(), r.catalog.Count
	doc := Marketplace{
		Kind: "marketplace", Slug: "marketplace", Name: m.Name, Description: r.text(m.Description), Language: m.Language,
		ContactEmail: m.ContactEmail, URL: r.pageURL(""), APIURL: r.documentURL(""),
		Counts: Counts{
			Sellers: count(catalog.KindSeller), Products: count(catalog.KindProduct), Services: count(catalog.KindService),
			Categories: count(catalog.KindCategory), Articles: count(catalog.KindArticle), MarketMaps: count(catalog.KindMarketMap),
		},
		Links: []Link{r.listLink(catalog.KindSeller)},
	}
	doc.Featured = r.links(m.Featured)
	for _, root := range catalog.Roots {
		doc.Links = append(doc.Links, r.rootLink(root))
	}
	doc.Links = append(doc.Links, r.listLink(catalog.KindArticle), r.listLink(catalog.KindMarketMap))
	return doc
}

func (r *Renderer) companyCards(sellers []*catalog.Node) []CompanyCard {
	items := make([]CompanyCard, 0, len(sellers))
	for _, n := range sellers {
		s := n.Item().(*catalog.Seller)
		items = append(items, r.Addresses().CompanyCard(s, r.links(s.Categories), r.logo(s)))
	}
	return items
}

// letters returns the first letters of the names of companies.
func (r *Renderer) letters() []Letter {
	const most = 60
	ref := catalog.ListRef{Kind: catalog.KindSeller}
	list := r.catalog.List(ref)
	all := []Letter{}
	for from := 0; from < len(list); {
		first, to := list.Initial(from)
		letter := "#"
		if unicode.IsLetter(first) {
			letter = string(unicode.ToUpper(first))
		}
		at := slices.IndexFunc(all, func(l Letter) bool { return l.Letter == letter })
		if at < 0 {
			path := pagePath(ref, list.PageOf(from).ID())
			at = len(all)
			all = append(all, Letter{Letter: letter, URL: r.pageURL(path), APIURL: r.documentURL(path)})
		}
		all[at].Count += to - from
		from = to
	}
	if len(all) > most {
		return []Letter{}
	}
	return all
}

// Logo returns the logo of a Seller, or nil.
func (r *Renderer) Logo(s *catalog.Seller) *Media { return r.logo(s) }

// logo returns the logo of a Seller, or nil.
func (r *Renderer) logo(s *catalog.Seller) *Media {
	if s.Logo == nil {
		return nil
	}
	return r.media(s.Logo.File, s.Logo.URL, r.texts.Text("name.logo", "company", s.Name))
}

// mapEntry returns the card of a member of a Market Map's segment.
func (r *Renderer) mapEntry(n *catalog.Node, note string) MapEntry {
	entry := MapEntry{Link: r.Link(n), Note: note, Summary: n.Head().Summary}
	switch item := n.Item().(type) {
	case *catalog.Seller:
		entry.Logo = r.logo(item)
	case *catalog.Offer:
		entry.Image = r.CardImage(n)
	}
	return entry
}
