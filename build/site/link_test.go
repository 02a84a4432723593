package site

import (
	"html/template"
	"strings"
	"testing"
)

func TestLinksAreEscapedLikeHTMLTemplateDoes(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	inTemplate := template.Must(template.New("").Funcs(template.FuncMap{"path": s.path}).Parse(`<a href="{{path .To}}">{{.Name}}</a>`))
	attribute := template.Must(template.New("").Parse(`<a href="{{.To}}">`))
	ours := template.Must(template.New("").Funcs(template.FuncMap{"link": s.link}).Parse(`{{link .Name .To}}`))
	href := template.Must(template.New("").Funcs(template.FuncMap{"href": href}).Parse(`<a {{href .To}}>`))
	write := func(t *testing.T, with *template.Template, data any) string {
		var b strings.Builder
		if err := with.Execute(&b, data); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	names := append([]string{"Acme", "C++", "O'Neil & Söhne", "日本", "a/b: c-d_e~f (g)", ""}, hostileTexts...)
	addresses := append([]string{
		"https://market.example/companies/acme", "https://market.example/a b", "https://market.example/ä?x=1&y=%41%zz#z", "/companies", "ftp://a.example", "mailto:a@a.example", "x", "",
	}, hostileAddresses...)
	for _, to := range addresses {
		for _, name := range names {
			data := struct{ Name, To string }{name, to}
			if got, want := write(t, ours, data), write(t, inTemplate, data); got != want {
				t.Errorf("link %q %q is %s, not %s", name, to, got, want)
			}
		}
		data := struct{ To string }{to}
		if got, want := write(t, href, data), write(t, attribute, data); got != want {
			t.Errorf("href %q is %s, not %s", to, got, want)
		}
	}
}
