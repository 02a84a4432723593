package picture

import (
	"image"
	"image/draw"
)

// A layer consists of one-byte samples in rows, with a number of samples per pixel.
type layer struct {
	width, height, samples int
	// row returns a row, which is valid until the next call.
	row func(y int) []uint8
}

// layers are a picture to be scaled: one layer of grey; one of red, green, blue and alpha,
// premultiplied; or three of luma and chroma.
type layers []layer

func (l layers) width() int  { return l[0].width }
func (l layers) height() int { return l[0].height }

// layersOf returns nil for colors that are not scaled, which are CMYK.
func layersOf(m image.Image) layers {
	b := m.Bounds()
	switch m := m.(type) {
	case *image.CMYK:
		return nil
	case *image.Gray:
		return layers{plane(m.Pix, m.Stride, b.Dx(), b.Dy())}
	case *image.YCbCr:
		width, height, ok := chromaSize(m)
		if !ok || b.Min != (image.Point{}) {
			return nil
		}
		return layers{plane(m.Y, m.YStride, b.Dx(), b.Dy()), plane(m.Cb, m.CStride, width, height), plane(m.Cr, m.CStride, width, height)}
	}
	line := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	return layers{{b.Dx(), b.Dy(), 4, func(y int) []uint8 {
		draw.Draw(line, line.Rect, m, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		return line.Pix
	}}}
}

func plane(pix []uint8, stride, width, height int) layer {
	return layer{width, height, 1, func(y int) []uint8 { return pix[y*stride:][:width] }}
}

func chromaSize(m *image.YCbCr) (width, height int, ok bool) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio444:
		return w, h, true
	case image.YCbCrSubsampleRatio422:
		return (w + 1) / 2, h, true
	case image.YCbCrSubsampleRatio420:
		return (w + 1) / 2, (h + 1) / 2, true
	case image.YCbCrSubsampleRatio440:
		return w, (h + 1) / 2, true
	case image.YCbCrSubsampleRatio411:
		return (w + 3) / 4, h, true
	case image.YCbCrSubsampleRatio410:
		return (w + 3) / 4, (h + 1) / 2, true
	}
	return 0, 0, false
}

// scaled returns a picture at another size. Chroma gets half the width and height.
func (l layers) scaled(width, height int) layers {
	all := make(layers, len(l))
	for i, one := range l {
		w, h := width, height
		if i > 0 {
			w, h = (w+1)/2, (h+1)/2
		}
		pix := one.scaled(w, h)
		all[i] = layer{w, h, one.samples, func(y int) []uint8 { return pix[y*w*one.samples:][:w*one.samples] }}
	}
	return all
}

// image returns the scaled picture.
func (l layers) image() image.Image {
	bounds := image.Rect(0, 0, l.width(), l.height())
	fill := func(pix []uint8, one layer) {
		for y := range one.height {
			copy(pix[y*one.width*one.samples:], one.row(y))
		}
	}
	switch {
	case len(l) == 3:
		m := image.NewYCbCr(bounds, image.YCbCrSubsampleRatio420)
		fill(m.Y, l[0])
		fill(m.Cb, l[1])
		fill(m.Cr, l[2])
		return m
	case l[0].samples == 1:
		m := image.NewGray(bounds)
		fill(m.Pix, l[0])
		return m
	}
	m := image.NewRGBA(bounds)
	fill(m.Pix, l[0])
	return m
}
