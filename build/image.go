package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"unsafe"

	"souk/build/kit/durable"
	"souk/build/kit/mapped"
)

// This file keeps the image of the catalog of the last release, from which the next
// process takes it up.

func (b *Builder) imageFile() string { return stateFile(b.config, "catalog", b.config.Public) }

// readImage returns the image of what the cache's file has, or "". It is part of the
// file, which stays mapped as long as the process lives.
func (t *Turn) readImage() string {
	if t.last.Image.Digest == "" || t.last.Image.Base != t.content.folder.Base() {
		return ""
	}
	in, err := os.Open(t.imageFile())
	if err != nil {
		return ""
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || info.Size() == 0 {
		return ""
	}
	data, err := mapped.File(in, int(info.Size()))
	if sum := sha256.Sum256(data); err != nil || hex.EncodeToString(sum[:]) != t.last.Image.Digest {
		return ""
	}
	return unsafe.String(unsafe.SliceData(data), len(data))
}

// writeImage writes the image of the catalog and returns its digest; "" where the
// next process has no use for one.
func (b *Builder) writeImage() (string, error) {
	c := b.content
	if c.held != nil || !c.catalog.Sound() {
		return "", nil
	}
	digest := sha256.New()
	err := durable.Swap(b.imageFile(), "", 0o600, func(out *os.File) error {
		return c.catalog.WriteImage(io.MultiWriter(out, digest))
	})
	if err != nil {
		return "", fmt.Errorf("save the catalog: %w", err)
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}
