package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"souk/build/document"
)

// ServeStream serves one client on a pair of streams, with one message per line. It returns
// when ctx ends, or when the input has ended and every call is answered.
func (s *Server) ServeStream(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	answers := newAnswers(out)
	stop := context.AfterFunc(ctx, answers.abandon)
	defer stop()
	read := &messages{lines: bufio.NewReaderSize(in, longestBody), answers: answers}
	err := s.current().Run(ctx, &sdk.IOTransport{Reader: struct {
		io.Reader
		io.Closer
	}{read, in}, Writer: answers})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// messages passes a client's valid lines on to the SDK and answers the others, which would
// make the SDK stop.
type messages struct {
	lines   *bufio.Reader
	answers *answers
	// single means that the client chose a protocol version without batches.
	single bool
	// rest is the unread part of the current line.
	rest []byte
}

// Read implements io.Reader.
func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.lines.ReadSlice('\n')
		code, why := 0, ""
		switch text := bytes.TrimSpace(line); {
		case errors.Is(err, bufio.ErrBufferFull):
			code, why = jsonrpc.CodeInvalidRequest, fmt.Sprintf("The line is longer than %d bytes.", longestBody)
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = m.lines.ReadSlice('\n')
			}
		case len(text) > 0:
			m.rest, code, why = m.taken(text)
		case err != nil:
			m.answers.wait() // the SDK abandons open calls when it reads the end
			return 0, err
		}
		if code != 0 {
			if _, err := m.answers.Write(append(refusal(nil, code, why), '\n')); err != nil {
				return 0, err
			}
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// taken returns the lines with which a text is passed to the SDK, or the error to answer
// with, like messagesOf. The SDK waits for an answer to each message of a batch, so
// messages without an answer are passed separately before it.
func (m *messages) taken(text []byte) (lines []byte, code int, why string) {
	all, code, why := messagesOf(text)
	if code != 0 {
		return nil, code, why
	}
	if isBatch(text) && m.single {
		return nil, jsonrpc.CodeInvalidRequest, "The protocol version of this client has no batches: send each message on its own line."
	}
	if ambiguous(all) {
		return nil, jsonrpc.CodeInvalidRequest, ambiguousBatch
	}
	if !m.answers.expect(all) {
		return nil, jsonrpc.CodeInvalidRequest, "A call with this id is still running, and the two answers could not be told apart."
	}
	var calls [][]byte
	for _, one := range all {
		if id, cancelled := one.cancelled(); cancelled {
			m.answers.cancel(id)
		}
		if one.request != nil && one.request.Method == "initialize" {
			m.single = m.single || !hasBatches(one.request.Params)
		}
		if one.isCall() {
			calls = append(calls, one.raw)
		} else {
			lines = fmt.Appendln(lines, string(one.raw))
		}
	}
	switch {
	case len(calls) == 0:
		return lines, 0, ""
	case isBatch(text):
		return fmt.Appendf(lines, "[%s]\n", bytes.Join(calls, []byte(","))), 0, ""
	}
	return fmt.Appendln(lines, string(text)), 0, ""
}

// hasBatches reports whether the protocol version in initialize has batches, which
// 2025-06-18 removed. A client that asks for an unknown version gets a later one.
func hasBatches(initialize json.RawMessage) bool {
	var asked struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	return json.Unmarshal(initialize, &asked) == nil &&
		asked.ProtocolVersion < "2025-06-18" && slices.Contains(document.MCPProtocols(), asked.ProtocolVersion)
}

// answers is the output stream, which has two writers. It keeps track of the calls that
// have not been answered.
type answers struct {
	io.WriteCloser
	mu sync.Mutex
	// open maps each open call to whether its answer is still wanted.
	open map[jsonrpc.ID]bool
	// over means that no more answers come, or that nobody reads them.
	over bool
	// done signals that over has changed or the last call was answered.
	done *sync.Cond
}

func newAnswers(out io.WriteCloser) *answers {
	a := &answers{WriteCloser: out, open: map[jsonrpc.ID]bool{}}
	a.done = sync.NewCond(&a.mu)
	return a
}

// expect records the calls among messages as open. If one of them is open already, it
// records none.
func (a *answers) expect(messages []message) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range messages {
		if m.isCall() {
			if _, open := a.open[m.request.ID]; open {
				return false
			}
		}
	}
	for _, m := range messages {
		if m.isCall() {
			a.open[m.request.ID] = true
		}
	}
	return true
}

// cancel records that the answer of an open call is no longer wanted.
func (a *answers) cancel(id jsonrpc.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, open := a.open[id]; open {
		a.open[id] = false
	}
}

// Write writes a line of the SDK, which answers one call or a batch. The answer to a
// cancelled call is dropped (MCP 2025-11-25, cancellation), except in a batch.
func (a *answers) Write(p []byte) (int, error) {
	all, _, _ := messagesOf(bytes.TrimSpace(p))
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.done.Broadcast()
	for _, m := range all {
		if m.answer == nil {
			continue
		}
		wanted, open := a.open[m.answer.ID]
		if delete(a.open, m.answer.ID); open && !wanted && len(all) == 1 {
			return len(p), nil
		}
	}
	_, err := a.WriteCloser.Write(inPlainWords(p))
	a.over = a.over || err != nil
	return len(p), err
}

// wait waits until no call is open, or none will be answered.
func (a *answers) wait() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.open) > 0 && !a.over {
		a.done.Wait()
	}
}

// abandon makes all waiting stop.
func (a *answers) abandon() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	a.done.Broadcast()
}

// A message is one JSON-RPC message as it was sent.
type message struct {
	raw json.RawMessage
	// At least one of the two is nil.
	request *jsonrpc.Request
	answer  *jsonrpc.Response
}

func (m message) isCall() bool { return m.request != nil && m.request.IsCall() }

// cancelled returns the id of the call that a message cancels.
func (m message) cancelled() (id jsonrpc.ID, ok bool) {
	if m.request == nil || m.request.Method != "notifications/cancelled" {
		return id, false
	}
	var of struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(m.request.Params, &of) != nil {
		return id, false
	}
	id, err := jsonrpc.MakeID(of.RequestID)
	return id, err == nil && id.IsValid()
}

// messagesOf parses a text without surrounding space as a message or a batch. Otherwise it
// returns the code of the error to answer with, and why.
func messagesOf(text []byte) (all []message, code int, why string) {
	if !json.Valid(text) {
		return nil, jsonrpc.CodeParseError, "This is not JSON."
	}
	var batch []json.RawMessage
	if !isBatch(text) {
		batch = append(batch, text)
	} else if json.Unmarshal(text, &batch) != nil || len(batch) == 0 {
		return nil, jsonrpc.CodeInvalidRequest, "The batch has no message."
	}
	for _, one := range batch {
		read, err := jsonrpc.DecodeMessage(one)
		m := message{raw: one}
		m.answer, _ = read.(*jsonrpc.Response)
		// The SDK takes a message that is neither a request nor a result for an answer.
		if err != nil || m.answer != nil && m.answer.Result == nil && m.answer.Error == nil {
			return nil, jsonrpc.CodeInvalidRequest, `This is not a JSON-RPC 2.0 message, such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.`
		}
		if m.request, _ = read.(*jsonrpc.Request); m.request != nil && !repeatable(one) {
			return nil, jsonrpc.CodeInvalidRequest, "The id of a request must be a string, or a whole number below 2^53; a notification has no id."
		}
		all = append(all, m)
	}
	return all, 0, ""
}

// ambiguous reports whether two requests of a batch have the same id.
func ambiguous(batch []message) bool {
	ids := map[jsonrpc.ID]bool{}
	for _, m := range batch {
		if m.isCall() {
			if ids[m.request.ID] {
				return true
			}
			ids[m.request.ID] = true
		}
	}
	return false
}

const ambiguousBatch = "The batch has the same id twice, and the two answers could not be told apart."

func isBatch(text []byte) bool { return text[0] == '[' }

// repeatable reports whether a request's id, if it has one, would be repeated exactly: the
// SDK converts numbers to float64 and then int64, and treats null as no id.
func repeatable(request []byte) bool {
	id, there := idOf(request)
	if !there || id[0] == '"' {
		return true
	}
	n, err := strconv.ParseFloat(string(id), 64)
	return err == nil && n == math.Trunc(n) && math.Abs(n) < 1<<53
}

// idOf returns the id of a message, if it has one.
func idOf(message []byte) (id json.RawMessage, there bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(message, &fields) != nil {
		return nil, false
	}
	id, there = fields["id"]
	return id, there
}

// refusal returns a JSON-RPC error; id is nil if the error belongs to no request.
func refusal(id json.RawMessage, code int, why string) []byte {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why}})
	if err != nil {
		return nil // encoding text cannot fail
	}
	return body
}

// unreadParams is how the SDK's error for unreadable params starts. The rest mentions Go
// types.
const unreadParams = "handling '"

// inPlainWords rewrites the errors for unreadable params, in an answer of the SDK or a
// batch of them, so that a client understands them. The SDK has no hook for this.
func inPlainWords(answers []byte) []byte {
	if !bytes.Contains(answers, []byte(unreadParams)) {
		return answers
	}
	all, _, _ := messagesOf(bytes.TrimSpace(answers))
	for _, m := range all {
		var wrong *jsonrpc.Error
		if m.answer == nil || !errors.As(m.answer.Error, &wrong) {
			continue
		}
		if said, ok := strings.CutPrefix(wrong.Message, unreadParams); ok {
			method, _, _ := strings.Cut(said, "'")
			id, _ := idOf(m.raw)
			why := "The params of " + method + " cannot be read: they are not an object, or a member has the wrong type."
			answers = bytes.Replace(answers, m.raw, refusal(id, jsonrpc.CodeInvalidParams, why), 1)
		}
	}
	return answers
}
