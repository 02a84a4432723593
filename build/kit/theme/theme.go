// Package theme handles the operator's theme: which files it may consist of, what is wrong
// with each, and the style that its colors and font define. It does not know where the
// files are, which pages there are or what they contain.
package theme

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/kit/picture"
	"souk/build/kit/problem"
)

// A Theme is an operator's theme; the zero value is the built-in one. It is immutable after
// reading.
type Theme struct {
	// Accent is the color of links and buttons, as #rrggbb; AccentDark is for a dark
	// background. Either may be empty.
	Accent, AccentDark string
	// Font is a name in Fonts, or a file of the theme; may be empty.
	Font string
	// Logo is a file of the theme; may be empty.
	Logo string
	// Files maps the path below the theme's folder to the content as it is published:
	// pictures have no metadata.
	Files map[string]string
}

// File names with a special meaning.
const (
	StyleFile   = "style.css"
	FaviconFile = "favicon.svg"
	// TemplateEnding is the extension of templates. Files that begin with Shared are for
	// all pages.
	TemplateEnding = ".html.tmpl"
	Shared         = "_"
)

// The maximum sizes in bytes of a text and of any other file of a theme.
const (
	maxText = 512 << 10
	maxFile = 4 << 20
)

// A Fault is a problem in a file. Line and Column count from 1, or are 0 if the problem is
// the file itself.
type Fault struct {
	Line, Column int
	Text, Meant  string
	Warning      bool
}

// Problems returns the faults of a file as problems of the content; file is its path in the
// content.
func Problems(file string, faults []Fault) (list problem.List) {
	for _, f := range faults {
		list = append(list, problem.Problem{File: file, Line: f.Line, Column: f.Column, Text: f.Text, Meant: f.Meant, Warning: f.Warning})
	}
	return list
}

// pictures are the extensions of pictures.
var pictures = []string{".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"}

// Ignored reports whether a file is only for people: a README or a license.
func Ignored(file string) bool {
	base := strings.ToLower(path.Base(file))
	return strings.HasPrefix(base, "readme") || strings.HasPrefix(base, "licen") || path.Ext(base) == ".txt"
}

// Read returns the content of a theme's file to store, and what is wrong with it. If a
// fault is not a warning, the file is not stored.
func Read(file string, data []byte) (kept string, faults []Fault) {
	most := maxFile
	if IsTemplate(file) || path.Ext(file) == ".css" {
		most = maxText
	}
	switch ending := path.Ext(file); {
	case len(data) > most:
		return "", []Fault{{Text: fmt.Sprintf("the file is too large: %d KB", len(data)>>10), Meant: fmt.Sprintf("at most %d KB are read", most>>10)}}
	case IsTemplate(file), ending == ".css":
		return readText(file, data)
	case slices.Contains(pictures, ending):
		return readPicture(file, data)
	case ending == ".woff2":
		if !bytes.HasPrefix(data, []byte("wOF2")) {
			return "", []Fault{{Text: "this is not a WOFF2 font", Meant: "convert it: pages load only WOFF2"}}
		}
		return string(data), nil
	}
	return "", []Fault{{
		Text:  "a theme has no such file",
		Meant: "a theme has templates (*" + TemplateEnding + "), " + StyleFile + ", pictures and fonts (.woff2)",
	}}
}

func readText(file string, data []byte) (string, []Fault) {
	text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", []Fault{{Text: "the file is not UTF-8", Meant: "save it as UTF-8"}}
	case strings.Contains(file, "/"):
		return "", []Fault{{Text: "it is in a folder", Meant: "put it beside " + StyleFile}}
	case !IsTemplate(file) && file != StyleFile:
		return "", []Fault{{Text: "a theme has only one style sheet", Meant: "name it " + StyleFile}}
	}
	if IsTemplate(file) {
		return text, barredIn(text)
	}
	return text, unbalanced(text) // other faults are reported with those of the templates
}

func readPicture(file string, data []byte) (string, []Fault) {
	public, info, found := picture.Clean(data)
	var faults []Fault
	for _, f := range found {
		faults = append(faults, Fault{Line: f.Line, Column: f.Column, Text: f.Text, Warning: f.Warning})
	}
	if public != nil && endingOf(info) != endingOf(picture.Info{Extension: strings.TrimPrefix(path.Ext(file), ".")}) {
		faults = append(faults, Fault{Text: "the file is " + info.Type, Meant: "use a name that ends in ." + info.Extension})
		public = nil
	}
	return string(public), faults
}

func endingOf(info picture.Info) string { return strings.Replace(info.Extension, "jpeg", "jpg", 1) }

// IsTemplate reports whether a file is a template.
func IsTemplate(file string) bool { return strings.HasSuffix(file, TemplateEnding) }

// Templates returns the sorted paths of the templates.
func (t Theme) Templates() (all []string) {
	for _, file := range slices.Sorted(maps.Keys(t.Files)) {
		if IsTemplate(file) {
			all = append(all, file)
		}
	}
	return all
}

// LogoFile returns the file of the logo: the configured one, otherwise the one named logo,
// or "".
func (t Theme) LogoFile() string {
	if t.Logo != "" {
		return t.Logo
	}
	for _, ending := range pictures {
		if _, there := t.Files["logo"+ending]; there {
			return "logo" + ending
		}
	}
	return ""
}

// Size returns the width and height of a picture of the theme, in pixels.
func (t Theme) Size(file string) (width, height int) {
	info, _ := picture.Inspect([]byte(t.Files[file]))
	return info.Width, info.Height
}
