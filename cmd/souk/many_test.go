package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// souk runs a command in this process and returns its exit code and output.
func souk(args ...string) (code int, stdout, stderr string) {
	var out, messages bytes.Buffer
	code = run(args, environment{
		stdin: strings.NewReader(""), stdout: &out, stderr: &messages, now: time.Now,
		lookupenv: none,
	})
	return code, out.String(), messages.String()
}

// none looks up variables in an empty environment.
func none(string) (string, bool) { return "", false }

// write creates files below a folder; "" deletes one.
func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if text == "" {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEachBrokenFileIsReportedOnOneLine(t *testing.T) {
	content := t.TempDir()
	files := map[string]string{"marketplace.yaml": "name: Market\nsiteUrl: https://market.example\n"}
	broken := []string{
		"titel: Misspelt\ntitle: Misspelt\n",
		"title: [no, text]\n",
		"title: One\nrelated: [seller:nobody]\n",
		"title: 'unclosed\n",
		"title: \"not UTF-8: \xff\"\n",
		"\x00\x01\x02\x03",
		"- a list\n",
		"title: &a [*a]\n",
		"title: " + strings.Repeat("[", 100_000),
		"{}\n",
	}
	for i := range 1000 {
		files[fmt.Sprintf("articles/broken-%03d.yaml", i)] = broken[i%len(broken)]
	}
	write(t, content, files)
	code, stdout, stderr := souk("check", "--content", content, "--state", t.TempDir())
	if code != exitWrong || stderr != "souk: 1000 mistakes, 0 warnings\n" {
		t.Errorf("check ended with %d and said %q", code, stderr)
	}
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) != 1000 {
		t.Fatalf("%d lines for 1000 broken files:\n%s", len(lines), stdout)
	}
	for i, line := range lines {
		if file := fmt.Sprintf("/articles/broken-%03d.yaml:", i); !strings.Contains(line, file) {
			t.Fatalf("line %d is not about %s\n%s", i+1, file, line)
		}
	}
}

func TestEveryCommandHasAnExample(t *testing.T) {
	root := newRoot(environment{lookupenv: none})
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Hidden {
			continue
		}
		if !strings.HasPrefix(cmd.Example, "  souk ") || cmd.Short == "" {
			t.Errorf("the command %q has no example of its use or says nothing of itself", cmd.Name())
		}
	}
}
