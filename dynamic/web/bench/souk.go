//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
)

var serving = regexp.MustCompile(`serving http://(\S+)`)

// own starts souk serve. None of the servers keeps a log of requests here.
func (m market) own(ctx context.Context) (server, error) {
	program := exec.CommandContext(ctx, m.path("souk"), "serve", "--listen", "127.0.0.1:0", "--content", m.path("content"),
		"--public", m.path("public"), "--state", m.path("var"), "--precompress", "all", "--log-level", "warn")
	said, err := program.StderrPipe()
	if err != nil {
		return server{}, err
	}
	if err := program.Start(); err != nil {
		return server{}, fmt.Errorf("start souk serve: %w", err)
	}
	stop := func() {
		_ = program.Process.Signal(os.Interrupt) // it may have ended
		_ = program.Wait()
	}
	lines := bufio.NewReader(said)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			stop()
			return server{}, fmt.Errorf("souk serve ended before it served: %w", err)
		}
		if found := serving.FindStringSubmatch(line); found != nil {
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return server{"souk serve", found[1], program.Process.Pid, stop}, nil
		}
	}
}
