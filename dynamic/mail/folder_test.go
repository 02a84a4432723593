package mail

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func letter(t *testing.T, kind Kind, at time.Time) Letter {
	t.Helper()
	l, err := compose(message(kind), at)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestFolderWritesAMailOnce(t *testing.T) {
	folder := Folder{Path: filepath.Join(t.TempDir(), "var", "mail")}
	for _, at := range []time.Time{monday, monday.Add(time.Hour)} {
		if err := folder.Send(t.Context(), letter(t, RemovalLink, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := folder.Send(t.Context(), letter(t, RemovalDone, monday)); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder.Path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
		if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %v", entry.Name(), info.Mode())
		}
	}
	if got := strings.Join(names, " "); got != "20260302T093000Z-removalDone-rq-7f3a.eml 20260302T093000Z-removalLink-rq-7f3a.eml" {
		t.Errorf("the folder holds %s", got)
	}
	eml, err := os.ReadFile(filepath.Join(folder.Path, names[1]))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(eml), "\r\n"+message(RemovalLink).Link+"\r\n") {
		t.Errorf("the link cannot be copied from the file:\n%s", eml)
	}
	parse(t, string(eml))
}

func TestFolderThatCannotBeWrittenIsAFailureToRetry(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := Folder{Path: filepath.Join(file, "mail")}.Send(t.Context(), letter(t, ClaimLink, monday))
	if _, final := reasonOf(err); err == nil || final {
		t.Fatalf("the failure is %v", err)
	}
	assertSilent(t, err.Error())
}
