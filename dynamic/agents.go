package dynamic

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"

	"souk/build/document"
	"souk/dynamic/agents/mcp"
	"souk/dynamic/search"
	"souk/dynamic/web"
)

// agentsMarket is the market for agents. They see exactly what web and search answer.
type agentsMarket struct {
	*search.Live
	release web.Release
	sellers directory
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
func (m agentsMarket) Addresses() (document.Addresses, error) {
	now, err := m.sellers.market()
	if err != nil {
		return document.Addresses{}, err
	}
	return now.addresses, nil
}

// name returns the market's current name.
func (m agentsMarket) name() string {
	now, err := m.sellers.market()
	if err != nil {
		return "" // Addresses fails too
	}
	return now.name
}

// agentsHandler returns the handler for MCP.
func agentsHandler(c Config, from sources) http.Handler {
	market := agentsMarket{from.live, from, from.sellers}
	server := mcp.New(mcp.Config{Market: market, Log: c.Log, Name: market.name})
	return server.Handler(mcp.Access{Hosts: c.Hosts, Proxied: len(c.Verification.Trusted) > 0})
}

// TraceAgent returns a function that calls the MCP tools on a public folder and an index,
// like a server of both. It is for trace.
func TraceAgent(public string, index *search.Index, addresses document.Addresses) func(context.Context, string, map[string]any) ([]byte, error) {
	m := folderMarket{index, public, addresses}
	return mcp.New(mcp.Config{Market: m, Log: slog.New(slog.DiscardHandler)}).Call
}

// folderMarket is a market read from a folder.
type folderMarket struct {
	*search.Index
	public    string
	addresses document.Addresses
}

// Document implements mcp.Market.
func (m folderMarket) Document(_ context.Context, file string) ([]byte, mcp.State, error) {
	body, err := os.ReadFile(filepath.Join(m.public, filepath.FromSlash(file)))
	if err == nil {
		return body, mcp.Found, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, mcp.Unknown, err
	}
	if _, err := os.Stat(filepath.Join(m.public, filepath.FromSlash(document.GoneFile(file)))); err == nil {
		return nil, mcp.Removed, nil
	}
	return nil, mcp.Unknown, nil
}

// Addresses implements mcp.Market.
func (m folderMarket) Addresses() (document.Addresses, error) { return m.addresses, nil }
