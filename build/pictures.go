package build

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"souk/build/document"
	"souk/build/picture"
	"souk/build/processors"
	"souk/build/release"
	"souk/build/rendition"
)

// pictures publishes the pictures that current items show, and no others.
func (r *staging) pictures(ctx context.Context) error {
	names := r.content.catalog.PictureNames()
	if !r.delta.All {
		names = slices.Sorted(maps.Keys(r.delta.Pictures))
	}
	group, ctx := errgroup.WithContext(ctx)
	for some := range slices.Chunk(names, len(names)/processors.Count()+1) {
		w := r.plan.Writer()
		group.Go(func() error {
			for _, name := range some {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := r.pictureNamed(w, name); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// pictureNamed writes or deletes the picture with a public name.
func (r *staging) pictureNamed(w *release.Writer, name string) error {
	public := document.MediaFolder + name
	file, shown := r.content.catalog.PictureFile(name)
	switch {
	case !shown:
		w.Remove(public)
	case !w.Keep(public):
		return r.picture(w, public, file)
	}
	return nil
}

// picture writes what the content promised when it was read: the name tells the
// digest of the clean picture, or of a smaller form of it.
func (r *staging) picture(w *release.Writer, public, file string) error {
	media, name := r.content.catalog.Media(file), strings.TrimPrefix(public, document.MediaFolder)
	if name == media.Name {
		body, err := cleaned(r.config.Content, name, file)
		if err != nil {
			return err
		}
		return w.Put(public, body)
	}
	smaller, kept := r.shelf.Kept(media.Name)
	if !kept {
		body, err := cleaned(r.config.Content, media.Name, file)
		if err != nil {
			return err
		}
		smaller, _ = r.shelf.Of(media.Name, body)
	}
	body := named(smaller, name)
	if body == nil {
		return changed(file)
	}
	return w.Put(public, body)
}

// cleaned returns a picture as it is published, given its public name and its file.
func cleaned(content, name, file string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(content, filepath.FromSlash(file)))
	if err != nil {
		return nil, fmt.Errorf("publish a picture: %w", err)
	}
	clean, info, _ := picture.Clean(data)
	if rendition.Name(clean, info.Extension) != name {
		return nil, changed(file)
	}
	return clean, nil
}

func changed(file string) error {
	return fmt.Errorf("publish a picture: %s changed while it was being built: build again", file)
}

// named returns the bytes of the rendition with a public name, or nil.
func named(all []picture.Rendition, name string) []byte {
	for _, r := range all {
		if rendition.Name(r.Data, r.Extension) == name {
			return r.Data
		}
	}
	return nil
}
