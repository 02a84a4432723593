package document

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/kit/twin"
)

// The snapshot contains the public documents of all items, one per line, in the same shards as
// the sitemaps. A line is the document without the pages of its lists.

// SnapshotFolder contains the shards of the snapshot; SnapshotManifest lists them.
const (
	SnapshotFolder   = base + "snapshot/"
	SnapshotManifest = SnapshotFolder + "manifest" + linesSuffix

	linesSuffix = twin.Lines
)

// snapshotKinds are the kinds that have shards, in the order of the manifest.
var snapshotKinds = []catalog.Kind{
	catalog.KindSeller, catalog.KindProduct, catalog.KindService,
	catalog.KindCategory, catalog.KindArticle, catalog.KindMarketMap,
}

var snapshotName = regexp.MustCompile(`^` + SnapshotFolder + `(manifest|[a-zA-Z]+/(all|[01]+))\.jsonl\.gz$`)

// IsLines reports whether a file contains JSON lines compressed with gzip. Such a file is not
// a twin of another.
func IsLines(file string) bool { return strings.HasSuffix(file, linesSuffix) }

// IsShard reports whether a file is a shard of the snapshot.
func IsShard(file string) bool { return file != SnapshotManifest && snapshotName.MatchString(file) }

// SnapshotShard is a line of the manifest of the snapshot.
type SnapshotShard struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	Kind   string `json:"kind"`
	Items  int    `json:"items"`
}

// Line returns the line of the manifest, with its line break.
func (s SnapshotShard) Line() []byte {
	line, _ := json.Marshal(s) // strings and numbers can always be encoded
	return append(line, '\n')
}

// ParseSnapshotShard parses a line of the manifest.
func ParseSnapshotShard(line []byte) (s SnapshotShard, err error) {
	if err = json.Unmarshal(line, &s); err != nil {
		err = fmt.Errorf("the manifest of the snapshot: %w", err)
	}
	return s, err
}

// File returns the file of the shard.
func (s SnapshotShard) File() string { return base + s.Path }

// Snapshots returns the shards of the snapshot, in the order of its manifest, assuming that
// all may have changed.
func (r *Renderer) Snapshots() iter.Seq[*Snapshot] {
	return func(yield func(*Snapshot) bool) {
		for _, kind := range snapshotKinds {
			for shard := range r.catalog.Shards(kind).All() {
				if !yield(r.shard(catalog.ShardRef{Kind: kind, Shard: shard}, nil)) {
					return
				}
			}
		}
	}
}

// shard returns a shard in which only the touched documents may have changed, or all if
// touched is nil.
func (r *Renderer) shard(ref catalog.ShardRef, touched map[uint64]bool) *Snapshot {
	members := r.catalog.Shards(ref.Kind).Members(ref.Shard)
	return &Snapshot{
		SnapshotShard{
			Path: "snapshot/" + ref.Kind.String() + "/" + cmp.Or(ref.Shard.String(), "all") + linesSuffix,
			Kind: ref.Kind.String(), Items: len(members),
		}, r, members, ref.Shard, touched,
	}
}

// A Snapshot is the content of a shard. Its digest and size, which are those of the compressed
// lines, are computed elsewhere.
type Snapshot struct {
	SnapshotShard
	renderer *Renderer
	members  []*catalog.Node
	shard    catalog.Shard
	// touched are the digests of the documents that may have changed, or nil for all.
	touched map[uint64]bool
}

// A SnapshotPart is a part of a shard.
type SnapshotPart struct {
	Name catalog.Shard
	// Changed means that its lines may have changed.
	Changed  bool
	renderer *Renderer
	nodes    []*catalog.Node
}

// Parts returns the parts of the shard, of at most most lines each.
func (s *Snapshot) Parts(most int) (parts []SnapshotPart) {
	catalog.Split(s.shard, s.members, most, func(name catalog.Shard, nodes []*catalog.Node) {
		changed := s.touched == nil
		for digest := range s.touched {
			changed = changed || name.Has(digest)
		}
		parts = append(parts, SnapshotPart{name, changed, s.renderer, nodes})
	})
	return parts
}

// Lines returns the documents of the part, one per line, in the order of their digests. They
// are valid until the Encoder is used again.
func (p SnapshotPart) Lines(e *Encoder) ([]byte, error) {
	nodes := slices.SortedFunc(slices.Values(p.nodes), func(a, b *catalog.Node) int {
		return cmp.Or(cmp.Compare(a.Digest(), b.Digest()), cmp.Compare(a.Ref().Path(), b.Ref().Path()))
	})
	e.buffer.Reset()
	for _, n := range nodes {
		if err := e.json.Encode(p.renderer.WithoutLists(n)); err != nil {
			return nil, fmt.Errorf("render the line of %s: %w", n.Ref().Path(), err)
		}
	}
	return e.buffer.Bytes(), nil
}

// ListTotal replaces a list in a line of the snapshot.
type ListTotal struct {
	Total int `json:"total"`
}

// SellerAlone and CategoryAlone are documents without the pages of their lists.
type (
	SellerAlone struct {
		Seller
		Products ListTotal `json:"products"`
		Services ListTotal `json:"services"`
	}
	CategoryAlone struct {
		Category
		Listings  ListTotal `json:"listings"`
		Companies ListTotal `json:"companies"`
	}
)

// WithoutLists returns the document of a current node in the form of the snapshot.
func (r *Renderer) WithoutLists(n *catalog.Node) any {
	total := func(which int) ListTotal { return ListTotal{len(n.List(which))} }
	switch n.Ref().Kind {
	case catalog.KindSeller:
		return SellerAlone{r.profile(n), total(catalog.Products), total(catalog.Services)}
	case catalog.KindCategory:
		return CategoryAlone{r.branch(n), total(catalog.Listings), total(catalog.Companies)}
	default:
		return r.Document(n)
	}
}

// snapshotUnits returns the shards that a change touches.
func (r *Renderer) snapshotUnits(d *catalog.Delta) (units []Unit) {
	touched := map[catalog.ShardRef]map[uint64]bool{}
	touch := func(ref catalog.ShardRef) map[uint64]bool {
		if touched[ref] == nil {
			touched[ref] = map[uint64]bool{}
		}
		return touched[ref]
	}
	for ref := range d.Shards {
		if !ref.Further && slices.Contains(snapshotKinds, ref.Kind) {
			touch(ref)
		}
	}
	for n := range d.Documents {
		if kind := n.Ref().Kind; slices.Contains(snapshotKinds, kind) {
			touch(catalog.ShardRef{Kind: kind, Shard: r.catalog.Shards(kind).Of(n.Digest())})[n.Digest()] = true
		}
	}
	for ref, digests := range touched {
		if s := r.shard(ref, digests); s.Items == 0 {
			units = append(units, Unit{unitAbsent, s.File()})
		} else {
			units = append(units, Unit{unitSnapshot, s})
		}
	}
	return units
}
