package theme

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"souk/build/kit/problem"
)

// Fonts are the stacks of fonts that systems bring along, by the name that
// marketplace.yaml has for them: no font is loaded for them.
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

// CheckFont says what is wrong with the name of a font, and what was meant; empty if
// nothing is. Whether a file of the name is there shows later.
func CheckFont(name string) (text, meant string) {
	if _, known := Fonts[name]; known || path.Ext(name) == ".woff2" {
		return "", ""
	}
	names := slices.Sorted(maps.Keys(Fonts))
	if meant = problem.Nearest(name, names); meant == "" {
		meant = "the fonts are " + strings.Join(names, ", ") + ", or a file of theme/ that ends in .woff2"
	}
	return fmt.Sprintf("%s is no font", problem.Quoted(name)), meant
}

// Look returns what the colours and a font of the system's add to a style sheet that
// has the variables of ours; empty where nothing is set. Print has no colours.
func (t Theme) Look() string {
	var b strings.Builder
	if stack, known := Fonts[t.Font]; known {
		fmt.Fprintf(&b, ":root { --sans: %s; --serif: var(--sans); }\n", stack)
	}
	// A reader's system decides which of the two holds, or else whoever shows the page in a frame.
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

// dark returns the accent on a dark ground, or "".
func (t Theme) dark() string {
	if t.AccentDark == "" && t.Accent != "" {
		return lit(t.Accent)
	}
	return t.AccentDark
}

// String returns the variables of the style sheet. The pages that a mail's link
// opens name the second of them otherwise.
func (s scheme) String() string {
	return fmt.Sprintf("--accent: %s; --accent-strong: %s; --accent-dark: %s; --on-accent: %s; --tint: %s;", s.accent, s.strong, s.strong, s.on, s.tint)
}

// Style returns what the theme adds to the style sheet of the pages: its look, its
// font and its own sheet, in which url() names the addresses of files. A file that
// is named and not there is a fault of the sheet.
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

// Public returns the files that are published as they are, in order: pictures and
// fonts.
func (t Theme) Public() (all []string) {
	for _, file := range slices.Sorted(maps.Keys(t.Files)) {
		if !IsTemplate(file) && file != StyleFile && file != FaviconFile {
			all = append(all, file)
		}
	}
	return all
}

// Colours returns those of the market's sign and picture: the accent, a stronger one
// and that of text on it; ok is false where the built-in ones stay.
func (t Theme) Colours() (accent, strong, on string, ok bool) {
	if t.Accent == "" {
		return "", "", "", false
	}
	s := lightScheme(t.Accent)
	return s.accent, s.strong, s.on, true
}

// Marks returns the colours of what stands in the place of pictures, and of what is under
// it, on a light and on a dark ground; empty where the built-in ones stay.
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

// Fonts reports whether the theme brings a font along.
func (t Theme) Fonts() bool {
	return slices.ContainsFunc(t.Public(), func(file string) bool { return path.Ext(file) == ".woff2" })
}
