package dynamic

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"souk/build"
)

// checkoutTime is how long a Git checkout is waited for. An older lock may have been left
// by a killed process.
const checkoutTime = 10 * time.Second

// checkout reports whether Git is changing the working tree that contains a folder.
func checkout(folder string, now time.Time) bool {
	info, err := os.Stat(indexLock(build.Resolved(folder)))
	return err == nil && now.Sub(info.ModTime()).Abs() < checkoutTime
}

// indexLock returns the lock file that exists while Git changes the working tree that
// contains a folder, or "".
func indexLock(folder string) string {
	git := filepath.Join(folder, ".git")
	if info, err := os.Stat(git); err == nil && info.IsDir() {
		return filepath.Join(git, "index.lock")
	}
	// In a worktree or submodule, .git is a file that names the folder.
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

// checkedOut waits until Git changes neither, or ctx ends.
func (w *watch) checkedOut(ctx context.Context) {
	for w.checkingOut() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(quietTime):
		}
	}
}
