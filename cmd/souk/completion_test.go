package main

import (
	"encoding/json"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestShellCompletionWorks requests completions like a shell, with the default content
// folder, one from a flag and one from the environment.
func TestShellCompletionWorks(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{
		"content/sellers/acme/seller.yaml": "x", "content/sellers/globex/seller.md": "x", "content/sellers/No Slug/x": "x",
		"content/categories/product/robots.md": "x", "content/categories/service/repair.yaml": "x", "content/categories/service/repair.md": "x",
		"other/sellers/lumen/seller.yaml": "x",
	})
	for _, one := range []struct{ line, want string }{
		{"tr", "trace"},
		{"comp", "completion"},
		{"trace ", "acme globex"},
		{"trace g", "globex"},
		{"trace acme ", ""},
		{"trace --content other ", "lumen"},
		{"history ", "acme globex"},
		{"restore a", "acme"},
		{"search arm --seller ", "acme globex"},
		{"search arm --category ", "product/robots service/repair"},
		{"search arm --kind s", "service"},
		{"build --forget g", "globex"},
		{"build --precompress ", "off all 4KB"},
		{"check --format ", "text github"},
		{"serve --log-format ", "text json"},
		{"serve --log-level w", "warn"},
		{"publish out --host ngx", ""},
		{"publish out --host ng", "nginx"},
		{"publish out --encoding ", "identity gzip"},
		{"hosts ca", "caddy"},
		{"hosts caddy ", ""},
		{"new ma", "market-map"},
		{"new product ", "acme/ globex/"},
		{"new service a", "acme/"},
		{"new category ", "product/ service/"},
		{"new article ", ""},
		{"new product acme/x ", ""},
		{"completion ", "bash fish powershell zsh"},
		{"build ", ""},
		{"serve --prev", "--preview"},
		{"token ", "list new revoke"},
		{"claims ", "move release"},
		{"claims release ", "acme globex"},
		{"claims move g", "globex"},
		{"claims move acme ", ""},
		{"search arm --sort ", "relevance name newest price"},
		{"search arm --delivery r", "remote"},
		{"search arm --proof c", "certification customer caseStudy"},
		{"build --snapshot ", "on off"},
		{"build --search-parts o", "on off"},
		{"help bu", "build"},
		{"help _", ""},
		{"help claims ", "move release"},
		{"help build ", ""},
	} {
		words := strings.Split("__completeNoDesc "+one.line, " ")
		code, stdout, stderr := said(nil, words...)
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		if got := strings.Join(lines[:len(lines)-1], " "); code != exitDone || got != one.want || !strings.HasPrefix(lines[len(lines)-1], ":") {
			t.Errorf("%q is completed by %q, not %q\n%s", one.line, got, one.want, stderr)
		}
	}
	if _, stdout, _ := said(map[string]string{"SOUK_CONTENT": "other"}, "__completeNoDesc", "trace", ""); !strings.HasPrefix(stdout, "lumen\n") {
		t.Errorf("with SOUK_CONTENT=other, sellers are completed by %q", stdout)
	}
}

// TestCompletionScriptsAreValid lets each installed shell parse its script.
func TestCompletionScriptsAreValid(t *testing.T) {
	for shell, check := range map[string][]string{"bash": {"-n"}, "zsh": {"-n"}, "fish": {"--no-execute"}, "powershell": nil} {
		code, stdout, stderr := said(nil, "completion", shell)
		if code != exitDone || !strings.Contains(stdout, "souk") || stderr != "" {
			t.Errorf("%s: %d %.100s %s", shell, code, stdout, stderr)
		}
		path, err := exec.LookPath(shell)
		if err != nil || check == nil {
			continue
		}
		cmd := exec.Command(path, append(slices.Clone(check), "/dev/stdin")...)
		cmd.Stdin = strings.NewReader(stdout)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s does not read its script: %v\n%s", shell, err, out)
		}
	}
}

func TestVersionIdentifiesTheProgram(t *testing.T) {
	_, text, _ := said(nil, "version")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] != "souk "+version() || lines[len(lines)-1] != runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH {
		t.Errorf("it says\n%s", text)
	}
	_, text, _ = said(nil, "version", "--json")
	var got versionJSON
	if err := json.Unmarshal([]byte(text), &got); err != nil || got != programVersion() {
		t.Errorf("%v: %s", err, text)
	}
}
