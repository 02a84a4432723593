package publish

import (
	"encoding/binary"
	"hash/fnv"
	"strings"

	"souk/build/delivery/replica"
	"souk/build/document"
	"souk/build/release"
)

// formVersion changes with everything that is written besides an object's bytes.
const formVersion = 1

// An object is a file of the release in the form in which it is published.
type object struct {
	key, file string
	entry     release.Entry
	// encoding is "" or "gzip".
	encoding string
	form     uint64
}

// layout says how files become objects.
type layout struct {
	extensionless, gzip bool
	// twins means that compressed twins are separate files next to their documents.
	twins bool
}

// keyOf returns the key of a file. Without extensions it is the address. Descriptions and
// the release keep .json; the home page is index.html, which stores serve for the root; and
// pages that the host shows at other addresses keep their names.
func (l layout) keyOf(file string) string {
	switch {
	case !l.extensionless, isPrivate(file), document.NamesFile(file), isGone(file), file == document.HomeFile:
		return file
	case strings.HasPrefix(file, apiFolder):
		return strings.TrimSuffix(file, ".json")
	case isPage(file):
		return strings.TrimSuffix(file, ".html")
	}
	return file
}

// fileOf returns the file of a key, in either layout.
func fileOf(key string) string {
	switch {
	case isPrivate(key):
	case strings.HasPrefix(key, apiFolder):
		if !strings.HasSuffix(key, ".json") && !document.IsLines(key) {
			return key + ".json"
		}
	case isPage(key + ".html"):
		return key + ".html"
	}
	return key
}

// isPage reports whether a file is a page with its own address.
func isPage(file string) bool {
	_, page := document.DocumentOf(file)
	return page || document.IsFilled(file) || file == document.ReferenceFile
}

const apiFolder = "api/v1/"

func isGone(file string) bool {
	_, gone := document.IsGone(file)
	return gone
}

// object returns the object of a file.
func (l layout) object(file string, e release.Entry) object {
	o := object{key: l.keyOf(file), file: file, entry: e}
	// The next run reads the description of the release back.
	if l.gzip && e.Gzip > 0 && file != document.ReleaseFile {
		o.encoding = "gzip"
	}
	h := fnv.New64a()
	m := describe(o)
	for _, part := range []string{m.contentType, m.cacheControl, m.encoding} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	numbers := []int64{formVersion}
	if l.twins {
		numbers = append(numbers, e.ModTime, e.Gzip, e.Brotli)
	}
	for _, n := range numbers {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	}
	o.form = h.Sum64()
	return o
}

// A phase is a part of a publish; each ends before the next begins.
type phase uint8

// The phases, in order. New objects exist before anything refers to them, and old ones are
// deleted when nothing refers to them any more. The description of the release, which
// announces it, comes last. Removals wait for none of this.
const (
	phaseRemovals phase = iota
	phasePictures
	phaseDocuments
	phaseLists
	phaseDeletions
	phaseDescription
	// The head names what servers copy; objects that only the previous head names are
	// deleted after it.
	phaseHead
	phaseReplaced
	phases
)

var phaseNames = [phases]string{"removals", "pictures", "documents", "lists", "deletions", "description", "head", "replaced"}

func (p phase) String() string { return phaseNames[p] }

// phaseOf returns the phase in which a file is uploaded. A page is uploaded with its
// document, after the style sheet and the script that it uses.
func phaseOf(file string) phase {
	switch {
	case file == replica.HeadKey:
		return phaseHead
	case isPrivate(file):
		return phaseDocuments
	case isGone(file):
		return phaseRemovals
	case file == document.ReleaseFile:
		return phaseDescription
	case strings.HasPrefix(file, document.MediaFolder), strings.HasPrefix(file, document.AssetFolder):
		return phasePictures
	}
	if document.IsShard(file) {
		return phaseDocuments // the manifest names it
	}
	if of, page := document.DocumentOf(file); page {
		file = of
	}
	path, ok := strings.CutPrefix(file, apiFolder+"marketplace/")
	if !ok || strings.Contains(path, "/pages/") {
		return phaseLists
	}
	for _, folder := range []string{"companies/", "articles/", "market-maps/"} {
		if strings.HasPrefix(path, folder) {
			return phaseDocuments
		}
	}
	return phaseLists
}
