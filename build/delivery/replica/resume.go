package replica

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"souk/build/release"
)

// load updates what is known about the copy from its folders.
func (c *Copy) load(ctx context.Context) error {
	// This finishes a commit that a kill interrupted, and detects damage.
	tree, err := c.tree()
	if err == nil {
		err = tree.Lock(ctx)
	}
	if err == nil {
		err = tree.Settle()
	}
	if err == nil {
		err = c.look()
	}
	if err != nil {
		return explain(err, c.folder)
	}
	found := map[string]Blob{}
	beside := release.Folder(c.Public())
	err = filepath.WalkDir(beside, func(at string, e fs.DirEntry, err error) error {
		if err != nil || at == beside {
			return err
		}
		name, err := filepath.Rel(beside, at)
		if name = filepath.ToSlash(name); err != nil || !InRelease(name) {
			if err == nil && e.IsDir() {
				return fs.SkipDir
			}
			return err
		}
		if e.IsDir() {
			return nil
		}
		found[name], err = blobOf(at)
		return err
	})
	if err == nil {
		c.files = found
	}
	return err
}

// blobOf returns the Blob of a file of the release folder. A file named by its digest was
// verified when it was placed.
func blobOf(at string) (Blob, error) {
	if d, named := DigestIn(filepath.Base(at)); named {
		info, err := os.Stat(at)
		if err != nil {
			return Blob{}, err
		}
		return Blob{d, info.Size()}, nil
	}
	data, err := os.ReadFile(at)
	return Blob{release.DigestOf(data), int64(len(data))}, err
}

// resume puts a completely fetched release in place after a kill, without the origin. If
// something of it is missing after all, it is fetched later.
func (c *Copy) resume(ctx context.Context) error {
	data, err := os.ReadFile(c.readyFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = c.take(ctx, nowhere{}, data)
	if errors.Is(err, ErrAbsent) || errors.Is(err, errGarbage) || errors.As(err, new(mismatchError)) {
		c.files = nil
		return errors.Join(os.Remove(c.readyFile()), c.load(ctx))
	}
	return err
}

// nowhere is an origin that has nothing.
type nowhere struct{}

func (nowhere) Name() string { return "" }
func (nowhere) ID() string   { return "" }
func (nowhere) Head(context.Context, string) ([]byte, string, error) {
	return nil, "", ErrAbsent
}
func (nowhere) Read(context.Context, string, int64) ([]byte, error) { return nil, ErrAbsent }
func (nowhere) File(context.Context, string, release.Entry, bool) ([]byte, error) {
	return nil, ErrAbsent
}
