package web

import (
	"context"
	"net/http"

	"souk/build/document"
)

// The states of document.Health.
const (
	StatusOK   = "ok"
	StatusDown = "down"
)

// Health answers the state of the service: 200, or 503 if its status is down.
func Health(now func(context.Context) document.Health) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		h, status := now(r.Context()), http.StatusOK
		if h.Status != StatusOK {
			status = http.StatusServiceUnavailable
			w.Header().Set("Retry-After", "2")
		}
		return JSON(w, status, h)
	}
}
