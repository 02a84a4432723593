package web

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"souk/build/release"
)

// A body is the encoded form of a document and the digest of that document. A small body is
// in memory, a larger one is an open file.
type body struct {
	coding coding
	digest release.Digest
	size   int64
	bytes  []byte
	file   *os.File
}

func (b *body) close() {
	if b.file != nil {
		b.file.Close() // it was only read, so nothing can be lost
	}
}

// largestCached is the size of the largest body that is cached.
const largestCached = 64 << 10

// bodies opens bodies and caches small ones.
type bodies struct {
	file  func(name string) (*os.File, error)
	cache *cache
}

func newBodies(file func(name string) (*os.File, error)) *bodies {
	return &bodies{file: file, cache: newCache(64 << 20)}
}

// open returns the body of a document in a coding. It returns another coding if the file on
// disk does not match the entry, because a release is then being applied. It fails with
// fs.ErrNotExist if there is no file at all.
func (b *bodies) open(file string, c coding, e release.Entry) (body, error) {
	if data := b.cache.get(key{e.Digest, c}); data != nil {
		return body{coding: c, digest: e.Digest, size: int64(len(data)), bytes: data}, nil
	}
	f, same, err := b.find(file, c, e)
	if c != identity && (err != nil || !same) {
		// Only decompressing a twin would show whether it belongs to another release; the
		// plain form can be checked by its bytes.
		if err == nil {
			f.Close()
		}
		return b.open(file, identity, e)
	}
	if err != nil {
		return body{}, err
	}
	found := body{coding: c, digest: e.Digest, size: c.size(e), file: f}
	if !same {
		if err := found.examine(); err != nil {
			f.Close()
			return body{}, fmt.Errorf("read %s: %w", file, err)
		}
	}
	if found.size > largestCached {
		return found, nil
	}
	defer f.Close()
	found.file, found.bytes = nil, make([]byte, found.size)
	if _, err := io.ReadFull(f, found.bytes); err != nil {
		return body{}, fmt.Errorf("read %s: %w", file, err)
	}
	if same {
		b.cache.add(key{e.Digest, c}, found.bytes)
	}
	return found, nil
}

// find opens a file and reports whether it is the one that the entry describes. Files are
// only ever replaced as a whole, and a new version's time is at least a second later, so
// comparing size and time is enough. An open file does not change.
func (b *bodies) find(file string, c coding, e release.Entry) (f *os.File, same bool, err error) {
	f, err = b.file(file + suffixes[c])
	if err != nil {
		return nil, false, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, false, err
	}
	return f, info.Size() == c.size(e) && info.ModTime().UnixNano() == e.ModTime, nil
}

// examine computes digest and size from the bytes of the file.
func (b *body) examine() error {
	h := sha256.New()
	n, err := io.Copy(h, b.file)
	if err != nil {
		return err
	}
	b.size = n
	copy(b.digest[:], h.Sum(nil))
	_, err = b.file.Seek(0, io.SeekStart)
	return err
}
