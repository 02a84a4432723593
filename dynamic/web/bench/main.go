//go:build linux

// Command bench measures how many documents of about 2 KB `souk serve` hands out
// in a second beside nginx and Caddy with the configurations of 'souk hosts', all
// on this machine, one after the other in rounds. The clients run here too, so
// that only the ratios, and the processor time a request takes, mean anything
// elsewhere.
//
// It knows the servers by their addresses and processes; it refuses to know how
// any of them works, and whether an answer is right: souk probe tells that.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	"souk/build/hosts"
	"souk/build/hosts/loopback"
)

type options struct {
	listings, connections, rounds int
	duration                      time.Duration
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.IntVar(&o.listings, "listings", 10_000, "how many listings the marketplace has")
	flag.IntVar(&o.connections, "connections", 64, "how many clients ask at once")
	flag.IntVar(&o.rounds, "rounds", 3, "how often each server is measured; the median is told")
	flag.DurationVar(&o.duration, "duration", 5*time.Second, "how long each measurement takes")
	flag.Parse()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A server is one that is measured.
type server struct {
	name, address string
	pid           int
	stop          func()
}

func run(ctx context.Context, o options) (err error) {
	if _, err := exec.LookPath("wrk"); err != nil {
		return errors.New("there is no wrk to measure with: apt-get install -y wrk")
	}
	// Servers that root starts leave root, and have to be able to enter.
	work, err := os.MkdirTemp("", "souk-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if err := os.Chmod(work, 0o755); err != nil {
		return err
	}
	m := market{folder: work}
	if err := m.make(ctx, o.listings); err != nil {
		return err
	}
	servers, err := m.serve(ctx)
	defer func() {
		for _, s := range servers {
			s.stop()
		}
	}()
	if err != nil {
		return err
	}
	var all []figures
	for _, coding := range []string{"identity", "gzip"} {
		script, n, err := m.script(coding)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d documents of %d to %d bytes, %d connections, %d rounds of %s\n", coding, n, smallest, largest, o.connections, o.rounds, o.duration)
		rounds := make([][]figures, len(servers))
		for range o.rounds {
			for i, s := range servers {
				f, err := s.measure(ctx, o, script, coding)
				if err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				rounds[i] = append(rounds[i], f)
			}
		}
		for _, r := range rounds {
			all = append(all, median(r))
		}
	}
	return print(os.Stdout, all)
}

// A market is a built marketplace in a folder.
type market struct{ folder string }

func (m market) path(name string) string { return filepath.Join(m.folder, name) }

// make compiles souk and builds a synthetic marketplace with all twins.
func (m market) make(ctx context.Context, listings int) error {
	steps := [][]string{
		{"go", "build", "-o", m.path("souk"), "souk/cmd/souk"},
		{"go", "run", "souk/build/bench", "-generate", m.path("content"), "-listings", strconv.Itoa(listings)},
		{m.path("souk"), "build", "--content", m.path("content"), "--public", m.path("public"), "--state", m.path("var"), "--precompress", "all"},
	}
	for _, step := range steps {
		if out, err := exec.CommandContext(ctx, step[0], step[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", step, err, out)
		}
	}
	return nil
}

// serve starts all servers over the one release; those that it started it gives
// also where it fails.
func (m market) serve(ctx context.Context) (all []server, err error) {
	for _, name := range []string{"nginx", "caddy"} {
		s, err := m.host(ctx, name)
		if errors.Is(err, loopback.ErrMissing) {
			fmt.Fprintf(os.Stderr, "bench: %s is left out: %v\n", name, err)
			continue
		}
		if err != nil {
			return all, err
		}
		all = append(all, s)
	}
	s, err := m.own(ctx)
	if err != nil {
		return all, err
	}
	return append(all, s), nil
}

// host starts another server with its generated configuration.
func (m market) host(ctx context.Context, name string) (server, error) {
	address, err := loopback.Address()
	if err != nil {
		return server{}, err
	}
	host, _ := hosts.Lookup(name)
	files, err := host.Write(hosts.Settings{Public: m.path("public"), Bind: address})
	if err != nil {
		return server{}, err
	}
	folder := m.path(name)
	if err := os.Mkdir(folder, 0o755); err != nil {
		return server{}, err
	}
	s, err := loopback.Start(ctx, name, files, folder, address)
	if err != nil {
		return server{}, err
	}
	return server{name, address, s.PID(), func() { s.Stop() }}, nil
}
