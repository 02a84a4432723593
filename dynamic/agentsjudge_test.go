package dynamic

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scenarios are the scenarios of @modelcontextprotocol/conformance that need no fixture of
// that suite, by protocol version.
var scenarios = map[string][]string{
	"2026-07-28": {
		"tools-list", "dns-rebinding-protection", "http-header-validation", "input-required-result-unsupported-methods",
		"sep-2164-resource-not-found", "server-sse-multiple-streams",
	},
	"2025-11-25": {"server-initialize", "ping", "tools-list", "dns-rebinding-protection"},
}

func TestMCPPassesTheConformanceSuite(t *testing.T) {
	folder := os.Getenv("SOUK_TEST_MCP_JUDGES")
	if folder == "" {
		t.Skip("set SOUK_TEST_MCP_JUDGES to a folder after npm install @modelcontextprotocol/conformance@0.2.0-alpha.12 node@22")
	}
	h := newHouse(t)
	h.open()
	for version, list := range scenarios {
		for _, one := range list {
			command := exec.Command(filepath.Join(folder, "node_modules", "node", "bin", "node"),
				filepath.Join(folder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"server", "--url", h.base+"/mcp", "--scenario", one, "--spec-version", version)
			said, err := command.CombinedOutput()
			if err != nil || !strings.Contains(string(said), ", 0 failed") || strings.Contains(string(said), "Passed: 0/") {
				t.Errorf("%s of %s: %v\n%s", one, version, err, said)
			}
		}
	}
}
