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

// A dress is what a look makes of the files that all pages share.
type dress struct {
	files []File
	// style and logo are files below the site. The logo is 32 pixels high.
	style, logo string
	logoWidth   int
	// assets has the file of each of the theme's own.
	assets map[string]string
}

// dress returns the files of a look, and sets what every page takes from it.
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

// address returns the function of templates that tells the address of a file of the
// theme.
func (d *dress) address(prefix string) func(file string) (string, error) {
	return func(file string) (string, error) {
		if name := d.assets[file]; name != "" {
			return prefix + "/" + name, nil
		}
		return "", fmt.Errorf("there is no file %q in the theme", file)
	}
}

var svgStart = regexp.MustCompile(`<svg(?:[^>"']|"[^"]*"|'[^']*')*>`)

// signed returns an SVG with the mark that tells what we wrote from others' files.
func signed(svg string) []byte {
	at := svgStart.FindStringIndex(svg)
	if at == nil || strings.HasSuffix(svg[:at[1]], "/>") {
		return []byte(svg)
	}
	return []byte(svg[:at[1]] + "<metadata>" + document.Generator + "</metadata>" + svg[at[1]:])
}

func rgb(colour string) color.RGBA {
	n, _ := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32) // it was read as a colour
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

func mistaken(list problem.List) error {
	if len(list) == 0 {
		return nil
	}
	list.Sort()
	return &problem.Error{Mistakes: list}
}

// What the packages of templates say, with the place, when they cut, escape and
// execute one.
var (
	templateSays = regexp.MustCompile(`^(?:html/)?template: ?(` + templates.OwnTemplates + `[^:]*):(\d+)(?::(\d+))?: (?s:(.*))$`)
	ourPlace     = regexp.MustCompile(`^(?:html/)?template: ?[^: ]*(:\d+)*: `)
	executing    = regexp.MustCompile(`^executing "[^"]*" at (?s:(<.*>)): (.*)$`)
)

// templateProblem returns why a template of the operator's failed.
func templateProblem(err error) problem.Problem {
	text := err.Error()
	found := templateSays.FindStringSubmatch(text)
	if found == nil {
		// It shows in a template of ours: what an operator's leaves open, for instance.
		return problem.Problem{File: templates.OwnTemplates, Text: "the templates do not fit together: " + ourPlace.ReplaceAllString(text, "")}
	}
	p := problem.Problem{File: found[1], Text: "the template fails: " + found[4]}
	p.Line, _ = strconv.Atoi(found[2]) // digits
	if found[3] != "" {
		p.Column, _ = strconv.Atoi(found[3])
		p.Column++ // a distance from the beginning of the line
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
		return "docs/theme.md lists what each template gets"
	case noFunction.MatchString(text):
		names := slices.Clone(builtInFunctions)
		for name := range (&Site{}).functions() {
			names = append(names, name)
		}
		near := problem.Nearest(noFunction.FindStringSubmatch(text)[1], names)
		return cmp.Or(near, "docs/theme.md lists what each template may call")
	}
	return ""
}

var builtInFunctions = []string{"and", "or", "not", "len", "index", "slice", "print", "printf", "println", "eq", "ne", "lt", "le", "gt", "ge", "asset", "at", "style", "script", "icon", "logo"}

// ownTemplates returns the templates of a look by their file.
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
		p := problem.Problem{File: templates.OwnTemplates + one.File, Text: "no page uses what it defines", Meant: "docs/theme.md names what a theme may define"}
		if len(one.Defines) == 0 {
			p.Text = "it defines nothing, so that no page uses it"
		}
		if !strings.HasPrefix(one.File, theme.Shared) {
			p.Meant = `write {{define "main"}} before what stands on the page, and {{end}} behind it`
		}
		for _, name := range one.Defines {
			p.Meant = cmp.Or(problem.Nearest(name, one.Used), p.Meant)
		}
		if one.Empty != "" {
			p.Text = fmt.Sprintf("what it defines as %q is empty, so that ours stays", one.Empty)
			p.Meant = `write {{""}} in it for nothing`
		}
		list = append(list, p)
	}
	return list
}

// Check returns what is wrong with a look: names that are no template's, templates
// that change nothing, that cannot be read, or that fail at a sample of any page, full or empty, and a
// frame without what every page promises.
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
			// What is wrong with the others shows without the files that cannot be read.
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

// promises are what every page says of itself, and how a frame of one's own says it.
var promises = []string{
	`<meta name="generator" content="` + document.Generator + `">`, `<meta http-equiv="Content-Security-Policy" `, canonicalPromise,
}

// canonicalPromise is what every page says that has an address of its own.
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
			File: templates.OwnTemplates + frameFile, Text: "pages lack what is on them", Meant: `write {{template "main" .}} where the page goes`,
		})
	}
	return list
}

const frameFile = "_frame" + theme.TemplateEnding

// framing returns the operator's template that has what pages say of themselves: the
// frame, or one that defines anew what the frame has within <head>.
func (s *Site) framing() (file, meant string) {
	for _, file := range slices.Sorted(maps.Keys(s.theirs)) {
		if headDefined.MatchString(s.theirs[file]) {
			return file, "keep in it all that ours has: it is in templates/site/" + frameFile
		}
	}
	if frameDefined.MatchString(s.theirs[frameFile]) {
		return frameFile, `take {{define "frame"}} and its {{end}} out: the file is the frame as it stands`
	}
	return frameFile, `write {{template "head" .}} within <head>`
}

var (
	headDefined  = regexp.MustCompile(`\{\{-?\s*(define|block)\s+"head"`)
	frameDefined = regexp.MustCompile(`\{\{-?\s*(define|block)\s+"_?frame"`)
	mainShown    = regexp.MustCompile(`\{\{-?\s*(template|block)\s+"main"`)
)

// unfit returns the operator's templates for which the templates of a page do not fit
// together: those that do not with ours alone, or else one without which they do.
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

// fits reports whether some of the operator's templates fit together on a page, whatever
// else they fail at.
func (s *Site) fits(v view, own map[string]string) bool {
	layouts, err := s.parsed(own)
	if err == nil {
		err = layouts[v.Layout].Execute(io.Discard, v)
	}
	return err == nil || templateSays.MatchString(err.Error())
}
