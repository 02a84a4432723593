package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"souk/build/kit/problem"
)

// OwnPage is one of the operator's own pages, such as an imprint. Its title is Head.Name and
// its text Head.Description.
type OwnPage struct {
	Head
	// Menu is its label in the footer of every page, or "" if it is not there.
	Menu string
	// Order is the operator's, or NoOrder.
	Order int
}

// OwnFile is any other file of the operator's, published as it is.
type OwnFile struct {
	Head
	// Digest is the first half of the SHA-256 of its bytes.
	Digest [16]byte
}

func (p *OwnPage) mentions(yield func(Mention, bool)) { p.Description.mentions(false, yield) }

func (p *OwnPage) pictures(yield func(string, Position)) { p.Description.pictures(yield) }

func (f *OwnFile) mentions(func(Mention, bool)) {}

func (f *OwnFile) pictures(func(string, Position)) {}

// A MenuEntry is a link in the footer of every page.
type MenuEntry struct {
	Label string
	Page  Ref
}

// Menu returns the links in the footer of every page, in the operator's order, those without
// one last, then by address.
func (c *Catalog) Menu() []MenuEntry {
	var pages []*OwnPage
	for n := range c.own {
		if p, ok := n.item.(*OwnPage); ok && p.Menu != "" && n.Current() {
			pages = append(pages, p)
		}
	}
	slices.SortFunc(pages, func(a, b *OwnPage) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.Ref.Slug, b.Ref.Slug))
	})
	var menu []MenuEntry
	for _, p := range pages {
		menu = append(menu, MenuEntry{p.Menu, p.Ref})
	}
	return menu
}

// Sections returns the links in the header of every page, in order: companies, and each other
// section that has content. A root counts its categories, which no removal takes away;
// otherwise a removal could change every page.
func (c *Catalog) Sections() (all []Kind) {
	for _, root := range Roots {
		if len(c.tops[root]) > 0 {
			all = append(all, root)
		}
	}
	all = append(all, KindSeller)
	for _, kind := range [...]Kind{KindArticle, KindMarketMap} {
		if len(c.lists[kind]) > 0 {
			all = append(all, kind)
		}
	}
	return all
}

// ownClashes returns a mistake for each of the operator's files that has the address of
// another, or is in a folder with the name of another file. Letter case is ignored, because on
// some systems two names that differ only in case are one file.
func (c *Catalog) ownClashes() (list problem.List) {
	at := func(n, other *Node, text, meant string) {
		p := at(n.Head(), Position{}, text, meant)
		p.See = other.Head().File
		list = append(list, p)
	}
	first, files := map[string]*Node{}, map[string]*Node{}
	order := slices.SortedFunc(maps.Keys(c.own), func(a, b *Node) int { return strings.Compare(a.Head().File, b.Head().File) })
	for _, n := range order {
		files[strings.ToLower(OwnPath(n.ref))] = n
	}
	for _, n := range order {
		address := strings.ToLower(strings.TrimSuffix(n.ref.Slug, ".html"))
		if other := first[address]; other != nil {
			at(n, other, fmt.Sprintf("another file has the same address, /%s", strings.TrimSuffix(n.ref.Slug, ".html")), "give one of them another name")
			continue
		}
		first[address] = n
		for folder := path.Dir(OwnPath(n.ref)); folder != "."; folder = path.Dir(folder) {
			if other := files[strings.ToLower(folder)]; other != nil {
				at(n, other, fmt.Sprintf("its folder would be /%s, which is a file", folder), "give one of them another name")
				break
			}
		}
	}
	return list
}

// OwnPath returns the path of the operator's own page or file in the public tree.
func OwnPath(ref Ref) string {
	if ref.Kind == KindPage {
		return ref.Slug + ".html"
	}
	return ref.Slug
}

// taken lists, in lower case, the first parts of addresses, and whole addresses, that the
// marketplace uses itself.
var taken = map[string]bool{
	"-": true, "api": true, "assets": true, "media": true, "verify": true, "errors": true, "search": true, "compare": true, "sitemaps": true,
	"companies": true, "categories": true, "embed": true, "articles": true, "market-maps": true, "index": true, "health": true, "mcp": true,
	"docs/api":    true,
	"sitemap.xml": true, "llms.txt": true, "favicon.svg": true, "feed.atom": true, "feed.json": true,
	".well-known/api-catalog": true, ".well-known/ai-catalog.json": true, ".well-known/ard.json": true, ".well-known/mcp": true,
}

// CheckOwn returns an error that says why the operator must not have a file in the public
// tree, or nil. file is its path; a page's path ends in .html.
func CheckOwn(file string) error {
	low := strings.ToLower(file)
	parts := strings.Split(low, "/")
	first := parts[0]
	if first == ".well-known" && len(parts) > 1 {
		first += "/" + parts[1]
	}
	switch last := parts[len(parts)-1]; {
	case low == "docs", low == ".well-known":
		return fmt.Errorf("the marketplace itself has a folder /%s", file)
	case strings.HasPrefix(low, "robots.txt/"), strings.HasPrefix(low, "docs/api.html/"):
		return fmt.Errorf("the marketplace itself has a file /%s", path.Dir(file))
	case taken[first], taken[strings.TrimSuffix(first, ".html")], taken[strings.TrimSuffix(low, ".html")]:
		return fmt.Errorf("the marketplace itself uses the address /%s", strings.TrimSuffix(file, ".html"))
	case last == "index.html", last == "index":
		return errors.New("a folder cannot have an index page: for the page /about, write about.md next to the folder about")
	case strings.Contains(low+".", ".gone."):
		return errors.New("a name must not contain .gone, which marks removed addresses")
	}
	for _, part := range strings.Split(file, "/") {
		switch low := strings.ToLower(part); {
		case strings.HasSuffix(low, ".gz"), strings.HasSuffix(low, ".br"):
			return errors.New("a name must not end in .gz or .br, which mark compressed copies")
		case strings.HasSuffix(low, ".md"):
			return errors.New("a name must not end in .md, which marks pages as Markdown")
		case len(part) > longestName:
			return fmt.Errorf("the name %s… is longer than %d characters", part[:20], longestName)
		case part != ".well-known" && !plainName(part):
			return fmt.Errorf("the name %q cannot be part of an address: use letters from a to z, digits, hyphens, underscores and dots", part)
		}
	}
	return nil
}

// longestName, in bytes, leaves room for prefixes and suffixes; file systems allow 255.
const longestName = 200

// plainName reports whether a name is the same in an address, in a shell and on every system.
func plainName(name string) bool {
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
		default:
			return false
		}
	}
	return name != "" && name[0] != '.' && !strings.HasSuffix(name, ".")
}
