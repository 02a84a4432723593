package catalog

import (
	"cmp"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// BareDomain returns the form in which domains are compared: without a leading "www.", unless
// only a public suffix (publicsuffix.org) would remain. The domain must be in lower-case ASCII
// form. A mailbox of the company is at exactly this domain.
func BareDomain(domain string) string {
	rest, prefixed := strings.CutPrefix(domain, "www.")
	if !prefixed || !strings.Contains(rest, ".") {
		return domain
	}
	if suffix, _ := publicsuffix.PublicSuffix(rest); suffix == rest {
		return domain
	}
	return rest
}

// IsRegistered reports whether a domain in lower-case ASCII form is below a public suffix of
// the Internet, so that it can belong to someone.
func IsRegistered(domain string) bool {
	suffix, icann := publicsuffix.PublicSuffix(domain)
	return icann && suffix != domain
}

// EndsInNumber reports whether the last label of a lower-case domain is a number. Browsers
// take such a domain for an IP address (WHATWG URL, section 3.5).
func EndsInNumber(domain string) bool {
	last := domain[strings.LastIndexByte(domain, '.')+1:]
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return true
	}
	hex, found := strings.CutPrefix(last, "0x")
	return found && strings.Trim(hex, "0123456789abcdef") == ""
}

// related reports whether one domain is below the other.
func related(a, b string) bool {
	return strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a)
}

// Hosts returns the hosts of web addresses, in lower-case ASCII form.
func Hosts(addresses ...string) (all []string) {
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" {
			continue
		}
		host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
		ascii, _ := idna.Lookup.ToASCII(host)
		all = append(all, cmp.Or(ascii, host))
	}
	return all
}
