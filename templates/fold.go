package templates

import (
	htmltemplate "html/template"
	"strings"
	"text/template/parse"
)

// A folder replaces the parts of the built-in templates that are the same on every
// page with their output, since most of a page is constant.
type folder struct {
	functions htmltemplate.FuncMap
	// market is the only data that such a part may use.
	market any
}

// fold folds the built-in templates of t. It does not change an operator's
// templates.
func (f folder) fold(t *htmltemplate.Template) {
	for _, one := range t.Templates() {
		if one.Tree != nil && !strings.HasPrefix(one.Tree.ParseName, OwnTemplates) {
			f.list(one.Tree.Root)
		}
	}
}

func (f folder) list(list *parse.ListNode) {
	if list == nil {
		return
	}
	for i, n := range list.Nodes {
		var branch *parse.BranchNode
		pipe := (*parse.PipeNode)(nil)
		switch n := n.(type) {
		case *parse.ActionNode:
			pipe = n.Pipe
		case *parse.IfNode:
			branch = &n.BranchNode
		case *parse.RangeNode:
			branch = &n.BranchNode
		case *parse.WithNode:
			branch = &n.BranchNode
		}
		if branch != nil {
			pipe = branch.Pipe
		}
		if pipe == nil {
			continue
		}
		if text, ok := f.executed(n, pipe); ok {
			list.Nodes[i] = &parse.TextNode{NodeType: parse.NodeText, Pos: n.Position(), Text: text}
		} else if branch != nil {
			f.list(branch.List)
			f.list(branch.ElseList)
		}
	}
}

// executed returns a node's output if it is the same on every page: its pipeline is a
// field of the market or a function with literal arguments. A node that fails, for
// example because a text does not exist, is left alone so that rendering the page
// reports where.
func (f folder) executed(n parse.Node, pipe *parse.PipeNode) (text []byte, ok bool) {
	if len(pipe.Decl) > 0 || len(pipe.Cmds) != 1 {
		return nil, false
	}
	words := pipe.Cmds[0].Args
	switch first := words[0].(type) {
	case *parse.FieldNode:
		ok = first.Ident[0] == "Market"
	case *parse.IdentifierNode:
		ok = true
	}
	for _, word := range words[1:] {
		ok = ok && word.Type() == parse.NodeString
	}
	if !ok {
		return nil, false
	}
	var b strings.Builder
	part := &parse.Tree{Root: &parse.ListNode{NodeType: parse.NodeList, Nodes: []parse.Node{n.Copy()}}}
	t, err := htmltemplate.New("").Option("missingkey=error").Funcs(f.functions).AddParseTree("part", part)
	if err == nil {
		err = t.Execute(&b, map[string]any{"Market": f.market})
	}
	return []byte(b.String()), err == nil
}
