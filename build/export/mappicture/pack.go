package mappicture

import (
	"slices"
	"strconv"
)

// Lengths in CSS pixels.
const (
	tileWidth  = 104
	plate      = 46 // the height of what is behind a logo
	tileGap    = 8
	lineHeight = 12
	pitchX     = tileWidth + tileGap
	pitchY     = plate + 2*lineHeight + 6 + tileGap
	blockPad   = 12
	blockGap   = 14
	headLine   = 18
	headBelow  = 8
	pageMargin = 24
	// The whole is about as wide as it is high by this ratio.
	shapeWidth, shapeHeight = 16, 10
	fewestColumns           = 4
)

// A block is a Segment with its place.
type block struct {
	*Segment
	// title is the lines of its name; least the columns that these need.
	title   []line
	least   int
	columns int
	x, y    int
	width   int
	height  int
	// head is the height above the tiles.
	head int
}

// count returns how many members a block is said to have.
func (b *block) count() int { return max(b.Count, len(b.Tiles)) }

// blockWidth returns the width of a block of so many columns.
func blockWidth(columns int) int { return columns*pitchX - tileGap + 2*blockPad }

// titleIn breaks the name of a block that is so wide, with room for the number of
// its tiles.
func (b *block) titleIn(width int) (title []line, whole bool) {
	count := len(strconv.Itoa(b.count())) + 2
	return lines(b.Name, ((width-2*blockPad)*thousand/headSize-count*advance('0'))*9/10, 2)
}

func ceil(a, b int) int { return (a + b - 1) / b }

// columnsFor returns how many columns a block needs in so many rows.
func (b *block) columnsFor(rows int) int { return max(b.least, ceil(len(b.Tiles), rows)) }

// pack gives every block a place, in its order, and returns the size of the whole
// without margins. Blocks stand in shelves of one height, which are as wide as the
// whole; of all widths that with the shape most like shapeWidth by shapeHeight is
// taken.
func pack(blocks []*block) (width, height int) {
	tiles, least := 0, fewestColumns
	for _, b := range blocks {
		tiles += len(b.Tiles)
		least = max(least, b.least)
	}
	columns := max(least, root(tiles)/2)
	best, off := []int(nil), -1
	for ; ; columns++ {
		w := blockWidth(columns)
		ends, h := shelves(blocks, w)
		miss := w*shapeHeight - h*shapeWidth
		if distance := max(miss, -miss); off < 0 || distance < off {
			best, off, width = ends, distance, w
		}
		if miss >= 0 {
			break
		}
	}
	from := 0
	for _, end := range best {
		height += place(blocks[from:end], width, height) + blockGap
		from = end
	}
	return width, max(0, height-blockGap)
}

// root returns the integer square root.
func root(n int) int {
	r := 0
	for (r+1)*(r+1) <= n {
		r++
	}
	return r
}

// shelves cuts blocks into shelves of a width so that the whole is as low as it can
// be, and returns where each shelf ends, and the height.
func shelves(blocks []*block, width int) (ends []int, height int) {
	n := len(blocks)
	lowest, from := make([]int, n+1), make([]int, n+1)
	for j := 1; j <= n; j++ {
		lowest[j] = -1
		for i := j - 1; i >= 0; i-- {
			rows, fits := rowsOf(blocks[i:j], width)
			if !fits {
				break
			}
			h := lowest[i] + shelfHeight(blocks[i:j], rows) + blockGap
			if lowest[j] < 0 || h < lowest[j] {
				lowest[j], from[j] = h, i
			}
		}
	}
	for j := n; j > 0; j = from[j] {
		ends = append(ends, j)
	}
	slices.Reverse(ends)
	return ends, max(0, lowest[n]-blockGap)
}

// rowsOf returns the fewest rows of tiles in which blocks fit beside each other;
// fits is false where they do not in any number.
func rowsOf(shelf []*block, width int) (rows int, fits bool) {
	most, narrowest := 1, -blockGap
	for _, b := range shelf {
		most = max(most, len(b.Tiles))
		narrowest += blockWidth(b.least) + blockGap
	}
	if narrowest > width {
		return 0, false
	}
	low, high := 1, most
	for low < high {
		middle := (low + high) / 2
		if shelfWidth(shelf, middle) <= width {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, true
}

func shelfWidth(shelf []*block, rows int) int {
	width := -blockGap
	for _, b := range shelf {
		width += blockWidth(b.columnsFor(rows)) + blockGap
	}
	return width
}

func shelfHeight(shelf []*block, rows int) int {
	lines, tiles := 0, 0
	for _, b := range shelf {
		lines, tiles = max(lines, len(b.title)), max(tiles, len(b.Tiles))
	}
	height := 2*blockPad + lines*headLine
	if tiles > 0 {
		height += headBelow + rows*pitchY - tileGap
	}
	return height
}

// place puts blocks beside each other at a height, as wide as the whole, and
// returns how high they are.
func place(shelf []*block, width, y int) int {
	rows, _ := rowsOf(shelf, width)
	spare := width - shelfWidth(shelf, rows)
	for _, b := range shelf {
		b.columns = b.columnsFor(rows)
	}
	// Columns that are left go where the tiles are stacked the highest.
	for spare >= pitchX {
		fullest := shelf[0]
		for _, b := range shelf {
			if len(b.Tiles)*fullest.columns > len(fullest.Tiles)*b.columns {
				fullest = b
			}
		}
		fullest.columns++
		spare -= pitchX
	}
	// What is less than a column goes to all.
	x, most := 0, 0
	for i, b := range shelf {
		more := spare / (len(shelf) - i)
		spare -= more
		b.x, b.y, b.width = x, y, blockWidth(b.columns)+more
		b.title, _ = b.titleIn(b.width)
		most = max(most, len(b.title))
		x += b.width + blockGap
	}
	height := shelfHeight(shelf, rows)
	for _, b := range shelf {
		b.height, b.head = height, blockPad+most*headLine+headBelow
	}
	return height
}
