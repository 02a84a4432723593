package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// An Error is a failed request to the cluster, with advice.
type Error struct {
	// Doing is what was requested, Status the status of the response, or 0.
	Doing  string
	Status int
	// Type and Reason are OpenSearch's.
	Type, Reason string
	// Mend tells the operator what to do; it may be empty.
	Mend  string
	cause error
}

func (e *Error) Error() string {
	text := "OpenSearch: " + e.Doing + ": "
	switch {
	case e.Type != "":
		text += fmt.Sprintf("status %d, %s", e.Status, e.Type)
		if e.Reason != "" {
			text += ": " + e.Reason
		}
	case e.cause != nil:
		text += e.cause.Error()
	default:
		text += fmt.Sprintf("status %d", e.Status)
	}
	if e.Mend != "" {
		text += ": " + e.Mend
	}
	return text
}

func (e *Error) Unwrap() error { return e.cause }

// retry reports whether a retry may succeed.
func (e *Error) retry() bool {
	return e.Status == 0 || e.Status == http.StatusTooManyRequests || e.Status >= http.StatusInternalServerError
}

// maxBody limits the size of a response.
const maxBody = 512 << 20

// A client sends requests to the nodes of a cluster.
type client struct {
	target *Target
	http   *http.Client
	// last is the node that answered last.
	last atomic.Int32
}

// do sends a request and decodes the response into a value, if it is not nil. If a node cannot
// be reached, it tries the next one, so a request may be sent twice.
func (c *client) do(ctx context.Context, doing, method, path string, body []byte, into any) error {
	nodes, first := c.target.Nodes, int(c.last.Load())
	var err error
	for i := range nodes {
		at := (first + i) % len(nodes)
		var response *http.Response
		if response, err = c.send(ctx, method, nodes[at]+path, body); err != nil {
			if ctx.Err() != nil {
				return &Error{Doing: doing, cause: ctx.Err()}
			}
			continue
		}
		c.last.Store(int32(at))
		return read(response, doing, into)
	}
	return &Error{Doing: doing, cause: bare(err), Mend: "check that the cluster is running and reachable at " + c.target.String()}
}

// bare returns the cause of an http error without the address.
func bare(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		return inner
	}
	return err
}

func (c *client) send(ctx context.Context, method, address string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.target.User != "" {
		request.SetBasicAuth(c.target.User, c.target.Password)
	}
	return c.http.Do(request)
}

// read decodes a response.
func read(response *http.Response, doing string, into any) error {
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if response.StatusCode/100 != 2 {
		return failed(doing, response.StatusCode, data)
	}
	if err == nil && into != nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return &Error{Doing: doing, cause: fmt.Errorf("the answer cannot be read: %w", err)}
	}
	return nil
}

// A cause is the reason of a failure. Failures in a shard are in RootCause; failures when
// combining the shards' responses are only in CausedBy.
type cause struct {
	Type      string  `json:"type"`
	Reason    string  `json:"reason"`
	RootCause []cause `json:"root_cause"`
	CausedBy  *cause  `json:"caused_by"`
}

// first returns the original cause.
func (c *cause) first() *cause {
	switch {
	case len(c.RootCause) > 0:
		return &c.RootCause[0]
	case c.CausedBy != nil:
		return c.CausedBy.first()
	}
	return c
}

// tooManyBuckets is the Type if a response has more ids than search.max_buckets.
const tooManyBuckets = "too_many_buckets_exception"

// failed returns the error for a response with such a status.
func failed(doing string, status int, data []byte) error {
	e := &Error{Doing: doing, Status: status}
	var told struct {
		Error json.RawMessage `json:"error"`
	}
	var cause cause
	if json.Unmarshal(data, &told) == nil && json.Unmarshal(told.Error, &cause) == nil {
		first := cause.first()
		e.Type, e.Reason = first.Type, first.Reason
	}
	switch {
	case status == http.StatusUnauthorized:
		e.Mend = "the user or the password is wrong: give them in the address or in SOUK_OPENSEARCH_USER and SOUK_OPENSEARCH_PASSWORD"
	case status == http.StatusForbidden && e.Type == "cluster_block_exception":
		e.Mend = "the cluster refuses writes, usually because a disk is full: free some space, then remove the block"
	case status == http.StatusForbidden:
		e.Mend = "the user needs all rights on the indexes that begin with the alias, and on the alias"
	case e.Type == tooManyBuckets:
		e.Mend = "raise the cluster setting search.max_buckets above the number of values of all filters"
	case e.Type == "too_many_nested_clauses", e.Type == "too_many_clauses":
		e.Mend = "leave indices.query.bool.max_clause_count at 1024 or more"
	case e.Type == "index_not_found_exception":
		e.Mend = "the index of this release is missing: it is filled again with the next release, or when the server restarts"
	case status == http.StatusTooManyRequests:
		e.Mend = "the cluster is overloaded: the request will be retried"
	}
	return e
}
