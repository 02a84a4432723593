package catalog

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// A WebAddress is a web address in normal form (RFC 3986, section 6.2).
type WebAddress struct {
	// Host is in lower case, with a port unless it is the scheme's default.
	Host string
	// Path is decoded, without dot segments, in lower case.
	Path  string
	Query url.Values
}

// ParseWebAddress parses an address. ok is false if it is not one.
func ParseWebAddress(address string) (a WebAddress, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return a, false
	}
	a.Host = strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		a.Host += ":" + port
	}
	a.Path = strings.ToLower(path.Clean("/" + u.Path))
	a.Query = u.Query()
	return a, true
}

// MayLeadHere reports whether a web address may be that of a Seller or an offer here. Only
// renderers know the marketplace's own address.
func MayLeadHere(address string) bool {
	a, ok := ParseWebAddress(address)
	return ok && (strings.Contains(a.Path, "/companies/") || a.Query.Has("seller"))
}

// leadsHere reports whether an item contains a web address that may be that of a Seller or an
// offer here.
func leadsHere(item Item) bool {
	if slices.ContainsFunc(item.Common().Description.Targets, func(t Target) bool { return t.Web != "" }) {
		return true
	}
	labelled := func(l Labelled) bool { return MayLeadHere(l.Value) }
	proven := func(p Proof) bool { return MayLeadHere(p.URL) }
	switch item := item.(type) {
	case *Seller:
		return MayLeadHere(item.Website) || item.Contact != nil && MayLeadHere(item.Contact.URL) || slices.ContainsFunc(item.Links, labelled) || slices.ContainsFunc(item.Details, labelled) || slices.ContainsFunc(item.Proof, proven)
	case *Offer:
		return MayLeadHere(item.Website) || slices.ContainsFunc(item.Links, labelled) || slices.ContainsFunc(item.Proof, proven)
	}
	return false
}
