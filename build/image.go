package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"souk/build/durable"
)

// This file keeps the image of the catalog of the last release, from which the next
// process takes it up.

func (b *Builder) imageFile() string { return stateFile(b.config, "catalog", b.config.Public) }

// readImage returns the image that the last build wrote, or "".
func (b *Builder) readImage(last last) string {
	if last.Image == "" {
		return ""
	}
	data, err := os.ReadFile(b.imageFile())
	if sum := sha256.Sum256(data); err != nil || hex.EncodeToString(sum[:]) != last.Image {
		return ""
	}
	return string(data)
}

// writeImage writes the image of the catalog and returns its digest; "" where the
// next process has no use for one.
func (b *Builder) writeImage() (string, error) {
	c := b.content
	if b.config.LongLived || c.held != nil || !c.catalog.Sound() {
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
