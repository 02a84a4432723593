package web

import (
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestPanicWhileSendingAFileBreaksTheConnection(t *testing.T) {
	config := Config{Log: slog.New(slog.DiscardHandler), Now: time.Now, RequestID: rand.Text, Answered: func(string, string, int, time.Duration) {}}
	server := httptest.NewServer(observed(config, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, "half")
		panic("what a surprise")
	})))
	defer server.Close()
	response, err := http.Get(server.URL)
	if err == nil {
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if err == nil {
		t.Error("half an answer was taken for a whole one")
	}
}
