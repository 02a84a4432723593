package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"
)

const ping = `{"jsonrpc":"2.0","id":7,"method":"ping"}`

// noMessages maps texts that a client sends by mistake to the code of the error that
// answers each.
var noMessages = map[string]int{
	"souk: a line of a log":         -32700,
	`{"jsonrpc":"2.0","id":7,"meth`: -32700,
	ping + " " + ping:               -32700,
	`{}`:                            -32600,
	`7`:                             -32600,
	`[]`:                            -32600,
	`[` + ping + `,{}]`:             -32600,
	`{"id":7,"method":"ping"}`:      -32600,
	// No answer could repeat these ids exactly, or a client could not match it.
	`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:              -32600,
	`{"jsonrpc":"2.0","id":null,"method":"ping"}`:             -32600,
	`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`: -32600,
	`[` + ping + `,` + ping + `]`:                             -32600,
}

// rejection is a JSON-RPC error as a client parses it.
type rejection struct {
	ID    any
	Error struct {
		Code    int
		Message string
	}
}

func TestStreamContinuesAfterAnInvalidLine(t *testing.T) {
	in, ask := io.Pipe()
	answer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- New(Config{Market: sized{}}).ServeStream(t.Context(), in, out) }()
	answers := bufio.NewScanner(answer)
	send := func(line string) (got rejection) {
		t.Helper()
		if _, err := io.WriteString(ask, line); err != nil {
			t.Fatalf("%.80q: the stream has ended: %v", line, err)
		}
		if !answers.Scan() || json.Unmarshal(answers.Bytes(), &got) != nil {
			t.Fatalf("%.80q: %q, %v", line, answers.Text(), answers.Err())
		}
		return got
	}
	lines := maps.Clone(noMessages)
	lines[strings.Repeat(" ", longestBody)+ping] = -32600
	for line, code := range lines {
		if got := send(line + "\n"); got.ID != nil || got.Error.Code != code || got.Error.Message == "" {
			t.Errorf("%.80q: %+v, not %d", line, got, code)
		}
		for _, end := range []string{"\n", " \r\n", "\n\n \n"} {
			if got := send(ping + end); got.ID != 7.0 || got.Error.Code != 0 {
				t.Errorf("after %.80q: %+v", line, got)
			}
		}
	}
	const batch = `[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","id":9,"method":"ping"}]`
	if _, err := io.WriteString(ask, batch+"\n"); err != nil || !answers.Scan() || !strings.Contains(answers.Text(), `"id":8`) || !strings.Contains(answers.Text(), `"id":9`) {
		t.Errorf("a batch: %s, %v", answers.Text(), err)
	}
	// Messages without answers do not delay the others.
	const cancelled = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	if _, err := io.WriteString(ask, "["+cancelled+","+ping+","+cancelled+"]\n"); err != nil || !answers.Scan() || !strings.Contains(answers.Text(), `"id":7`) {
		t.Errorf("a batch with notifications: %s, %v", answers.Text(), err)
	}
	if _, err := io.WriteString(ask, "{"); err != nil { // without ending the line
		t.Fatal(err)
	}
	if err := ask.Close(); err != nil {
		t.Fatal(err)
	}
	if !answers.Scan() || !strings.Contains(answers.Text(), "-32700") {
		t.Errorf("a line that the end cuts: %q", answers.Text())
	}
	if err := <-ended; err != nil {
		t.Errorf("ServeStream: %v", err)
	}
}

func TestStreamRefusesBatchesInVersionsWithoutThem(t *testing.T) {
	for version, code := range map[string]int{"2024-11-05": 0, "2025-03-26": 0, "2025-06-18": -32600, "2025-11-25": -32600, "2026-07-28": -32600, "1999-01-01": -32600} {
		in, ask := io.Pipe()
		answer, out := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- New(Config{Market: sized{}}).ServeStream(t.Context(), in, out) }()
		answers := bufio.NewScanner(answer)
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			"[" + ping + "]", ping,
		} {
			if _, err := io.WriteString(ask, line+"\n"); err != nil || !answers.Scan() {
				t.Fatalf("%s: the stream has ended at %s: %v", version, line, err)
			}
			refused := code != 0 && line[0] == '['
			if strings.Contains(answers.Text(), `"code":-32600`) != refused || strings.Contains(answers.Text(), `"id":null`) != refused {
				t.Errorf("%s: %s is answered %s", version, line, answers.Text())
			}
		}
		if err := ask.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// heldBack is a market that returns documents only when the test releases them.
type heldBack struct {
	sized
	asked chan string
	free  chan struct{}
}

func (h heldBack) Document(ctx context.Context, file string) ([]byte, State, error) {
	h.asked <- file
	select {
	case <-h.free:
		return h.sized.Document(ctx, file)
	case <-ctx.Done():
		return nil, Unknown, ctx.Err()
	}
}

func TestStreamAnswersOpenCallsAfterItsInputEnds(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	get := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get","arguments":{"refs":["product:seller/n1-10"]}}}`, id)
	}
	market := heldBack{asked: make(chan string), free: make(chan struct{})}
	server := New(Config{Market: market})
	answers := new(strings.Builder)
	ended := make(chan error, 1)
	in, ask := io.Pipe()
	go func() {
		ended <- server.ServeStream(t.Context(), in, struct {
			io.Writer
			io.Closer
		}{answers, io.NopCloser(nil)})
	}()
	for _, lines := range []string{hello, get(2), "[" + get(3) + "," + get(4) + "]\n"} {
		if _, err := io.WriteString(ask, lines+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		<-market.asked
	}
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`
	if _, err := io.WriteString(ask, get(5)+"\n"); err != nil {
		t.Fatal(err)
	}
	<-market.asked
	if _, err := io.WriteString(ask, cancel+"\n"); err != nil {
		t.Fatal(err)
	}
	// An id that is in use is rejected, and the stream continues.
	const empty = "" // it is only read after the previous line was judged
	for _, again := range []string{get(2), "[" + get(3) + "]", "[" + get(9) + "," + get(2) + "]", empty} {
		if _, err := io.WriteString(ask, again+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := ask.Close(); err != nil {
		t.Fatal(err)
	}
	close(market.free)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for id, times := range map[string]int{`"id":1,`: 1, `"id":2,`: 1, `"id":3,`: 1, `"id":4,`: 1, `"id":5,`: 0, `"id":9,`: 0, `"id":null`: 3, "1 refs, from": 3} {
		if got := strings.Count(answers.String(), id); got != times {
			t.Errorf("%s: %d times, not %d, in\n%s", id, got, times, answers)
		}
	}
}
