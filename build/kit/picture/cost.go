package picture

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// maxShown limits how many elements a drawing may show in addition to those written in it.
// A few lines that refer to each other ten times each produce billions, and the browser
// that shows them hangs.
const maxShown = 100_000

// weights are the costs of filter primitives that compute every pixel from many others.
// Their radius, order and octaves do not matter, since a transform can scale them up.
var weights = map[string]float64{
	"feMorphology": 2000, "feConvolveMatrix": 2000, "feTurbulence": 2000,
	"feGaussianBlur": 500, "feDropShadow": 500, "feDiffuseLighting": 500, "feSpecularLighting": 500, "feDisplacementMap": 500,
}

// shows lists the attributes that show another element. If inherited is set, descendants
// inherit the attribute, so each of them may show that element.
var shows = []struct {
	attribute string
	reference *regexp.Regexp
	inherited bool
}{
	{"href", hrefReference, false}, {"clip-path", urlReference, false}, {"mask", urlReference, false}, {"filter", urlReference, false},
	{"fill", urlReference, true}, {"stroke", urlReference, true},
	{"marker-start", urlReference, true}, {"marker-mid", urlReference, true}, {"marker-end", urlReference, true},
}

// A sum is the number of elements that an element shows, including itself, and the length
// of their outlines.
type sum struct{ elements, length float64 }

// counting marks an element whose sum is being computed.
var counting = new(sum)

// checkCost reports a mistake if browsers would hang on the drawing.
func (d *drawing) checkCost() {
	if all := d.cost(d.root, 0); !(all.elements <= d.written+maxShown) {
		d.fault(d.root.at, "browsers hang on this drawing, because its elements repeat each other too often, or because of its filters, dashes or pattern tiles: "+
			"use fewer of them, longer dashes and larger tiles")
	}
}

// cost returns the sum of an element.
func (d *drawing) cost(n *node, depth int) sum {
	if depth > maxDepth {
		d.fatal(n.at, "this element is at the end of too long a chain of references: remove some")
		return sum{}
	}
	if n.sum != nil {
		return *n.sum
	}
	n.sum = counting
	all := sum{elements: max(1, weights[n.name])}
	if d.marked { // every corner shows a marker
		all.elements += float64(len(n.attrs["d"])+len(n.attrs["points"])) / 2
	}
	d.written += all.elements
	if n.name == "pattern" {
		all.elements += d.tiles(n) / 1000
	}
	if d.dashed {
		all.length = d.outline(n)
		delete(n.attrs, "vector-effect") // the number of dashes that do not grow with the shape has no bound
	}
	add := func(part sum) { all = sum{all.elements + part.elements, all.length + part.length} }
	for _, child := range n.children {
		add(d.cost(child, depth+1))
	}
	times := 1.0
	for _, show := range shows {
		for _, found := range show.reference.FindAllStringSubmatch(n.attrs[show.attribute], -1) {
			target := d.named[found[1]]
			switch {
			case target == nil, strings.HasSuffix(target.name, "Gradient"):
			case target.sum == counting: // browsers do not show it either
				delete(n.attrs, show.attribute)
			case show.inherited:
				times += d.cost(target, depth+1).elements
			default:
				add(d.cost(target, depth+1))
			}
		}
	}
	all.elements *= times
	if dash := d.extent("l" + n.attrs["stroke-dasharray"]); dash > 0 {
		all.elements += all.length / dash
	}
	n.sum = &all
	return all
}

// tiles returns how many tiles of a pattern fit into the whole drawing, or into the element
// that the pattern fills.
func (d *drawing) tiles(n *node) float64 {
	whole := 1.0
	if n.attrs["patternUnits"] == "userSpaceOnUse" {
		whole = d.width * d.height
	}
	tile := d.extent("l"+n.attrs["width"]) * d.extent("l"+n.attrs["height"])
	if tile == 0 {
		return 0 // browsers show nothing
	}
	return whole / tile
}

// outline estimates the length of the outline of a shape.
func (d *drawing) outline(n *node) float64 {
	if n.name == "" {
		return float64(len(n.text)) * d.width / 2 // for letters, whose size is unknown
	}
	path := n.attrs["d"] + "M" + n.attrs["points"] + "M" + n.attrs["x1"] + "," + n.attrs["y1"] + " " + n.attrs["x2"] + "," + n.attrs["y2"]
	for _, side := range []string{"width", "height", "r", "rx", "ry", "pathLength"} {
		path += "l" + n.attrs[side]
	}
	return d.extent(path)
}

var pathWord = regexp.MustCompile(`[A-Za-z%]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[Ee][-+]?\d+)?`)

// extent estimates the length of a path: the distances between the numbers of each axis, or
// the numbers themselves if they are relative or belong to an arc.
func (d *drawing) extent(path string) (length float64) {
	var last [2]float64
	value, command, axis := 0.0, "M", 0
	for _, word := range pathWord.FindAllString(path, -1) {
		number, err := strconv.ParseFloat(word, 64)
		switch {
		case word == "%":
			length += math.Abs(value) * d.width / 100
		case err != nil:
			command, axis = word, strings.Count("V", word)
			continue
		case strings.Contains("HVMLCSQT", command):
			length += math.Abs(number - last[axis])
			last[axis] = number
			axis ^= strings.Count("MLCSQT", command)
		default:
			length += math.Abs(number)
		}
		value = number
	}
	return length
}
