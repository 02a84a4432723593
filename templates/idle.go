package templates

import (
	"maps"
	"path"
	"slices"
	"strings"
	"text/template/parse"
)

// An Idle is an operator's template that changes no page.
type Idle struct {
	File string
	// Defines lists the templates that it defines, sorted; Used lists those that it
	// could usefully define.
	Defines, Used []string
	// Empty is a name in both lists whose definition is empty, so that the built-in one
	// stays in effect; or "".
	Empty string
}

// IdleTemplates returns those of an operator's templates, given by file name, that
// change no page. If one of them does not parse, it returns none, since that one may
// use the others.
func IdleTemplates(own map[string]string) (all []Idle) {
	shared, layouts := ourNames()
	read := map[string]*names{}
	for file, text := range own {
		n := namesIn(file, text)
		if n == nil {
			return nil
		}
		read[file] = n
	}
	for _, file := range slices.Sorted(maps.Keys(own)) {
		used := maps.Clone(shared.calls)
		layout, ofPage := layouts[file]
		switch {
		case file == siteFrame, ofPage && layout.defines["main"] == nil: // it defines the whole page
			continue
		case ofPage:
			maps.Copy(used, layout.calls)
			used["main"] = true
		default:
			for _, one := range layouts {
				maps.Copy(used, one.calls)
			}
		}
		for other, n := range read {
			if other != file && (other[0] == '_' || !ofPage) {
				maps.Copy(used, n.calls)
			}
		}
		i := Idle{File: file, Used: slices.Sorted(maps.Keys(used))}
		idle := true
		for _, name := range slices.Sorted(maps.Keys(read[file].defines)) {
			i.Defines = append(i.Defines, name)
			switch {
			case !used[name]:
			case parse.IsEmptyTree(read[file].defines[name].Root):
				i.Empty = name
			default:
				idle = false
			}
		}
		if idle {
			all = append(all, i)
		}
	}
	return all
}

// names lists the templates that a file defines and calls.
type names struct {
	defines map[string]*parse.Tree
	calls   map[string]bool
}

// ourNames returns the names of the templates that the shared built-in files call, and
// the names of each layout by its file.
func ourNames() (shared names, layouts map[string]*names) {
	shared.calls, layouts = map[string]bool{}, map[string]*names{}
	files, err := siteHTML.ReadDir("site")
	if err != nil {
		panic(err) // the templates are embedded, so this is a bug
	}
	for _, f := range files {
		text, err := siteHTML.ReadFile(path.Join("site", f.Name()))
		if err != nil {
			panic(err)
		}
		if n := namesIn(f.Name(), string(text)); strings.HasPrefix(f.Name(), "_") {
			maps.Copy(shared.calls, n.calls)
		} else {
			layouts[f.Name()] = n
		}
	}
	return shared, layouts
}

// namesIn returns the names in a template file, or nil if it does not parse.
func namesIn(file, text string) *names {
	n := &names{map[string]*parse.Tree{}, map[string]bool{}}
	tree := parse.New(file)
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", n.defines); err != nil {
		return nil
	}
	for _, one := range n.defines {
		n.call(one.Root)
	}
	delete(n.defines, file)
	return n
}

func (n *names) call(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, one := range list.Nodes {
		switch one := one.(type) {
		case *parse.TemplateNode:
			n.calls[one.Name] = true
		case *parse.IfNode:
			n.call(one.List)
			n.call(one.ElseList)
		case *parse.RangeNode:
			n.call(one.List)
			n.call(one.ElseList)
		case *parse.WithNode:
			n.call(one.List)
			n.call(one.ElseList)
		}
	}
}
