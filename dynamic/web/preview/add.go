package preview

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"souk/templates"
)

// view returns the templates' view of a State.
func (s State) view(id string) templates.PreviewState {
	view := templates.PreviewState{State: id, Before: s.Release != ""}
	for _, m := range s.Mistakes {
		view.Mistakes = append(view.Mistakes, templates.PreviewMistake{
			Place: fmt.Sprintf("%s:%d:%d", m.File, max(m.Line, 1), max(m.Column, 1)), Text: m.Text, Hint: m.Hint(),
		})
	}
	return view
}

// add returns a page with the additions of a preview: script and style at the end of the
// head, the mistakes at the start of the body, and marks on a marked thing's page and after
// each link to it. The home page of an empty market says what to do next. Everything else stays byte for byte the same.
func add(page []byte, s State, id, path string) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(len(page) + 1024)
	z := html.NewTokenizer(bytes.NewReader(page))
	linked, state := "", s.view(id)
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if errors.Is(z.Err(), io.EOF) {
				return out.Bytes(), nil
			}
			return nil, z.Err()
		}
		raw := bytes.Clone(z.Raw())
		token := z.Token()
		var before, after templates.PreviewPart
		var value any = state
		switch {
		case kind == html.EndTagToken && token.DataAtom == atom.Head:
			before = templates.PreviewHead
		case kind == html.StartTagToken && token.DataAtom == atom.Body:
			after = templates.PreviewMistakes
		case kind == html.StartTagToken && token.DataAtom == atom.Main && s.Marks[path] != "":
			after, value = templates.PreviewMark, s.Marks[path]
		case kind == html.StartTagToken && token.DataAtom == atom.Main && s.Empty && path == "/":
			after = templates.PreviewEmpty
		case kind == html.StartTagToken && token.DataAtom == atom.A:
			linked = s.Marks[target(token)]
		case kind == html.EndTagToken && token.DataAtom == atom.A && linked != "":
			after, value, linked = templates.PreviewMark, linked, ""
		}
		if err := write(&out, before, value); err != nil {
			return nil, err
		}
		out.Write(raw)
		if err := write(&out, after, value); err != nil {
			return nil, err
		}
	}
}

func write(out io.Writer, part templates.PreviewPart, value any) error {
	if part == "" {
		return nil
	}
	return templates.WritePreview(out, part, value)
}

// target returns the path that a link points to.
func target(a html.Token) string {
	for _, attribute := range a.Attr {
		if attribute.Key == "href" {
			if u, err := url.Parse(attribute.Val); err == nil {
				return u.Path
			}
		}
	}
	return ""
}
