package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"sync"

	"github.com/klauspost/compress/gzip"

	"souk/build/document"
	"souk/build/export/snapshot"
	"souk/build/release"
)

// shardLines are the manifest's lines about shards, by path.
type shardLines struct {
	sync.Mutex
	lines map[string]document.SnapshotShard
}

func (l *shardLines) add(s document.SnapshotShard) {
	l.Lock()
	defer l.Unlock()
	if l.lines == nil {
		l.lines = map[string]document.SnapshotShard{}
	}
	l.lines[s.Path] = s
}

// shard writes a shard of the snapshot. The last release already has most of its members.
func (r *staging) shard(w *release.Writer, shards *snapshot.Writer, e *document.Encoder, s *document.Snapshot) (document.SnapshotShard, error) {
	var parts []snapshot.Part
	for _, p := range s.Parts(snapshot.Lines) {
		parts = append(parts, snapshot.Part{Name: p.Name, Changed: p.Changed, Lines: func() ([]byte, error) { return p.Lines(e) }})
	}
	one := s.SnapshotShard
	body, err := shards.Shard(r.before(one.File()), parts)
	if err != nil {
		return one, fmt.Errorf("write %s: %w", one.File(), err)
	}
	sum := sha256.Sum256(body)
	one.SHA256, one.Bytes = hex.EncodeToString(sum[:]), int64(len(body))
	return one, w.Put(one.File(), body)
}

// before returns the bytes of a file in the last release, or nil. They are compared with the
// manifest, because they are copied into the next release.
func (r *staging) before(file string) []byte {
	entry, there := r.tree.Lookup(file)
	if !there {
		return nil
	}
	f, err := r.tree.OpenFile(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	body, err := io.ReadAll(f)
	if err != nil || release.DigestOf(body) != entry.Digest {
		return nil
	}
	return body
}

// snapshotManifest writes the manifest of the snapshot. Lines of shards that were not rendered
// stay the same.
func (r *staging) snapshotManifest(w *release.Writer) error {
	if !r.config.Snapshot || !r.delta.All && len(r.shards.lines) == 0 && len(r.delta.Shards) == 0 {
		return nil
	}
	known, err := r.manifestBefore(), error(nil)
	maps.Copy(known, r.shards.lines)
	var b bytes.Buffer
	compressed, _ := gzip.NewWriterLevel(&b, gzip.DefaultCompression) // the level is valid
	compressed.OS = 255
	for s := range r.renderer.Snapshots() {
		one, there := known[s.Path]
		if !there {
			// The folder is not as the last release left it.
			if one, err = r.shard(w, snapshot.NewWriter(), document.NewEncoder(), s); err != nil {
				return err
			}
		}
		if _, err := compressed.Write(one.Line()); err != nil {
			return err
		}
	}
	if err := compressed.Close(); err != nil {
		return err
	}
	return w.Put(document.SnapshotManifest, b.Bytes())
}

// manifestBefore returns the readable lines of the last release's manifest.
func (r *staging) manifestBefore() map[string]document.SnapshotShard {
	known := map[string]document.SnapshotShard{}
	if r.delta.All {
		return known // all shards are rendered
	}
	body, err := release.Decompress(document.SnapshotManifest, r.before(document.SnapshotManifest))
	if err != nil {
		return known
	}
	for line := range bytes.Lines(body) {
		if s, err := document.ParseSnapshotShard(line); err == nil {
			known[s.Path] = s
		}
	}
	return known
}
