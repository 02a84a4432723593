//go:build linux

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"souk/build/document"
)

// The size of the documents that are asked for, in bytes, and how many.
const (
	smallest, largest = 1700, 2400
	mostDocuments     = 5000
)

// script writes what wrk asks for, in turn, and gives how many documents it is.
func (m market) script(coding string) (file string, documents int, err error) {
	var paths []string
	public := os.DirFS(m.path("public"))
	err = fs.WalkDir(public, "api/v1/marketplace", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || len(paths) == mostDocuments || filepath.Ext(file) != ".json" {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Size() >= smallest && info.Size() <= largest {
			paths = append(paths, document.Address(file))
		}
		return err
	})
	if err != nil {
		return "", 0, err
	}
	if len(paths) == 0 {
		return "", 0, fmt.Errorf("no document has %d to %d bytes", smallest, largest)
	}
	var text strings.Builder
	text.WriteString("local paths = {\n")
	for _, path := range paths {
		fmt.Fprintf(&text, "  %q,\n", path)
	}
	fmt.Fprintf(&text, `}
local requests, next = {}, 0
init = function()
  for i, path in ipairs(paths) do
    requests[i] = wrk.format("GET", path, {["Host"] = wrk.host, ["Accept-Encoding"] = %q})
  end
end
request = function()
  next = next %% #requests + 1
  return requests[next]
end
`, coding)
	file = m.path(coding + ".lua")
	return file, len(paths), os.WriteFile(file, []byte(text.String()), 0o644)
}

// Figures are what one measurement gave.
type figures struct {
	server, coding string
	// perSecond are requests, slow is the time that one in a hundred exceeds.
	perSecond float64
	slow      time.Duration
	// processor is the server's time for a request.
	processor time.Duration
	// memory is resident, in bytes, of all the server's processes.
	memory int64
}

var (
	rate    = regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`)
	total   = regexp.MustCompile(`(\d+) requests in`)
	percent = regexp.MustCompile(`99%\s+([0-9.]+)(us|ms|s)`)
	faults  = regexp.MustCompile(`Non-2xx or 3xx responses: \d+|Socket errors: .*`)
)

// measure runs wrk once.
func (s server) measure(ctx context.Context, o options, script, coding string) (figures, error) {
	f := figures{server: s.name, coding: coding}
	before, err := s.processes()
	if err != nil {
		return f, err
	}
	out, err := exec.CommandContext(ctx, "wrk", "-t", "2", "-c", strconv.Itoa(o.connections),
		"-d", o.duration.Round(time.Second).String(), "--latency", "-s", script, "http://"+s.address).CombinedOutput()
	if err != nil {
		return f, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	if wrong := faults.Find(out); wrong != nil {
		return f, fmt.Errorf("not all answers were right: %s", wrong)
	}
	after, err := s.processes()
	if err != nil {
		return f, err
	}
	text := string(out)
	r, n, p := rate.FindStringSubmatch(text), total.FindStringSubmatch(text), percent.FindStringSubmatch(text)
	if r == nil || n == nil || p == nil {
		return f, fmt.Errorf("wrk said what is not understood:\n%s", text)
	}
	requests, err := strconv.Atoi(n[1])
	if err != nil || requests == 0 {
		return f, fmt.Errorf("no requests: %s", n[0])
	}
	if f.perSecond, err = strconv.ParseFloat(r[1], 64); err != nil {
		return f, err
	}
	if f.slow, err = time.ParseDuration(p[1] + p[2]); err != nil {
		return f, err
	}
	f.processor, f.memory = (after.processor-before.processor)/time.Duration(requests), after.memory
	return f, nil
}

// A load is what processes take.
type load struct {
	processor time.Duration
	memory    int64
}

// tick is the unit of times in /proc (proc_pid_stat(5)), which is 1/100 s on
// every Linux that Go runs on.
const tick = 10 * time.Millisecond

// processes adds up the server's process and its children.
func (s server) processes() (load, error) {
	var all load
	pids := []int{s.pid}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", s.pid, s.pid))
	if err == nil {
		for field := range strings.FieldsSeq(string(children)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return all, err
		}
		// The second field is a name in parentheses, which may hold anything.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		const user, system, resident = 14 - 3, 15 - 3, 24 - 3
		if len(fields) <= resident {
			return all, fmt.Errorf("/proc/%d/stat is not understood", pid)
		}
		for _, i := range []int{user, system} {
			n, err := strconv.ParseInt(fields[i], 10, 64)
			if err != nil {
				return all, err
			}
			all.processor += time.Duration(n) * tick
		}
		pages, err := strconv.ParseInt(fields[resident], 10, 64)
		if err != nil {
			return all, err
		}
		all.memory += pages * int64(os.Getpagesize())
	}
	return all, nil
}

// median returns the round with the middle rate.
func median(rounds []figures) figures {
	slices.SortFunc(rounds, func(a, b figures) int { return cmp.Compare(a.perSecond, b.perSecond) })
	return rounds[len(rounds)/2]
}

// print writes the table; the ratios are to the first server with the coding.
func print(to io.Writer, all []figures) error {
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "coding\tserver\trequests/s\tratio\tp99\tprocessor/request\tratio\tresident MB\t")
	first := map[string]figures{}
	for _, f := range all {
		if first[f.coding].server == "" {
			first[f.coding] = f
		}
		base := first[f.coding]
		fmt.Fprintf(t, "%s\t%s\t%.0f\t%.2f\t%s\t%s\t%.2f\t%.0f\t\n", f.coding, f.server, f.perSecond, f.perSecond/base.perSecond, f.slow,
			f.processor.Round(time.Microsecond), float64(f.processor)/float64(max(base.processor, 1)), float64(f.memory)/(1<<20))
	}
	return t.Flush()
}
