package oidc_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"souk/dynamic/verification/oidc"
)

// startProvider runs a certified provider written in another language and returns its
// issuer. Its packages are installed once, in the user's cache.
func startProvider(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node.js is not here: it runs the provider")
	}
	dir := installProvider(t)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, node, filepath.Join(dir, "provider.mjs"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cancel()
		cmd.Wait() // it was told to end
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the provider says nothing: %v", err)
	}
	return strings.TrimSpace(line)
}

// installProvider returns a folder with the provider's program and packages.
func installProvider(t *testing.T) string {
	t.Helper()
	files := []string{"package.json", "package-lock.json", "provider.mjs"}
	sum := sha256.New()
	bodies := map[string][]byte{}
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join("testdata", "provider", name))
		if err != nil {
			t.Fatal(err)
		}
		bodies[name] = data
		sum.Write(data)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "souk-test", "provider-"+hex.EncodeToString(sum.Sum(nil)[:6]))
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err == nil {
		return dir
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "provider-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	for name, data := range bodies {
		if err := os.WriteFile(filepath.Join(fresh, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = fresh
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("the provider's packages cannot be installed: %v\n%s", err, out)
	}
	// Another run of the test may have been faster.
	if err := os.Rename(fresh, dir); err != nil && !errors.Is(err, os.ErrExist) {
		if _, gone := os.Stat(dir); gone != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// clientCredentials requests an access token for a resource as a client does (RFC 6749,
// section 4.4; RFC 8707, section 2).
func clientCredentials(t *testing.T, issuer, resource string) string {
	t.Helper()
	form := url.Values{"grant_type": {"client_credentials"}, "resource": {resource}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, issuer+"/token", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth("tool", url.QueryEscape("a secret of the test"))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var body struct {
		AccessToken string `json:"access_token"`
		Error       string `json:"error_description"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	if body.AccessToken == "" {
		t.Fatalf("the provider gives no token: %s %s", answer.Status, body.Error)
	}
	return body.AccessToken
}

func TestTokensOfACertifiedProviderAreAccepted(t *testing.T) {
	issuer := startProvider(t)
	for _, audience := range []string{"https://market.example/rsa", "https://market.example/ec"} {
		a, err := oidc.New(oidc.Config{Issuer: issuer, Audience: audience})
		if err != nil {
			t.Fatal(err)
		}
		workspace, err := a.Authenticate(t.Context(), clientCredentials(t, issuer, audience))
		if err != nil || workspace != "workspace of tool" {
			t.Errorf("%s: workspace %q, error %v", audience, workspace, err)
		}
		_, err = a.Authenticate(t.Context(), clientCredentials(t, issuer, "https://elsewhere.example/rsa"))
		if !errors.Is(err, oidc.ErrInvalid) {
			t.Errorf("%s: a token for another audience: %v", audience, err)
		}
	}
}
