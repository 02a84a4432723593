package source

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/build/kit/theme"
)

// themeFolder contains the operator's templates, style sheet, pictures and fonts.
const themeFolder = "theme"

// colour is a hexadecimal colour, as in #rrggbb.
type colour positioned

func (v *colour) fromNode(d *decoder, n *yaml.Node) {
	v.at = d.at(n)
	text, ok := d.word(n)
	if !ok {
		return
	}
	if v.text, ok = theme.ParseColour(text); !ok {
		d.wrong(n, `write it in hexadecimal and in quotes, as in "#0b5c4a"`, "%q is not a colour", shorten(text))
	}
}

// set copies the fields of the theme into the settings of the marketplace.
func (f *themeFields) set(d *decoder, m *catalog.Marketplace) {
	for dark, c := range map[bool]colour{false: f.Accent, true: f.AccentDark} {
		if c.text == "" {
			continue
		}
		if text, meant, ok := theme.Dim(c.text, dark); !ok {
			d.warnAt(c.at, meant, "%s", text)
		}
	}
	if font := f.Font.text; font != "" {
		if text, meant := theme.CheckFont(font); text != "" {
			d.wrongAt(f.Font.at, meant, "%s", text)
		}
	}
	m.Theme = theme.Theme{Accent: f.Accent.text, AccentDark: f.AccentDark.text, Font: strings.TrimPrefix(f.Font.text, themeFolder+"/")}
	m.FontAt, m.LogoAt = f.Font.at, f.Logo.at
	if logo := f.Logo.text; logo != "" {
		below, ok := strings.CutPrefix(path.Clean(logo), themeFolder+"/")
		if !ok {
			d.wrongAt(f.Logo.at, "put it there, and write theme/logo.svg", "the logo %q is not in the folder theme", shorten(logo))
			return
		}
		m.Theme.Logo = below
	}
}

// WithTheme returns f with the theme of another folder, or its own if folder is "".
func (f *Folder) WithTheme(folder string) *Folder {
	f.theme = folder
	return f
}

// at returns the path of a content file.
func (f *Folder) at(file string) string {
	if below, ours := strings.CutPrefix(file, themeFolder+"/"); ours && f.theme != "" {
		return filepath.Join(f.theme, filepath.FromSlash(below))
	}
	return filepath.Join(f.root, filepath.FromSlash(file))
}

// walk lists the files at or below a path. The files of a theme elsewhere appear as if they
// were in the folder.
func (f *Folder) walk(ctx context.Context, sub string) ([]stamped, problem.List, error) {
	if f.theme == "" {
		return walk(ctx, f.root, sub)
	}
	found, problems := []stamped(nil), problem.List(nil)
	inTheme := func(file string) bool { return within(file, themeFolder) }
	if !inTheme(sub) {
		all, list, err := walk(ctx, f.root, sub)
		if err != nil {
			return nil, nil, err
		}
		found = slices.DeleteFunc(all, func(one stamped) bool { return inTheme(one.path) })
		problems = slices.DeleteFunc(list, func(p problem.Problem) bool { return inTheme(p.File) })
	}
	below := strings.TrimPrefix(strings.TrimPrefix(sub, themeFolder), "/")
	if !inTheme(sub) && sub != Whole {
		return found, problems, nil
	}
	if below == "" || sub == Whole {
		below = Whole
	}
	looks, list, err := walk(ctx, f.theme, below)
	if err != nil {
		return nil, nil, fmt.Errorf("the theme: %w", err)
	}
	for _, one := range looks {
		one.path = themeFolder + "/" + one.path
		found = append(found, one)
	}
	for _, p := range list {
		p.File = path.Join(themeFolder, p.File)
		problems = append(problems, p)
	}
	return found, problems, nil
}

// readTheme reads a file of the theme.
func (r *reading) readTheme(file string, data []byte) {
	kept, faults := theme.Read(strings.TrimPrefix(file, themeFolder+"/"), data)
	r.Theme, r.Problems = kept, theme.Problems(file, faults)
}

// themeFiles returns the files of the theme by their path below its folder, or nil if there
// are none.
func (f *Folder) themeFiles() map[string]string {
	if len(f.looks) == 0 {
		return nil
	}
	files := map[string]string{}
	for _, file := range f.looks {
		if r := f.files[file].reading; r != nil && !slices.ContainsFunc(r.Problems, func(p problem.Problem) bool { return !p.Warning }) {
			files[strings.TrimPrefix(file, themeFolder+"/")] = r.Theme
		}
	}
	return files
}

// Undressed returns a mistake for a logo and a font that are named but missing.
func (f *Folder) Undressed() (list problem.List) {
	m := f.market()
	if m == nil {
		return nil
	}
	missing := func(file string, at catalog.Position) {
		if _, read := f.files[themeFolder+"/"+file]; read {
			return // its own mistakes are already reported
		}
		list = append(list, problem.Problem{
			File: f.markets[0], Line: at.Line, Column: at.Column, Text: fmt.Sprintf("there is no file %s/%s", themeFolder, shorten(file)),
			Meant: problem.Nearest(file, m.Theme.Public()),
		})
	}
	if m.Theme.Logo != "" {
		missing(m.Theme.Logo, m.LogoAt)
	}
	if path.Ext(m.Theme.Font) == ".woff2" {
		missing(m.Theme.Font, m.FontAt)
	}
	return list
}
