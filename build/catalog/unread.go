package catalog

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"souk/build/kit/problem"
	"souk/build/kit/unit"
)

// unread warns of attributes that are text in most listings of a category although each
// text is a number to its author ("850 mm", "8,5"), or yes or no. No range and no truth
// value finds them, and it is they, not the few that are numbers, which are to be changed.
func (c *Catalog) unread(all map[*Node]unreadTexts) (list problem.List) {
	for n, texts := range all {
		for name, text := range texts {
			if _, above := all[n.parent][name]; !above { // else it is told of the category above
				list = append(list, c.unreadIn(n, name, text))
			}
		}
	}
	return list
}

// unreadIn returns the warning of one attribute, at the first listing that has it.
func (c *Catalog) unreadIn(n *Node, name, text string) (first problem.Problem) {
	what, remedy := numberIn(text)
	look := func(o *Offer, attributes []Attribute) {
		for i := range attributes {
			if a := &attributes[i]; a.Kind == TextValue && c.reader.fold(a.Name) == name {
				p := at(&o.Head, a.At(), fmt.Sprintf("the attribute %q is text in most of %s, as in %q: %s", a.Name, n.ref, text, what), remedy)
				p.Warning = true
				if first.File == "" || p.File < first.File {
					first = p
				}
				return
			}
		}
	}
	for _, listed := range n.lists[Listings] {
		if o := listed.offer(); o != nil {
			look(o, o.Attributes)
			for i := range o.Variants {
				look(o, o.Variants[i].Attributes)
			}
		}
	}
	return first
}

// unreadTexts lead from the names of the attributes that most listings have as text, each a
// number or a truth value to people, to the first of these texts.
type unreadTexts map[string]string

// firstNumber returns the first of the texts if all are numbers or truth values to people,
// else "".
func (u *usage) firstNumber() (first string) {
	for _, held := range u.texts {
		text := held.most()
		if what, _ := numberIn(text); what == "" {
			return ""
		}
		if first == "" || text < first {
			first = text
		}
	}
	return first
}

// numberIn returns what no search finds by a text that is a number with a unit, one with a
// decimal comma, or yes or no, and how to write it; "" if it is none. A number alone is
// none: it may be an article number, which quotes are for. Nor is one with a letter right
// behind it, as 3D and 4K.
func numberIn(text string) (what, remedy string) {
	if strings.EqualFold(text, "yes") || strings.EqualFold(text, "no") {
		return "no filter finds it as a yes or no", "write true or false, which pages show in the language of the marketplace"
	}
	symbol := strings.TrimLeft(text, "0123456789.,+-−")
	digits := strings.TrimSuffix(text, symbol)
	number := strings.Replace(strings.Replace(digits, "−", "-", 1), ",", ".", 1)
	if _, ok := unit.ParseDecimal(number); !ok {
		return "", ""
	}
	if at := strings.IndexByte(number, '.'); at > 0 && len(number)-at == 4 {
		number = "8.5" // 1,200 is a thousand to some and little more than one to others
	}
	bare := strings.TrimSpace(symbol)
	switch _, known := unit.Parse(bare); {
	case bare == "" && strings.Contains(digits, ","):
		return "no range finds it", "write a number with a point, as in " + number
	case bare == "" || !known || bare == symbol && utf8.RuneCountInString(symbol) == 1:
		return "", ""
	}
	if first, _ := utf8.DecodeRuneInString(bare); !unicode.IsLetter(first) {
		bare = fmt.Sprintf("%q", bare) // % would begin something else in YAML
	}
	return "no range finds it", fmt.Sprintf("write it as in {value: %s, unit: %s}", number, bare)
}
