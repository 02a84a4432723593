package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// A load is the least that a build has to do: the files to read, and the files
// to write with their bytes.
type load struct {
	root    string
	sources []string
	outputs []string
	bodies  [][]byte
	read    int64
	written int64
}

// most is how much of an output is kept in memory. Beyond it the floor writes
// bytes of earlier files in the same lengths: to a file system that does not
// compress, it is the same.
const most = 2 << 30

// newLoad notes the files of a content folder and of what was built from it.
func newLoad(content, public string) (*load, error) {
	l := &load{root: content}
	err := each(content, func(file string, info fs.FileInfo) error {
		l.sources = append(l.sources, file)
		l.read += info.Size()
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the content: %w", err)
	}
	var sample []byte
	err = each(public, func(file string, info fs.FileInfo) error {
		size := int(info.Size())
		l.outputs = append(l.outputs, file)
		if l.written += info.Size(); l.written > most && len(sample) >= size {
			l.bodies = append(l.bodies, sample[:size])
			return nil
		}
		body, err := os.ReadFile(filepath.Join(public, file))
		if l.bodies = append(l.bodies, body); len(body) > len(sample) {
			sample = body
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the output: %w", err)
	}
	return l, nil
}

// each calls yield for each regular file below a folder.
func each(root string, yield func(file string, info fs.FileInfo) error) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return yield(rel, info)
	})
}

// A floor is what it took to do nothing but read and write.
type floor struct {
	Cost        cost
	Sources     int
	SourceBytes int64
	Outputs     int
	OutputBytes int64
}

// run reads all sources and writes all outputs into a fresh folder, with as
// many goroutines as there are processors.
func (l *load) run(dir string) (floor, error) {
	f := floor{Sources: len(l.sources), SourceBytes: l.read, Outputs: len(l.outputs), OutputBytes: l.written}
	settle()
	var folders sync.Map
	var next atomic.Int64
	began, before := time.Now(), ownTimes()
	var group errgroup.Group
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			buffer := make([]byte, 64<<10)
			for {
				i := int(next.Add(1)) - 1
				if i >= len(l.sources)+len(l.outputs) {
					return nil
				}
				if i < len(l.sources) {
					if err := readAll(filepath.Join(l.root, l.sources[i]), buffer); err != nil {
						return err
					}
					continue
				}
				i -= len(l.sources)
				path := filepath.Join(dir, l.outputs[i])
				if err := makeFolder(&folders, filepath.Dir(path)); err != nil {
					return err
				}
				if err := os.WriteFile(path, l.bodies[i], 0o644); err != nil {
					return err
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return f, fmt.Errorf("take the floor: %w", err)
	}
	f.Cost = since(began, before)
	return f, nil
}

// readAll reads a file to its end into a buffer that is used again and again.
func readAll(path string, buffer []byte) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	for err == nil {
		_, err = f.Read(buffer)
	}
	if err == io.EOF {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// walk measures a bare walk of a folder that looks at every file.
func walk(root string) (cost, error) {
	settle()
	began, before := time.Now(), ownTimes()
	err := filepath.WalkDir(root, func(_ string, e fs.DirEntry, err error) error {
		if err == nil {
			_, err = e.Info()
		}
		return err
	})
	if err != nil {
		return cost{}, fmt.Errorf("walk the content: %w", err)
	}
	return since(began, before), nil
}

// since returns what this process took from a moment on.
func since(began time.Time, before cost) cost {
	wall, after := time.Since(began), ownTimes()
	return cost{Wall: wall, User: after.User - before.User, System: after.System - before.System}
}
