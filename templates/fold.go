package templates

import (
	"html"
	htmltemplate "html/template"
	"text/template/parse"
)

// A Constant is a function of templates that returns the same text whenever its
// arguments are the same.
type Constant func(arguments ...string) string

// fold puts the text of a Constant in the place of each call that has nothing but
// literal arguments: most of a page is the same on all of them.
func fold(t *htmltemplate.Template, constants map[string]Constant) {
	for _, one := range t.Templates() {
		if one.Tree != nil {
			foldList(one.Tree.Root, constants)
		}
	}
}

func foldList(list *parse.ListNode, constants map[string]Constant) {
	if list == nil {
		return
	}
	for i, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			if text, ok := constant(n.Pipe, constants); ok {
				list.Nodes[i] = &parse.TextNode{NodeType: parse.NodeText, Pos: n.Pos, Text: []byte(html.EscapeString(text))}
			}
		case *parse.IfNode:
			foldList(n.List, constants)
			foldList(n.ElseList, constants)
		case *parse.RangeNode:
			foldList(n.List, constants)
			foldList(n.ElseList, constants)
		case *parse.WithNode:
			foldList(n.List, constants)
			foldList(n.ElseList, constants)
		}
	}
}

// constant returns what a pipeline always gives. A Constant that panics, at a text
// that there is not, for instance, is left for when the template is executed, which
// tells where.
func constant(p *parse.PipeNode, constants map[string]Constant) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if len(p.Decl) > 0 || len(p.Cmds) != 1 {
		return "", false
	}
	words := p.Cmds[0].Args
	name, ok := words[0].(*parse.IdentifierNode)
	if !ok || constants[name.Ident] == nil {
		return "", false
	}
	var arguments []string
	for _, word := range words[1:] {
		literal, ok := word.(*parse.StringNode)
		if !ok {
			return "", false
		}
		arguments = append(arguments, literal.Text)
	}
	return constants[name.Ident](arguments...), true
}
