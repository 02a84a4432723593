package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

var servingAt = regexp.MustCompile(`serving (http://\S+)`)

// serves starts a server that ends with the script, and stores its address in a variable.
// The server is a program that prints its address, as souk serve does, or "files", which
// serves the files of a folder.
func serves(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) > 2, "serves VARIABLE souk|files arguments...")
	if args[1] == "files" {
		server := httptest.NewServer(http.FileServer(http.Dir(ts.MkAbs(args[2]))))
		ts.Defer(server.Close)
		ts.Setenv(args[0], server.URL)
		return
	}
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	program := exec.Command(path, args[2:]...)
	program.Dir = ts.MkAbs(".")
	said, err := program.StderrPipe()
	ts.Check(err)
	ts.Check(program.Start())
	ts.Defer(func() {
		_ = program.Process.Signal(syscall.SIGTERM) // it may have exited
		_ = program.Wait()
	})
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if m := servingAt.FindStringSubmatch(lines.Text()); m != nil {
			ts.Setenv(args[0], m[1])
			go func() { _, _ = io.Copy(io.Discard, said) }()
			return
		}
		ts.Logf("%s", lines.Text())
	}
	ts.Fatalf("%s ended before it served", args[1])
}
