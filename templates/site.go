package templates

import (
	"embed"
	htmltemplate "html/template"
	"path"
	"strings"
	"unicode"
)

// The pages for people. Each layout fills the frame.

//go:embed site/*.html.tmpl
var siteHTML embed.FS

// SiteStyle is the style sheet of all pages.
//
//go:embed site/style.css
var SiteStyle string

// SiteScript is the script of all pages, which work without it.
//
//go:embed site/script.js
var SiteScript string

// SiteEmbed is the script of the pages that are made for frames.
//
//go:embed site/embed.js
var SiteEmbed string

// SitePages returns the templates of the pages by the name of their layout. The
// files whose names begin with _ are shared by all of them. A layout fills the main
// part of the frame, or is a page of its own where it defines none. Calls of a Constant with
// literal arguments are made once, here.
func SitePages(functions htmltemplate.FuncMap, constants map[string]Constant) (map[string]*htmltemplate.Template, error) {
	shared, err := htmltemplate.New("frame").Option("missingkey=error").Funcs(functions).ParseFS(siteHTML, "site/_*.html.tmpl")
	if err != nil {
		return nil, err
	}
	files, err := siteHTML.ReadDir("site")
	if err != nil {
		return nil, err
	}
	layouts := map[string]*htmltemplate.Template{}
	for _, file := range files {
		name, ok := strings.CutSuffix(file.Name(), ".html.tmpl")
		if !ok || name[0] == '_' {
			continue
		}
		one, err := shared.Clone()
		if err == nil {
			one, err = one.ParseFS(siteHTML, path.Join("site", file.Name()))
		}
		if err != nil {
			return nil, err
		}
		fold(one, constants)
		layouts[name] = one.Lookup("_frame.html.tmpl")
		if one.Lookup("main") == nil {
			layouts[name] = one.Lookup(file.Name())
		}
	}
	return layouts, nil
}

// Initial returns the first letter or digit of a name, as a capital: what stands
// where there is no picture, and the market's sign.
func Initial(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return "·"
}
