package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"io"
)

// A profile is a picture's color profile (ICC.1:2022). It is empty for sRGB, and for colors
// that are treated like it.
type profile []byte

// maxProfile is the size of a profile that fits into one segment of a JPEG. Larger ones are
// used by printing presses.
const maxProfile = 65_000

// profileOf returns the color profile; ok is false for colors that would be lost.
func profileOf(f rasterFormat, public []byte) (p profile, ok bool) {
	switch f.info.Type {
	case "image/jpeg":
		for marker, part := range jpegParts(public) {
			if marker == jpegApp2 && len(part) > 4+len(iccMark)+2 {
				p = append(p, part[4+len(iccMark)+2:]...)
			}
		}
	case "image/png":
		return pngProfile(public)
	case "image/webp":
		for name, content := range riffChunks(public[12:]) {
			if name == "ICCP" {
				p = content
			}
		}
	}
	return p, len(p) <= maxProfile
}

// The gamma and the chromaticities of a PNG in sRGB (PNG, third edition, section 11.3.2.5),
// which can be omitted.
var (
	gammaOfSRGB      = binary.BigEndian.AppendUint32(nil, 45455)
	chromasticOfSRGB = func() (b []byte) {
		for _, v := range []uint32{31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000} {
			b = binary.BigEndian.AppendUint32(b, v)
		}
		return b
	}()
)

func pngProfile(public []byte) (p profile, ok bool) {
	var standard, odd bool
	for name, chunk := range pngChunks(public) {
		content := chunk[8 : len(chunk)-4]
		switch name {
		case "cICP", "mDCV", "cLLI": // more than eight bits of brightness
			return nil, false
		case "sRGB":
			standard = true
		case "gAMA":
			odd = odd || !bytes.Equal(content, gammaOfSRGB)
		case "cHRM":
			odd = odd || !bytes.Equal(content, chromasticOfSRGB)
		case "iCCP":
			if p, ok = inflated(content); !ok {
				return nil, false
			}
		}
	}
	return p, !odd || standard || len(p) > 0
}

// inflated returns the profile in an iCCP chunk.
func inflated(content []byte) (profile, bool) {
	_, rest, found := bytes.Cut(content, []byte{0})
	if !found || len(rest) == 0 {
		return nil, false
	}
	r, err := zlib.NewReader(bytes.NewReader(rest[1:]))
	if err != nil {
		return nil, false
	}
	defer r.Close()
	p, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
	return p, err == nil && len(p) <= maxProfile
}

// fits reports whether a profile applies to the colors of m.
func (p profile) fits(m image.Image) bool {
	if len(p) == 0 {
		return true
	}
	const space = 16
	if len(p) < space+4 {
		return false
	}
	_, grey := m.(*image.Gray)
	switch string(p[space : space+4]) {
	case "RGB ":
		return !grey
	case "GRAY":
		return grey
	}
	return false
}

func (p profile) intoJPEG(data []byte) []byte {
	if len(p) == 0 {
		return data
	}
	body := append([]byte(iccMark+"\x01\x01"), p...)
	head := binary.BigEndian.AppendUint16([]byte{0xff, jpegApp2}, uint16(len(body)+2))
	return bytes.Join([][]byte{data[:2], head, body, data[2:]}, nil)
}

func (p profile) intoPNG(data []byte) []byte {
	if len(p) == 0 {
		return data
	}
	const header = len(pngMark) + 25 // including the IHDR chunk
	var packed bytes.Buffer
	packed.WriteString("iCCPicc\x00\x00")
	z := zlib.NewWriter(&packed)
	z.Write(p) // writing to a Buffer cannot fail
	z.Close()
	chunk := binary.BigEndian.AppendUint32(nil, uint32(packed.Len()-4))
	chunk = append(chunk, packed.Bytes()...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(packed.Bytes()))
	return bytes.Join([][]byte{data[:header], chunk, data[header:]}, nil)
}
