package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheReleaseFolderIsBesideThePublicFolder(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for public, want := range map[string]string{
		"public": filepath.Join(here, "public.release"), "public/": filepath.Join(here, "public.release"), ".": here + ".release",
		"/srv/market/public/": "/srv/market/public.release", "/srv/../srv/site": "/srv/site.release",
	} {
		if got := Folder(public); got != want {
			t.Errorf("that of %q is %q, want %q", public, got, want)
		}
	}
}

func TestTheErrorSaysWhatToDoIfTheReleaseFolderCannotBeCreated(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	if err := os.WriteFile(tree.own, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err := tree.Lock(t.Context())
	if err == nil || !strings.Contains(err.Error(), "make "+tree.own+", and let this user write there") {
		t.Errorf("got %v", err)
	}
}
