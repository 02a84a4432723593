package site

import (
	"html/template"
	"net/url"
	"strings"

	"souk/build/document"
	"souk/build/markdown"
)

// Whose the links of a text are: a stranger's are not recommended to search
// engines, and learn nothing of where a reader came from.
const (
	strangerRel = "nofollow noopener ugc"
	editorRel   = "noopener"
)

// prose renders Markdown of a document. media are the pictures whose sizes are
// known.
func (s *Site) prose(source, rel string, media []document.Media) template.HTML {
	if source == "" {
		return ""
	}
	return template.HTML(markdown.ToHTML(source, func(destination string, picture bool) markdown.Link {
		if !safe(destination, picture) {
			return markdown.Link{}
		}
		l := markdown.Link{Destination: s.path(destination)}
		if picture {
			for _, m := range media {
				if m.URL == destination {
					l.Width, l.Height = m.Width, m.Height
				}
			}
			return l
		}
		if l.Destination == destination && !strings.HasPrefix(destination, "#") {
			l.Rel = rel
		}
		return l
	}))
}

// safe reports whether a link or picture may lead to an address: what runs
// nothing, and shows nothing of this machine.
func safe(address string, picture bool) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "https", "http":
		return true
	case "mailto", "tel":
		return !picture
	case "":
		return !picture && strings.HasPrefix(address, "#")
	}
	return false
}

// host returns the name of a web address, as people say it.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return strings.TrimPrefix(u.Host, "www.") + strings.TrimSuffix(u.Path, "/")
}
