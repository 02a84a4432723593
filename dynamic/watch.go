package dynamic

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"souk/build"
)

// A watch follows the content folder and reports the paths that changed, relative to it and
// with forward slashes. If the system cannot report changes, the whole folder is reported
// at intervals.
//
// Links to folders are not followed, since a build rejects them. The content folder itself
// may be below a link. The system does not report changes of such a link, so its target is
// looked up at intervals.
type watch struct {
	// places are the configured content folder and the folder of a theme elsewhere, or "".
	// root and theme are their resolved paths.
	places      [2]string
	root, theme string
	log         *slog.Logger
	now         func() time.Time
	// changes delivers the batches. A receiver that takes one has built the previous ones.
	changes chan []string

	events events
	// folders maps each watched folder to the folders directly below it.
	folders map[string]map[string]bool
	// lost is why the system can no longer report changes, or nil.
	lost error
}

// events is the part of the system's notifications that a watch uses.
type events struct {
	add, remove func(folder string) error
	close       func() error
	changed     <-chan fsnotify.Event
	faults      <-chan error
}

// systemEvents returns the system's notifications.
func systemEvents() (events, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return events{}, err
	}
	return events{w.Add, w.Remove, w.Close, w.Events, w.Errors}, nil
}

// If the system cannot report changes, the content is looked at every pollTime or, if
// looking takes long, for one in pollParts of the time.
const (
	pollTime  = 2 * time.Second
	pollParts = 4
)

// linkTime is how often the targets of links are looked up.
const linkTime = time.Second

// newWatch starts watching. From then on no change is missed.
func newWatch(c Config, system func() (events, error)) *watch {
	w := &watch{log: c.Log, now: c.Build.Clock, changes: make(chan []string), folders: map[string]map[string]bool{}}
	w.places = [2]string{c.Build.Content, c.Build.Theme}
	w.root, w.theme = w.resolved()
	w.events, w.lost = system()
	w.addAll()
	return w
}

// resolved returns the current resolved paths; "" for no theme.
func (w *watch) resolved() (root, theme string) {
	if w.places[1] != "" {
		theme = build.Resolved(w.places[1])
	}
	return build.Resolved(w.places[0]), theme
}

// linked reports whether any of the folders is below a link.
func (w *watch) linked() bool {
	for i, at := range []string{w.root, w.theme} {
		if named, err := filepath.Abs(w.places[i]); at != "" && (err != nil || named != at) {
			return true
		}
	}
	return false
}

// follow watches the current targets of links, and reports whether they have changed. A
// link without a target is being replaced.
func (w *watch) follow() bool {
	root, theme := w.resolved()
	if root == w.root && theme == w.theme {
		return false
	}
	for _, at := range []string{root, theme} {
		if info, err := os.Stat(at); at != "" && (err != nil || !info.IsDir()) {
			return false
		}
	}
	w.forget(w.root)
	w.forget(w.theme)
	w.root, w.theme = root, theme
	w.addAll()
	w.log.Info("a link now points to another folder; watching that one", "content", root)
	return true
}

// addAll watches everything that a build reads.
func (w *watch) addAll() {
	w.add(w.root)
	if w.theme != "" {
		w.add(w.theme)
	}
}

// relative returns a path relative to the content; a theme elsewhere is at theme/.
func (w *watch) relative(name string) (string, error) {
	if below, err := filepath.Rel(w.theme, name); w.theme != "" && err == nil && below != ".." && !strings.HasPrefix(below, "../") {
		return path.Join("theme", filepath.ToSlash(below)), nil
	}
	below, err := filepath.Rel(w.root, name)
	return filepath.ToSlash(below), err
}

// run passes changes on until ctx ends.
func (w *watch) run(ctx context.Context) {
	found := make(chan string)
	var batching sync.WaitGroup
	batching.Go(func() { debounce(ctx, found, w.changes, w.checkingOut) })
	w.listen(ctx, found)
	close(found)
	batching.Wait()
	if ctx.Err() != nil {
		return
	}
	w.log.Warn("the content folder cannot be watched; checking it every "+pollTime.String()+" instead, or less often if that is slow",
		"cause", w.lost, "mend", remedy(w.lost))
	for ctx.Err() == nil {
		w.checkedOut(ctx)
		began := time.Now()
		w.pass(ctx, build.Whole)
		w.pass(ctx) // taken once the polled change was built
		select {
		case <-ctx.Done():
		case <-time.After(max(pollTime, (pollParts-1)*time.Since(began))):
		}
	}
}

// pass passes a batch on.
func (w *watch) pass(ctx context.Context, paths ...string) {
	select {
	case w.changes <- paths:
	case <-ctx.Done():
	}
}

// feed adds the changes to a queue until ctx ends.
func (w *watch) feed(ctx context.Context, q *queue) {
	for {
		select {
		case <-ctx.Done():
			return
		case paths := <-w.changes:
			q.change(paths...)
			q.rest(ctx)
		}
	}
}

// close ends the watch. Call it after run has returned, or instead of run.
func (w *watch) close() {
	if w.events.close != nil {
		_ = w.events.close() // pending events no longer matter
	}
}

// remedy returns advice for the operator.
func remedy(cause error) string {
	switch {
	case errors.Is(cause, syscall.ENOSPC):
		return "allow more watched folders: sysctl fs.inotify.max_user_watches=524288"
	case errors.Is(cause, syscall.EMFILE):
		return "allow more watchers: sysctl fs.inotify.max_user_instances=512"
	default:
		return "start again when the folder exists"
	}
}

// send passes a path on.
func send(ctx context.Context, found chan<- string, path string) {
	select {
	case found <- path:
	case <-ctx.Done():
	}
}

// listen passes on the system's events until ctx ends or the system fails.
func (w *watch) listen(ctx context.Context, found chan<- string) {
	var links <-chan time.Time
	if w.linked() {
		links = time.After(linkTime)
	}
	for w.lost == nil {
		select {
		case <-ctx.Done():
			return
		case <-links:
			links = time.After(linkTime)
			if w.follow() {
				send(ctx, found, build.Whole)
			}
		case event, open := <-w.events.changed:
			if !open {
				w.lost = errors.New("the system stopped reporting changes")
				return
			}
			if path, relevant := w.take(event); relevant {
				send(ctx, found, path)
			}
		case err, open := <-w.events.faults:
			if open {
				// Events were lost, and it is unknown which.
				w.log.Debug("changes of the content were missed; checking all of it", "cause", err)
				w.addAll()
				send(ctx, found, build.Whole)
			}
		}
	}
}

// take updates the set of watched folders and returns the path of an event.
func (w *watch) take(e fsnotify.Event) (path string, relevant bool) {
	if e.Name == "" || w.ignored(e.Name) {
		return "", false
	}
	if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		// Do this before the next event: a folder moved within the content is watched under
		// its new name.
		w.forget(e.Name)
		if e.Name == w.root || e.Name == w.theme {
			if w.follow() {
				return build.Whole, true
			}
			w.lost = errors.New("the folder was moved or deleted")
		}
	}
	if e.Has(fsnotify.Create) {
		if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
			w.add(e.Name)
		}
	}
	relative, err := w.relative(e.Name)
	if err != nil || relative == "." {
		return build.Whole, true
	}
	return relative, true
}

// ignored reports whether a path does not affect anything that is read: it is in neither
// folder, like the former target of a link, or its name is not that of content.
func (w *watch) ignored(name string) bool {
	relative, err := w.relative(name)
	if err != nil || relative == "." {
		return err != nil
	}
	return relative == ".." || strings.HasPrefix(relative, "../") || build.Unread(relative)
}

// add watches a folder and those below it. It watches a folder before reading it, so that
// everything created meanwhile is either read or reported.
func (w *watch) add(folder string) {
	if w.lost != nil || folder != w.root && w.ignored(folder) {
		return
	}
	if err := w.events.add(folder); err != nil {
		if folder == w.root || folder == w.theme || !errors.Is(err, fs.ErrNotExist) {
			w.lost = err
		}
		return
	}
	if w.folders[folder] == nil {
		w.folders[folder] = map[string]bool{}
	}
	if above := w.folders[filepath.Dir(folder)]; above != nil {
		above[folder] = true
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // deleted or unreadable: the build reports that
	}
	for _, e := range entries {
		if e.IsDir() {
			w.add(filepath.Join(folder, e.Name()))
		}
	}
}

// forget stops watching a folder and those below it.
func (w *watch) forget(folder string) {
	below, watched := w.folders[folder]
	if !watched {
		return
	}
	for one := range below {
		w.forget(one)
	}
	delete(w.folders, folder)
	delete(w.folders[filepath.Dir(folder)], folder)
	_ = w.events.remove(folder) // the system may have removed it already
}
