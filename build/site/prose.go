package site

import (
	"html/template"
	"net/url"
	"regexp"
	"strings"

	"souk/build/document"
	"souk/build/internal/markdown"
)

// The highest heading level in a text, by its place on the page.
const (
	underTitle   = 2
	underSection = 3
)

// prose renders a document's Markdown. rel applies to external links; media are the known
// pictures; first means that the text's first picture is the page's first. A text below other
// headings passes the level of its highest heading.
func (s *Site) prose(source, rel string, media []document.Media, first bool, level ...int) template.HTML {
	if source == "" {
		return ""
	}
	top := underTitle
	if len(level) > 0 {
		top = level[0]
	}
	return template.HTML(markdown.ToHTML(source, top, func(destination string, picture bool) markdown.Link {
		if !safe(destination, picture) {
			return markdown.Link{}
		}
		l := markdown.Link{Destination: s.path(destination)}
		if picture {
			l.Eager, first = first, false
			for _, m := range media {
				if m.URL == destination {
					p := s.of(m.URL, m.Alt, m.Width, m.Height, m.Renditions)
					l.Width, l.Height, l.Srcset, l.Sizes = p.Width, p.Height, p.Srcset, proseSizes
				}
			}
			return l
		}
		if l.Destination == destination {
			l.Rel = rel
		}
		return l
	}))
}

// safe reports whether a link or picture may use an address: it must not run scripts or refer
// to this machine.
func safe(address string, picture bool) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "https", "http":
		return u.Host != "" && !strings.Contains(address, `\`)
	case "mailto", "tel":
		return !picture
	}
	return false
}

// outside returns an address that a stranger provided, or "" if a link must not point there.
func outside(address string) string {
	if safe(address, false) {
		return address
	}
	return ""
}

// A fact is a value on a page, with a target if it is an address.
type fact struct {
	Text string
	URL  template.URL
}

func (s *Site) fact(text string) fact {
	if len(text) > 8 && (strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")) && !strings.ContainsAny(text, " \t\n") && safe(text, true) {
		return fact{host(text), template.URL(text)}
	}
	return fact{Text: text}
}

var (
	mailboxForm  = regexp.MustCompile(`^[A-Za-z0-9.!#$&'*+=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`)
	numberForm   = regexp.MustCompile(`^((\+|00)[0-9 ()./-]+|\(?0[0-9]{2,5}\)?[ /-][0-9 -]{4,})$`)
	domainForm   = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[^\s<>"]*)?$`)
	leastNumbers = 7
	mostNumbers  = 15
)

// detail returns a Seller's detail, which may be an email address, a telephone number or a
// domain.
func (s *Site) detail(text string) fact {
	digits := len(text) - len(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, text))
	domain, _, _ := strings.Cut(text, "/")
	switch {
	case mailboxForm.MatchString(text):
		return fact{text, template.URL("mailto:" + text)}
	case numberForm.MatchString(text) && digits >= leastNumbers && digits <= mostNumbers:
		return fact{text, telephone(text)}
	case domainForm.MatchString(text) && document.Registered(domain):
		return fact{text, template.URL("https://" + text)}
	}
	return s.fact(text)
}

// telephone returns a tel: address, which html/template does not know.
func telephone(number string) template.URL { return template.URL(document.TelephoneURL(number)) }

// again reports whether a Markdown text only repeats a summary.
func again(source, summary string) bool {
	return strings.TrimSpace(source) == strings.TrimSpace(summary)
}

// host returns the host of a web address as people write it.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return strings.TrimPrefix(u.Host, "www.") + strings.TrimSuffix(u.Path, "/")
}

// hostAlone returns the name of a web address without its path.
func hostAlone(address string) string {
	name, _, _ := strings.Cut(host(address), "/")
	return name
}
