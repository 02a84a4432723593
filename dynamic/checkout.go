package dynamic

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"souk/build"
)

// checkoutTime is how long a checkout of Git is waited for: a lock that is older may be one
// that a killed process left.
const checkoutTime = 10 * time.Second

// checkout reports whether Git is changing the working tree that a folder lies in.
func checkout(folder string, now time.Time) bool {
	info, err := os.Stat(indexLock(build.Resolved(folder)))
	return err == nil && now.Sub(info.ModTime()).Abs() < checkoutTime
}

// indexLock returns the file that is there while Git changes the working tree that a folder
// lies in, or "".
func indexLock(folder string) string {
	git := filepath.Join(folder, ".git")
	if info, err := os.Stat(git); err == nil && info.IsDir() {
		return filepath.Join(git, "index.lock")
	}
	// Of a worktree or a submodule it is a file, which names the folder.
	if text, err := os.ReadFile(git); err == nil {
		named := strings.TrimSpace(strings.TrimPrefix(string(text), "gitdir:"))
		if !filepath.IsAbs(named) {
			named = filepath.Join(folder, named)
		}
		return filepath.Join(named, "index.lock")
	}
	if above := filepath.Dir(folder); above != folder {
		return indexLock(above)
	}
	return ""
}

// checkingOut reports whether Git is changing the content or the theme.
func (w *watch) checkingOut() bool {
	now := w.now()
	return checkout(w.places[0], now) || w.places[1] != "" && checkout(w.places[1], now)
}

// checkedOut waits until Git is changing neither, or ctx ends.
func (w *watch) checkedOut(ctx context.Context) {
	for w.checkingOut() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(quietTime):
		}
	}
}
