package picture

import (
	"encoding/xml"
	"net/url"
	"slices"
	"strings"
)

const (
	// maxRepeated is how many elements of a drawing may be shown again. A few lines that
	// refer to each other ten times each come to thousands of millions, and the page of
	// whoever looks at them stands still.
	maxRepeated = 100_000
	// maxParts is of how many elements that is found out, and maxLookups by how many
	// looks at elements and rules.
	maxParts   = 200_000
	maxLookups = 2_000_000
)

// repeats counts how often elements are shown: by use, and as pattern, mask, marker and
// the like of others.
type repeats struct {
	parts []part
	open  []int
	// named are the parts by id in small letters: those that differ in case alone count
	// together, since CSS is read in small letters.
	named map[string][]int
	rules []shows
	// by are the rules by name: .class, #id, element, and "" for those of any element.
	by      map[string][]int
	lookups int
	// refers is whether anything refers to an element, and further whether there are
	// more elements than maxParts.
	refers, further bool
}

// part is an element.
type part struct {
	children []int
	classes  []string // in small letters, as element and id are
	element  string
	id       string
	shows
	corners int // of a path or the like
	sum     sum
	state   state
}

// shows are the ids of what a part shows beside its children.
type shows struct {
	once    []string // with the part
	each    []string // with each element in it, since they may inherit it
	corners []string // at each corner of each path in it
}

// sum is how many elements a part comes to where each counts as often as it is shown,
// and how many corners.
type sum struct{ shown, corners int }

type state byte

const (
	unknown state = iota
	counting
	known
)

// begin takes an element that begins.
func (r *repeats) begin(t xml.StartElement) {
	p := part{element: lower(t.Name.Local)}
	for _, a := range t.Attr {
		switch name := lower(a.Name.Local); {
		case a.Name.Space == "xmlns":
		case name == "id" && a.Name.Space == "":
			p.id = lower(a.Value)
		case name == "class" && a.Name.Space == "":
			p.classes = strings.Fields(lower(a.Value))
		case name == "href":
			if id, found := strings.CutPrefix(strip(a.Value), "#"); found && p.element != "a" && p.element != "mpath" && !isAnimation(p.element) {
				p.once = append(p.once, idOf(id))
			}
		case name == "style":
			p.declare(plainCSS(a.Value))
		case name == "d", name == "points":
			p.corners = numbers(a.Value)
		case strings.Contains(a.Value, "#"):
			p.declare(plainCSS(name + ":" + a.Value))
		}
	}
	r.refers = r.refers || !p.none()
	n := len(r.parts)
	if n == maxParts {
		r.further = true
		r.open = append(r.open, n)
		return
	}
	if len(r.open) > 0 {
		parent := &r.parts[r.open[len(r.open)-1]]
		parent.children = append(parent.children, n)
	}
	if p.id != "" {
		if r.named == nil {
			r.named = map[string][]int{}
		}
		r.named[p.id] = append(r.named[p.id], n)
	}
	r.parts, r.open = append(r.parts, p), append(r.open, n)
}

// end takes the end of an element.
func (r *repeats) end() { r.open = r.open[:len(r.open)-1] }

// sheet takes a style sheet.
func (r *repeats) sheet(css string) {
	css = plainCSS(css)
	for from := 0; ; {
		open := strings.IndexByte(css[from:], '{')
		if open < 0 {
			return
		}
		selector := css[from : from+open]
		selector = selector[strings.LastIndexAny(selector, ";}")+1:]
		from += open + 1
		end := strings.IndexAny(css[from:], "{}")
		if end < 0 {
			end = len(css) - from
		}
		var one shows
		if one.declare(css[from : from+end]); one.none() {
			continue
		}
		r.refers = true
		names := []string{""}
		if !strings.ContainsAny(selector, "*:[@\uFFFD") {
			names = strings.FieldsFunc(strings.NewReplacer(".", " .", "#", " #").Replace(selector), func(c rune) bool { return !isNameRune(c) && c != '.' && c != '#' })
		}
		if r.by == nil {
			r.by = map[string][]int{}
		}
		for _, name := range names {
			r.by[name] = append(r.by[name], len(r.rules))
		}
		r.rules = append(r.rules, one)
	}
}

// rulesOf returns the rules that may be of an element.
func (r *repeats) rulesOf(p *part) []int {
	if len(r.rules) == 0 || !r.look(0) {
		return nil
	}
	all := slices.Concat(r.by[""], r.by[p.element], r.by["#"+p.id])
	for _, class := range p.classes {
		all = append(all, r.by["."+class]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (s *shows) none() bool { return len(s.once)+len(s.each)+len(s.corners) == 0 }

// numbers returns how many numbers a path or a list of points has.
func numbers(text string) (all int) {
	within := false
	for i := range len(text) {
		digit := '0' <= text[i] && text[i] <= '9' || text[i] == '.'
		if digit && !within {
			all++
		}
		within = digit
	}
	return all
}

// declare adds the ids that declarations of CSS refer to. What is not known to be of an
// element as a whole may be inherited.
func (s *shows) declare(css string) {
	for declaration := range strings.SplitSeq(css, ";") {
		property, _, _ := strings.Cut(declaration, ":")
		property = strings.TrimPrefix(strings.Trim(property, cssBlanks), "-webkit-")
		to := &s.each
		switch {
		case property == "clip-path", property == "filter", strings.HasPrefix(property, "mask"):
			to = &s.once
		case property == "marker", property == "marker-mid":
			to = &s.corners
		}
		for rest, found := declaration, true; found; {
			if _, rest, found = strings.Cut(rest, "url("); found {
				target, _ := cssTarget(rest)
				if id, ours := strings.CutPrefix(target, "#"); ours {
					*to = append(*to, idOf(id))
				}
			}
		}
	}
}

// idOf returns the id that a fragment names.
func idOf(fragment string) string {
	if id, err := url.PathUnescape(fragment); err == nil {
		fragment = id
	}
	return lower(fragment)
}

// excess reports whether more of the drawing is shown again than may be, or perhaps,
// where it has too many elements to find out.
func (r *repeats) excess() bool {
	if !r.refers || r.further {
		return r.refers
	}
	all, _ := r.count(0)
	return all.shown > r.most()
}

// most is how many elements the drawing may come to.
func (r *repeats) most() int { return len(r.parts) + maxRepeated }

// look takes some looks, and reports whether there are any left.
func (r *repeats) look(n int) bool {
	r.lookups += n
	return r.lookups <= maxLookups
}

// count returns what a part comes to, where more than may be shown is one more. What
// shows itself is not shown there; whole means that there was none of it, so that the
// part comes to the same wherever it is shown.
func (r *repeats) count(n int) (all sum, whole bool) {
	p, tooMany := &r.parts[n], r.most()+1
	switch {
	case !r.look(1):
		return sum{tooMany, tooMany}, true
	case p.state == known:
		return p.sum, true
	case p.state == counting:
		return sum{}, false
	}
	p.state, whole = counting, true
	all = sum{1, p.corners}
	add := func(to *sum, target int) {
		one, same := r.count(target)
		to.shown, to.corners, whole = min(to.shown+one.shown, tooMany), min(to.corners+one.corners, tooMany), whole && same
	}
	addAll := func(to *sum, ids []string) {
		for _, id := range ids {
			for _, target := range r.named[id] {
				if !strings.HasSuffix(r.parts[target].element, "gradient") && r.look(0) { // a colour
					add(to, target)
				}
			}
		}
	}
	for _, child := range p.children {
		add(&all, child)
	}
	var each, corners sum
	show := func(s shows) {
		addAll(&all, s.once)
		addAll(&each, s.each)
		addAll(&corners, s.corners)
	}
	show(p.shows)
	for _, one := range r.rulesOf(p) {
		if r.look(1) {
			show(r.rules[one])
		}
	}
	all.shown = min(all.shown*(1+each.shown)+all.corners*corners.shown, tooMany)
	if !r.look(0) {
		all.shown = tooMany
	}
	if p.state = unknown; whole {
		p.state, p.sum = known, all
	}
	return all, whole
}
