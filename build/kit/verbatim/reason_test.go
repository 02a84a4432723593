package verbatim_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"souk/build/kit/verbatim"
)

func TestReasonIsInWordsForPeople(t *testing.T) {
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/late":
			<-ended
		case "/closed":
			connection, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = connection.Close()
			}
		}
	}))
	defer server.Close()
	defer close(ended)
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + nobody.Addr().String()
	_ = nobody.Close()
	for address, want := range map[string]string{
		server.URL + "/late":     "there was no answer in time",
		server.URL + "/closed":   "the connection was closed before the answer was whole",
		refused:                  "connection refused",
		"http://nobody.invalid/": "lookup nobody.invalid",
	} {
		client := verbatim.Client(300 * time.Millisecond)
		answer, err := client.Get(address)
		if err == nil {
			_ = answer.Body.Close()
			t.Fatalf("%s answers", address)
		}
		if got := verbatim.Reason(err); !strings.HasPrefix(got, want) && !strings.Contains(address, "invalid") || strings.Contains(got, "dial") {
			t.Errorf("%s: %q, not %q", address, got, want)
		}
		client.CloseIdleConnections()
	}
}
