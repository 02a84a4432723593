package web

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
)

// idHeader is the header field with the request's id, which is also in the log.
const idHeader = "X-Request-Id"

// observed gives each request an id, logs it once it is answered, and answers with an error
// if a handler panics. Queries, headers and bodies are never logged, since they contain
// what people search for, and tokens.
func observed(c Config, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := c.Now()
		id := c.RequestID()
		seen := &observer{ResponseWriter: w}
		seen.Header()[idHeader] = []string{id}
		broken := seen.serve(c.Log, id, next, r)
		took := c.Now().Sub(began)
		c.Answered(r.Pattern, r.Method, seen.status, took)
		if c.Log.Enabled(r.Context(), slog.LevelInfo) {
			c.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
				slog.String("id", id), slog.String("method", short(r.Method)), slog.String("path", short(redacted(r.URL.EscapedPath()))),
				slog.Int("status", seen.status), slog.Int64("bytes", seen.bytes),
				slog.Float64("seconds", took.Seconds()), slog.String("encoding", seen.Header().Get("Content-Encoding")))
		}
		if broken {
			// The answer has begun, so only a broken connection shows the client that it is
			// incomplete.
			panic(http.ErrAbortHandler)
		}
	})
}

// proof matches the part of a path where a mail's link may reveal a token: after the name
// of its page, wherever that is, and however a mail gateway has encoded the "#" and the
// rest.
var proof = regexp.MustCompile(`(?i)(verify(?:/|%(?:25)*2f)+(?:claim|removal)).+|(?:%(?:25)*23|token(?:=|%(?:25)*3d)).*`)

// redacted returns a path as it is logged, without any token.
func redacted(path string) string {
	// Hardly any path has a token, and the regular expression costs as much as a lookup.
	if !strings.Contains(path, "verify") && !strings.ContainsAny(path, "%=") {
		return path
	}
	return proof.ReplaceAllString(path, "$1…")
}

// short limits how much a client can write to the log.
func short(text string) string {
	const most = 300
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// An observer counts the bytes of an answer and records its status.
type observer struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// serve answers the request and reports whether the answer was cut off.
func (o *observer) serve(log *slog.Logger, id string, next http.Handler, r *http.Request) (broken bool) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if err, ok := cause.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			log.Error("a handler panicked", "id", id, "cause", cause, "stack", string(debug.Stack()))
		}
		if broken = o.status != 0; !broken {
			unavailable(nil).write(o, log)
		}
	}()
	next.ServeHTTP(o, r)
	return false
}

// WriteHeader records the status.
func (o *observer) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (o *observer) Write(p []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(p)
	o.bytes += int64(n)
	return n, err
}

// ReadFrom lets net/http send a file without copying it through this program.
func (o *observer) ReadFrom(from io.Reader) (int64, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := io.Copy(o.ResponseWriter, from)
	o.bytes += n
	return n, err
}

// Unwrap implements the interface of http.ResponseController.
func (o *observer) Unwrap() http.ResponseWriter { return o.ResponseWriter }
