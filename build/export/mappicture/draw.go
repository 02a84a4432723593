package mappicture

import (
	"bytes"
	"encoding/xml"
	"strconv"
)

// Draw returns the picture of a map: a complete SVG document in UTF-8.
func Draw(m Map) []byte {
	d := &drawing{Map: m, times: map[string]int{}, logos: map[string]int{}, marks: map[string]int{}}
	return d.draw()
}

const (
	fonts = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif"
	// Text sizes of tiles, blocks, and the title.
	nameSize, headSize    = 11, 14
	noteSize              = 9
	leastTitle, mostTitle = 28, 96
	logoX, logoY          = 8, 6
	logoWidth, logoHeight = tileWidth - 2*logoX, plate - 2*logoY
	// A tile's origin is in the middle of the first line of its name.
	middle, base = tileWidth / 2, plate + lineHeight + 1
	// thousand is one em in the units of the table of widths.
	thousand = 1000
)

// style is for light and dark screens, for print, for thumbnails, which have no room for text,
// and for fragments, which hide all other segments. Without it the picture shows the same in the
// colors of its attributes.
const style = `svg{background:#f6f6f2;max-width:100%;height:auto}.l{fill:#55625b}.t,.k{font-weight:700}.t{font-family:ui-serif,Georgia,serif}.i{font-size:20px;font-weight:700;fill:#0b5c4a}` +
	`text{unicode-bidi:plaintext}a:hover text{text-decoration:underline}a:focus-visible{outline:3px solid #0b5c4a}svg:has(:target)>.h,svg:has(view[id^=s]:target)>g:not(:target+g){visibility:hidden}` +
	`@media(prefers-color-scheme:dark){svg{background:#121614;fill:#e7ebe8}.g{fill:#121614}.b{fill:#1a201d;stroke:#303833}.l{fill:#a7b3ad}.n{fill:#1b2a25}.i{fill:#6fd0b3}a:focus-visible{outline-color:#6fd0b3}}` +
	`@media(max-width:200px){text{display:none}.p,.n{fill:#55625b;fill-opacity:.5}}` +
	`@media print{svg{width:100%;height:auto;background:#fff;fill:#000}.g{fill:#fff}.b{fill:#fff;stroke:#bbb}@page{size:A3 landscape;margin:8mm}}`

// own returns the rules for configured colors of marks.
func (c Colours) own() string {
	if c == (Colours{}) {
		return ""
	}
	return ".n{fill:" + c.Tint + "}.i{fill:" + c.Accent + "}a:focus-visible{outline-color:" + c.Accent + "}"
}

// ownStyle returns rules that follow style, so that they take precedence.
func (m Map) ownStyle() string {
	own := m.Light.own()
	if dark := m.Dark.own(); dark != "" {
		own += "@media(prefers-color-scheme:dark){" + dark + "}"
	}
	return own
}

// A drawing is the state of drawing one picture.
type drawing struct {
	Map
	b     bytes.Buffer
	width int
	// title and lead are the font sizes of the title and the summary.
	title, lead int
	// times is how often each logo is shown; logos contains the numbers of those already
	// drawn.
	times, logos map[string]int
	// marks contains the numbers of the marks that replace logos; markOrder is their order.
	marks     map[string]int
	markOrder []string
}

func (d *drawing) draw() []byte {
	blocks := make([]*block, len(d.Segments))
	for i := range d.Segments {
		blocks[i] = newBlock(&d.Segments[i])
		for _, t := range d.Segments[i].Tiles {
			d.count(t)
		}
	}
	width, height := pack(blocks)
	d.width = width + 2*pageMargin
	d.title = min(max(d.width/50, leastTitle), mostTitle)
	d.lead = d.title / 2
	title, _ := lines(d.Title, width*thousand/d.title*9/10, 4)
	lead, _ := lines(d.Summary, width*thousand/d.lead*9/10, 3)
	head := pageMargin + len(title)*below(d.title) + len(lead)*below(d.lead) + blockGap
	d.begin(head + height + pageMargin)
	d.head(title, lead)
	d.view("all", 0, head-blockGap, d.width, blockGap+height+pageMargin)
	for i, b := range blocks {
		b.x, b.y = b.x+pageMargin, b.y+head
		d.view("s"+strconv.Itoa(i), d.mirrored(b.x, b.width)-blockGap, b.y-blockGap, b.width+2*blockGap, b.height+2*blockGap)
		d.block(b)
	}
	d.text("</svg>\n")
	return d.b.Bytes()
}

// count counts the logo of a tile, or registers its mark.
func (d *drawing) count(t Tile) {
	d.times[t.Logo]++
	if _, known := d.marks[t.Mark]; t.Logo == "" && !known {
		d.marks[t.Mark] = len(d.marks)
		d.markOrder = append(d.markOrder, t.Mark)
	}
}

// newBlock returns the block of a Segment. Its name takes two lines, or as many columns as
// it needs for that, up to three.
func newBlock(s *Segment) *block {
	b := &block{Segment: s}
	for b.least = 1; ; b.least++ {
		var whole bool
		if b.title, whole = b.titleIn(blockWidth(b.least)); whole || b.least == 3 {
			return b
		}
	}
}

func (d *drawing) begin(height int) {
	direction := ""
	if d.RightToLeft {
		direction = ` direction="rtl"`
	}
	d.text(`<svg xmlns="http://www.w3.org/2000/svg" width="`, d.width, `" height="`, height, `" viewBox="0 0 `, d.width, ` `, height,
		`" role="graphics-document document" lang="`).escaped(d.Language).text(`"`, direction, ` aria-labelledby="t" font-family="`, fonts, `" font-size="`, nameSize, `" fill="#1c221f">`,
		"\n<title id=\"t\">").escaped(d.Title).text("</title>\n")
	if d.Summary != "" {
		d.text("<desc>").escaped(d.Summary).text("</desc>\n")
	}
	d.text("<metadata>").escaped(d.Generator).text("</metadata>\n<style>", style, d.ownStyle(), "</style>\n",
		`<defs><pattern id="p" width="`, pitchX, `" height="`, pitchY, `" patternUnits="userSpaceOnUse"><rect class="p" x="1" y="1" width="`, tileWidth-2, `" height="`, plate-2, `" rx="8" fill="#fff" stroke="#e4e7e2"/></pattern>`,
		`<rect id="n" class="n" x="`, 1-middle, `" y="`, 1-base, `" width="`, tileWidth-2, `" height="`, plate-2, `" rx="8" fill="#e9f1ec"/>`)
	for i, mark := range d.markOrder {
		d.text(`<g id="i`, i, `"><use href="#n"/><text class="i" y="`, plate/2+7-base, `" aria-hidden="true">`).escaped(mark).text(`</text></g>`)
	}
	d.text("</defs>\n", `<rect class="g" width="`, d.width, `" height="`, height, `" fill="#f6f6f2"/>`, "\n")
}

// below returns the distance between lines of a font size.
func below(size int) int { return size * 5 / 4 }

// head writes the title and the summary.
func (d *drawing) head(title, lead []line) {
	x := d.mirrored(pageMargin, 0)
	y := pageMargin + d.title
	d.text(`<g class="h">`)
	d.open(d.URL, "")
	d.text(`<text class="t" x="`, x, `" y="`, y, `" font-size="`, d.title, `">`)
	d.lines(title, x, below(d.title))
	d.text("</text>")
	d.close(d.URL)
	if len(lead) > 0 {
		y += max(0, len(title)-1)*below(d.title) + d.title/4 + d.lead
		d.text(`<text class="l" x="`, x, `" y="`, y, `" font-size="`, d.lead, `">`)
		d.lines(lead, x, below(d.lead))
		d.text("</text>")
	}
	d.text("</g>\n")
}

// view makes a fragment of the picture's address show an area.
func (d *drawing) view(id string, x, y, width, height int) {
	d.text(`<view id="`, id, `" preserveAspectRatio="xMidYMin" viewBox="`, x, ` `, y, ` `, width, ` `, height, `"/>`, "\n")
}

// block writes a Segment. Its origin is that of its first tile.
func (d *drawing) block(b *block) {
	inner := b.columns*pitchX - tileGap
	x, left := 0, blockPad
	if d.RightToLeft {
		x, left = inner, b.width-blockPad-inner
	}
	d.text(`<g role="group" aria-label="`).escaped(b.Name).text(`" transform="translate(`, d.mirrored(b.x, b.width)+left, ` `, b.y+b.head, `)">`,
		`<rect class="b" x="`, -left, `" y="`, -b.head, `" width="`, b.width, `" height="`, b.height, `" rx="12" fill="#fff" stroke="#dcdfd8"/>`)
	d.open(b.URL, "")
	d.text(`<text class="k" x="`, x, `" y="`, blockPad+headSize-2-b.head, `" font-size="`, headSize, `">`)
	d.lines(b.title, x, headLine)
	d.text(`<tspan class="l" font-weight="400">&#160; `, b.count(), "</tspan></text>")
	d.close(b.URL)
	d.text("\n")
	d.plates(b)
	d.text(`<g text-anchor="middle">`, "\n")
	for i := range b.Tiles {
		d.tile(&b.Tiles[i], d.column(b, i%b.columns), i/b.columns*pitchY)
	}
	d.text("</g></g>\n")
}

// column returns the horizontal position of a column of a block.
func (d *drawing) column(b *block, i int) int {
	if d.RightToLeft {
		return (b.columns - 1 - i) * pitchX
	}
	return i * pitchX
}

// plates writes the backgrounds of a block's logos: the full rows, and the last one.
func (d *drawing) plates(b *block) {
	full, last := len(b.Tiles)/b.columns, len(b.Tiles)%b.columns
	if full > 0 {
		d.text(`<rect width="`, b.columns*pitchX-tileGap, `" height="`, full*pitchY-tileGap, `" fill="url(#p)"/>`)
	}
	if last > 0 {
		x := d.column(b, 0)
		if d.RightToLeft {
			x = d.column(b, last-1)
		}
		d.text(`<rect x="`, x, `" y="`, full*pitchY, `" width="`, last*pitchX-tileGap, `" height="`, pitchY-tileGap, `" fill="url(#p)"/>`)
	}
}

// tile writes a member.
func (d *drawing) tile(t *Tile, x, y int) {
	at := ` transform="translate(` + strconv.Itoa(x+middle) + ` ` + strconv.Itoa(y+base) + `)"`
	most, all := 2, t.Name
	if t.Note != "" {
		most, all = 1, t.Name+" · "+t.Note
	}
	name, nameWhole := lines(t.Name, (tileWidth-4)*thousand/nameSize, most)
	note, noteWhole := lines(t.Note, (tileWidth-4)*thousand/noteSize, 1)
	d.open(t.URL, at)
	if !nameWhole || !noteWhole {
		d.text("<title>").escaped(all).text("</title>")
	}
	if t.Logo != "" {
		d.logo(t.Logo)
	} else {
		d.text(`<use href="#i`, d.marks[t.Mark], `"/>`)
	}
	d.text(`<text>`)
	d.lines(name, 0, lineHeight)
	d.text(`</text>`)
	if len(note) > 0 {
		d.text(`<text class="l" y="`, lineHeight, `" font-size="`, noteSize, `">`)
		d.lines(note, 0, lineHeight)
		d.text(`</text>`)
	}
	d.close(t.URL)
	d.text("\n")
}

// logo writes a logo, as a reference to the first one if it was drawn before.
func (d *drawing) logo(address string) {
	if number, drawn := d.logos[address]; drawn {
		d.text(`<use href="#l`, number, `"/>`)
		return
	}
	d.logos[address] = len(d.logos)
	d.text(`<image`)
	if d.times[address] > 1 {
		d.text(` id="l`, d.logos[address], `"`)
	}
	d.text(` href="`).escaped(address).text(`" x="`, logoX-middle, `" y="`, logoY-base, `" width="`, logoWidth, `" height="`, logoHeight, `"/>`)
}

// mirrored returns the position of something with a width that begins at x, measured from
// the side at which the language begins.
func (d *drawing) mirrored(x, width int) int {
	if d.RightToLeft {
		return d.width - x - width
	}
	return x
}

// open and close write the element around a link, or around the same content without a
// link. A link leaves the page that shows the picture.
func (d *drawing) open(url, attributes string) {
	if url == "" {
		d.text("<g", attributes, ">")
		return
	}
	d.text(`<a href="`).escaped(url).text(`" target="_top"`, attributes, ">")
}

func (d *drawing) close(url string) {
	if url == "" {
		d.text("</g>")
		return
	}
	d.text("</a>")
}

// lines writes the lines of a text.
func (d *drawing) lines(all []line, x, height int) {
	for i, l := range all {
		if i == 0 {
			d.escaped(l.text)
			continue
		}
		d.text(`<tspan x="`, x, `" dy="`, height, `">`).escaped(l.text).text("</tspan>")
	}
}

// text writes markup.
func (d *drawing) text(parts ...any) *drawing {
	for _, part := range parts {
		switch p := part.(type) {
		case string:
			d.b.WriteString(p)
		case int:
			d.b.Write(strconv.AppendInt(d.b.AvailableBuffer(), int64(p), 10))
		}
	}
	return d
}

// escaped writes text from untrusted sources.
func (d *drawing) escaped(text string) *drawing {
	_ = xml.EscapeText(&d.b, []byte(text)) // writing to a Buffer cannot fail
	return d
}
