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

// Access says who may send requests over HTTP. The Host is always checked. The Origin is
// checked as well if the server is on loopback without a proxy in front of it.
type Access struct {
	// Hosts are additional names of this server, without port. Its addresses and loopback
	// names are always accepted.
	Hosts []string
	// Proxied means that a proxy is in front of this server, so that a request over
	// loopback may come from anywhere.
	Proxied bool
}

// Limits of a request.
const (
	longestBody = 64 << 10
	maxBatch    = 16
)

// preflightHeaders are the header fields that a page of another origin may send, in
// addition to document.PreflightHeaders.
const preflightHeaders = document.PreflightHeaders + ", mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id"

// Handler serves streamable HTTP without sessions.
func (s *Server) Handler(a Access) http.Handler {
	answers := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.current() }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: longestBody, PropagateRequestCancellation: true,
		// forbidden checks more than the SDK's protection.
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

// refuse answers with a JSON-RPC error; id is nil if the error belongs to no request.
func refuse(w http.ResponseWriter, id json.RawMessage, status, code int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(refusal(id, code, why))
}

// inJSONRPC turns the SDK's plain-text errors into JSON-RPC errors, and rewrites errors
// that mention Go types. id is the id of the request; nil for a batch or anything that is
// not a request.
type inJSONRPC struct {
	http.ResponseWriter
	id json.RawMessage
	// plain is the status of a plain-text answer whose text follows.
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

// Write implements http.ResponseWriter. It relies on http.Error writing its text in one
// call.
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

// Unwrap implements the interface of http.ResponseController.
func (w *inJSONRPC) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// unknownMethod is how the SDK's error for an unknown method starts, up to version
// 2025-11-25.
const unknownMethod = "JSON RPC not handled"

// refused reads the body and returns why the request must be refused: because of its type,
// its length, the number of messages, or its protocol version. id is the id of the request
// if the body is a single one.
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

// unspoken reports whether messages use a protocol version that is not supported. The SDK
// treats every version that sorts after those it knows as 2026-07-28, and then misses the
// version in the message itself. Messages that contain their version are left to the SDK,
// whose answer lets newer clients choose another version.
func unspoken(version string, messages []message) bool {
	if version == "" || slices.Contains(document.MCPProtocols(), version) {
		return false
	}
	return !slices.ContainsFunc(messages, message.tellsVersion)
}

// tellsVersion reports whether a message contains its protocol version, as requests do
// since 2026-07-28.
func (m message) tellsVersion() bool {
	var params struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	return m.request != nil && json.Unmarshal(m.request.Params, &params) == nil && params.Meta.Version != ""
}

// forbidden returns why a request must be refused, or "".
func forbidden(own reach.Names, proxied bool, r *http.Request) string {
	switch {
	case !own.Host(r):
		return "This Host is not one of this server's: if it should be, add it with --mcp-host."
	case !proxied && reach.Loopback(r) && !own.Pages(r):
		return "This server listens on loopback: it answers only its own pages and this machine."
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
