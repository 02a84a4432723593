package publish

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"souk/build/document"
)

// ErrPreview says that a release was made for looking at: its links lead to its
// author's machine, and it may show drafts.
var ErrPreview = errors.New("this is a preview, which is never published: 'souk build' makes a release to publish")

// published checks that a release is made for the public. Its own description says
// so, wherever it was copied to and whatever state folder is there.
func published(src Source) error {
	data, err := os.ReadFile(src.Path(document.ReleaseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var d document.Release
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		return fmt.Errorf("%s does not say what release this is: build it anew: %w", document.ReleaseFile, err)
	}
	if d.Preview {
		return ErrPreview
	}
	return nil
}
