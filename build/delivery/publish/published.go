package publish

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"souk/build/document"
	"souk/build/release"
)

// ErrPreview means that a release is a preview: its links lead to its author's machine, and
// it may show drafts.
var ErrPreview = errors.New("this is a preview, which is never published: run 'souk build' to make a release")

// ErrAltered means that files of the public folder were changed, deleted or added after the
// build.
var ErrAltered = errors.New("the public folder is not the release that was built: run 'souk build'")

// published checks that a release is complete, and built for the public. Its own
// description says so, wherever it was copied to and whatever state folder and manifest
// exist: the id is a digest of all files.
func (e edition) published() error {
	entry, described := e.entries[document.ReleaseFile]
	if !described {
		return ErrAltered
	}
	data, err := os.ReadFile(e.src.Path(document.ReleaseFile))
	if errors.Is(err, fs.ErrNotExist) || err == nil && release.DigestOf(data) != entry.Digest {
		return fmt.Errorf("%w: %s has changed", ErrNewer, document.ReleaseFile)
	}
	var d document.Release
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s does not name the release: build it again: %w", document.ReleaseFile, err)
	case d.Preview:
		return ErrPreview
	case d.ID != e.id:
		return ErrAltered
	}
	return nil
}
