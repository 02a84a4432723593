package mail

import (
	"errors"
	"fmt"
	"net/mail"
	"strings"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// format returns the mail that is sent for a Letter. All text enters headers through the
// library's encoders, which never let a line break through.
func format(l Letter, encoding gomail.Encoding) (*gomail.Msg, error) {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent(), gomail.WithEncoding(encoding),
		gomail.WithBoundary("souk-"+domainless(l.MessageID)))
	from, err := ascii(l.From.Address)
	if err != nil {
		return nil, fmt.Errorf("the sender's address: %w", err)
	}
	to, err := ascii(l.To)
	if err != nil {
		return nil, fmt.Errorf("the recipient's address: %w", err)
	}
	// FromFormat does not quote the name, and then fails to parse the result.
	m.FromMailAddress(&mail.Address{Name: l.From.Name, Address: from})
	if err := m.To(to); err != nil {
		return nil, errAddress
	}
	if l.ReplyTo != "" {
		reply, err := ascii(l.ReplyTo)
		if err != nil {
			return nil, fmt.Errorf("the contact's address: %w", err)
		}
		if err := m.ReplyTo(reply); err != nil {
			return nil, errAddress
		}
	}
	m.SetMessageIDWithValue(l.MessageID)
	m.SetDateWithValue(l.Date)
	// This prevents out-of-office replies (RFC 3834).
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.Subject(l.Subject)
	text, html := l.Text, l.HTML
	if encoding == gomail.NoEncoding {
		// The encoders write CRLF line ends; without an encoder we must.
		text, html = strings.ReplaceAll(text, "\n", "\r\n"), strings.ReplaceAll(html, "\n", "\r\n")
	}
	m.SetBodyString(gomail.TypeTextPlain, text)
	if html != "" {
		m.AddAlternativeString(gomail.TypeTextHTML, html)
	}
	return m, nil
}

// errAddress has no details, since the parser's errors repeat the address.
var errAddress = errors.New("is not a mail address")

// ascii returns an address with its domain in ASCII, and rejects text that contains more
// than an address.
func ascii(address string) (string, error) {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address {
		return "", errAddress
	}
	domain := domainOf(address)
	known, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return "", errAddress
	}
	return address[:len(address)-len(domain)] + known, nil
}

func domainless(messageID string) string {
	return messageID[:len(messageID)-len(domainOf(messageID))-1]
}
