package mcp

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// An implementation is how a server identifies itself.
type implementation struct{ Name, Title string }

func TestServerTitleIsTheCurrentMarketName(t *testing.T) {
	name := ""
	named := New(Config{Market: sized{}, Name: func() string { return name }}).Handler(Access{})
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	const meta = `{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for _, tt := range []struct {
		of          http.Handler
		name, title string
	}{
		{New(Config{Market: sized{}}).Handler(Access{}), "", "Souk"},
		{named, "", "Souk"},
		{named, "Robot Market", "Robot Market"},
		{named, "Robots\n  & arms", "Robots & arms"},
		{named, strings.Repeat("ü", 200), strings.Repeat("ü", 100)},
		{named, "Robot Market", "Robot Market"},
	} {
		name = tt.name
		for _, method := range []string{"initialize", "server/discover", "tools/list"} {
			body := strings.Replace(meta, "METHOD", method, 1)
			if method == "initialize" {
				body = hello
			}
			r := httptest.NewRequest(http.MethodPost, "http://m.example/mcp", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "*/*")
			if method != "initialize" {
				r.Header.Set("MCP-Protocol-Version", "2026-07-28")
				r.Header.Set("Mcp-Method", method)
			}
			w := httptest.NewRecorder()
			tt.of.ServeHTTP(w, r)
			var got struct {
				Result struct {
					ServerInfo implementation
					Meta       struct {
						Info implementation `json:"io.modelcontextprotocol/serverInfo"`
					} `json:"_meta"`
				}
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("%s: %v: %s", method, err, w.Body)
			}
			info := got.Result.Meta.Info
			if method == "initialize" {
				info = got.Result.ServerInfo
			}
			if want := (implementation{"souk", tt.title}); info != want {
				t.Errorf("%s of %.20q says %+v, not %+v", method, tt.name, info, want)
			}
		}
	}
}
