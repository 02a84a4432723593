//go:build unix

package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"souk/build/delivery/hosts"
	"souk/build/document"
	"souk/internal/testing/loopback"
	"souk/internal/testing/s3test"
)

// recipe is a page of docs/recipes whose commands run in a shell, with the test's folders
// and addresses instead of the reader's.
type recipe struct {
	*shell
	page string
	// instead alternates between texts on the page and their replacements.
	instead []string
}

func newRecipe(t *testing.T, file string) *recipe {
	t.Helper()
	page, err := os.ReadFile("../../docs/recipes/" + file)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	r := &recipe{newShell(t, home), string(page), nil}
	r.env = append(r.env, "PATH="+filepath.Dir(built(t))+":"+os.Getenv("PATH"))
	for _, folder := range []string{"/srv/market", "/var/lib/souk", "/etc/caddy", "/backup"} {
		r.instead = append(r.instead, folder, home+folder)
	}
	for _, folder := range []string{"srv", "var/lib/souk", "etc/caddy"} {
		if err := os.MkdirAll(filepath.Join(home, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// here replaces the reader's folders and addresses with those of the test.
func (r *recipe) here(text string) string { return strings.NewReplacer(r.instead...).Replace(text) }

// blocks returns the fenced code blocks in a language below a heading.
func (r *recipe) blocks(heading, language string) (found []string) {
	r.Helper()
	_, text, _ := strings.Cut(r.page, "\n## "+heading+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for _, one := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		found = append(found, one[1])
	}
	if len(found) == 0 {
		r.Fatalf("the recipe has no %s below %q", language, heading)
	}
	return found
}

// follow runs the commands below a heading. If a comment is a number, the command must
// eventually print it.
func (r *recipe) follow(heading string) {
	r.Helper()
	number := regexp.MustCompile(`^\d+$`)
	for _, block := range r.blocks(heading, "sh") {
		for line := range strings.Lines(r.here(oneLine(block))) {
			command, comment, _ := strings.Cut(strings.TrimSpace(line), "  # ")
			if !number.MatchString(comment) {
				r.run(command)
				continue
			}
			until(r.T, command+" prints "+comment, func() bool { return strings.TrimSpace(r.run(command)) == comment })
		}
	}
}

// service runs the command of the systemd unit with the flags of /etc/souk.env, and returns
// the server's address.
func (r *recipe) service(env string) string {
	r.Helper()
	unit, err := os.ReadFile("../../docs/deploy/souk.service")
	if err != nil {
		r.Fatal(err)
	}
	start := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/(souk serve .+)$`).FindSubmatch(unit)
	if start == nil {
		r.Fatal("the unit starts no server")
	}
	r.env = append(r.env, strings.Split(strings.TrimSpace(r.here(env)), "\n")...)
	origin, _ := r.serve(r.here(string(start[1])))
	return strings.TrimRight(origin, `"}`)
}

// caddy runs Caddy with a site configuration.
func (r *recipe) caddy(site, address string) {
	r.Helper()
	server, err := loopback.Start(r.Context(), "caddy", []hosts.File{{Body: []byte(site)}}, r.TempDir(), address)
	if errors.Is(err, loopback.ErrMissing) {
		r.Skip(err)
	}
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		if said := server.Stop(); r.Failed() {
			r.Logf("caddy said:\n%s", said)
		}
	})
}

// public gives the recipe an address for https://market.example.
func (r *recipe) public() (address string) {
	r.Helper()
	address, err := loopback.Address()
	if err != nil {
		r.Fatal(err)
	}
	r.instead = append(r.instead, "https://market.example", "http://"+address)
	return address
}

func TestSingleMachineRecipeServesBehindCaddy(t *testing.T) {
	r := newRecipe(t, "small.md")
	address := r.public()
	r.follow("2. Create the content")
	origin := r.service(r.blocks("3. Start the service", "ini")[0])
	site := strings.NewReplacer("market.example", "http://"+address, "127.0.0.1:8080", strings.TrimPrefix(origin, "http://"))
	r.caddy(site.Replace(r.blocks("4. Put Caddy in front", "caddyfile")[0]), address)
	r.follow("5. See that it works")
	r.follow("7. Back up")
}

func TestStaticFilesRecipePublishesToCaddy(t *testing.T) {
	r := newRecipe(t, "static.md")
	address := r.public()
	r.follow("1. The repository")
	r.follow("2. The host, once")
	site, err := os.ReadFile(r.here("/etc/caddy/souk.Caddyfile"))
	if err != nil {
		t.Fatal(err)
	}
	r.caddy(strings.Replace(string(site), "\nmarket.example {", "\nhttp://"+address+" {", 1), address)
	r.follow("3. The pipeline")
	r.follow("4. A company leaves")
}

func TestObjectStoreRecipePublishesToABucket(t *testing.T) {
	store := s3test.Start(t)
	r := newRecipe(t, "objectstore.md")
	r.instead = append(r.instead, "s3://market?region=eu-central-1", store.Bucket(t, "market"))
	// This CDN works as the recipe describes: it passes requests without a document or page
	// to the program, if there is one, and otherwise answers 404. It has no list of removed
	// addresses.
	var program http.Handler
	cdn := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		keys := []string{q.URL.Path, document.HTMLFile(q.URL.Path), q.URL.Path + ".json"}
		if q.URL.Path == "/" {
			keys = []string{"/index.html"}
		}
		for _, key := range keys {
			if object, err := store.Object(q.Context(), "market", strings.TrimPrefix(key, "/")); err == nil {
				w.Header().Set("Content-Type", object.ContentType)
				_, _ = w.Write(object.Body) // the client may have disconnected
				return
			}
		}
		if program != nil && strings.Contains(q.URL.Path, "/search") {
			program.ServeHTTP(w, q)
			return
		}
		http.NotFound(w, q)
	}))
	t.Cleanup(cdn.Close)
	r.instead = append(r.instead, "https://market.example", cdn.URL, "AWS_ACCESS_KEY_ID=…", "AWS_ACCESS_KEY_ID="+s3test.AccessKey, "AWS_SECRET_ACCESS_KEY=…", "AWS_SECRET_ACCESS_KEY="+s3test.SecretKey)
	small := newRecipe(t, "small.md")
	r.page += small.page
	r.follow("2. Create the content")
	origin, err := url.Parse(r.service(r.blocks("2. The bucket", "ini")[0]))
	if err != nil {
		t.Fatal(err)
	}
	program = httputil.NewSingleHostReverseProxy(origin)
	r.run("until curl --fail --silent " + cdn.URL + "/api/v1/release > /dev/null; do :; done")
	r.follow("3. The distribution")
	r.follow("4. See that it works")
	r.follow("5. Removals")
}

// TestCloudFrontGuideLoadsTheWholeList runs the guide's own commands with a fake AWS
// CLI that records what it is given.
func TestCloudFrontGuideLoadsTheWholeList(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip(err)
	}
	guide, err := os.ReadFile("../../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	load := regexp.MustCompile("(?s)\n## CloudFront before S3\n.*?```sh\n(.*?)```").FindSubmatch(guide)
	if load == nil {
		t.Fatal("the guide loads no list")
	}
	s := newShell(t, t.TempDir())
	s.env = append(s.env, "PATH="+filepath.Dir(built(t))+":"+os.Getenv("PATH"), "KVS=store")
	s.run("souk init && printf -- '- id: acme\n' > removals.yaml && souk build --removals removals.yaml")
	s.run("souk hosts cloudfront --removals removals.yaml --output deploy")
	s.run(`aws() { if [ "$2" = update-keys ]; then echo "${*: -1}" >> put; else echo E1; fi; }` + "\n" + string(load[1]))
	if want, got := s.run(`jq -c '.data[] | [.key, .value]' deploy/removed.json`), s.run(`jq -c '.[] | [.Key, .Value]' put`); got != want || want == "" {
		t.Errorf("put was\n%s, not\n%s", got, want)
	}
}

// oneLine joins commands that continue on the next line.
func oneLine(text string) string { return regexp.MustCompile(`\\\n\s*`).ReplaceAllString(text, "") }

// typed returns the souk commands in the indented blocks of a guide, either below the given
// headings or everywhere.
func typed(guide string, headings ...string) (commands []string) {
	for _, section := range strings.Split(oneLine(guide), "\n## ") {
		heading, text, _ := strings.Cut(section, "\n")
		if len(headings) > 0 && !slices.Contains(headings, heading) {
			continue
		}
		for _, one := range regexp.MustCompile("(?m)^    (souk [^\n]+)$").FindAllStringSubmatch(text, -1) {
			commands = append(commands, one[1])
		}
	}
	return commands
}

// TestOperatorGuideCommandsRun runs the commands about backups, removals and refused
// builds in docs/operations.md, and those about hosts in docs/hosts.md, in a new
// marketplace.
func TestOperatorGuideCommandsRun(t *testing.T) {
	home := t.TempDir()
	s := newShell(t, home)
	s.env = append(s.env, "PATH="+filepath.Dir(built(t))+":"+os.Getenv("PATH"))
	s.run("souk init && souk build && mkdir backup")
	operations := guide(t, "operations.md")
	list := regexp.MustCompile("(?s)```yaml\n(.+?)```").FindStringSubmatch(operations)
	if list == nil {
		t.Fatal("the guide shows no list of removals")
	}
	write(t, home, map[string]string{"removals.yaml": list[1]})
	here := strings.NewReplacer("/backup/", home+"/backup/", "ledger-2026-11-29", "ledger-$(date +%F)")
	ran := 0
	for _, line := range typed(operations, "Back up and restore", "A company leaves", "A company claims its profile", "Why a build refuses") {
		if strings.HasPrefix(line, "souk claims release ") || strings.HasPrefix(line, "souk claims move ") {
			continue // the profile is unclaimed; claims.txtar runs these
		}
		s.run(here.Replace(line))
		if ran++; strings.HasPrefix(line, "souk remove ") {
			s.run("souk build")
		}
	}
	undo := regexp.MustCompile("`(souk restore [^`]+)`").FindStringSubmatch(operations)
	if undo == nil {
		t.Fatal("the guide undoes no removal")
	}
	s.run(undo[1] + " && souk build")
	elsewhere := regexp.MustCompile(`/etc/\S*/`)
	for _, line := range typed(guide(t, "hosts.md")) {
		if strings.HasPrefix(line, "souk hosts") || strings.HasPrefix(line, "souk build") {
			s.run(elsewhere.ReplaceAllString(line, ""))
			ran++
		}
	}
	if ran < 16 {
		t.Errorf("only %d commands ran", ran)
	}
}
