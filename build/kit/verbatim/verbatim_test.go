package verbatim_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"souk/build/kit/verbatim"
)

func TestAnswersAreReturnedUnchanged(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "" {
			t.Errorf("it asks for %q by itself", got)
		}
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(http.StatusMovedPermanently)
		_, _ = io.WriteString(w, "no gzip")
	}))
	defer server.Close()
	client := verbatim.Client(time.Minute)
	defer client.CloseIdleConnections()
	answer, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusMovedPermanently || string(body) != "no gzip" {
		t.Errorf("status %d, %q, %v", answer.StatusCode, body, err)
	}
}
