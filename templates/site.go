package templates

import (
	"embed"
	htmltemplate "html/template"
	"maps"
	"path"
	"slices"
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

// SiteComparison makes the table of a comparison on a host without a program. It needs the
// constant units, a text.
//
//go:embed site/compare.js
var SiteComparison string

// SiteDocs is the script of the page of the API.
//
//go:embed site/docs.js
var SiteDocs string

// siteFrame is the template that each layout fills.
const siteFrame = "_frame" + siteEnding

const siteEnding = ".html.tmpl"

// OwnTemplates begins the names of an operator's templates, which tells them from
// ours of the same name in what is said of them.
const OwnTemplates = "theme/"

// SiteLayouts returns the names of the layouts, in order.
func SiteLayouts() (names []string) {
	files, err := siteHTML.ReadDir("site")
	if err != nil {
		panic(err) // they are part of the program
	}
	for _, file := range files {
		if name, ok := strings.CutSuffix(file.Name(), siteEnding); ok && name[0] != '_' {
			names = append(names, name)
		}
	}
	return names
}

// SitePages returns the templates of the pages by the name of their layout. The
// files whose names begin with _ are shared by all of them. An operator's own, by
// file name, are read after ours, so that what they define takes the place of ours.
// What ours say of the market alone is evaluated once, here: no function may return
// anything else for the same arguments later.
func SitePages(functions htmltemplate.FuncMap, market any, own map[string]string) (map[string]*htmltemplate.Template, error) {
	shared, err := htmltemplate.New("frame").Option("missingkey=error").Funcs(functions).ParseFS(siteHTML, "site/_*"+siteEnding)
	if err != nil {
		return nil, err
	}
	folder := folder{functions, market}
	folder.fold(shared)
	frame := siteFrame
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if name[0] != '_' {
			continue
		}
		if _, err := shared.New(OwnTemplates + name).Parse(own[name]); err != nil {
			return nil, err
		}
		if name == siteFrame {
			frame = OwnTemplates + name
		}
	}
	layouts := map[string]*htmltemplate.Template{}
	for _, name := range SiteLayouts() {
		one, err := shared.Clone()
		if err == nil {
			one, err = one.ParseFS(siteHTML, path.Join("site", name+siteEnding))
		}
		if text, there := own[name+siteEnding]; there && err == nil {
			_, err = one.New(OwnTemplates + name + siteEnding).Parse(text)
		}
		if err != nil {
			return nil, err
		}
		folder.fold(one)
		layouts[name] = one.Lookup(frame)
		if one.Lookup("main") == nil {
			layouts[name] = one.Lookup(name + siteEnding)
			if _, there := own[name+siteEnding]; there {
				layouts[name] = one.Lookup(OwnTemplates + name + siteEnding)
			}
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
