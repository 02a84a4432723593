//go:build unix

// Package postgrestest runs a private PostgreSQL server for a test.
package postgrestest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A Server is a PostgreSQL server for one test: Debian's, with a folder and a
// socket of its own. It ends with the test, however the test ends.
type Server struct {
	folder, programs string
	user             *syscall.Credential
	process          *exec.Cmd
	// lifeline keeps the server alive: it stops when this is closed.
	lifeline io.Closer
	count    atomic.Int64
}

// errNoServer means that there is no PostgreSQL to test with.
var errNoServer = errors.New("no PostgreSQL: install Debian's package postgresql")

// New creates a server and starts it. It fails if PostgreSQL is not installed.
func New() (_ *Server, err error) {
	programs, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(programs) == 0 {
		return nil, errNoServer
	}
	s := &Server{programs: filepath.Dir(programs[len(programs)-1])}
	if s.folder, err = os.MkdirTemp("", "souk-postgres-"); err != nil {
		return nil, err
	}
	// PostgreSQL refuses to run as root.
	if os.Geteuid() == 0 {
		if err := s.leave(); err != nil {
			return nil, err
		}
	}
	initdb := exec.Command(filepath.Join(s.programs, "initdb"), "-D", s.data(), "-U", "souk", "--auth=trust", "--no-locale", "-E", "UTF8", "--no-sync")
	initdb.SysProcAttr = &syscall.SysProcAttr{Credential: s.user}
	initdb.Dir = s.folder
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	return s, s.Start()
}

// leave hands the server's folder to the user postgres.
func (s *Server) leave() error {
	u, err := user.Lookup("postgres")
	if err != nil {
		return fmt.Errorf("%w: %w", errNoServer, err)
	}
	uid, _ := strconv.ParseUint(u.Uid, 10, 32)
	gid, _ := strconv.ParseUint(u.Gid, 10, 32)
	s.user = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(s.folder, int(uid), int(gid))
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// Start runs the server and waits until it answers. It is the child of a shell
// that kills it when the shell's input ends: that also happens when this
// process is killed.
func (s *Server) Start() error {
	const guard = `"$@" & server=$!; read -r _; kill -QUIT $server; wait $server`
	// Processes are killed here, never the machine: a busy disk must not cost leases.
	s.process = exec.Command("/bin/sh", "-c", guard, "sh", filepath.Join(s.programs, "postgres"),
		"-D", s.data(), "-k", s.folder, "-c", "listen_addresses=", "-c", "max_connections=200", "-c", "fsync=off")
	s.process.SysProcAttr = &syscall.SysProcAttr{Credential: s.user}
	s.process.Dir = s.folder
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.process.Stdout, s.process.Stderr = log, log
	if s.lifeline, err = s.process.StdinPipe(); err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		return err
	}
	return s.await()
}

// await polls, since PostgreSQL does not announce that it is ready.
func (s *Server) await() error {
	var err error
	for range 200 {
		if err = exec.Command(filepath.Join(s.programs, "pg_isready"), "-q", "-h", s.folder, "-U", "souk", "-d", "postgres").Run(); err == nil {
			return nil
		}
		<-time.After(50 * time.Millisecond)
	}
	text, _ := os.ReadFile(filepath.Join(s.folder, "log"))
	return fmt.Errorf("PostgreSQL does not answer: %w: %s", err, text)
}

// Crash kills the server at once, as a power failure would, except that the
// disk keeps what it has.
func (s *Server) Crash() {
	s.lifeline.Close()
	_ = s.process.Wait() // it was killed and returns an exit code
}

// Close ends the server and deletes its folder.
func (s *Server) Close() {
	s.Crash()
	os.RemoveAll(s.folder)
}

func (s *Server) url(name string) string {
	return "postgres://souk@/" + name + "?host=" + s.folder + "&sslmode=disable"
}

// Database creates an empty database and returns its URL.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := "souk_" + strconv.FormatInt(s.count.Add(1), 10)
	if out, err := exec.Command(filepath.Join(s.programs, "createdb"), "-h", s.folder, "-U", "souk", name).CombinedOutput(); err != nil {
		t.Fatalf("createdb: %v: %s", err, out)
	}
	return s.url(name)
}
