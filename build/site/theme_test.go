package site

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"souk/build/kit/theme"
	"souk/internal/testing/docsection"
	"souk/templates"
)

// withTemplates returns a theme with templates by the name of their layout or part.
func withTemplates(files map[string]string) theme.Theme {
	look := theme.Theme{Files: map[string]string{}}
	for name, text := range files {
		look.Files[name+theme.TemplateEnding] = text
	}
	return look
}

func TestErrorsInATemplateHaveAPosition(t *testing.T) {
	c := market("en", "https://market.example")
	for _, test := range []struct{ name, text, want string }{
		{"product", `{{define "main"}}{{.Doc.Name}}{{end}}`, ""},
		{"product", "{{define \"main\"}}\n\n  {{.Doc.Nmae}}{{end}}", "theme/product.html.tmpl:3:9: the template fails at <.Doc.Nmae>: can't evaluate field Nmae"},
		{"product", "{{define \"main\"}}\n{{if}}{{end}}", "theme/product.html.tmpl:2:1: the template fails: missing value for if"},
		{"product", "{{define \"main\"}}\n{{pirce .}}{{end}}", `theme/product.html.tmpl:2:1: the template fails: function "pirce" not defined (did you mean "price"?)`},
		{"product", `{{define "main"}}{{t "site.nix"}}{{end}}`, `there is no text "site.nix"`},
		{"product", `{{define "main"}}{{t}}{{end}}`, "theme/product.html.tmpl:1:20: the template fails at <t>"},
		{"product", `{{define "main"}}<a href={{if .URL}}"{{end}}>{{end}}`, "theme/product.html.tmpl:1"},
		{"product", `{{define "main"}}{{template "nix"}}{{end}}`, "theme/product.html.tmpl:1:29"},
		{"product", `{{define "main"}}{{template "main" .}}{{end}}`, "theme/product.html.tmpl"},
		{"category", `{{define "main"}}{{index .Doc.Listings.Items 0}}{{end}}`, "theme/category.html.tmpl:1:20: the template fails at <index .Doc.Listings.Items 0>"},
		{"home", `{{define "main"}}<img src="{{asset "paper.svg"}}">{{end}}`, `there is no file "paper.svg" in the theme`},
		{"artcle", `{{define "main"}}{{end}}`, `theme/artcle.html.tmpl:1:1: no page has a template of this name (did you mean "article"?)`},
		{"product", `hello {{.Doc.Name}}`, `theme/product.html.tmpl:1:1: it defines no template, so no page uses it (write {{define "main"}} before the content of the page and {{end}} after it)`},
		{"product", "", `theme/product.html.tmpl:1:1: it defines no template`},
		{"product", "{{/* later */}}", `theme/product.html.tmpl:1:1: it defines no template`},
		{"product", `{{define "mian"}}a{{end}}`, `theme/product.html.tmpl:1:1: no page uses the templates that it defines (did you mean "main"?)`},
		{"product", `{{define "main"}}{{end}}`, `theme/product.html.tmpl:1:1: the template "main" is empty, so the built-in one is used (to show nothing, write {{""}} in it)`},
		{"product", `{{define "charts"}}of another page{{end}}`, `theme/product.html.tmpl:1:1: no page uses the templates that it defines`},
		{"product", `{{define "price"}}on this page alone{{end}}`, ""},
		{"_foo", `{{define "footr"}}a{{end}}`, `theme/_foo.html.tmpl:1:1: no page uses the templates that it defines (did you mean "footer"?)`},
		{"_foo", `{{define "own"}}a{{end}}{{define "other"}}{{template "own"}}{{end}}`, `theme/_foo.html.tmpl:1:1: no page uses the templates that it defines (docs/reference/theme.md lists the templates that a theme may define)`},
		{"_foo", "", `theme/_foo.html.tmpl:1:1: it defines no template, so no page uses it (docs/reference/theme.md lists the templates that a theme may define)`},
		{"_foo", `{{define "footer"}} {{end}}`, `theme/_foo.html.tmpl:1:1: the template "footer" is empty, so the built-in one is used (to show nothing, write {{""}} in it)`},
		{"_foo", `{{define "footer"}}{{""}}{{end}}`, ""},
		{"_foo", `{{define "charts"}}of one page{{end}}`, ""},
		{"_parts", `{{define "cards"}}{{range .}}{{.Nmae}}{{end}}{{end}}`, "theme/_parts.html.tmpl:1:32: the template fails at <.Nmae>"},
		{"_frame", `<html lang="en"><body>{{template "main" .}}</body></html>`, `pages lack <link rel="canonical" href=" (write {{template "head" .}} within <head>)`},
		{"_frame", `<html lang="en"><head>{{template "head" .}}</head><body>{{template "main" .}}</body></html>`, ""},
		{"_frame", `<html lang="en"><head>{{template "head" .}}</head><body></body></html>`,
			`theme/_frame.html.tmpl:1:1: pages lack their main content (write {{template "main" .}} where the page goes)`},
		{"_frame", `{{define "frame"}}<html lang="en"><head>{{template "head" .}}</head><body>{{template "main" .}}</body></html>{{end}}`,
			`pages lack <link rel="canonical" href=" (remove {{define "frame"}} and its {{end}}: the whole file is the frame)`},
		{"_own", `{{define "head"}}<meta name="theme-color" content="#fff">{{end}}`,
			`theme/_own.html.tmpl:1:1: pages lack <link rel="canonical" href=" (keep everything that the built-in one has; see templates/site/_frame.html.tmpl)`},
	} {
		list := Check(c, withTemplates(map[string]string{test.name: test.text}))
		if got := fmt.Sprint(list); !strings.Contains(got, test.want) || test.want == "" && len(list) > 0 {
			t.Errorf("of %s %s is said\n%s, not\n%s", test.name, test.text, got, test.want)
		}
	}
}

func TestATemplateUsedByAnotherTemplateOfTheThemeIsNotUnused(t *testing.T) {
	c := market("en", "https://market.example")
	for name, files := range map[string]map[string]string{
		"of a page":        {"_own": `{{define "own"}}a{{end}}`, "product": `{{define "main"}}{{template "own"}}{{end}}`},
		"within something": {"_own": `{{define "own"}}a{{end}}`, "_foot": `{{define "footer"}}{{if .}}{{else}}{{range .Crumbs}}{{with .}}{{template "own"}}{{end}}{{end}}{{end}}{{end}}`},
	} {
		if list := Check(c, withTemplates(files)); len(list) > 0 {
			t.Errorf("%s it is said %v", name, list)
		}
	}
}

func TestTemplatesThatDoNotFitTogetherAreReportedByFile(t *testing.T) {
	const open = `{{define "main"}}<div {{end}}`
	for _, test := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"a page's", map[string]string{"product": open}, []string{"theme/product.html.tmpl"}},
		{"that of all pages", map[string]string{"_foot": `{{define "footer"}}<a href="{{end}}`}, []string{"theme/_foot.html.tmpl"}},
		{"the frame", map[string]string{"_frame": `<head>{{template "head" .}}</head>{{template "main" .}}<a href=`, "_foot": `{{define "footer"}}a{{end}}`}, []string{"theme/_frame.html.tmpl"}},
		{"two of them", map[string]string{"product": open, "seller": open, "service": `{{define "main"}}a{{end}}`}, []string{"theme/product.html.tmpl", "theme/seller.html.tmpl"}},
		{"two on one page", map[string]string{"product": open, "_foot": `{{define "footer"}}<p {{end}}`}, []string{"theme/_foot.html.tmpl", "theme/product.html.tmpl"}},
		{"one with another", map[string]string{"product": `{{define "main"}}<a {{template "own"}}{{end}}`, "_own": `{{define "own"}}href="{{end}}`}, []string{"theme/_own.html.tmpl"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			list := Check(market("en", "https://market.example"), withTemplates(test.files))
			var files []string
			for _, p := range list {
				if !strings.HasPrefix(p.Text, "the templates do not fit together: ") || strings.Contains(p.Text, "html.tmpl") {
					t.Errorf("told is %s", p)
				}
				files = append(files, p.File)
			}
			if files = slices.Compact(files); !slices.Equal(files, test.want) {
				t.Errorf("at fault are %v, not %v", files, test.want)
			}
		})
	}
}

func TestEveryUnreadableTemplateIsReported(t *testing.T) {
	list := Check(market("en", "https://market.example"), withTemplates(map[string]string{"product": "{{", "service": "{{end}}", "seller": `{{define "main"}}{{.Doc.Nix}}{{end}}`}))
	var files []string
	for _, p := range list {
		files = append(files, p.File)
	}
	if files = slices.Compact(files); len(files) != 3 {
		t.Errorf("told are %v", list)
	}
}

func TestTheBuiltInTemplateRendersPagesOnWhichAThemeFails(t *testing.T) {
	s, err := New(market("en", "https://market.example"), withTemplates(map[string]string{"missing": `{{define "main"}}{{index .Doc.Nix 0}}{{end}}`}))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Faults()) != 1 {
		t.Errorf("told is %v", s.Faults())
	}
	body, err := s.rendered(s.missing())
	if plain, _ := newSite(t, market("en", "https://market.example")).rendered(s.missing()); err != nil || string(body) != string(plain) {
		t.Errorf("the page is %s, %v", body, err)
	}
}

// A theme's templates escape text for its context, as ours do.
func TestPicturesOfMapsUseTheColoursOfTheMarket(t *testing.T) {
	const dark = "@media(prefers-color-scheme:dark){"
	for _, test := range []struct {
		look      theme.Theme
		want, not string
	}{
		{theme.Theme{}, "margin:8mm}}</style>", ""},
		{theme.Theme{Accent: "#6b2d5c"}, ".i{fill:#6b2d5c}a:focus-visible{outline-color:#6b2d5c}" + dark, "#e3a6d3"},
		{theme.Theme{Accent: "#6b2d5c", AccentDark: "#e3a6d3"}, dark + ".n{fill:#323033}.i{fill:#e3a6d3}a:focus-visible{outline-color:#e3a6d3}}</style>", ""},
		{theme.Theme{AccentDark: "#e3a6d3"}, "margin:8mm}}" + dark + ".n{fill:#323033}.i{fill:#e3a6d3}", ""},
	} {
		s, err := New(market("en", "https://market.example"), test.look)
		if err != nil {
			t.Fatal(err)
		}
		picture := rendered(t, s, aMarket(s)["map"])["market-maps/all.svg"]
		if !strings.Contains(picture, test.want) || test.not != "" && strings.Contains(picture, test.not) {
			t.Errorf("the picture of a market with %q and %q has not %s, or has %s:\n%s", test.look.Accent, test.look.AccentDark, test.want, test.not, picture)
		}
	}
}

func TestTemplatesOfAThemeEscape(t *testing.T) {
	s, err := New(market("en", "https://market.example"), withTemplates(map[string]string{
		"notice": `{{define "main"}}<p title="{{.Title}}">{{.Title}}</p><a href="{{.Title}}">a</a><script>x = {{.Title}}</script>{{end}}`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	v := s.missing()
	v.Layout, v.Title = "notice", `javascript:alert('"</p><script>')`
	body, err := s.rendered(v)
	if err != nil {
		t.Fatal(err)
	}
	_, main, _ := strings.Cut(string(body), `<main`)
	main, _, _ = strings.Cut(main, "</main>")
	for _, bad := range []string{`'"</p>`, `href="javascript:`, `<script>')`} {
		if strings.Contains(main, bad) {
			t.Errorf("%s is in %s", bad, main)
		}
	}
}

// functionDocs describes the functions of templates.
// TestTheGuideToThemesListsWhatTemplatesReceive checks that the list is complete.
var functionDocs = map[string]string{
	"t":     "a text of the site in the market's language, by its key (`templates/texts/en.yaml`), with values for its placeholders: `{{t \"site.by\" \"authors\" \"Ada\"}}`",
	"asset": "the address of a picture or font of the theme: `{{asset \"waves.svg\"}}`",
	"at":    "the address of a path of the site: `{{at \"/companies\"}}`", "path": "the path of an address on the site; another address unchanged",
	"style": "the address of the style sheet", "script": "the address of the script", "comparisonScript": "the address of the script of a comparison", "icon": "the address of the icon",
	"logo": "the address of the logo, or of the icon", "logoWidth": "the width of the logo at a height of 32 pixels", "direction": "`ltr` or `rtl`",
	"count": "a whole number, formatted for the language", "number": "a number, formatted for the language", "date": "the day of a date, formatted for the language",
	"price": "an amount with its currency, formatted for the language", "oddDigits": "the currencies that do not have two decimal digits, with their number, as in `JPY 0`", "country": "the name of a country code", "language": "the name of a language tag",
	"kindText": "the name of a kind: `product`, `article` …", "rootText": "the name of a root: `product`, `service`",
	"proofText": "the name of a kind of proof", "deliveryText": "the name of a kind of delivery", "filterText": "the name of a filter of search",
	"outcomeText": "the outcome of a form in words", "join": "texts, separated by commas", "initial": "the first letter or digit of a name",
	"prose": "Markdown as HTML: `{{prose .Doc.Description \"noopener\" .Doc.Media true}}`, with the `rel` of links, the pictures whose size is known, whether to load the first picture at once, and the level of the highest heading (2 by default): `{{prose .Doc.Description \"nofollow noopener ugc\" .Doc.Pictures false 3}}`",
	"host":  "the host of an address", "outside": "a web address on another site, else nothing",
	"fact": "a fact, with its address if it is a link", "shown": "a picture for a frame of the page, with its index in a list (index 0 is loaded at once): `{{with shown \"card\" 0 .Image}}{{template \"img\" .}}{{end}}`", "related": "related things by their relation: the first 12 and the rest, with the total",
	"shot": "the picture of a card, or the first letter of its name", "one": "whether a list contains exactly one picture", "plus": "several lists of pictures as one",
	"embed": "the address of the script for pages in frames", "embedCode": "the HTML that embeds the page in another site",
	"again": "whether a text repeats another", "value": "the value of an attribute with its unit", "columns": "the attributes that variants have",
	"cell": "the value of an attribute of a variant", "skus": "whether any variant has a SKU", "gtins": "whether any variant has a GTIN", "prices": "whether any variant has a price",
	"pageOf": "the page of a document's address", "big": "whether a map has too many entries to list", "place": "a head office in words", "address": "the lines of a postal address",
	"detail": "a detail of a company, with its link if it is an address, a domain or a telephone number", "telephone": "the `tel:` address of a telephone number", "first": "the first of some companies",
	"charts":      "how a category's listings spread over countries and prices: charts with `Title`, and the bars of `First` and `Rest`",
	"filterables": "the filters of a category, as on the page of a search, but each value has the `URL` of its search: `{{template \"sets\" (filterables .Doc)}}`",
	"counted":     "a text about a number, such as `site.counts.products`, with the number in bold",
	"kindOf":      "the kind of a related thing, and the root of a category",
	"described":   "Souk's own Markdown about the API as HTML",
	"understood":  "how a part of a query was understood, in words", "unshown": "the pictures that a Markdown text does not show: `{{unshown .Doc.Source .Doc.Media}}`", "last": "whether an index is the last one of a list of this length",
	"link": "a link: `{{link .Doc.Seller.Name .Doc.Seller.URL}}`, relative for pages of the site", "href": "the attribute `href` with an address: `<a {{href .Doc.URL}}>`",
	"ask": "the address for questions about an offer, from its actions, or nothing", "availabilityText": "the name of an availability", "availabilities": "whether any variant has an availability",
	"filled": "the variants of a product, completed with the product's own attributes", "listPrice": "the price before a reduction, or nothing", "size": "a number of bytes in words",
	"valued":  "the address of a search by a value of an attribute: `{{valued .Name .Value}}`",
	"website": "the page of an offer on the company's own site, from its actions, or nothing",
}

// TestTheGuideToThemesListsWhatTemplatesReceive compares the tables of
// docs/reference/theme.md with the types; -update rewrites them.
func TestTheGuideToThemesListsWhatTemplatesReceive(t *testing.T) {
	docsection.Hold(t, "../../docs/reference/theme.md", "<!-- template data -->\n", "<!-- /template data -->", themeTables(t), *update)
}

func themeTables(t *testing.T) string {
	comments := fieldComments(t)
	s, err := New(market("en", "https://market.example"), withTemplates(map[string]string{"missing": `{{define "main"}}{{end}}`}))
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]reflect.Type{}
	for _, v := range s.samples() {
		docs[v.Layout] = reflect.TypeOf(v.Doc)
	}
	var b strings.Builder
	b.WriteString("\n## Templates\n\n| file | `.Doc` |\n|---|---|\n")
	var types []reflect.Type
	for _, layout := range templates.SiteLayouts() {
		of, sampled := docs[layout]
		if !sampled {
			t.Errorf("no sample has the layout %s", layout)
			continue
		}
		name := "nothing"
		if of != nil {
			name = "`" + of.Name() + "`"
			if !slices.Contains(types, of) {
				types = append(types, of)
			}
		}
		fmt.Fprintf(&b, "| `%s.html.tmpl` | %s |\n", layout, name)
	}
	types = append([]reflect.Type{reflect.TypeFor[view]()}, types...)
	for i := 0; i < len(types); i++ {
		fmt.Fprintf(&b, "\n## %s\n\n| field | type | meaning |\n|---|---|---|\n", typeTitle(types[i]))
		for _, f := range reflect.VisibleFields(types[i]) {
			if !f.IsExported() || f.Anonymous {
				continue
			}
			text := f.Tag.Get("doc")
			if text == "" {
				text = comments[f.Name+" of "+ownerOf(types[i], f).Name()]
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, typeWord(f.Type), text)
			of := f.Type
			for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if of.Kind() == reflect.Struct && strings.HasPrefix(of.PkgPath(), "souk/build/") && !slices.Contains(types, of) {
				types = append(types, of)
			}
		}
	}
	b.WriteString("\n## Parts\n\nTemplates that pages share, and the built-in file of each:\n\n| part | file |\n|---|---|\n")
	parts := sharedParts(t)
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", part, parts[part])
	}
	b.WriteString("\n## Functions\n\nIn addition to the functions of Go's [text/template](https://pkg.go.dev/text/template#hdr-Functions):\n\n| function | returns |\n|---|---|\n")
	functions := s.functions()
	names := append(slices.Collect(maps.Keys(functions)), "asset", "at", "style", "script", "icon", "logo", "logoWidth", "direction")
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if functionDocs[name] == "" {
			t.Errorf("nothing says what the function %s does", name)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, functionDocs[name])
	}
	b.WriteString("\n")
	return b.String()
}

// sharedParts returns the built-in file of each template that pages share.
func sharedParts(t *testing.T) map[string]string {
	files, err := filepath.Glob("../../templates/site/_*.html.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range partName.FindAllSubmatch(text, -1) {
			parts[string(found[1])] = filepath.Base(file)
		}
	}
	return parts
}

var partName = regexp.MustCompile(`\{\{(?:define|block) "(\w+)"`)

func typeTitle(of reflect.Type) string {
	if of == reflect.TypeFor[view]() {
		return "Every page: `.`"
	}
	return "`" + of.Name() + "`"
}

func ownerOf(of reflect.Type, f reflect.StructField) reflect.Type {
	for _, at := range f.Index[:len(f.Index)-1] {
		of = of.Field(at).Type
	}
	return of
}

func typeWord(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Slice:
		return "list of " + typeWord(of.Elem())
	case reflect.Array:
		return fmt.Sprintf("pair of %ss", typeWord(of.Elem()))
	case reflect.Pointer:
		return typeWord(of.Elem()) + " or nothing"
	case reflect.String:
		return "text"
	case reflect.Int, reflect.Int64:
		return "number"
	case reflect.Bool:
		return "yes or no"
	case reflect.Interface:
		return "any"
	}
	return "`" + of.Name() + "`"
}

// fieldComments returns the comments above fields of types, by "Field of Type".
func fieldComments(t *testing.T) map[string]string {
	comments := map[string]string{}
	for _, dir := range []string{".", "../document"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), dir+"/"+e.Name(), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				if of, ok := spec.Type.(*ast.StructType); ok {
					for _, f := range of.Fields.List {
						for _, name := range f.Names {
							comments[name.Name+" of "+spec.Name.Name] = strings.Join(strings.Fields(f.Doc.Text()), " ")
						}
					}
				}
				return true
			})
		}
	}
	return comments
}
