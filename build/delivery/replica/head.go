package replica

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"souk/build/kit/durable"
	"souk/build/release"
)

// PrivatePrefix is the prefix of the keys of the private data: for the prefix market/public, key
// ".release/head" is market/public.release/head.
const PrivatePrefix = ".release/"

// HeadKey is the key of the head.
const HeadKey = PrivatePrefix + "head"

// ChunkKey returns the key of a chunk of the manifest.
func ChunkKey(d release.Digest) string { return PrivatePrefix + "manifest/" + d.String() + ".jsonl.gz" }

// FilesFolder is the prefix of the keys of the release folder's files.
const FilesFolder = PrivatePrefix + "files/"

// FileKey returns the key of a file of the release folder.
func FileKey(d release.Digest) string { return FilesFolder + d.String() }

// Ours reports whether a key is that of a chunk, a file or a head.
func Ours(key string) bool {
	for _, folder := range []string{FilesFolder, PrivatePrefix + "manifest/"} {
		if name, ok := strings.CutPrefix(key, folder); ok {
			_, named := DigestIn(name)
			return named
		}
	}
	return key == HeadKey
}

// SearchHead is the file of the release folder that lists the search parts and their
// release. Its readers wait until that release is in place, so it is replaced after the
// release, and everything else before.
const SearchHead = "search/head"

// format is the version of the private data's format.
const format = 1

// A Head lists the parts of a release.
type Head struct {
	// Release is its id.
	Release string
	// Revision is the revision of the removals that the release was built with.
	Revision uint64
	// Extensionless means that keys of documents are addresses, without .json.
	Extensionless bool
	// Chunks are the chunks of the manifest. Their number is a power of two: the first bits
	// of a path's SHA-256 say which chunk contains it.
	Chunks []Blob
	// Files are the files of the release folder, by path below it.
	Files map[string]Blob
}

// A Blob is an object that is named by its digest.
type Blob struct {
	Digest release.Digest
	// Size is in bytes, decompressed.
	Size int64
}

type headJSON struct {
	Format        int                 `json:"format"`
	Release       string              `json:"release"`
	Revision      uint64              `json:"revision"`
	Extensionless bool                `json:"extensionless,omitempty"`
	Chunks        []blobJSON          `json:"chunks"`
	Files         map[string]blobJSON `json:"files"`
}

type blobJSON struct {
	Digest string `json:"digest"`
	Size   int64  `json:"size"`
}

func (b Blob) json() blobJSON { return blobJSON{b.Digest.String(), b.Size} }

// Encode returns the bytes of a head.
func (h *Head) Encode() ([]byte, error) {
	out := headJSON{Format: format, Release: h.Release, Revision: h.Revision, Extensionless: h.Extensionless, Chunks: []blobJSON{}, Files: map[string]blobJSON{}}
	for _, b := range h.Chunks {
		out.Chunks = append(out.Chunks, b.json())
	}
	for name, b := range h.Files {
		out.Files[name] = b.json()
	}
	data, err := json.Marshal(out)
	return append(data, '\n'), err
}

// errGarbage means that data is invalid.
var errGarbage = errors.New("it is damaged, or was not written by 'souk publish --for-servers'")

// ErrUnchanged means that the head is the known one; ErrAbsent means that nothing is at a key.
var (
	ErrUnchanged = errors.New("the head has not changed")
	ErrAbsent    = errors.New("there is nothing there")
)

// MaxHeadSize is the maximum size of a head, in bytes.
const MaxHeadSize = 64 << 20

// The maximum numbers of chunks and bytes that are accepted in a head.
const (
	mostChunks = 1 << 16
	mostBlob   = 4 << 30
)

// ParseHead parses a head.
func ParseHead(data []byte) (*Head, error) {
	var in headJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("%w: %w", errGarbage, err)
	}
	if in.Format != format {
		return nil, fmt.Errorf("it has format %d, but this souk reads format %d: publish and serve with the same version of souk", in.Format, format)
	}
	n := len(in.Chunks)
	if _, err := parseDigest(in.Release); err != nil || n == 0 || n > mostChunks || n&(n-1) != 0 {
		return nil, errGarbage
	}
	h := &Head{Release: in.Release, Revision: in.Revision, Extensionless: in.Extensionless, Files: map[string]Blob{}}
	for _, b := range in.Chunks {
		blob, err := b.blob()
		if err != nil {
			return nil, err
		}
		h.Chunks = append(h.Chunks, blob)
	}
	for name, b := range in.Files {
		blob, err := b.blob()
		if err != nil {
			return nil, err
		}
		if !local(name) || !InRelease(name) {
			return nil, fmt.Errorf("%w: it names the file %q", errGarbage, name)
		}
		h.Files[name] = blob
	}
	return h, nil
}

func (b blobJSON) blob() (blob Blob, err error) {
	blob.Size = b.Size
	if blob.Digest, err = parseDigest(b.Digest); err != nil || b.Size < 0 || b.Size > mostBlob {
		return blob, errGarbage
	}
	return blob, nil
}

func parseDigest(text string) (d release.Digest, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || copy(d[:], b) != len(d) || len(b) != len(d) {
		return d, errGarbage
	}
	return d, nil
}

// local reports whether a slash-separated path is below a folder, in its canonical form.
func local(name string) bool {
	return name != "" && name == path.Clean(name) && name != "." && !path.IsAbs(name) &&
		name != ".." && !strings.HasPrefix(name, "../") && !strings.ContainsAny(name, "\\:\x00")
}

// InRelease reports whether a file of the release folder belongs to the release and is copied.
// The log, of which each copy has its own, and staged or temporary files do not.
func InRelease(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first != "log" && !strings.HasPrefix(first, "log.") && !strings.HasPrefix(first, "stage-") &&
		!strings.HasPrefix(path.Base(name), durable.Aside) && !strings.HasSuffix(name, ".new") && first != "head" && !strings.HasPrefix(first, ".")
}

// DigestIn returns the digest at the start of a name, as in an immutable file's.
func DigestIn(name string) (release.Digest, bool) {
	stem, _, _ := strings.Cut(name, ".")
	d, err := parseDigest(stem)
	return d, err == nil
}
