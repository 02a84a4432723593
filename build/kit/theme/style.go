package theme

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"souk/build/kit/problem"
)

// Fonts maps the names of fonts in marketplace.yaml to stacks of fonts that systems
// include, so that no font is loaded for them.
var Fonts = map[string]string{
	"system":     `system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Helvetica, Arial, sans-serif`,
	"humanist":   `Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", "Noto Sans", sans-serif`,
	"geometric":  `Avenir, Montserrat, Corbel, "URW Gothic", "Century Gothic", sans-serif`,
	"grotesque":  `"Helvetica Neue", Helvetica, "Nimbus Sans", "Liberation Sans", Arial, sans-serif`,
	"rounded":    `ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, "Arial Rounded MT Bold", sans-serif`,
	"serif":      `ui-serif, "Iowan Old Style", Palatino, "Palatino Linotype", Georgia, "Noto Serif", serif`,
	"oldstyle":   `"Iowan Old Style", "Palatino Linotype", "URW Palladio L", P052, serif`,
	"slab":       `Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", "Sitka Small", serif`,
	"typewriter": `ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace`,
}

// CheckFont returns what is wrong with the name of a font, and what was meant; empty if it
// is valid. It does not check whether a font file exists.
func CheckFont(name string) (text, meant string) {
	if _, known := Fonts[name]; known || path.Ext(name) == ".woff2" {
		return "", ""
	}
	names := slices.Sorted(maps.Keys(Fonts))
	if meant = problem.Nearest(name, names); meant == "" {
		meant = "the fonts are " + strings.Join(names, ", ") + ", or a file of theme/ that ends in .woff2"
	}
	return fmt.Sprintf("%s is not a font", problem.Quoted(name)), meant
}

// Look returns the CSS that colors and a system font add to a style sheet with our
// variables; empty if nothing is set. Printed pages have no colors.
func (t Theme) Look() string {
	var b strings.Builder
	if stack, known := Fonts[t.Font]; known {
		fmt.Fprintf(&b, ":root { --sans: %s; --serif: var(--sans); }\n", stack)
	}
	// The reader's system chooses between the two, or the page that shows this one in a
	// frame does.
	if t.Accent != "" {
		s := lightScheme(t.Accent)
		fmt.Fprintf(&b, "@media screen { :root, :root[data-theme=\"light\"] { %s } .sign { background: %s; color: %s; } }\n", s, s.accent, s.on)
	}
	if dark := t.dark(); dark != "" {
		s := darkScheme(dark)
		fmt.Fprintf(&b, "@media screen and (prefers-color-scheme: dark) { :root { %s } }\n@media screen { :root[data-theme=\"dark\"] { %s } }\n", s, s)
	}
	return b.String()
}

// dark returns the accent for a dark background, or "".
func (t Theme) dark() string {
	if t.AccentDark == "" && t.Accent != "" {
		return lit(t.Accent)
	}
	return t.AccentDark
}

// String returns the variables of the style sheet. The pages that mails link to use another
// name for the second one.
func (s scheme) String() string {
	return fmt.Sprintf("--accent: %s; --accent-strong: %s; --accent-dark: %s; --on-accent: %s; --tint: %s;", s.accent, s.strong, s.strong, s.on, s.tint)
}

// Style returns what the theme adds to the pages' style sheet: its look, its font and its
// own style sheet, with file names in url() replaced by addresses. A named file that does
// not exist is a fault.
func (t Theme) Style(address func(file string) string) (css string, faults []Fault) {
	css = t.Look()
	if _, there := t.Files[t.Font]; there {
		css += fmt.Sprintf("@font-face { font-family: \"theme\"; src: url(%s) format(\"woff2\"); font-display: swap; }\n", address(t.Font)) +
			":root { --sans: \"theme\", " + Fonts["system"] + "; --serif: var(--sans); }\n"
	}
	sheet := t.Files[StyleFile]
	all, faults := references(sheet)
	at := 0
	for _, r := range all {
		if _, there := t.Files[r.File]; !there || IsTemplate(r.File) || r.File == StyleFile {
			line, column := position(sheet, r.From)
			faults = append(faults, Fault{Line: line, Column: column, Text: "there is no file " + problem.Quoted(r.File) + " in the theme", Meant: problem.Nearest(r.File, t.Public())})
			continue
		}
		css += sheet[at:r.From] + address(r.File)
		at = r.To
	}
	return css + sheet[at:], faults
}

// Public returns the sorted names of the files that are published unchanged: pictures and
// fonts.
func (t Theme) Public() (all []string) {
	for _, file := range slices.Sorted(maps.Keys(t.Files)) {
		if !IsTemplate(file) && file != StyleFile && file != FaviconFile {
			all = append(all, file)
		}
	}
	return all
}

// Colours returns the colors of the market's sign and picture: the accent, a stronger one,
// and the color of text on it; ok is false if the built-in ones are used.
func (t Theme) Colours() (accent, strong, on string, ok bool) {
	if t.Accent == "" {
		return "", "", "", false
	}
	s := lightScheme(t.Accent)
	return s.accent, s.strong, s.on, true
}

// Marks returns the colors of placeholders for pictures and their backgrounds, for light
// and dark; empty if the built-in ones are used.
func (t Theme) Marks() (light, dark struct{ Accent, Tint string }) {
	if t.Accent != "" {
		s := lightScheme(t.Accent)
		light.Accent, light.Tint = s.accent, s.tint
	}
	if accent := t.dark(); accent != "" {
		s := darkScheme(accent)
		dark.Accent, dark.Tint = s.accent, s.tint
	}
	return light, dark
}

// Fonts reports whether the theme includes a font.
func (t Theme) Fonts() bool {
	return slices.ContainsFunc(t.Public(), func(file string) bool { return path.Ext(file) == ".woff2" })
}
