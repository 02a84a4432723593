package document

import "souk/build/catalog"

// CategoriesMap returns all current Categories as one Market Map, product before
// service, in the order of the tree: each that has listings of its own, which are
// those that no Category below it has. It is no document of the API.
func (r *Renderer) CategoriesMap() MarketMap {
	m := r.catalog.Market()
	doc := MarketMap{Kind: "marketMap", Title: m.Name, Summary: m.Summary(), URL: r.pageURL(""), Segments: []Segment{}, Related: []Link{}, Actions: []Action{}}
	var add func(nodes []*catalog.Node)
	add = func(nodes []*catalog.Node) {
		for _, n := range nodes {
			link := r.Link(n)
			segment := Segment{Name: link.Name, Category: &link}
			below := map[*catalog.Node]bool{}
			for _, child := range n.Children() {
				for _, offer := range child.List(catalog.Listings) {
					below[offer] = true
				}
			}
			for _, offer := range n.List(catalog.Listings) {
				if !below[offer] {
					segment.Entries = append(segment.Entries, r.mapEntry(offer, ""))
				}
			}
			if len(segment.Entries) > 0 {
				doc.Segments = append(doc.Segments, segment)
			}
			add(n.Children())
		}
	}
	for _, root := range catalog.Roots {
		add(r.catalog.Tops(root))
	}
	return doc
}
