// Package mappicture draws a market map as one SVG document (SVG 2): segments as blocks,
// their members as equal tiles with logo and name, each a link. The fragments #s0, #s1 and so
// on show one segment, and #all shows the segments without the title. All arithmetic uses
// integers, so that every machine writes the same bytes. The package knows titles, names
// and addresses. It does not know documents, files, what may be shown, or how wide a real
// font is.
package mappicture

// A Map is the content of a picture.
type Map struct {
	Title, Summary string
	// Language is a BCP 47 tag.
	Language string
	// RightToLeft means that the language is written from right to left, and the picture is
	// mirrored.
	RightToLeft bool
	// URL is the target of the title; empty for none.
	URL string
	// Generator names the program that drew the picture.
	Generator string
	// Light and Dark are the colors for light and dark backgrounds; if empty, the built-in
	// ones are used.
	Light, Dark Colours
	Segments    []Segment
}

// Colours are the colors of the marks that replace missing logos, and of their backgrounds.
type Colours struct{ Accent, Tint string }

// A Segment is a block of tiles.
type Segment struct {
	Name string
	// URL is the target of the name; empty for none.
	URL string
	// Count is the number of members, if Tiles does not contain all of them.
	Count int
	Tiles []Tile
}

// A Tile is a member of a Segment.
type Tile struct {
	Name string
	// URL is the target of the tile; empty for none.
	URL string
	// Logo is the address of a picture, or the picture as a data: URL. If it is empty,
	// Mark, a letter or two, is shown.
	Logo, Mark string
	// Note is a remark below the name.
	Note string
}
