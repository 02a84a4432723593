package mcp

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestInvalidMessagesAreRefusedInJSONRPC(t *testing.T) {
	h := New(Config{Market: sized{}}).Handler(Access{})
	post := func(contentType, body string) (*httptest.ResponseRecorder, rejection) {
		t.Helper()
		r := httptest.NewRequest(http.MethodPost, "http://m.example/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("Accept", "application/json, text/event-stream")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var got rejection
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s %q is answered %v: %s", contentType, body, w.Header(), w.Body)
		}
		return w, got
	}
	bodies := maps.Clone(noMessages)
	bodies[""] = -32700
	for body, code := range bodies {
		if w, got := post("application/json", body); w.Code != 400 || got.ID != nil || got.Error.Code != code || got.Error.Message == "" {
			t.Errorf("%q: %d %+v, not %d", body, w.Code, got, code)
		}
	}
	for _, contentType := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/json; ="} {
		if w, got := post(contentType, ping); w.Code != 415 || got.ID != nil || got.Error.Code != -32600 || got.Error.Message == "" {
			t.Errorf("%q: %d %+v", contentType, w.Code, got)
		}
	}
	coded := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(ping))
	coded.Header.Set("Content-Type", "application/json")
	coded.Header.Set("Content-Encoding", "gzip")
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, coded); w.Code != 415 || w.Header().Get("Accept-Encoding") != "identity" {
		t.Errorf("a content coding: %d %v", w.Code, w.Header())
	}
	if w, got := post("application/json; charset=utf-8", " "+ping+"\n"); w.Code != 200 || got.ID != 7.0 {
		t.Errorf("%d %+v", w.Code, got)
	}
}

// A client expects JSON-RPC errors, regardless of which layer refuses.
func TestProtocolErrorsAreJSONRPCErrors(t *testing.T) {
	h := New(Config{Market: sized{}}).Handler(Access{})
	const unknown, notification = `{"jsonrpc":"2.0","id":"a","method":"nope/x","params":{}}`, `{"jsonrpc":"2.0","method":"nope/x"}`
	const later = `{"jsonrpc":"2.0","id":"a","method":"nope/x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	const newer = `{"jsonrpc":"2.0","id":"a","method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for _, tt := range []struct {
		what, version, accept, body string
		status, code                int
		id                          any
	}{
		{"an unknown method", "", "*/*", unknown, 400, -32601, "a"},
		{"an unknown method", "2025-06-18", "*/*", unknown, 400, -32601, "a"},
		{"an unknown method", "2025-11-25", "*/*", unknown, 400, -32601, "a"},
		{"an unknown method", "2026-07-28", "*/*", later, 404, -32601, "a"},
		{"prompts, which are not declared", "2025-06-18", "*/*", `{"jsonrpc":"2.0","id":"a","method":"prompts/list","params":{}}`, 200, -32601, "a"},
		{"prompts, which are not declared", "2026-07-28", "*/*", strings.Replace(later, "nope/x", "prompts/list", 1), 404, -32601, "a"},
		{"resources, which are not declared", "2025-06-18", "*/*", `{"jsonrpc":"2.0","id":"a","method":"resources/templates/list"}`, 200, -32601, "a"},
		{"resources, which are not declared", "2026-07-28", "*/*", strings.Replace(later, "nope/x", "resources/list", 1), 404, -32601, "a"},
		{"completions, which are not declared", "2025-06-18", "*/*", `{"jsonrpc":"2.0","id":"a","method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"a","value":"b"}}}`, 200, -32601, "a"},
		{"logging, which is not declared", "2025-06-18", "*/*", `{"jsonrpc":"2.0","id":"a","method":"logging/setLevel","params":{"level":"info"}}`, 200, -32601, "a"},
		{"an unknown notification", "2025-06-18", "*/*", notification, 400, -32601, nil},
		{"a request without params", "2025-06-18", "*/*", `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, 400, -32600, 7.0},
		{"a batch", "2025-06-18", "*/*", "[" + ping + "]", 400, -32600, nil},
		{"no Accept", "2025-06-18", "", ping, 400, -32600, 7.0},
		{"an unknown version", "1999-01-01", "*/*", ping, 400, -32600, 7.0},
		{"an unknown version", "2026-07-01", "*/*", ping, 400, -32600, 7.0},
		{"an unknown version", "2027-01-01", "*/*", ping, 400, -32600, 7.0},
		{"an unknown version", "bad", "*/*", ping, 400, -32600, 7.0},
		{"an unknown version of a notification", "2027-01-01", "*/*", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 400, -32600, nil},
		// These errors tell a client which versions are supported.
		{"an unknown version that the request names", "2027-01-01", "*/*", newer, 400, -32022, "a"},
		{"a version that the request does not name", "2026-07-28", "*/*", ping, 400, -32602, 7.0},
		{"neither a method nor an answer", "", "*/*", `{"jsonrpc":"2.0","id":7}`, 400, -32600, nil},
		{"an answer", "1999-01-01", "*/*", `{"jsonrpc":"2.0","id":7,"result":{}}`, 400, -32600, nil},
	} {
		r := httptest.NewRequest(http.MethodPost, "http://m.example/mcp", strings.NewReader(tt.body))
		r.Header.Set("Content-Type", "application/json")
		var sent struct{ Method string }
		_ = json.Unmarshal([]byte(tt.body), &sent) // a batch has no id
		for name, value := range map[string]string{"Accept": tt.accept, "MCP-Protocol-Version": tt.version, "Mcp-Method": sent.Method} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var got rejection
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s in %q is answered %v: %s", tt.what, tt.version, w.Header(), w.Body)
		}
		if w.Code != tt.status || got.Error.Code != tt.code || got.ID != tt.id || got.Error.Message == "" {
			t.Errorf("%s in %q: %d %s", tt.what, tt.version, w.Code, w.Body)
		}
	}
}
