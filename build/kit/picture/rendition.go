package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime/debug"
	"sync"

	"golang.org/x/image/webp"
)

// Widths are the widths to which pictures are scaled down for screens, in pixels.
var Widths = [...]int{320, 640, 1280}

// A Rendition is a scaled-down picture.
type Rendition struct {
	Info
	Data []byte
}

// RenditionsMade is the version of Renditions. Increase it with every change of its
// results, so that stored ones are recreated.
const RenditionsMade = 1

const (
	// maxDecoded limits the bytes of a decoded picture, including what its decoder needs:
	// 54 million pixels of four bytes.
	maxDecoded = 208 << 20
	// renditionQuality is the quality of a JPEG, out of 100.
	renditionQuality = 80
)

// decoding limits memory: only one picture is decoded at a time.
var decoding sync.Mutex

// exclusively decodes a picture of that size while no other is decoded. It returns the memory of
// a large one to the system first, since two in a row would otherwise be in memory at once.
func exclusively(size int64, decode func()) {
	const large = 16 << 20
	decoding.Lock()
	defer decoding.Unlock()
	decode()
	if size > large {
		debug.FreeOSMemory()
	}
}

var decoders = map[string]func(data []byte) (image.Image, error){
	"image/png":  func(data []byte) (image.Image, error) { return png.Decode(bytes.NewReader(data)) },
	"image/jpeg": func(data []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(data)) },
	"image/gif":  func(data []byte) (image.Image, error) { return gif.Decode(bytes.NewReader(data)) },
	"image/webp": decodeWebP,
}

// Renditions returns a clean picture scaled down to each of the Widths that is smaller than
// its own, the narrowest first. It omits a rendition that does not have fewer bytes than
// the next larger one or the picture itself. A JPEG becomes a JPEG; other pictures become a
// PNG if they are transparent, and otherwise whichever of the two is smaller. The color
// profile is kept.
//
// SVG, animations, and colors that would be lost, such as those of HDR, have no renditions.
// If a picture is too large or invalid, there are none either, and a warning says so. The
// same bytes produce the same renditions on every machine: nothing here or in the decoders
// and encoders uses floating point.
func Renditions(public []byte) (all []Rendition, faults []Fault) {
	if !Scalable(public) {
		return nil, nil
	}
	var err error
	f := rasterFormatOf(public)
	info, _ := inspectRaster(*f, public)
	profile, ok := profileOf(*f, public)
	if !ok {
		return nil, nil
	}
	need := decodedSize(*f, public)
	if need > maxDecoded {
		return nil, unscaled(fmt.Sprintf("the picture takes %d MB once it is decoded, and at most %d are set aside for that, so it has no smaller forms for small screens: "+
			"scale it down, or export it as a JPEG that is not progressive", need>>20, maxDecoded>>20))
	}
	exclusively(need, func() {
		var m image.Image
		if m, err = decoded(*f, public, info); err == nil && profile.fits(m) {
			all = layersOf(m).renditions(*f, int64(len(public)), profile)
		}
	})
	if err != nil {
		return nil, unscaled(fmt.Sprintf("the picture cannot be decoded (%v), so browsers may show a part of it, and it has no smaller forms for small screens: "+
			"export or copy it again", err))
	}
	return all, nil
}

// Scalable reports whether a clean picture may have renditions, judging by its header: it
// is wide enough and not animated.
func Scalable(public []byte) bool {
	f := rasterFormatOf(public)
	if f == nil {
		return false
	}
	info, faults := inspectRaster(*f, public)
	return len(faults) == 0 && info.Width > Widths[0] && !animated(*f, public)
}

// unscaled returns a warning that a picture has no renditions although it should.
func unscaled(text string) []Fault { return []Fault{{Text: text, Warning: true}} }

// renditions creates the renditions from the widest to the narrowest, each from the
// previous one. It returns none if there are no layers.
func (l layers) renditions(f rasterFormat, bytes int64, profile profile) (all []Rendition) {
	if len(l) == 0 {
		return nil
	}
	for i := len(Widths) - 1; i >= 0; i-- {
		width := Widths[i]
		if width >= l.width() {
			continue
		}
		l = l.scaled(width, max(1, (l.height()*width+l.width()/2)/l.width()))
		r := encodedAs(f, l.image(), profile)
		if int64(len(r.Data)) >= bytes {
			continue
		}
		bytes = int64(len(r.Data))
		all = append([]Rendition{r}, all...)
	}
	return all
}

// encodedAs encodes a rendition of a picture with the given format.
func encodedAs(f rasterFormat, m image.Image, profile profile) Rendition {
	info := Info{Width: m.Bounds().Dx(), Height: m.Bounds().Dy()}
	asPNG, asJPEG := info, info
	asPNG.Type, asPNG.Extension = "image/png", "png"
	asJPEG.Type, asJPEG.Extension = "image/jpeg", "jpg"
	if !m.(interface{ Opaque() bool }).Opaque() {
		return Rendition{asPNG, profile.intoPNG(packed(m, png.DefaultCompression))}
	}
	var j bytes.Buffer
	if err := jpeg.Encode(&j, m, &jpeg.Options{Quality: renditionQuality}); err != nil {
		panic(err) // writing to a Buffer cannot fail, and no side is too long
	}
	// If even a quickly compressed PNG is twice as large, skip the best compression: it
	// would take most of the time and not halve the size.
	if f.info.Type == "image/jpeg" || 2*j.Len() < len(packed(m, png.BestSpeed)) {
		return Rendition{asJPEG, profile.intoJPEG(j.Bytes())}
	}
	if p := packed(m, png.DefaultCompression); len(p) <= j.Len() {
		return Rendition{asPNG, profile.intoPNG(p)}
	}
	return Rendition{asJPEG, profile.intoJPEG(j.Bytes())}
}

func packed(m image.Image, level png.CompressionLevel) []byte {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: level}).Encode(&b, m); err != nil {
		panic(err) // as above
	}
	return b.Bytes()
}

// decoded decodes a picture. If the decoder fails in any way, only this picture fails.
func decoded(f rasterFormat, public []byte, info Info) (m image.Image, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			m, err = nil, fmt.Errorf("its decoder fails: %v", failed)
		}
	}()
	if m, err = decoders[f.info.Type](public); err != nil {
		return nil, err
	}
	if b := m.Bounds(); b.Dx() != info.Width || b.Dy() != info.Height {
		return nil, fmt.Errorf("it is %d × %d pixels and declares %d × %d", b.Dx(), b.Dy(), info.Width, info.Height)
	}
	return m, nil
}

// decodeWebP decodes a WebP. Lossy ones have a luma from 16 to 235 and a chroma from 16 to
// 240 (RFC 6386, section 9.2), which the decoder treats as the full range of JPEG.
func decodeWebP(data []byte) (image.Image, error) {
	m, err := webp.Decode(bytes.NewReader(data))
	var lossy *image.YCbCr
	switch m := m.(type) {
	case *image.YCbCr:
		lossy = m
	case *image.NYCbCrA:
		lossy = &m.YCbCr
	}
	if err != nil || lossy == nil {
		return m, err
	}
	var luma, chroma [256]uint8
	for v := range 256 {
		luma[v] = uint8(min(max((v-16)*255+109, 0)/219, 255))
		chroma[v] = uint8(min(max((v-128)*255+128*224+112, 0)/224, 255))
	}
	for i, v := range lossy.Y {
		lossy.Y[i] = luma[v]
	}
	for i := range lossy.Cb {
		lossy.Cb[i], lossy.Cr[i] = chroma[lossy.Cb[i]], chroma[lossy.Cr[i]]
	}
	return m, nil
}
