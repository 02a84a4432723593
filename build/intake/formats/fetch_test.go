package formats

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestPicturesAreFetchedOnlyFromPublicAddresses(t *testing.T) {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/picture":
			_, _ = w.Write([]byte("bytes"))
		case "/loop":
			http.Redirect(w, r, server.URL+"/loop", http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	if _, err := newFetcher(isPublic).get(t.Context(), server.URL+"/picture"); err == nil {
		t.Error("a picture came from this machine")
	}
	f := newFetcher(func(netip.Addr) bool { return true })
	if data, err := f.get(t.Context(), server.URL+"/picture"); err != nil || string(data) != "bytes" {
		t.Errorf("%q, %v", data, err)
	}
	for _, path := range []string{"/loop", "/missing"} {
		if _, err := f.get(t.Context(), server.URL+path); err == nil {
			t.Errorf("%s gives a picture", path)
		}
	}
	f.left = 0
	if _, err := f.get(t.Context(), server.URL+"/picture"); err == nil {
		t.Error("more pictures come than an import may download")
	}
	for address, want := range map[string]bool{"8.8.8.8": true, "2001:4860:4860::8888": true, "127.0.0.1": false, "10.1.2.3": false, "169.254.169.254": false, "100.64.0.1": false, "::1": false, "fc00::1": false, "fe80::1": false, "0.0.0.0": false, "224.0.0.1": false, "64:ff9b::7f00:1": false} {
		if isPublic(netip.MustParseAddr(address)) != want {
			t.Errorf("%s is public: %t", address, !want)
		}
	}
}
