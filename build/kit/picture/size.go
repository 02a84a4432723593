package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"souk/build/kit/problem"
)

// maxUnits limits the sides of a drawing. The units of a viewBox are scaled to fit rather
// than held in memory as pixels, and drawing programs use hundredths of a millimetre, so
// the limit only excludes nonsense.
const maxUnits = 1e9

// pixelsPer maps the absolute units of CSS to pixels (CSS Values and Units 3, section 5.2).
var pixelsPer = map[string]float64{
	"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96.0 / 72, "pc": 16,
}

// size reads the size of the drawing from the attributes of its root: its width and height
// if they are in absolute units, otherwise its viewBox. If the drawing only has a size,
// size adds a viewBox, without which market maps would not scale it.
func (d *drawing) size() {
	attrs := d.root.attrs
	wide, high, box := attrs["width"], attrs["height"], attrs["viewBox"]
	w, knowWidth := pixels(wide)
	h, knowHeight := pixels(high)
	vw, vh, boxed := viewBox(box)
	switch {
	case boxed && !sensible(vw, vh):
		d.fault(d.root.at, fmt.Sprintf("a picture cannot be shown in the viewBox %s: "+
			"give its third and fourth number the width and height of the drawing", problem.Quoted(box)))
		return
	case boxed:
	case !knowWidth || !knowHeight:
		d.warn(func() int { return d.root.at }, "the drawing has neither a viewBox nor a width and a height, so it may be shown cut off: "+
			"give the svg element a viewBox")
		return
	case !sensible(w, h):
		d.fault(d.root.at, fmt.Sprintf("a picture of width %s and height %s cannot be shown: give it a viewBox instead",
			problem.Quoted(wide), problem.Quoted(high)))
		return
	default:
		for _, f := range sizeFaults(roundSide(w), roundSide(h)) {
			d.fault(d.root.at, f.Text)
		}
		vw, vh = w, h
		attrs["viewBox"] = "0 0 " + strconv.FormatFloat(w, 'f', -1, 64) + " " + strconv.FormatFloat(h, 'f', -1, 64)
	}
	d.width, d.height = vw, vh
	if !knowWidth || !knowHeight || !sensible(w, h) {
		w, h = vw, vh
	}
	d.info.Width, d.info.Height = roundSide(w), roundSide(h)
}

// sensible reports whether a drawing with these sides can be shown.
func sensible(w, h float64) bool { return w > 0 && h > 0 && w <= maxUnits && h <= maxUnits }

// list splits a list of numbers or lengths.
func list(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) })
}

func viewBox(value string) (width, height float64, ok bool) {
	all := list(value)
	if len(all) != 4 {
		return 0, 0, false
	}
	var numbers [4]float64
	for i, f := range all {
		if numbers[i], ok = number(f); !ok {
			return 0, 0, false
		}
	}
	return numbers[2], numbers[3], true
}

// pixels parses a length such as 12, 12px or 3mm. Lengths that depend on the context, such
// as 100% or 2em, are unknown.
func pixels(length string) (float64, bool) {
	length = strings.ToLower(strings.TrimSpace(length))
	digits := strings.TrimRight(length, "pxincmqt")
	factor, known := pixelsPer[length[len(digits):]]
	value, ok := number(digits)
	return value * factor, known && ok
}

// number parses a decimal number. It rejects the words and bases that ParseFloat accepts,
// which SVG does not have.
func number(s string) (float64, bool) {
	if strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// roundSide rounds a positive side, but never to 0.
func roundSide(side float64) int { return max(1, int(math.Round(side))) }
