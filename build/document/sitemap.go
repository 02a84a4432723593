package document

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"

	"souk/build/catalog"
)

// Sitemaps follow sitemaps.org, protocol 0.9. Each kind of page has files of
// its own, and a kind with many pages is spread over files by a hash of the
// address, so that one change touches one small file. The limits are 50,000
// addresses and 50 MB; a file here holds about a hundredth of the first.

var sitemapKinds = []catalog.Kind{
	catalog.KindSeller, catalog.KindProduct, catalog.KindService,
	catalog.KindCategory, catalog.KindArticle, catalog.KindMarketMap,
}

var sitemapNames = map[catalog.Kind]string{
	catalog.KindSeller: "companies", catalog.KindProduct: "products", catalog.KindService: "services",
	catalog.KindCategory: "categories", catalog.KindArticle: "articles", catalog.KindMarketMap: "market-maps",
}

// sitemapTarget is the number of addresses above which a kind is spread wider: a
// removal writes the file of each of its addresses, and somebody waits for that.
const sitemapTarget = 500

const (
	sitemapHead  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	sitemapSpace = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
)

func sitemapFile(kind catalog.Kind, shard int) string {
	return fmt.Sprintf("%s%s-%d.xml", SitemapFolder, sitemapNames[kind], shard+1)
}

// shards gives the number of files over which the current pages of a kind are
// spread: a power of two.
func (r *Renderer) shards(kind catalog.Kind) int {
	count := 0
	for b := range catalog.Buckets {
		count += len(r.catalog.Bucket(kind, b))
	}
	n := 1
	for count > n*sitemapTarget && n < catalog.Buckets {
		n *= 2
	}
	return n
}

// shard gives the pages of one of n files.
func (r *Renderer) shard(kind catalog.Kind, at, n int) []*catalog.Node {
	var nodes []*catalog.Node
	for b := at; b < catalog.Buckets; b += n {
		nodes = append(nodes, r.catalog.Bucket(kind, b)...)
	}
	return nodes
}

// renderSitemaps makes the files of a kind: those on which a changed bucket
// falls, or all where dirty is nil or the pages are spread anew.
func (r *Renderer) renderSitemaps(kind catalog.Kind, dirty map[int]bool, stands func(string) bool, emit func(Output) error) error {
	n := r.shards(kind)
	all := dirty == nil || n > 1 && !stands(sitemapFile(kind, n-1))
	const widest = 8
	for i := n; i < n*widest; i++ {
		if file := sitemapFile(kind, i); stands(file) {
			all = true
			if err := emit(Output{File: file, Absent: true}); err != nil {
				return err
			}
		}
	}
	touched := map[int]bool{}
	for bucket := range dirty {
		touched[bucket%n] = true
	}
	for i := range n {
		if !all && !touched[i] {
			continue
		}
		nodes := r.shard(kind, i, n)
		out := Output{File: sitemapFile(kind, i), Absent: len(nodes) == 0}
		if len(nodes) > 0 {
			out.Body = r.sitemap(nodes)
		}
		if err := emit(out); err != nil {
			return err
		}
	}
	return nil
}

func (r *Renderer) sitemap(nodes []*catalog.Node) []byte {
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
		n := r.shards(kind)
		for i := range n {
			if len(r.shard(kind, i, n)) > 0 {
				b.WriteString("<sitemap><loc>" + escapeXML(r.site) + "/" + sitemapFile(kind, i) + "</loc></sitemap>\n")
			}
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
