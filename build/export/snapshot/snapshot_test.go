package snapshot

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
)

// A line is a line of a test's shard; digest decides its part.
type line struct {
	digest uint64
	text   string
}

func (l line) Digest() uint64 { return l.digest }

// parts divides lines like a build. Parts with changed digests are marked Changed.
func parts(lines map[uint64]string, changed map[uint64]bool) (all []Part) {
	var members []line
	for _, digest := range slices.Sorted(maps.Keys(lines)) {
		members = append(members, line{digest, lines[digest]})
	}
	catalog.Split(catalog.Shard{}, members, Lines, func(name catalog.Shard, members []line) {
		p := Part{Name: name, Lines: func() ([]byte, error) {
			var b bytes.Buffer
			for _, one := range members {
				fmt.Fprintln(&b, one.text)
			}
			return b.Bytes(), nil
		}}
		for digest := range changed {
			p.Changed = p.Changed || name.Has(digest)
		}
		all = append(all, p)
	})
	return all
}

// TestAnEditedShardEqualsAFreshOne checks that copied members equal
// newly compressed ones.
func TestAnEditedShardEqualsAFreshOne(t *testing.T) {
	w := NewWriter()
	rapid.Check(t, func(t *rapid.T) {
		lines := map[uint64]string{}
		var shard []byte
		for range rapid.IntRange(1, 6).Draw(t, "releases") {
			changed := map[uint64]bool{}
			for range rapid.IntRange(0, 40).Draw(t, "edits") {
				digest := rapid.Uint64Range(0, 99).Draw(t, "digest") * 0x0290_0000_0000_0001
				changed[digest] = true
				if text := rapid.StringMatching(`[a-c]{0,30}`).Draw(t, "text"); text == "" {
					delete(lines, digest)
				} else {
					lines[digest] = text
				}
			}
			var err error
			if shard, err = w.Shard(shard, parts(lines, changed)); err != nil {
				t.Fatal(err)
			}
			fresh, err := NewWriter().Shard(nil, parts(lines, nil))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(shard, fresh) {
				t.Fatalf("%d bytes after edits, %d of a fresh shard", len(shard), len(fresh))
			}
			want := slices.Sorted(maps.Values(lines))
			got := strings.Fields(unzipped(t, shard))
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("the shard has %q, want %q", got, want)
			}
		}
	})
}

// unzipped reads a shard with another gzip reader.
func unzipped(t interface{ Fatal(...any) }, shard []byte) string {
	if len(shard) == 0 {
		return ""
	}
	r, err := gzip.NewReader(bytes.NewReader(shard))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// many returns a shard of 400 lines, and the lines.
func many(t *testing.T) ([]byte, map[uint64]string) {
	t.Helper()
	lines := map[uint64]string{}
	for i := range 400 {
		sum := sha256.Sum256(fmt.Append(nil, i))
		lines[uint64(sum[0])<<56|uint64(sum[1])<<48|uint64(i)] = fmt.Sprintf(`{"name":%d,"text":"%x"}`, i, sum)
	}
	shard, err := NewWriter().Shard(nil, parts(lines, nil))
	if err != nil {
		t.Fatal(err)
	}
	return shard, lines
}

func TestAnEditCopiesAllOtherMembers(t *testing.T) {
	shard, lines := many(t)
	before := members(shard)
	for name, m := range before {
		if n := strings.Count(unzipped(t, m.bytes), "\n"); n > Lines {
			t.Errorf("the member %q has %d lines, want at most %d", name, n, Lines)
		}
	}
	edited := slices.Sorted(maps.Keys(lines))[123]
	lines[edited] = `{"edited":true}`
	asked := 0
	all := parts(lines, map[uint64]bool{edited: true})
	for i := range all {
		original := all[i].Lines
		all[i].Lines = func() ([]byte, error) { asked++; return original() }
	}
	after, err := NewWriter().Shard(shard, all)
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for name, m := range members(after) {
		if !bytes.Equal(before[name].bytes, m.bytes) {
			differ++
		}
	}
	if asked != 1 || differ != 1 || len(before) < 400/Lines {
		t.Errorf("of %d members %d were rendered and %d differ, want 1 and 1", len(before), asked, differ)
	}
}

func TestForeignShardsAreNotCopied(t *testing.T) {
	shard, lines := many(t)
	for what, spoilt := range map[string][]byte{
		"cut":       shard[:len(shard)-1],
		"longer":    append(bytes.Clone(shard), 0),
		"no gzip":   []byte("nothing of the kind, and longer than any header or trailer of a member is"),
		"of others": append(bytes.Clone(shard[:9]), shard[10:]...),
	} {
		got, err := NewWriter().Shard(spoilt, parts(lines, map[uint64]bool{}))
		if err != nil || !bytes.Equal(got, shard) {
			t.Errorf("%s: %v, or other bytes than those of a fresh shard", what, err)
		}
	}
}

// TestCompressionMatchesItsName fails if the library
// compresses the same lines differently: members compressed by another version are copied,
// so the constant compression must change.
func TestCompressionMatchesItsName(t *testing.T) {
	shard, _ := many(t)
	sum := sha256.Sum256(shard)
	if got := hex.EncodeToString(sum[:8]); got != "a95befd7c406d062" {
		t.Errorf("a shard has the digest %s: change the constant compression together with it", got)
	}
}
