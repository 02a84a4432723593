package release

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"souk/build/kit/twin"
)

// A ForeignError names files that no release wrote and that stand where the
// release would write. Nothing was written.
type ForeignError struct {
	// Public is the output folder, Files are below it, sorted.
	Public string
	Files  []string
}

func (e *ForeignError) Error() string {
	const most = 5
	names := strings.Join(e.Files[:min(most, len(e.Files))], ", ")
	if more := len(e.Files) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("in %s there is what no build wrote, where the release would be: %s", e.Public, names)
}

// Lost returns the files that no release wrote as far as is known, where nothing tells
// what the last one did write and the folder has not what its description tells of: an
// operator's own files, whose names say nothing, may be among them.
func (t *Tree) Lost() []string {
	if t.HasLog() || t.ID() == t.described {
		return nil
	}
	return t.foreign
}

// has reports whether a regular file has the bytes of a digest.
func (t *Tree) has(file string, digest Digest) bool {
	if info, err := os.Lstat(t.Path(file)); err != nil || !info.Mode().IsRegular() {
		return false
	}
	data, err := os.ReadFile(t.Path(file))
	return err == nil && DigestOf(data) == digest
}

// clashes fails if a release would write over files that are not its own. An empty
// file loses nothing, nor does one of the same bytes, as of an operator whose manifest is lost; and no removal waits for what lies in the place of a stub. A folder that is
// a symbolic link is not the release's own either: what is written through it is not found
// again, and would stay when its seller is removed. Nor is one that holds a foreign file,
// where the release has a file of that name.
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
