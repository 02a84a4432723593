package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"souk/build/catalog"
	"souk/templates"
)

// An Output is what becomes of one file of the public tree.
type Output struct {
	// File is the path below the public folder.
	File string
	// Body holds the bytes; it is only valid until the next Output.
	Body []byte
	// Absent: nothing stands at the address now.
	Absent bool
	// Gone: the address is that of a removed seller, as the content knows it.
	Gone bool
}

// A Unit is a piece of rendering that depends on no other.
type Unit struct {
	kind  unitKind
	node  *catalog.Node
	which int
	page  int
	slug  string
	root  catalog.Kind
	// shards are the sitemap shards to make; nil for all.
	shards map[int]bool
}

type unitKind uint8

const (
	unitFixed unitKind = iota
	unitNode
	unitListPage
	unitListRest
	unitRoot
	unitSlug
	unitEditorial
	unitSitemap
	unitSitemapIndex
)

// Units lists what is to be rendered for a change, in a fixed order. stands
// tells whether a file is in the tree now.
func (r *Renderer) Units(d *catalog.Delta, stands func(file string) bool) []Unit {
	if d.All {
		return r.allUnits()
	}
	var units []Unit
	// The pages of most slugs show nothing that an interim release changes.
	tree := d.Tree && r.left == nil
	for _, n := range sortNodes(maps.Keys(d.Documents)) {
		units = append(units, Unit{kind: unitNode, node: n})
		if n.Ref().Kind == catalog.KindCategory && !tree {
			units = append(units, Unit{kind: unitSlug, slug: n.Ref().Slug})
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(d.Lists), comparePages) {
		if left := r.left[p]; left != nil {
			units = append(units, interimUnits(p, left)...)
			continue
		}
		units = append(units, r.listUnits(p.Node, p.Which)...)
		units = append(units, Unit{kind: unitListRest, node: p.Node, which: p.Which, page: pageCount(len(p.Node.List(p.Which))) + 1})
	}
	for _, p := range slices.SortedFunc(maps.Keys(d.Pages), comparePages) {
		if p.Number > 1 && p.Number <= pageCount(len(p.Node.List(p.Which))) && !d.Lists[catalog.Page{Node: p.Node, Which: p.Which}] {
			units = append(units, Unit{kind: unitListPage, node: p.Node, which: p.Which, page: p.Number})
		}
	}
	if tree {
		units = append(units, r.treeUnits()...)
	} else if d.Tree {
		units = append(units, rootUnits()...)
	}
	kinds := map[catalog.Kind]map[int]bool{}
	for n := range d.Changed {
		kind := n.Ref().Kind
		if kinds[kind] == nil {
			kinds[kind] = map[int]bool{}
		}
		kinds[kind][n.Ref().Bucket()] = true
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if kind == catalog.KindArticle || kind == catalog.KindMarketMap {
			units = append(units, r.editorialUnits(kind)...)
		}
		units = append(units, Unit{kind: unitSitemap, root: kind, shards: kinds[kind]})
	}
	if len(kinds) > 0 {
		units = append(units, Unit{kind: unitSitemapIndex})
	}
	return units
}

func sortNodes(nodes func(func(*catalog.Node) bool)) []*catalog.Node {
	return slices.SortedFunc(nodes, func(a, b *catalog.Node) int {
		return cmp.Compare(a.Ref().Path(), b.Ref().Path())
	})
}

func comparePages(a, b catalog.Page) int {
	return cmp.Or(cmp.Compare(a.Node.Ref().Path(), b.Node.Ref().Path()), cmp.Compare(a.Which, b.Which), cmp.Compare(a.Number, b.Number))
}

func (r *Renderer) allUnits() []Unit {
	units := []Unit{{kind: unitFixed}, {kind: unitSitemapIndex}}
	units = append(units, r.treeUnits()...)
	for _, kind := range []catalog.Kind{catalog.KindArticle, catalog.KindMarketMap} {
		units = append(units, r.editorialUnits(kind)...)
	}
	for _, kind := range sitemapKinds {
		units = append(units, Unit{kind: unitSitemap, root: kind})
	}
	for _, n := range r.catalog.Nodes() {
		if !n.Live() {
			continue
		}
		units = append(units, Unit{kind: unitNode, node: n})
		units = append(units, r.listUnits(n, catalog.Products)...)
		units = append(units, r.listUnits(n, catalog.Services)...)
	}
	return units
}

func (r *Renderer) listUnits(n *catalog.Node, which int) []Unit {
	var units []Unit
	for page := 2; page <= pageCount(len(n.List(which))); page++ {
		units = append(units, Unit{kind: unitListPage, node: n, which: which, page: page})
	}
	return units
}

func rootUnits() (units []Unit) {
	for _, root := range catalog.Roots {
		units = append(units, Unit{kind: unitRoot, root: root})
	}
	return units
}

func (r *Renderer) treeUnits() []Unit {
	units := rootUnits()
	slugs := map[string]bool{}
	for _, root := range catalog.Roots {
		var collect func(list []*catalog.Node)
		collect = func(list []*catalog.Node) {
			for _, n := range list {
				slugs[n.Ref().Slug] = true
				collect(n.Children())
			}
		}
		collect(r.catalog.Tops(root))
	}
	for _, slug := range slices.Sorted(maps.Keys(slugs)) {
		units = append(units, Unit{kind: unitSlug, slug: slug})
	}
	return units
}

func (r *Renderer) editorialUnits(kind catalog.Kind) []Unit {
	list := r.catalog.Articles()
	if kind == catalog.KindMarketMap {
		list = r.catalog.MarketMaps()
	}
	var units []Unit
	pages := pageCount(len(list))
	for page := 1; page <= pages; page++ {
		units = append(units, Unit{kind: unitEditorial, root: kind, page: page})
	}
	return append(units, Unit{kind: unitListRest, root: kind, page: pages + 1})
}

// An Encoder turns documents into bytes; each goroutine has its own.
type Encoder struct {
	buffer bytes.Buffer
	json   *json.Encoder
}

// NewEncoder makes an Encoder.
func NewEncoder() *Encoder {
	e := &Encoder{}
	e.json = json.NewEncoder(&e.buffer)
	e.json.SetEscapeHTML(false)
	return e
}

// bytes gives compact JSON with a line end, valid until the next call.
func (e *Encoder) bytes(value any) ([]byte, error) {
	e.buffer.Reset()
	if err := e.json.Encode(value); err != nil {
		return nil, err
	}
	return e.buffer.Bytes(), nil
}

// Render makes the outputs of a unit, one after the other.
func (r *Renderer) Render(u Unit, e *Encoder, stands func(file string) bool, emit func(Output) error) error {
	document := func(path string, value any) error {
		body, err := e.bytes(value)
		if err != nil {
			return fmt.Errorf("render %s: %w", path, err)
		}
		return emit(Output{File: docFile(path), Body: body})
	}
	switch u.kind {
	case unitFixed:
		return r.renderFixed(emit)
	case unitNode:
		return r.renderNode(u.node, document, emit)
	case unitListPage:
		return document(listPath(u.node, u.which, u.page), r.listingPageDocument(u.node, u.which, u.page))
	case unitListRest:
		return r.renderRest(u, stands, emit)
	case unitRoot:
		return document("category-roots/"+u.root.String(), r.categoryRoot(u.root))
	case unitSlug:
		if page, stands := r.categoryPage(u.slug); stands {
			return document("categories/"+u.slug, page)
		}
		return emit(Output{File: docFile("categories/" + u.slug), Absent: true})
	case unitEditorial:
		return document(editorialPath(u.root, u.page), r.editorial(u.root, u.page))
	case unitSitemap:
		return r.renderSitemaps(u.root, u.shards, stands, emit)
	case unitSitemapIndex:
		return emit(Output{File: SitemapFile, Body: r.sitemapIndex()})
	}
	return fmt.Errorf("render: there is no unit of kind %d", u.kind)
}

func (r *Renderer) renderFixed(emit func(Output) error) error {
	for _, o := range []Output{
		{File: HealthFile, Body: r.health()},
		{File: OpenAPIFile, Body: r.OpenAPI()},
		{File: LLMsFile, Body: r.llms()},
		{File: RobotsFile, Body: r.robots()},
		{File: APICatalogFile, Body: r.apiCatalog()},
		{File: VerifyClaimFile, Body: r.verifyPage(templates.VerifyClaim)},
		{File: VerifyRemovalFile, Body: r.verifyPage(templates.VerifyRemoval)},
	} {
		if err := emit(o); err != nil {
			return err
		}
	}
	return nil
}

// verifyPage gives the page that a mail's link opens. It is no document, and
// stands in no sitemap.
func (r *Renderer) verifyPage(kind templates.VerifyKind) []byte {
	m := r.catalog.Market()
	return templates.VerifyPage(kind, templates.Site{Name: m.Name, SiteURL: r.site, APIURL: r.api, Language: m.Language})
}

func (r *Renderer) renderNode(n *catalog.Node, document func(string, any) error, emit func(Output) error) error {
	path := n.Ref().Path()
	if !n.Current() {
		return r.renderHidden(n, emit)
	}
	switch n.Ref().Kind {
	case catalog.KindSeller:
		return document(path, r.seller(n))
	case catalog.KindProduct:
		return document(path, r.product(n))
	case catalog.KindService:
		return document(path, r.service(n))
	case catalog.KindCategory:
		return document(path, r.category(n))
	case catalog.KindArticle:
		return document(path, r.article(n))
	default:
		return document(path, r.marketMap(n))
	}
}

// renderHidden tells that nothing stands at the addresses of a node that is
// not current, and that they are gone where only its seller's removal hides it.
func (r *Renderer) renderHidden(n *catalog.Node, emit func(Output) error) error {
	gone := n.Withheld() && n.Live()
	if err := emit(Output{File: docFile(n.Ref().Path()), Absent: !gone, Gone: gone}); err != nil || !gone {
		return err
	}
	var live [2]int
	for _, o := range n.Offers() {
		if o.Live() {
			if o.Ref().Kind == catalog.KindProduct {
				live[catalog.Products]++
			} else {
				live[catalog.Services]++
			}
		}
	}
	for which, items := range live {
		for page := 2; page <= pageCount(items); page++ {
			if err := emit(Output{File: docFile(listPath(n, which, page)), Gone: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

// renderRest tells that no pages stand from a number on.
func (r *Renderer) renderRest(u Unit, stands func(string) bool, emit func(Output) error) error {
	for page := u.page; ; page++ {
		path := editorialPath(u.root, page)
		if u.node != nil {
			path = listPath(u.node, u.which, page)
		}
		file := docFile(path)
		if !stands(file) {
			return nil
		}
		if err := emit(Output{File: file, Absent: true}); err != nil {
			return err
		}
	}
}
