package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// unreadable lists params that cannot be parsed, by method.
var unreadable = []struct{ method, params string }{
	{"tools/call", `{"name":5}`},
	{"tools/call", `{"name":"search","_meta":5}`},
	{"tools/call", `["search"]`},
	{"tools/call", `null`},
	{"tools/list", `{"cursor":5}`},
	{"ping", `"handling '"`},
	{"resources/read", `{"uri":{}}`},
	{"initialize", `{"protocolVersion":5}`},
	{"initialize", `null`},
}

// inPlain reports whether an answer rejects the params of a method without mentioning Go
// types.
func inPlain(answer []byte, id any, method string) bool {
	var got rejection
	return json.Unmarshal(answer, &got) == nil && got.ID == id && got.Error.Code == -32602 &&
		strings.HasPrefix(got.Error.Message, "The params of "+method+" cannot be read") && !strings.Contains(string(answer), "unmarshal")
}

func TestUnreadableParamsGetAPlainErrorOverHTTP(t *testing.T) {
	h := New(Config{Market: sized{}}).Handler(Access{})
	post := func(body string) []byte {
		r := httptest.NewRequest(http.MethodPost, "http://m.example/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "*/*")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Body.Bytes()
	}
	for _, tt := range unreadable {
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":"a","method":%q,"params":%s}`, tt.method, tt.params)
		if got := post(call); !inPlain(got, "a", tt.method) {
			t.Errorf("%s is answered %s", call, got)
		}
		if tt.method == "initialize" {
			continue // not allowed in a batch
		}
		var batch []json.RawMessage
		if got := post("[" + ping + "," + call + "]"); json.Unmarshal(got, &batch) != nil || len(batch) != 2 {
			t.Errorf("a batch with %s is answered %s", call, got)
			continue
		}
		if inPlain(batch[0], "a", tt.method) == inPlain(batch[1], "a", tt.method) || !strings.Contains(string(batch[0])+string(batch[1]), `"result":{}`) {
			t.Errorf("a batch with %s is answered %s", call, batch)
		}
	}
}

func TestUnreadableParamsGetAPlainErrorOnAStream(t *testing.T) {
	in, ask := io.Pipe()
	answer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- New(Config{Market: sized{}}).ServeStream(t.Context(), in, out) }()
	answers := bufio.NewScanner(answer)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	if _, err := io.WriteString(ask, hello+"\n"); err != nil || !answers.Scan() {
		t.Fatalf("%v", err)
	}
	for _, tt := range unreadable {
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":%q,"params":%s}`, tt.method, tt.params)
		if _, err := io.WriteString(ask, call+"\n"); err != nil || !answers.Scan() {
			t.Fatalf("%s: the stream has ended: %v", call, err)
		}
		if !inPlain(answers.Bytes(), 3.0, tt.method) {
			t.Errorf("%s is answered %s", call, answers.Bytes())
		}
	}
	if err := ask.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("ServeStream: %v", err)
	}
}
