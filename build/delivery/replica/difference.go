package replica

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"souk/build/release"
)

// A difference is what a copy needs to become the release of a head.
type difference struct {
	// entries are the files that are different or missing here; mine are those of them
	// whose bytes are here already, with another time or without twins.
	entries map[string]release.Entry
	mine    map[string]bool
	// withdrawn are the files that the release does not have; the value says whether a stub
	// replaces the file.
	withdrawn map[string]bool
	owners    map[string]release.Owner
	// files are the files of the release folder that are different here; old are those that
	// it does not have.
	files map[string]Blob
	old   []string
	// revised means that the release was built with other removals.
	revised bool
}

func (d *difference) isEmpty() bool {
	return !d.revised && len(d.entries)+len(d.withdrawn)+len(d.owners)+len(d.files)+len(d.old) == 0
}

// removes reports whether applying it may remove somebody.
func (d *difference) removes() bool {
	for file := range d.entries {
		if release.IsStub(file) {
			return true
		}
	}
	return false
}

// compare compares a head with the current release. It skips chunks that are also in the
// current head.
func (c *Copy) compare(ctx context.Context, from Origin, h *Head) (*difference, error) {
	d := &difference{
		entries: map[string]release.Entry{}, mine: map[string]bool{}, withdrawn: map[string]bool{},
		owners: map[string]release.Owner{}, files: map[string]Blob{},
	}
	looked := make([]bool, len(h.Chunks))
	there := map[string]bool{}
	var mu sync.Mutex
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(c.o.Parallel)
	for at, blob := range h.Chunks {
		if c.head != nil && len(c.head.Chunks) == len(h.Chunks) && c.head.Chunks[at] == blob {
			continue
		}
		looked[at] = true
		group.Go(func() error {
			got, err := c.chunk(working, from, h, at)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			d.learn(c.here, got)
			for file := range got.entries {
				there[file] = true
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if c.here != nil {
		_, revision := c.here.BuiltFrom()
		d.revised = revision != h.Revision
		d.withdraw(c.here, func(file string) bool { return looked[chunkOf(file, len(looked))] && !there[file] })
	}
	d.compareFiles(c.files, h.Files)
	return d, nil
}

// learn adds the entries of a chunk that are different here.
func (d *difference) learn(here *release.Reader, got chunk) {
	for file, e := range got.entries {
		d.add(here, file, e)
	}
	for slug, o := range got.owners {
		if here != nil {
			if mine, known := here.Owner(slug); known && o.Equal(mine) {
				continue
			}
		}
		d.owners[slug] = o
	}
}

// withdraw adds the files that the release does not have.
func (d *difference) withdraw(here *release.Reader, gone func(file string) bool) {
	here.Each(func(file string, _ release.Entry) {
		if gone(file) {
			d.withdrawn[file] = false
		}
	})
	for file := range d.withdrawn {
		stub := release.StubOf(file)
		_, coming := d.entries[stub]
		d.withdrawn[file] = stub != "" && (coming || here.Has(stub))
	}
}

// compareFiles compares the files of the release folder.
func (d *difference) compareFiles(mine, wanted map[string]Blob) {
	for name, blob := range wanted {
		if mine[name] != blob {
			d.files[name] = blob
		}
	}
	for name := range mine {
		if _, stays := wanted[name]; !stays {
			d.old = append(d.old, name)
		}
	}
}

// add adds a file if it is different here.
func (d *difference) add(in *release.Reader, file string, e release.Entry) {
	var mine release.Entry
	here := in != nil
	if here {
		mine, here = in.Lookup(file)
	}
	same := here && mine.Digest == e.Digest
	if same && mine.ModTime == e.ModTime && (mine.Gzip > 0) == (e.Gzip > 0) {
		return
	}
	d.entries[file], d.mine[file] = e, same
}
