package terms

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/blugelabs/bluge/index"
	segment "github.com/blugelabs/bluge_segment_api"
)

// files returns the bluge directory of a folder.
func files(folder string) func() index.Directory {
	return func() index.Directory { return index.NewFileSystemDirectory(folder) }
}

// memory returns a bluge directory without files. Bluge has one of its own, but
// that loses the snapshot which a reader starts from.
func memory() func() index.Directory {
	d := &memoryDirectory{items: map[item][]byte{}}
	return func() index.Directory { return d }
}

type item struct {
	kind string
	id   uint64
}

type memoryDirectory struct {
	mu    sync.Mutex
	items map[item][]byte
}

func (d *memoryDirectory) Setup(bool) error        { return nil }
func (d *memoryDirectory) Sync() error             { return nil }
func (d *memoryDirectory) Lock() error             { return nil }
func (d *memoryDirectory) Unlock() error           { return nil }
func (d *memoryDirectory) Stats() (uint64, uint64) { return 0, 0 }

func (d *memoryDirectory) List(kind string) ([]uint64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var ids []uint64
	for i := range d.items {
		if i.kind == kind {
			ids = append(ids, i.id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids, nil
}

func (d *memoryDirectory) Load(kind string, id uint64) (*segment.Data, io.Closer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	data, found := d.items[item{kind, id}]
	if !found {
		return nil, nil, fmt.Errorf("there is no %s %d", kind, id)
	}
	return segment.NewDataBytes(data), nil, nil
}

func (d *memoryDirectory) Persist(kind string, id uint64, w index.WriterTo, stop chan struct{}) error {
	var b bytes.Buffer
	if _, err := w.WriteTo(&b, stop); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.items[item{kind, id}] = b.Bytes()
	return nil
}

func (d *memoryDirectory) Remove(kind string, id uint64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.items, item{kind, id})
	return nil
}
