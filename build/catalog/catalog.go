package catalog

import (
	"maps"
	"slices"
	"time"

	"souk/build/kit/problem"
	"souk/build/kit/processors"
)

// Catalog is the whole marketplace.
type Catalog struct {
	market *Marketplace
	// synonyms are used by search only and appear in no document.
	synonyms []Synonyms
	nodeSets
	pictureUse
	aliasClaims
	findings
	current
	removals *Removals
	now      time.Time
	// drafts ignores status and dates.
	drafts bool

	linker *linker
	reader *factReader
}

// nodeSets contains all nodes, and sets of those that have an item.
type nodeSets struct {
	nodes    map[Ref]*Node
	sellers  map[*Node]bool
	own      map[*Node]bool // the operator's own pages and files
	ordered  map[*Node]bool // those with relations that must not form a circle
	webLinks map[*Node]bool // those that may contain a web address of the marketplace
}

// pictureUse records which picture files exist and which items show them.
type pictureUse struct {
	media map[string]*Media
	// named contains the picture files of each public name: files with the same bytes, or with
	// a smaller rendition of them.
	named   map[string]map[string]bool
	shownBy map[string][]*Node
	// missingFiles are pictures that items show but that do not exist.
	missingFiles map[string]bool
}

// aliasClaims contains, by companySlug or "", the nodes that have a Reference among their
// aliases.
type aliasClaims struct {
	claims    map[string]map[Ref][]*Node
	badClaims map[Ref]bool // aliases that are mistakes
}

// findings are mistakes between items.
type findings struct {
	missing       map[*Node]bool
	skuClashes    map[*Node]problem.List
	sellerClashes problem.List
}

// current contains the current items, ordered for display.
type current struct {
	// shards contains the current items of each kind.
	shards [len(kindNames)]Shards[*Node]
	// further contains the pages of all lists after the first.
	further Shards[PageRef]
	// lists contains the current Sellers by name, and the current Articles and Market Maps,
	// newest first.
	lists [len(kindNames)]List
	// next is a time no later than the next one at which an item becomes or ceases to be
	// current.
	next time.Time
	// newest contains the current offers that have a publication date, newest first.
	newest List

	categories []*Node
	tops       map[Kind][]*Node
}

// New returns an empty Catalog.
func New() *Catalog {
	return &Catalog{
		nodeSets: nodeSets{
			nodes: map[Ref]*Node{}, sellers: map[*Node]bool{}, own: map[*Node]bool{}, ordered: map[*Node]bool{}, webLinks: map[*Node]bool{},
		},
		pictureUse: pictureUse{
			media: map[string]*Media{}, named: map[string]map[string]bool{}, shownBy: map[string][]*Node{}, missingFiles: map[string]bool{},
		},
		aliasClaims: aliasClaims{claims: map[string]map[Ref][]*Node{}, badClaims: map[Ref]bool{}},
		findings:    findings{missing: map[*Node]bool{}, skuClashes: map[*Node]problem.List{}},
		current:     current{tops: map[Kind][]*Node{}},
		linker:      newLinker(),
		reader:      newFactReader(),
	}
}

// NewWithDrafts returns an empty Catalog that ignores status and dates: drafts and items
// before or after their time count as current. Removals apply as usual.
func NewWithDrafts() *Catalog {
	c := New()
	c.drafts = true
	return c
}

// A Change is the difference between the content and the Catalog.
type Change struct {
	// Marketplace contains the new settings, or is nil if they did not change.
	Marketplace *Marketplace
	// Synonyms replaces the whole list; nil leaves it unchanged.
	Synonyms *[]Synonyms
	Put      []Item
	Delete   []Ref
	// Media contains pictures by file; nil for a picture that is gone or unusable.
	Media map[string]*Media
	Now   time.Time
	// Removals replaces the whole set; nil leaves it unchanged.
	Removals *Removals
}

// Market returns the settings, or nil if there are none yet.
func (c *Catalog) Market() *Marketplace { return c.market }

// Synonyms returns the operator's synonyms, in the author's order.
func (c *Catalog) Synonyms() []Synonyms { return c.synonyms }

// Now returns the time that decides what is current.
func (c *Catalog) Now() time.Time { return c.now }

// Removals returns the set of removed sellers.
func (c *Catalog) Removals() *Removals { return c.removals }

// Node returns the node of a Reference, or nil.
func (c *Catalog) Node(ref Ref) *Node { return c.nodes[ref] }

// Media returns the description of a picture file, or nil.
func (c *Catalog) Media(file string) *Media { return c.media[file] }

// Tops returns the current Categories at the top of a root's tree.
func (c *Catalog) Tops(root Kind) []*Node { return c.tops[root] }

// Articles returns the current Articles, newest first.
func (c *Catalog) Articles() []*Node { return c.lists[KindArticle] }

// MarketMaps returns the current Market Maps, newest first.
func (c *Catalog) MarketMaps() []*Node { return c.lists[KindMarketMap] }

// Nodes returns every node that has an item, by kind and address.
func (c *Catalog) Nodes() []*Node {
	all := make([]*Node, 0, len(c.nodes))
	for _, n := range c.nodes {
		if n.item != nil {
			all = append(all, n)
		}
	}
	processors.Sort(all, func(a, b *Node) int { return compareRefs(a.ref, b.ref) })
	return all
}

// NextTransition returns a time after now before which no item becomes or ceases to be current
// by itself, or the zero time if none ever will.
func (c *Catalog) NextTransition() time.Time { return c.next }

// Count returns the number of current items of a kind.
func (c *Catalog) Count(kind Kind) int { return c.shards[kind].size }

// Shards returns the current items of a kind.
func (c *Catalog) Shards(kind Kind) *Shards[*Node] { return &c.shards[kind] }

func (c *Catalog) node(ref Ref) *Node {
	n := c.nodes[ref]
	if n == nil {
		n = newNode(ref)
		c.nodes[ref] = n
		c.missing[n] = true
		c.sell(n)
	}
	return n
}

// enter makes the first nodes findable by their References and connects offers to their
// Sellers.
func (c *Catalog) enter(nodes []*Node) {
	c.nodes = make(map[Ref]*Node, len(nodes))
	for _, n := range nodes {
		c.nodes[n.ref] = n
	}
	for _, n := range nodes {
		c.sell(n)
	}
}

// sell adds an offer to its Seller.
func (c *Catalog) sell(n *Node) {
	if n.ref.Company != "" {
		n.seller = c.node(SellerRef(n.ref.Company))
		n.seller.offers = append(n.seller.offers, n)
	}
}

// Apply applies a change and returns the parts of the output that it touches. Problems then
// returns the mistakes; the catalog stays usable either way.
func (c *Catalog) Apply(ch Change) *Delta {
	d := NewDelta()
	touched, was := map[*Node]bool{}, map[*Node]snapshot{}
	whole, menu, sections := len(c.nodes) == 0, c.Menu(), c.Sections()
	if ch.Marketplace != nil {
		c.market, whole = ch.Marketplace, true
	}
	d.All = whole
	if ch.Synonyms != nil {
		c.synonyms = *ch.Synonyms
	}
	for file, m := range ch.Media {
		c.setMedia(file, m, touched, d)
	}
	for _, ref := range ch.Delete {
		if n := c.nodes[ref]; n != nil && n.item != nil {
			touched[n], was[n] = true, c.snapshot(n)
			c.replace(n, nil, d)
		}
	}
	put := ch.Put
	if len(c.nodes) == 0 {
		put = c.enterAll(put)
		for _, n := range c.nodes {
			touched[n] = true
		}
	}
	for _, item := range put {
		n := c.node(RefOf(item))
		touched[n], was[n] = true, c.snapshot(n)
		c.replace(n, item, d)
	}
	moved := ch.Now.Before(c.now) || !c.next.IsZero() && !ch.Now.Before(c.next)
	c.now = ch.Now
	if ch.Removals != nil {
		added, _, _ := ch.Removals.Since(c.removals)
		for _, one := range added {
			for _, slug := range one.slugs() {
				c.markClaimed(slug, d)
			}
		}
		c.markWebLinks(d)
		c.removals = ch.Removals
		c.markWebLinks(d)
	}
	switch {
	case whole:
	case moved:
		c.touchMoved(touched)
	case ch.Removals != nil:
		c.touchWithheld(touched)
	}
	if !whole {
		c.touchBorrowers(touched, d)
	}
	for n := range maps.Clone(touched) {
		whole = whole || n.ref.Kind == KindCategory
		for _, o := range n.offers {
			touched[o] = true
		}
	}
	if whole || len(touched)*4 > len(c.nodes) {
		c.rebuild(processors.Count())
		d.All = true
	} else {
		c.update(touched, was, d)
		c.shardPages(d)
	}
	d.All = d.All || !slices.Equal(menu, c.Menu()) || !slices.Equal(sections, c.Sections()) // every page shows them
	if whole || ch.Removals != nil || len(ch.Put)+len(ch.Delete) > 0 {
		c.recheck(touched, whole || ch.Removals != nil)
	}
	c.forget(touched)
	return d
}

// replace sets the item of a node, or removes it if it is nil, and marks the nodes that the
// old and the new item name.
func (c *Catalog) replace(n *Node, item Item, d *Delta) {
	if d.All {
		c.link(n, item)
		return
	}
	d.markRelated(n)
	c.markClaims(n, d)
	c.markPictures(n, d)
	c.link(n, item)
	d.markRelated(n)
	c.markClaims(n, d)
}

func (c *Catalog) setMedia(file string, m *Media, touched map[*Node]bool, d *Delta) {
	if old := c.media[file]; old != nil {
		d.markNames(old)
		for _, name := range old.Names() {
			if delete(c.named[name], file); len(c.named[name]) == 0 {
				delete(c.named, name)
			}
		}
	}
	if m != nil {
		d.markNames(m)
		for _, name := range m.Names() {
			if c.named[name] == nil {
				c.named[name] = map[string]bool{}
			}
			c.named[name][file] = true
		}
	}
	if m == nil {
		delete(c.media, file)
		c.missingFiles[file] = true
	} else {
		c.media[file] = m
		delete(c.missingFiles, file)
	}
	for _, n := range c.shownBy[file] {
		touched[n] = true
	}
}

// touchWithheld adds the Sellers that removals affect; Apply adds their offers.
func (c *Catalog) touchWithheld(touched map[*Node]bool) {
	for n := range c.sellers {
		if _, withheld := c.state(n, n.Brief()); withheld != n.withheld {
			touched[n] = true
		}
	}
}

// touchMoved adds items that became or ceased to be current because time passed.
func (c *Catalog) touchMoved(touched map[*Node]bool) {
	c.next = time.Time{}
	for _, n := range c.nodes {
		if n.item != nil {
			c.expectTransition(n.Brief())
		}
		if n.item == nil || n.seller != nil {
			continue
		}
		if live, withheld := c.state(n, n.Brief()); live != n.live || withheld != n.withheld {
			touched[n] = true
		}
	}
	for _, n := range c.nodes {
		if n.item != nil && n.seller != nil && !touched[n.seller] {
			if live, withheld := c.state(n, n.Brief()); live != n.live || withheld != n.withheld {
				touched[n] = true
			}
		}
	}
}

// forget drops nodes that have no item and that no item names.
func (c *Catalog) forget(touched map[*Node]bool) {
	for n := range touched {
		if n.item != nil || len(n.usedBy) > 0 || len(n.offers) > 0 {
			continue
		}
		c.drop(n)
		if n.seller != nil {
			n.seller.offers = remove(n.seller.offers, n)
			if s := n.seller; s.item == nil && len(s.usedBy) == 0 && len(s.offers) == 0 {
				c.drop(s)
			}
		}
	}
}

func (c *Catalog) drop(n *Node) {
	delete(c.nodes, n.ref)
	delete(c.missing, n)
	delete(c.skuClashes, n)
}

// markWebLinks marks documents with web addresses that a removal in force may withhold.
// Documents of offers contain their Seller's website.
func (c *Catalog) markWebLinks(d *Delta) {
	if c.removals.Empty() {
		return
	}
	maps.Copy(d.Documents, c.webLinks)
	for n := range c.webLinks {
		for _, o := range n.offers {
			d.Documents[o] = true
		}
	}
}
