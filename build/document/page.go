package document

import "souk/build/catalog"

// firstListings returns the first page of a node's list.
func (r *Renderer) firstListings(n *catalog.Node, which int) ListingPage {
	list := catalog.ListRef{Node: n, Which: which}
	page, _ := n.List(which).Page(nil)
	return ListingPage{Total: len(n.List(which)), Items: r.listings(page.Items), Next: r.nextURL(list, page)}
}

// firstCompanies returns the first page of a Category's companies.
func (r *Renderer) firstCompanies(n *catalog.Node) CompanyPage {
	list := catalog.ListRef{Node: n, Which: catalog.Companies}
	page, _ := n.List(catalog.Companies).Page(nil)
	return CompanyPage{Total: len(n.List(catalog.Companies)), Items: r.companyCards(page.Items), Next: r.nextURL(list, page)}
}

// page returns the document of a further page of a list.
func (r *Renderer) page(list catalog.ListRef, page catalog.Page) any {
	here, next := r.documentURL(pagePath(list, page.ID())), r.nextURL(list, page)
	previous := r.documentURL(pagePath(list, page.PreviousID()))
	switch {
	case list.OfCompanies():
		of := r.listLink(catalog.KindSeller)
		if list.Node != nil {
			of = r.Link(list.Node)
		}
		return SellerPageDocument{
			Kind: "page", Of: of, APIURL: here,
			Items: r.companyCards(page.Items), Next: next, Previous: previous,
		}
	case list.Node == nil:
		return SummaryPageDocument{
			Kind: "page", Of: r.listLink(list.Kind), APIURL: here,
			Items: r.summaries(page.Items), Next: next, Previous: previous,
		}
	}
	return ListingPageDocument{
		Kind: "page", Of: r.Link(list.Node), APIURL: here,
		Items: r.listings(page.Items), Next: next, Previous: previous,
	}
}

// listedKinds are the kinds with a list of all their items.
var listedKinds = []catalog.Kind{catalog.KindSeller, catalog.KindArticle, catalog.KindMarketMap}

// list returns the document of the list of all Sellers, Articles or Market Maps.
func (r *Renderer) list(kind catalog.Kind) any {
	ref := catalog.ListRef{Kind: kind}
	list := r.catalog.List(ref)
	page, _ := list.Page(nil)
	of := r.listLink(kind)
	if kind == catalog.KindSeller {
		return SellerList{
			Kind: of.Kind, Slug: of.Slug, Title: of.Name, URL: of.URL, APIURL: of.APIURL,
			Total: len(list), Items: r.companyCards(page.Items), Next: r.nextURL(ref, page), Letters: r.letters(),
		}
	}
	return SummaryList{
		Kind: of.Kind, Slug: of.Slug, Title: of.Name, URL: of.URL, APIURL: of.APIURL,
		Total: len(list), Items: r.summaries(page.Items), Next: r.nextURL(ref, page),
	}
}

func (r *Renderer) listLink(kind catalog.Kind) Link {
	title := r.texts.Text(map[catalog.Kind]string{
		catalog.KindSeller: "name.companies", catalog.KindArticle: "name.articles", catalog.KindMarketMap: "name.maps",
	}[kind])
	path := listPath(catalog.ListRef{Kind: kind})
	return Link{Kind: kind.String() + "List", Slug: path, Name: title, URL: r.pageURL(path), APIURL: r.documentURL(path)}
}

// nextURL returns the address of the next page, or "".
func (r *Renderer) nextURL(list catalog.ListRef, page catalog.Page) string {
	if page.Next == nil {
		return ""
	}
	return r.documentURL(pagePath(list, page.NextID()))
}

func (r *Renderer) listings(offers []*catalog.Node) []Listing {
	items := make([]Listing, 0, len(offers))
	for _, o := range offers {
		items = append(items, r.Listing(o))
	}
	return items
}

func (r *Renderer) summaries(nodes []*catalog.Node) []Summary {
	items := make([]Summary, 0, len(nodes))
	for _, n := range nodes {
		h, l := n.Head(), r.Link(n)
		one := Summary{
			Kind: l.Kind, Slug: l.Slug, Title: l.Name, Summary: h.Summary, URL: l.URL, APIURL: l.APIURL,
			PublishedAt: date(h.PublishedAt), UpdatedAt: date(h.UpdatedAt),
		}
		if a, ok := n.Item().(*catalog.Article); ok {
			one.Authors, one.Image = listOf(a.Authors), FirstFile(r.articleMedia(a))
		}
		items = append(items, one)
	}
	return items
}
