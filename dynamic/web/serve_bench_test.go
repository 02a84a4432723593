//go:build linux

package web_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"souk/build/delivery/hosts"
	"souk/build/document"
	"souk/internal/testing/loopback"
	"souk/internal/testing/markettest"
)

// The size of the documents in bytes, their number, the number of connections and the
// duration. The documents are like those of real markets, and the frequently used ones do
// not all fit into a cache of bodies.
const (
	smallest, largest = 5000, 10_000
	mostDocuments     = 10_000
	connections       = 64
	span              = 3 * time.Second
)

// A program is a running server.
type program struct {
	address string
	pid     int
}

// BenchmarkServe measures how many documents of 5 to 10 KB `souk serve` sends per second,
// with and without content, compared with nginx and Caddy configured by 'souk hosts', for
// the same release. wrk runs on the same machine, so only the ratios to the first server
// and the processor time per request are meaningful elsewhere. Use -count to repeat it in
// rounds.
func BenchmarkServe(b *testing.B) {
	if _, err := exec.LookPath("wrk"); err != nil {
		b.Skip("there is no wrk to measure with: apt-get install -y wrk")
	}
	// Servers started as root drop its privileges and must still be able to read the
	// folder.
	work, err := os.MkdirTemp("", "souk-bench-")
	if err == nil {
		err = os.Chmod(work, 0o755)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(work) })
	souk, public := filepath.Join(work, "souk"), filepath.Join(work, "public")
	args := []string{"--content", markettest.Content(b), "--public", public, "--state", filepath.Join(work, "var"), "--precompress", "all"}
	for _, step := range [][]string{{"go", "build", "-o", souk, "souk/cmd/souk"}, append([]string{souk, "build"}, args...)} {
		if out, err := exec.Command(step[0], step[1:]...).CombinedOutput(); err != nil {
			b.Fatalf("%v: %v\n%s", step, err, out)
		}
	}
	servers := map[string]program{}
	for _, name := range []string{"nginx", "caddy"} {
		if s, err := host(b, name, public, filepath.Join(work, name)); err == nil {
			servers[name] = s
		} else if !errors.Is(err, loopback.ErrMissing) {
			b.Fatal(err)
		}
	}
	servers["souk"] = own(b, exec.Command(souk, append([]string{"serve", "--listen", "127.0.0.1:0", "--log-level", "warn"}, args...)...))
	servers["souk-from"] = own(b, exec.Command(souk, "serve", "--listen", "127.0.0.1:0", "--log-level", "warn", "--from", public, "--state", filepath.Join(work, "from")))
	for _, coding := range []string{"identity", "gzip"} {
		script, first := luaScript(b, public, coding), 0.0
		for _, name := range []string{"nginx", "souk", "souk-from", "caddy"} {
			if s, runs := servers[name]; runs {
				b.Run(coding+"/"+name, func(b *testing.B) {
					for b.Loop() {
						first = s.measure(b, script, first)
					}
				})
			}
		}
	}
}

// host starts another server with its generated configuration.
func host(b *testing.B, name, public, folder string) (program, error) {
	address, err := loopback.Address()
	if err != nil {
		return program{}, err
	}
	h, _ := hosts.Lookup(name)
	files, err := h.Write(hosts.Settings{Public: public, Bind: address})
	if err == nil {
		err = os.Mkdir(folder, 0o755)
	}
	if err != nil {
		return program{}, err
	}
	s, err := loopback.Start(b.Context(), name, files, folder, address)
	if err != nil {
		return program{}, err
	}
	b.Cleanup(func() { s.Stop() })
	return program{address, s.PID()}, nil
}

// own starts souk serve. None of the servers logs requests here.
func own(b *testing.B, souk *exec.Cmd) program {
	said, err := souk.StderrPipe()
	if err == nil {
		err = souk.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = souk.Process.Signal(os.Interrupt) // it may have ended
		_ = souk.Wait()
	})
	lines, serving := bufio.NewScanner(said), regexp.MustCompile(`serving http://(\S+)`)
	for lines.Scan() {
		if found := serving.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, said) }()
			return program{found[1], souk.Process.Pid}
		}
	}
	b.Fatal("souk serve ended before it served")
	return program{}
}

// luaScript writes the script with the requests that wrk sends in turn.
func luaScript(b *testing.B, public, coding string) (file string) {
	var text bytes.Buffer
	documents := 0
	text.WriteString("local paths = {\n")
	for _, file := range markettest.Files(b, public, time.Time{}) {
		info, err := os.Stat(filepath.Join(public, file))
		if err != nil {
			b.Fatal(err)
		}
		if filepath.Ext(file) == ".json" && info.Size() >= smallest && info.Size() <= largest && documents < mostDocuments {
			fmt.Fprintf(&text, "  %q,\n", document.Address(filepath.ToSlash(file)))
			documents++
		}
	}
	if documents == 0 {
		b.Fatalf("no document has %d to %d bytes", smallest, largest)
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
	file = filepath.Join(b.TempDir(), coding+".lua")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	return file
}

var (
	wrkTold = regexp.MustCompile(`(?s)99%\s+([0-9.]+(?:us|ms|s)).*?(\d+) requests in.*Requests/sec:\s+([0-9.]+)`)
	faults  = regexp.MustCompile(`Non-2xx or 3xx responses: \d+|Socket errors: .*`)
)

// measure runs wrk once and returns the rate of the first server; if first is 0, that is
// this server's own rate.
func (p program) measure(b *testing.B, script string, first float64) float64 {
	before, _ := p.load(b)
	out, err := exec.Command("wrk", "-t", "2", "-c", strconv.Itoa(connections), "-d", span.String(), "--latency", "-s", script, "http://"+p.address).CombinedOutput()
	told := wrkTold.FindSubmatch(out)
	if err != nil || told == nil || faults.Match(out) {
		b.Fatalf("wrk: %v\n%s", err, out)
	}
	after, memory := p.load(b)
	slow, err := time.ParseDuration(string(told[1]))
	requests, err2 := strconv.Atoi(string(told[2]))
	rate, err3 := strconv.ParseFloat(string(told[3]), 64)
	if err := errors.Join(err, err2, err3); err != nil || requests == 0 {
		b.Fatalf("%v\n%s", err, out)
	}
	if first == 0 {
		first = rate
	}
	b.ReportMetric(rate, "requests/s")
	b.ReportMetric(rate/first, "x-first")
	b.ReportMetric(markettest.Milliseconds(slow), "p99-ms")
	b.ReportMetric(float64((after-before).Microseconds())/float64(requests), "cpu-µs/request")
	b.ReportMetric(memory, "resident-MB")
	return first
}

// load returns the processor time and the resident MB of the server's process and its
// children.
func (p program) load(b *testing.B) (processor time.Duration, memory float64) {
	pids := []string{strconv.Itoa(p.pid)}
	if children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", p.pid, p.pid)); err == nil {
		pids = append(pids, strings.Fields(string(children))...)
	}
	for _, pid := range pids {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil {
			b.Fatal(err)
		}
		// The second field is a name in parentheses, which may contain anything. Times are
		// in 1/100 s on every Linux that Go supports (proc_pid_stat(5)).
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		const user, system, resident = 14 - 3, 15 - 3, 24 - 3
		number := func(i int) int {
			n, err := strconv.Atoi(fields[i])
			if err != nil {
				b.Fatal(err)
			}
			return n
		}
		processor += time.Duration(number(user)+number(system)) * 10 * time.Millisecond
		memory += float64(number(resident)*os.Getpagesize()) / (1 << 20)
	}
	return processor, memory
}
