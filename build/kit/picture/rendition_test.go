package picture

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"
)

// scene returns a picture with an area of one color, a gradient and texture.
func scene(width, height int, alpha uint8) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	noise := uint32(1)
	for y := range height {
		for x := range width {
			noise = noise*1664525 + 1013904223
			c := color.NRGBA{uint8(255 * x / width), uint8(255 * y / height), 90 + uint8(noise>>28), 255}
			if x < width/4 && y < height/4 {
				c = color.NRGBA{200, 30, 60, alpha}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func pngOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jpegOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gifOf(t testing.TB, frames ...image.Image) []byte {
	t.Helper()
	g := &gif.GIF{Delay: make([]int, len(frames))}
	for _, frame := range frames {
		m := image.NewPaletted(frame.Bounds(), palette.WebSafe)
		for y := range m.Rect.Dy() {
			for x := range m.Rect.Dx() {
				m.Set(x, y, frame.At(x, y))
			}
		}
		g.Image = append(g.Image, m)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// inWords describes renditions.
func inWords(all []Rendition) string {
	var words []string
	for _, r := range all {
		words = append(words, fmt.Sprintf("%s %d×%d", r.Extension, r.Width, r.Height))
	}
	return strings.Join(words, ", ")
}

func TestRenditionsAreSmallerInWidthAndInBytes(t *testing.T) {
	photo, err := os.ReadFile("testdata/photo.webp")
	if err != nil {
		t.Fatal(err)
	}
	flat := image.NewNRGBA(image.Rect(0, 0, 700, 100))
	for i := range flat.Pix {
		flat.Pix[i] = 255
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"a wide JPEG", jpegOf(t, scene(1600, 900, 255)), "jpg 320×180, jpg 640×360, jpg 1280×720"},
		{"a JPEG as wide as a rendition", jpegOf(t, scene(640, 100, 255)), "jpg 320×50"},
		{"a JPEG a little wider", jpegOf(t, scene(321, 1000, 255)), "jpg 320×997"},
		{"a small JPEG", jpegOf(t, scene(320, 900, 255)), ""},
		{"a grey JPEG", jpegOf(t, image.NewGray(image.Rect(0, 0, 700, 700))), "jpg 320×320, jpg 640×640"},
		{"a photograph as PNG", pngOf(t, scene(800, 600, 255)), "jpg 320×240, jpg 640×480"},
		{"a PNG that can be seen through", pngOf(t, scene(800, 600, 128)), "png 320×240, png 640×480"},
		{"a drawing of one colour", pngOf(t, flat), "png 320×46, png 640×91"},
		{"a GIF", gifOf(t, scene(700, 350, 255)), "png 320×160, png 640×320"},
		{"a line of pixels", pngOf(t, scene(2000, 1, 255)), "png 320×1, png 640×1, jpg 1280×1"},
		{"a WebP", photo, "jpg 320×48"},
		{"an animation", gifOf(t, scene(700, 350, 255), scene(700, 350, 255)), ""},
		{"a drawing", []byte(inSVG(``)), ""},
		{"nothing", nil, ""},
	}
	for _, tt := range tests {
		all, faults := Renditions(tt.data)
		if inWords(all) != tt.want || len(faults) > 0 {
			t.Errorf("%s: got %q with faults %v, want %q", tt.name, inWords(all), faults, tt.want)
		}
		less := len(tt.data)
		for i := len(all) - 1; i >= 0; i-- {
			r := all[i]
			if len(r.Data) >= less {
				t.Errorf("%s: %d wide it has %d bytes, the next larger one %d", tt.name, r.Width, len(r.Data), less)
			}
			less = len(r.Data)
			info, faults := Inspect(r.Data)
			if clean, _, _ := Clean(r.Data); info != r.Info || len(faults) > 0 || !bytes.Equal(clean, r.Data) {
				t.Errorf("%s: %d wide it is %+v, faults %v", tt.name, r.Width, info, faults)
			}
		}
	}
}

func TestNarrowerRenditionsHaveFewerBytes(t *testing.T) {
	// A picture with few colors has few bytes until scaling blends them.
	m := image.NewPaletted(image.Rect(0, 0, 400, 400), color.Palette{color.NRGBA{0, 0, 0, 0}, color.NRGBA{255, 255, 255, 255}})
	for y := range 400 {
		for x := range 400 {
			m.SetColorIndex(x, y, uint8((x/2+y/2)%2))
		}
	}
	if all, faults := Renditions(pngOf(t, m)); len(all)+len(faults) > 0 {
		t.Errorf("got %s, %v", inWords(all), faults)
	}
}

func TestRenditionsShowThePicture(t *testing.T) {
	const width, height = 1500, 1000
	m := scene(width, height, 128)
	type place struct {
		x, y int // of 1000
		want color.NRGBA
	}
	opaque := []place{{100, 100, color.NRGBA{200, 30, 60, 255}}, {500, 500, color.NRGBA{127, 127, 97, 255}}, {990, 20, color.NRGBA{252, 5, 97, 255}}}
	tests := []struct {
		name   string
		data   []byte
		places []place
	}{
		{"PNG", pngOf(t, m), []place{{100, 100, color.NRGBA{200, 30, 60, 128}}, {500, 500, color.NRGBA{127, 127, 97, 255}}}},
		{"JPEG", jpegOf(t, scene(width, height, 255)), opaque},
		{"opaque PNG", pngOf(t, scene(width, height, 255)), opaque},
		{"WebP with loss", mustDecode(lossyScene), []place{{200, 500, color.NRGBA{200, 30, 60, 255}}, {750, 200, color.NRGBA{0, 0, 0, 255}}, {750, 800, color.NRGBA{255, 255, 255, 255}}}},
		{"WebP without loss", mustDecode(losslessScene), []place{{200, 500, color.NRGBA{200, 30, 60, 255}}, {750, 200, color.NRGBA{0, 0, 0, 0}}, {750, 800, color.NRGBA{255, 255, 255, 255}}}},
		{"WebP with loss and alpha", mustDecode(alphaScene), []place{{200, 500, color.NRGBA{200, 30, 60, 255}}, {750, 200, color.NRGBA{0, 0, 0, 0}}, {750, 800, color.NRGBA{255, 255, 255, 255}}}},
	}
	for _, tt := range tests {
		all := scaledDown(t, tt.data)
		if len(all) == 0 {
			t.Errorf("%s: none", tt.name)
		}
		for _, r := range all {
			got, err := decodeRaster(r.Data)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range tt.places {
				if c := color.NRGBAModel.Convert(got.At(r.Width*p.x/1000, r.Height*p.y/1000)).(color.NRGBA); far(c, p.want) {
					t.Errorf("%s, %d wide: at %d, %d it is %v, want %v", tt.name, r.Width, p.x, p.y, c, p.want)
				}
			}
		}
	}
}

// scaledDown returns renditions regardless of their sizes in bytes.
func scaledDown(t *testing.T, data []byte) []Rendition {
	f := rasterFormatOf(data)
	info, _ := Inspect(data)
	m, err := decoded(*f, data, info)
	if err != nil {
		t.Fatal(err)
	}
	return layersOf(m).renditions(*f, 1<<60, nil)
}

func far(a, b color.NRGBA) bool {
	const near = 8
	differ := func(a, b uint8) bool { return max(a, b)-min(a, b) > near }
	return differ(a.R, b.R) || differ(a.G, b.G) || differ(a.B, b.B) || differ(a.A, b.A)
}

// For any size, the mean of all pixels is preserved up to half a rounding step.
func TestScalingKeepsTheMean(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 1283, 977))
	sum := 0
	for i := range m.Pix {
		m.Pix[i] = uint8(i * i >> 7)
		sum += int(m.Pix[i])
	}
	for _, size := range [][2]int{{1282, 976}, {640, 487}, {1, 1}, {320, 1}} {
		pix := layersOf(m)[0].scaled(size[0], size[1])
		got := 0
		for _, v := range pix {
			got += int(v)
		}
		want := float64(sum) / float64(len(m.Pix))
		if mean := float64(got) / float64(len(pix)); len(pix) != size[0]*size[1] || mean < want-0.51 || mean > want+0.51 {
			t.Errorf("%v: %d samples of mean %f, want %f", size, len(pix), mean, want)
		}
	}
}

// These digests are the same on every machine. If they change, increase RenditionsMade.
func TestRenditionsAreTheSameOnEveryMachine(t *testing.T) {
	digest := func(data []byte) string {
		h := sha256.New()
		for _, r := range scaledDown(t, data) {
			m, err := decodeRaster(r.Data)
			if err != nil {
				t.Fatal(err)
			}
			// Compare pixels, not bytes, which another release of Go may compress
			// differently.
			same := image.NewNRGBA64(m.Bounds())
			draw.Draw(same, same.Rect, m, image.Point{}, draw.Src)
			h.Write(same.Pix)
		}
		return hex.EncodeToString(h.Sum(nil)[:8])
	}
	for name, want := range map[string]string{"png": "6ace46f824d23751", "jpg": "95bd94decfc60c05", "webp": "0e9b703db54ef189"} {
		data := map[string][]byte{"png": pngOf(t, scene(700, 500, 128)), "jpg": jpegOf(t, scene(700, 500, 255)), "webp": mustDecode(lossyScene)}[name]
		if got := digest(data); got != want {
			t.Errorf("%s: %s, want %s (RenditionsMade is %d)", name, got, want, RenditionsMade)
		}
	}
}

func mustDecode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

// iccOf returns the start of a color profile.
func iccOf(space string, size int) []byte {
	p := make([]byte, size)
	copy(p[16:], space)
	return p
}

func TestRenditionsKeepTheColourProfile(t *testing.T) {
	colour, grey := iccOf("RGB ", 500), iccOf("GRAY", 500)
	withICC := func(p []byte) []byte { return profile(p).intoPNG(pngOf(t, scene(700, 500, 128))) }
	chunks := func(chunk ...[]byte) []byte { return inserted(pngOf(t, scene(700, 500, 255)), 33, chunk...) }
	gamma := func(v uint32) []byte { return pngChunk("gAMA", string(binary.BigEndian.AppendUint32(nil, v))) }
	tests := []struct {
		name  string
		data  []byte
		want  []byte // the profile
		count int
	}{
		{"a JPEG", profile(colour).intoJPEG(jpegOf(t, scene(700, 500, 255))), colour, 2},
		{"a grey JPEG", profile(grey).intoJPEG(jpegOf(t, image.NewGray(image.Rect(0, 0, 700, 500)))), grey, 2},
		{"a JPEG of a profile for grey", profile(grey).intoJPEG(jpegOf(t, scene(700, 500, 255))), nil, 0},
		{"a profile for printing", profile(iccOf("CMYK", 500)).intoJPEG(jpegOf(t, scene(700, 500, 255))), nil, 0},
		{"a PNG", withICC(colour), colour, 2},
		{"a profile that is too large", withICC(iccOf("RGB ", maxProfile+1)), nil, 0},
		{"a broken profile", chunks(pngChunk("iCCP", "icc\x00\x00broken")), nil, 0},
		{"the gamma of sRGB", chunks(gamma(45455)), nil, 2},
		{"another gamma", chunks(gamma(100000)), nil, 0},
		{"another gamma, and sRGB", chunks(gamma(100000), pngChunk("sRGB", "\x00")), nil, 2},
		{"HDR", chunks(pngChunk("cICP", "\x09\x10\x00\x01")), nil, 0},
	}
	for _, tt := range tests {
		all, faults := Renditions(tt.data)
		if len(all) != tt.count || len(faults) > 0 {
			t.Errorf("%s: got %s, %v, want %d", tt.name, inWords(all), faults, tt.count)
		}
		for _, r := range all {
			if p, ok := profileOf(*rasterFormatOf(r.Data), r.Data); !ok || !bytes.Equal(p, tt.want) {
				t.Errorf("%s: %d wide, the profile has %d bytes, want %d", tt.name, r.Width, len(p), len(tt.want))
			}
		}
	}
}

// lyingPNG returns a PNG that claims a size and contains almost nothing.
func lyingPNG(width, height uint32, depth, kind byte) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), width), height)
	header = append(header, depth, kind, 0, 0, 0)
	b := append([]byte(pngMark), binary.BigEndian.AppendUint32(nil, 13)...)
	b = binary.BigEndian.AppendUint32(append(b, header...), crc32.ChecksumIEEE(header))
	return append(append(b, pngChunk("IDAT", "\x78\x9c\x63\x00\x00")...), pngChunk("IEND", "")...)
}

func TestInvalidAndTooLargePicturesHaveNoRenditions(t *testing.T) {
	whole := jpegOf(t, scene(700, 500, 255))
	cut, _, _ := Clean(whole[:len(whole)/2])
	if cut == nil {
		t.Fatal("a JPEG that is cut short within its pixels is published as far as it goes")
	}
	size := bytes.Index(whole, []byte{0xff, 0xc0}) + 5
	huge := bytes.Clone(whole)
	binary.BigEndian.PutUint16(huge[size:], 9000)
	binary.BigEndian.PutUint16(huge[size+2:], 9000)
	progressive := bytes.Clone(huge)
	progressive[size-4] = 0xc2
	scans := bytes.Clone(whole)
	scan := scans[bytes.Index(scans, []byte{0xff, jpegScan}):]
	scans = append(scans[:len(scans)-2], bytes.Repeat(scan[:len(scan)-2], maxScans)...)
	tests := []struct {
		name string
		data []byte
		want string // text of the warning; "" if Clean rejects it
	}{
		{"a JPEG that is cut short", cut, "cannot be decoded"},
		{"a JPEG that says 9,000 × 9,000", huge, "cannot be decoded"},
		{"a progressive JPEG of 81 megapixels", progressive, "MB once it is decoded"},
		{"a JPEG of many scans", append(scans, 0xff, jpegEnd), "MB once it is decoded"},
		{"a PNG that says 60,000 × 60,000", lyingPNG(60_000, 60_000, 8, 2), ""},
		{"a PNG that says 9,000 × 9,000", lyingPNG(9000, 9000, 8, 2), "MB once it is decoded"},
		{"a PNG of 16 bits that says 7,000 × 7,000", lyingPNG(7000, 7000, 16, 6), "MB once it is decoded"},
		{"a PNG that says 3,000 × 3,000", lyingPNG(3000, 3000, 8, 2), "cannot be decoded"},
		{"a WebP that is cut short", mustDecode(lossyScene)[:300], ""},
	}
	for _, tt := range tests {
		public, _, faults := Clean(tt.data)
		if public == nil {
			if tt.want != "" {
				t.Errorf("%s: %v", tt.name, faults)
			}
			public = tt.data
		}
		all, faults := Renditions(public)
		switch {
		case len(all) > 0 || len(faults) > 1:
			t.Errorf("%s: got %s, %v", tt.name, inWords(all), faults)
		case tt.want != "" && (len(faults) == 0 || !faults[0].Warning || !strings.Contains(faults[0].Text, tt.want)):
			t.Errorf("%s: got %v, want a warning saying %q", tt.name, faults, tt.want)
		}
	}
}
