package catalog

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"souk/build/kit/fold"
	"souk/build/kit/problem"
	"souk/build/kit/processors"
)

// Problems returns the mistakes that involve more than one file. Mistakes within a file are
// found when it is read. A withheld item causes no mistakes in other files.
func (c *Catalog) Problems() problem.List {
	var list problem.List
	for n := range c.missing {
		list = append(list, c.dangling(n)...)
	}
	for file := range c.missingFiles {
		list = append(list, c.missingPicture(file)...)
	}
	for _, clashes := range c.skuClashes {
		list = append(list, clashes...)
	}
	list = append(list, c.sellerClashes...)
	list = append(list, c.claimMistakes()...)
	list = append(list, c.rivalClaims()...)
	list = append(list, c.ownClashes()...)
	list = append(list, c.marketMistakes()...)
	list = append(list, c.hierarchy()...)
	list = append(list, c.relationCircles()...)
	list.Sort()
	return list
}

func at(h *Head, pos Position, text, meant string) problem.Problem {
	return problem.Problem{File: h.File, Line: pos.Line, Column: pos.Column, Text: text, Meant: meant}
}

// dangling returns a problem for each place that names a missing item.
func (c *Catalog) dangling(n *Node) problem.List {
	var list problem.List
	meant := ""
	if len(n.usedBy) > 0 {
		meant = c.nearest(n.ref)
	}
	for _, user := range n.usedBy {
		user.item.mentions(func(m Mention, _ bool) {
			if m.Ref == n.ref {
				list = append(list, at(user.Head(), m.At, "there is no "+m.Ref.String(), meant))
			}
		})
	}
	if n.ref.Kind != KindSeller {
		return list
	}
	for _, o := range n.offers {
		if o.item != nil {
			list = append(list, problem.Problem{
				File: "sellers/" + n.ref.Slug + "/seller.yaml",
				Text: "the file is missing, but the folder holds offers of this seller",
			})
			break
		}
	}
	return list
}

// marketMistakes returns a problem for each missing item or picture that the marketplace's own
// text names or shows.
func (c *Catalog) marketMistakes() (list problem.List) {
	if c.market == nil {
		return nil
	}
	h := Head{File: c.market.File}
	for _, m := range c.market.Featured {
		if n := c.nodes[m.Ref]; n == nil || n.item == nil {
			list = append(list, at(&h, m.At, "there is no "+m.Ref.String(), c.nearest(m.Ref)))
		}
	}
	if without := c.withoutDomain(); len(without) > 0 && c.market.ContactEmail == "" {
		p := at(&h, Position{}, fmt.Sprintf("the marketplace has no contactEmail, so the sellers without an officialDomain (%d) have no way to ask for removal", len(without)),
			"set contactEmail, or give each seller an officialDomain")
		p.See = without[0].Head().File
		list = append(list, p)
	}
	for _, t := range c.market.Description.Targets {
		switch n := c.nodes[t.Ref]; {
		case t.File != "" && c.media[t.File] == nil:
			list = append(list, at(&h, t.At, fmt.Sprintf("there is no %s %q", kindOf(t.File), t.File), c.suggestPicture(t.File)))
		case t.Ref.Kind != KindNone && (n == nil || n.item == nil):
			list = append(list, at(&h, t.At, "there is no "+t.Ref.String(), c.nearest(t.Ref)))
		}
	}
	return list
}

// missingPicture returns a problem for each place that shows a missing picture.
func (c *Catalog) missingPicture(file string) problem.List {
	var list problem.List
	meant := ""
	if len(c.shownBy[file]) > 0 {
		meant = c.suggestPicture(file)
	}
	for _, n := range c.shownBy[file] {
		n.item.pictures(func(shown string, pos Position) {
			if shown == file {
				list = append(list, at(n.Head(), pos, fmt.Sprintf("there is no %s %q", kindOf(file), file), meant))
			}
		})
	}
	return list
}

// kindOf says what a file of a media folder is, judging by its name.
func kindOf(file string) string {
	if strings.EqualFold(path.Ext(file), ".pdf") {
		return "PDF"
	}
	return "picture"
}

// suggestPicture proposes a picture in the same folder.
func (c *Catalog) suggestPicture(file string) string {
	var beside []string
	for other := range c.media {
		if fold.Canonical(other) == fold.Canonical(file) {
			return fmt.Sprintf("there is %+q, whose accents are encoded differently: rename the file", path.Base(other))
		}
		if path.Dir(other) == path.Dir(file) {
			beside = append(beside, path.Base(other))
		}
	}
	slices.Sort(beside)
	return within(path.Dir(file)+"/", problem.Nearest(path.Base(file), beside))
}

// within restores the prefix that was left out of the comparison of names.
func within(prefix, meant string) string {
	return strings.Replace(meant, `"`, `"`+prefix, 1)
}

// soldDomains warns about a former domain that is now another Seller's official domain:
// removing that Seller does not remove the one that had the domain before.
func (c *Catalog) soldDomains() (list problem.List) {
	official := map[string]*Node{}
	for n := range c.sellers {
		official[n.item.(*Seller).OfficialDomain] = n
	}
	for n := range c.sellers {
		s := n.item.(*Seller)
		for _, domain := range s.FormerDomains {
			if other := official[domain]; other != nil && other != n {
				w := at(&s.Head, s.DomainAt, fmt.Sprintf("the former domain %q is now the official domain of another seller", domain), "")
				w.See, w.Warning = other.Head().File, true
				list = append(list, w)
			}
		}
	}
	return list
}

// checkReplacing reports a Seller that declares to replace a removed one but has its canonical
// id or domain.
func (c *Catalog) checkReplacing(n *Node) {
	s := n.item.(*Seller)
	if !s.ReplacesRemoved {
		return
	}
	if s.OfficialDomain == "" {
		c.sellerClashes = append(c.sellerClashes, at(&s.Head, s.DomainAt, "replaces: removed needs an officialDomain, and this seller has none",
			"add its officialDomain, or rename its folder and remove replaces"))
		return
	}
	hold, held := c.removals.Holds(s.Company())
	if !held || hold.Removal.ID == s.ID && hold.Removal.Domain == s.OfficialDomain {
		return // it is not withheld, or it is the removed seller itself
	}
	c.sellerClashes = append(c.sellerClashes, at(&s.Head, s.DomainAt,
		fmt.Sprintf("replaces: removed needs a new id and a new officialDomain, and the %s belongs to a removed seller", hold.By),
		"give another id and officialDomain, or remove replaces"))
}

// withoutDomain returns the Sellers without an official domain that no removal withholds, by
// address. It leaves out Sellers whose file could not be read.
func (c *Catalog) withoutDomain() (all []*Node) {
	for n := range c.sellers {
		if s := n.item.(*Seller); s.OfficialDomain == "" && s.ID != "" && !n.Withheld() {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *Node) int { return compareRefs(a.ref, b.ref) })
	return all
}

// recheck looks again for clashes of the touched nodes, or for all clashes if whole is set.
func (c *Catalog) recheck(touched map[*Node]bool, whole bool) {
	sellers := map[*Node]bool{}
	for n := range touched {
		if n.seller != nil {
			sellers[n.seller] = true
		} else if n.ref.Kind == KindSeller {
			sellers[n] = true
			whole = true
		}
	}
	some := slices.Collect(maps.Keys(sellers))
	clashes := make([]problem.List, len(some))
	processors.Each(len(some), func(i int) { clashes[i] = skuClashes(some[i]) })
	for i, n := range some {
		if clashes[i] != nil {
			c.skuClashes[n] = clashes[i]
		} else {
			delete(c.skuClashes, n)
		}
	}
	if !whole {
		return
	}
	c.sellerClashes = nil
	ids, domains := map[string]*Node{}, map[string]*Node{}
	for _, n := range slices.SortedFunc(maps.Keys(c.sellers), func(a, b *Node) int { return compareRefs(a.ref, b.ref) }) {
		s := n.item.(*Seller)
		c.checkReplacing(n)
		if n.Withheld() {
			continue
		}
		c.clash(ids, foldedID(s.ID), s.ID, n, s.IDAt, "the id")
		c.clash(domains, s.OfficialDomain, s.OfficialDomain, n, s.DomainAt, "the official domain")
		if s.Founded > c.now.Year() {
			c.sellerClashes = append(c.sellerClashes, at(&s.Head, s.FoundedAt, fmt.Sprintf("the founding year %d is in the future", s.Founded), ""))
		}
	}
}

// foldedID removes from an id what people overlook: case, spaces, joiners and the encoding of
// accents.
func foldedID(id string) string {
	return strings.ToLower(strings.Join(strings.Fields(fold.Canonical(id)), ""))
}

func (c *Catalog) clash(first map[string]*Node, key, value string, n *Node, pos Position, what string) {
	if value == "" {
		return
	}
	other := first[key]
	if other == nil {
		first[key] = n
		return
	}
	if s := other.item.(*Seller); s.ID != value && s.OfficialDomain != value {
		what = "apart from case or spaces, " + what
	}
	p := at(n.Head(), pos, fmt.Sprintf("%s %q also belongs to another seller", what, value), "")
	p.See = other.Head().File
	c.sellerClashes = append(c.sellerClashes, p)
}

// skuClashes finds SKUs that a seller uses for several products, and warns once about each SKU
// that a product uses several times. Case and punctuation matter here, although search ignores
// them.
func skuClashes(seller *Node) problem.List {
	var list problem.List
	type place struct {
		head *Head
		at   Position
	}
	type use struct {
		head *Head
		sku  string
	}
	first, told := map[string]place{}, map[use]bool{}
	note := func(h *Head, written string, pos Position) {
		sku := fold.Canonical(written)
		other, used := first[sku]
		switch one := (use{h, sku}); {
		case sku == "" || told[one]:
		case !used:
			first[sku] = place{h, pos}
		default:
			told[one] = true
			p := at(h, pos, fmt.Sprintf("the seller uses the SKU %q twice", written), "")
			if p.Warning = other.head == h; p.Warning {
				p.Text = fmt.Sprintf("the product has the SKU %q more than once", written)
			}
			p.See = fmt.Sprintf("%s:%d:%d", other.head.File, other.at.Line, other.at.Column)
			list = append(list, p)
		}
	}
	offers := slices.Clone(seller.offers)
	slices.SortFunc(offers, func(a, b *Node) int { return compareRefs(a.ref, b.ref) })
	for _, n := range offers {
		if o := n.offer(); o != nil {
			note(&o.Head, o.SKU, o.SKUAt)
			for _, v := range o.Variants {
				note(&o.Head, v.SKU, v.SKUAt)
			}
		}
	}
	return list
}

// Warnings returns suspicious things that are not mistakes: References to items that are not
// current, empty categories, attributes that differ from those of their category or that no
// filter can read, and sellers that came back after their removal.
func (c *Catalog) Warnings() problem.List {
	usual, unread := c.noted()
	list := slices.Concat(c.withheld(true), c.soldDomains(), c.slugClaims(), c.differing(usual), c.unread(unread))
	leftOut := func(h *Head, m Mention) {
		if target := c.nodes[m.Ref]; target != nil && target.hidden() {
			w := at(h, m.At, m.Ref.String()+" is not current, so it is left out of the output", "")
			w.Warning, w.Private = true, target.Withheld()
			list = append(list, w)
		}
	}
	if c.market != nil {
		h := &Head{File: c.market.File}
		for _, m := range c.market.Featured {
			leftOut(h, m)
		}
		c.market.Description.mentions(false, func(m Mention, _ bool) { leftOut(h, m) })
	}
	if without := c.withoutDomain(); len(without) > 0 {
		do := "claim or remove"
		if c.market != nil && c.market.NoClaims {
			do = "remove"
		}
		list = append(list, problem.Problem{
			File: without[0].Head().File, Warning: true,
			Text:  fmt.Sprintf("%d of %d sellers have no officialDomain: nobody can %s them by mail", len(without), len(c.sellers), do),
			Meant: "add officialDomain if the company has its own domain",
		})
	}
	naming := map[*Node]bool{} // nodes that name one of the few hidden items
	for _, n := range c.nodes {
		if n.hidden() {
			for _, user := range n.usedBy {
				naming[user] = true
			}
		}
	}
	for n := range naming {
		if n.Current() {
			item := n.Item()
			item.mentions(func(m Mention, _ bool) { leftOut(item.Common(), m) })
		}
	}
	unsure := c.unsureRoots()
	for _, n := range c.categories {
		if !n.Current() || unsure[n.ref.Root] {
			continue
		}
		list = append(list, c.strayPins(n)...)
		if len(n.lists[Listings])+len(n.lists[Companies]) == 0 {
			w := at(n.Head(), Position{}, "the category has no current listing and no company", "")
			w.Warning = true
			list = append(list, w)
		}
	}
	list.Sort()
	return list
}

// unsureRoots returns the roots whose Categories may have unknown members, because a Category
// or an offer has a mistake in its own file.
func (c *Catalog) unsureRoots() map[Kind]bool {
	unsure := map[Kind]bool{}
	for _, n := range c.categories {
		unsure[n.ref.Root] = unsure[n.ref.Root] || n.name == ""
	}
	for n := range c.sellers {
		for _, o := range n.offers {
			unsure[o.ref.Kind] = unsure[o.ref.Kind] || o.item != nil && len(o.Card().Categories) == 0
		}
	}
	return unsure
}

// Withheld warns about Sellers that are withheld although the removed Seller with their
// canonical id had another address, and about Sellers whose domain is close to a removed one.
func (c *Catalog) Withheld() problem.List { return c.withheld(false) }

// withheld warns about withheld Sellers. all includes those that are exactly the removed
// Seller.
func (c *Catalog) withheld(all bool) problem.List {
	var list problem.List
	if c.removals.Empty() {
		return nil
	}
	c.EachSeller(func(n *Node) {
		s := n.item.(*Seller)
		hold, held := c.removals.Holds(s.Company())
		back := hold.By != ByID || hold.Removal.Slug != "" && hold.Removal.Slug != s.Ref.Slug
		if held && (all || back) {
			w := at(&s.Head, s.DomainAt, withheldText(s, hold), "to undo a removal, use souk restore")
			if hold.By == BySlug {
				w = at(&s.Head, Position{}, withheldText(s, hold), "if this is another company, add replaces: removed, with its own id and officialDomain")
			}
			w.Warning, w.Private = true, true
			list = append(list, w)
		} else if !held {
			list = append(list, c.near(s)...)
		}
	})
	list.Sort()
	return list
}

func withheldText(s *Seller, hold Hold) string {
	const stays = "this seller stays hidden, whatever its companySlug"
	switch hold.By {
	case ByID:
		return fmt.Sprintf("the seller with the id %q was removed: %s", s.ID, stays)
	case ByDomain:
		return fmt.Sprintf("the seller of %q was removed: %s", s.OfficialDomain, stays)
	case ByFormerDomain:
		return fmt.Sprintf("the seller of %q, which is one of the formerDomains, was removed: %s", hold.Removal.Domain, stays)
	case ByAlias:
		return "one of the aliases names a removed seller: " + stays
	case ByWebsite:
		return fmt.Sprintf("the website or mailbox is at %q, the domain of a removed seller: %s, unless it has its own officialDomain", hold.Removal.Domain, stays)
	default:
		return fmt.Sprintf("the seller that had the companySlug %q was removed: a seller that uses it now stays hidden", s.Ref.Slug)
	}
}

// near warns about a Seller whose domain is above or below that of a removed one: removing a
// department does not remove its university.
func (c *Catalog) near(s *Seller) (list problem.List) {
	for _, r := range c.removals.List() {
		if !r.Restored() && r.Domain != "" && related(s.OfficialDomain, r.Domain) {
			w := at(&s.Head, s.DomainAt, fmt.Sprintf("the seller of %q was removed, and this seller's domain is above or below it: this seller is still public", r.Domain), "if it is the same company, remove it with souk remove")
			w.Warning, w.Private = true, true
			list = append(list, w)
		}
	}
	return list
}

// Unmatched returns the removals of a handwritten list that match no Seller in the content and
// no seller that known reports.
func (c *Catalog) Unmatched(known func(Removal) bool) (list []Removal) {
	if c.removals.Empty() {
		return nil
	}
	ids, domains := map[string]bool{}, map[string]bool{}
	for n := range c.sellers {
		s := n.item.(*Seller)
		ids[s.ID], domains[s.OfficialDomain] = true, true
		for _, former := range s.FormerDomains {
			domains[former] = true
		}
	}
	for _, r := range c.removals.List() {
		if !r.Restored() && r.Slug == "" && !ids[r.ID] && (r.Domain == "" || !domains[r.Domain]) && !known(r) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(x, y Removal) int { return strings.Compare(x.ID+x.Domain, y.ID+y.Domain) })
	return list
}
