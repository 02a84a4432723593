package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/webp"
)

// Info describes a picture, as found in its bytes. The zero Info means that it is none of
// the five known types.
type Info struct {
	// Type is the media type: image/png, image/jpeg, image/gif, image/webp or
	// image/svg+xml.
	Type string
	// Extension is the usual file extension, without the dot: png, jpg, gif, webp or svg.
	Extension string
	// Width and Height are in pixels as a browser shows the picture, and both 0 if unknown.
	// For SVG they are the rounded size of the viewBox, or else of the width and height
	// attributes.
	Width, Height int
}

// Fault is a reason why a picture may not be published, or a warning.
type Fault struct {
	// Line and Column are the position, counted from 1, with columns in characters; a byte
	// order mark is not counted. Both are 0 for binary pictures, which have no such
	// position.
	Line, Column int
	// Text says what is wrong and how to fix it.
	Text string
	// Warning marks something that should be fixed but does not prevent publication.
	Warning bool
}

// Limits of pictures that may be published. Browsers use four bytes for every pixel, and
// several reject sides beyond about 32,000 pixels.
const (
	maxSide   = 30_000
	maxPixels = 100_000_000
)

// Inspect finds out what data is and why it may not be published. Without faults it may be.
// The Info is filled in as far as it could be read, even if there are faults.
func Inspect(data []byte) (Info, []Fault) {
	if f := rasterFormatOf(data); f != nil {
		return inspectRaster(*f, data)
	}
	if isMarkup(data) {
		d := readSVG(data)
		return d.info, d.faults
	}
	return Info{}, []Fault{{Text: noPicture(data)}}
}

const (
	notOneOfFive     = "this is not a PNG, JPEG, GIF, WebP or SVG picture; "
	mendNotOneOfFive = ": export it as one of the five"
)

// noPicture returns the text of the fault for a file that is none of the five types.
func noPicture(data []byte) string {
	return notOneOfFive + "it looks like " + lookOf(data) + mendNotOneOfFive
}

// rasterFormat is a picture format with its size in a binary header.
type rasterFormat struct {
	info    Info
	matches func([]byte) bool
	config  func(io.Reader) (image.Config, error)
	// clean returns the picture without metadata, and the orientation found there. turn
	// rotates a clean picture; it is nil if that is not supported.
	clean func([]byte) (public []byte, orientation int, err error)
	turn  func(public []byte, orientation int) ([]byte, error)
}

// The prefixes are shorter than the full signatures, so that a file truncated within its
// signature is still recognized.
var rasterFormats = []rasterFormat{
	{Info{Type: "image/png", Extension: "png"}, beginsWith("\x89PNG"), png.DecodeConfig, cleanPNG, turnPNG},
	{Info{Type: "image/jpeg", Extension: "jpg"}, beginsWith("\xff\xd8"), jpeg.DecodeConfig, cleanJPEG, turnJPEG},
	{Info{Type: "image/gif", Extension: "gif"}, beginsWith("GIF8"), gif.DecodeConfig, cleanGIF, nil},
	{Info{Type: "image/webp", Extension: "webp"}, isWebP, webp.DecodeConfig, cleanWebP, nil},
}

func beginsWith(magic string) func([]byte) bool {
	return func(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }
}

func isWebP(data []byte) bool {
	return len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP"
}

func inspectRaster(f rasterFormat, data []byte) (Info, []Fault) {
	info := f.info
	config, err := f.config(bytes.NewReader(data))
	// The GIF decoder does not wrap the errors of its reader.
	if errors.Is(err, io.EOF) || err != nil && strings.HasSuffix(err.Error(), io.ErrUnexpectedEOF.Error()) {
		return info, []Fault{{Text: "the file ends within the header of the picture, so it was cut short: " +
			"export or copy it again"}}
	}
	if err != nil {
		return info, []Fault{{Text: fmt.Sprintf("the header of the picture cannot be read (%v): export it again", err)}}
	}
	info.Width, info.Height = config.Width, config.Height
	if info.Type == "image/jpeg" && swapsSides(orientation(data)) {
		info.Width, info.Height = info.Height, info.Width
	}
	return info, sizeFaults(info.Width, info.Height)
}

func sizeFaults(width, height int) []Fault {
	switch {
	case width <= 0 || height <= 0:
		return []Fault{{Text: fmt.Sprintf("the picture is %d × %d pixels, so there is nothing to show: "+
			"export it with a width and a height", width, height)}}
	case width > maxSide || height > maxSide:
		return []Fault{{Text: fmt.Sprintf("the picture is %d × %d pixels, and a side may have at most %d: "+
			"scale it down", width, height, maxSide)}}
	case int64(width)*int64(height) > maxPixels:
		return []Fault{{Text: fmt.Sprintf("the picture is %d × %d pixels, and it may have at most %d megapixels: "+
			"scale it down", width, height, maxPixels/1_000_000)}}
	}
	return nil
}
