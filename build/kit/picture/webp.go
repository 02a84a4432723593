package picture

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// The chunks that a published WebP may have, and those of a frame of an animation (RFC
// 9649, section 2.7).
var (
	webPKept  = map[string]bool{"VP8X": true, "ICCP": true, "ANIM": true, "ANMF": true, "ALPH": true, "VP8 ": true, "VP8L": true}
	frameKept = map[string]bool{"ALPH": true, "VP8 ": true, "VP8L": true}
)

// riffChunks splits data into chunks with a name, a size and a content. A truncated chunk
// has the name "".
func riffChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(name string, content []byte) bool) {
		for len(data) >= 8 {
			size := uint64(binary.LittleEndian.Uint32(data[4:]))
			if size > uint64(len(data)-8) {
				yield("", nil)
				return
			}
			if !yield(string(data[:4]), data[8:8+size]) {
				return
			}
			data = data[min(8+size+size%2, uint64(len(data))):]
		}
	}
}

func writeRIFF(out *bytes.Buffer, name string, content []byte) {
	out.WriteString(name)
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(content))))
	out.Write(content)
	if len(content)%2 == 1 {
		out.WriteByte(0)
	}
}

// cleanWebP keeps the chunks in webPKept, and clears the flags for Exif and XMP in an
// extended header.
func cleanWebP(data []byte) (public []byte, turn int, err error) {
	const exifFlag, xmpFlag, frameHeader = 0x08, 0x04, 16
	end := min(uint64(len(data)), 8+uint64(binary.LittleEndian.Uint32(data[4:])))
	out, turn := grown(len(data)), upright
	out.WriteString("WEBP")
	for name, content := range riffChunks(data[min(12, end):end]) {
		switch {
		case name == "" || name == "ANMF" && len(content) < frameHeader || name == "VP8X" && len(content) < 10:
			return nil, turn, errCutShort
		case name == "VP8X":
			header := bytes.Clone(content[:10])
			header[0] &^= exifFlag | xmpFlag
			writeRIFF(out, name, header)
		case name == "ANMF":
			frame := bytes.NewBuffer(bytes.Clone(content[:frameHeader]))
			for inner, part := range riffChunks(content[frameHeader:]) {
				if inner == "" {
					return nil, turn, errCutShort
				}
				if frameKept[inner] {
					writeRIFF(frame, inner, part)
				}
			}
			writeRIFF(out, name, frame.Bytes())
		case name == "EXIF":
			tiff, _ := bytes.CutPrefix(content, []byte(exifMark))
			turn = tiffOrientation(tiff)
		case webPKept[name]:
			writeRIFF(out, name, content)
		}
	}
	file := grown(out.Len() + 8)
	writeRIFF(file, "RIFF", out.Bytes())
	return file.Bytes(), turn, nil
}
