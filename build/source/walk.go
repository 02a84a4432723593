package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"souk/build/catalog"
	"souk/build/internal/listing"
	"souk/build/kit/problem"
	"souk/build/kit/processors"
)

// A stamp shows, without reading a file, whether it may have changed.
type stamp struct {
	Size    int64
	ModTime int64 // nanoseconds since 1970
	// Changed and Inode reveal changes that keep size and time: archives, package managers and
	// reproducible builds set the times of files.
	Changed int64
	Inode   uint64
}

func stampOf(f listing.File) stamp { return stamp{f.Size, f.ModTime, f.Changed, f.Inode} }

// A stamped file is a file with its path and stamp. A link has the stamp of its target.
type stamped struct {
	path string
	stamp
	link bool
}

// pathSet returns the paths of files.
func pathSet(list []stamped) map[string]bool {
	all := make(map[string]bool, len(list))
	for _, one := range list {
		all[one.path] = true
	}
	return all
}

// refused is the stamp of a link that must not be followed.
var refused = stamp{Size: -1, ModTime: -1}

// A walker lists the files of a folder, several subfolders at a time.
type walker struct {
	root     string // with all links resolved
	turns    chan struct{}
	running  sync.WaitGroup
	mu       sync.Mutex
	found    []stamped
	problems problem.List
}

// walk lists the files at or below the path sub of the folder root, or of all of it if sub is
// ".". Anything unreadable or that must not be followed becomes a problem. It fails if ctx
// ends.
func walk(ctx context.Context, root, sub string) ([]stamped, problem.List, error) {
	if _, err := os.Stat(root); err != nil { // this error contains the path, unlike the next one
		return nil, nil, err
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, nil, err
	}
	if real, err = filepath.Abs(real); err != nil {
		return nil, nil, err
	}
	if sub != Whole && Hidden(sub) {
		return nil, nil, nil
	}
	w := &walker{root: real, turns: make(chan struct{}, 2*processors.Count())}
	one, err := listing.At(filepath.Join(real, filepath.FromSlash(sub)))
	switch {
	case errors.Is(err, fs.ErrNotExist) && sub != ".":
		return w.found, nil, nil
	case err != nil:
		return nil, nil, err
	case one.Type.IsDir():
		w.folder(ctx, sub)
	case sub == ".":
		return nil, nil, fmt.Errorf("%s is not a folder", root)
	default:
		w.found = w.entry(ctx, sub, one, nil)
	}
	w.running.Wait()
	return w.found, w.problems, ctx.Err()
}

func (w *walker) wrong(file, text, meant string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problems = append(w.problems, problem.Problem{File: file, Text: text, Meant: meant})
}

// folder lists a folder and its subfolders, each in its own goroutine while turns are
// available.
func (w *walker) folder(ctx context.Context, dir string) {
	if ctx.Err() != nil {
		return
	}
	entries, err := listing.Folder(filepath.Join(w.root, filepath.FromSlash(dir)))
	if err != nil {
		w.wrong(dir, "the folder cannot be read: "+reason(err), "")
		return
	}
	found := make([]stamped, 0, len(entries))
	for _, e := range entries {
		if file := e.In(dir); !Hidden(file) {
			found = w.entry(ctx, file, e, found)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found = append(w.found, found...)
}

// entry adds what is at a path to the results.
func (w *walker) entry(ctx context.Context, file string, e listing.File, found []stamped) []stamped {
	switch {
	case e.Err != nil:
		w.wrong(file, "the file cannot be read: "+reason(e.Err), "")
	case e.Type.IsDir():
		w.below(ctx, file)
	case e.Type&fs.ModeSymlink != 0:
		return append(found, stamped{file, w.link(file), true})
	case !e.Type.IsRegular():
		w.wrong(file, "this is not a regular file", "")
	default:
		return append(found, stamped{file, stampOf(e), false})
	}
	return found
}

func (w *walker) below(ctx context.Context, dir string) {
	select {
	case w.turns <- struct{}{}:
		w.running.Go(func() {
			defer func() { <-w.turns }()
			w.folder(ctx, dir)
		})
	default:
		w.folder(ctx, dir)
	}
}

// link follows a symbolic link to a file within the folder and refuses others.
func (w *walker) link(file string) stamp {
	target, err := filepath.EvalSymlinks(filepath.Join(w.root, filepath.FromSlash(file)))
	if err != nil {
		w.wrong(file, "the symbolic link points nowhere or to itself", "replace it with the file")
		return refused
	}
	if target != w.root && !strings.HasPrefix(target, w.root+string(filepath.Separator)) {
		w.wrong(file, "the symbolic link points out of the content folder", "replace it with the file")
		return refused
	}
	if text := w.linkFault(file, target); text != "" {
		w.wrong(file, text, "remove it")
		return refused
	}
	one, err := listing.At(target)
	switch {
	case err != nil:
		w.wrong(file, "the symbolic link cannot be followed:  "+reason(err), "")
	case !one.Type.IsRegular():
		w.wrong(file, "the symbolic link points to a folder, and such links are not followed", "replace it with the folder")
	default:
		return stampOf(one)
	}
	return refused
}

// linkFault returns what is wrong with the target of a link within the folder: a link must not
// publish anything that a build would not.
func (w *walker) linkFault(file, target string) string {
	inside := strings.Trim(filepath.ToSlash(strings.TrimPrefix(target, w.root)), "/")
	if Unread(inside) {
		return "the symbolic link points to a hidden file, which is not content"
	}
	if publishedUnchanged(file) && decoded(linked(inside)) {
		return "the symbolic link points to content, which may have private fields and would be published as it is"
	}
	return ""
}

// publishedUnchanged reports whether a file is published as it is, or in a form that may contain all of
// it.
func publishedUnchanged(file string) bool {
	what, ref, _ := place(file)
	return what == themeFile || what == itemFile && ref.Kind == catalog.KindFile
}

// decoded reports whether a file has fields, of which only some are published.
func decoded(file string) bool {
	what, ref, _ := place(file)
	switch what {
	case marketplace, wordingFile, synonymsFile:
		return true
	}
	return what == itemFile && ref.Kind != catalog.KindFile
}

// reason returns the cause of an error without the path, which is elsewhere in the message.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
