package site

import (
	"html/template"
	"strings"
)

// Escaping takes most of the time of a page, although few texts need it. These functions write
// texts that need none as they are, and leave the rest to html/template.

var (
	oddLink = template.Must(template.New("link").Parse(`<a href="{{.To}}">{{.Name}}</a>`))
	oddHref = template.Must(template.New("href").Parse(`<a href="{{.}}">`))
)

// link returns a link to an address, which is relative if it is on this site.
func (s *Site) link(name, address string) (template.HTML, error) {
	to := s.path(address)
	if needsNone(name) && plainAddress(to) {
		return template.HTML(`<a href="` + to + `">` + name + `</a>`), nil
	}
	var b strings.Builder
	err := oddLink.Execute(&b, struct{ Name, To string }{name, to})
	return template.HTML(b.String()), err
}

// href returns the href attribute for an address.
func href(address string) (template.HTMLAttr, error) {
	if plainAddress(address) {
		return template.HTMLAttr(`href="` + address + `"`), nil
	}
	var b strings.Builder
	err := oddHref.Execute(&b, address)
	return template.HTMLAttr(strings.TrimSuffix(strings.TrimPrefix(b.String(), "<a "), ">")), err
}

// needsNone reports whether HTML shows every character of a text as it is.
func needsNone(text string) bool { return !strings.ContainsAny(text, "\x00\"&'+<>") }

// plainAddress reports whether an address is a web address or a path that needs no escaping in
// URLs and HTML.
func plainAddress(address string) bool {
	if !strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		return false
	}
	for i := range len(address) {
		switch c := address[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/:", c) >= 0:
		default:
			return false
		}
	}
	return true
}
