package site

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/build/export/mappicture"
	"souk/build/kit/problem"
	"souk/build/kit/theme"
	"souk/templates"
)

// A dress is the shared files of pages with a look.
type dress struct {
	files []File
	// style and logo are files below the site. The logo is 32 pixels high.
	style, logo string
	logoWidth   int
	// assets contains the file of each of the theme's own files.
	assets map[string]string
}

// dress returns the files of a look and sets the values that every page uses from it.
func (s *Site) dress(look theme.Theme) (*dress, error) {
	accent, strong, on, ok := look.Colours()
	if !ok {
		accent, strong, on = "#0b5c4a", "#084638", "#fff"
	}
	d := &dress{logo: document.FaviconFile, logoWidth: logoHeight, assets: map[string]string{}}
	for _, file := range look.Public() {
		one := asset("theme", strings.TrimPrefix(path.Ext(file), "."), look.Files[file])
		if !slices.ContainsFunc(d.files, func(f File) bool { return f.Name == one.Name }) {
			d.files = append(d.files, one)
		}
		d.assets[file] = one.Name
	}
	sheet, faults := look.Style(func(file string) string { return path.Base(d.assets[file]) })
	if mistakes, _ := theme.Problems(templates.OwnTemplates+theme.StyleFile, faults).Split(); len(mistakes) > 0 {
		return nil, &problem.Error{Mistakes: mistakes}
	}
	if sheet != "" {
		sheet = "\n" + sheet
	}
	style := asset("style", "css", templates.SiteStyle+sheet)
	icon := File{document.FaviconFile, favicon(s.market.Name, accent, on)}
	if own, there := look.Files[theme.FaviconFile]; there {
		icon.Body = signed(own)
	}
	picture := asset("preview", "png", string(preview(s.market.Name, rgb(accent), rgb(strong))))
	d.style, s.image = style.Name, s.market.SiteURL+"/"+picture.Name
	d.files = append(d.files, style, icon, picture)
	if file := look.LogoFile(); file != "" && d.assets[file] != "" {
		d.logo = d.assets[file]
		if width, height := look.Size(file); width > 0 && height > 0 {
			d.logoWidth = max(1, (logoHeight*width+height/2)/height)
		}
		if path.Ext(file) != ".svg" {
			s.image = s.market.SiteURL + "/" + d.logo
		}
	}
	light, dark := look.Marks()
	s.light, s.dark = mappicture.Colours(light), mappicture.Colours(dark)
	s.policy = policy(s.market.APIURL, look.Fonts())
	return d, nil
}

const logoHeight = 32

// address returns the template function for the address of a theme's file.
func (d *dress) address(prefix string) func(file string) (string, error) {
	return func(file string) (string, error) {
		if name := d.assets[file]; name != "" {
			return prefix + "/" + name, nil
		}
		return "", fmt.Errorf("there is no file %q in the theme", file)
	}
}

var svgStart = regexp.MustCompile(`<svg(?:[^>"']|"[^"]*"|'[^']*')*>`)

// signed returns an SVG with the mark that distinguishes files written by Souk.
func signed(svg string) []byte {
	at := svgStart.FindStringIndex(svg)
	if at == nil || strings.HasSuffix(svg[:at[1]], "/>") {
		return []byte(svg)
	}
	return []byte(svg[:at[1]] + "<metadata>" + document.Generator + "</metadata>" + svg[at[1]:])
}

func rgb(colour string) color.RGBA {
	n, _ := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32) // the colour has been validated
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

func mistaken(list problem.List) error {
	if len(list) == 0 {
		return nil
	}
	list.Sort()
	return &problem.Error{Mistakes: list}
}

// The messages of the template packages, with the position, for parsing, escaping and
// executing.
var (
	templateSays = regexp.MustCompile(`^(?:html/)?template: ?(` + templates.OwnTemplates + `[^:]*):(\d+)(?::(\d+))?: (?s:(.*))$`)
	ourPlace     = regexp.MustCompile(`^(?:html/)?template: ?[^: ]*(:\d+)*: `)
	executing    = regexp.MustCompile(`^executing "[^"]*" at (?s:(<.*>)): (.*)$`)
)

// templateProblem returns the reason why one of the operator's templates failed.
func templateProblem(err error) problem.Problem {
	text := err.Error()
	found := templateSays.FindStringSubmatch(text)
	if found == nil {
		// The failure is in a built-in template, for example because the operator's leaves an
		// element open.
		return problem.Problem{File: templates.OwnTemplates, Text: "the templates do not fit together: " + ourPlace.ReplaceAllString(text, "")}
	}
	p := problem.Problem{File: found[1], Text: "the template fails: " + found[4]}
	p.Line, _ = strconv.Atoi(found[2]) // only digits
	if found[3] != "" {
		p.Column, _ = strconv.Atoi(found[3])
		p.Column++ // counted from 0
	}
	if at := executing.FindStringSubmatch(found[4]); at != nil {
		p.Text = "the template fails at " + at[1] + ": " + strings.TrimSuffix(at[2], " in type interface {}")
	}
	p.Meant = meant(p.Text)
	return p
}

var noFunction = regexp.MustCompile(`function "([^"]*)" not defined`)

func meant(text string) string {
	switch {
	case strings.Contains(text, "can't evaluate field"):
		return "docs/reference/theme.md lists what each template gets"
	case noFunction.MatchString(text):
		names := slices.Clone(builtInFunctions)
		for name := range (&Site{}).functions() {
			names = append(names, name)
		}
		near := problem.Nearest(noFunction.FindStringSubmatch(text)[1], names)
		return cmp.Or(near, "docs/reference/theme.md lists what each template may call")
	}
	return ""
}

var builtInFunctions = []string{"and", "or", "not", "len", "index", "slice", "print", "printf", "println", "eq", "ne", "lt", "le", "gt", "ge", "asset", "at", "style", "script", "icon", "logo"}

// ownTemplates returns the templates of a look by file.
func ownTemplates(look theme.Theme) map[string]string {
	own := map[string]string{}
	for _, file := range look.Templates() {
		own[file] = look.Files[file]
	}
	return own
}

// idle returns a mistake for each template that changes no page.
func idle(look theme.Theme) (list problem.List) {
	for _, one := range templates.IdleTemplates(ownTemplates(look)) {
		p := problem.Problem{File: templates.OwnTemplates + one.File, Text: "no page uses the templates that it defines", Meant: "docs/reference/theme.md lists the templates that a theme may define"}
		if len(one.Defines) == 0 {
			p.Text = "it defines no template, so no page uses it"
		}
		if !strings.HasPrefix(one.File, theme.Shared) {
			p.Meant = `write {{define "main"}} before the content of the page and {{end}} after it`
		}
		for _, name := range one.Defines {
			p.Meant = cmp.Or(problem.Nearest(name, one.Used), p.Meant)
		}
		if one.Empty != "" {
			p.Text = fmt.Sprintf("the template %q is empty, so the built-in one is used", one.Empty)
			p.Meant = `to show nothing, write {{""}} in it`
		}
		list = append(list, p)
	}
	return list
}

// Check returns the mistakes of a look: unknown template names, templates that change nothing,
// cannot be parsed, or fail on a sample of any page, full or empty, and a frame without the
// required elements.
func Check(c Config, look theme.Theme) (list problem.List) {
	layouts := templates.SiteLayouts()
	left := look
	left.Files = map[string]string{}
	for file, text := range look.Files {
		name, template := strings.CutSuffix(file, theme.TemplateEnding)
		if template && !strings.HasPrefix(name, theme.Shared) && !slices.Contains(layouts, name) {
			list = append(list, problem.Problem{
				File: templates.OwnTemplates + file, Text: "no page has a template of this name",
				Meant: problem.Nearest(name, layouts),
			})
			continue
		}
		left.Files[file] = text
	}
	list = append(list, idle(left)...)
	var s *Site
	for range len(look.Files) + 1 {
		made, err := New(c, left)
		var broken *problem.Error
		switch {
		case err == nil:
			s = made
		case errors.As(err, &broken):
			// The other mistakes can be found without the unreadable files.
			list = append(list, broken.Mistakes...)
			for _, p := range broken.Mistakes {
				delete(left.Files, strings.TrimPrefix(p.File, templates.OwnTemplates))
			}
			continue
		default:
			list = append(list, problem.Problem{File: templates.OwnTemplates, Text: err.Error()})
		}
		break
	}
	if s != nil && s.builtIn != nil {
		list = append(list, s.try()...)
	}
	list.Sort()
	return list
}

// promises are the elements that every page must have, and how to add them to a custom frame.
var promises = []string{
	`<meta name="generator" content="` + document.Generator + `">`, `<meta http-equiv="Content-Security-Policy" `, canonicalPromise,
}

// canonicalPromise is the element of every page with an address of its own.
const canonicalPromise = `<link rel="canonical" href="`

// try executes the templates on samples of all pages.
func (s *Site) try() (list problem.List) {
	unfit := map[string][]string{}
	for _, v := range s.samples() {
		var b bytes.Buffer
		broken, err := s.execute(&b, v)
		if err != nil {
			broken = problem.List{{File: templates.OwnTemplates + v.Layout + theme.TemplateEnding, Text: err.Error()}}
		}
		for _, p := range broken {
			if p.File != templates.OwnTemplates {
				list = append(list, p)
				continue
			}
			if unfit[v.Layout] == nil {
				unfit[v.Layout] = s.unfit(v)
			}
			for _, file := range unfit[v.Layout] {
				p.File = templates.OwnTemplates + file
				list = append(list, p)
			}
		}
		for _, promise := range promises {
			if !strings.Contains(b.String(), promise) && (v.URL != "" || promise != canonicalPromise) {
				file, meant := s.framing()
				list = append(list, problem.Problem{File: templates.OwnTemplates + file, Text: "pages lack " + promise, Meant: meant})
			}
		}
	}
	if _, own := s.theirs[frameFile]; own && !slices.ContainsFunc(slices.Collect(maps.Values(s.theirs)), mainShown.MatchString) {
		list = append(list, problem.Problem{
			File: templates.OwnTemplates + frameFile, Text: "pages lack their main content", Meant: `write {{template "main" .}} where the page goes`,
		})
	}
	return list
}

const frameFile = "_frame" + theme.TemplateEnding

// framing returns the operator's template that contains the required elements: the frame, or
// one that redefines the part within <head>.
func (s *Site) framing() (file, meant string) {
	for _, file := range slices.Sorted(maps.Keys(s.theirs)) {
		if headDefined.MatchString(s.theirs[file]) {
			return file, "keep everything that the built-in one has; see templates/site/" + frameFile
		}
	}
	if frameDefined.MatchString(s.theirs[frameFile]) {
		return frameFile, `remove {{define "frame"}} and its {{end}}: the whole file is the frame`
	}
	return frameFile, `write {{template "head" .}} within <head>`
}

var (
	headDefined  = regexp.MustCompile(`\{\{-?\s*(define|block)\s+"head"`)
	frameDefined = regexp.MustCompile(`\{\{-?\s*(define|block)\s+"_?frame"`)
	mainShown    = regexp.MustCompile(`\{\{-?\s*(template|block)\s+"main"`)
)

// unfit returns the operator's templates that do not fit with the others on a page: those that
// already fail with the built-in ones, or else one without which the rest fits.
func (s *Site) unfit(v view) (files []string) {
	all := slices.Sorted(maps.Keys(s.theirs))
	for _, file := range all {
		if !s.fits(v, map[string]string{file: s.theirs[file]}) {
			files = append(files, file)
		}
	}
	if len(files) > 0 {
		return files
	}
	for _, file := range all {
		others := maps.Clone(s.theirs)
		if delete(others, file); s.fits(v, others) {
			return []string{file}
		}
	}
	return all[:1]
}

// fits reports whether some of the operator's templates fit together on a page, apart from
// other failures.
func (s *Site) fits(v view, own map[string]string) bool {
	layouts, err := s.parsed(own)
	if err == nil {
		err = layouts[v.Layout].Execute(io.Discard, v)
	}
	return err == nil || templateSays.MatchString(err.Error())
}
