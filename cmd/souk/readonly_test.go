//go:build unix

package main

import (
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// somebody runs souk as a user without write permission and returns its output. The command
// must succeed.
func (i installation) somebody(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, err := i.tried(args...)
	if err != nil {
		t.Fatalf("souk %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return stdout, stderr
}

// refused is like somebody, but souk must fail.
func (i installation) refused(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, err := i.tried(args...)
	if err == nil {
		t.Fatalf("souk %s does not fail\n%s%s", strings.Join(args, " "), stdout, stderr)
	}
	return stdout, stderr
}

func (i installation) tried(args ...string) (stdout, stderr string, err error) {
	cmd := exec.Command(i.program, append(args, "--content", i.content, "--state", i.state)...)
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, NoSetGroups: true}}
	}
	var out, messages strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &messages
	err = cmd.Run()
	return out.String(), messages.String(), err
}

// frozen makes an installation read-only until the test ends.
func (i installation) frozen(t *testing.T) {
	t.Helper()
	mode := func(root string, folder, file fs.FileMode) {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() {
				return os.Chmod(path, folder)
			}
			return os.Chmod(path, file)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, root := range []string{i.content, i.state} {
		mode(root, 0o555, 0o444)
		t.Cleanup(func() { mode(root, 0o755, 0o644) })
	}
	// The other user needs access to these folders.
	for _, folder := range []string{filepath.Dir(i.program), filepath.Dir(i.content), filepath.Dir(filepath.Dir(i.content))} {
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheckAndSearchNeedNoWritableState runs both commands where nothing is writable, with
// an empty state folder and with a full one.
func TestCheckAndSearchNeedNoWritableState(t *testing.T) {
	i := house(t, built(t), market(false))
	if err := os.Mkdir(i.state, 0o755); err != nil {
		t.Fatal(err)
	}
	look := func(t *testing.T, there bool) (told string) {
		t.Helper()
		i.frozen(t)
		_, told = i.somebody(t, "check")
		if !strings.Contains(told, "souk: 0 mistakes, ") {
			t.Errorf("check says %s", told)
		}
		found, _ := i.somebody(t, "search", "Arm 2", "--limit", "100")
		if strings.Contains(found, "product:seller-02/arm-2 ") != there || !strings.Contains(found, "product:seller-03/arm-2 ") {
			t.Errorf("search finds\n%s", found)
		}
		return told
	}
	t.Run("empty", func(t *testing.T) { look(t, true) })
	s := i.serve(t)
	id, token := s.begin("seller-02")
	if a := s.verify(id, token); a.status != http.StatusOK {
		t.Fatalf("the removal is answered %s\n%s", a, s.said)
	}
	s.stop()
	t.Run("with a ledger", func(t *testing.T) {
		if told := look(t, false); strings.Contains(told, "not checked") {
			t.Errorf("check says %s", told)
		}
	})
	t.Run("what tells of the ledger", func(t *testing.T) {
		i.frozen(t)
		for _, args := range [][]string{{"removals"}, {"history", "seller-02"}} {
			if told, _ := i.somebody(t, args...); !strings.Contains(told, "seller-02") {
				t.Errorf("%s says\n%s", strings.Join(args, " "), told)
			}
		}
		// Only the builder's user can read the search parts, so a trace that cannot read
		// them fails.
		if _, told := i.refused(t, "trace", "seller-02", "--public", i.public); !strings.Contains(told, "trace in the search parts: ") {
			t.Errorf("trace says\n%s", told)
		}
	})
	t.Run("with a ledger that only others may read", func(t *testing.T) {
		i.frozen(t)
		if err := os.Chmod(filepath.Join(i.state, "ledger.db"), 0); err != nil {
			t.Fatal(err)
		}
		if _, told := i.somebody(t, "check"); !strings.Contains(told, "souk: removals were not checked: ") {
			t.Errorf("check says %s", told)
		}
		if found, told := i.refused(t, "search", "Arm 2"); !strings.Contains(told, "ledger") || found != "" {
			t.Errorf("search finds %s and says %s", found, told)
		}
	})
}

// TestCheckAndSearchWorkWithAnInvalidStateFolder uses a state folder below a file.
func TestCheckAndSearchWorkWithAnInvalidStateFolder(t *testing.T) {
	i := house(t, built(t), market(false))
	if err := os.Mkdir(i.state, 0o755); err != nil {
		t.Fatal(err)
	}
	i.frozen(t)
	i.state = filepath.Join(i.content, "marketplace.yaml", "var")
	if _, told := i.somebody(t, "check"); !strings.Contains(told, "souk: 0 mistakes, ") {
		t.Errorf("check says %s", told)
	}
	if found, _ := i.somebody(t, "search", "Arm 2"); !strings.Contains(found, "product:seller-02/arm-2") {
		t.Errorf("search finds\n%s", found)
	}
}

// TestTerminalShowsThePosition runs check on a real terminal, with colours and without.
func TestTerminalShowsThePosition(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("there is no script(1), which gives a program a terminal")
	}
	files := market(false)
	files["sellers/seller-02/products/arm-2.yaml"] = "name: Arm\nnam: Arm\ncategories: [robots]\n"
	i := house(t, built(t), files)
	for _, one := range []struct {
		name, set, want string
	}{
		{"in colour", "TERM=xterm", "       | " + red + "^" + plain},
		{"without", "NO_COLOR=1", "       | ^"},
		{"dumb", "TERM=dumb", "       | ^"},
	} {
		t.Run(one.name, func(t *testing.T) {
			command := i.program + " check --content " + i.content + " --state " + i.state
			cmd := exec.Command(script, "-qec", command, "/dev/null")
			cmd.Env = append(os.Environ(), "NO_COLOR=", one.set)
			said, _ := cmd.CombinedOutput() // souk exits with 1
			text := strings.ReplaceAll(string(said), "\r", "")
			if !strings.Contains(text, "     2 | nam: Arm\n"+one.want+"\n") || strings.Contains(one.want, red) != strings.Contains(text, "\x1b[") {
				t.Errorf("shown is\n%q", text)
			}
		})
	}
}
