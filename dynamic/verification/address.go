package verification

import (
	"net/mail"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"

	"souk/build/catalog"
)

// An Address is a mailbox that a requester claims to own. The local part is kept as it was
// written, since only its mail server knows which spellings are equivalent.
type Address struct {
	Local string
	// Domain is in lower-case ASCII (RFC 5891, section 4.4).
	Domain string
}

// Mailbox returns the address to which mail is sent.
func (a Address) Mailbox() string { return a.Local + "@" + a.Domain }

// Masked returns the address as a requester may see it: the first character of the local
// part and always three stars, so that its length stays secret. A local part of one
// character is hidden entirely.
func (a Address) Masked() string {
	first := ""
	if len(a.Local) > 1 {
		first = a.Local[:1]
	}
	return first + "***@" + a.Domain
}

// String returns the masked address, so that the local part is never logged by accident.
func (a Address) String() string { return a.Masked() }

// The limits of RFC 5321, section 4.5.3.1, in bytes.
const (
	longestAddress = 254
	longestLocal   = 64
)

// ParseAddress parses a bare mailbox address. It is stricter than the mail standards, since
// an unusual form that programs interpret in different ways is not a reliable proof. It
// rejects display names, comments, quoted local parts, literal IP addresses, final dots,
// and domains that IDNA would spell differently. It fails with an *Error that does not
// repeat the text.
func ParseAddress(text string) (Address, error) {
	switch {
	case text == "":
		return Address{}, badAddress(FaultRequired, "enter your email address on the company's official domain")
	case len(text) > longestAddress:
		return Address{}, badAddress(FaultTooLong, "this is too long for an email address")
	}
	local, rest, ok := strings.Cut(text, "@")
	if !ok || strings.Contains(rest, "@") || !atoms(local) {
		return Address{}, badAddress(FaultInvalid, "write only the email address, as in jane@acme.example")
	}
	// The standard library must agree.
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Name != "" || parsed.Address != text {
		return Address{}, badAddress(FaultInvalid, "write only the email address, as in jane@acme.example")
	}
	domain, ok := asciiDomain(rest)
	if !ok || len(local)+1+len(domain) > longestAddress {
		return Address{}, badAddress(FaultInvalid, "the part after the @ is not a domain")
	}
	return Address{Local: local, Domain: domain}, nil
}

func badAddress(code, message string) *Error {
	return invalid(FieldFault{"requesterEmail", code, message})
}

// atoms reports whether a local part is a dot-atom (RFC 5321, section 4.1.2) without % and
// !, which some mail servers interpret as a route to another mailbox.
func atoms(local string) bool {
	if local == "" || len(local) > longestLocal {
		return false
	}
	for atom := range strings.SplitSeq(local, ".") {
		if atom == "" {
			return false
		}
		for i := 0; i < len(atom); i++ {
			c := atom[i]
			letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
			if !letter && strings.IndexByte("#$&'*+-/=?^_`{|}~", c) < 0 {
				return false
			}
		}
	}
	return true
}

// domainForm is the profile with which content folders are read, too. It is like
// idna.Lookup but also rejects labels that are empty or longer than DNS allows.
var domainForm = sync.OnceValue(func() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(true), idna.VerifyDNSLength(true))
})

// asciiDomain returns the lower-case ASCII form of a domain that is written in this form or
// as IDNA would display it. It rejects everything that IDNA would first have to convert:
// full-width letters, ligatures, invisible characters and characters that look like dots
// cannot be typed on an ordinary keyboard.
func asciiDomain(text string) (string, bool) {
	if !utf8.ValidString(text) || strings.HasSuffix(text, ".") {
		return "", false
	}
	ascii, err := domainForm().ToASCII(text)
	if err != nil || !strings.Contains(ascii, ".") || catalog.EndsInNumber(ascii) {
		return "", false
	}
	written := strings.ToLower(norm.NFC.String(text))
	if written == ascii {
		return ascii, true
	}
	shown, err := domainForm().ToUnicode(ascii)
	return ascii, err == nil && shown == written
}

// proves reports whether a mailbox is directly on a seller's official domain. A domain
// below which strangers have mailboxes proves nothing, whatever the content says.
func (a Address) proves(official string) bool {
	if official == "" || a.Domain != official {
		return false
	}
	suffix, _ := publicsuffix.PublicSuffix(official)
	return suffix != official
}
