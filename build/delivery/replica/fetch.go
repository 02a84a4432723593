package replica

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"souk/build/kit/durable"
	"souk/build/release"
)

// chunk returns the content of a chunk, from the local copy if there is one.
func (c *Copy) chunk(ctx context.Context, from Origin, h *Head, at int) (chunk, error) {
	blob, kept := h.Chunks[at], c.chunkFile(h.Chunks[at].Digest)
	if data, err := os.ReadFile(kept); err == nil {
		if plain, err := decompress(data, blob.Size); err == nil && release.DigestOf(plain) == blob.Digest {
			return parseChunk(plain, at, len(h.Chunks))
		}
	}
	data, err := from.Read(ctx, ChunkKey(blob.Digest), blob.Size+blob.Size/1000+100)
	if err != nil {
		return chunk{}, fmt.Errorf("read its manifest: %w", err)
	}
	plain, err := decompress(data, blob.Size)
	if err == nil && release.DigestOf(plain) != blob.Digest {
		err = errGarbage
	}
	if err != nil {
		return chunk{}, fmt.Errorf("read its manifest: %s: %w", ChunkKey(blob.Digest), err)
	}
	if err := put(kept, data); err != nil {
		return chunk{}, err
	}
	return parseChunk(plain, at, len(h.Chunks))
}

// A mismatchError means that something does not have the bytes that the head requires: it is
// damaged, or being replaced.
type mismatchError struct{ what string }

func (e mismatchError) Error() string {
	return e.what + " does not match the release: a publish is replacing it, or it is damaged; if no publish is running, delete the publisher's record of the destination, so that the next one uploads everything again"
}

// fetch fetches what is missing to a separate folder, and verifies it. It fetches
// everything else even if something is damaged.
func (c *Copy) fetch(ctx context.Context, from Origin, h *Head, d *difference) error {
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(c.o.Parallel)
	var mu sync.Mutex
	var damaged error
	asked := map[release.Digest]bool{}
	want := func(what string, digest release.Digest, size int64, get func(ctx context.Context) ([]byte, error)) {
		if asked[digest] {
			return
		}
		asked[digest] = true
		if info, err := os.Lstat(c.fetched(digest)); err == nil && info.Size() == size {
			return
		}
		group.Go(func() error {
			if err := c.fault("fetch"); err != nil {
				return err
			}
			data, err := get(working)
			if err == nil && (int64(len(data)) != size || release.DigestOf(data) != digest) || errors.Is(err, ErrAbsent) {
				mu.Lock()
				defer mu.Unlock()
				damaged = mismatchError{what}
				return nil
			}
			if err != nil {
				return fmt.Errorf("copy %s: %w", what, err)
			}
			return put(c.fetched(digest), data)
		})
	}
	for _, stubs := range []bool{true, false} {
		for file, e := range d.entries {
			if release.IsStub(file) == stubs && !d.mine[file] {
				want(file, e.Digest, e.Size, func(ctx context.Context) ([]byte, error) {
					return from.File(ctx, file, e, h.Extensionless)
				})
			}
		}
		for name, blob := range d.files {
			want(name, blob.Digest, blob.Size, func(ctx context.Context) ([]byte, error) {
				return from.Read(ctx, FileKey(blob.Digest), blob.Size)
			})
		}
	}
	return errors.Join(group.Wait(), damaged)
}

// fetched returns the path of a fetched file.
func (c *Copy) fetched(d release.Digest) string {
	name := d.String()
	return filepath.Join(c.folder, "fetched", name[:2], name)
}

func (c *Copy) chunkFile(d release.Digest) string {
	return filepath.Join(c.folder, "manifest", d.String()+".jsonl.gz")
}

// readyFile returns the path of the head whose files are all fetched.
func (c *Copy) readyFile() string { return filepath.Join(c.folder, "fetched", "head") }

// ready records that everything of a head was fetched.
func (c *Copy) ready(head []byte) error { return put(c.readyFile(), head) }

// put writes a file that is verified when it is read.
func put(path string, data []byte) error {
	swap := func() error {
		return durable.Swap(path, "", 0o644, func(f *os.File) error {
			_, err := f.Write(data)
			return err
		})
	}
	err := swap()
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		err = swap()
	}
	return err
}
