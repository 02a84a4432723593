package release

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"strings"
	"time"
)

// Digest is the first half of a SHA-256.
type Digest [16]byte

func digestOf(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest(sum[:16])
}

// String returns the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// An Entry describes one file of the public tree.
type Entry struct {
	Digest Digest
	Size   int64
	// ModTime is in nanoseconds since 1970; the twins' is the same.
	ModTime int64
	// Gzip and Brotli are the sizes of the compressed twins; 0 for none.
	Gzip, Brotli int64

	mark uint64
}

// shown returns what a reader may see of an entry: all but the mark, which a Plan
// changes meanwhile.
func (e *Entry) shown() Entry {
	return Entry{Digest: e.Digest, Size: e.Size, ModTime: e.ModTime, Gzip: e.Gzip, Brotli: e.Brotli}
}

// An Owner is whose addresses a companySlug's are or were, for whoever has to
// judge a stub there. A release keeps it as it is told, and draws no conclusion
// from it.
type Owner struct {
	// ID is the canonical identity.
	ID string
	// Domains are the official one, then the former ones.
	Domains []string
	// Replaces: the Seller says that it replaces the removed one of that slug.
	Replaces bool
}

// A Manifest describes a whole release.
type Manifest struct {
	// Sequence counts the commits.
	Sequence uint64
	Clock    time.Time
	entries  map[string]*Entry
	// stubs are the entries that are 410 stubs.
	stubs  map[string]bool
	owners map[string]Owner
	// boot is that of the last record that was not synced.
	boot string

	sum       sum
	documents int
	bytes     int64
}

func newManifest() *Manifest {
	return &Manifest{entries: map[string]*Entry{}, stubs: map[string]bool{}, owners: map[string]Owner{}}
}

// A sum is an incremental digest of a set: the sum of the SHA-256 of its
// members modulo 2^256, so that a member is added or taken away at the cost of
// that member alone.
type sum [4]uint64

func memberHash(file string, d Digest) sum {
	h := sha256.New()
	h.Write([]byte(file))
	h.Write([]byte{0})
	h.Write(d[:])
	var s sum
	for i, b := 0, h.Sum(nil); i < 4; i++ {
		s[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return s
}

func (s *sum) add(o sum) {
	var carry uint64
	for i := range s {
		s[i], carry = bits.Add64(s[i], o[i], carry)
	}
}

func (s *sum) subtract(o sum) {
	var borrow uint64
	for i := range s {
		s[i], borrow = bits.Sub64(s[i], o[i], borrow)
	}
}

// ReleaseFile is the document that describes the release; it is no part of
// what its id is a digest of.
const releaseFile = "api/v1/release.json"

const goneSuffix = ".gone.json"

// ID names the release by what it holds: 32 hexadecimal digits.
func (m *Manifest) ID() string {
	var b [32]byte
	for i, word := range m.sum {
		binary.LittleEndian.PutUint64(b[8*i:], word)
	}
	return digestOf(b[:]).String()
}

// Documents returns the number of files and their size together, without twins,
// stubs and the description of the release itself.
func (m *Manifest) Documents() (count int, bytes int64) { return m.documents, m.bytes }

func (m *Manifest) set(file string, e *Entry) {
	m.count(file, m.entries[file], -1)
	m.entries[file] = e
	m.count(file, e, 1)
	if strings.HasSuffix(file, goneSuffix) {
		m.stubs[file] = true
	}
}

// distrust has every file read when the folder is verified: the machine may
// have failed before what was written reached the disk.
func (m *Manifest) distrust() {
	for _, e := range m.entries {
		e.ModTime = 0
	}
	m.boot = ""
}

func (m *Manifest) delete(file string) {
	m.count(file, m.entries[file], -1)
	delete(m.entries, file)
	delete(m.stubs, file)
}

func (m *Manifest) count(file string, e *Entry, sign int) {
	if e == nil || file == releaseFile {
		return
	}
	if sign > 0 {
		m.sum.add(memberHash(file, e.Digest))
	} else {
		m.sum.subtract(memberHash(file, e.Digest))
	}
	if !strings.HasSuffix(file, goneSuffix) {
		m.documents += sign
		m.bytes += int64(sign) * e.Size
	}
}
