package diff

import (
	"cmp"
	"encoding/json"
	"slices"

	"souk/build/catalog"
	"souk/build/document"
)

// An Earlier is a release built from an earlier state of the content.
type Earlier struct {
	// Files are the names of its files.
	Files []string
	// Read returns the body of a document.
	Read func(file string) ([]byte, error)
	// Owner returns the canonical id and the domains of the Seller that had a companySlug;
	// nil if unknown.
	Owner func(slug string) (id string, domains []string)
}

// A Renaming is a thing that has another Reference in the content than in the earlier
// release, without an alias: its former address no longer works.
type Renaming struct {
	Former catalog.Ref
	Now    *catalog.Node
}

// Renamings finds things that vanished since a release and reappeared under another slug: a
// Seller with the same canonical id or official domain, and anything similar. If a Seller
// was renamed, its offers are not listed, since an alias of the Seller covers them too.
func Renamings(c *catalog.Catalog, r *document.Renderer, before Earlier) (list []Renaming) {
	s := search{catalog: c, renderer: r, before: before, likes: map[like][]*catalog.Node{}, moved: map[string]string{}}
	if s.come(); len(s.candidates) == 0 {
		return nil
	}
	for _, ref := range s.vanished() {
		if n := s.find(ref); n != nil {
			list = append(list, Renaming{ref, n})
		}
	}
	return list
}

// A search finds renamings. candidates are the current nodes that the earlier release does
// not have; moved maps the former companySlugs found so far to the current ones.
type search struct {
	catalog    *catalog.Catalog
	renderer   *document.Renderer
	before     Earlier
	candidates []*catalog.Node
	likes      map[like][]*catalog.Node
	moved      map[string]string
}

// A like is a fact that two documents of one kind may share.
type like struct {
	kind, root  catalog.Kind
	fact, value string
}

// come finds the candidates and their facts.
func (s *search) come() {
	had := make(map[string]bool, len(s.before.Files))
	for _, file := range s.before.Files {
		had[file] = true
	}
	s.catalog.Each(func(n *catalog.Node) {
		if !n.Current() || n.Ref().Kind.Own() || had[document.RefFile(n.Ref())] {
			return
		}
		s.candidates = append(s.candidates, n)
		body, err := json.Marshal(s.renderer.Document(n))
		if err != nil {
			return
		}
		for one := range likes(n.Ref(), body) {
			s.likes[one] = append(s.likes[one], n)
		}
	})
	slices.SortFunc(s.candidates, func(a, b *catalog.Node) int { return cmp.Compare(a.Ref().Path(), b.Ref().Path()) })
}

// vanished returns what the earlier release has and the content does not, Sellers first.
func (s *search) vanished() (refs []catalog.Ref) {
	for _, file := range s.before.Files {
		at, ok := document.ParseFile(file)
		if _, stub := document.IsGone(file); stub {
			continue
		}
		if ok && at.Ref.Kind != catalog.KindNone && at.Page == "" && s.catalog.At(at.Ref) == nil {
			refs = append(refs, at.Ref)
		}
	}
	slices.SortFunc(refs, func(a, b catalog.Ref) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Path(), b.Path()))
	})
	return refs
}

// find returns what a vanished thing is now, or nil unless exactly one thing may be it.
func (s *search) find(ref catalog.Ref) *catalog.Node {
	if ref.Kind == catalog.KindSeller {
		n := cmp.Or(s.sameCompany(ref.Slug), s.mostSimilar(ref, ""))
		if n != nil {
			s.moved[ref.Slug] = n.Ref().Slug
		}
		return n
	}
	if ref.Company == "" {
		return s.mostSimilar(ref, "")
	}
	company := cmp.Or(s.moved[ref.Company], ref.Company)
	now := ref
	now.Company = company
	if n := s.catalog.Node(now); n != nil && n.Item() != nil {
		return nil // its seller's alias leads to it
	}
	return s.mostSimilar(ref, company)
}

// sameCompany returns the candidate with the canonical id or official domain of the Seller
// that had a companySlug.
func (s *search) sameCompany(slug string) *catalog.Node {
	if s.before.Owner == nil {
		return nil
	}
	id, domains := s.before.Owner(slug)
	if id == "" {
		return nil
	}
	for _, n := range s.candidates {
		seller, ok := n.Item().(*catalog.Seller)
		if ok && (seller.ID == id || len(domains) > 0 && domains[0] != "" && (seller.OfficialDomain == domains[0] || slices.Contains(seller.FormerDomains, domains[0]))) {
			return n
		}
	}
	return nil
}

// mostSimilar returns the most similar candidate of a kind, and of a company unless that is "".
// It must share at least the name, text, website or SKU of the vanished document.
func (s *search) mostSimilar(ref catalog.Ref, company string) *catalog.Node {
	body, err := s.before.Read(document.RefFile(ref))
	if err != nil {
		return nil
	}
	points := map[*catalog.Node]int{}
	for one, weight := range likes(ref, body) {
		for _, n := range s.likes[one] {
			if n.Ref().Company == company {
				points[n] += weight
			}
		}
	}
	var best *catalog.Node
	most, tied := 0, false
	for n, got := range points {
		switch {
		case got > most:
			best, most, tied = n, got, false
		case got == most:
			tied = true
		}
	}
	if most < sufficient || tied {
		return nil
	}
	return best
}

// sufficient is the weight of a fact that is sufficient alone.
const sufficient = 2

// likes returns the facts in a document that would be the same after a renaming, with their
// weights.
func likes(ref catalog.Ref, body []byte) map[like]int {
	var d struct{ Name, Title, Summary, Description, Source, Website, SKU string }
	if json.Unmarshal(body, &d) != nil {
		return nil
	}
	all := map[like]int{}
	for _, one := range []struct {
		fact, value string
		weight      int
	}{
		{"name", d.Name + d.Title, sufficient}, {"text", d.Description + d.Source, sufficient}, {"website", d.Website, sufficient}, {"sku", d.SKU, sufficient},
		{"summary", d.Summary, 1},
	} {
		if one.value != "" {
			all[like{ref.Kind, ref.Root, one.fact, one.value}] = one.weight
		}
	}
	return all
}
