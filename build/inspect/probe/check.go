package probe

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/build/kit/problem"
)

// everywhere checks the requirements for all answers.
func (f *findings) everywhere(q question, a answer, longest int) {
	if got := strings.Join(a.header.Values("Access-Control-Allow-Origin"), ", "); got != "*" {
		f.add(q, "cors", "Access-Control-Allow-Origin: *", problem.Quoted(got))
	}
	seconds, err := cacheSeconds(strings.Join(a.header.Values("Cache-Control"), ", "))
	switch {
	case err != nil:
		f.add(q, "cache", fmt.Sprintf("Cache-Control with at most %d seconds", longest), err.Error())
	case seconds > longest:
		f.add(q, "cache", fmt.Sprintf("at most %d seconds", longest), strconv.Itoa(seconds))
	}
}

// cacheSeconds returns for how many seconds Cache-Control (RFC 9111, section 5.2.2, and RFC 5861)
// allows an answer to be used.
func cacheSeconds(control string) (int, error) {
	if control == "" {
		return 0, fmt.Errorf("none, so caches may choose")
	}
	fresh, stale, said := 0, 0, false
	for item := range strings.SplitSeq(control, ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(item)), "=")
		switch name {
		case "no-store", "no-cache":
			return 0, nil
		case "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error":
		default:
			continue
		}
		n, err := strconv.Atoi(strings.Trim(value, `"`))
		if err != nil || n < 0 {
			return 0, fmt.Errorf("%q", control)
		}
		if strings.HasPrefix(name, "stale") {
			stale = max(stale, n)
			continue
		}
		fresh, said = max(fresh, n), true
	}
	if !said {
		return 0, fmt.Errorf("%q, which sets no limit", control)
	}
	return fresh + stale, nil
}

// sameType reports whether a Content-Type matches: it must have the wanted parameters, and
// may only have charset in addition.
func sameType(got, want string) bool {
	gotType, gotParams, err := mime.ParseMediaType(got)
	if err != nil {
		return false
	}
	wantType, wantParams, err := mime.ParseMediaType(want)
	if err != nil || gotType != wantType {
		return false
	}
	for name, value := range wantParams {
		if !strings.EqualFold(gotParams[name], value) {
			return false
		}
	}
	for name, value := range gotParams {
		if _, wanted := wantParams[name]; !wanted && !(name == "charset" && strings.EqualFold(value, "utf-8")) {
			return false
		}
	}
	return true
}

func (f *findings) contentType(q question, a answer, want string) {
	if got := a.header.Get("Content-Type"); !sameType(got, want) {
		f.add(q, "type", want, problem.Quoted(got))
	}
}

// problem checks the answer of an error: a body with status and code, in its own
// media type (RFC 9457).
func (f *findings) problem(q question, a answer, code string) {
	f.contentType(q, a, document.ProblemType)
	if q.method == http.MethodHead {
		return
	}
	want := fmt.Sprintf("a problem with status %d and code %s", a.status, code)
	var got document.Problem
	body, err := a.plain()
	if err == nil {
		err = json.Unmarshal(body, &got)
	}
	if err != nil {
		f.add(q, "problem", want, fmt.Sprintf("%v: %s", err, problem.Quoted(string(a.body))))
	} else if got.Status != a.status || got.Code != code {
		f.add(q, "problem", want, fmt.Sprintf("status %d and code %s", got.Status, problem.Quoted(got.Code)))
	}
}

// encoding checks that the coding was requested.
func (f *findings) encoding(q question, a answer) {
	switch got := a.header.Get("Content-Encoding"); got {
	case "", "identity", q.encoding:
	default:
		f.add(q, "encoding", q.encoding+" or none", problem.Quoted(got))
	}
}

// etag checks that there is a strong ETag (RFC 9110, section 8.8.3).
func (f *findings) etag(q question, a answer) string {
	tag := a.header.Get("ETag")
	if len(tag) < 3 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		f.add(q, "etag", "a strong ETag", problem.Quoted(tag))
	}
	return tag
}

// sameHead checks that HEAD has the same header fields as GET (RFC 9110, section
// 9.3.2), except that it may omit the length.
func (f *findings) sameHead(q question, head, get answer) {
	if head.status != get.status {
		f.add(q, "head", fmt.Sprintf("status %d, as GET", get.status), strconv.Itoa(head.status))
		return
	}
	names := []string{"Access-Control-Allow-Origin", "Cache-Control", "Content-Encoding", "Content-Type", "ETag", "Vary"}
	if head.header.Get("Content-Length") != "" && get.header.Get("Content-Length") != "" {
		names = append(names, "Content-Length")
	}
	for _, name := range names {
		want, got := strings.Join(get.header.Values(name), ", "), strings.Join(head.header.Values(name), ", ")
		if want != got {
			f.add(q, "head", fmt.Sprintf("%s: %s, as GET", name, problem.Quoted(want)), problem.Quoted(got))
		}
	}
}
