package picture

import (
	"image"
	"image/draw"
)

// asShown returns a picture rotated as its orientation says (JEITA CP-3451, 4.6.4 A). All
// types that the JPEG and PNG decoders return keep their type, except that the chroma of
// YCbCr gets full resolution.
func asShown(m image.Image, orientation int) image.Image {
	t := newTurn(m.Bounds(), orientation)
	switch m := m.(type) {
	case *image.YCbCr:
		to := image.NewYCbCr(t.to, image.YCbCrSubsampleRatio444)
		t.each(func(at int, x, y int) {
			luma, chroma := m.YOffset(x, y), m.COffset(x, y)
			to.Y[at], to.Cb[at], to.Cr[at] = m.Y[luma], m.Cb[chroma], m.Cr[chroma]
		})
		return to
	case *image.Gray:
		to := image.NewGray(t.to)
		t.copy(to.Pix, m.Pix, m.Stride, 1)
		return to
	case *image.Gray16:
		to := image.NewGray16(t.to)
		t.copy(to.Pix, m.Pix, m.Stride, 2)
		return to
	case *image.Paletted:
		to := image.NewPaletted(t.to, m.Palette)
		t.copy(to.Pix, m.Pix, m.Stride, 1)
		return to
	case *image.NRGBA:
		to := image.NewNRGBA(t.to)
		t.copy(to.Pix, m.Pix, m.Stride, 4)
		return to
	case *image.NRGBA64:
		to := image.NewNRGBA64(t.to)
		t.copy(to.Pix, m.Pix, m.Stride, 8)
		return to
	case *image.RGBA64:
		to := image.NewRGBA64(t.to)
		t.copy(to.Pix, m.Pix, m.Stride, 8)
		return to
	}
	from, plain := m.(*image.RGBA)
	if !plain {
		from = image.NewRGBA(t.from)
		draw.Draw(from, t.from, m, t.from.Min, draw.Src)
	}
	to := image.NewRGBA(t.to)
	t.copy(to.Pix, from.Pix, from.Stride, 4)
	return to
}

// turn maps each pixel of the rotated picture to its position in the stored one.
type turn struct {
	from, to image.Rectangle
	place    func(x, y int) (int, int)
}

func newTurn(from image.Rectangle, orientation int) turn {
	right, bottom := from.Dx()-1, from.Dy()-1
	t := turn{from: from, to: image.Rect(0, 0, from.Dx(), from.Dy())}
	if swapsSides(orientation) {
		t.to = image.Rect(0, 0, from.Dy(), from.Dx())
	}
	t.place = [...]func(x, y int) (int, int){
		func(x, y int) (int, int) { return x, y },
		func(x, y int) (int, int) { return right - x, y },
		func(x, y int) (int, int) { return right - x, bottom - y },
		func(x, y int) (int, int) { return x, bottom - y },
		func(x, y int) (int, int) { return y, x },
		func(x, y int) (int, int) { return y, bottom - x },
		func(x, y int) (int, int) { return right - y, bottom - x },
		func(x, y int) (int, int) { return right - y, x },
	}[orientation-upright]
	return t
}

// each calls f with the number of each pixel of the rotated picture and its stored
// position.
func (t turn) each(f func(at int, x, y int)) {
	at := 0
	for y := range t.to.Dy() {
		for x := range t.to.Dx() {
			fromX, fromY := t.place(x, y)
			f(at, t.from.Min.X+fromX, t.from.Min.Y+fromY)
			at++
		}
	}
}

// copy copies pixels of size bytes each.
func (t turn) copy(to, from []byte, stride, size int) {
	t.each(func(at, x, y int) {
		place := (y-t.from.Min.Y)*stride + (x-t.from.Min.X)*size
		copy(to[at*size:(at+1)*size], from[place:])
	})
}
