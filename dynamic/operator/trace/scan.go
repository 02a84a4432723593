package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/document"
)

// An owner says whose an object or a file is.
type owner uint8

const (
	// nobody means that the owner is unknown, so that every statement counts as a fact
	// about the company it names.
	nobody owner = iota
	// theirs means that it belongs to the subject.
	theirs
	// others means that it belongs to somebody else, whose author wrote its texts.
	others
)

// A scanner examines files, one after the other.
type scanner struct {
	*needles
	*folder
	found Findings
	// public is the public folder.
	public string
	// file and twin identify the file being examined.
	file, twin string
	// line is the current position in a file of lines.
	line   string
	buffer []byte
	places []int
}

func (s *scanner) add(what, where, excerpt string, warning bool) {
	s.found = append(s.found, Finding{s.file, s.twin, what, s.line + where, excerpt, warning})
}

// say adds a finding in a file's body. The API description has examples with invented
// companies, so everything in it is only a warning.
func (s *scanner) say(what, where, excerpt string, warning bool) {
	s.add(what, where, excerpt, warning || document.Describes(s.file))
}

// body examines a file's body.
func (s *scanner) body(data []byte) {
	switch path.Ext(s.file) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".woff2":
		return
	}
	if path.Ext(s.file) == ".svg" {
		data = lineBreak.ReplaceAll(data, nil)
	}
	said := data
	if !isJSON(data) && bytes.IndexByte(data, '&') >= 0 {
		said = []byte(html.UnescapeString(string(data)))
	}
	s.buffer = s.fold(s.buffer[:0], composed(said), nil)
	if !s.mayHold(data, s.buffer, isJSON(data)) {
		return
	}
	if s.page(data) {
		return
	}
	if document.IsLines(s.file) {
		s.documents(data)
		return
	}
	if value, ok := parse(data); ok {
		s.value(value, "", "", nobody, false)
		return
	}
	s.lines(data)
}

// lineBreak matches where a text in an SVG document continues in another line or style (SVG
// 2, section 11.2); the text is not interrupted there.
var lineBreak = regexp.MustCompile(`</?tspan[^>]*>`)

// isJSON reports whether a body may be JSON, judging by its first byte rather than its
// name.
func isJSON(data []byte) bool {
	start := bytes.TrimLeft(data, " \t\r\n")
	return len(start) > 0 && (start[0] == '{' || start[0] == '[')
}

func parse(data []byte) (value any, ok bool) {
	ok = isJSON(data) && json.Unmarshal(data, &value) == nil
	return value, ok
}

// documents examines lines of JSON, each of which is a separate document.
func (s *scanner) documents(data []byte) {
	number := 0
	defer func() { s.line = "" }()
	for line := range bytes.Lines(data) {
		number++
		s.line = fmt.Sprintf("line %d: ", number)
		s.buffer = s.fold(s.buffer[:0], composed(line), nil)
		if !s.mayHold(line, s.buffer, true) {
			continue
		}
		if value, ok := parse(line); ok {
			s.value(value, "", "", nobody, false)
		}
	}
}

// lines examines text. Only prose and pictures contain what people wrote; a sitemap or a
// copy of a page states facts.
func (s *scanner) lines(data []byte) {
	prose := s.file == document.LLMsFile || strings.HasPrefix(s.file, document.MediaFolder)
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if bytes.IndexByte(line, '&') >= 0 {
			line = []byte(html.UnescapeString(string(line)))
		}
		s.text(line, func(h hit, excerpt string, _ bool) {
			warning := h.what == WhatName || h.what == WhatDomain && prose
			s.say(h.what, fmt.Sprintf("line %d", number), excerpt, warning)
		})
	}
}

// text calls yield for each hit in a text; whole means that the hit is the entire text.
func (s *scanner) text(text []byte, yield func(h hit, excerpt string, whole bool)) {
	text = composed(text)
	s.places = s.places[:0]
	folded := s.fold(nil, text, &s.places)
	bare := len(bytes.TrimSpace(folded))
	for _, h := range s.hits(folded) {
		if h.what == WhatDomain && len(s.written) > 0 && s.written[phraseOf(s.file, folded, h)] {
			continue
		}
		end := len(text)
		if h.to < len(s.places) {
			end = s.places[h.to]
		}
		yield(h, excerpt(text, s.places[h.from], end), h.to-h.from == bare)
	}
}

// around is how many bytes of context are shown on each side of a hit.
const around = 40

func excerpt(text []byte, from, to int) string {
	begin, end := max(0, from-around), min(len(text), to+around)
	for begin > 0 && !utf8.RuneStart(text[begin]) {
		begin--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	shown := strings.Join(strings.Fields(strings.ToValidUTF8(string(text[begin:end]), "\uFFFD")), " ")
	if begin > 0 {
		shown = "…" + shown
	}
	if end < len(text) {
		shown += "…"
	}
	return shown
}

// value examines a JSON value. nested means that it is embedded in another thing's
// document, so what it repeats is reported elsewhere.
func (s *scanner) value(value any, where, key string, of owner, nested bool) {
	switch v := value.(type) {
	case map[string]any:
		whose, known := s.owner(v)
		if known {
			nested = where != ""
			of = whose
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := name
			if where != "" {
				at = where + "." + name
			}
			s.value(v[name], at, name, of, nested)
		}
	case []any:
		for i, item := range v {
			s.value(item, fmt.Sprintf("%s[%d]", where, i), key, of, nested)
		}
	case string:
		s.field(v, where, key, of, nested)
	}
}

// owner returns whose an object is; ok is false if the object does not say.
func (s *scanner) owner(v map[string]any) (owner, bool) {
	kind, _ := v["kind"].(string)
	slug, _ := v["slug"].(string)
	company, _ := v["companySlug"].(string)
	switch {
	case s.slugs[company], kind == "seller" && s.slugs[slug]:
		return theirs, true
	case kind != "" && slug != "", company != "":
		return others, true
	}
	return nobody, false
}

// field examines one text of a document.
func (s *scanner) field(text, where, key string, of owner, nested bool) {
	named := false
	s.text([]byte(text), func(h hit, excerpt string, whole bool) {
		warning := false
		switch h.what {
		case WhatAddress:
			// A link in text that somebody wrote is theirs.
			warning = of == others && strings.ContainsAny(text, " \n")
		case WhatDomain:
			warning = of == others
		case WhatName:
			if named = true; isSlug[key] {
				return
			}
			if of == others && nested && repeated[key] {
				return
			}
			warning = of != theirs && (!whole || !sellerField[key] || of == others && key != "seller")
		}
		s.say(h.what, where, excerpt, warning)
	})
	if !s.slugs[text] || named && key != "companySlug" && key != "slug" {
		return
	}
	// The slug of somebody else's object is its own.
	if key != "slug" || of != others {
		s.say(WhatSlug, where, text, !slugField[key] && of != theirs)
	}
}

var (
	// repeated are the fields in which Links and cards repeat the document that they refer
	// to.
	repeated = map[string]bool{"name": true, "title": true, "summary": true, "alt": true, "label": true, "authors": true, "tagline": true}
	// isSlug are the fields whose words are not names.
	isSlug = map[string]bool{"slug": true, "companySlug": true}
	// sellerField and slugField are the fields that name a seller in any object.
	sellerField = map[string]bool{"name": true, "legalName": true, "seller": true, "company": true, "companyName": true}
	slugField   = map[string]bool{"slug": true, "companySlug": true, "seller": true, "company": true}
)
