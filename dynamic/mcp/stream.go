package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeStream answers one client on a pair of streams, a message a line, until
// ctx or the input ends.
func (s *Server) ServeStream(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	turns := &inTurn{WriteCloser: out}
	read := &messages{lines: bufio.NewReaderSize(in, longestBody), refused: turns}
	err := s.sdk.Run(ctx, &sdk.IOTransport{Reader: struct {
		io.Reader
		io.Closer
	}{read, in}, Writer: turns})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// messages reads the lines of a client that hold a message, and answers the
// others, at which the SDK would end.
type messages struct {
	lines   *bufio.Reader
	refused io.Writer
	// rest is what was not read yet of the line that is being read.
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
			if code, why = wrong(text); code == 0 {
				m.rest = fmt.Appendln(nil, string(text))
			}
		case err != nil:
			return 0, err
		}
		if code != 0 {
			if _, err := m.refused.Write(append(refusal(code, why), '\n')); err != nil {
				return 0, err
			}
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// inTurn is a stream that two write to.
type inTurn struct {
	mu sync.Mutex
	io.WriteCloser
}

// Write implements io.Writer.
func (w *inTurn) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}

// wrong returns the code of the error that answers a text, without space around
// it, which is neither a message nor a batch of them, and why; else 0.
func wrong(text []byte) (code int, why string) {
	if !json.Valid(text) {
		return jsonrpc.CodeParseError, "This is no JSON."
	}
	var batch []json.RawMessage
	if text[0] != '[' {
		batch = append(batch, text)
	} else if json.Unmarshal(text, &batch) != nil || len(batch) == 0 {
		return jsonrpc.CodeInvalidRequest, "The batch has no message."
	}
	for _, one := range batch {
		if _, err := jsonrpc.DecodeMessage(one); err != nil {
			return jsonrpc.CodeInvalidRequest, `This is no message of JSON-RPC 2.0, as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.`
		}
	}
	return 0, ""
}

// refusal returns an error of JSON-RPC that belongs to no request.
func refusal(code int, why string) []byte {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why}})
	if err != nil {
		return nil // text does not fail
	}
	return body
}
