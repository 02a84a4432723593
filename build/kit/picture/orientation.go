package picture

import (
	"bytes"
	"encoding/binary"
)

// upright is the orientation of a picture that does not specify one.
const upright = 1

// swapsSides reports whether an orientation rotates the picture by a quarter turn, which
// swaps width and height. The values are those of the Orientation tag of the Exif standard
// (JEITA CP-3451, 4.6.4 A).
func swapsSides(orientation int) bool { return orientation >= 5 && orientation <= 8 }

// orientation reads the Exif orientation, 1 to 8, from the segments before the image data
// of a JPEG. Like browsers, it treats anything missing or invalid as upright.
func orientation(jpeg []byte) int {
	for marker, part := range jpegParts(jpeg) {
		if marker == jpegScan || marker == jpegEnd {
			break
		}
		if tiff, found := bytes.CutPrefix(part[4:], []byte(exifMark)); found && marker == jpegApp1 {
			return tiffOrientation(tiff)
		}
	}
	return upright
}

// tiffOrientation reads the orientation from the first directory of a TIFF structure (TIFF
// 6.0, section 2).
func tiffOrientation(tiff []byte) int {
	const (
		orientationTag = 0x0112
		typeShort      = 3
		entrySize      = 12
	)
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(tiff, []byte("II*\x00")):
		order = binary.LittleEndian
	case bytes.HasPrefix(tiff, []byte("MM\x00*")):
		order = binary.BigEndian
	default:
		return upright
	}
	if len(tiff) < 8 {
		return upright
	}
	directory := uint64(order.Uint32(tiff[4:]))
	if directory+2 > uint64(len(tiff)) {
		return upright
	}
	entries := tiff[directory+2:]
	for range order.Uint16(tiff[directory:]) {
		if len(entries) < entrySize {
			break
		}
		if order.Uint16(entries) == orientationTag && order.Uint16(entries[2:]) == typeShort {
			if value := int(order.Uint16(entries[8:])); value >= 1 && value <= 8 {
				return value
			}
			break
		}
		entries = entries[entrySize:]
	}
	return upright
}
