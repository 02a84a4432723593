package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	"souk/build/catalog"
	"souk/templates"
)

// An Output is the intended content of one file in the public tree.
type Output struct {
	// File is the path below the public folder, or empty for a Value that is not a document.
	File string
	// Body is valid only until the next Output.
	Body []byte
	// Value is the source of pages: the result of Shown for the document in File, or a Home, a
	// Feed, an APIReference or an OwnPage.
	Value any
	// Own is the operator's own file with the bytes, instead of Body.
	Own *catalog.OwnFile
	// Snapshot is the shard of the snapshot in the file, instead of Body.
	Snapshot *Snapshot
	// Standing is the standing of the address.
	Standing Standing
}

// A Standing says what is at an address.
type Standing uint8

const (
	// Shown: the Output's content.
	Shown Standing = iota
	// Former: the same, at a former address.
	Former
	// Absent: nothing now.
	Absent
	// Gone: nothing, and according to the content the address is a removed seller's.
	Gone
)

// standing returns the standing of an address that may be a former one.
func standing(former bool) Standing {
	if former {
		return Former
	}
	return Shown
}

// A Unit is a part of the output that can be rendered independently of others.
type Unit struct {
	kind unitKind
	// of depends on the kind. There are as many units as documents, so the unit of a node
	// needs no allocation.
	of any
}

// A furtherPage is a page of a list after the first.
type furtherPage struct {
	list catalog.ListRef
	page catalog.Page
}

type unitKind uint8

const (
	unitFixed unitKind = iota
	unitMarket
	unitNode    // a *catalog.Node
	unitRef     // a catalog.Ref
	unitList    // a catalog.ListRef
	unitPage    // a furtherPage
	unitRoot    // a catalog.Kind
	unitSlug    // a string, the slug of a category's page
	unitSitemap // a catalog.ShardRef
	unitSitemapIndex
	unitSnapshot // a *Snapshot
	unitHome
	unitReference
	unitAbsent // a string, the file
)

// Units lists what to render for a change, in no particular order.
func (r *Renderer) Units(d *catalog.Delta) []Unit {
	if d.All {
		return r.allUnits()
	}
	refs, slugs := map[catalog.Ref]bool{}, map[string]bool{}
	maps.Copy(refs, d.Aliases)
	for n := range d.Documents {
		refs[n.Ref()] = true
		for _, former := range n.Aliases() {
			refs[former] = true
		}
		if n.Ref().Kind == catalog.KindCategory && !d.Tree {
			r.addSlugs(slugs, n.Ref().Slug)
		}
	}
	for ref := range d.Aliases {
		if ref.Kind == catalog.KindCategory {
			slugs[ref.Slug] = true
		}
	}
	if d.Tree {
		r.addTree(slugs)
	}
	units := slugUnits(slugs)
	for _, ref := range sortRefs(maps.Keys(refs)) {
		units = append(units, Unit{unitRef, ref})
	}
	for p := range d.Pages {
		units = append(units, r.pageUnit(p))
	}
	for s := range d.Shards {
		// The operator's own files are in no sitemap.
		if s.Kind != catalog.KindFile && (r.pages || !s.Further) {
			units = append(units, r.sitemapUnit(s))
		}
	}
	if r.snapshot {
		units = append(units, r.snapshotUnits(d)...)
	}
	if d.Tree {
		units = append(units, rootUnits()...)
	}
	if len(d.Shards) > 0 {
		units = append(units, Unit{kind: unitSitemapIndex})
	}
	pictured := len(d.Pictures) > 0 && slices.ContainsFunc(r.catalog.Market().Description.Targets, func(t catalog.Target) bool { return t.File != "" })
	if len(d.Shards) > 0 || pictured {
		units = append(units, Unit{kind: unitMarket})
	}
	if len(d.Shards) > 0 || d.Tree || d.Newest || pictured || listsChanged(d) {
		units = append(units, Unit{kind: unitHome})
	}
	if len(units) > 0 && r.pages {
		// Any change may affect the documents that it shows.
		units = append(units, Unit{kind: unitReference})
	}
	return units
}

// listsChanged reports whether a Delta has pages of the Articles or Market Maps.
func listsChanged(d *catalog.Delta) bool {
	for p := range d.Pages {
		if p.List.Node == nil {
			return true
		}
	}
	return false
}

// pageUnit returns the Unit that renders a page, or deletes a page that no longer exists.
func (r *Renderer) pageUnit(ref catalog.PageRef) Unit {
	if ref.First == nil {
		return Unit{unitList, ref.List}
	}
	page, exists := r.catalog.List(ref.List).Page(ref.First)
	if !exists || page.ID() != ref.ID {
		return Unit{unitAbsent, docFile(pagePath(ref.List, ref.ID))}
	}
	return Unit{unitPage, furtherPage{ref.List, page}}
}

func (r *Renderer) sitemapUnit(ref catalog.ShardRef) Unit {
	if len(r.sitemapEntries(ref)) == 0 {
		return Unit{unitAbsent, sitemapFile(ref)}
	}
	return Unit{unitSitemap, ref}
}

func sortRefs(refs iter.Seq[catalog.Ref]) []catalog.Ref {
	return slices.SortedFunc(refs, func(a, b catalog.Ref) int { return cmp.Compare(a.Path(), b.Path()) })
}

func (r *Renderer) allUnits() []Unit {
	units := []Unit{{kind: unitFixed}, {kind: unitMarket}, {kind: unitHome}, {kind: unitSitemapIndex}}
	if r.pages {
		units = append(units, Unit{kind: unitReference})
	}
	slugs, former := map[string]bool{}, map[catalog.Ref]bool{}
	r.addTree(slugs)
	units = append(append(units, rootUnits()...), slugUnits(slugs)...)
	for _, kind := range listedKinds {
		units = append(units, Unit{unitList, catalog.ListRef{Kind: kind}})
		units = append(units, r.furtherUnits(catalog.ListRef{Kind: kind})...)
	}
	for shard := range r.sitemaps() {
		units = append(units, Unit{unitSitemap, shard})
	}
	if r.snapshot {
		for s := range r.Snapshots() {
			units = append(units, Unit{unitSnapshot, s})
		}
	}
	for _, n := range r.catalog.Nodes() {
		if !n.Live() {
			continue
		}
		units = append(units, Unit{unitNode, n})
		for _, ref := range n.Aliases() {
			former[ref] = true
		}
		for which := range 2 {
			units = append(units, r.furtherUnits(catalog.ListRef{Node: n, Which: which})...)
		}
	}
	for _, ref := range sortRefs(maps.Keys(former)) {
		units = append(units, Unit{unitRef, ref})
	}
	return units
}

// furtherUnits returns the pages of a list after the first.
func (r *Renderer) furtherUnits(list catalog.ListRef) (units []Unit) {
	for _, page := range r.catalog.List(list).Pages()[1:] {
		units = append(units, Unit{unitPage, furtherPage{list, page}})
	}
	return units
}

func rootUnits() (units []Unit) {
	for _, root := range catalog.Roots {
		units = append(units, Unit{unitRoot, root})
	}
	return units
}

func slugUnits(slugs map[string]bool) (units []Unit) {
	for _, slug := range slices.Sorted(maps.Keys(slugs)) {
		units = append(units, Unit{unitSlug, slug})
	}
	return units
}

// addTree adds the slugs of all current categories, and their former ones.
func (r *Renderer) addTree(slugs map[string]bool) {
	var add func(list []*catalog.Node)
	add = func(list []*catalog.Node) {
		for _, n := range list {
			r.addSlugs(slugs, n.Ref().Slug)
			add(n.Children())
		}
	}
	for _, root := range catalog.Roots {
		add(r.catalog.Tops(root))
	}
}

// addSlugs adds a category's slug and the former slugs that lead to its page.
func (r *Renderer) addSlugs(slugs map[string]bool, slug string) {
	slugs[slug] = true
	for _, root := range catalog.Roots {
		if n := r.catalog.Node(catalog.CategoryRef(root, slug)); n != nil {
			for _, former := range n.Aliases() {
				slugs[former.Slug] = true
			}
		}
	}
}

// An Encoder encodes documents; each goroutine needs its own.
type Encoder struct {
	buffer bytes.Buffer
	json   *json.Encoder
}

// NewEncoder returns an Encoder.
func NewEncoder() *Encoder {
	e := &Encoder{}
	e.json = json.NewEncoder(&e.buffer)
	e.json.SetEscapeHTML(false)
	return e
}

// bytes returns compact JSON with a final newline, valid until the next call.
func (e *Encoder) bytes(value any) ([]byte, error) {
	e.buffer.Reset()
	if err := e.json.Encode(value); err != nil {
		return nil, err
	}
	return e.buffer.Bytes(), nil
}

// document emits an Output whose Body is its Value as JSON.
func (e *Encoder) document(o Output, emit func(Output) error) (err error) {
	if o.Body, err = e.bytes(public(o.Value)); err != nil {
		return fmt.Errorf("render %s: %w", o.File, err)
	}
	return emit(o)
}

// Render calls emit with each Output of a unit.
func (r *Renderer) Render(u Unit, e *Encoder, emit func(Output) error) error {
	document := func(path string, value any) error {
		return e.document(Output{File: docFile(path), Value: value}, emit)
	}
	switch u.kind {
	case unitFixed:
		return r.renderFixed(emit)
	case unitMarket:
		return document("", r.marketplace())
	case unitRef:
		return r.renderRef(u.of.(catalog.Ref), e, emit)
	case unitNode:
		return r.renderRef(u.of.(*catalog.Node).Ref(), e, emit)
	case unitList:
		list := u.of.(catalog.ListRef)
		return document(listPath(list), r.list(list.Kind))
	case unitPage:
		further := u.of.(furtherPage)
		return document(pagePath(further.list, further.page.ID()), r.page(further.list, further.page))
	case unitRoot:
		root := u.of.(catalog.Kind)
		return document("category-roots/"+root.String(), r.categoryRoot(root))
	case unitSlug:
		slug := u.of.(string)
		if page, there := r.categoryPageAt(slug); there {
			return e.document(Output{File: docFile("categories/" + slug), Value: page, Standing: standing(page.Slug != slug)}, emit)
		}
		return emit(Output{File: docFile("categories/" + slug), Standing: Absent})
	case unitSitemap:
		shard := u.of.(catalog.ShardRef)
		return emit(Output{File: sitemapFile(shard), Body: r.urlset(r.sitemapEntries(shard))})
	case unitSnapshot:
		shard := u.of.(*Snapshot)
		return emit(Output{File: shard.File(), Snapshot: shard})
	case unitHome:
		home := r.home()
		if err := emit(Output{Value: home}); err != nil {
			return err
		}
		for _, file := range []string{AICatalogFile, ARDFile} {
			if err := emit(Output{File: file, Body: r.aiCatalog(home.Roots)}); err != nil {
				return err
			}
		}
		return emit(Output{Value: r.feed()})
	case unitReference:
		return emit(Output{Value: r.apiReference()})
	case unitAbsent:
		return emit(Output{File: u.of.(string), Standing: Absent})
	case unitSitemapIndex:
		if r.pages {
			if err := emit(Output{File: listSitemap, Body: r.urlset(listEntries())}); err != nil {
				return err
			}
		}
		return emit(Output{File: SitemapFile, Body: r.sitemapIndex()})
	}
	return fmt.Errorf("render: there is no unit of kind %d", u.kind)
}

func (r *Renderer) renderFixed(emit func(Output) error) error {
	all := []Output{
		{File: HealthFile, Body: r.health()},
		{File: OpenAPIFile, Body: r.OpenAPI()},
		{File: LLMsFile, Body: r.llms()},
		{File: RobotsFile, Body: r.robots()},
		{File: APICatalogFile, Body: r.apiCatalog()},
		{File: ServerCardFile, Body: r.serverCard()},
		{File: VerifyClaimFile, Body: r.verifyPage(templates.VerifyClaim)},
		{File: VerifyRemovalFile, Body: r.verifyPage(templates.VerifyRemoval)},
	}
	for _, slug := range PartSlugs() {
		all = append(all, Output{File: PartFile(slug), Body: r.OpenAPIPart(slug)})
	}
	for _, o := range all {
		if r.owner(o.File) != nil {
			continue
		}
		if err := emit(o); err != nil {
			return err
		}
	}
	return nil
}

// verifyPage returns the page that a mail's link opens. It is not a document and is in no
// sitemap.
func (r *Renderer) verifyPage(kind templates.VerifyKind) []byte {
	m := r.catalog.Market()
	return templates.VerifyPage(kind, templates.Site{Name: m.Name, SiteURL: r.site, APIURL: r.api, Language: m.Language, Texts: r.texts, Style: m.Theme.Look()})
}

// renderRef renders the address of a Reference. A former address has the same bytes as the
// item's present document.
func (r *Renderer) renderRef(ref catalog.Ref, e *Encoder, emit func(Output) error) error {
	if ref.Kind.Own() {
		return r.renderOwn(ref, emit)
	}
	n, file := r.catalog.At(ref), docFile(ref.Path())
	switch {
	case n == nil:
		return emit(Output{File: file, Standing: Absent})
	case n.Current() && (n.Ref() == ref || !r.catalog.Reserved(ref)):
		return e.document(Output{File: file, Value: r.Shown(n), Standing: standing(n.Ref() != ref)}, emit)
	case n.Ref() == ref:
		return r.renderHidden(n, emit)
	default:
		return emit(r.hidden(n, file))
	}
}

// hidden reports that an address of a node that is not current is absent or gone.
func (r *Renderer) hidden(n *catalog.Node, file string) Output {
	if r.catalog.Gone(n, FileAddress(file)) {
		return Output{File: file, Standing: Gone}
	}
	return Output{File: file, Standing: Absent}
}

// Document returns the document of a current node.
func (r *Renderer) Document(n *catalog.Node) any { return public(r.Shown(n)) }

// public returns the value's document.
func public(value any) any {
	if m, is := value.(MarketMap); is && m.Large() {
		return m.brief()
	}
	return value
}

// Shown returns the source of a current node's pages: its document, and for a large Market Map
// also the parts of its entries that pictures show.
func (r *Renderer) Shown(n *catalog.Node) any {
	switch n.Ref().Kind {
	case catalog.KindSeller:
		return r.seller(n)
	case catalog.KindProduct:
		return r.product(n)
	case catalog.KindService:
		return r.service(n)
	case catalog.KindCategory:
		return r.category(n)
	case catalog.KindArticle:
		return r.article(n)
	default:
		return r.marketMap(n)
	}
}

// renderHidden reports that the addresses of a node that is not current are absent, or gone if
// only its own Seller's removal hides it.
func (r *Renderer) renderHidden(n *catalog.Node, emit func(Output) error) error {
	if err := emit(r.hidden(n, docFile(n.Ref().Path()))); err != nil || !n.Live() || !n.Removed() {
		return err
	}
	for which := range 2 {
		list := catalog.ListRef{Node: n, Which: which}
		for _, page := range n.LiveList(which).Pages()[1:] {
			if err := emit(r.hidden(n, docFile(pagePath(list, page.ID())))); err != nil {
				return err
			}
		}
	}
	return nil
}
