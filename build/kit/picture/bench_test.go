package picture

import (
	"image/png"
	"strings"
	"testing"
)

// logo returns a drawing of about 5 KB, like those that companies publish.
func logo() []byte {
	path := `<path class="a" fill="url(#g)" transform="translate(1 2)" d="` +
		strings.Repeat("M12.5,3.25c-1.07-.33-2.2.5-3.14,1.11", 12) + `z"/>` + "\n"
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + inSVG(
		`<defs><style>.a{fill-rule:evenodd}</style><linearGradient id="g"><stop offset="0" stop-color="#f00"/></linearGradient></defs>`+
			strings.Repeat(path, 9)))
}

func benchmarkInspect(b *testing.B, data []byte) {
	if _, faults := Inspect(data); len(faults) != 0 {
		b.Fatal(faults)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		Inspect(data)
	}
}

func BenchmarkInspectSVG(b *testing.B)  { benchmarkInspect(b, logo()) }
func BenchmarkInspectPNG(b *testing.B)  { benchmarkInspect(b, encoded(b, png.Encode, 800, 600)) }
func BenchmarkInspectJPEG(b *testing.B) { benchmarkInspect(b, encoded(b, asJPEG, 800, 600)) }
func BenchmarkInspectGIF(b *testing.B)  { benchmarkInspect(b, encoded(b, asGIF, 800, 600)) }
func BenchmarkInspectWebP(b *testing.B) { benchmarkInspect(b, webP(extendedChunk(0), lossyChunk)) }

func benchmarkRenditions(b *testing.B, data []byte) {
	if all, faults := Renditions(data); len(all) != len(Widths) || len(faults) > 0 {
		b.Fatal(inWords(all), faults)
	}
	b.ReportAllocs()
	for b.Loop() {
		Renditions(data)
	}
}

// The pictures have 12 megapixels, like those of phones.
func BenchmarkRenditionsJPEG(b *testing.B) { benchmarkRenditions(b, jpegOf(b, scene(4000, 3000, 255))) }
func BenchmarkRenditionsPNG(b *testing.B)  { benchmarkRenditions(b, pngOf(b, scene(4000, 3000, 255))) }
