package notify_test

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

var receiverInTheGuide = regexp.MustCompile("(?s)```python\n(.*?)```")

// The receiver of the guide is run behind TLS, as a proxy would.
func TestGuideReceiverAcceptsOurSignatures(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	guide, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	found := receiverInTheGuide.FindSubmatch(guide)
	if found == nil {
		t.Fatal("the guide has no receiver")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command(python, "-c", string(found[1]))
	cmd.Env = append(os.Environ(), "SOUK_NOTIFY_SECRET="+secret, "PORT="+port)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for range 200 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			break
		}
		time.Sleep(50 * time.Millisecond) // until it listens
	}
	proxy := httptest.NewTLSServer(httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address}))
	defer proxy.Close()

	forged, err := proxy.Client().Post(proxy.URL, "application/json", bytes.NewReader([]byte(`{"type":"seller.removed"}`)))
	if err != nil {
		t.Fatal(err)
	}
	forged.Body.Close()
	if forged.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a signature it answers %s", forged.Status)
	}
	m := newMarket(t)
	m.clock = time.Now()
	m.leaves("acme")
	run := m.notifies(proxy.Client(), proxy.URL)
	if state := run.State(); state != "" {
		t.Fatal(state)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, `"companySlug":"acme"`) {
		t.Errorf("it printed %q, %v", line, err)
	}
}
