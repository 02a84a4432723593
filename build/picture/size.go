package picture

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"souk/build/problem"
)

// maxUnits bounds the sides of a drawing. Those of a viewBox are units of one that is
// scaled to fit, not pixels to be held in memory, and drawing programs count
// in hundredths of a millimetre; the bound only keeps out nonsense.
const maxUnits = 1e9

// pixelsPer are the absolute units of CSS in pixels (CSS Values and Units 3,
// section 5.2).
var pixelsPer = map[string]float64{
	"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96.0 / 72, "pc": 16,
}

// drawingSize reads the size of an SVG picture from the attributes of its root,
// the width and height that it states in absolute units, else those of its
// viewBox, and returns the text of a fault when it cannot be shown at that size.
func drawingSize(attrs []xml.Attr) (width, height int, fault string) {
	var box, wide, high string
	for _, a := range attrs {
		if a.Name.Space != "" {
			continue
		}
		switch a.Name.Local {
		case "viewBox":
			box = a.Value
		case "width":
			wide = a.Value
		case "height":
			high = a.Value
		}
	}
	w, knowWidth := pixels(wide)
	h, knowHeight := pixels(high)
	stated := knowWidth && knowHeight
	if vw, vh, ok := viewBox(box); ok {
		if !sensible(vw, vh) {
			return 0, 0, fmt.Sprintf("a picture cannot be shown in the viewBox %s: "+
				"give its third and fourth number the width and height of the drawing", problem.Quoted(box))
		}
		if stated && sensible(w, h) {
			return whole(w), whole(h), ""
		}
		return whole(vw), whole(vh), ""
	}
	if !stated {
		return 0, 0, ""
	}
	if !sensible(w, h) {
		return 0, 0, fmt.Sprintf("a picture of width %s and height %s cannot be shown: give it a viewBox instead",
			problem.Quoted(wide), problem.Quoted(high))
	}
	width, height = whole(w), whole(h)
	for _, f := range sizeFaults(width, height) {
		fault = f.Text
	}
	return width, height, fault
}

// sensible reports whether a drawing can be shown with such sides.
func sensible(w, h float64) bool { return w > 0 && h > 0 && w <= maxUnits && h <= maxUnits }

func viewBox(value string) (width, height float64, ok bool) {
	fields := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) })
	if len(fields) != 4 {
		return 0, 0, false
	}
	var numbers [4]float64
	for i, f := range fields {
		if numbers[i], ok = number(f); !ok {
			return 0, 0, false
		}
	}
	return numbers[2], numbers[3], true
}

// pixels reads a length such as 12, 12px or 3mm. Lengths that depend on the
// surroundings, as 100% or 2em, are unknown.
func pixels(length string) (float64, bool) {
	length = strings.ToLower(strings.TrimSpace(length))
	digits := strings.TrimRight(length, "pxincmqt")
	factor, known := pixelsPer[length[len(digits):]]
	value, ok := number(digits)
	return value * factor, known && ok
}

// number reads a decimal number. The words and bases that ParseFloat knows
// besides are none in SVG.
func number(s string) (float64, bool) {
	if strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// whole rounds a positive side, but never to nothing.
func whole(side float64) int { return max(1, int(math.Round(side))) }
