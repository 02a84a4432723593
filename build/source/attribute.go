package source

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
	"souk/build/kit/fold"
	"souk/build/kit/problem"
)

// attributes maps names to values, in the author's order.
type attributes []catalog.Attribute

func (v *attributes) fromNode(d *decoder, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, "", "attributes takes a mapping of names to values, not %s", what(n))
		return
	}
	*v = slices.Grow(*v, len(n.Content)/2)
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(valueAt(n, i))
		if d.merges(key) {
			continue
		}
		if key.Kind != yaml.ScalarNode || strings.TrimSpace(key.Value) == "" {
			d.wrong(key, "", "an attribute's name takes text, not %s", what(key))
			continue
		}
		name := fold.Canonical(key.Value)
		if seen[name] {
			d.wrong(key, "", "the attribute %q appears twice", shorten(key.Value))
		}
		seen[name] = true
		d.checkName(key, "the attribute's name", key.Value)
		if strings.Contains(key.Value, ":") {
			d.wrong(key, "write it without the colon", "the attribute's name %q has a colon, which would end the name in a filter", shorten(key.Value))
		}
		at := d.at(key)
		a := catalog.Attribute{Name: key.Value, Line: uint32(at.Line), Column: uint16(min(at.Column, math.MaxUint16))}
		if value.Kind == yaml.SequenceNode {
			*v = append(*v, d.listed(value, a)...)
			continue
		}
		if value.Kind == yaml.MappingNode {
			value = d.measure(value, &a)
		}
		if value != nil && d.value(value, &a) {
			*v = append(*v, a)
		}
	}
}

// listed returns an attribute for each text of a list.
func (d *decoder) listed(n *yaml.Node, of catalog.Attribute) (all []catalog.Attribute) {
	d.name = "an item of the attribute " + strconv.Quote(shorten(of.Name))
	if len(n.Content) == 0 {
		d.wrong(n, "leave it out", "the attribute %q is an empty list", shorten(of.Name))
	}
	of.Listed = true
	seen := map[string]bool{}
	for _, item := range n.Content {
		var ok bool
		if of.Value, ok = d.text(resolve(item)); !ok {
			continue
		}
		folded := fold.Text(strings.TrimSpace(of.Value))
		switch {
		case folded == "":
			d.wrong(item, "", "%s is empty", d.name)
		case seen[folded]:
			d.wrong(item, "remove one", "the attribute %q has %q twice", shorten(of.Name), shorten(of.Value))
		}
		seen[folded] = true
		all = append(all, of)
	}
	return all
}

// measure reads the unit of {value, unit} and returns the node of the value.
func (d *decoder) measure(n *yaml.Node, a *catalog.Attribute) *yaml.Node {
	var value *yaml.Node
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if d.merges(key) {
			continue
		}
		if seen[key.Value] {
			d.wrong(key, "", "the field %q appears twice", shorten(key.Value))
		}
		seen[key.Value] = true
		switch key.Value {
		case "value":
			value = resolve(valueAt(n, i))
		case "unit":
			d.name = "unit"
			a.Unit, _ = d.text(resolve(valueAt(n, i)))
		default:
			meant := cmp.Or(problem.Nearest(key.Value, []string{"value", "unit"}), "the fields are value, unit; a range is two attributes, as in reach from and reach to")
			if cutNumber(n, i) {
				meant = pointNotComma
			}
			d.wrong(key, meant, "unknown field %q", shorten(key.Value))
		}
	}
	if value == nil {
		d.wrong(n, "", "the attribute %q has no \"value\"", shorten(a.Name))
	}
	return value
}

func (d *decoder) value(n *yaml.Node, a *catalog.Attribute) bool {
	if n.Kind == yaml.ScalarNode {
		a.Value = n.Value
		switch n.ShortTag() {
		case "!!str", "!!timestamp":
			d.cutShort(n)
			return true
		case "!!bool":
			a.Kind = catalog.BooleanValue
			var truth bool // a tag can make any text a bool
			if n.Decode(&truth) == nil {
				a.Value = strconv.FormatBool(truth)
				return true
			}
		case "!!int", "!!float":
			a.Kind = catalog.NumberValue
			if d.padded(n, true) {
				return false
			}
			var ok bool
			if a.Value, ok = jsonNumber(n); ok {
				return true
			}
		}
	}
	meant := ""
	switch {
	case isNull(n) && cutOff(n) != "":
		meant = uncut
	case isNull(n):
		meant = "leave it out"
	case n.Kind == yaml.SequenceNode:
		meant = "a list has no unit: write the texts alone"
	}
	d.wrong(n, meant, "the attribute %q takes text, a number, true or false, {value, unit}, or a list of texts, not %s", shorten(a.Name), what(n))
	return false
}

// jsonNumber formats a YAML number as JSON (RFC 8259, section 6). If the author's form is
// already valid JSON, every digit is kept.
func jsonNumber(n *yaml.Node) (string, bool) {
	s := strings.TrimPrefix(n.Value, "-")
	whole, part, dotted := strings.Cut(s, ".")
	if digits(whole) && (whole == "0" || whole[0] != '0') && (!dotted || digits(part)) {
		return n.Value, true
	}
	var i int64
	if n.Decode(&i) == nil {
		return strconv.FormatInt(i, 10), true
	}
	var f float64
	if n.Decode(&f) != nil || f-f != 0 {
		return "", false
	}
	return strconv.FormatFloat(f, 'g', -1, 64), true
}
