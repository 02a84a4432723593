package release

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"souk/build/kit/twin"
)

// A ForeignError lists files that no release wrote and that are in the way of a release.
// Nothing was written.
type ForeignError struct {
	// Public is the output folder. Files are paths below it, sorted.
	Public string
	Files  []string
}

func (e *ForeignError) Error() string {
	const most = 5
	names := strings.Join(e.Files[:min(most, len(e.Files))], ", ")
	if more := len(e.Files) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("in %s, files that souk did not write are in the way of the release: %s", e.Public, names)
}

// Lost returns files that probably no release wrote, if the log is lost and the folder does
// not match the release's description. The operator's own files, whose names say nothing, may
// be among them.
func (t *Tree) Lost() []string {
	if t.HasLog() || t.ID() == t.described {
		return nil
	}
	return t.foreign
}

// has reports whether a regular file has the given digest.
func (t *Tree) has(file string, digest Digest) bool {
	if info, err := os.Lstat(t.Path(file)); err != nil || !info.Mode().IsRegular() {
		return false
	}
	data, err := os.ReadFile(t.Path(file))
	return err == nil && DigestOf(data) == digest
}

// clashes returns an error if a release would overwrite files that are not its own.
// Overwriting an empty file, or one with the same bytes, as after the loss of the manifest,
// loses nothing. Files in the place of a stub are overwritten, because no removal waits. A
// folder that is a symbolic link is not the release's own: files written through it are not
// found again and would stay when their seller is removed. Nor is a folder with a foreign
// file, if the release has a file of the folder's name.
func (p *Plan) clashes(r *record) error {
	t := p.tree
	if len(t.foreign) == 0 {
		return nil
	}
	foreign, within := make(map[string]bool, len(t.foreign)), map[string]string{}
	for _, file := range t.foreign {
		foreign[file] = true
		for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
			within[folder] = file
		}
	}
	var clash []string
	last := ""
	for i, file := range r.Files {
		if in := path.Dir(file); in != last {
			for folder := in; folder != "."; folder = path.Dir(folder) {
				if foreign[folder] && !slices.Contains(clash, folder) {
					clash = append(clash, folder)
				}
			}
			last = in
		}
		if IsStub(file) {
			continue
		}
		for suffix, written := range map[string]bool{"": true, twin.Gzip: r.Entries[i].Gzip > 0, twin.Brotli: r.Entries[i].Brotli > 0} {
			if inside := within[file+suffix]; written && inside != "" {
				clash = append(clash, inside)
			}
			if !written || !foreign[file+suffix] {
				continue
			}
			if info, err := os.Lstat(t.Path(file + suffix)); err == nil && info.Size() > 0 && !t.has(file, r.Entries[i].Digest) {
				clash = append(clash, file+suffix)
			}
		}
	}
	if len(clash) == 0 {
		return nil
	}
	slices.Sort(clash)
	return &ForeignError{t.options.Public, clash}
}
