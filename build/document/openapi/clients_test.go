package openapi

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"souk/build/document"
)

// outside returns a file of a third-party program. SOUK_TEST_OPENAPI names the folder of
// these programs, which contains the results of:
//
//	GOBIN=$PWD/bin go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
//	npm install @stoplight/spectral-cli openapi-typescript openapi-fetch typescript@5
func outside(t *testing.T, file string) string {
	t.Helper()
	folder := os.Getenv("SOUK_TEST_OPENAPI")
	if folder == "" {
		t.Skip("not asked: SOUK_TEST_OPENAPI names no folder with bin/oapi-codegen and node_modules")
	}
	path := filepath.Join(folder, filepath.FromSlash(file))
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a program in a folder and returns what it prints.
func run(t *testing.T, folder string, program string, arguments ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, arguments...)
	c.Dir = folder
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, arguments, err, out)
	}
	return string(out)
}

func write(t *testing.T, folder, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestALinterFindsNothing(t *testing.T) {
	spectral := outside(t, "node_modules/.bin/spectral")
	dir := t.TempDir()
	write(t, dir, "rules.yaml", []byte("extends: [\"spectral:oas\"]\n"))
	lint := func(data []byte) (string, error) {
		write(t, dir, "openapi.json", data)
		c := exec.CommandContext(t.Context(), spectral, "lint", "-r", "rules.yaml", "-F", "hint", "openapi.json")
		c.Dir = dir
		out, err := c.CombinedOutput()
		return string(out), err
	}
	renderer := emptyMarket()
	for _, data := range append([][]byte{renderer.OpenAPI()}, parts(renderer)...) {
		if found, err := lint(data); err != nil {
			t.Errorf("%v\n%s", err, found)
		}
	}
	if _, err := lint(bytes.Replace(described(), []byte(`"operationId": "getHealth",`), nil, 1)); err == nil {
		t.Error("the linter finds nothing where an operationId is missing")
	}
}

func parts(r *document.Renderer) (all [][]byte) {
	for _, slug := range document.PartSlugs() {
		all = append(all, r.OpenAPIPart(slug))
	}
	return all
}

// served serves the sample without Brass Wren and returns the address of its API.
func served(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	souk := filepath.Join(dir, "souk")
	run(t, root, "go", "build", "-o", souk, "./cmd/souk")
	run(t, dir, souk, "build", "--content", filepath.Join(root, "content"), "--public", "public", "--state", "state")
	run(t, dir, souk, "remove", "brass-wren", "--reason", "a test", "--content", filepath.Join(root, "content"), "--state", "state")
	ctx, stop := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, souk, "serve", "--content", filepath.Join(root, "content"), "--public", "public", "--state", "state",
		"--site-url", "http://"+at, "--listen", at, "--no-rate-limit")
	c.Dir = dir
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = c.Wait() })
	for deadline := time.Now().Add(time.Minute); ; {
		response, err := http.Get("http://" + at + "/api/v1/health")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return "http://" + at + "/api/v1"
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("the server does not begin to answer")
		}
	}
}

func TestAGeneratedClientInGoTalksToTheServer(t *testing.T) {
	generator := outside(t, "bin/oapi-codegen")
	dir := t.TempDir()
	write(t, dir, "openapi.json", described())
	write(t, dir, "config.yaml", []byte("package: main\noutput: client.go\ngenerate: {models: true, client: true}\n"))
	run(t, dir, generator, "-config", "config.yaml", "openapi.json")
	text, err := os.ReadFile(filepath.Join("testdata", "client.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "main.go", text)
	write(t, dir, "go.mod", []byte("module client\n\ngo 1.26.0\n"))
	run(t, dir, "go", "mod", "tidy")
	if got, want := run(t, dir, "go", "run", ".", served(t)), "list 200\nsearch 200\nmissing 404 not-found\ngone 410 removed\n"; got != want {
		t.Errorf("the client says %q, want %q", got, want)
	}
}

func TestAGeneratedClientInTypeScriptTalksToTheServer(t *testing.T) {
	generator := outside(t, "node_modules/.bin/openapi-typescript")
	modules, err := filepath.Abs(outside(t, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "openapi.json", described())
	run(t, dir, generator, "openapi.json", "-o", "api.d.ts")
	text, err := os.ReadFile(filepath.Join("testdata", "client.ts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "client.ts", text)
	write(t, dir, "package.json", []byte(`{"type":"module"}`))
	run(t, dir, filepath.Join(modules, ".bin", "tsc"), "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "client.ts")
	if got, want := run(t, dir, "node", "client.js", served(t)), "list 200\nsearch 200\nmissing 404 not-found\ngone 410 removed\n"; got != want {
		t.Errorf("the client says %q, want %q", got, want)
	}
}
