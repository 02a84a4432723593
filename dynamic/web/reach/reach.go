// Package reach judges whose page sends a request. A page that a browser shows may
// try to reach a server of the same machine or network, by its address or by a name
// of its own that leads there (DNS rebinding). It refuses to know what is asked for.
package reach

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Names are the names of a server, in lower case and without port. Those of loopback
// are every server's.
type Names map[string]bool

// Of returns the names of hosts, with or without port.
func Of(hosts ...string) Names {
	names := Names{}
	for _, host := range hosts {
		names[strings.ToLower(hostOf(host))] = true
	}
	return names
}

// Add adds the host of a web address, if it has one.
func (n Names) Add(address string) {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		n[strings.ToLower(u.Hostname())] = true
	}
}

func (n Names) own(name string) bool { return n[strings.ToLower(name)] || isLoopback(name) }

// Host reports whether a request names this server.
func (n Names) Host(r *http.Request) bool { return n.own(hostOf(r.Host)) }

// Pages reports whether no page sends a request, or one of this server or machine. Where a
// browser says that another site sends it and not which, as for a link, a picture or a
// script, the Referer has to tell.
func (n Names) Pages(r *http.Request) bool {
	site, pages := r.Header.Get("Sec-Fetch-Site"), r.Header["Origin"]
	if site == "cross-site" && len(pages) == 0 {
		pages = []string{r.Referer()}
	}
	for _, page := range pages {
		u, err := url.Parse(page)
		// A form of a page that hides its address has the origin null.
		hidden := page == "null" && site == "same-origin"
		if !hidden && (err != nil || !n.own(u.Hostname())) {
			return false
		}
	}
	return true
}

// Loopback reports whether a request came to an address of loopback.
func Loopback(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return local != nil && isLoopback(hostOf(local.String()))
}

// hostOf returns a host without its port and brackets.
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
