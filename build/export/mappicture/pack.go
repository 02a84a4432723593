package mappicture

import (
	"slices"
	"strconv"
)

// Lengths in CSS pixels.
const (
	tileWidth  = 104
	plate      = 46 // the height of the area behind a logo
	tileGap    = 8
	lineHeight = 12
	pitchX     = tileWidth + tileGap
	pitchY     = plate + 2*lineHeight + 6 + tileGap
	blockPad   = 12
	blockGap   = 14
	headLine   = 18
	headBelow  = 8
	pageMargin = 24
	// The aspect ratio to aim for.
	shapeWidth, shapeHeight = 16, 10
	fewestColumns           = 4
)

// A block is a Segment and its position.
type block struct {
	*Segment
	// title are the lines of its name; least is the number of columns that they need.
	title   []line
	least   int
	columns int
	x, y    int
	width   int
	height  int
	// head is the height above the tiles.
	head int
}

// count returns the number of members to show.
func (b *block) count() int { return max(b.Count, len(b.Tiles)) }

// blockWidth returns the width of a block with that many columns.
func blockWidth(columns int) int { return columns*pitchX - tileGap + 2*blockPad }

// titleIn breaks the name of a block of a width into lines, leaving space for the number of
// its members.
func (b *block) titleIn(width int) (title []line, whole bool) {
	count := len(strconv.Itoa(b.count())) + 2
	return lines(b.Name, ((width-2*blockPad)*thousand/headSize-count*advance('0'))*9/10, 2)
}

func ceil(a, b int) int { return (a + b - 1) / b }

// columnsFor returns how many columns a block needs for that many rows.
func (b *block) columnsFor(rows int) int { return max(b.least, ceil(len(b.Tiles), rows)) }

// pack sets the positions of the blocks, in order, and returns the total size without
// margins. Blocks are arranged in rows of equal height that fill the total width. It
// chooses the width whose aspect ratio is closest to shapeWidth by shapeHeight.
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

// shelves divides blocks into rows of a width so that the total height is minimal. It
// returns where each row ends, and the height.
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

// rowsOf returns the minimum number of rows of tiles with which the blocks fit next to each
// other; fits is false if no number is enough.
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

// place positions blocks next to each other at a height, filling the total width, and
// returns their height.
func place(shelf []*block, width, y int) int {
	rows, _ := rowsOf(shelf, width)
	spare := width - shelfWidth(shelf, rows)
	for _, b := range shelf {
		b.columns = b.columnsFor(rows)
	}
	// Remaining columns go to the blocks with the tallest stacks of tiles.
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
	// A remainder of less than a column is distributed over all blocks.
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
