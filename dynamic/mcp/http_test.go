package mcp

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestWhatIsNoMessageIsRefusedInJSONRPC(t *testing.T) {
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
	if w, got := post("application/json; charset=utf-8", " "+ping+"\n"); w.Code != 200 || got.ID != 7.0 {
		t.Errorf("%d %+v", w.Code, got)
	}
}
