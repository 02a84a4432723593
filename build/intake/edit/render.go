package edit

import (
	"strconv"
	"strings"
	"unicode"

	"souk/build/intake/merge"
)

// render writes a map as block YAML.
func render(m merge.Map, indent, eol string) string {
	var b strings.Builder
	for _, p := range m {
		if p.Value != nil {
			b.WriteString(indent + quoted(p.Key) + ":" + block(p.Value, indent+"  ", eol))
		}
	}
	return b.String()
}

// block writes a value after a colon.
func block(v merge.Value, indent, eol string) string {
	switch v := v.(type) {
	case merge.Map:
		return eol + render(v, indent, eol)
	case merge.List:
		if len(v) == 0 {
			return " []" + eol
		}
		return eol + renderItems(v, indent, eol)
	}
	return " " + text(v, indent, eol) + eol
}

func renderItems(list merge.List, indent, eol string) string {
	var b strings.Builder
	for _, item := range list {
		below := ""
		switch item := item.(type) {
		case merge.Map:
			below = render(item, indent+"  ", eol)
		case merge.List:
			below = renderItems(item, indent+"  ", eol)
		default:
			below = text(item, indent+"  ", eol) + eol
		}
		b.WriteString(indent + "- " + strings.TrimLeft(below, " "))
	}
	return b.String()
}

// text writes a scalar, one of several lines as a block.
func text(v merge.Value, indent, eol string) string {
	s, is := v.(string)
	if !is || !strings.Contains(s, "\n") || strings.TrimSpace(s) != s || strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
		return scalar(v)
	}
	var b strings.Builder
	b.WriteString("|-")
	for _, line := range strings.Split(s, "\n") {
		b.WriteString(eol)
		if line != "" {
			b.WriteString(indent + line)
		}
	}
	return b.String()
}

// scalar writes a scalar in one line.
func scalar(v merge.Value) string {
	if raw, is := v.(merge.Raw); is {
		return string(raw)
	}
	s, _ := merge.Text(v)
	return quoted(s)
}

// otherwise are words that are not text for some reader of YAML.
var otherwise = map[string]bool{"true": true, "false": true, "null": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}

// quoted returns a text in quotes, unless every reader of YAML takes it for text without.
func quoted(s string) string {
	plain := s != "" && !otherwise[strings.ToLower(s)] && !strings.Contains(s, ": ") && !strings.Contains(s, " #") && s[len(s)-1] != ':' && s[len(s)-1] != ' '
	for i, r := range s {
		if i == 0 && !unicode.IsLetter(r) || !unicode.IsPrint(r) {
			plain = false
		}
	}
	if plain {
		return s
	}
	return strconv.Quote(s) // its escapes are YAML's
}
