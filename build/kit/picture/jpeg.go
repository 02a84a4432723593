package picture

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// The JPEG markers that are distinguished here (ITU-T T.81, table B.1).
const (
	jpegStart     = 0xd8
	jpegEnd       = 0xd9
	jpegScan      = 0xda
	jpegApp0      = 0xe0
	jpegApp1      = 0xe1
	jpegApp2      = 0xe2
	jpegApp14     = 0xee
	jpegTemporary = 0x01
)

// jpegParts splits a JPEG into its marker segments, each starting with its marker. The
// coded data after the header of a scan belong to that segment. Data between segments and
// truncated segments are not returned.
func jpegParts(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(marker byte, part []byte) bool) {
		for at := 2; ; {
			next := bytes.IndexByte(data[min(at, len(data)):], 0xff)
			if at += next; next < 0 || at+1 >= len(data) {
				return
			}
			marker := data[at+1]
			switch {
			case marker == 0xff: // padding before a marker
				at++
				continue
			case marker == 0 || marker == jpegTemporary || marker >= 0xd0 && marker <= jpegStart:
				at += 2
				continue
			case marker == jpegEnd:
				yield(marker, data[at:at+2])
				return
			}
			if at+4 > len(data) {
				return
			}
			size := int(binary.BigEndian.Uint16(data[at+2:]))
			end := at + 2 + size
			if size < 2 || end > len(data) {
				return
			}
			if marker == jpegScan {
				end = jpegScanEnd(data, end)
			}
			if !yield(marker, data[at:end]) {
				return
			}
			at = end
		}
	}
}

// jpegScanEnd returns where the coded data of a scan end: at the first marker that is not a
// restart marker.
func jpegScanEnd(data []byte, at int) int {
	for {
		next := bytes.IndexByte(data[at:], 0xff)
		if next < 0 || at+next+1 >= len(data) {
			return len(data)
		}
		at += next
		switch marker := data[at+1]; {
		case marker == 0xff:
			at++
		case marker == 0 || marker >= 0xd0 && marker <= 0xd7:
			at += 2
		default:
			return at
		}
	}
}

// cleanJPEG keeps what is needed to show the picture, and its color profile.
func cleanJPEG(data []byte) (public []byte, turn int, err error) {
	out, turn := grown(len(data)+2), upright
	out.Write(data[:2])
	exif, scans := false, 0
	for marker, part := range jpegParts(data) {
		body := part[min(4, len(part)):]
		switch {
		case marker == jpegEnd:
		case marker == jpegScan:
			scans++
			out.Write(part)
		case marker == jpegApp1:
			if tiff, found := bytes.CutPrefix(body, []byte(exifMark)); found && !exif && scans == 0 {
				exif, turn = true, tiffOrientation(tiff)
			}
		case marker == jpegApp0 && len(body) >= 14 && bytes.HasPrefix(body, []byte("JFIF\x00")):
			out.Write([]byte{0xff, jpegApp0, 0, 16})
			out.Write(body[:12])
			out.Write([]byte{0, 0}) // the size of the thumbnail
		case marker == jpegApp2 && bytes.HasPrefix(body, []byte(iccMark)):
			out.Write(part)
		case marker == jpegApp14 && len(body) >= 12 && bytes.HasPrefix(body, []byte("Adobe")):
			out.Write([]byte{0xff, jpegApp14, 0, 14})
			out.Write(body[:12])
		case shapesJPEG(marker):
			out.Write(part)
		}
	}
	if scans == 0 {
		return nil, turn, errCutShort
	}
	// A picture without an end is shown as far as it goes.
	out.Write([]byte{0xff, jpegEnd})
	return out.Bytes(), turn, nil
}

const (
	exifMark = "Exif\x00\x00"
	iccMark  = "ICC_PROFILE\x00" // ICC.1:2022, annex B.4
)

// shapesJPEG reports whether a decoder needs a segment: frames, tables, the number of lines
// and the restart interval.
func shapesJPEG(marker byte) bool {
	switch marker {
	case 0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdc, 0xdd:
		return true
	}
	return false
}
