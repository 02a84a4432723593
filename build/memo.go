package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"souk/build/source"
)

// A memo is what the last build of these folders wrote down, so that the next
// one knows without reading that nothing changed.
type memo struct {
	// Key stands for everything but the content and the clock.
	Key string
	// Content is the fingerprint of the content folder.
	Content uint64
	// From and Until are the moments between which the release is what the
	// content says; no Until is forever.
	From, Until time.Time
	Release     string
	Warnings    int
	// Recorded: removals were on record once.
	Recorded bool
	// Cached is the release of whose content the cache of good content is.
	Cached string
}

func openFolder(c Config) *source.Folder {
	return source.Open(c.Content, stateFile(c, "content", c.Content), c.Program, c.Clock)
}

// stateFile names a file of the state folder after the folder that it is about.
func stateFile(c Config, name, folder string) string {
	sum := sha256.Sum256([]byte(Resolved(folder)))
	return filepath.Join(c.State, name+"-"+hex.EncodeToString(sum[:4]))
}

func (b *Builder) memoFile() string { return stateFile(b.config, "build", b.config.Public) }

// key stands for what a release depends on beside the content and the clock.
func (b *Builder) key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		b.config.Program, Resolved(b.config.Content), b.config.SiteURL, b.config.Precompress.String(), b.withdrawn.Key(),
	}))
	return hex.EncodeToString(sum[:])
}

// readMemo gives an empty memo where there is none or it cannot be read.
func (b *Builder) readMemo() memo {
	var m memo
	data, err := os.ReadFile(b.memoFile())
	if err != nil || json.Unmarshal(data, &m) != nil {
		return memo{}
	}
	return m
}

// holds tells whether nothing but the content could have changed.
func (m memo) holds(b *Builder) bool {
	now := b.now()
	return m.Key == b.key() && m.Content == b.folder.Fingerprint() && m.Release == b.tree.ID() && m.Release != "" && !b.tree.Altered() &&
		!now.Before(m.From) && (m.Until.IsZero() || now.Before(m.Until))
}

func (b *Builder) writeMemo(m memo) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	file := b.memoFile()
	if err := os.WriteFile(file+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
