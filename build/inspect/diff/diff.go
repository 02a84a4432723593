// Package diff compares two releases, in folders or as a host serves them, and judges what
// disappeared: a document may only disappear because the content no longer has it or
// because its seller was removed. A document of a removed seller must not return by itself,
// and its address must keep answering 410.
//
// The package does not know how either release was built, and writes nothing.
package diff

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/processors"
	"souk/build/release/stub"
)

// A Tree maps the files of a release to their digests.
type Tree map[string][sha256.Size]byte

// derived reports whether a file follows from others, such as the description of the
// release, compressed twins and the snapshot, or is the health document, which differs on a
// running service.
func derived(file string) bool {
	return file == document.ReleaseFile || file == document.HealthFile || strings.HasSuffix(file, ".gz") || strings.HasSuffix(file, ".br")
}

// Folder reads the release in a public folder.
func Folder(ctx context.Context, root string) (Tree, error) {
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(document.ReleaseFile))); err != nil {
		return nil, fmt.Errorf("read the release: %s has none: %w", root, err)
	}
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if file := filepath.ToSlash(rel); !derived(file) && !strings.HasPrefix(file, ".souk") {
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the release: %w", err)
	}
	return digests(ctx, files, processors.Count(), func(_ context.Context, file string) ([]byte, bool, error) {
		at := filepath.Join(root, filepath.FromSlash(file))
		// Reading a pipe would block; no build writes one.
		if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
			return nil, false, err
		}
		data, err := os.ReadFile(at)
		return data, true, err
	})
}

// digests returns the digests of files, calling read for several files at once. It skips
// files for which ok is false, because they do not exist.
func digests(ctx context.Context, files []string, atOnce int, read func(ctx context.Context, file string) (data []byte, ok bool, err error)) (Tree, error) {
	tree := make(Tree, len(files))
	var mu sync.Mutex
	group, reading := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, file := range files {
		if reading.Err() != nil {
			break
		}
		group.Go(func() error {
			data, ok, err := read(reading, file)
			if err != nil || !ok {
				return err
			}
			sum := sha256.Sum256(data)
			mu.Lock()
			defer mu.Unlock()
			tree[file] = sum
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("read the release: %w", err)
	}
	return tree, ctx.Err()
}

// A Difference lists the changed files, sorted by name.
type Difference struct {
	Added, Changed []string
	// Vanished files existed before and no longer do; Gone files now answer 410.
	Vanished, Gone []string
	// Returned files answered 410 before and exist now; Lost files answered 410 and no
	// longer do.
	Returned, Lost []string
}

// Compare returns the changes from the first release to the second.
func Compare(before, after Tree) Difference {
	var d Difference
	for _, file := range slices.Sorted(maps.Keys(after)) {
		if _, stub := document.IsGone(file); stub {
			continue
		}
		old, existed := before[file]
		_, gone := before[document.GoneFile(file)]
		switch {
		case !existed && gone && stubbed(file):
			d.Returned = append(d.Returned, file)
		case !existed:
			d.Added = append(d.Added, file)
		case old != after[file]:
			d.Changed = append(d.Changed, file)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(before)) {
		if _, exists := after[file]; exists {
			continue
		}
		if plain, stub := document.IsGone(file); stub {
			if _, exists := after[plain]; !exists {
				d.Lost = append(d.Lost, plain)
			}
			continue
		}
		if _, gone := after[document.GoneFile(file)]; gone && stubbed(file) {
			d.Gone = append(d.Gone, file)
		} else {
			d.Vanished = append(d.Vanished, file)
		}
	}
	return d
}

// stubbed reports whether a file may have its own stub: documents and pages.
func stubbed(file string) bool {
	_, page := document.DocumentOf(file)
	return page || strings.HasSuffix(file, ".json")
}

// HasPages reports whether a release has pages.
func (t Tree) HasPages() bool {
	for file := range t {
		if _, page := document.DocumentOf(document.Plain(file)); page {
			return true
		}
	}
	return false
}

// Empty reports whether the releases are the same.
func (d Difference) Empty() bool {
	return len(d.Added)+len(d.Changed)+len(d.Vanished)+len(d.Gone)+len(d.Returned)+len(d.Lost) == 0
}

// Unexplained returns the changes that neither the content nor the removals explain, each
// with the reason: files that vanished although the content has them or without the 410 of
// a removed seller, files that are gone although their seller was not removed, and files
// that returned or answer 404 although their seller is removed. has contains the files of a
// release of the content, with or without pages.
func (d Difference) Unexplained(c *catalog.Catalog, has map[string]bool) []Fault {
	var faults []Fault
	for _, file := range d.Vanished {
		_, page := document.DocumentOf(file)
		switch without := !has[document.HomeFile]; {
		case has[file]:
			faults = append(faults, Fault{file, "it vanished, and the content has it"})
		case page && without || document.CompanyOf(file) == "":
		case stub.LeavesStub(c.Removals(), company(c, file), document.FileAddress(file)):
			faults = append(faults, Fault{file, "it vanished without answering 410, and its seller is removed"})
		}
	}
	for _, file := range d.Gone {
		if has[file] {
			faults = append(faults, Fault{file, "it answers 410, and its seller is not removed"})
		}
	}
	for _, file := range d.Returned {
		if !has[file] {
			faults = append(faults, Fault{file, "it answered 410 and is back, although neither the content nor the removals explain it"})
		}
	}
	for _, file := range d.Lost {
		if stub.Judge(c.Removals(), nil, company(c, file), document.FileAddress(file)) == stub.Gone {
			faults = append(faults, Fault{file, "it answered 410 and no longer does, and its seller is removed"})
		}
	}
	return faults
}

// company returns the company that a file's address belongs to, according to the content
// or, if the content lacks it, the address alone.
func company(c *catalog.Catalog, file string) catalog.Company {
	slug := document.CompanyOf(file)
	n := c.At(catalog.SellerRef(slug))
	if n == nil {
		return stub.Unknown(slug)
	}
	company := n.Item().(*catalog.Seller).Company()
	company.Slug = slug
	return company
}

// A Fault is an unexplained change.
type Fault struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}
