package catalog

import (
	"maps"
	"slices"
)

// pictured marks the pictures of a node: who shows them may change.
func (c *Catalog) pictured(n *Node, d *Delta) {
	n.EachPicture(func(file string) {
		if m := c.media[file]; m != nil {
			d.Pictures[m.Name] = true
		}
	})
}

// Pictured returns the file of a picture by its public name where anything
// current shows it; ok is false where nothing does. Of several files with the
// same bytes it is the first by path.
func (c *Catalog) Pictured(name string) (file string, ok bool) {
	for _, file := range slices.Sorted(maps.Keys(c.named[name])) {
		if slices.ContainsFunc(c.shownBy[file], (*Node).Current) {
			return file, true
		}
	}
	return "", false
}

// PictureNames returns the public names of all pictures, shown or not, in
// order.
func (c *Catalog) PictureNames() []string { return slices.Sorted(maps.Keys(c.named)) }
