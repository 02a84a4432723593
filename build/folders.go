package build

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"souk/build/release"
)

// ErrFolders means that one folder of a command contains another.
var ErrFolders = errors.New("the folders overlap")

// checkDisjoint returns an error if one of the folders contains another.
func checkDisjoint(c Config) error {
	if within(c.Content, c.Public) || within(c.Public, c.Content) {
		return fmt.Errorf("%w: --content %s and --public %s must not contain one another", ErrFolders, c.Content, c.Public)
	}
	if c.Theme != "" && (within(c.Theme, c.Public) || within(c.Public, c.Theme)) {
		return fmt.Errorf("%w: --theme %s and --public %s must not contain one another", ErrFolders, c.Theme, c.Public)
	}
	for flag, folder := range map[string]string{"--content": c.Content, "--public": c.Public} {
		if within(c.State, folder) {
			return fmt.Errorf("%w: --state %s must be outside %s %s", ErrFolders, c.State, flag, folder)
		}
	}
	own := release.Folder(c.Public)
	for flag, folder := range map[string]string{"--content": c.Content, "--state": c.State, "--theme": c.Theme} {
		if folder != "" && (within(folder, own) || within(own, folder) && flag != "--state") {
			return fmt.Errorf("%w: %s %s must be outside %s, which souk uses for the release in --public %s", ErrFolders, flag, folder, own, c.Public)
		}
	}
	return nil
}

// within reports whether inner is outer or below it.
func within(inner, outer string) bool {
	i, o := Resolved(inner), Resolved(outer)
	return i == o || strings.HasPrefix(i, strings.TrimSuffix(o, string(filepath.Separator))+string(filepath.Separator))
}

// Resolved returns an absolute path in which symbolic links are resolved as far as the path
// exists.
func Resolved(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if dir := filepath.Dir(abs); dir != abs {
		return filepath.Join(Resolved(dir), filepath.Base(abs))
	}
	return abs
}
