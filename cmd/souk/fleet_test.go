//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"souk/internal/testing/postgrestest"
	"souk/internal/testing/s3test"
)

// A fleet is one builder and several servers without content. Each runs in a separate
// process and has its own network connection to a shared PostgreSQL.
type fleet struct {
	*testing.T
	installation
	postgres *postgrestest.Server
	members  []*member
}

// A member is one server of a fleet. The first one builds.
type member struct {
	at    installation
	flags []string
	wire  *wire

	mu  sync.Mutex
	now *server
}

// server returns the member's current process.
func (m *member) server() *server {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// start starts the process, also again after it was killed.
func (m *member) start(t *testing.T) {
	t.Helper()
	s := m.at.serveWith(t, m.flags...)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = s
}

// A wire connects one server to PostgreSQL and can be cut.
type wire struct {
	listener net.Listener
	socket   string
	// gate is locked while the wire is cut. Data sent meanwhile arrives afterwards.
	gate sync.RWMutex

	mu    sync.Mutex
	conns map[net.Conn]bool
}

func newWire(t *testing.T, socket string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: l, socket: socket, conns: map[net.Conn]bool{}}
	t.Cleanup(func() { l.Close(); w.reset() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.carry(c)
		}
	}()
	return w
}

// carry forwards one connection.
func (w *wire) carry(near net.Conn) {
	w.gate.RLock()
	far, err := net.Dial("unix", w.socket)
	w.gate.RUnlock()
	if err != nil {
		near.Close()
		return
	}
	w.mu.Lock()
	w.conns[near], w.conns[far] = true, true
	w.mu.Unlock()
	var both sync.WaitGroup
	for from, to := range map[net.Conn]net.Conn{near: far, far: near} {
		both.Go(func() {
			_, _ = io.Copy(gated{to, w}, from) // one side closed it
			from.Close()
			to.Close()
		})
	}
	both.Wait()
	w.mu.Lock()
	delete(w.conns, near)
	delete(w.conns, far)
	w.mu.Unlock()
}

type gated struct {
	to   io.Writer
	wire *wire
}

func (g gated) Write(p []byte) (int, error) {
	g.wire.gate.RLock()
	defer g.wire.gate.RUnlock()
	return g.to.Write(p)
}

// cut interrupts the wire until heal is called.
func (w *wire) cut()  { w.gate.Lock() }
func (w *wire) heal() { w.gate.Unlock() }

// reset ends all connections.
func (w *wire) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.conns {
		c.Close()
	}
}

// vendors returns the content of a marketplace of n sellers, each with a product.
func vendors(n int) map[string]string {
	files := map[string]string{
		"marketplace.yaml":               "name: Market\nsiteUrl: https://market.example\n",
		"categories/product/robots.yaml": "name: Robots\n",
	}
	for i := range n {
		folder := "sellers/" + vendor(i) + "/"
		files[folder+"seller.yaml"] = fmt.Sprintf("officialDomain: %s.example\nversions:\n  - {version: 1, name: Vendor%04dx}\n", vendor(i), i)
		files[folder+"products/arm.yaml"] = fmt.Sprintf("name: Arm of Vendor%04dx\ncategories: [robots]\n", i)
	}
	return files
}

func vendor(i int) string { return fmt.Sprintf("vendor-%04d", i) }

// newFleet starts a builder with n sellers and several servers, which read its folder, or a
// copy of it in an object store.
func newFleet(t *testing.T, n, servers int, store bool) *fleet {
	t.Helper()
	postgres, err := postgrestest.New()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(postgres.Close)
	f := &fleet{T: t, postgres: postgres, installation: house(t, built(t), vendors(n))}
	database, err := url.Parse(postgres.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(database.Query().Get("host"), ".s.PGSQL.5432")
	publish, from := []string{}, f.public
	if store {
		from = strings.Replace(s3test.Start(t).Bucket(t, "market"), "s3://market", "s3://market/public", 1)
		publish = []string{"--publish", from, "--for-servers", "--host", "nginx"}
	}
	for i := range servers + 1 {
		m := &member{at: f.installation, wire: newWire(t, socket)}
		url := fmt.Sprintf("postgres://souk@%s%s?sslmode=disable", m.wire.listener.Addr(), database.Path)
		if i == 0 {
			m.flags = append(append(f.args()[1:], "--database", url), publish...)
		} else {
			m.at.state = t.TempDir()
			m.flags = []string{"--from", from, "--database", url, "--state", m.at.state, "--log-level", "warn"}
		}
		f.members = append(f.members, m)
		m.start(t)
		if i == 0 && store {
			until(t, "the first release is published", func() bool { return strings.Contains(m.now.said.String(), "msg=published") })
		}
	}
	return f
}

// begin requests the removal of each seller and returns the ids and tokens.
func (f *fleet) begin(n int) (proofs [][2]string) {
	f.Helper()
	ids := make([]string, n)
	for i := range n {
		s := f.members[i%len(f.members)].server()
		// On a busy machine a lease may expire.
		until(f.T, "a removal of "+vendor(i)+" is taken", func() bool {
			a := s.start("removal-requests", vendor(i))
			if a.status == http.StatusAccepted {
				ids[i] = a.field(f.T, "requestId")
			}
			return ids[i] != ""
		})
	}
	tokens := map[string]string{}
	until(f.T, "all mails are written", func() bool {
		f.mails(tokens)
		return len(tokens) == n
	})
	for _, id := range ids {
		proofs = append(proofs, [2]string{id, tokens[id]})
	}
	return proofs
}

var mailedLink = regexp.MustCompile(`#id=([A-Za-z0-9_-]+)&token=([A-Za-z0-9_-]+)`)

// mails collects the tokens mailed by all members, and deletes the mails.
func (f *fleet) mails(tokens map[string]string) {
	f.Helper()
	for _, m := range f.members {
		files, err := filepath.Glob(filepath.Join(m.at.state, "mail", "*.eml"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			if found := mailedLink.FindSubmatch(text); found != nil {
				tokens[string(found[1])] = string(found[2])
			}
			if err := os.Remove(file); err != nil {
				f.Fatal(err)
			}
		}
	}
}
