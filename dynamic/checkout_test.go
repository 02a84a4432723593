package dynamic

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"souk/build"
)

func TestIndexLockOfTheRepositoryIsFound(t *testing.T) {
	home := t.TempDir()
	for file, text := range map[string]string{
		"plain/.git/HEAD": "", "plain/content/sellers/acme/seller.yaml": "", "plain/.git/worktrees/aside/HEAD": "",
		"aside/.git": "gitdir: " + filepath.Join(home, "plain/.git/worktrees/aside") + "\n", "aside/content/marketplace.yaml": "",
		"plain/market/.git": "gitdir: ../.git/modules/market\n", "plain/market/marketplace.yaml": "", "plain/.git/modules/market/HEAD": "",
		"none/content/marketplace.yaml": "", "odd/.git": "nothing", "odd/content/marketplace.yaml": "",
	} {
		file = filepath.Join(home, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(home, "plain/content"), filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for folder, lock := range map[string]string{
		"plain": "plain/.git", "plain/content": "plain/.git", "plain/content/sellers/acme": "plain/.git", "link": "plain/.git",
		"aside": "plain/.git/worktrees/aside", "aside/content": "plain/.git/worktrees/aside", "plain/market": "plain/.git/modules/market",
		"none/content": "", "odd/content": "",
	} {
		folder = filepath.Join(home, folder)
		if checkout(folder, now) {
			t.Errorf("%s is waited for without a lock", folder)
		}
		if lock == "" {
			continue
		}
		lock = filepath.Join(home, lock, "index.lock")
		if err := os.WriteFile(lock, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if !checkout(folder, now) || !checkout(folder, now.Add(checkoutTime-time.Second)) || checkout(folder, now.Add(checkoutTime+time.Second)) {
			t.Errorf("%s is not waited for, or too long", folder)
		}
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
	}
}

func TestUnwatchableContentIsNotReadDuringACheckout(t *testing.T) {
	root := t.TempDir()
	lock := filepath.Join(root, ".git", "index.lock")
	synctest.Test(t, func(t *testing.T) {
		if err := errors.Join(os.Mkdir(filepath.Dir(lock), 0o755), os.WriteFile(lock, nil, 0o644), os.Chtimes(lock, time.Now(), time.Now())); err != nil {
			t.Fatal(err)
		}
		w := newWatch(Config{Build: build.Config{Content: root, Clock: time.Now}, Log: slog.New(slog.DiscardHandler)}, func() (events, error) { return events{}, errors.ErrUnsupported })
		go w.run(t.Context())
		began := time.Now()
		if batch := <-w.changes; !slices.Equal(batch, []string{build.Whole}) || time.Since(began) < checkoutTime || time.Since(began) > checkoutTime+quietTime {
			t.Errorf("%q is looked at after %v", batch, time.Since(began))
		}
	})
}

// A checkout whose files pass a filter, like those of Git LFS, takes longer than an editor.
func TestServerNeverPublishesAPartialCheckout(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	h := newHouse(t)
	h.Watch = true
	git := func(arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", h.home, "-c", "user.name=T", "-c", "user.email=t@t.example", "-c", "filter.slow.smudge=cat"}, arguments...)...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("git %s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
	}
	const products = 200
	commit := func(version string) {
		for i := range products {
			h.write(fmt.Sprintf("sellers/acme/products/x%03d.yaml", i), fmt.Sprintf("name: X %s\ncategories: [robots]\n", version))
		}
		git("add", "-A", "content")
		git("commit", "-qm", version)
		git("branch", version)
	}
	git("init", "-q")
	commit("one")
	commit("two")
	if err := os.WriteFile(filepath.Join(h.home, ".git/info/attributes"), []byte("*.yaml filter=slow\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	h.open()
	name := func(i int) string {
		_, body := h.get(fmt.Sprintf("/companies/acme/products/x%03d", i))
		_, rest, _ := strings.Cut(body, `"name":"X `)
		version, _, _ := strings.Cut(rest, `"`)
		return version
	}
	for _, version := range []string{"one", "two", "one"} {
		var running sync.WaitGroup
		running.Go(func() { git("checkout", "-qf", version) })
		h.until("the checkout is published", func() bool {
			first, last := name(0), name(products-1)
			if first != last && first == version {
				t.Fatalf("half of %s is published", version)
			}
			return last == version
		})
		running.Wait()
	}
}
