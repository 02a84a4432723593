package catalog

import (
	"maps"
	"slices"
)

// markPictures marks the pictures of a node, since who shows them may change.
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

// PictureFile returns the file of the picture that has a public name, or a smaller
// form of that name; ok is false if nothing current shows it. Of several files it
// is the first by path.
func (c *Catalog) PictureFile(name string) (file string, ok bool) {
	for _, file := range slices.Sorted(maps.Keys(c.named[name])) {
		if slices.ContainsFunc(c.shownBy[file], (*Node).Current) || c.market.Shows(file) {
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
