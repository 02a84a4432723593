// Package verbatim asks a host for what it really answers: a redirect is an
// answer like any other, and a body stays encoded as it came. It refuses to know
// what is asked for, and what of an answer is right.
package verbatim

import (
	"net/http"
	"time"
)

// atOnce is the most requests that wait for one host at a time; their
// connections are kept.
const atOnce = 64

// Client returns a client of its own connections, whose requests may take so
// long.
func Client(timeout time.Duration) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = atOnce
	transport.DisableCompression = true
	return &http.Client{
		Timeout: timeout, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
