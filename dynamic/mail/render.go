package mail

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"souk/templates"
	"souk/templates/texts"
)

// templateData is the input of the templates: all texts are sanitized, and times are in
// words.
type templateData struct {
	Message
	T                      *texts.Catalogue
	Subject, Expires, Done string
}

// Maximum lengths in characters. A requester's name is a stranger's text in a mail that we
// sign, so it is kept too short to carry a message.
const (
	longestRequester = 80
	longestName      = 120
)

// Render writes the texts of a mail. It fails if the Message lacks a field that its kind
// needs.
func Render(m Message) (Content, error) {
	if err := m.check(); err != nil {
		return Content{}, err
	}
	words := m.Texts
	if words == nil {
		words = texts.New("en", nil)
	}
	v := templateData{Message: m, T: words, Expires: words.Moment(m.ExpiresAt), Done: words.Moment(m.DoneAt)}
	v.Requester = strip(unlinked(m.Requester), longestRequester)
	if v.Requester == "" {
		v.Requester = words.Text("mail.nobody")
	}
	v.Company = strip(m.Company, longestName)
	v.Marketplace = strip(m.Marketplace, longestName)
	v.Workspace = strip(m.Workspace, longestName)
	v.Domain = unicodeDomain(m.Domain)

	var subject, text, html strings.Builder
	err := errors.Join(
		templates.MailText.ExecuteTemplate(&subject, string(m.Kind)+".subject", v),
		templates.MailText.ExecuteTemplate(&text, string(m.Kind)+".text", v))
	v.Subject = subject.String()
	err = errors.Join(err, templates.MailHTML.ExecuteTemplate(&html, string(m.Kind)+".html", v))
	if err != nil {
		return Content{}, fmt.Errorf("render %s: %w", m, err)
	}
	return Content{Subject: v.Subject, Text: text.String(), HTML: html.String()}, nil
}

// check returns an error that names the first missing field: an incomplete mail helps
// nobody.
func (m Message) check() error {
	needs := []struct {
		name    string
		missing bool
	}{
		{"id", m.ID == ""}, {"to", m.To == ""}, {"contact", m.Contact == ""},
		{"marketplace", m.Marketplace == ""}, {"siteUrl", m.SiteURL == ""},
		{"company", m.Company == ""}, {"companyUrl", m.CompanyURL == "" && m.Kind != RemovalDone},
		{"domain", m.Domain == "" && m.Kind.isLink()}, {"link", m.Link == "" && m.Kind.isLink()},
		{"code", m.Code == "" && m.Kind.isLink()},
		{"expiresAt", m.ExpiresAt.IsZero() && m.Kind.isLink()},
		{"doneAt", m.DoneAt.IsZero() && !m.Kind.isLink()},
		{"workspace", m.Workspace == "" && m.Kind == ClaimDone},
	}
	switch m.Kind {
	case ClaimLink, RemovalLink, ClaimDone, RemovalDone:
	default:
		return fmt.Errorf("%q is not a kind of mail", string(m.Kind))
	}
	for _, need := range needs {
		if need.missing {
			return fmt.Errorf("the message %s lacks its %s", m, need.name)
		}
	}
	return nil
}

// unicodeDomain returns a domain as people write it: müller.example rather than
// xn--mller-kva.example. A domain that is invalid in IDNA is returned unchanged.
func unicodeDomain(domain string) string {
	if written, err := idna.Lookup.ToUnicode(domain); err == nil {
		return written
	}
	return domain
}

// asciiDomain returns a domain in ASCII, as headers require: encoded words are allowed in
// texts but not in identifiers (RFC 2047, 5). A domain that is invalid in IDNA is returned
// unchanged.
func asciiDomain(domain string) string {
	if known, err := idna.Lookup.ToASCII(domain); err == nil {
		return known
	}
	return domain
}

// strip reduces a text to one line of at most longest printable characters: no line breaks,
// control characters, invisible characters, or characters that change the writing
// direction.
func strip(text string, longest int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.In(r, unicode.Zl, unicode.Zp), unicode.Is(unicode.Cc, r):
			return ' '
		case r == '\u200c', r == '\u200d':
			return r // Persian and Indic names need them
		case unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longest {
		text = strings.TrimSpace(string(runes[:longest-1])) + "…"
	}
	return text
}

var (
	addressMarks = regexp.MustCompile(`[/\\<>@:]+`)
	innerDot     = regexp.MustCompile(`\.+([^\s.])`)
)

// unlinked removes everything from a name that mail programs turn into a link: a stranger
// must not be able to place a link in our mails. It looks at each character as a browser
// reads it: UTS 46 maps by NFKC and treats an ideographic full stop as a dot.
func unlinked(name string) string {
	var read strings.Builder
	for _, r := range name {
		ascii := strings.ReplaceAll(norm.NFKC.String(string(r)), "。", ".")
		if !strings.ContainsAny(ascii, `./\<>@:`) {
			ascii = string(r)
		}
		read.WriteString(ascii)
	}
	return innerDot.ReplaceAllString(addressMarks.ReplaceAllString(read.String(), " "), ". $1")
}

// compose returns the Letter of a Message. Its Message-ID depends only on the record, so
// that mail programs recognize a copy.
func compose(m Message, now time.Time) (Letter, error) {
	m.Contact = cmp.Or(m.Contact, m.From)
	content, err := Render(m)
	if err != nil {
		return Letter{}, err
	}
	sum := sha256.Sum256([]byte(string(m.Kind) + "\n" + m.ID))
	digest := hex.EncodeToString(sum[:16])
	l := Letter{
		Name: string(m.Kind) + "-" + m.ID, MessageID: digest + "@" + asciiDomain(domainOf(m.From)),
		From: Address{Name: strip(m.Marketplace, longestName), Address: m.From}, To: m.To,
		Date: now.UTC(), Content: content,
	}
	if !plainName.MatchString(l.Name) {
		l.Name = string(m.Kind) + "-" + digest
	}
	if m.Contact != m.From {
		l.ReplyTo = m.Contact
	}
	return l, nil
}

// Notice returns a mail to the operator. Its name, which must be safe in file names,
// identifies it in every attempt.
func Notice(marketplace, from, to, name string, now time.Time, c Content) Letter {
	c.Subject = strip(c.Subject, longestName)
	return Letter{
		Name: name, MessageID: name + "@" + asciiDomain(domainOf(from)),
		From: Address{Name: strip(marketplace, longestName), Address: from}, To: to, Date: now.UTC(), Content: c,
	}
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,120}$`)

func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }
