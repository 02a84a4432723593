// Package verbatim sends requests and returns the real answers of a host: redirects are not
// followed, and bodies stay encoded. It does not know what is requested or which answers
// are right.
package verbatim

import (
	"net/http"
	"time"
)

// atOnce is the maximum number of concurrent requests to one host; their connections are
// reused.
const atOnce = 64

// Client returns a client with its own connections and the given timeout per request.
func Client(timeout time.Duration) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = atOnce
	transport.DisableCompression = true
	return &http.Client{
		Timeout: timeout, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
