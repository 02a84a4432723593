package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"souk/build/document"
	"souk/build/kit/problem"
	"souk/dynamic/web/reach"
)

// Access says who may ask over HTTP. The Host is checked, and of a server on
// loopback, which no proxy stands before, the Origin too.
type Access struct {
	// Hosts are names of this server beside those of its addresses and of
	// loopback, without port.
	Hosts []string
	// Proxied: a proxy stands before this server, so that a request which comes
	// over loopback may come from anywhere.
	Proxied bool
}

// The bounds of a request.
const (
	longestBody = 64 << 10
	maxBatch    = 16
)

// preflightHeaders are the header fields that a page of another origin may send
// beside document.PreflightHeaders.
const preflightHeaders = document.PreflightHeaders + ", mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id"

// Handler answers over streamable HTTP, without sessions.
func (s *Server) Handler(a Access) http.Handler {
	answers := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.current() }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: longestBody, PropagateRequestCancellation: true,
		// forbidden checks more than that.
		DisableLocalhostProtection: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		own, err := s.hosts(a)
		if err != nil {
			h.Set("Retry-After", "2")
			refuse(w, nil, http.StatusServiceUnavailable, jsonrpc.CodeInvalidRequest, document.UnavailableDetail)
			return
		}
		if why := forbidden(own, a.Proxied, r); why != "" {
			refuse(w, nil, http.StatusForbidden, jsonrpc.CodeInvalidRequest, why)
			return
		}
		switch r.Method {
		case http.MethodOptions:
			h.Set("Allow", "OPTIONS, POST")
			h.Set("Access-Control-Allow-Methods", "OPTIONS, POST")
			h.Set("Access-Control-Allow-Headers", preflightHeaders)
			h.Set("Access-Control-Max-Age", document.PreflightAge)
			w.WriteHeader(http.StatusNoContent)
		case http.MethodPost:
			id, status, code, why := refused(w, r)
			if why != "" {
				refuse(w, id, status, code, why)
				return
			}
			answers.ServeHTTP(&inJSONRPC{ResponseWriter: w, id: id}, r)
		default:
			h.Set("Allow", "OPTIONS, POST")
			refuse(w, nil, http.StatusMethodNotAllowed, jsonrpc.CodeInvalidRequest, "POST a JSON-RPC message: this server keeps no sessions and no streams.")
		}
	})
}

// refuse answers with an error of JSON-RPC; id is nil where it belongs to no request.
func refuse(w http.ResponseWriter, id json.RawMessage, status, code int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(refusal(id, code, why))
}

// inJSONRPC answers with errors of JSON-RPC where the SDK refuses in plain text, and in
// plain words where it tells of Go. id is that of the request; nil of a batch, and of
// what is no request.
type inJSONRPC struct {
	http.ResponseWriter
	id json.RawMessage
	// plain is the status of an answer in plain text, whose text is to follow.
	plain int
}

// WriteHeader implements http.ResponseWriter.
func (w *inJSONRPC) WriteHeader(status int) {
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.plain = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. http.Error writes its text at once.
func (w *inJSONRPC) Write(p []byte) (int, error) {
	if w.plain == 0 {
		_, err := w.ResponseWriter.Write(inPlainWords(p))
		return len(p), err
	}
	why, code := strings.TrimSpace(string(p)), jsonrpc.CodeInvalidRequest
	if strings.HasPrefix(why, unknownMethod) {
		code = jsonrpc.CodeMethodNotFound
	}
	refuse(w.ResponseWriter, w.id, w.plain, code, why)
	return len(p), nil
}

// Unwrap is for http.ResponseController.
func (w *inJSONRPC) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// unknownMethod is how the SDK begins to say that there is no such method, up to
// 2025-11-25.
const unknownMethod = "JSON RPC not handled"

// refused reads the body, and returns why it must not be answered: what it is, how
// long, how much at once it asks for, or in which version. id is that of the request
// that it is, if it is one alone.
func refused(w http.ResponseWriter, r *http.Request) (id json.RawMessage, status, code int, why string) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, http.StatusUnsupportedMediaType, jsonrpc.CodeInvalidRequest, "Send the message as Content-Type: application/json."
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		w.Header().Set("Accept-Encoding", "identity")
		return nil, http.StatusUnsupportedMediaType, jsonrpc.CodeInvalidRequest, "Send the message without a Content-Encoding."
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestBody))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return nil, http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, fmt.Sprintf("The body is longer than %d bytes.", longestBody)
	case err != nil:
		return nil, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "The body could not be read."
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	text := bytes.TrimSpace(body)
	all, code, why := messagesOf(text)
	if code != 0 {
		return nil, http.StatusBadRequest, code, why
	}
	if len(all) > maxBatch {
		return nil, http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, fmt.Sprintf("The batch has %d messages: send at most %d at once.", len(all), maxBatch)
	}
	if ambiguous(all) {
		return nil, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, ambiguousBatch
	}
	if !isBatch(text) && all[0].request != nil {
		id, _ = idOf(text)
	}
	if version := r.Header.Get("MCP-Protocol-Version"); unspoken(version, all) {
		return id, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, fmt.Sprintf("Unsupported protocol version %s: send one of %s.", problem.Quoted(line(version, 30)), strings.Join(document.MCPProtocols(), ", "))
	}
	return id, 0, 0, ""
}

// unspoken reports whether messages come with a version of the protocol that is not
// spoken here. The SDK takes any that sorts behind those it knows for 2026-07-28, and
// misses what a message of that says of itself. A message that does say its version is
// left to the SDK, by whose answer newer clients choose another.
func unspoken(version string, messages []message) bool {
	if version == "" || slices.Contains(document.MCPProtocols(), version) {
		return false
	}
	return !slices.ContainsFunc(messages, message.tellsVersion)
}

// tellsVersion reports whether a message says in which version of the protocol it is, as
// requests do from 2026-07-28 on.
func (m message) tellsVersion() bool {
	var params struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	return m.request != nil && json.Unmarshal(m.request.Params, &params) == nil && params.Meta.Version != ""
}

// forbidden returns why a request must not be answered, or "".
func forbidden(own reach.Names, proxied bool, r *http.Request) string {
	switch {
	case !own.Host(r):
		return "This Host is none of this server: name it with --mcp-host where it is."
	case !proxied && reach.Loopback(r) && !own.Pages(r):
		return "This server listens on loopback: it answers pages of its own and of this machine alone."
	}
	return ""
}

// hosts returns the names of this server.
func (s *Server) hosts(a Access) (reach.Names, error) {
	roots, err := s.config.Market.Addresses()
	if err != nil {
		return nil, err
	}
	own := reach.Of(a.Hosts...)
	own.Add(roots.Site)
	own.Add(roots.API)
	return own, nil
}
