package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/picture"
	"souk/build/release"
)

// pictures publishes the pictures that current items show, and no others.
func (r *staging) pictures(ctx context.Context, w *release.Writer) error {
	names := r.content.catalog.PictureNames()
	if !r.delta.All {
		names = slices.Sorted(maps.Keys(r.delta.Pictures))
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		public := document.MediaFolder + name
		file, shown := r.content.catalog.PictureFile(name)
		switch {
		case !shown:
			w.Remove(public)
		case !w.Keep(public):
			if err := r.picture(w, public, file); err != nil {
				return err
			}
		}
	}
	return nil
}

// picture writes what the content promised when it was read: the name tells the
// digest of the clean picture.
func (r *staging) picture(w *release.Writer, public, file string) error {
	clean, err := cleaned(r.config.Content, public, file)
	if err != nil {
		return err
	}
	return w.Put(public, clean)
}

// cleaned returns a picture as it is published, given its public name and its file.
func cleaned(content, public, file string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(content, filepath.FromSlash(file)))
	if err != nil {
		return nil, fmt.Errorf("publish a picture: %w", err)
	}
	clean, _, _ := picture.Clean(data)
	sum := sha256.Sum256(clean)
	if !strings.HasPrefix(filepath.Base(public), hex.EncodeToString(sum[:16])) {
		return nil, fmt.Errorf("publish a picture: %s changed while it was being built: build again", file)
	}
	return clean, nil
}
