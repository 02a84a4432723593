package document

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"iter"
	"slices"

	"souk/build/catalog"
)

// Sitemaps follow sitemaps.org, protocol 0.9. Each kind of page has its own files, one for
// each Shard of the kind, so that a change touches, splits or merges one small file. The
// limits are 50,000 addresses and 50 MB per file; a file here has at most a hundredth of the
// first. With pages, the marketplace, its lists and roots have a file of their own, and the
// further pages of all lists have shards.

var sitemapKinds = []catalog.Kind{
	catalog.KindSeller, catalog.KindProduct, catalog.KindService,
	catalog.KindCategory, catalog.KindArticle, catalog.KindMarketMap, catalog.KindPage,
}

var sitemapNames = map[catalog.Kind]string{
	catalog.KindSeller: "companies", catalog.KindProduct: "products", catalog.KindService: "services",
	catalog.KindCategory: "categories", catalog.KindArticle: "articles", catalog.KindMarketMap: "market-maps",
	catalog.KindPage: "own",
}

const (
	sitemapHead  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	sitemapSpace = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
)

// listSitemap contains the pages of the marketplace and its lists, which are not sharded.
const listSitemap = SitemapFolder + "lists.xml"

// A sitemapEntry is a page that answers 200: its path below the site, and the date of its last
// change, if the content gives one.
type sitemapEntry struct{ path, lastmod string }

// listEntries returns the pages that every release has.
func listEntries() []sitemapEntry {
	all := []sitemapEntry{{}}
	for _, kind := range listedKinds {
		all = append(all, sitemapEntry{path: listPath(catalog.ListRef{Kind: kind})})
	}
	for _, root := range catalog.Roots {
		all = append(all, sitemapEntry{path: "categories/" + root.String()})
	}
	return all
}

// sitemapFile returns the file of a Shard, as in sitemaps/products-0101.xml, or
// sitemaps/products.xml for a kind that is not split.
func sitemapFile(ref catalog.ShardRef) string {
	name := SitemapFolder + sitemapNames[ref.Kind]
	if ref.Further {
		name = SitemapFolder + "pages"
	}
	if ref.Shard.Length > 0 {
		name += "-" + ref.Shard.String()
	}
	return name + ".xml"
}

// sitemaps returns the shards that have a file, in the order of the index.
func (r *Renderer) sitemaps() iter.Seq[catalog.ShardRef] {
	return func(yield func(catalog.ShardRef) bool) {
		for _, kind := range sitemapKinds {
			if kind == catalog.KindPage && !r.pages {
				continue
			}
			for shard := range r.catalog.Shards(kind).All() {
				if !yield(catalog.ShardRef{Kind: kind, Shard: shard}) {
					return
				}
			}
		}
		if !r.pages {
			return
		}
		for shard := range r.catalog.FurtherPages().All() {
			if !yield(catalog.ShardRef{Further: true, Shard: shard}) {
				return
			}
		}
	}
}

// sitemapEntries returns the entries of a Shard, by path.
func (r *Renderer) sitemapEntries(ref catalog.ShardRef) (all []sitemapEntry) {
	if ref.Further {
		for _, p := range r.catalog.FurtherPages().Members(ref.Shard) {
			all = append(all, sitemapEntry{path: pagePath(p.List, p.ID)})
		}
	} else {
		for _, n := range r.catalog.Shards(ref.Kind).Members(ref.Shard) {
			h := n.Brief()
			all = append(all, sitemapEntry{n.Ref().Path(), cmp.Or(h.UpdatedAt.String(), h.PublishedAt.String())})
		}
	}
	slices.SortFunc(all, func(a, b sitemapEntry) int { return cmp.Compare(a.path, b.path) })
	return all
}

func (r *Renderer) urlset(entries []sitemapEntry) []byte {
	var b bytes.Buffer
	b.Grow(len(entries) * 128)
	b.WriteString(sitemapHead + "<urlset " + sitemapSpace + ">\n")
	site := escapeXML(r.site)
	for _, one := range entries {
		b.WriteString("<url><loc>" + site + "/" + one.path + "</loc>")
		if one.lastmod != "" {
			b.WriteString("<lastmod>" + one.lastmod + "</lastmod>")
		}
		b.WriteString("</url>\n")
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

func (r *Renderer) sitemapIndex() []byte {
	var b bytes.Buffer
	b.WriteString(sitemapHead + "<sitemapindex " + sitemapSpace + ">\n")
	add := func(file string) {
		b.WriteString("<sitemap><loc>" + escapeXML(r.site) + "/" + file + "</loc></sitemap>\n")
	}
	if r.pages {
		add(listSitemap)
	}
	for ref := range r.sitemaps() {
		add(sitemapFile(ref))
	}
	b.WriteString("</sitemapindex>\n")
	return b.Bytes()
}

func escapeXML(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // writing to a Buffer cannot fail
	return b.String()
}
