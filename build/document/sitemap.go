package document

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"slices"

	"souk/build/catalog"
)

// Sitemaps follow sitemaps.org, protocol 0.9. Each kind of page has its own files,
// one for each Shard of the kind, so that a change touches, splits or merges one
// small file. The limits are 50,000 addresses and 50 MB per file; a file here has
// at most a hundredth of the first.

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

// sitemapFile returns the file of a Shard, as in sitemaps/products-0101.xml, or
// sitemaps/products.xml for a kind that is not split.
func sitemapFile(ref catalog.ShardRef) string {
	name := SitemapFolder + sitemapNames[ref.Kind]
	if ref.Shard.Length > 0 {
		name += "-" + ref.Shard.String()
	}
	return name + ".xml"
}

func (r *Renderer) sitemap(ref catalog.ShardRef) []byte {
	nodes := slices.Clone(r.catalog.Shards(ref.Kind).Members(ref.Shard))
	slices.SortFunc(nodes, func(a, b *catalog.Node) int { return cmp.Compare(a.Ref().Path(), b.Ref().Path()) })
	var b bytes.Buffer
	b.Grow(len(nodes) * 128)
	b.WriteString(sitemapHead + "<urlset " + sitemapSpace + ">\n")
	site := escapeXML(r.site)
	for _, n := range nodes {
		b.WriteString("<url><loc>" + site + "/" + n.Ref().Path() + "</loc>")
		h := n.Head()
		if lastmod := cmp.Or(h.UpdatedAt.String(), h.PublishedAt.String()); lastmod != "" {
			b.WriteString("<lastmod>" + lastmod + "</lastmod>")
		}
		b.WriteString("</url>\n")
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

func (r *Renderer) sitemapIndex() []byte {
	var b bytes.Buffer
	b.WriteString(sitemapHead + "<sitemapindex " + sitemapSpace + ">\n")
	for _, kind := range sitemapKinds {
		for shard := range r.catalog.Shards(kind).All() {
			b.WriteString("<sitemap><loc>" + escapeXML(r.site) + "/" + sitemapFile(catalog.ShardRef{Kind: kind, Shard: shard}) + "</loc></sitemap>\n")
		}
	}
	b.WriteString("</sitemapindex>\n")
	return b.Bytes()
}

func escapeXML(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a Buffer does not fail
	return b.String()
}
