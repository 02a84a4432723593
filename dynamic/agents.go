package dynamic

import (
	"context"
	"net/http"

	"souk/build/document"
	"souk/dynamic/mcp"
	"souk/dynamic/search"
	"souk/dynamic/web"
)

// agentsMarket is the market as agents read it: what web and search answer, no
// more and no later.
type agentsMarket struct {
	*search.Live
	release   web.Release
	addresses func() (document.Addresses, error)
}

var _ mcp.Market = agentsMarket{}

// Document implements mcp.Market.
func (m agentsMarket) Document(_ context.Context, file string) ([]byte, mcp.State, error) {
	body, gone, err := web.Read(m.release, file)
	switch {
	case err != nil:
		return nil, mcp.Unknown, err
	case gone:
		return nil, mcp.Removed, nil
	case body == nil:
		return nil, mcp.Unknown, nil
	}
	return body, mcp.Found, nil
}

// Addresses implements mcp.Market.
func (m agentsMarket) Addresses() (document.Addresses, error) { return m.addresses() }

// agentsHandler answers MCP.
func agentsHandler(c Config, b *builds, shown surface) http.Handler {
	market := agentsMarket{&b.index.live, shown, func() (document.Addresses, error) {
		v, err := b.sellers.view()
		if err != nil {
			return document.Addresses{}, err
		}
		return v.addresses, nil
	}}
	server := mcp.New(mcp.Config{Market: market, Log: c.Log})
	return server.Handler(mcp.Access{Hosts: c.Hosts, Proxied: len(c.Verification.Trusted) > 0})
}
