package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/kit/durable"
	"souk/build/kit/rendition"
	"souk/build/release/market"
	"souk/build/source"
)

// last is what the last build of these folders recorded, so that the next one
// can tell without reading anything that nothing changed.
type last struct {
	// Key is a digest of everything but the content, the clock and the removals, Withheld
	// that of the removals.
	Key, Withheld string
	// Content is the fingerprint of the content.
	Content uint64
	// The release is right for this content from From until Until; a zero Until
	// means forever.
	From, Until time.Time
	Release     string
	Warnings    int
	Cached      cached
	Image       imaged
}

// cached tells of the cache of good content: which content is in it, by its fingerprint,
// and a release that shows no other.
type cached struct {
	Content uint64
	Release string
}

// imaged tells of the image of the catalog, which may be of an earlier release with the
// same Key and the same removals: what the content was when the cache's file was written whole.
type imaged struct {
	// Digest is "" for none.
	Digest string
	// Base is the fingerprint of that content, At the clock's time then.
	Base uint64
	At   time.Time
}

// stateFile returns the path of a file in the state folder, named after the
// folder that it describes, or what InState does.
func stateFile(c Config, name, folder string) string {
	sum := sha256.Sum256([]byte(Resolved(folder)))
	return c.InState(name + "-" + hex.EncodeToString(sum[:4]))
}

// InState returns the path of what is kept in the state folder. It is "", and nothing is
// kept, where that lies in the content, as for a command that only reads and is called
// there: the next would take it for content.
func (c Config) InState(name string) string {
	if within(c.State, c.Content) {
		return ""
	}
	return filepath.Join(c.State, name)
}

// shelf returns where the smaller forms of the content's pictures are kept.
func (c Config) shelf() *rendition.Shelf { return rendition.Open(stateFile(c, "pictures", c.Content)) }

func (b *Builder) lastFile() string { return stateFile(b.config, "build", b.config.Public) }

// withheldFile has the removals that the image of the catalog was made with, so that the
// next process tells what others touch.
func (b *Builder) withheldFile() string { return stateFile(b.config, "withheld", b.config.Public) }

// key is a digest of what a release depends on besides the content, the clock and the
// removals.
func (b *Builder) key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		b.config.Program, Resolved(b.config.Content), b.config.SiteURL, b.config.Precompress.String(),
		Resolved(b.config.Theme), strconv.FormatBool(b.config.Preview), strconv.FormatBool(b.config.Drafts), strconv.FormatBool(b.config.Pages),
		strconv.FormatBool(b.config.Snapshot),
	}))
	return hex.EncodeToString(sum[:])
}

// readLast returns the zero value if there is none or it cannot be read.
func (b *Builder) readLast() last {
	var l last
	data, err := os.ReadFile(b.lastFile())
	if err != nil || json.Unmarshal(data, &l) != nil {
		return last{}
	}
	return l
}

// readWithheld returns the removals of the last release, given those of this one; ok is
// false where they are not known.
func (t *Turn) readWithheld(now *catalog.Removals) (before *catalog.Removals, ok bool) {
	if t.last.Withheld == now.Key() {
		return now, true
	}
	var list []catalog.Removal
	if t.last.Withheld != "" {
		data, err := os.ReadFile(t.withheldFile())
		if err != nil || json.Unmarshal(data, &list) != nil {
			return nil, false
		}
	}
	before = catalog.NewRemovals(list)
	return before, before.Key() == t.last.Withheld
}

// holds reports whether the last release is still right.
func (t *Turn) holds(from made) bool {
	l, now := t.last, t.config.now()
	return l.Content == t.content.folder.Fingerprint() && l.Release == t.tree.ID() && l.Release != "" && !t.tree.Altered() && market.Kept(t.config.Public) &&
		!now.Before(l.From) && (l.Until.IsZero() || now.Before(l.Until)) && l.Key == t.key() && l.Withheld == from.withheld().Key()
}

// keep saves what the next process starts from: what was read, and which release
// shows it.
func (t *Turn) keep(report Report) error {
	c := t.content
	l := last{
		Key: t.key(), Withheld: t.made.withheld().Key(), Content: c.fingerprint, From: c.catalog.Now(), Until: report.Next, Release: report.ID,
		Warnings: report.Warnings,
	}
	if t.pending != nil {
		l.Key = "" // the next process makes everything anew
	}
	if err := os.MkdirAll(t.config.State, 0o755); err != nil {
		return err
	}
	if !t.config.LongLived && (l.Withheld != t.last.Withheld || !t.image.goesOn(c.folder)) {
		if err := t.depict(&l); err != nil {
			return err
		}
	} else {
		l.Image = t.image
	}
	var err error
	if l.Cached, err = t.keepContent(report); err != nil {
		return err
	}
	return t.writeLast(l)
}

// goesOn reports whether it is an image of what the cache's file has, and will have after
// the next save.
func (i imaged) goesOn(folder *source.Folder) bool {
	return i.Digest != "" && i.Base == folder.Base() && folder.Supplements()
}

// depict writes the image of the catalog, and the whole cache's file and the removals
// that belong to it.
func (t *Turn) depict(l *last) error {
	folder := t.content.folder
	list, err := json.Marshal(t.made.withheld().List())
	if err != nil {
		return err
	}
	// It names who left, as the ledger does.
	if err := durable.Replace(t.withheldFile(), 0o600, list); err != nil {
		return fmt.Errorf("save who is withheld: %w", err)
	}
	// Neither file needs the other; each takes one processor, and waits for the disk.
	var group errgroup.Group
	group.Go(func() error {
		if err := folder.SaveWhole(); err != nil {
			return fmt.Errorf("save the cache: %w", err)
		}
		return nil
	})
	group.Go(func() (err error) {
		l.Image.Digest, err = t.writeImage()
		return err
	})
	err = group.Wait()
	l.Image.Base, l.Image.At = folder.Base(), l.From
	return err
}

// keepContent saves what was read, and returns what is in the cache of good content.
func (t *Turn) keepContent(report Report) (cached, error) {
	c := t.content
	switch {
	case t.changed && t.whole():
		if err := c.folder.Save(); err != nil {
			return cached{}, fmt.Errorf("save the cache: %w", err)
		}
		if c.held == nil {
			return cached{c.fingerprint, report.ID}, c.folder.Remember()
		}
	case t.last.Cached == (cached{c.fingerprint, report.Before}):
		return cached{c.fingerprint, report.ID}, nil
	}
	return t.last.Cached, nil
}

// purge deletes the smaller forms of pictures that are no longer in the content,
// where some may have gone.
func (t *Turn) purge(trial *trial) error {
	gone := t.whole() || trial != nil && len(trial.change.Media) > 0
	if !gone || t.content.held != nil {
		return nil
	}
	if err := t.shelf.Purge(t.content.catalog.PictureNames()); err != nil {
		return fmt.Errorf("delete what is kept of pictures: %w", err)
	}
	return nil
}

// Keep saves what was read since the last whole build, unless that is done: a process
// that is killed leaves it to the next one, which goes on from there if it finds mistakes.
func (b *Builder) Keep(ctx context.Context) (err error) {
	if !b.unkept(b.readLast()) {
		return nil
	}
	if err := b.tree.Lock(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.tree.Unlock()) }()
	return b.Close()
}

// Close is Keep at the end of the process, which waits for no other one.
func (b *Builder) Close() error {
	l := b.readLast()
	if !b.unkept(l) {
		return nil
	}
	if err := b.content.folder.Save(); err != nil {
		return fmt.Errorf("save the cache: %w", err)
	}
	if err := b.content.folder.Remember(); err != nil {
		return err
	}
	l.Cached = b.present()
	return b.writeLast(l)
}

// unkept reports whether the content as it was read is all in the last release, which is
// of this process, and not in the cache of good content.
func (b *Builder) unkept(l last) bool {
	return b.config.LongLived && b.content.good && b.pending == nil && b.content.held == nil &&
		l.Release == b.made.release && l.Release == b.tree.ID() && l.Cached != b.present()
}

// present is the cache of good content as it would be now.
func (b *Builder) present() cached { return cached{b.content.fingerprint, b.made.release} }

func (b *Builder) writeLast(l last) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	err = durable.Replace(b.lastFile(), 0o644, data)
	b.left = b.recorded()
	return err
}

// recorded tells one record of the last build from another; nil where there is none.
func (b *Builder) recorded() fs.FileInfo {
	info, err := os.Stat(b.lastFile())
	if err != nil {
		return nil
	}
	return info
}
