package catalog

import (
	"maps"
	"slices"
	"strings"
)

// markPictures marks the pictures of a node, since the items that show them may change.
func (c *Catalog) markPictures(n *Node, d *Delta) {
	n.EachPicture(func(file string) {
		if m := c.media[file]; m != nil {
			d.markNames(m)
		}
	})
}

func (d *Delta) markNames(m *Media) {
	for _, name := range m.Names() {
		d.Pictures[name] = true
	}
}

// Picture returns the description of a picture file for documents, or nil. It returns nil too
// for a picture in the folder of a withheld Seller, even if other items show it.
func (c *Catalog) Picture(file string) *Media {
	if c.withdrawn(file) {
		return nil
	}
	return c.media[file]
}

// withdrawn reports whether a picture is in the folder of a withheld Seller, even if the
// Seller's own file is deleted.
func (c *Catalog) withdrawn(file string) bool {
	slug := folderOf(file)
	return slug != "" && c.Withholds(slug)
}

// folderOf returns the companySlug of the Seller whose folder contains a file, or "".
func folderOf(file string) string {
	below, ok := strings.CutPrefix(file, "sellers/")
	slug, _, deeper := strings.Cut(below, "/")
	if !ok || !deeper {
		return ""
	}
	return slug
}

// touchBorrowers adds the items that show pictures of Sellers that a removal begins or ceases
// to withhold.
func (c *Catalog) touchBorrowers(touched map[*Node]bool, d *Delta) {
	turned := map[string]bool{}
	for n := range touched {
		if n.ref.Kind != KindSeller {
			continue
		}
		if _, withheld := c.state(n, n.Brief()); (withheld == byNone) != (n.withheld == byNone) {
			turned[n.ref.Slug] = true
		}
	}
	if len(turned) == 0 {
		return
	}
	for file, by := range c.shownBy {
		if turned[folderOf(file)] {
			for _, n := range by {
				touched[n] = true
			}
		}
	}
	for _, t := range c.market.Description.Targets {
		if m := c.media[t.File]; m != nil && turned[folderOf(t.File)] {
			d.markNames(m)
		}
	}
}

// PictureFile returns the file of the picture, or of one of its renditions, that has a public
// name. ok is false if no current item shows it. Among several files it returns the first by
// path.
func (c *Catalog) PictureFile(name string) (file string, ok bool) {
	for _, file := range slices.Sorted(maps.Keys(c.named[name])) {
		if !c.withdrawn(file) && (slices.ContainsFunc(c.shownBy[file], (*Node).Current) || c.market.Shows(file)) {
			return file, true
		}
	}
	return "", false
}

// Shows reports whether the marketplace's own text shows a picture.
func (m *Marketplace) Shows(file string) bool {
	return m != nil && slices.ContainsFunc(m.Description.Targets, func(t Target) bool { return t.File == file })
}

// PictureNames returns the sorted public names of all pictures, shown or not.
func (c *Catalog) PictureNames() []string { return slices.Sorted(maps.Keys(c.named)) }
