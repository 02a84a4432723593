package release

import (
	"fmt"
	"slices"
	"time"
)

// A copy of a release is made from the manifest of another tree. Its files have the same bytes
// and times, so that every server gives the same responses.

// Copying makes the plan a copy of the release with an id, whose description has this entry.
// Commit fails if the result has another id.
func (p *Plan) Copying(id string, description Entry) {
	p.copying, p.time = id, time.Unix(0, description.ModTime)
	p.precompress = NoPrecompress
	if description.Gzip > 0 {
		p.precompress = 0
	}
}

// Copy puts a file with the bytes, time and twins of an entry. The bytes must match the
// entry's digest.
func (w *Writer) Copy(file string, like Entry, body []byte) error {
	if DigestOf(body) != like.Digest {
		return fmt.Errorf("copy %s: its content does not match its digest", file)
	}
	e := Entry{Digest: like.Digest, Size: int64(len(body)), ModTime: like.ModTime}
	if err := w.write(file, body, e.ModTime); err != nil {
		return fmt.Errorf("copy %s: %w", file, err)
	}
	if err := w.writeTwins(file, body, &e, like.twins()); err != nil {
		return fmt.Errorf("copy %s: %w", file, err)
	}
	if old := w.plan.tree.manifest.entries[file]; old != nil {
		old.mark = w.plan.mark
		w.dropTwins(file, old, e)
	}
	w.files, w.entries = append(w.files, file), append(w.entries, e)
	return nil
}

// Withdraw deletes a file that the copied release does not have. A file that a stub replaces
// is deleted before anything else becomes visible.
func (w *Writer) Withdraw(file string, gone bool) {
	if gone && w.plan.tree.manifest.entries[file] != nil {
		w.gone = append(w.gone, file)
	}
	w.drop(file)
}

// Equal reports whether two owners are the same.
func (o Owner) Equal(p Owner) bool {
	return o.ID == p.ID && o.Replaces == p.Replaces && slices.Equal(o.Domains, p.Domains) && slices.Equal(o.Aliases, p.Aliases) && slices.Equal(o.Web, p.Web)
}

// sameCopy returns an error if a copying plan would result in another release.
func (p *Plan) sameCopy(id string) error {
	if p.copying == "" || p.copying == id {
		return nil
	}
	return fmt.Errorf("the copied files are release %s, not %s", id, p.copying)
}
