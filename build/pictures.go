package build

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/picture"
	"souk/build/kit/problem"
	"souk/build/kit/processors"
	"souk/build/kit/rendition"
	"souk/build/release"
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

// pictureNamed writes or deletes the picture with a public name. If the file has changed
// since, while the present content is held back, the release is made without waiting for it.
func (r *staging) pictureNamed(w *release.Writer, name string) error {
	public := document.MediaFolder + name
	file, shown := r.content.catalog.PictureFile(name)
	if !shown {
		w.Remove(public)
		return nil
	}
	if w.Keep(public) {
		return nil
	}
	body, err := r.picture(name, file)
	if err != nil && r.heldBack {
		r.unreadable.addPicture(name, file)
		return nil
	}
	if err != nil {
		return err
	}
	return w.Put(public, body)
}

// picture returns the picture that the content promised: its name contains the digest of the
// clean picture or of a smaller rendition.
func (r *staging) picture(name, file string) ([]byte, error) {
	media := r.content.catalog.Media(file)
	if name == media.Name {
		return cleaned(r.config.Content, name, file)
	}
	smaller, kept := r.renditions.Lookup(media.Name)
	if !kept {
		body, err := cleaned(r.config.Content, media.Name, file)
		if err != nil {
			return nil, err
		}
		smaller, _ = r.renditions.Of(media.Name, body)
	}
	body := named(smaller, name)
	if body == nil {
		return nil, changed(file)
	}
	return body, nil
}

// unreadable lists what could not be read while the present content is held back: pictures, by
// public name, and the operator's own files.
type unreadable struct {
	sync.Mutex
	pictures map[string]string
	own      []string
}

func (l *unreadable) addPicture(name, file string) {
	l.Lock()
	defer l.Unlock()
	if l.pictures == nil {
		l.pictures = map[string]string{}
	}
	l.pictures[name] = file
}

func (l *unreadable) addOwn(file string) {
	l.Lock()
	defer l.Unlock()
	l.own = append(l.own, file)
}

// retry lists what the next release must look for again, or is nil.
func (l *unreadable) retry() *catalog.Delta {
	if len(l.pictures)+len(l.own) == 0 {
		return nil
	}
	owed := catalog.NewDelta()
	owed.All = len(l.own) > 0
	for name := range l.pictures {
		owed.Pictures[name] = true
	}
	return owed
}

func (l *unreadable) problems() (list problem.List) {
	for _, file := range l.pictures {
		list = append(list, problem.Problem{File: file, Text: "the picture changed or is gone, and was never published: pages show no picture until the content is fixed"})
	}
	for _, file := range l.own {
		list = append(list, problem.Problem{File: file, Text: "the file changed or is gone: its address keeps the last published version until the content is fixed"})
	}
	list.Sort()
	return list
}

// cleaned returns a picture in its published form, given its public name and its file.
func cleaned(content, name, file string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(content, filepath.FromSlash(file)))
	if err != nil {
		return nil, fmt.Errorf("publish a picture: %w", err)
	}
	clean, info, _ := picture.Public(file, data)
	if rendition.Name(clean, info.Extension) != name {
		return nil, changed(file)
	}
	return clean, nil
}

func changed(file string) error {
	return fmt.Errorf("publish a picture: %s changed during the build: build again", file)
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
