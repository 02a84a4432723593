//go:build unix

package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// draft is a product that only previews show.
const draft = "sellers/seller-02/products/secret.yaml"

// previewed returns an installation with a draft, and a server that previews it.
func previewed(t *testing.T, more ...string) (installation, *server) {
	t.Helper()
	files := market(false)
	files[draft] = "name: Secret\ncategories: [robots]\nstatus: draft\n"
	i := house(t, built(t), files)
	return i, i.preview(t, more...)
}

// preview starts a preview server, whose mails are read from its own folder.
func (i installation) preview(t *testing.T, more ...string) *server {
	t.Helper()
	s := i.serve(t, append([]string{"--preview"}, more...)...)
	s.state = filepath.Join(i.state, "preview")
	return s
}

// TestPreviewLinksPointToItself follows every link that a preview prints, and the links in
// a document and a mail.
func TestPreviewLinksPointToItself(t *testing.T) {
	files := market(false)
	files["sellers/moved/seller.yaml"] = "officialDomain: moved.example\naliases: [seller:a-former-name]\nversions: [{version: 1, name: Moved}]\n"
	s := house(t, built(t), files).preview(t)
	origin := strings.TrimSuffix(s.base, "/api/v1/marketplace")
	until(t, "the preview says where its mails are", func() bool { return strings.Contains(s.said.String(), "mails are not sent") })
	if first, _, _ := strings.Cut(s.said.String(), "\n"); first != "souk: open "+origin+"/" {
		t.Errorf("the first line is %q", first)
	}
	told := regexp.MustCompile(`souk: open (\S+)`).FindAllStringSubmatch(s.said.String(), -1)
	if len(told) < 3 {
		t.Fatalf("the preview says where to look %d times:\n%s", len(told), s.said)
	}
	for _, link := range told {
		if a := s.get(link[1]); a.status != http.StatusOK || !strings.HasPrefix(link[1], origin) {
			t.Errorf("%s answers %s", link[1], a)
		} else if company := strings.Contains(link[1], "/companies/"); company && a.field(t, "apiUrl") != link[1] {
			t.Errorf("%s is a former address of %s", link[1], a.field(t, "apiUrl"))
		}
	}
	seller := s.get("/companies/seller-02")
	for _, field := range []string{"url", "apiUrl"} {
		if at := seller.field(t, field); !strings.HasPrefix(at, origin+"/") {
			t.Errorf("the %s of a seller is %s, and the preview is at %s", field, at, origin)
		}
	}
	id, _ := s.begin("seller-02")
	mails, _ := filepath.Glob(filepath.Join(s.state, "mail", "*.eml"))
	if len(mails) != 1 {
		t.Fatalf("the mails are %v", mails)
	}
	if text, err := os.ReadFile(mails[0]); err != nil || !strings.Contains(string(text), origin+"/verify/removal#id="+id) {
		t.Errorf("the mail's link does not lead to %s: %v\n%s", origin, err, text)
	}
}

// TestPreviewDoesNotRemoveSellers removes a seller in a preview, where it stays removed,
// and builds a release, which still has it.
func TestPreviewDoesNotRemoveSellers(t *testing.T) {
	i, s := previewed(t)
	id, token := s.begin("seller-02")
	if a := s.verify(id, token); a.status != http.StatusOK {
		t.Fatalf("the removal is answered %s\n%s", a, s.said)
	}
	s.stop()
	again := i.preview(t)
	again.wantGone("seller-02", []string{"/companies/seller-02"})
	again.stop()
	i.build(t)
	if _, there := i.read(t)["api/v1/marketplace/companies/seller-02.json"]; !there {
		t.Error("a removal that was tried out in a preview holds for the marketplace")
	}
}

// TestPreviewHidesRemovedSellers removes a seller from the marketplace itself. No preview
// shows it, with drafts or without.
func TestPreviewHidesRemovedSellers(t *testing.T) {
	files := market(false)
	files[draft] = "name: Secret\ncategories: [robots]\nstatus: draft\n"
	files["sellers/seller-03/products/other.yaml"] = "name: Other\ncategories: [robots]\nexpiresAt: 2020-01-01\n"
	i := house(t, built(t), files)
	s := i.serve(t)
	id, token := s.begin("seller-02")
	if a := s.verify(id, token); a.status != http.StatusOK {
		t.Fatalf("the removal is answered %s\n%s", a, s.said)
	}
	s.stop()
	for _, drafts := range []bool{false, true, false} {
		var more []string
		want := http.StatusNotFound
		if drafts {
			more, want = []string{"--drafts"}, http.StatusOK
		}
		s := i.preview(t, more...)
		for _, address := range []string{"/companies/seller-02", "/companies/seller-02/products/secret"} {
			if a := s.get(address); a.status == http.StatusOK {
				t.Errorf("with drafts %t, %s shows who left: %s", drafts, address, a)
			}
		}
		if a := s.get("/companies/seller-03/products/other"); a.status != want {
			t.Errorf("with drafts %t, what is over answers %s", drafts, a)
		}
		s.stop()
	}
}

// TestPreviewIsNeverPublished tries to publish a preview, also from a copy of the folder
// and without its state.
func TestPreviewIsNeverPublished(t *testing.T) {
	i, s := previewed(t, "--drafts")
	s.stop()
	public, copied, out := filepath.Join(s.state, "public"), filepath.Join(t.TempDir(), "public"), filepath.Join(t.TempDir(), "out")
	if said, err := exec.Command("cp", "-r", public, copied).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, from := range [][]string{
		{"--public", public, "--state", s.state}, {"--public", public, "--state", i.state}, {"--public", copied, "--state", t.TempDir()},
		{"--public", copied, "--state", t.TempDir(), "--dry-run"},
	} {
		said, err := exec.Command(i.program, append([]string{"publish", out}, from...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(said), "preview") {
			t.Errorf("%v is published: %v\n%s", from, err, said)
		}
	}
	if list, _ := filepath.Glob(filepath.Join(out, "*")); len(list) > 0 {
		t.Errorf("published were %v", list)
	}
	// A build into the folder turns it into a release, without anything that only previews
	// show.
	build := exec.Command(i.program, "build", "--content", i.content, "--public", copied, "--state", t.TempDir())
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	release, err := treeOf(copied)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range release {
		if strings.Contains(name, "secret") || strings.Contains(file.body, "127.0.0.1") || strings.Contains(file.body, `"preview"`) && strings.HasSuffix(name, "release.json") {
			t.Errorf("%s is left of the preview", name)
		}
	}
	if said, err := exec.Command(i.program, "publish", out, "--public", copied, "--state", t.TempDir()).CombinedOutput(); err != nil {
		t.Errorf("the release is not published: %v\n%s", err, said)
	}
}

// TestOnlyOnePreviewRunsAtATime starts a second preview, which would build the folder for
// its own address.
func TestOnlyOnePreviewRunsAtATime(t *testing.T) {
	i, s := previewed(t)
	said, err := exec.Command(i.program, "serve", "--preview", "--content", i.content, "--state", i.state, "--listen", "127.0.0.1:0").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "stop it first") {
		t.Errorf("a second preview ends with %v\n%s", err, said)
	}
	if a := s.get("/companies/seller-02"); a.status != http.StatusOK {
		t.Errorf("the first answers %s", a)
	}
}

// TestSecondPreviewPrintsNoWarnings restarts a preview with another build of the program,
// as make run does after a code change.
func TestSecondPreviewPrintsNoWarnings(t *testing.T) {
	i, s := previewed(t)
	s.stop()
	again, err := os.ReadFile(i.program)
	if err != nil {
		t.Fatal(err)
	}
	i.program = filepath.Join(t.TempDir(), "souk")
	if err := os.WriteFile(i.program, again, 0o700); err != nil {
		t.Fatal(err)
	}
	s = i.preview(t)
	s.stop()
	if said := s.said.String(); strings.Contains(said, "level=WARN") || strings.Contains(said, "level=ERROR") || !strings.Contains(said, "rebuilt") {
		t.Errorf("the second start says\n%s", said)
	}
}

// TestServerLogsWhereLinksPoint starts a server that is not a preview. Its links use the
// address in the content.
func TestServerLogsWhereLinksPoint(t *testing.T) {
	s := house(t, built(t), market(false)).serve(t)
	until(t, "the server says where links lead", func() bool {
		return strings.Count(s.said.String(), "souk: links in documents and mails lead to https://market.example;") == 1
	})
	if at := s.get("/companies/seller-02").field(t, "url"); at != "https://market.example/companies/seller-02" {
		t.Errorf("the url of a seller is %s", at)
	}
}
