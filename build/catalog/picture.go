package catalog

import (
	"maps"
	"slices"
)

// markPictures marks the pictures of a node, since who shows them may change.
func (c *Catalog) markPictures(n *Node, d *Delta) {
	n.EachPicture(func(file string) {
		if m := c.media[file]; m != nil {
			d.Pictures[m.Name] = true
		}
	})
}

// PictureFile returns the file of the picture with a public name; ok is false if
// nothing current shows it. Of several files with the same bytes it is the first
// by path.
func (c *Catalog) PictureFile(name string) (file string, ok bool) {
	for _, file := range slices.Sorted(maps.Keys(c.named[name])) {
		if slices.ContainsFunc(c.shownBy[file], (*Node).Current) {
			return file, true
		}
	}
	return "", false
}

// PictureNames returns the sorted public names of all pictures, shown or not.
func (c *Catalog) PictureNames() []string { return slices.Sorted(maps.Keys(c.named)) }
