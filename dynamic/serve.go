package dynamic

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The limits of a connection. The slowest client that the server waits for reads a picture
// of 32 MB within writeTime.
const (
	headerTime  = 5 * time.Second
	readTime    = 15 * time.Second
	writeTime   = 2 * time.Minute
	idleTime    = 2 * time.Minute
	headerBytes = 16 << 10
	// graceTime is how long pending requests may take after the server was told to stop.
	graceTime = 10 * time.Second
)

// serve serves h on a listener until ctx ends, then finishes pending requests. It closes
// the listener.
func serve(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", errors.Join(err, server.Close()))
	case <-ctx.Done():
	}
	log.Info("stopping: finishing requests in flight")
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	err := server.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		log.Warn("requests in flight were cut off", "after", graceTime)
		err = server.Close()
	}
	<-ended
	if err != nil {
		return fmt.Errorf("stop serving: %w", err)
	}
	return nil
}
