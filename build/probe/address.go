package probe

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"path"
	"strings"

	"souk/build/document"
	"souk/build/problem"
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
		f.add(question{method: http.MethodGet, path: document.Address(file)}, "body", "that of the file", err.Error())
		return f
	}
	verification := strings.HasPrefix(file, document.VerifyFolder)
	if !verification && !document.Ours(file, func() ([]byte, error) { return body, nil }) {
		p.mu.Lock()
		p.foreign++
		p.mu.Unlock()
		return f
	}
	address := document.Address(file)
	addresses := []string{address}
	if short, ok := strings.CutSuffix(address, ".json"); ok {
		addresses = append(addresses, short)
	}
	page := path.Base(file) == "index.html"
	if page && address != "/" {
		addresses = append(addresses, address+"/")
	}
	for _, at := range addresses {
		p.documentAt(ctx, f, at, file, body)
	}
	if !page {
		p.slash(ctx, f, address)
	}
	return f
}

// documentAt requests a document at one of its addresses.
func (p *prober) documentAt(ctx context.Context, f *findings, address, file string, body []byte) {
	tags := map[string]string{}
	varies, encoded := true, false
	var asked question
	for _, coding := range codings {
		q := question{method: http.MethodGet, path: address, encoding: coding}
		asked = q
		get, ok := p.get(ctx, f, q)
		if !ok || !f.status(q, get, http.StatusOK) {
			return
		}
		p.checkDocument(f, q, get, file, body)
		sent := get.header.Get("Content-Encoding")
		encoded = encoded || sent != ""
		varies = varies && strings.Contains(strings.ToLower(strings.Join(get.header.Values("Vary"), ",")), "accept-encoding")
		if tag := f.etag(q, get); tag != "" {
			for other, same := range tags {
				if other != sent && same == tag {
					f.add(q, "etag", fmt.Sprintf("another than that of coding %q", other), tag)
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
}

// count counts the documents that came in the coding asked for.
func (p *prober) count(asked, sent string) {
	if sent == asked {
		p.mu.Lock()
		p.encoded[asked]++
		p.mu.Unlock()
	}
}

// checkDocument checks an answer that should be a document.
func (p *prober) checkDocument(f *findings, q question, a answer, file string, body []byte) {
	longest := longestDocument
	if strings.HasPrefix(file, document.MediaFolder) {
		longest = longestMedia
	}
	f.everywhere(q, a, longest)
	f.contentType(q, a, document.ContentType(file))
	f.encoding(q, a)
	for _, more := range document.HeadersFor(file) {
		if got := strings.Join(a.header.Values(more.Name), ", "); !strings.Contains(got, more.Value) {
			f.add(q, "policy", more.Name+": "+more.Value, problem.Quoted(got))
		}
	}
	got, err := a.plain()
	switch {
	case err != nil:
		f.add(q, "encoding", "a body that can be decoded", err.Error())
	case !bytes.Equal(got, body):
		f.add(q, "body", fmt.Sprintf("the %d bytes of %s", len(body), file), fmt.Sprintf("%d others", len(got)))
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
		longest := longestDocument
		if strings.HasPrefix(file, document.MediaFolder) {
			longest = longestMedia
		}
		f.everywhere(q, a, longest)
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
		f.add(question{method: http.MethodGet, path: address}, "body", "that of the stub", err.Error())
		return f
	}
	for _, coding := range codings {
		q := question{method: http.MethodGet, path: address, encoding: coding}
		get, ok := p.get(ctx, f, q)
		if !ok || !f.status(q, get, http.StatusGone) {
			return f
		}
		f.gone(q, get, stub, file)
		if head, ok := p.get(ctx, f, q.by(http.MethodHead)); ok {
			f.sameHead(q.by(http.MethodHead), head, get)
		}
		conditional := q.with(map[string]string{"If-None-Match": "*", "Range": "bytes=0-3"})
		if a, ok := p.get(ctx, f, conditional); ok && f.status(conditional, a, http.StatusGone) {
			f.gone(conditional, a, stub, file)
		}
	}
	post := question{method: http.MethodPost, path: address}
	if a, ok := p.get(ctx, f, post); ok && f.status(post, a, http.StatusGone) {
		f.gone(post, a, stub, file)
	}
	p.slash(ctx, f, address)
	return f
}

// gone checks the answer of a removed address: the stub, which names no one.
func (f *findings) gone(q question, a answer, stub []byte, file string) {
	f.everywhere(q, a, longestError)
	f.problem(q, a, document.CodeRemoved)
	got, err := a.plain()
	if err != nil || !bytes.Equal(got, stub) {
		f.add(q, "body", "that of "+file, problem.Quoted(string(got)))
	}
	if company := document.CompanyOf(file); company != "" && bytes.Contains(got, []byte(company)) {
		f.add(q, "body", "one that names nobody", "one that names "+company)
	}
}

// slash requests an address with a trailing slash, where there is nothing.
func (p *prober) slash(ctx context.Context, f *findings, address string) {
	for _, coding := range codings {
		p.missing(ctx, f, question{path: address + "/", encoding: coding})
	}
}

// nowhere requests a path where there is nothing.
func (p *prober) nowhere(ctx context.Context, path string) *findings {
	f := &findings{}
	p.missing(ctx, f, question{path: path})
	return f
}

func (p *prober) missing(ctx context.Context, f *findings, q question) {
	for _, method := range reading {
		q := q.by(method)
		if a, ok := p.get(ctx, f, q); ok && f.status(q, a, http.StatusNotFound) {
			f.everywhere(q, a, longestError)
			f.problem(q, a, document.CodeNotFound)
		}
	}
}
