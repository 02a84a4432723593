package dynamic

import (
	"net/http"

	"souk/dynamic/reach"
)

// toOwnPages keeps what is not public from the pages of other sites, which the browser
// of who looks at it shows beside: any of them may read what a server answers on
// loopback, since answers allow any origin, or by a name that leads there.
func toOwnPages(c Config, h http.Handler) http.Handler {
	own := reach.Of(c.Hosts...)
	own.Add(c.Build.SiteURL)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ours := own.Host(r) && (own.Pages(r) || r.Header.Get("Sec-Fetch-Site") == "same-origin")
		if reach.Loopback(r) && len(c.Verification.Trusted) == 0 && !ours {
			http.Error(w, "Drafts are shown to this machine and its pages alone: name the address that they are looked at under with --site-url.", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}
