package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"image/jpeg"
	"image/png"
)

const (
	// maxTurned is how many pixels a picture may have that is rotated here. Together with
	// maxScans it limits the cost of a hostile picture to some 450 MB and a few seconds,
	// one picture at a time.
	maxTurned = 25_000_000
	maxScans  = 64
	// turnedQuality is the quality of a rotated JPEG picture, out of 100.
	turnedQuality = 95
)

// turned returns a clean picture rotated as its orientation says.
func turned(f *rasterFormat, public []byte, orientation int) ([]byte, error) {
	if f.turn == nil {
		return nil, errors.New("the picture's Exif data asks for a rotation, which this format does not support: " +
			"turn it upright and export it again, or export it as JPEG or PNG")
	}
	config, err := f.config(bytes.NewReader(public))
	if err == nil && config.Width*config.Height > maxTurned {
		return nil, fmt.Errorf("the picture's Exif data asks for a rotation, and the picture is too large for it: "+
			"turn it upright and export it again, or scale it down to %d megapixels", maxTurned/1_000_000)
	}
	if err == nil {
		exclusively(decodedSize(*f, public), func() { public, err = f.turn(public, orientation) })
	}
	if err != nil {
		return nil, fmt.Errorf("the picture's Exif data asks for a rotation, which fails (%w): "+
			"turn it upright and export it again", err)
	}
	return public, nil
}

// turnJPEG decodes a clean JPEG and encodes it upright, with its color profile.
func turnJPEG(public []byte, orientation int) ([]byte, error) {
	var profile []byte
	scans := 0
	for marker, part := range jpegParts(public) {
		switch marker {
		case jpegApp2:
			profile = append(profile, part...)
		case jpegScan:
			scans++
		}
	}
	config, err := jpeg.DecodeConfig(bytes.NewReader(public))
	switch {
	case err != nil:
		return nil, err
	case config.ColorModel == color.CMYKModel:
		return nil, errors.New("its colours are CMYK")
	case scans > maxScans:
		return nil, fmt.Errorf("it has %d scans", scans)
	}
	m, err := jpeg.Decode(bytes.NewReader(public))
	if err != nil {
		return nil, err
	}
	out := grown(len(public))
	if err := jpeg.Encode(out, asShown(m, orientation), &jpeg.Options{Quality: turnedQuality}); err != nil {
		return nil, err
	}
	encoded := out.Bytes()
	return bytes.Join([][]byte{encoded[:2], profile, encoded[2:]}, nil), nil
}

// turnPNG decodes a clean PNG and encodes it upright, with its color information.
func turnPNG(public []byte, orientation int) ([]byte, error) {
	var colours []byte
	for name, chunk := range pngChunks(public) {
		switch name {
		case "cHRM", "gAMA", "iCCP", "sRGB", "cICP", "mDCV", "cLLI":
			colours = append(colours, chunk...)
		case "acTL":
			return nil, errors.New("it is animated")
		}
	}
	m, err := png.Decode(bytes.NewReader(public))
	if err != nil {
		return nil, err
	}
	out := grown(len(public))
	if err := png.Encode(out, asShown(m, orientation)); err != nil {
		return nil, err
	}
	const header = len(pngMark) + 25 // including the IHDR chunk
	encoded := out.Bytes()
	return bytes.Join([][]byte{encoded[:header], colours, encoded[header:]}, nil), nil
}
