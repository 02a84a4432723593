package catalog

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"souk/build/kit/problem"
	"souk/build/kit/unit"
)

// unread warns about attributes that are text in most listings of a category although each
// text is a number to its author ("850 mm", "8,5"), or yes or no. Filters by range or truth
// value do not find them. It is these texts that should change, not the few numbers.
func (c *Catalog) unread(all map[*Node]unreadTexts) (list problem.List) {
	for n, texts := range all {
		for name, text := range texts {
			if _, above := all[n.parent][name]; !above { // else the category above reports it
				list = append(list, c.unreadIn(n, name, text))
			}
		}
	}
	return list
}

// unreadIn returns the warning about one attribute, at the first listing that has it.
func (c *Catalog) unreadIn(n *Node, name, text string) (first problem.Problem) {
	what, remedy := numberIn(text)
	look := func(o *Offer, attributes []Attribute) {
		for i := range attributes {
			if a := &attributes[i]; a.Kind == TextValue && c.reader.fold(a.Name) == name {
				p := at(&o.Head, a.At(), fmt.Sprintf("the attribute %q is text in most listings of %s, as in %q: %s", a.Name, n.ref, text, what), remedy)
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

// unreadTexts maps the names of unreadable attributes to the first of their texts. Such an
// attribute is text in most listings, and each text is a number or a truth value to people.
type unreadTexts map[string]string

// firstNumber returns the first text if all are numbers or truth values to people, otherwise
// "".
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

// numberIn reports why no filter finds a text that is a number with a unit, a number with a
// decimal comma, or yes or no, and how to write it instead; "" for another text. A bare number
// may be an article number, which belongs in quotes, so it does not count; nor does a number
// directly followed by a letter, such as 3D or 4K.
func numberIn(text string) (what, remedy string) {
	if strings.EqualFold(text, "yes") || strings.EqualFold(text, "no") {
		return "filters do not treat it as yes or no", "write true or false; pages show it in the marketplace's language"
	}
	symbol := strings.TrimLeft(text, "0123456789.,+-−")
	digits := strings.TrimSuffix(text, symbol)
	number := strings.Replace(strings.Replace(digits, "−", "-", 1), ",", ".", 1)
	if _, ok := unit.ParseDecimal(number); !ok {
		return "", ""
	}
	if at := strings.IndexByte(number, '.'); at > 0 && len(number)-at == 4 {
		number = "8.5" // 1,200 may be a thousand or slightly more than one
	}
	bare := strings.TrimSpace(symbol)
	switch _, known := unit.Parse(bare); {
	case bare == "" && strings.Contains(digits, ","):
		return "no range filter finds it", "write a number with a point, as in " + number
	case bare == "" || !known || bare == symbol && utf8.RuneCountInString(symbol) == 1:
		return "", ""
	}
	if first, _ := utf8.DecodeRuneInString(bare); !unicode.IsLetter(first) {
		bare = fmt.Sprintf("%q", bare) // % has a meaning in YAML
	}
	return "no range filter finds it", fmt.Sprintf("write it as in {value: %s, unit: %s}", number, bare)
}
