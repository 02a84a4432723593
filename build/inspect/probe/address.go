package probe

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"path"
	"strings"

	"souk/build/document"
	"souk/build/kit/problem"
)

var (
	codings = []string{"identity", "gzip", "br"}
	reading = []string{http.MethodGet, http.MethodHead}
)

// document requests a document at all its addresses.
func (p *prober) document(ctx context.Context, file string) *findings {
	f := &findings{}
	body, err := p.folder.read(file)
	if err != nil {
		f.add(question{method: http.MethodGet, path: document.Address(file)}, "body", "the body of the file", err.Error())
		return f
	}
	if !p.fromBuild(file, body) {
		p.mu.Lock()
		p.foreign++
		p.mu.Unlock()
		return f
	}
	address := document.Address(file)
	addresses := []string{address}
	if short, ok := strings.CutSuffix(address, ".json"); ok && document.BelowAPI(address) {
		addresses = append(addresses, short)
	}
	folder := strings.HasPrefix(file, document.VerifyFolder)
	if folder {
		addresses = append(addresses, address+"/")
	}
	for _, at := range addresses {
		p.documentAt(ctx, f, at, file, body)
	}
	switch {
	case folder, address == "/":
	case path.Ext(file) == ".html":
		p.slash(ctx, f, address)
	default:
		p.noSlash(ctx, f, address)
	}
	return f
}

// fromBuild reports whether a build wrote a file. A page belongs to a build if its document
// exists; the page of a former address names another one.
func (p *prober) fromBuild(file string, body []byte) bool {
	if strings.HasPrefix(file, document.VerifyFolder) {
		return true
	}
	if of, page := document.DocumentOf(file); page {
		data, err := p.folder.read(of)
		file, body = of, data
		if err != nil {
			return false
		}
	}
	return document.Ours(file, func() ([]byte, error) { return body, nil })
}

// documentAt requests a document at one of its addresses.
func (p *prober) documentAt(ctx context.Context, f *findings, address, file string, body []byte) {
	tags := map[string]string{}
	varies, encoded, negotiates := true, false, false
	var asked question
	for _, coding := range codings {
		q := question{method: http.MethodGet, path: address, encoding: coding}
		asked = q
		get, ok := p.get(ctx, f, q)
		if !ok || !f.keeps(q, get, existing(file, body)) {
			return
		}
		sent := get.header.Get("Content-Encoding")
		encoded = encoded || sent != ""
		varies = varies && strings.Contains(strings.ToLower(strings.Join(get.header.Values("Vary"), ",")), "accept-encoding")
		negotiates = negotiates || variesByAccept(get)
		if tag := f.etag(q, get); tag != "" {
			for other, same := range tags {
				if other != sent && same == tag {
					f.add(q, "etag", fmt.Sprintf("different from that of coding %q", other), tag)
				}
			}
			tags[sent] = tag
			p.unchanged(ctx, f, q, tag, file)
		}
		if head, ok := p.get(ctx, f, q.by(http.MethodHead)); ok {
			f.sameHead(q.by(http.MethodHead), head, get)
		}
		p.count(coding, sent)
	}
	if encoded && !varies {
		f.add(asked, "vary", "Vary: Accept-Encoding in every coding, since they differ", "not in all")
	}
	if negotiates && path.Ext(file) == ".html" {
		p.negotiated(ctx, f, address, file, body)
	}
}

// variesByAccept reports whether an answer promises another form for another Accept.
func variesByAccept(a answer) bool {
	for name := range strings.SplitSeq(strings.Join(a.header.Values("Vary"), ","), ",") {
		if strings.EqualFold(strings.TrimSpace(name), "Accept") {
			return true
		}
	}
	return false
}

// negotiated requests a page as Markdown where the host promises that it can, and by a
// wildcard, which must not bring Markdown.
func (p *prober) negotiated(ctx context.Context, f *findings, address, file string, body []byte) {
	markdown := document.MarkdownOf(file)
	text, err := p.folder.read(markdown)
	if err != nil {
		return // there is none of this page
	}
	for accept, want := range map[string]promise{"text/markdown": existing(markdown, text), "*/*": existing(file, body)} {
		for _, method := range reading {
			q := question{method: method, path: address}.with(map[string]string{"Accept": accept})
			if method == http.MethodHead {
				want.body = nil
			}
			if a, ok := p.get(ctx, f, q); ok {
				f.keeps(q, a, want)
			}
		}
	}
}

// count counts the documents that were sent in the requested coding.
func (p *prober) count(asked, sent string) {
	if sent == asked {
		p.mu.Lock()
		p.encoded[asked]++
		p.mu.Unlock()
	}
}

// unchanged requests a document again with its ETag.
func (p *prober) unchanged(ctx context.Context, f *findings, q question, tag, file string) {
	for _, method := range reading {
		q := q.by(method).with(map[string]string{"If-None-Match": tag})
		a, ok := p.get(ctx, f, q)
		if !ok {
			continue
		}
		if a.status != http.StatusNotModified {
			f.add(q, "unchanged", "304 for the ETag "+tag, fmt.Sprint(a.status))
			continue
		}
		f.everywhere(q, a, longestOf(file))
		if got := a.header.Get("ETag"); got != tag {
			f.add(q, "unchanged", "the ETag "+tag, problem.Quoted(got))
		}
	}
}

// removed requests the address of a stub.
func (p *prober) removed(ctx context.Context, file string) *findings {
	f := &findings{}
	address := document.Address(file)
	stub, err := p.folder.read(file)
	if err != nil {
		f.add(question{method: http.MethodGet, path: address}, "body", "the body for removed addresses", err.Error())
		return f
	}
	page := !document.BelowAPI(address)
	company := document.CompanyOf(file)
	if page && p.release.removedPage != nil && !bytes.Equal(stub, p.release.removedPage) || !page && company != "" && bytes.Contains(stub, []byte(company)) {
		f.add(question{method: http.MethodGet, path: address}, "body", "a stub that names nobody", file)
	}
	promised := gone(file, stub)
	for _, coding := range codings {
		q := question{method: http.MethodGet, path: address, encoding: coding}
		get, ok := p.get(ctx, f, q)
		if !ok || !f.keeps(q, get, promised) {
			return f
		}
		if head, ok := p.get(ctx, f, q.by(http.MethodHead)); ok {
			f.sameHead(q.by(http.MethodHead), head, get)
		}
		conditional := q.with(map[string]string{"If-None-Match": "*", "Range": "bytes=0-3"})
		if a, ok := p.get(ctx, f, conditional); ok {
			f.keeps(conditional, a, promised)
		}
	}
	post := question{method: http.MethodPost, path: address}
	if a, ok := p.get(ctx, f, post); ok {
		f.keeps(post, a, promised)
	}
	p.preflight(ctx, f, address)
	if page {
		p.slash(ctx, f, address)
	} else {
		p.noSlash(ctx, f, address)
	}
	return f
}

// slash requests the address of a page with a trailing slash.
func (p *prober) slash(ctx context.Context, f *findings, address string) {
	for _, method := range reading {
		q := question{method: method, path: address + "/"}
		a, ok := p.get(ctx, f, q)
		if !ok {
			continue
		}
		if f.keeps(q, a, p.release.leading(p.base, address)) && a.status == http.StatusNotFound {
			f.keeps(q, a, p.release.absent(q.path))
		}
	}
}

// noSlash requests an address other than a page's with a trailing slash, where nothing
// exists.
func (p *prober) noSlash(ctx context.Context, f *findings, address string) {
	for _, coding := range codings {
		p.missing(ctx, f, question{path: address + "/", encoding: coding})
	}
}

// nowhere requests a path where nothing exists.
func (p *prober) nowhere(ctx context.Context, path string) *findings {
	f := &findings{}
	p.missing(ctx, f, question{path: path})
	return f
}

func (p *prober) missing(ctx context.Context, f *findings, q question) {
	for _, method := range reading {
		q := q.by(method)
		if a, ok := p.get(ctx, f, q); ok {
			f.keeps(q, a, p.release.absent(q.path))
		}
	}
}
