package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Client returns the address that a request comes from. It trusts X-Forwarded-For as far as
// the proxies are in trusted networks: from the right, up to the first address that is not.
// It returns the zero Addr if the address is unknown.
func Client(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := peer.Addr().Unmap()
	var hops []string
	for _, line := range r.Header["X-Forwarded-For"] {
		hops = append(hops, strings.Split(line, ",")...)
	}
	for _, hop := range slices.Backward(hops) {
		if !slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(client) }) {
			break
		}
		next, err := forwarded(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		client = next
	}
	return client
}

// forwarded parses an address, with or without a port.
func forwarded(text string) (netip.Addr, error) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap(), nil
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap(), err
}
