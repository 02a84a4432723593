package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// said runs a command line in this process and returns its output.
func said(getenv map[string]string, args ...string) (code int, stdout, stderr string) {
	var out, messages bytes.Buffer
	code = run(args, environment{
		stdin: strings.NewReader(""), stdout: &out, stderr: &messages,
		lookupenv: func(name string) (string, bool) { value, set := getenv[name]; return value, set }, now: time.Now,
	})
	return code, out.String(), messages.String()
}

// ofGo matches text that only programmers understand.
var ofGo = regexp.MustCompile(`strconv|invalid syntax|[Uu]nmarshal|goroutine|panic|(^|[^.\w])(yaml|json): |\bl?stat\b|parse "|%!|<nil>|nil pointer|runtime|` +
	`map\[|invalid character|unexpected EOF|\bEOF\b|dial tcp|(Get|Post|Head) "|context deadline|Client\.Timeout|\bu?int(64)?\b|0x[0-9a-f]{6}|\*[a-z]+\.[A-Z]|of type|invalid argument`)

// TestMessagesContainNoGoJargon uses wrong command lines, invalid files and unsuitable
// hosts.
func TestMessagesContainNoGoJargon(t *testing.T) {
	t.Chdir(t.TempDir())
	refusing, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + refusing.Addr().String()
	if err := refusing.Close(); err != nil {
		t.Fatal(err)
	}
	odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "sitemap.xml"):
			hijacked, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = hijacked.Close()
			}
		default:
			fmt.Fprint(w, "{")
		}
	}))
	defer odd.Close()
	write(t, ".", map[string]string{
		"content/marketplace.yaml": "name: Market\nsiteUrl: https://market.example\n",
		"broken/marketplace.yaml":  "name: [\n\tx",
		"wrong/marketplace.yaml":   "name: {a: 1}\nsiteUrl: [1]\n",
		"list.json":                `[{"id": {"a": 1}}]`,
		"torn.json":                `[{"id":`,
		"torn.yaml":                "- id: a\n  b: [",
		"notes.txt":                "Not a folder.\n",
		"other/ledger.db":          "no ledger at all, though it has the name of one",
	})
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("empty/ledger.db", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, messages := said(nil, "build"); code != exitDone {
		t.Fatal(messages)
	}
	write(t, ".", map[string]string{"torn/api/v1/release.json": "{", "torn/api/v1/openapi.json": "{"})
	for _, one := range []struct {
		line string
		want string // part of the message
	}{
		{"biuld", `did you mean "build"?`},
		{"build --contnet x", "did you mean --content?"},
		{"build -contnet x", "did you mean --content?"},
		{"build -c x", "two hyphens"},
		{"build --content", "needs an argument"},
		{"build --json=maybe", `--json must be true or false, not "maybe"`},
		{"build --now soon", "2026-01-31"},
		{"build --precompress 4XB", "4KB"},
		{"build --precompress 99999999999999999999", "4KB"},
		{"build --content missing", "missing: no such file"},
		{"build --content notes.txt", "is not a folder"},
		{"build --content broken", "does not parse"},
		{"build --content wrong --json", ""},
		{"build --public notes.txt", "notes.txt"},
		{"build --state notes.txt", "notes.txt"},
		{"build --state other", "not a ledger"},
		{"build --state empty", "empty"},
		{"build --removals missing", "no such file"},
		{"build --removals list.json", "list.json"},
		{"build --removals torn.json", "torn.json"},
		{"check --removals torn.yaml", "torn.yaml"},
		{"build --site-url ::", "web address"},
		{"build --site-url https://market.example/?", "scheme, host and path"},
		{"build --site-url https://market.example//market", "scheme, host and path"},
		{"search a --site-url https://market.example#", "scheme, host and path"},
		{"check --now 2026-01-02T1:00:00Z", "RFC 3339"},
		{"check --now 0001-01-01", "RFC 3339"},
		{"build --database mysql://x", "SQLite"},
		{"build --database=", "empty"},
		{"check --format xml", "text or github"},
		{"search a --limit x", `--limit takes a whole number, not "x"`},
		{"search a --offset -1", "offset"},
		{"search a --limit 99999999999999999999", "too large"},
		{"search a --category x", "product/slug"},
		{"search a --country xyz", ""},
		{"search", "one text"},
		{"serve --link-lifetime soon", "24h"},
		{"serve --link-lifetime=-1h", "24h"},
		{"serve --listen x", "127.0.0.1:8080"},
		{"serve --listen 127.0.0.1:70000", "127.0.0.1:8080"},
		{"serve --listen nobody.invalid:80", "nobody.invalid"},
		{"serve --metrics-listen x", "--metrics-listen"},
		{"serve --smtp ::", "smtp://"},
		{"serve --smtp smtp://%zz", "smtp"},
		{"serve --mail-from me", "plain address"},
		{"serve --trusted-proxy x", "10.0.0.0/8"},
		{"serve --oidc-issuer ::", "oidc"},
		{"serve --oidc-issuer :: --oidc-audience x", "oidc-issuer"},
		{"serve --log-level loud", "debug"},
		{"serve --drafts", "--preview"},
		{"publish", "one destination"},
		{"publish http://x", "s3://"},
		{"publish out --public torn", "release"},
		{"publish out --parallel x", "whole number"},
		{"publish out --request-timeout x", "24h"},
		{"publish out --host ngnix", `did you mean "nginx"?`},
		{"publish notes.txt", "notes.txt"},
		{"publish s3://b?endpoint=" + nobody + " --attempts 1 --record notes.txt", ""},
		{"diff " + nobody + " public", "connection refused"},
		{"diff " + odd.URL + " public", ""},
		{"diff :: public", ""},
		{"probe ::", "web address"},
		{"probe " + nobody, "connection refused"},
		{"probe " + odd.URL, ""},
		{"hosts ngnix", `did you mean "nginx"?`},
		{"hosts nginx --bind x", "host:port"},
		{"hosts nginx --output notes.txt/x", "notes.txt"},
		{"token", "new, list or revoke"},
		{"token nwe", `did you mean "new"?`},
		{"token new", "--workspace"},
		{"token revoke nobody --state x", "no ledger"},
		{"restore nobody", "--reason"},
		{"restore nobody --reason x", "of that name"},
		{"history nobody", "of that name"},
		{"trace nobody", "nobody"},
		{"removals --export missing/x", "missing"},
		{"init a b", "one folder"},
		{"init notes.txt/x", "notes.txt"},
		{"new", "a kind and a path"},
		{"new selelr x", `did you mean "seller"?`},
		{"new seller x --content notes.txt", "notes.txt"},
		{"schema --out notes.txt/x", "notes.txt"},
		{"version x", "no argument"},
		{"completion tcsh", "bash, fish"},
		{"help nothing", `"nothing"`},
	} {
		t.Run(one.line, func(t *testing.T) {
			code, stdout, stderr := said(nil, strings.Fields(one.line)...)
			if code != exitWrong && code != exitUsage {
				t.Errorf("it ends with %d", code)
			}
			if words := ofGo.FindString(stdout + stderr); words != "" || !strings.Contains(stderr, one.want) || stdout+stderr == "" {
				t.Errorf("it says %q in\n%s%s", words, stdout, stderr)
			}
			command := "souk"
			for word := range strings.FieldsSeq(one.line) {
				if is, _, _ := newRoot(environment{lookupenv: none}).Find([]string{word}); is.HasParent() {
					command += " " + is.Name()
				}
				break
			}
			if code == exitUsage && !strings.Contains(stderr, "\nsouk: see '"+command+" ") {
				t.Errorf("it does not lead to the help of %s:\n%s", command, stderr)
			}
		})
	}
	for name, value := range map[string]string{
		"SOUK_LIMIT": "x", "SOUK_NOW": "soon", "SOUK_JSON": "maybe", "SOUK_OFFSET": "1e3",
	} {
		code, stdout, stderr := said(map[string]string{name: value}, "search", "a")
		if words := ofGo.FindString(stdout + stderr); code != exitUsage || words != "" || !strings.Contains(stderr, name) {
			t.Errorf("%s=%s ends with %d, and says %q in\n%s%s", name, value, code, words, stdout, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join("x", "ledger.db")); err == nil {
		t.Error("a wrong command line made a ledger")
	}
}
