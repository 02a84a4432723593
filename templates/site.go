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

// The pages of the site. Each layout fills the frame.

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

// SiteEmbed is the script of the pages for embedding in frames.
//
//go:embed site/embed.js
var SiteEmbed string

// SiteComparison builds the comparison table on a host that runs no server. It expects the
// constant units, a string.
//
//go:embed site/compare.js
var SiteComparison string

// SiteDocs is the script of the API reference.
//
//go:embed site/docs.js
var SiteDocs string

// siteFrame is the template that each layout fills.
const siteFrame = "_frame" + siteEnding

const siteEnding = ".html.tmpl"

// OwnTemplates is the prefix that distinguishes an operator's templates from
// built-in ones of the same name in messages.
const OwnTemplates = "theme/"

// SiteLayouts returns the names of the layouts, in order.
func SiteLayouts() (names []string) {
	files, err := siteHTML.ReadDir("site")
	if err != nil {
		panic(err) // the templates are embedded, so this is a bug
	}
	for _, file := range files {
		if name, ok := strings.CutSuffix(file.Name(), siteEnding); ok && name[0] != '_' {
			names = append(names, name)
		}
	}
	return names
}

// SitePages returns the page templates by the name of their layout. Files whose
// names begin with _ are shared by all layouts. An operator's own templates, given
// by file name, are parsed after the built-in ones, so their definitions replace
// ours. Parts of the built-in templates that depend only on the market are
// evaluated once, here, so every function must always return the same result for
// the same arguments.
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

// Initial returns the first letter or digit of a name in upper case. It is shown in
// place of a missing picture and in the market's icon.
func Initial(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return "·"
}
