package picture

import (
	"bytes"
	"errors"
)

// Clean returns data as it is published: the same picture without metadata. The Info
// describes the published bytes. If there are faults other than warnings, the picture must
// not be published and public is nil.
//
// Clean removes Exif, XMP, IPTC, texts, comments, thumbnails, private data of drawing
// programs and everything after the end of a picture. It keeps color profiles, resolution
// and animation. It rotates a JPEG or PNG picture if its Exif data says so. Cleaning a
// clean picture changes nothing.
func Clean(data []byte) (public []byte, info Info, faults []Fault) {
	f := rasterFormatOf(data)
	if f == nil {
		if !isMarkup(data) {
			info, faults = Inspect(data)
			return nil, info, faults
		}
		return cleanSVG(data)
	}
	if info, faults = inspectRaster(*f, data); len(faults) > 0 {
		return nil, info, faults
	}
	public, turn, err := f.clean(data)
	if err == nil && turn != upright {
		public, err = turned(f, public, turn)
	}
	if err != nil {
		return nil, info, []Fault{{Text: err.Error()}}
	}
	info, faults = inspectRaster(*f, public)
	return public, info, faults
}

func rasterFormatOf(data []byte) *rasterFormat {
	for i := range rasterFormats {
		if rasterFormats[i].matches(data) {
			return &rasterFormats[i]
		}
	}
	return nil
}

var errCutShort = errors.New("the file ends before the picture does, so it was cut short: export or copy it again")

// tail returns the bytes after the first size bytes; ok is false if there are fewer.
func tail(data []byte, size int) ([]byte, bool) {
	if size < 0 || size > len(data) {
		return nil, false
	}
	return data[size:], true
}

// grown returns an empty buffer with that capacity.
func grown(size int) *bytes.Buffer {
	var out bytes.Buffer
	out.Grow(size)
	return &out
}
