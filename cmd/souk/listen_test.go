//go:build unix

package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPortInUseIsReportedBeforeTheBuild uses a taken port for the site and for metrics.
func TestPortInUseIsReportedBeforeTheBuild(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	i := house(t, built(t), market(false))
	for _, listen := range [][]string{
		{"--listen", taken.Addr().String()},
		{"--listen", taken.Addr().String(), "--preview"},
		{"--listen", "127.0.0.1:0", "--metrics-listen", taken.Addr().String()},
	} {
		said, err := exec.Command(i.program, append(append([]string{"serve"}, i.args()[1:]...), listen...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(said), "another program is already listening on "+taken.Addr().String()) || strings.Contains(string(said), "bind:") {
			t.Errorf("%v ends with %v:\n%s", listen, err, said)
		}
	}
	for _, folder := range []string{i.public, filepath.Join(i.state, "preview", "public")} {
		if _, err := os.Stat(folder); err == nil {
			t.Errorf("%s was built", folder)
		}
	}
}
