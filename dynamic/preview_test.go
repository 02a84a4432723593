package dynamic

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/document"
	"souk/dynamic/web/preview"
)

// previewOf starts a house as a preview that follows its content.
func previewOf(t *testing.T, drafts bool) *house {
	h := newHouse(t)
	h.Watch = true
	h.Build.Pages, h.Build.Preview, h.Build.Drafts = true, true, drafts
	return h
}

// page returns the status and the body of an address of the site.
func (h *house) page(address string) (int, string) {
	h.Helper()
	request, err := http.NewRequest(http.MethodGet, h.base+address, nil)
	if err != nil {
		h.Fatal(err)
	}
	request.Header.Set("Accept", "text/html,*/*;q=0.8")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		h.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		h.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// events returns the ids of the server's states as they arrive. The channel is closed when
// the server ends.
func (h *house) events() <-chan string {
	h.Helper()
	response, err := http.Get(h.base + preview.Root + "events")
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { response.Body.Close() })
	if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
		h.Fatalf("the events are %q", got)
	}
	states := make(chan string, 100)
	go func() {
		defer close(states)
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if id, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				states <- id
			}
		}
	}()
	return states
}

// next waits for an event.
func (h *house) next(states <-chan string) string {
	h.Helper()
	select {
	case id, open := <-states:
		if !open {
			h.Fatal("the events have ended")
		}
		return id
	case <-time.After(20 * time.Second):
		h.Fatal("no state was sent")
	}
	return ""
}

var stateOf = regexp.MustCompile(`data-state="([0-9a-f]{16})"`)

func TestPreviewReloadsItsPagesAndShowsMistakesUntilTheyAreFixed(t *testing.T) {
	h := previewOf(t, false)
	h.open()
	states := h.events()
	id := h.next(states)
	status, page := h.page("/")
	if found := stateOf.FindStringSubmatch(page); status != http.StatusOK || found == nil || found[1] != id {
		t.Fatalf("the home page answers %d and shows %v, and the state is %s", status, found, id)
	}
	if !strings.Contains(page, `connect-src &#39;self&#39;`) || !strings.Contains(page, "</script>\n</head>") {
		t.Errorf("the policy or the script is not there:\n%s", page[:min(len(page), 2000)])
	}

	h.write("site/imprint.md", "---\ntitle: Our imprint\n---\n\nWe.\n")
	saved := h.next(states)
	if _, page := h.page("/imprint"); saved == id || !strings.Contains(page, "<h1>Our imprint</h1>") {
		t.Errorf("after %s, state %s, the page is\n%s", id, saved, page)
	}

	h.write("site/imprint.md", "---\ntitle: Another\nmeny: <script>alert(1)</script>\n---\n\nWe.\n")
	wrong := h.next(states)
	_, page = h.page("/imprint")
	for _, want := range []string{"<h1>Our imprint</h1>", "1 mistake: below is the content before", `/content/site/imprint.md:3:1</code> unknown field &#34;meny&#34; <em>(did you mean &#34;menu&#34;?)`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page with a mistake does not have %s:\n%s", want, page)
		}
	}
	if strings.Contains(page, "<script>alert") {
		t.Error("what the content says runs")
	}

	h.write("site/imprint.md", "---\ntitle: Another\n---\n\nWe.\n")
	if mended := h.next(states); mended == wrong || mended == saved {
		t.Errorf("after %s and %s, %s is sent", saved, wrong, mended)
	}
	if _, page = h.page("/imprint"); strings.Contains(page, "souk-mistakes") || !strings.Contains(page, "<h1>Another</h1>") {
		t.Errorf("the mended page is\n%s", page)
	}

	// Listeners do not delay the end any longer than others.
	h.close()
	select {
	case _, open := <-states:
		if open {
			t.Error("a state is sent at the end")
		}
	case <-time.After(20 * time.Second):
		t.Error("the events do not end")
	}
}

func TestPreviewFollowsTheThemeAndShowsItsMistakes(t *testing.T) {
	h := previewOf(t, false)
	h.open()
	states := h.events()
	h.next(states)
	h.write("theme/home.html.tmpl", `{{define "main"}}<h1>Ours: {{.Market.Name}}</h1>{{end}}`)
	h.next(states)
	if _, page := h.page("/"); !strings.Contains(page, "<h1>Ours: ") {
		t.Errorf("the page has not the template that was saved:\n%s", page)
	}
	h.write("theme/home.html.tmpl", "{{define \"main\"}}\n{{.Market.Nmae}}{{end}}")
	h.next(states)
	_, page := h.page("/")
	for _, want := range []string{"<h1>Ours: ", `/content/theme/home.html.tmpl:2:10</code> the template fails at &lt;.Market.Nmae&gt;`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page with a mistake does not have %s:\n%s", want, page)
		}
	}
}

func TestPreviewShowsMistakesWithoutAnEarlierRelease(t *testing.T) {
	h := previewOf(t, false)
	h.write("marketplace.yaml", "name: Market\n")
	h.open()
	states := h.events()
	h.next(states)
	status, page := h.page("/companies")
	if status != http.StatusServiceUnavailable || !strings.Contains(page, `marketplace.yaml:1:1</code> the marketplace has no &#34;siteUrl&#34;`) {
		t.Fatalf("it answers %d\n%s", status, page)
	}
	h.write("marketplace.yaml", "name: Market\nsiteUrl: https://market.example\n")
	h.next(states)
	if status, page := h.page("/companies"); status != http.StatusOK || strings.Contains(page, "souk-mistakes") {
		t.Errorf("mended, it answers %d\n%s", status, page)
	}
}

// Any page in the editor's browser can reach a server on loopback.
func TestPreviewOnlyAnswersLocalPages(t *testing.T) {
	const articles, evil = "/api/v1/marketplace/articles", "https://evil.example"
	type request struct {
		name                                 string
		address, host, origin, site, referer string
		allowed, proxied                     bool
	}
	requests := []request{
		{name: "no page", address: articles, allowed: true},
		{name: "a browser's address bar", address: "/articles", site: "none", allowed: true},
		{name: "a page of its own", address: "/articles", site: "same-origin", allowed: true},
		{name: "a form of a page that hides its address", address: "/verify/claim", origin: "null", site: "same-origin", allowed: true},
		{name: "a page on another port", address: articles, origin: "http://127.0.0.1:8000", site: "same-site", allowed: true},
		{name: "a picture on a page on another port", address: "/assets/site.css", site: "same-site", allowed: true},
		{name: "a page by another name of the machine", address: articles, origin: "http://localhost:5173", site: "cross-site", allowed: true},
		{name: "a page of IPv6", address: articles, host: "[::1]:8080", origin: "http://[::1]:5173", site: "same-site", allowed: true},
		{name: "a picture on a page by another name", address: articles, site: "cross-site", referer: "http://localhost:8000/", allowed: true},
		{name: "a page at the address that it is looked at under", address: "/articles", host: "tunnel.example", origin: "https://tunnel.example", site: "same-origin", allowed: true},
		{name: "what a proxy passes on", address: "/articles", host: "market.example", origin: evil, site: "cross-site", proxied: true, allowed: true},

		{name: "a page of another site", address: articles, origin: evil, site: "cross-site"},
		{name: "a page of another site, by an old browser", address: articles, origin: evil},
		{name: "a page whose origin looks like this one", address: articles, origin: "http://127.0.0.1.evil.example", site: "cross-site"},
		{name: "a page whose origin has this one as a user", address: articles, origin: "http://localhost@evil.example", site: "cross-site"},
		{name: "a page that says that it is of its own", address: articles, origin: evil, site: "same-origin"},
		{name: "a page without an origin", address: "/articles", origin: "null", site: "cross-site"},
		{name: "a file that is open in the browser", address: articles, origin: "null"},
		{name: "a script or picture on a page of another site", address: articles, site: "cross-site", referer: evil + "/"},
		{name: "a page of another site that sends no Referer", address: articles, site: "cross-site"},
		{name: "a page by a name that leads there", address: "/articles", host: "evil.example:8080", site: "same-origin"},
		{name: "no page by a name that leads there", address: "/articles", host: "evil.example"},
		{name: "another site that waits for changes", address: preview.Root + "events", origin: evil, site: "cross-site"},
		{name: "a search by another site", address: "/api/v1/marketplace/listings/search", origin: evil, site: "cross-site"},
		{name: "a search in a frame of another site", address: "/search?q=arm", site: "cross-site", referer: evil + "/"},
		{name: "an agent in a page of another site", address: document.MCPPath, origin: evil, site: "cross-site"},
		{name: "health of another site", address: "/health", origin: evil, site: "cross-site"},
		{name: "what is not there, for another site", address: "/nothing/here", origin: evil, site: "cross-site"},
		{name: "an address that is spelled otherwise", address: "//articles", origin: evil, site: "cross-site"},
	}
	for _, drafts := range []bool{false, true} {
		for _, proxied := range []bool{false, true} {
			h := previewOf(t, drafts)
			h.Watch, h.Build.SiteURL = false, "https://tunnel.example"
			if proxied {
				h.Verification.Trusted = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
			}
			h.open()
			for _, of := range requests {
				for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions} {
					if of.proxied != proxied {
						continue
					}
					t.Run(fmt.Sprintf("%s of %s, drafts %t", method, of.name, drafts), func(t *testing.T) {
						r, err := http.NewRequestWithContext(t.Context(), method, h.base+of.address, nil)
						if err != nil {
							t.Fatal(err)
						}
						r.Host = of.host
						for name, value := range map[string]string{"Origin": of.origin, "Sec-Fetch-Site": of.site, "Referer": of.referer} {
							if value != "" {
								r.Header.Set(name, value)
							}
						}
						response, err := http.DefaultClient.Do(r)
						if err != nil {
							t.Fatal(err)
						}
						defer response.Body.Close()
						origins, vary := response.Header.Values("Access-Control-Allow-Origin"), strings.Join(response.Header.Values("Vary"), ", ")
						named := of.allowed && of.origin != ""
						switch {
						case (response.StatusCode != http.StatusForbidden) != of.allowed:
							t.Errorf("it is answered %d", response.StatusCode)
						case of.proxied:
						case !strings.Contains(vary, "Origin"), !named && len(origins) > 0, named && !slices.Equal(origins, []string{of.origin}):
							t.Errorf("it allows the origins %q and varies by %q", origins, vary)
						}
					})
				}
			}
		}
	}
}

// A link of another site is shown as a page that links onward.
func TestCrossSiteLinkToAPreviewNeedsAClick(t *testing.T) {
	h := previewOf(t, false)
	h.open()
	request, err := http.NewRequest(http.MethodGet, h.base+"/articles", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Referer": "https://mail.example/"} {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusForbidden || !strings.Contains(string(body), `<a href="">`) {
		t.Errorf("it answers %d, %v\n%s", response.StatusCode, err, body)
	}
}

func TestDraftsAreMarkedOnlyInPreviews(t *testing.T) {
	h := previewOf(t, true)
	h.write("site/later.md", "---\ntitle: Later\npublishedAt: 2990-01-01\n---\n\nSee [the draft](article:sketch).\n")
	h.write("site/over.md", "---\ntitle: Over\nexpiresAt: 2020-01-01\n---\n\nWas.\n")
	h.write("articles/sketch.md", "---\ntitle: A sketch\nstatus: draft\n---\n\nNot yet.\n")
	h.open()
	for address, wants := range map[string][]string{
		"/later":           {`class="wide page-page"><strong class="souk-mark">From 2990-01-01 on</strong>`, `>the draft</a><strong class="souk-mark">Draft</strong>`},
		"/over":            {`<strong class="souk-mark">Expired on 2020-01-01</strong>`},
		"/articles/sketch": {`<strong class="souk-mark">Draft</strong>`},
		"/articles":        {`>A sketch</a><strong class="souk-mark">Draft</strong></h3>`},
	} {
		status, page := h.page(address)
		for _, want := range wants {
			if status != http.StatusOK || !strings.Contains(page, want) {
				t.Errorf("%s answers %d without %s:\n%s", address, status, want, page)
			}
		}
	}
	if _, page := h.page("/companies"); strings.Contains(page, "souk-mark") {
		t.Error("a page of what is current has a mark")
	}
	files := os.DirFS(h.Build.Public)
	err := fs.WalkDir(files, ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, file)
		if strings.Contains(string(body), "souk-mark") || strings.Contains(string(body), preview.Root) {
			t.Errorf("the release has a mark in %s", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOnlyPreviewsAddToPages(t *testing.T) {
	h := newHouse(t)
	h.Build.Pages = true
	h.open()
	if status, page := h.page("/companies"); status != http.StatusOK || strings.Contains(page, preview.Root) {
		t.Errorf("the page answers %d:\n%s", status, page)
	}
	for _, address := range []string{"events", "script.js", "style.css"} {
		if status, _ := h.page(preview.Root + address); status != http.StatusNotFound {
			t.Errorf("%s answers %d", address, status)
		}
	}
}

func TestOnlyPreviewsOfEmptyMarketsSayWhatToDoNext(t *testing.T) {
	const next = "souk new seller NAME"
	for _, preview := range []bool{true, false} {
		h := newHouseOf(t, t.TempDir())
		h.write("marketplace.yaml", "name: Empty\nsiteUrl: https://market.example\ncontactEmail: desk@market.example\n")
		h.Build.Preview, h.Watch = preview, preview
		h.open()
		if _, body := h.page("/"); strings.Contains(body, next) != preview {
			t.Errorf("preview %t: the home page is %s", preview, body)
		}
		if !preview {
			continue
		}
		if _, body := h.page("/companies"); strings.Contains(body, next) {
			t.Error("another page says it too")
		}
		h.write("sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: Acme}]\n")
		h.until("the market is no longer empty", func() bool {
			_, body := h.page("/")
			return strings.Contains(body, "Acme") && !strings.Contains(body, next)
		})
	}
}
