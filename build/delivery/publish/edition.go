package publish

import (
	"errors"
	"fmt"
	"os"

	"souk/build/catalog"
	"souk/build/release"
	"souk/build/release/stub"
)

// An edition is the release of a Source as it was when publishing began.
type edition struct {
	src     Source
	id      string
	entries map[string]release.Entry
}

// editionOf copies the release of a Source, which may be rebuilt meanwhile.
func editionOf(src Source) edition {
	for {
		e := edition{src, src.ID(), map[string]release.Entry{}}
		src.Each(func(file string, of release.Entry) { e.entries[file] = of })
		if src.ID() == e.id {
			return e
		}
	}
}

// outdated reports whether the Source now has another release.
func (e edition) outdated() bool { return e.src.ID() != e.id }

// check fails if the release must not be published: it does not exist, it is not what was
// built, or it shows a seller that a removal withholds.
func (e edition) check(removals *catalog.Removals) error {
	if e.id == "" {
		return ErrNoRelease
	}
	if err := e.published(); err != nil {
		return err
	}
	return stub.CheckShown(removals, e.src, e.entries)
}

// read reads a file, or with a suffix its twin, if it still belongs to the edition.
func (e edition) read(file, suffix string) ([]byte, error) {
	data, err := os.ReadFile(e.src.Path(file + suffix))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is gone", ErrNewer, file+suffix)
	}
	if err != nil {
		return nil, err
	}
	plain := data
	if suffix != "" {
		if plain, err = release.Decompress(suffix, data); err != nil {
			return nil, fmt.Errorf("%w: %s cannot be unpacked: %w", ErrNewer, file+suffix, err)
		}
	}
	if release.DigestOf(plain) != e.entries[file].Digest {
		return nil, fmt.Errorf("%w: %s has changed", ErrNewer, file+suffix)
	}
	return data, nil
}
