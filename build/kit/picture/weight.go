package picture

import (
	"bytes"
	"image/color"
)

// animated reports whether a picture is animated. A truncated picture counts as animated.
func animated(f rasterFormat, public []byte) bool {
	switch f.info.Type {
	case "image/png":
		for name := range pngChunks(public) {
			if name == "acTL" {
				return true
			}
		}
	case "image/gif":
		return gifImages(public) != 1
	case "image/webp":
		for name := range riffChunks(public[12:]) {
			if name == "ANIM" || name == "ANMF" {
				return true
			}
		}
	}
	return false
}

// gifImages counts the images of a GIF. An image that does not fill the screen counts as
// more than one, since the rest is transparent.
func gifImages(public []byte) (images int) {
	const header = 13
	rest, ok := tail(public, header)
	if ok {
		rest, ok = tail(rest, gifColours(public[10]))
	}
	for ok && len(rest) > 0 && (rest[0] == gifImage || rest[0] == gifExtension) {
		size, whole := gifBlock(rest)
		if !whole {
			break
		}
		if rest[0] == gifImage {
			images++
			if !bytes.Equal(rest[1:9], append(make([]byte, 4), public[6:10]...)) {
				images++
			}
		}
		rest = rest[size:]
	}
	return images
}

// decodedSize returns the maximum number of bytes used while decoding a picture with the
// decoders of image/… and golang.org/x/image/webp.
func decodedSize(f rasterFormat, public []byte) int64 {
	config, err := f.config(bytes.NewReader(public))
	if err != nil {
		return 0
	}
	pixels := int64(config.Width) * int64(config.Height)
	switch f.info.Type {
	case "image/png":
		const interlace = len(pngMark) + 8 + 12
		bytes := pixels * pixelSize(config.ColorModel)
		if len(public) > interlace && public[interlace] != 0 {
			return 2 * bytes // the seven passes are separate pictures
		}
		return bytes
	case "image/jpeg":
		return pixels * jpegPixelSize(public) / 2
	case "image/gif":
		return pixels
	}
	return webPSize(public, pixels)
}

// pixelSize returns the size of a pixel in the type that a PNG is decoded to.
func pixelSize(model color.Model) int64 {
	switch model {
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	}
	if _, paletted := model.(color.Palette); paletted {
		return 1
	}
	return 4
}

// jpegPixelSize returns how many bytes two pixels of a JPEG take: their samples, four bytes
// more for each sample if the JPEG is progressive, and their colors once more if they are
// red, green and blue.
func jpegPixelSize(public []byte) int64 {
	var scans int
	var size, colours int64
	for marker, part := range jpegParts(public) {
		switch {
		case marker == jpegScan:
			scans++
		case marker >= 0xc0 && marker <= 0xc2 && size == 0:
			size = samples(part)
			if marker == 0xc2 {
				size *= 5
			}
			if len(part) > 10 && part[10] == 'R' {
				colours = 8
			}
		case marker == jpegApp14 && len(part) > 15 && part[15] == 0:
			colours = 8
		}
	}
	if scans > maxScans {
		return 2 * maxDecoded // each scan visits all pixels again
	}
	return size + colours
}

// samples returns how many samples two pixels have according to a frame header (ITU-T T.81,
// B.2.2).
func samples(frame []byte) int64 {
	const components = 10
	var most, all int64
	for at := components; at+2 < len(frame); at += 3 {
		one := int64(frame[at+1]>>4) * int64(frame[at+1]&15)
		most, all = max(most, one), all+one
	}
	if most == 0 {
		return 0
	}
	return (2*all + most - 1) / most
}

// webPSize distinguishes three kinds: lossless, where a transformation may need the pixels
// twice; lossy; and lossy with transparency, which is stored as a lossless picture.
func webPSize(public []byte, pixels int64) int64 {
	size := pixels * 3 / 2
	for name := range riffChunks(public[12:]) {
		switch name {
		case "VP8L":
			return 8 * pixels
		case "ALPH":
			size = pixels*3/2 + 9*pixels
		}
	}
	return size
}
