package picture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"

	"souk/build/kit/problem"
)

// A cascade maps properties to values.
type cascade map[string]declared

// declared is a value; the one with the highest rank wins.
type declared struct {
	value string
	rank  int
}

// merge adds the values of another cascade, with a weight.
func (c cascade) merge(other cascade, weight int) {
	for property, v := range other {
		if v.rank += weight; v.rank >= c[property].rank {
			c[property] = v
		}
	}
}

// The weights of declarations; with equal weights, the later one ranks higher (CSS Cascade
// 4, section 6.1). Element selectors have no weight, and presentation attributes no rank.
const (
	class = (iota + 1) << 40
	id
	ownStyle
	important
)

// readStyle stores the rules of a style sheet, or returns the declarations of a style
// attribute. place returns the position of a piece of the text in the document.
func (d *drawing) readStyle(text string, inAttribute bool, place func(piece string) int) cascade {
	p, last := css.NewParser(parse.NewInputString(text), inAttribute), 0
	atRules, rules := 0, 0 // numbers of open ones
	c := cascade{}
	var selectors []string
	for kind, _, name := p.Next(); kind != css.ErrorGrammar || p.HasParseError(); kind, _, name = p.Next() {
		piece := strings.TrimSpace(text[last:p.Offset()])
		here := func() int { return place(piece) }
		last = p.Offset()
		switch kind {
		case css.AtRuleGrammar, css.BeginAtRuleGrammar:
			d.warn(here, "the rule "+problem.Quoted(string(name))+" is left out: remove it, give the elements the style that they have on a page, "+
				"and turn text in a special font into paths")
			if kind == css.BeginAtRuleGrammar {
				atRules++
			}
		case css.EndAtRuleGrammar:
			atRules--
		case css.BeginRulesetGrammar:
			c, selectors = cascade{}, nil
			if atRules == 0 {
				selectors = d.selectors(strings.Repeat("& ", min(rules, 1))+joined(p.Values()), here)
			}
			rules++
		case css.EndRulesetGrammar:
			for _, selector := range selectors {
				if d.rules[selector] == nil {
					d.rules[selector] = cascade{}
				}
				d.rules[selector].merge(c, map[byte]int{'.': class, '#': id}[selector[0]])
			}
			selectors = nil
			rules--
		case css.DeclarationGrammar:
			if atRules == 0 {
				d.declare(c, string(name), joined(p.Values()), here)
			}
		}
	}
	return c
}

func joined(tokens []css.Token) string {
	var all []byte
	for _, t := range tokens {
		all = append(all, t.Data...)
	}
	return string(all)
}

// selectors returns the selectors in the head of a rule.
func (d *drawing) selectors(head string, place func() int) (simple []string) {
	for selector := range strings.SplitSeq(head, ",") {
		if simpleSelector.MatchString(selector) {
			simple = append(simple, selector)
			continue
		}
		d.note(place, Fault{Text: "the selector " + problem.Quoted(selector) + " is not a single class, element or id: " +
			"give the elements a class of their own, or export the picture with presentation attributes"})
	}
	return simple
}

// declare adds a declaration of a known property to a cascade.
func (d *drawing) declare(c cascade, property, value string, place func() int) {
	d.declared++
	rank := d.declared
	value, weighty := strings.CutSuffix(value, "!important")
	if weighty {
		rank += important
	}
	all := []longhand{{property, value}}
	if short, known := shorthands[property]; known {
		all = nil
		for _, l := range short.longhands {
			all = append(all, longhand{l.property, cmp.Or(short.value.ReplaceAllString(value, l.value), "normal")})
		}
	}
	for _, l := range all {
		if d.plain(l.property, l.value, place) {
			c.merge(cascade{l.property: {l.value, rank}}, 0)
		}
	}
}

// plain reports whether a property is known and its value allowed.
func (d *drawing) plain(property, value string, place func() int) bool {
	switch {
	case value == "", !properties[property] && !styles[property]:
		return false
	case plainValue.MatchString(value):
		return true
	}
	d.warn(place, property+" is left out, because "+problem.Quoted(value)+" is not a plain value: write numbers, colours or words, "+
		"or refer to an element of the same picture with url(#name)")
	return false
}

// resolve converts the styles of an element and its descendants to attributes.
func (d *drawing) resolve(n *node) {
	n.cascade.merge(d.rules[n.name], 0)
	for class := range n.classes {
		n.cascade.merge(d.rules["."+class], 0)
	}
	n.cascade.merge(d.rules["#"+n.attrs["id"]], 0)
	var style []string
	for property, v := range n.cascade {
		if styles[property] {
			style = append(style, property+":"+v.value)
		} else {
			n.attrs[property] = v.value
		}
	}
	if slices.Sort(style); len(style) > 0 {
		n.attrs["style"] = strings.Join(style, ";")
	}
	d.dashed = d.dashed || n.attrs["stroke-dasharray"] != ""
	d.marked = d.marked || n.attrs["marker-mid"] != ""
	if id := n.attrs["id"]; d.named[id] == nil {
		d.named[id] = n
	}
	for _, child := range n.children {
		if child.name != "" {
			d.resolve(child)
		}
	}
}
