package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
)

func encoded(t testing.TB, encode func(io.Writer, image.Image) error, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	picture := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black, color.White})
	if err := encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }
func asGIF(w io.Writer, m image.Image) error  { return gif.Encode(w, m, nil) }

// chunk returns a chunk of a RIFF file: a name of four letters, the size, and the content
// padded to an even length.
func chunk(name string, content ...byte) []byte {
	b := append([]byte(name), binary.LittleEndian.AppendUint32(nil, uint32(len(content)))...)
	b = append(b, content...)
	if len(content)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

func webP(chunks ...[]byte) []byte {
	return chunk("RIFF", append([]byte("WEBP"), bytes.Join(chunks, nil)...)...)
}

// The three headers of WebP (RFC 9649 and RFC 6386), all for pictures of 5 by 3 pixels.
var (
	lossyChunk    = chunk("VP8 ", 0x10, 0, 0, 0x9d, 0x01, 0x2a, 5, 0, 3, 0)
	losslessChunk = chunk("VP8L", 0x2f, 4, 0x80, 0, 0)
)

func extendedChunk(flags byte) []byte {
	return chunk("VP8X", flags, 0, 0, 0, 4, 0, 0, 2, 0, 0)
}

func TestInspectReturnsTypeAndSizeOfBinaryPictures(t *testing.T) {
	const animated, alpha = 1 << 1, 1 << 4
	frame := make([]byte, 16)
	tests := []struct {
		name      string
		data      []byte
		mediaType string
		extension string
	}{
		{"PNG", encoded(t, png.Encode, 5, 3), "image/png", "png"},
		{"JPEG", encoded(t, asJPEG, 5, 3), "image/jpeg", "jpg"},
		{"GIF", encoded(t, asGIF, 5, 3), "image/gif", "gif"},
		{"lossy WebP", webP(lossyChunk), "image/webp", "webp"},
		{"lossless WebP", webP(losslessChunk), "image/webp", "webp"},
		{"extended WebP with metadata", webP(extendedChunk(1<<3), lossyChunk), "image/webp", "webp"},
		{"extended WebP with alpha", webP(extendedChunk(alpha), chunk("ALPH", 0), lossyChunk), "image/webp", "webp"},
		{"animated WebP", webP(extendedChunk(animated|alpha), chunk("ANIM", 0, 0, 0, 0, 0, 0),
			chunk("ANMF", append(frame, losslessChunk...)...)), "image/webp", "webp"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			info, faults := Inspect(tt.data)
			if want := (Info{tt.mediaType, tt.extension, 5, 3}); info != want || len(faults) != 0 {
				t.Errorf("got %+v with faults %v, want %+v", info, faults, want)
			}
		})
	}
}

func TestInspectNeedsOnlyTheHeader(t *testing.T) {
	for name, header := range map[string][]byte{
		"PNG": encoded(t, png.Encode, 500, 300)[:100],
		"GIF": encoded(t, asGIF, 500, 300)[:60],
		// The encoder writes the frame header after 135 bytes of tables.
		"JPEG": encoded(t, asJPEG, 500, 300)[:600],
	} {
		if info, faults := Inspect(header); info.Width != 500 || info.Height != 300 || len(faults) != 0 {
			t.Errorf("%s: got %+v with faults %v", name, info, faults)
		}
	}
}

// withOrientation inserts an Exif segment after the start of a JPEG.
func withOrientation(jpeg []byte, order binary.AppendByteOrder, mark string, value uint16) []byte {
	tiff := []byte(mark)
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2)
	for _, entry := range [][2]uint16{{0x0100, 77}, {0x0112, value}} {
		tiff = order.AppendUint16(tiff, entry[0])
		tiff = order.AppendUint16(tiff, 3)
		tiff = order.AppendUint32(tiff, 1)
		tiff = order.AppendUint16(tiff, entry[1])
		tiff = order.AppendUint16(tiff, 0)
	}
	body := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2))
	return bytes.Join([][]byte{jpeg[:2], segment, body, jpeg[2:]}, nil)
}

func TestInspectAppliesTheOrientationOfJPEG(t *testing.T) {
	plain := encoded(t, asJPEG, 5, 3)
	for value := range uint16(11) {
		for mark, order := range map[string]binary.AppendByteOrder{
			"II*\x00": binary.LittleEndian, "MM\x00*": binary.BigEndian,
		} {
			info, faults := Inspect(withOrientation(plain, order, mark, value))
			turned := value >= 5 && value <= 8
			if (info.Width == 3) != turned || (info.Height == 5) != turned || len(faults) != 0 {
				t.Errorf("orientation %d in %q: got %+v with faults %v", value, mark, info, faults)
			}
		}
	}
}

func TestInspectIgnoresInvalidOrientation(t *testing.T) {
	whole := withOrientation(encoded(t, asJPEG, 5, 3), binary.BigEndian, "MM\x00*", 6)
	for i := 12; i < 50; i++ {
		broken := bytes.Clone(whole)
		broken[i] ^= 0xff
		if info, _ := Inspect(broken); info.Type != "image/jpeg" {
			t.Errorf("byte %d changed: got %+v", i, info)
		}
	}
}

// pngOfSize changes the size in the header of a small PNG.
func pngOfSize(t testing.TB, width, height uint32) []byte {
	b := encoded(t, png.Encode, 1, 1)
	binary.BigEndian.PutUint32(b[16:], width)
	binary.BigEndian.PutUint32(b[20:], height)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

func gifOfSize(t testing.TB, width, height uint16) []byte {
	b := encoded(t, asGIF, 1, 1)
	binary.LittleEndian.PutUint16(b[6:], width)
	binary.LittleEndian.PutUint16(b[8:], height)
	return b
}

func TestInspectRejectsInvalidBinaryPictures(t *testing.T) {
	tests := []struct {
		name      string
		data      []byte
		mediaType string
		text      string
	}{
		{"PNG cut within its signature", encoded(t, png.Encode, 5, 3)[:6], "image/png", "cut short"},
		{"PNG cut within its header", encoded(t, png.Encode, 5, 3)[:20], "image/png", "cut short"},
		{"PNG with a wrong checksum", append(encoded(t, png.Encode, 5, 3)[:29], make([]byte, 40)...), "image/png", "cannot be read"},
		{"JPEG cut within its header", encoded(t, asJPEG, 5, 3)[:20], "image/jpeg", "cut short"},
		{"JPEG of two bytes", []byte("\xff\xd8"), "image/jpeg", "cut short"},
		{"GIF cut within its header", encoded(t, asGIF, 5, 3)[:8], "image/gif", "cut short"},
		{"WebP cut within its header", webP(lossyChunk)[:24], "image/webp", "cut short"},
		{"WebP without a picture", webP(chunk("EXIF", 1, 2)), "image/webp", "cannot be read"},
		{"GIF of no width", gifOfSize(t, 0, 7), "image/gif", "0 × 7 pixels"},
		{"GIF of no height", gifOfSize(t, 7, 0), "image/gif", "7 × 0 pixels"},
		{"GIF with a long side", gifOfSize(t, 30001, 1), "image/gif", "at most 30000"},
		{"PNG with a long side", pngOfSize(t, 1, 30001), "image/png", "at most 30000"},
		{"PNG with too many pixels", pngOfSize(t, 20000, 5001), "image/png", "at most 100 megapixels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			info, faults := Inspect(tt.data)
			if info.Type != tt.mediaType || len(faults) != 1 || !strings.Contains(faults[0].Text, tt.text) {
				t.Errorf("got %+v with faults %v, want %s with one fault saying %q", info, faults, tt.mediaType, tt.text)
			}
			if len(faults) > 0 && (faults[0].Line != 0 || faults[0].Column != 0) {
				t.Errorf("fault at %d:%d of a binary picture", faults[0].Line, faults[0].Column)
			}
		})
	}
}

func TestInspectAcceptsPicturesAtTheLimits(t *testing.T) {
	for name, data := range map[string][]byte{
		"long":  pngOfSize(t, 30000, 1),
		"large": pngOfSize(t, 20000, 5000),
	} {
		if _, faults := Inspect(data); len(faults) != 0 {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

func TestInspectNamesOtherFileTypes(t *testing.T) {
	tests := []struct{ data, look string }{
		{"", "an empty file"},
		{"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00", "BMP"},
		{"BMW is a maker of cars", "plain text"},
		{"II*\x00\x08\x00\x00\x00", "TIFF"},
		{"MM\x00*\x00\x00\x00\x08", "TIFF"},
		{"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00", "AVIF"},
		{"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", "HEIC"},
		{"\x00\x00\x00\x18ftypisom\x00\x00\x00\x00", "a video"},
		{"\x00\x00\x01\x00\x01\x00", "an icon"},
		{"\xff\x0a\x01", "JPEG XL"},
		{"%PDF-1.7 <svg", "PDF"},
		{"%!PS-Adobe-3.0 EPSF-3.0", "PostScript"},
		{"8BPS\x00\x01", "Photoshop"},
		{"\x1f\x8b\x08", "gzip"},
		{"PK\x03\x04", "ZIP"},
		{"RIFF\x24\x00\x00\x00WAVEfmt ", "RIFF"},
		{"version https://git-lfs.github.com/spec/v1\n", "Git LFS"},
		{"\xff\xfe<\x00s\x00v\x00g\x00", "UTF-16"},
		{"<!DOCTYPE html><html><svg></svg></html>", "HTML"},
		{"\ufeff\n <HTML>", "HTML"},
		{"# A picture", "plain text"},
		{"<3 you", "plain text"},
		{"\x01\x02\x03", "another kind of file"},
		{"<rss><channel/></rss>", `an XML document of "rss"`},
		{"<rss><svg/></rss>", `an XML document of "rss"`},
	}
	for _, tt := range tests {
		info, faults := Inspect([]byte(tt.data))
		if info != (Info{}) || len(faults) != 1 || !strings.Contains(faults[0].Text, tt.look) {
			t.Errorf("%.20q: got %+v with faults %v, want one fault saying %q", tt.data, info, faults, tt.look)
		}
	}
}
