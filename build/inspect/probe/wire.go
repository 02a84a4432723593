package probe

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"souk/build/document"
	"souk/build/kit/verbatim"
)

// bodiless checks that no bytes follow the headers after HEAD and after 304 (RFC 9112,
// section 6.3). HTTP clients drop such bytes, so this reads the connection directly.
func (p *prober) bodiless(ctx context.Context, r published) *findings {
	f := &findings{}
	paths := []string{"/nothing"}
	for _, files := range [][]string{r.documents, r.removed} {
		for _, file := range inner(files) {
			paths = append(paths, document.Address(file))
		}
	}
	for _, path := range paths {
		q := question{method: http.MethodHead, path: path}
		p.nothingFollows(ctx, f, q)
		a, ok := p.get(ctx, f, q)
		if tag := a.header.Get("ETag"); ok && a.status == http.StatusOK && tag != "" {
			p.nothingFollows(ctx, f, q.by(http.MethodGet).with(map[string]string{"If-None-Match": tag}))
		}
	}
	return f
}

func (p *prober) nothingFollows(ctx context.Context, f *findings, q question) {
	p.requests.Add(1)
	after, err := p.after(ctx, q)
	switch {
	case err != nil:
		p.failures.Add(1)
		f.add(q, "answer", "one", verbatim.Reason(err))
	case after > 0:
		f.add(q, "body", "none", fmt.Sprintf("%d bytes", after))
	}
}

// after returns how many bytes follow the headers of an answer.
func (p *prober) after(ctx context.Context, q question) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	conn, err := p.dial(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	context.AfterFunc(ctx, func() { conn.Close() })
	lines := []string{q.method + " " + q.path + " HTTP/1.1", "Host: " + p.base.Host, "User-Agent: souk-probe", "Origin: " + origin, "Connection: close"}
	for name, value := range q.header {
		lines = append(lines, name+": "+value)
	}
	if _, err := io.WriteString(conn, strings.Join(lines, "\r\n")+"\r\n\r\n"); err != nil {
		return 0, err
	}
	data, err := io.ReadAll(io.LimitReader(conn, 1<<20))
	head, body, whole := bytes.Cut(data, []byte("\r\n\r\n"))
	if !whole {
		return 0, fmt.Errorf("the response is incomplete: %q: %w", head, err)
	}
	return len(body), nil
}

func (p *prober) dial(ctx context.Context) (net.Conn, error) {
	port := p.base.Port()
	if p.base.Scheme == "http" {
		if port == "" {
			port = "80"
		}
		var d net.Dialer
		return d.DialContext(ctx, "tcp", net.JoinHostPort(p.base.Hostname(), port))
	}
	if port == "" {
		port = "443"
	}
	var d tls.Dialer
	return d.DialContext(ctx, "tcp", net.JoinHostPort(p.base.Hostname(), port))
}
