package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"golang.org/x/image/webp"
)

// needle is text in the metadata of a picture.
const needle = "taken at 47.3769N 8.5417E"

// photo returns a picture with different corners, so that a rotation can be detected.
func photo(width, height int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.NRGBA{uint8(255 * x / width), uint8(255 * y / height), 90, 255})
		}
	}
	return m
}

func segment(marker byte, body string) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
}

func pngChunk(name, content string) []byte {
	b := append(binary.BigEndian.AppendUint32(nil, uint32(len(content))), name+content...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

func gifExtensionOf(label byte, blocks ...string) []byte {
	b := []byte{0x21, label}
	for _, block := range blocks {
		b = append(append(b, byte(len(block))), block...)
	}
	return append(b, 0)
}

// inserted returns data with pieces inserted at a position.
func inserted(data []byte, at int, pieces ...[]byte) []byte {
	return bytes.Join([][]byte{data[:at], bytes.Join(pieces, nil), data[at:]}, nil)
}

func laden(t testing.TB) map[string]struct{ plain, laden []byte } {
	type pair = struct{ plain, laden []byte }
	jpg, pngs, gifs := encoded(t, asJPEG, 5, 3), encoded(t, png.Encode, 5, 3), encoded(t, asGIF, 5, 3)
	gifHead := 13 + gifColours(gifs[10])
	lossless := webP(losslessChunk)
	return map[string]pair{
		"JPEG": {jpg, append(inserted(jpg, 2,
			segment(0xe0, "JFIF\x00\x01\x02\x00\x00\x01\x00\x01\x09\x01"+needle+"!!"), segment(0xe0, "JFXX\x00\x13"+needle),
			segment(0xe1, exifMark+"II*\x00\x08\x00\x00\x00\x00\x00"+needle), segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+needle),
			segment(0xe2, "MPF\x00"+needle), segment(0xed, "Photoshop 3.0\x00"+needle), segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x01"+needle),
			segment(0xfe, needle)), needle...)},
		"PNG": {pngs, append(inserted(pngs, 33,
			pngChunk("tEXt", "Comment\x00"+needle), pngChunk("iTXt", needle), pngChunk("zTXt", needle), pngChunk("eXIf", "II*\x00"+needle),
			pngChunk("tIME", needle), pngChunk("sPLT", needle), pngChunk("prVt", needle), pngChunk("gAMA", "\x00\x00\xb1\x8f")), needle...)},
		"GIF": {gifs, append(inserted(gifs, gifHead,
			gifExtensionOf(0xfe, needle), gifExtensionOf(0xff, "XMP DataXMP", needle), gifExtensionOf(0x01, strings.Repeat("a", 12), needle),
			gifExtensionOf(0xff, "NETSCAPE2.0", "\x01\x02\x00", needle), gifExtensionOf(0xf9, "\x00\x05\x00\x00"), gifExtensionOf(0x77, needle)), needle...)},
		"WebP": {webP(extendedChunk(0x10), losslessChunk), append(webP(extendedChunk(0x10|0x08|0x04), losslessChunk,
			chunk("EXIF", []byte("II*\x00"+needle)...), chunk("XMP ", []byte(needle)...), chunk("abcd", []byte(needle)...)), needle...)},
		"simple WebP": {lossless, webP(losslessChunk, chunk("XMP ", []byte(needle)...))},
		"animated WebP": {nil, webP(extendedChunk(0x02), chunk("ANIM", 0, 0, 0, 0, 0, 0),
			chunk("ANMF", append(make([]byte, 16), append(losslessChunk, chunk("abcd", []byte(needle)...)...)...)...))},
		"SVG": {nil, []byte(inSVG(`<image href="data:image/png;base64,` + base64.StdEncoding.EncodeToString(inserted(pngs, 33, pngChunk("tEXt", needle))) +
			`"/><image href="data:image/gif;base64,` + base64.StdEncoding.EncodeToString(inserted(gifs, gifHead, gifExtensionOf(0xfe, needle))) + `"/>`))},
	}
}

func TestMetadataOfAPictureIsNotPublished(t *testing.T) {
	for name, p := range laden(t) {
		public, info, faults := Clean(p.laden)
		if len(faults) != 0 || info.Width != 5 || info.Height != 3 {
			t.Errorf("%s: %+v with faults %v", name, info, faults)
			continue
		}
		whole := string(public)
		for _, part := range strings.FieldsFunc(whole, func(r rune) bool { return strings.ContainsRune(`",()`, r) }) {
			if packed, err := base64.StdEncoding.DecodeString(part); err == nil {
				whole += string(packed)
			}
		}
		if strings.Contains(whole, needle) || strings.Contains(whole, "8.5417E") {
			t.Errorf("%s tells where it was taken", name)
		}
		samePixels(t, name, p.laden, public)
		if again, _, _ := Clean(public); !bytes.Equal(again, public) {
			t.Errorf("%s: cleaned twice it differs", name)
		}
		if p.plain != nil {
			if public, _, faults := Clean(p.plain); !bytes.Equal(public, p.plain) {
				t.Errorf("%s: a clean picture changed, with faults %v", name, faults)
			}
		}
	}
}

func decodeRaster(data []byte) (image.Image, error) {
	switch rasterFormatOf(data).info.Extension {
	case "png":
		return png.Decode(bytes.NewReader(data))
	case "jpg":
		return jpeg.Decode(bytes.NewReader(data))
	case "gif":
		return gif.Decode(bytes.NewReader(data))
	}
	return webp.Decode(bytes.NewReader(data))
}

// samePixels checks that two pictures show the same, if the first shows anything.
func samePixels(t *testing.T, name string, a, b []byte) {
	t.Helper()
	if rasterFormatOf(a) == nil {
		return
	}
	before, err := decodeRaster(a)
	if err != nil {
		return
	}
	after, err := decodeRaster(b)
	if err != nil || after.Bounds() != before.Bounds() {
		t.Fatalf("%s: the clean picture does not decode as before: %v", name, err)
	}
	for y := before.Bounds().Min.Y; y < before.Bounds().Max.Y; y++ {
		for x := before.Bounds().Min.X; x < before.Bounds().Max.X; x++ {
			if before.At(x, y) != after.At(x, y) {
				t.Fatalf("%s: pixel %d, %d differs", name, x, y)
			}
		}
	}
}

func TestColourProfileResolutionAndLoopAreKept(t *testing.T) {
	jpg, pngs, gifs := encoded(t, asJPEG, 5, 3), encoded(t, png.Encode, 5, 3), encoded(t, asGIF, 5, 3)
	profile := segment(0xe2, iccMark+"\x01\x01profile")
	jfif := segment(0xe0, "JFIF\x00\x01\x02\x01\x01\x2c\x01\x2c\x00\x00")
	loop := gifExtensionOf(0xff, "NETSCAPE2.0", "\x01\x02\x00")
	for name, whole := range map[string][]byte{
		"JPEG": inserted(jpg, 2, jfif, profile),
		"PNG":  inserted(pngs, 33, pngChunk("iCCP", "profile"), pngChunk("pHYs", "\x00\x00\x01\x2c\x00\x00\x01\x2c\x01"), pngChunk("acTL", "\x00\x00\x00\x01\x00\x00\x00\x00")),
		"GIF":  inserted(gifs, 13+gifColours(gifs[10]), loop, gifExtensionOf(0xf9, "\x00\x05\x00\x00")),
		"WebP": webP(extendedChunk(0x20), chunk("ICCP", 1, 2, 3), lossyChunk),
	} {
		if public, _, faults := Clean(whole); !bytes.Equal(public, whole) {
			t.Errorf("%s: changed, with faults %v", name, faults)
		}
	}
}

// turnedAs returns the corner that an orientation moves to the upper left (JEITA CP-3451,
// 4.6.4 A).
func turnedAs(orientation, width, height int) (x, y int) {
	if orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8 {
		x = width - 1
	}
	if orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7 {
		y = height - 1
	}
	return x, y
}

func TestPicturesAreRotatedByTheirExifOrientation(t *testing.T) {
	m := photo(40, 24)
	var jpg, pngs bytes.Buffer
	if err := jpeg.Encode(&jpg, m, &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(&pngs, m); err != nil {
		t.Fatal(err)
	}
	profile := segment(0xe2, iccMark+"\x01\x01profile")
	for value := uint16(1); value <= 8; value++ {
		turnedJPG := withOrientation(inserted(jpg.Bytes(), 2, profile), binary.BigEndian, "MM\x00*", value)
		tiff := string(turnedJPG[12 : 4+int(binary.BigEndian.Uint16(turnedJPG[4:]))])
		for name, data := range map[string][]byte{
			"JPEG": turnedJPG,
			"PNG":  inserted(pngs.Bytes(), 33, pngChunk("iCCP", "profile"), pngChunk("eXIf", tiff)),
		} {
			public, info, faults := Clean(data)
			wide := value < 5
			if len(faults) > 0 || (info.Width == 40) != wide || (info.Height == 24) != wide {
				t.Errorf("%s, orientation %d: %+v with faults %v", name, value, info, faults)
				continue
			}
			if !bytes.Contains(public, []byte("profile")) {
				t.Errorf("%s, orientation %d: the colour profile is lost", name, value)
			}
			shown, err := decodeRaster(public)
			if err != nil {
				t.Fatal(err)
			}
			x, y := turnedAs(int(value), 40, 24)
			if !near(shown.At(0, 0), m.At(x, y)) || orientation(public) != upright {
				t.Errorf("%s, orientation %d: the upper left is %v, not %v", name, value, shown.At(0, 0), m.At(x, y))
			}
			if again, _, _ := Clean(public); !bytes.Equal(again, public) {
				t.Errorf("%s, orientation %d: cleaned twice it differs", name, value)
			}
			packed := base64.StdEncoding.EncodeToString
			embedding, _, faults := Clean([]byte(inSVG(`<image href="data:;base64,` + packed(data) + `"/>`)))
			if want := written(`<image href="data:` + info.Type + `;base64,` + packed(public) + `"/>`); string(embedding) != want || len(faults) > 0 {
				t.Errorf("%s, orientation %d: embedded it is %.99s, with faults %v", name, value, embedding, faults)
			}
		}
	}
}

// near tolerates the losses of JPEG.
func near(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	close := func(x, y uint32) bool { return max(x, y)-min(x, y) < 24<<8 }
	return close(r, r2) && close(g, g2) && close(bl, bl2)
}

func TestPicturesThatCannotBeCleanedAreMistakes(t *testing.T) {
	jpg, pngs, gifs := encoded(t, asJPEG, 5, 3), encoded(t, png.Encode, 5, 3), encoded(t, asGIF, 5, 3)
	turn := withOrientation(jpg, binary.BigEndian, "MM\x00*", 6)
	tiff := turn[12 : 4+int(binary.BigEndian.Uint16(turn[4:]))]
	huge := withOrientation(jpg, binary.BigEndian, "MM\x00*", 6)
	frame := bytes.Index(huge, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(huge[frame+5:], 9000)
	binary.BigEndian.PutUint16(huge[frame+7:], 9000)
	scan := bytes.Index(turn, []byte{0xff, 0xda})
	for name, tt := range map[string]struct {
		data []byte
		text string
	}{
		"JPEG without a picture":        {jpg[:bytes.Index(jpg, []byte{0xff, 0xda})], "cut short"},
		"PNG without an end":            {pngs[:len(pngs)-12], "cut short"},
		"PNG of an unknown need":        {inserted(pngs, 33, pngChunk("NEED", needle)), `a chunk "NEED"`},
		"GIF cut within its picture":    {gifs[:len(gifs)-3], "cut short"},
		"WebP cut within a chunk":       {webP(extendedChunk(0), losslessChunk)[:40], "cut short"},
		"WebP that is to be turned":     {webP(extendedChunk(0x08), losslessChunk, chunk("EXIF", tiff...)), "turn it upright"},
		"large JPEG to be turned":       {huge, "25 megapixels"},
		"broken JPEG to be turned":      {append(bytes.Clone(turn[:scan+14]), 0xff, 0xd9), "turn it upright"},
		"JPEG to be turned, many scans": {append(bytes.Clone(turn[:len(turn)-2]), append(bytes.Repeat(turn[scan:len(turn)-2], 65), 0xff, 0xd9)...), "66 scans"},
	} {
		public, _, faults := Clean(tt.data)
		if public != nil || len(faults) != 1 || !strings.Contains(faults[0].Text, tt.text) {
			t.Errorf("%s: %d bytes with faults %v, want one that says %q", name, len(public), faults, tt.text)
		}
	}
}
