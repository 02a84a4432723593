package dynamic

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
)

func TestPendingRequestsAreFinishedBeforeTheEnd(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	begun, finish := make(chan struct{}), make(chan struct{})
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-finish
		if r.Context().Err() != nil {
			t.Error("the request was cancelled")
		}
		io.WriteString(w, "whole")
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, slow, slog.New(slog.DiscardHandler)) }()
	answered := make(chan string, 1)
	go func() {
		response, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			answered <- err.Error()
			return
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		answered <- string(body)
	}()
	<-begun
	cancel()
	// New connections are refused from now on.
	for {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			break
		}
		conn.Close()
	}
	select {
	case err := <-ended:
		t.Fatalf("ended with a request in flight: %v", err)
	default:
	}
	close(finish)
	if got := <-answered; got != "whole" {
		t.Errorf("the answer in flight: %q", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
