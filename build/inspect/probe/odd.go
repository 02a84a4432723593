package probe

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"strings"

	"souk/build/document"
	"souk/build/kit/problem"
	"souk/build/kit/twin"
)

// nowhere returns well-formed addresses where nothing exists.
func nowhere(r published) []string {
	all := []string{"/nothing", "/nothing/", "/api", "/api/v1", document.APIRoot + "/market", "/api/v2/marketplace/articles", "/media/",
		"/index", "/index.html", "/search.html", "/companies/search.html", "/compare.html", "/errors/404", "/errors/404.html", "/errors/410.html", "/verify/claim/index.html"}
	if !r.has("index.html") {
		all = append(all, "/")
	}
	for n := 0; ; n++ {
		slug := fmt.Sprintf("no-such-company-%d", n)
		if file := document.SellerFile(slug); !r.has(file) {
			return append(all, strings.TrimSuffix("/"+file, ".json"))
		}
	}
}

// hostile returns other spellings of some addresses. Each address has only one spelling, so
// nothing exists at these.
func hostile(r published) []string {
	var all []string
	for _, files := range [][]string{r.documents, r.removed} {
		for _, file := range inner(files) {
			all = append(all, spellings(file)...)
		}
	}
	for _, file := range []string{document.RobotsFile, document.SitemapFile} {
		if r.has(file) {
			all = append(all, "/"+strings.Replace(file, ".", "%2e", 1), "//"+file, "/./"+file, "/"+strings.ToUpper(file),
				"/x/../"+file, "/"+file+"/")
		}
	}
	// The name of an address's file with a twin's extension is not an address, even if such
	// a twin exists.
	seen := map[string]bool{}
	for _, file := range r.documents {
		if ending := path.Ext(file); !seen[ending] && !document.BelowAPI(document.Address(file)) {
			seen[ending] = true
			all = append(all, "/"+file+twin.Gzip, "/"+file+twin.Brotli)
		}
	}
	return all
}

// above returns paths that lead out of the site, or are invalid for a file system.
func above(r published) []string {
	all := []string{"/../etc/passwd", "/media/../../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/companies%00", "/companies%00.html"}
	for _, files := range [][]string{r.documents, r.removed} {
		for _, file := range inner(files) {
			all = append(all, document.Address(file)+"%00")
		}
	}
	return all
}

// outside requests such a path. Some servers reject it before applying their configuration,
// as a bad request or without the page, which reveals as little as 404. nginx does so if
// another site is the machine's default.
func (p *prober) outside(ctx context.Context, path string) *findings {
	f := &findings{}
	for _, method := range reading {
		q := question{method: method, path: path}
		if a, ok := p.get(ctx, f, q); ok && a.status != http.StatusBadRequest {
			f.status(q, a, http.StatusNotFound)
		}
	}
	return f
}

// linked requests the page that a mail's link opens, in the spellings of mail gateways. A
// host that cannot serve these answers with the 404 page, whose script redirects.
func (p *prober) linked(ctx context.Context, file string) *findings {
	f := &findings{}
	body, err := p.folder.read(file)
	if err != nil {
		return f // the release has no such page
	}
	for _, rest := range []string{"?id=a&token=b", "/?id=a&token=b", "%23id=a&token=b", "%2523id%3Da%26token%3Db", "/a.b"} {
		for _, method := range reading {
			q := question{method: method, path: document.Address(file) + rest}
			a, ok := p.get(ctx, f, q)
			switch {
			case !ok:
			case a.status == http.StatusNotFound && p.release.missing != nil:
				f.keeps(q, a, p.release.absent(q.path))
			default:
				f.keeps(q, a, existing(file, body))
			}
		}
	}
	return f
}

// inner returns the first document of a company and its first page, whose addresses are
// deep enough for odd spellings.
func inner(files []string) []string {
	var all []string
	for _, api := range []bool{true, false} {
		for _, file := range files {
			if address := document.Address(file); document.CompanyOf(file) != "" && document.BelowAPI(address) == api && path.Ext(address) == "" {
				all = append(all, file)
				break
			}
		}
	}
	return all
}

func spellings(file string) []string {
	address := document.Address(file)
	above, slug := address[:strings.LastIndex(address, "/")], address[strings.LastIndex(address, "/")+1:]
	names := []string{
		address + ".gone",
		address + "%2egone",
		address + ";x",
		address + "%20",
		address + "//",
		address + "/.",
		address + "/..",
		address + "/x",
		"/" + address,
		"/x/.." + address,
		above + "/" + strings.ToUpper(slug),
		above + "/" + fmt.Sprintf("%%%02x", slug[0]) + slug[1:],
	}
	ending := path.Ext(document.Plain(file))
	for _, one := range []string{ending, strings.ToUpper(ending), strings.Replace(ending, ".", "%2e", 1), ".gone" + ending, ending + twin.Gzip, ending + twin.Brotli, ending + "/"} {
		names = append(names, address+one)
	}
	if !document.BelowAPI(address) {
		return append(names, above+"//"+slug, above+"/./"+slug, above+"%2f"+slug, above+"/x/../"+slug, "/api"+address, "/api/v1"+address,
			address+"/index", address+"/index.html", address+".md.html", address+".md.gone", address+".md.gone.html")
	}
	below := strings.TrimPrefix(address, document.APIRoot+"/")
	return append(names,
		document.APIRoot+"/../v1/"+below,
		document.APIRoot+"/%2e%2e/v1/"+below,
		document.APIRoot+"/%2E./v1/"+below,
		document.APIRoot+"/./"+below,
		document.APIRoot+"/%2e/"+below,
		document.APIRoot+"//"+below,
		document.APIRoot+"%2f"+below,
		document.APIRoot+"/"+strings.Replace(below, "/", "%2F", 1),
		document.APIRoot+"/"+strings.Replace(below, "/", "%5C", 1),
		strings.Replace(address, "/api/", "/API/", 1))
}

// methods requests a document with methods other than GET and HEAD.
func (p *prober) methods(ctx context.Context, address string) *findings {
	f := &findings{}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		q := question{method: method, path: address}
		if a, ok := p.get(ctx, f, q); ok && f.keeps(q, a, wrongMethod()) {
			f.allows(q, a, "Allow", reading...)
		}
	}
	p.preflight(ctx, f, address)
	return f
}

// preflight asks, like a browser, what may be sent to an address. Every address must
// answer: if this fails, a browser hides the following answer from the page, even a 410.
func (p *prober) preflight(ctx context.Context, f *findings, address string) {
	q := question{method: http.MethodOptions, path: address, header: map[string]string{
		"Access-Control-Request-Method": http.MethodGet, "Access-Control-Request-Headers": document.PreflightHeaders,
	}}
	a, ok := p.get(ctx, f, q)
	if !ok || !f.status(q, a, http.StatusNoContent) {
		return
	}
	f.allows(q, a, "Access-Control-Allow-Methods", reading...)
	f.allows(q, a, "Access-Control-Allow-Headers", strings.Split(document.PreflightHeaders, ", ")...)
	if got := strings.Join(a.header.Values("Access-Control-Allow-Origin"), ", "); got != "*" {
		f.add(q, "cors", "Access-Control-Allow-Origin: *", problem.Quoted(got))
	}
}

// preflightMissing sends a preflight request where nothing exists.
func (p *prober) preflightMissing(ctx context.Context, path string) *findings {
	f := &findings{}
	p.preflight(ctx, f, path)
	return f
}

// allows checks that a header names what may be sent.
func (f *findings) allows(q question, a answer, name string, all ...string) {
	got := strings.Join(a.header.Values(name), ", ")
	for _, one := range all {
		if !strings.Contains(strings.ToLower(got), strings.ToLower(one)) {
			f.add(q, "allow", name+" with "+one, problem.Quoted(got))
			return
		}
	}
}

// health requests the health of the service, which may be a file or dynamic.
func (p *prober) health(ctx context.Context) *findings {
	f := &findings{}
	q := question{method: http.MethodGet, path: document.Address(document.HealthFile)}
	a, ok := p.get(ctx, f, q)
	if !ok || a.status == http.StatusServiceUnavailable {
		return f
	}
	if f.status(q, a, http.StatusOK) {
		f.everywhere(q, a, 0)
		f.contentType(q, a, document.ContentType(document.HealthFile))
	}
	return f
}

// filled requests the pages that a program fills, which may be files or dynamic.
func (p *prober) filled(ctx context.Context) *findings {
	f := &findings{}
	for _, page := range document.FilledPages() {
		for _, method := range reading {
			q := question{method: method, path: page.Path}
			if a, ok := p.get(ctx, f, q); ok {
				f.keeps(q, a, filled())
			}
		}
	}
	return f
}
