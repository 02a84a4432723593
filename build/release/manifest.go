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

// DigestOf returns the Digest of data.
func DigestOf(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest(sum[:16])
}

// String returns the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// An Entry describes one file of the public tree.
type Entry struct {
	Digest Digest
	Size   int64
	// ModTime is in nanoseconds since 1970. The twins have the same.
	ModTime int64
	// Gzip and Brotli are the sizes of the compressed twins; 0 for none.
	Gzip, Brotli int64

	mark uint64
}

// unmarked returns a copy for readers, without the mark, which a Plan may be changing.
func (e *Entry) unmarked() Entry {
	return Entry{Digest: e.Digest, Size: e.Size, ModTime: e.ModTime, Gzip: e.Gzip, Brotli: e.Brotli}
}

// twins returns the twins that the file has.
func (e *Entry) twins() twins { return twins{gzip: e.Gzip > 0, brotli: e.Brotli > 0} }

// An Owner is the seller that has, or last had, the addresses of a companySlug, or an address
// that was once below its companySlug and is now below another's. A release only stores it,
// for callers that must find the reason of a stub.
type Owner struct {
	// ID is the canonical id.
	ID string
	// Domains contains the official domain, followed by the former domains if the address
	// belongs to the seller's present companySlug.
	Domains []string
	// Aliases are the seller's former companySlugs, if the address belongs to its present one.
	Aliases []string
	// Web are the hosts of the seller's web addresses, if the address belongs to its present
	// companySlug and the seller has no official domain.
	Web []string
	// Replaces means that the Seller declares that it replaces the removed one with that slug.
	Replaces bool
}

// A Manifest describes a whole release.
type Manifest struct {
	// Sequence counts the commits.
	Sequence uint64
	Clock    time.Time
	// Revision is the revision of the removals that the release was made with.
	Revision uint64
	entries  map[string]*Entry
	// stubs are the entries that are 410 stubs.
	stubs  map[string]bool
	owners map[string]Owner
	// boot is the Boot of the last record that was not synced.
	boot string

	totals
}

// totals are the sums over all entries.
type totals struct {
	// sum is the sum of the digests.
	sum       sum
	documents int
	bytes     int64
}

func newManifest() *Manifest {
	return &Manifest{entries: map[string]*Entry{}, stubs: map[string]bool{}, owners: map[string]Owner{}}
}

// A sum is an incremental digest of a set: the sum of the SHA-256 of its members modulo 2^256,
// so that adding or removing a member costs one hash.
type sum [4]uint64

func memberHash(file string, d Digest) sum {
	member := append(make([]byte, 0, 256), file...)
	member = append(append(member, 0), d[:]...)
	hash := sha256.Sum256(member)
	var s sum
	for i := range s {
		s[i] = binary.LittleEndian.Uint64(hash[8*i:])
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

// DescriptionFile is the document that describes the release. It is not part of the digest
// that is the release's id.
const DescriptionFile = "api/v1/release.json"

// IsStub reports whether a file is a 410 stub.
func IsStub(file string) bool {
	return strings.HasSuffix(file, ".gone.json") || strings.HasSuffix(file, ".gone.html")
}

// ID returns the id of the release, a digest of its contents: 32 hexadecimal
// digits.
func (t totals) ID() string {
	var b [32]byte
	for i, word := range t.sum {
		binary.LittleEndian.PutUint64(b[8*i:], word)
	}
	return DigestOf(b[:]).String()
}

// Documents returns the number of files and their total size, without twins, stubs and the
// description of the release itself.
func (t totals) Documents() (count int, bytes int64) { return t.documents, t.bytes }

func (m *Manifest) set(file string, e *Entry) {
	m.count(file, m.entries[file], -1)
	m.put(file, e)
	m.count(file, e, 1)
}

// put is set without counting.
func (m *Manifest) put(file string, e *Entry) {
	m.entries[file] = e
	if IsStub(file) {
		m.stubs[file] = true
	}
}

// distrust makes verify read every file: the machine may have failed before the data reached
// the disk.
func (m *Manifest) distrust() {
	for _, e := range m.entries {
		e.ModTime = 0
	}
	m.boot = ""
}

func (m *Manifest) delete(file string) {
	m.count(file, m.entries[file], -1)
	m.drop(file)
}

// drop is delete without counting.
func (m *Manifest) drop(file string) {
	delete(m.entries, file)
	delete(m.stubs, file)
}

func (t *totals) count(file string, e *Entry, sign int) {
	if e == nil || file == DescriptionFile {
		return
	}
	if sign > 0 {
		t.sum.add(memberHash(file, e.Digest))
	} else {
		t.sum.subtract(memberHash(file, e.Digest))
	}
	if !IsStub(file) {
		t.documents += sign
		t.bytes += int64(sign) * e.Size
	}
}
