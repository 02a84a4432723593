package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
)

const pngMark = "\x89PNG\r\n\x1a\n"

// pngKept are the chunks that a published PNG may have (PNG, third edition, section 5.6):
// its content, colors, resolution and animation.
var pngKept = map[string]bool{
	"IHDR": true, "PLTE": true, "IDAT": true, "IEND": true, "tRNS": true, "bKGD": true, "sBIT": true, "pHYs": true,
	"cHRM": true, "gAMA": true, "iCCP": true, "sRGB": true, "cICP": true, "mDCV": true, "cLLI": true,
	"acTL": true, "fcTL": true, "fdAT": true,
}

// pngChunks splits a PNG into its chunks, each with its length, name, content and checksum,
// up to the end of the picture. A truncated chunk is not returned.
func pngChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(name string, chunk []byte) bool) {
		const around = 12
		for rest, ok := tail(data, len(pngMark)); ok && len(rest) >= around; {
			size := uint64(binary.BigEndian.Uint32(rest)) + around
			if size > uint64(len(rest)) {
				return
			}
			name := string(rest[4:8])
			if !yield(name, rest[:size]) || name == "IEND" {
				return
			}
			rest = rest[size:]
		}
	}
}

// cleanPNG keeps the chunks in pngKept.
func cleanPNG(data []byte) (public []byte, turn int, err error) {
	out, turn, whole := grown(len(data)), upright, false
	out.WriteString(pngMark)
	for name, chunk := range pngChunks(data) {
		switch {
		case pngKept[name]:
			out.Write(chunk)
			whole = name == "IEND"
		case name == "eXIf":
			tiff, _ := bytes.CutPrefix(chunk[8:len(chunk)-4], []byte(exifMark))
			turn = tiffOrientation(tiff)
		case name[0]&0x20 == 0:
			return nil, turn, fmt.Errorf("the picture needs a chunk %q, which PNG does not have: export it again", name)
		}
	}
	if !whole {
		return nil, turn, errCutShort
	}
	return out.Bytes(), turn, nil
}
