package trace

import (
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"souk/build/catalog"
)

// A Subject is everything known about the seller to trace. Duplicate and empty texts do no
// harm.
type Subject struct {
	// Slugs are the seller's current and earlier companySlugs, including aliases.
	Slugs []string
	// Names are the seller's names and legal names.
	Names []string
	// Domains are the seller's official and former domains, in lower case.
	Domains []string
	// Media are the names of pictures below media/ that nobody else shows.
	Media []string
	// Addresses are paths below the site or the API's marketplace, such as
	// companies/acme/products/arm-7. Addresses that follow from Slugs need not be listed.
	Addresses []string
	// Offers are the names of the seller's products and services. Search and suggestions
	// are queried for them.
	Offers []string
}

// Add merges what another source knows, such as the publication history.
func (s *Subject) Add(other Subject) {
	join := func(to *[]string, more []string) {
		*to = append(*to, more...)
		slices.Sort(*to)
		*to = slices.DeleteFunc(slices.Compact(*to), func(text string) bool { return text == "" })
	}
	join(&s.Slugs, other.Slugs)
	join(&s.Names, other.Names)
	join(&s.Domains, other.Domains)
	join(&s.Media, other.Media)
	join(&s.Addresses, other.Addresses)
	join(&s.Offers, other.Offers)
}

// Of returns what a catalog knows about a seller: the one that has or had this slug, and
// every other seller that is the same company by its canonical id or a domain. For a
// removed seller it leaves out sellers that no removal withholds, for example one that was
// a separate company with its domain among the former ones. A former domain that is now
// such a seller's official domain is left out too.
func Of(c *catalog.Catalog, slug string) (Subject, bool) {
	n := c.At(catalog.SellerRef(slug))
	if n == nil {
		return Subject{}, false
	}
	asked := n.Item().(*catalog.Seller)
	var subject Subject
	own := map[*catalog.Node]bool{}
	var taken []string
	c.EachSeller(func(other *catalog.Node) {
		s := other.Item().(*catalog.Seller)
		switch same := s.ID == asked.ID || shareDomain(s, asked); {
		case same && (other.Withheld() || !n.Withheld()):
			subject.Add(ofSeller(other, s, own))
		case same:
			taken = append(taken, s.OfficialDomain)
		}
	})
	subject.Domains = slices.DeleteFunc(subject.Domains, func(domain string) bool {
		return domain != asked.OfficialDomain && slices.Contains(taken, domain)
	})
	subject.Add(Subject{Media: soleMedia(c, own)})
	return subject, true
}

func shareDomain(a, b *catalog.Seller) bool {
	of := domains(b)
	return slices.ContainsFunc(domains(a), func(d string) bool { return slices.Contains(of, d) })
}

func domains(s *catalog.Seller) []string {
	if s.OfficialDomain == "" {
		return s.FormerDomains
	}
	return append([]string{s.OfficialDomain}, s.FormerDomains...)
}

func ofSeller(n *catalog.Node, s *catalog.Seller, own map[*catalog.Node]bool) Subject {
	own[n] = true
	subject := Subject{
		Slugs: []string{s.Ref.Slug}, Names: []string{s.Name, s.LegalName}, Domains: domains(s), Addresses: []string{s.Ref.Path()},
	}
	for _, former := range s.Aliases {
		subject.Slugs = append(subject.Slugs, former.Ref.Slug)
	}
	for _, o := range n.Offers() {
		subject.Addresses = append(subject.Addresses, o.Ref().Path())
		for _, former := range o.Aliases() {
			subject.Addresses = append(subject.Addresses, former.Path())
		}
		if head := o.Head(); head != nil {
			own[o] = true
			subject.Offers = append(subject.Offers, head.Name)
		}
	}
	return subject
}

// soleMedia returns the pictures that the nodes show and no other public node does.
func soleMedia(c *catalog.Catalog, own map[*catalog.Node]bool) []string {
	sole := map[string]bool{}
	for n := range own {
		n.EachPicture(func(file string) {
			if m := c.Media(file); m != nil && (!c.Market().Shows(file) || c.Picture(file) == nil) {
				for _, name := range m.Names() {
					sole[name] = true
				}
			}
		})
	}
	c.Each(func(n *catalog.Node) {
		if own[n] || !n.Current() {
			return
		}
		n.EachPicture(func(file string) {
			if m := c.Picture(file); m != nil {
				for _, name := range m.Names() {
					delete(sole, name)
				}
			}
		})
	})
	var names []string
	for name := range sole {
		names = append(names, name)
	}
	return names
}

// spellings returns both forms of a domain: in ASCII, and as people read it.
func spellings(domain string) []string {
	domain = strings.ToLower(strings.TrimSuffix(domain, "."))
	list := []string{domain}
	if read, err := idna.Display.ToUnicode(domain); err == nil && read != domain {
		list = append(list, read)
	}
	return list
}
