package web

import (
	"net/http"

	"souk/build/document"
)

// The states of document.Health.
const (
	StatusOK   = "ok"
	StatusDown = "down"
)

// Health answers how the service does: 200, or 503 where its status is down.
func Health(now func() document.Health) Handler {
	return func(w http.ResponseWriter, _ *http.Request) error {
		h, status := now(), http.StatusOK
		if h.Status != StatusOK {
			status = http.StatusServiceUnavailable
			w.Header().Set("Retry-After", "2")
		}
		return JSON(w, status, h)
	}
}
