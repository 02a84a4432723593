package document

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/internal/markdown"
)

func (r *Renderer) pageURL(path string) string     { return r.site + "/" + path }
func (r *Renderer) documentURL(path string) string { return r.Addresses().documentURL(path) }

// Link returns the Link to a node, which must have an item.
func (r *Renderer) Link(n *catalog.Node) Link { return r.Addresses().Link(n.Ref(), n.Name()) }

func (r *Renderer) counted(n *catalog.Node) CountedLink {
	return CountedLink{Link: r.Link(n), ListingCount: len(n.List(catalog.Listings)), CompanyCount: len(n.List(catalog.Companies))}
}

// links returns Links to the mentioned items that are current, each once.
func (r *Renderer) links(mentions []catalog.Mention) []Link {
	all := make([]Link, 0, len(mentions))
	for i, m := range mentions {
		again := slices.ContainsFunc(mentions[:i], func(before catalog.Mention) bool { return before.Ref == m.Ref })
		if n := r.catalog.Node(m.Ref); n != nil && n.Current() && !again {
			all = append(all, r.Link(n))
		}
	}
	return all
}

// maxRelated is the maximum number of related Links.
const maxRelated = 100

// related returns the items that n, with its head, names, in its order, then those that name n,
// by kind and address. An Article also names the items that its text links to.
func (r *Renderer) related(n *catalog.Node, head *catalog.Head) []Link {
	seen := append(make([]*catalog.Node, 0, 8), n)
	all := []Link{}
	add := func(m *catalog.Node, rel catalog.Rel) {
		if len(all) < maxRelated && m != nil && m.Current() && !slices.Contains(seen, m) {
			seen = append(seen, m)
			l := r.Link(m)
			l.Rel = rel.String()
			all = append(all, l)
		}
	}
	for _, m := range head.Related {
		add(r.catalog.Node(m.Ref), m.Rel)
	}
	if n.Ref().Kind == catalog.KindArticle {
		for _, t := range head.Description.Targets {
			if t.Ref.Kind != catalog.KindNone {
				add(r.catalog.Node(t.Ref), catalog.RelMentions)
			}
		}
	}
	for _, m := range n.NamedBy() {
		add(m, n.RelationFrom(m))
	}
	return all
}

// text returns Markdown in which References and pictures are canonical URLs. A link to an item
// that is not public keeps its text but loses its target.
func (r *Renderer) text(t catalog.Text) string {
	if len(t.Edits) == 0 {
		return t.Source
	}
	return markdown.Apply(t.Source, t.Edits, func(i int) (string, bool) {
		target := t.Targets[i]
		if target.File != "" {
			m := r.catalog.Picture(target.File)
			return r.mediaURL(m), m != nil
		}
		if target.Web != "" {
			return target.Web, !r.withdrawn(target.Web)
		}
		n := r.catalog.Node(target.Ref)
		if n == nil || !n.Current() {
			return "", false
		}
		return r.pageURL(target.Ref.Path()), true
	})
}

// companyPath matches the path of a Seller or its offers in any kind of address: of a
// document, a page, a picture, an embed or a form.
var companyPath = regexp.MustCompile(`/companies/([a-z0-9-]+)(?:/(?:products|services)/[a-z0-9-]+)?`)

// withdrawn reports whether a web address is in this marketplace and a removal withholds it.
func (r *Renderer) withdrawn(address string) bool {
	removals := r.catalog.Removals()
	if removals.Empty() || !catalog.MayLeadHere(address) {
		return false
	}
	a, _ := catalog.ParseWebAddress(address)
	ours := slices.ContainsFunc([]string{r.site, r.api}, func(base string) bool {
		of, ok := catalog.ParseWebAddress(base)
		return ok && a.Host == of.Host && strings.HasPrefix(a.Path, strings.TrimSuffix(of.Path, "/")+"/")
	})
	if !ours {
		return false
	}
	for _, slug := range a.Query["seller"] {
		if n := r.catalog.Node(catalog.SellerRef(slug)); removals.HoldsSlug(slug) && (n == nil || !n.Current()) {
			return true
		}
	}
	found := companyPath.FindStringSubmatch(a.Path)
	if found == nil {
		return false
	}
	at, seller := "/marketplace"+found[0], catalog.SellerRef(found[1])
	n := r.catalog.Node(seller)
	if n != nil && n.Current() {
		file, _ := AddressFile(at)
		one, ok := ParseFile(file)
		n = r.catalog.Node(one.Ref)
		return removals.HoldsAddress(at) && (!ok || n == nil || !n.Current())
	}
	return r.catalog.Withholds(seller.Slug) || removals.HoldsSlug(seller.Slug) || removals.HoldsAddress(at)
}

// labelled returns the links that no removal withholds.
func (r *Renderer) labelled(list []catalog.Labelled) []LabelledURL {
	all := make([]LabelledURL, 0, len(list))
	for _, l := range list {
		if !r.withdrawn(l.Value) {
			all = append(all, LabelledURL{Label: l.Label, URL: l.Value})
		}
	}
	return all
}

// web returns the web address in a field, or "" if a removal withholds it.
func (r *Renderer) web(address string) string {
	if r.withdrawn(address) {
		return ""
	}
	return address
}

func (r *Renderer) mediaURL(m *catalog.Media) string {
	if m == nil {
		return ""
	}
	return r.site + "/" + MediaFolder + m.Name
}

// media returns a picture, or nil if its file is missing or withheld.
func (r *Renderer) media(file, url, alt string) *Media {
	if file == "" {
		return &Media{URL: url, Alt: alt}
	}
	m := r.catalog.Picture(file)
	if m == nil {
		return nil
	}
	return &Media{
		URL: r.mediaURL(m), Alt: alt, Type: m.Type, Width: m.Width, Height: m.Height, Bytes: m.Bytes, Renditions: r.renditions(m),
	}
}

// renditions returns the renditions of a picture, or nil.
func (r *Renderer) renditions(m *catalog.Media) (all []Rendition) {
	for _, one := range m.Renditions {
		all = append(all, Rendition{URL: r.site + "/" + MediaFolder + one.Name, Width: one.Width, Height: one.Height, Bytes: one.Bytes})
	}
	return all
}

func (r *Renderer) mediaList(pictures []catalog.Picture) []Media {
	all := make([]Media, 0, len(pictures))
	for _, p := range pictures {
		if m := r.media(p.File, p.URL, p.Alt); m != nil {
			all = append(all, *m)
		}
	}
	return all
}

func price(p *catalog.Price) *Price {
	if p == nil {
		return nil
	}
	return &Price{Amount: p.Amount, Currency: p.Currency, Unit: p.Unit, From: p.From, List: p.List}
}

func attributes(list []catalog.Attribute) []Attribute {
	all := make([]Attribute, 0, len(list))
	for i, a := range list {
		if a.Listed {
			if !catalog.Continues(list, i) {
				all = append(all, Attribute{Name: a.Name})
			}
			last := &all[len(all)-1]
			last.Values = append(last.Values, a.Value)
			continue
		}
		var value any = a.Value
		switch a.Kind {
		case catalog.NumberValue:
			value = json.Number(a.Value)
		case catalog.BooleanValue:
			value = a.Value == "true"
		}
		all = append(all, Attribute{Name: a.Name, Value: value, Unit: a.Unit})
	}
	return all
}

// maxProof is the maximum number of proofs on a profile, maxNotes on a card.
const (
	maxProof = 24
	maxNotes = 3
)

// proof returns the proof in a document.
func (r *Renderer) proof(list []catalog.Proof) []Proof {
	all := make([]Proof, 0, len(list))
	for _, p := range list {
		all = append(all, Proof{Kind: p.Kind, Title: p.Title, Issuer: p.Issuer, URL: r.web(p.URL), Date: date(p.Date)})
	}
	return all
}

// notes returns the proof on a card.
func notes(list []catalog.Proof) (all []ProofNote) {
	for _, p := range list[:min(maxNotes, len(list))] {
		all = append(all, ProofNote{Kind: p.Kind, Title: p.Title, Issuer: p.Issuer})
	}
	return all
}

// Registered reports whether a domain can belong to someone.
func Registered(domain string) bool { return catalog.IsRegistered(domain) }

// listOf returns a list that is never null.
func listOf(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
