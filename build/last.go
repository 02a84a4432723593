package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"souk/build/durable"
)

// last is what the last build of these folders wrote down, so that the next one
// knows without reading that nothing changed.
type last struct {
	// Key stands for everything but the content and the clock.
	Key string
	// Content is the fingerprint of the content.
	Content uint64
	// From and Until are the moments between which the release is what the
	// content says; no Until is forever.
	From, Until time.Time
	Release     string
	Warnings    int
	// Cached is the release of whose content the cache of good content is.
	Cached string
}

// stateFile names a file of the state folder after the folder that it is about.
func stateFile(c Config, name, folder string) string {
	sum := sha256.Sum256([]byte(Resolved(folder)))
	return filepath.Join(c.State, name+"-"+hex.EncodeToString(sum[:4]))
}

func (b *Builder) lastFile() string { return stateFile(b.config, "build", b.config.Public) }

// key stands for what a release depends on beside the content and the clock.
func (b *Builder) key(from made) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		b.config.Program, Resolved(b.config.Content), b.config.SiteURL, b.config.Precompress.String(), from.withheld().Key(),
	}))
	return hex.EncodeToString(sum[:])
}

// readLast returns the zero value where there is none or it cannot be read.
func (b *Builder) readLast() last {
	var l last
	data, err := os.ReadFile(b.lastFile())
	if err != nil || json.Unmarshal(data, &l) != nil {
		return last{}
	}
	return l
}

// holds reports whether nothing but the content could have changed.
func (l last) holds(b *Builder, from made) bool {
	now := b.config.now()
	return l.Content == b.content.folder.Fingerprint() && l.Release == b.tree.ID() && l.Release != "" && !b.tree.Altered() &&
		!now.Before(l.From) && (l.Until.IsZero() || now.Before(l.Until)) && l.Key == b.key(from)
}

// keep writes down what the next process begins with: what was read, and of
// which release that is the content.
func (t *Turn) keep(report Report, before last) error {
	c := t.content
	l := last{
		Key: t.key(t.made), Content: c.fingerprint, From: c.catalog.Now(), Until: report.Next, Release: report.ID,
		Warnings: report.Warnings, Cached: before.Cached,
	}
	switch {
	case t.changed && t.whole():
		if err := c.folder.Save(); err != nil {
			return fmt.Errorf("save the cache: %w", err)
		}
		if c.held == nil {
			if err := c.folder.Remember(); err != nil {
				return err
			}
			l.Cached = report.ID
		}
	case before.Cached == report.Before && before.Content == l.Content:
		l.Cached = report.ID // the same content
	}
	return t.writeLast(l)
}

// Close keeps what was read since the last whole build, for the next process.
func (b *Builder) Close() error {
	if !b.content.good || b.owed != nil || b.content.held != nil || !b.config.Stay {
		return nil
	}
	l := b.readLast()
	if l.Release != b.tree.ID() || l.Cached == l.Release {
		return nil
	}
	if err := b.content.folder.Save(); err != nil {
		return fmt.Errorf("save the cache: %w", err)
	}
	if err := b.content.folder.Remember(); err != nil {
		return err
	}
	l.Cached = l.Release
	return b.writeLast(l)
}

func (b *Builder) writeLast(l last) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return durable.Replace(b.lastFile(), 0o644, data)
}
