// Package mappicture draws a market map as one SVG document (SVG 2): segments as
// blocks, their members as equal tiles with logo and name, each a link. All
// arithmetic is in integers, so that every machine writes the same bytes. It knows
// titles, names and addresses, and refuses to know documents, files, what may be
// shown, and how wide any real font is.
package mappicture

// A Map is what a picture shows.
type Map struct {
	Title, Summary string
	// Language is a BCP 47 tag.
	Language string
	// RightToLeft: the language is written from the right, and so is the picture.
	RightToLeft bool
	// URL is the address that the title leads to; empty for none.
	URL string
	// Generator names the program that made the picture.
	Generator string
	// Light and Dark are the colours on the two grounds; empty ones are ours.
	Light, Dark Colours
	Segments    []Segment
}

// Colours are those of the marks that stand in the place of logos, and of what is under them.
type Colours struct{ Accent, Tint string }

// A Segment is a block of tiles.
type Segment struct {
	Name string
	// URL is the address that the name leads to; empty for none.
	URL string
	// Count is how many members it has, where Tiles are not all of them.
	Count int
	Tiles []Tile
}

// A Tile is a member of a Segment.
type Tile struct {
	Name string
	// URL is the address that the tile leads to; empty for none.
	URL string
	// Logo is the address of a picture, or the picture as a data: URL; where it is
	// empty, Mark is shown, a letter or two.
	Logo, Mark string
}
