package dynamic

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"souk/build/document"
)

var located = regexp.MustCompile(`<loc>([^<]+)</loc>`)

// listed returns the addresses of all pages in the sitemaps, relative to the site.
func (h *house) listed() (all []string) {
	h.Helper()
	const site = "https://market.example"
	_, index := h.page("/sitemap.xml")
	for _, one := range located.FindAllStringSubmatch(index, -1) {
		_, body := h.page(strings.TrimPrefix(one[1], site))
		for _, page := range located.FindAllStringSubmatch(body, -1) {
			all = append(all, strings.TrimPrefix(page[1], site))
		}
	}
	return all
}

// accepting asks for an address with an Accept header.
func (h *house) accepting(method, address, accept string) (*http.Response, string) {
	h.Helper()
	r, err := http.NewRequest(method, h.base+address, nil)
	if err != nil {
		h.Fatal(err)
	}
	r.Header.Set("Accept", accept)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		h.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		h.Fatal(err)
	}
	return response, string(body)
}

func TestEverySitemapPageHasMarkdown(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.write("site/about.md", "---\ntitle: About us\n---\nWe *are*.\n")
	h.open()
	pages := h.listed()
	if len(pages) < 15 {
		t.Fatalf("the sitemaps list %v", pages)
	}
	for _, page := range append(pages, "/about") {
		response, markdown := h.accepting("GET", document.MarkdownOf(page), "*/*")
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/markdown; charset=utf-8" ||
			!strings.HasPrefix(markdown, "> [For AI agents: llms.txt](<https://market.example/llms.txt>)\n\n# ") {
			t.Errorf("%s as Markdown is %s: %s", page, response.Status, markdown)
		}
		for accept, want := range map[string]string{"text/markdown": "text/markdown", "text/html, text/markdown": "text/markdown", "text/html": "text/html", "*/*": "text/html", "text/*": "text/html"} {
			response, body := h.accepting("GET", page, accept)
			if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), want) || response.Header.Get("Vary") != "Accept, Accept-Encoding" {
				t.Errorf("%s for %s: %s %v", page, accept, response.Status, response.Header)
			}
			if want == "text/markdown" && body != markdown {
				t.Errorf("%s for %s: %s", page, accept, body)
			}
		}
		if response, body := h.accepting("HEAD", page, "text/markdown"); body != "" || response.Header.Get("Content-Type") != "text/markdown; charset=utf-8" {
			t.Errorf("HEAD of %s: %v", page, response.Header)
		}
	}
	h.leave("gone", "jane@gone.example")
	for _, address := range []string{"/companies/gone", "/companies/gone.md", "/nothing", "/nothing.md", "/companies/gone/claim"} {
		response, body := h.accepting("GET", address, "text/markdown")
		if response.StatusCode < 400 || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") || strings.Contains(body, "The gone") {
			t.Errorf("%s is %s %s", address, response.Status, response.Header.Get("Content-Type"))
		}
	}
	for _, page := range h.listed() {
		if _, body := h.accepting("GET", page, "text/markdown"); strings.Contains(body, "companies/gone") {
			t.Errorf("%s names a removed seller:\n%s", page, body)
		}
	}
}

func TestOperatorPagesHaveMarkdown(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.write("site/about.md", "---\ntitle: About us\n---\nWe *are*.\n")
	h.open()
	if _, body := h.page("/about.md"); !strings.Contains(body, "# About us\n\nWe *are*.") {
		t.Errorf("it is %s", body)
	}
	h.remove("site/about.md")
	h.until("the page and its Markdown are gone", func() bool {
		page, _ := h.page("/about")
		markdown, _ := h.page("/about.md")
		return page == http.StatusNotFound && markdown == http.StatusNotFound
	})
	h.asFresh(h.Config.Build.Content)
}
