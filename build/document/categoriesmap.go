package document

import "souk/build/catalog"

// CategoriesMap returns all current Categories as one Market Map, products before services, in
// the order of the tree. It includes each Category that has companies or listings which no
// Category below it has. It is not a document of the API.
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
				for which := range 2 {
					for _, one := range child.List(which) {
						below[one] = true
					}
				}
			}
			for _, listing := range n.List(catalog.Listings) {
				if !below[listing] {
					segment.Entries = append(segment.Entries, r.mapEntry(listing, ""))
					below[listing.Seller()] = true // shown by its listing
				}
			}
			for _, company := range n.List(catalog.Companies) {
				if !below[company] {
					segment.Entries = append(segment.Entries, r.mapEntry(company, ""))
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
