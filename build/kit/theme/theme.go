// Package theme is the operator's look: which files it may consist of, what is
// wrong with each, and the style that follows from its colours and its font. It
// refuses to know where the files lie, what pages there are and what is on them.
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

// A Theme is an operator's look; the zero value is the built-in one. It is never
// changed once it was read.
type Theme struct {
	// Accent is the colour of links and buttons, as #rrggbb, and AccentDark that on
	// a dark ground; either may be empty.
	Accent, AccentDark string
	// Font is the name of one of Fonts, or a file of the theme; or empty.
	Font string
	// Logo is a file of the theme; or empty.
	Logo string
	// Files are by their path below the theme's folder, as they are published:
	// pictures without metadata.
	Files map[string]string
}

// The files whose names have a meaning.
const (
	StyleFile   = "style.css"
	FaviconFile = "favicon.svg"
	// TemplateEnding is that of templates. What begins with Shared is for all pages.
	TemplateEnding = ".html.tmpl"
	Shared         = "_"
)

// The most bytes that a text, and any other file, of a theme may have.
const (
	maxText = 512 << 10
	maxFile = 4 << 20
)

// A Fault is something wrong in a file. Line and Column count from 1, or are 0 where
// it is the file itself.
type Fault struct {
	Line, Column int
	Text, Meant  string
	Warning      bool
}

// Problems returns the faults of a file, whose path in the content is given, as
// problems of the content.
func Problems(file string, faults []Fault) (list problem.List) {
	for _, f := range faults {
		list = append(list, problem.Problem{File: file, Line: f.Line, Column: f.Column, Text: f.Text, Meant: f.Meant, Warning: f.Warning})
	}
	return list
}

// pictures are the endings of pictures, as their formats have them.
var pictures = []string{".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"}

// Ignored reports whether a file beside the others is for people: a README or a
// licence.
func Ignored(file string) bool {
	base := strings.ToLower(path.Base(file))
	return strings.HasPrefix(base, "readme") || strings.HasPrefix(base, "licen") || path.Ext(base) == ".txt"
}

// Read returns the bytes of a file of a theme as it is kept, and what is wrong with
// it. Where that is no warning, the file is not kept.
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
			return "", []Fault{{Text: "this is no font in WOFF2", Meant: "convert it: pages load no other kind"}}
		}
		return string(data), nil
	}
	return "", []Fault{{
		Text:  "no such file belongs to a theme",
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
		return "", []Fault{{Text: "there is one style sheet", Meant: "name it " + StyleFile}}
	}
	if IsTemplate(file) {
		return text, barredIn(text)
	}
	return text, unbalanced(text) // what else is wrong in it shows with the others
}

func readPicture(file string, data []byte) (string, []Fault) {
	public, info, found := picture.Clean(data)
	var faults []Fault
	for _, f := range found {
		faults = append(faults, Fault{Line: f.Line, Column: f.Column, Text: f.Text, Warning: f.Warning})
	}
	if public != nil && endingOf(info) != endingOf(picture.Info{Extension: strings.TrimPrefix(path.Ext(file), ".")}) {
		faults = append(faults, Fault{Text: "the file is " + info.Type, Meant: "end its name in ." + info.Extension})
		public = nil
	}
	return string(public), faults
}

func endingOf(info picture.Info) string { return strings.Replace(info.Extension, "jpeg", "jpg", 1) }

// IsTemplate reports whether a file is a template.
func IsTemplate(file string) bool { return strings.HasSuffix(file, TemplateEnding) }

// Templates returns the paths of the templates, in order.
func (t Theme) Templates() (all []string) {
	for _, file := range slices.Sorted(maps.Keys(t.Files)) {
		if IsTemplate(file) {
			all = append(all, file)
		}
	}
	return all
}

// LogoFile returns the file of the logo, or "": the one that is set, else the one
// that is named logo.
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
