package probe

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"souk/build/kit/twin"
	"souk/build/kit/verbatim"
	"souk/build/release"
)

// A question is one request.
type question struct {
	method string
	// path is sent unchanged, however odd.
	path string
	// encoding is the Accept-Encoding; "" sends none.
	encoding string
	// header is sent in addition.
	header map[string]string
}

func (q question) String() string {
	text := q.method + " " + q.path
	var more []string
	if q.encoding != "" {
		more = append(more, q.encoding)
	}
	for _, name := range []string{"If-None-Match", "Range", "Accept"} {
		if q.header[name] != "" {
			more = append(more, name)
		}
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	return text
}

// with returns the question with other headers.
func (q question) with(header map[string]string) question {
	q.header = header
	return q
}

// by returns the question with another method.
func (q question) by(method string) question {
	q.method = method
	return q
}

// An answer is a complete answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// origin is the origin that requests claim to come from.
const origin = "https://elsewhere.example"

// longestBody is longer than any document of a release.
const longestBody = 64 << 20

// ask sends a request and reads the answer.
func (p *prober) ask(ctx context.Context, q question) (answer, error) {
	p.requests.Add(1)
	request, err := http.NewRequestWithContext(ctx, q.method, p.base.Scheme+"://"+p.base.Host, nil)
	if err != nil {
		return answer{}, err
	}
	// Path and RawPath together are sent as they are; Opaque would not work for
	// a path that begins with two slashes.
	request.URL.RawPath = q.path
	if request.URL.Path, err = url.PathUnescape(q.path); err != nil {
		return answer{}, err
	}
	request.Header.Set("Origin", origin)
	request.Header.Set("User-Agent", "souk-probe")
	if q.encoding != "" {
		request.Header.Set("Accept-Encoding", q.encoding)
	}
	for name, value := range q.header {
		request.Header.Set(name, value)
	}
	response, err := p.client.Do(request)
	if err != nil {
		p.failures.Add(1)
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, longestBody))
	if err != nil {
		p.failures.Add(1)
		return answer{}, fmt.Errorf("read the body: %w", err)
	}
	return answer{status: response.StatusCode, header: response.Header, body: body}, nil
}

// get sends a request and records a mismatch if there is no answer.
func (p *prober) get(ctx context.Context, f *findings, q question) (answer, bool) {
	a, err := p.ask(ctx, q)
	if err != nil {
		f.add(q, "answer", "one", verbatim.Reason(err))
	}
	return a, err == nil
}

// plain returns the body without its coding.
func (a answer) plain() ([]byte, error) {
	switch coding := a.header.Get("Content-Encoding"); coding {
	case "", "identity":
		return a.body, nil
	case "gzip":
		return release.Decompress(twin.Gzip, a.body)
	case "br":
		return release.Decompress(twin.Brotli, a.body)
	default:
		return nil, fmt.Errorf("the coding %q", coding)
	}
}
