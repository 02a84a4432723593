package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"souk/build/kit/durable"
	"souk/build/kit/processors"
	"souk/build/release"
)

// apply puts the fetched files in place. It may be called again after a kill at any point.
func (c *Copy) apply(ctx context.Context, h *Head, d *difference) error {
	for name, blob := range d.files {
		if name != SearchHead {
			if err := c.placeFile(name, blob); err != nil {
				return err
			}
		}
	}
	if d.removes() {
		if err := c.deleteOld(d.old); err != nil {
			return err
		}
	}
	// Until everything is in place, the folder matches neither head, so the previous head's
	// chunks cannot be used.
	c.head = nil
	if err := c.commit(ctx, h, d); err != nil {
		return err
	}
	if blob, another := d.files[SearchHead]; another {
		if err := c.placeFile(SearchHead, blob); err != nil {
			return err
		}
	}
	if err := c.deleteOld(d.old); err != nil {
		return err
	}
	c.head = h
	return c.clean(h)
}

// placeFile replaces a file of the release folder by a fetched one.
func (c *Copy) placeFile(name string, blob Blob) error {
	if c.files[name] == blob {
		return nil
	}
	if err := c.fault("place"); err != nil {
		return err
	}
	data, err := c.verified(blob.Digest)
	if err != nil {
		return err
	}
	at := filepath.Join(release.Folder(c.Public()), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	if err := durable.Replace(at, 0o644, data); err != nil {
		return err
	}
	c.files[name] = blob
	return nil
}

// verified returns the bytes of a fetched file, if they are still intact.
func (c *Copy) verified(d release.Digest) ([]byte, error) {
	data, err := os.ReadFile(c.fetched(d))
	if err == nil && release.DigestOf(data) != d {
		err = errors.Join(fmt.Errorf("%w: %s was damaged on this disk, and is fetched again", errGarbage, c.fetched(d)), os.Remove(c.fetched(d)))
	}
	return data, err
}

// deleteOld deletes files of the release folder, and the folders that become empty.
func (c *Copy) deleteOld(names []string) error {
	beside := release.Folder(c.Public())
	for _, name := range names {
		if err := c.fault("delete"); err != nil {
			return err
		}
		at := filepath.Join(beside, filepath.FromSlash(name))
		if err := durable.Remove(at); err != nil {
			return err
		}
		delete(c.files, name)
		durable.Prune(filepath.Dir(at), beside)
	}
	return nil
}

// commit commits the release like a build.
func (c *Copy) commit(ctx context.Context, h *Head, d *difference) (err error) {
	description, clock, err := c.describe(d)
	if err != nil {
		return err
	}
	tree, err := c.lock(ctx, d)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Unlock(), c.look()) }()
	plan, err := tree.Begin()
	if err != nil {
		return err
	}
	plan.Copying(h.Release, description)
	plan.SetRevision(h.Revision)
	if err := c.stage(ctx, plan, d); err != nil {
		return errors.Join(err, plan.Discard())
	}
	if err := c.fault("commit"); err != nil {
		return errors.Join(err, plan.Discard())
	}
	_, err = plan.Commit(ctx, clock, true)
	if errors.As(err, new(*release.UnfinishedError)) {
		c.files = nil // the next Sync reads the folders, which finishes it
	}
	return err
}

// lock returns the tree, locked for the changes of a difference. For the first release
// there is nothing to read.
func (c *Copy) lock(ctx context.Context, d *difference) (*release.Tree, error) {
	tree, err := c.tree()
	if err != nil {
		return nil, err
	}
	if c.here == nil {
		return tree, tree.Lock(ctx)
	}
	files := slices.AppendSeq(slices.Collect(maps.Keys(d.entries)), maps.Keys(d.withdrawn))
	return tree, tree.LockTouching(ctx, c.here, files)
}

// path returns the path of a file of the release.
func (c *Copy) path(file string) string {
	return filepath.Join(c.Public(), filepath.FromSlash(file))
}

// describe returns the entry of the release's description, and the clock in it.
func (c *Copy) describe(d *difference) (e release.Entry, clock time.Time, err error) {
	e, changed := d.entries[release.DescriptionFile]
	if !changed && c.here != nil {
		e, _ = c.here.Lookup(release.DescriptionFile)
	}
	data, err := c.body(release.DescriptionFile, e, d)
	var says struct {
		Clock time.Time `json:"clock"`
	}
	if err == nil {
		err = json.Unmarshal(data, &says)
	}
	if err != nil {
		return e, clock, fmt.Errorf("read %s: %w", release.DescriptionFile, err)
	}
	return e, says.Clock, nil
}

// body returns the bytes of a local file of the release.
func (c *Copy) body(file string, e release.Entry, d *difference) ([]byte, error) {
	if _, changed := d.entries[file]; !changed || d.mine[file] {
		return os.ReadFile(c.path(file))
	}
	return c.verified(e.Digest)
}

// stage stages the files of a difference.
func (c *Copy) stage(ctx context.Context, plan *release.Plan, d *difference) error {
	files := make(chan string)
	group, working := errgroup.WithContext(ctx)
	for range processors.Count() {
		w := plan.Writer()
		group.Go(func() error {
			for file := range files {
				data, err := c.body(file, d.entries[file], d)
				if err == nil {
					err = w.Copy(file, d.entries[file], data)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(files)
		for file := range d.entries {
			if file == release.DescriptionFile {
				continue // the commit writes it
			}
			select {
			case files <- file:
			case <-working.Done():
				return working.Err()
			}
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		return err
	}
	w := plan.Writer()
	for file, gone := range d.withdrawn {
		w.Withdraw(file, gone)
	}
	for slug, o := range d.owners {
		plan.Own(slug, o)
	}
	return nil
}

// clean deletes everything that is no longer needed.
func (c *Copy) clean(h *Head) error {
	if err := os.RemoveAll(filepath.Dir(c.readyFile())); err != nil {
		return err
	}
	kept := map[string]bool{}
	for _, blob := range h.Chunks {
		kept[c.chunkFile(blob.Digest)] = true
	}
	folder := filepath.Join(c.folder, "manifest")
	all, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range all {
		if at := filepath.Join(folder, e.Name()); !kept[at] {
			if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
