// Package reach checks which site's page sent a request. A page in a browser may try to
// access a server on the same machine or network, by its address or by a name of its own
// that resolves to it (DNS rebinding). The package does not know what is requested.
package reach

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Names are the names of a server, in lower case and without port. Every server also has
// the loopback names.
type Names map[string]bool

// Of returns the names of hosts given with or without port.
func Of(hosts ...string) Names {
	names := Names{}
	for _, host := range hosts {
		names[strings.ToLower(hostOf(host))] = true
	}
	return names
}

// Add adds the host of a URL, if it has one.
func (n Names) Add(address string) {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		n[strings.ToLower(u.Hostname())] = true
	}
}

func (n Names) own(name string) bool { return n[strings.ToLower(name)] || isLoopback(name) }

// Host reports whether a request's Host is one of the server's names.
func (n Names) Host(r *http.Request) bool { return n.own(hostOf(r.Host)) }

// Pages reports whether the request was not sent by a page, or was sent by a page of this
// server or machine. If a browser only says that another site sent it and not which one, as
// for a link, a picture or a script, the Referer decides.
func (n Names) Pages(r *http.Request) bool {
	site, pages := r.Header.Get("Sec-Fetch-Site"), r.Header["Origin"]
	if site == "cross-site" && len(pages) == 0 {
		pages = []string{r.Referer()}
	}
	for _, page := range pages {
		u, err := url.Parse(page)
		// A form on a page that hides its address sends the origin null.
		hidden := page == "null" && site == "same-origin"
		if !hidden && (err != nil || !n.own(u.Hostname())) {
			return false
		}
	}
	return true
}

// Loopback reports whether a request was sent to a loopback address.
func Loopback(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return local != nil && isLoopback(hostOf(local.String()))
}

// hostOf returns a host without port and brackets.
func hostOf(hostPort string) string {
	if host, _, err := net.SplitHostPort(hostPort); err == nil {
		return host
	}
	return strings.Trim(hostPort, "[]")
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
