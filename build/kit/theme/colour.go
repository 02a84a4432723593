package theme

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The background colors of the built-in style behind text in the accent color, light and
// dark. A test compares them with the style sheet.
const (
	lightGround, lightCard = "#f6f6f2", "#ffffff"
	darkGround, darkCard   = "#121614", "#1a201d"
)

// aa is the contrast that text needs (WCAG 2.2, success criterion 1.4.3).
const aa = 4.5

// ParseColour returns a color as #rrggbb, given in hexadecimal with three or six digits; ok
// is false for anything else.
func ParseColour(text string) (colour string, ok bool) {
	digits, hash := strings.CutPrefix(strings.ToLower(text), "#")
	if !hash || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", false
	}
	if len(digits) == 3 {
		digits = strings.Join([]string{digits[:1], digits[:1], digits[1:2], digits[1:2], digits[2:], digits[2:]}, "")
	}
	return "#" + digits, len(digits) == 6
}

// Contrast returns the contrast ratio of two colors, from 1 to 21 (WCAG 2.2, "contrast
// ratio").
func Contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func channels(colour string) (rgb [3]int) {
	for i := range rgb {
		n, _ := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8) // the digits are valid
		rgb[i] = int(n)
	}
	return rgb
}

func luminance(colour string) float64 {
	rgb := channels(colour)
	var linear [3]float64
	for i, c := range rgb {
		v := float64(c) / 255
		if linear[i] = v / 12.92; v > 0.04045 {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*linear[0] + 0.7152*linear[1] + 0.0722*linear[2]
}

// mix returns a color mixed with some hundredths of another.
func mix(colour, other string, hundredths int) string {
	a, b := channels(colour), channels(other)
	for i := range a {
		a[i] = (a[i]*(100-hundredths) + b[i]*hundredths + 50) / 100
	}
	return fmt.Sprintf("#%02x%02x%02x", a[0], a[1], a[2])
}

// A scheme contains the colors derived from an accent, for a light or a dark background.
type scheme struct{ accent, strong, on, tint string }

func lightScheme(accent string) scheme {
	return scheme{accent, mix(accent, "#000000", 28), onto(accent), mix(lightCard, accent, 9)}
}

func darkScheme(accent string) scheme {
	return scheme{accent, mix(accent, "#ffffff", 25), onto(accent), mix(darkCard, accent, 12)}
}

// onto returns the color of text on an accent: white if that is readable, otherwise black,
// which then is.
func onto(accent string) string {
	if Contrast(accent, "#ffffff") >= aa {
		return "#ffffff"
	}
	return "#000000"
}

// least returns the lowest contrast between text in the accent and the backgrounds.
func (s scheme) least(grounds ...string) float64 {
	lowest := Contrast(s.accent, s.tint)
	for _, ground := range grounds {
		lowest = min(lowest, Contrast(s.accent, ground))
	}
	return lowest
}

// Dim returns what is wrong with an accent that is not readable on its background, and a
// similar one that is; ok is true if it is readable.
func Dim(accent string, dark bool) (text, meant string, ok bool) {
	readable := func(c string) float64 {
		if dark {
			return darkScheme(c).least(darkGround, darkCard)
		}
		return lightScheme(c).least(lightGround, lightCard)
	}
	contrast := readable(accent)
	if contrast >= aa {
		return "", "", true
	}
	toward, ground := "#000000", "light"
	if dark {
		toward, ground = "#ffffff", "dark"
	}
	better := accent
	for part := 2; readable(better) < aa && part <= 100; part += 2 {
		better = mix(accent, toward, part)
	}
	return fmt.Sprintf("text in the colour %s on the %s background has a contrast of %.1f, and readable text needs 4.5 (WCAG AA)", accent, ground, math.Floor(contrast*10)/10),
		better + " has it", false
}

// lit returns an accent that is readable on the dark background, by adding as much white as
// necessary.
func lit(accent string) string {
	for part := 0; part < 100; part += 4 {
		if c := mix(accent, "#ffffff", part); darkScheme(c).least(darkGround, darkCard) >= 6 {
			return c
		}
	}
	return "#ffffff"
}
