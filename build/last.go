package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"souk/build/catalog"
	"souk/build/kit/rendition"
	"souk/build/release/market"
	"souk/build/source"
)

// last is the memory's entry about the last release into the public folder. With it, the next
// process can tell what changed since.
type last struct {
	// Key is a digest of everything but the content, the clock and the removals. Withheld is a
	// digest of the removals.
	Key, Withheld string
	// Content is the fingerprint of the content.
	Content uint64
	// The release is right for this content from From until Until; a zero Until means forever.
	From, Until time.Time
	Release     string
	Warnings    int

	// removals are the removals of Withheld, as the memory stores them.
	removals []byte
}

// stateFile returns the path of a file in the state folder, named after the folder that it
// describes, or "" where InState does.
func stateFile(c Config, name, folder string) string {
	sum := sha256.Sum256([]byte(Resolved(folder)))
	return c.InState(name + "-" + hex.EncodeToString(sum[:4]))
}

// InState returns a path in the state folder. It returns "", and nothing is saved, if the
// state folder is in the content, as for a command that only reads and runs in the content
// folder: the next run would take the file for content.
func (c Config) InState(name string) string {
	if within(c.State, c.Content) {
		return ""
	}
	return filepath.Join(c.State, name)
}

// shelf returns the store of the smaller renditions of the content's pictures.
func (c Config) renditions() *rendition.Cache {
	return rendition.Open(stateFile(c, "pictures", c.Content))
}

// key is a digest of everything a release depends on except the content, the clock and the
// removals.
func (b *Builder) key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		b.config.Program, Resolved(b.config.Content), b.config.SiteURL, b.config.Precompress.String(),
		Resolved(b.config.Theme), strconv.FormatBool(b.config.Preview), strconv.FormatBool(b.config.Drafts), strconv.FormatBool(b.config.Pages),
		strconv.FormatBool(b.config.Snapshot),
	}))
	return hex.EncodeToString(sum[:])
}

// readLast returns the zero value if the memory has no release.
func (b *Builder) readLast() (l last) {
	is := b.content.folder.Released(Resolved(b.config.Public))
	if json.Unmarshal(is.Facts, &l) != nil {
		return last{}
	}
	l.removals = is.Removals
	return l
}

// withheld returns the removals that the release was made with. ok is false if they are
// unknown.
func (l last) withheld() (removals *catalog.Removals, ok bool) {
	var list []catalog.Removal
	err := json.Unmarshal(l.removals, &list)
	removals = catalog.NewRemovals(list)
	return removals, err == nil && removals.Key() == l.Withheld
}

// holds reports whether the last release is still right.
func (t *Turn) holds(from buildInputs) bool {
	l, now := t.last, t.config.now()
	return l.Content == t.content.folder.Fingerprint() && l.Release == t.tree.ID() && l.Release != "" && !t.tree.Altered() && market.Exists(t.config.Public) &&
		!now.Before(l.From) && (l.Until.IsZero() || now.Before(l.Until)) && l.Key == t.key() && l.Withheld == from.withheld().Key()
}

// save stores for the next process what was read and which release shows it.
func (t *Turn) save(report Report) error {
	withheld := t.inputs.withheld()
	l := last{
		Key: t.key(), Withheld: withheld.Key(), Content: t.content.folder.GoodFingerprint(), From: t.content.catalog.Now(), Until: report.Next,
		Release: report.ID, Warnings: report.Warnings,
	}
	if t.retry != nil {
		l.Key = "" // the next process renders everything again
	}
	release := source.Release{Public: Resolved(t.config.Public)}
	var err error
	if release.Facts, err = json.Marshal(l); err != nil {
		return err
	}
	if l.Withheld != t.last.Withheld || t.last.removals == nil {
		if release.Removals, err = json.Marshal(withheld.List()); err != nil {
			return err
		}
	}
	return t.store(&release)
}

// store saves what was read, and the release if it is not nil.
func (t *Turn) store(release *source.Release) error {
	err := t.content.folder.Save(release)
	t.saved = t.recorded()
	return err
}

// purge deletes the smaller renditions of pictures that are no longer in the content, if some
// may be gone.
func (t *Turn) purge() error {
	if len(t.paths) == 0 || t.content.folder.Differs() {
		return nil
	}
	if err := t.renditions.Purge(t.content.catalog.PictureNames()); err != nil {
		return fmt.Errorf("delete the cached pictures: %w", err)
	}
	return nil
}

// recorded identifies a state of the memory, or is nil if there is none.
func (b *Builder) recorded() fs.FileInfo {
	info, err := os.Stat(b.memoryFile())
	if err != nil {
		return nil
	}
	return info
}

func (b *Builder) memoryFile() string { return stateFile(b.config, "memory", b.config.remembered()) }
