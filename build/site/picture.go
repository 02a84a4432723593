package site

import (
	"fmt"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/internal/markdown"
)

// A shown is a picture on a page.
type shown struct {
	Class, Src, Alt string
	// Srcset and Sizes are as in HTML (section 4.8.4), or empty if there is only one file.
	Srcset, Sizes string
	Width, Height int
	// Eager pictures are loaded before they come near the screen.
	Eager bool
}

// A frame is a place for pictures on a page.
type frame struct {
	// sizes describes its width, which style.css defines.
	sizes string
	// width and height are the frame's, for pictures of unknown size, or, if fixed, for all
	// pictures.
	width, height int
	fixed         bool
	class         string
	// beside means that the name of the pictured item is next to it.
	beside bool
}

var frames = map[string]frame{
	"card":    {sizes: "(max-width: 38rem) 100vw, 22rem", width: 320, height: 200, beside: true},
	"logo":    {sizes: "6.5rem", width: 104, height: 104, class: "logo"},
	"company": {sizes: "3.75rem", width: 60, height: 60, class: "logo", beside: true},
	"entry":   {sizes: "9rem", width: 144, height: 108, beside: true},
	"tile":    {sizes: "7rem", width: 112, height: 56, beside: true},
	"member":  {sizes: "32px", width: 32, height: 32, fixed: true, beside: true},
	"picture": {sizes: "(max-width: 58rem) 100vw, 52rem", width: 640, height: 480},
	"gallery": {sizes: "(max-width: 44rem) 100vw, 26rem", width: 640, height: 480},
}

const proseSizes = "(max-width: 44rem) 100vw, 44rem"

// shown returns a picture of a document in a frame, or nil if there is none or its address
// must not be used. The first picture of a page or list is loaded eagerly.
func (s *Site) shown(in string, at int, picture any) *shown {
	var p shown
	switch m := picture.(type) {
	case *document.Image:
		if m != nil {
			p = s.of(m.URL, m.Alt, m.Width, m.Height, m.Renditions)
		}
	case *document.Media:
		if m != nil {
			p = s.of(m.URL, m.Alt, m.Width, m.Height, m.Renditions)
		}
	case document.Media:
		p = s.of(m.URL, m.Alt, m.Width, m.Height, m.Renditions)
	}
	if p.Src == "" {
		return nil
	}
	f := frames[in]
	p.Class, p.Sizes, p.Eager = f.class, f.sizes, at == 0
	if f.fixed || p.Width == 0 || p.Height == 0 {
		p.Width, p.Height = f.width, f.height
	}
	if f.beside {
		p.Alt = ""
	}
	return &p
}

// of returns a picture with its renditions. If a rendition has the maximum width, the picture
// itself is left out, since no page shows it larger.
func (s *Site) of(address, alt string, width, height int, smaller []document.Rendition) shown {
	if !safe(address, true) {
		return shown{}
	}
	p := shown{Src: s.path(address), Alt: alt, Width: width, Height: height}
	var set []string
	add := func(address string, width int) {
		if safe(address, true) {
			set = append(set, fmt.Sprintf("%s %dw", s.path(address), width))
		}
	}
	widest := 0
	for _, r := range smaller {
		add(r.URL, r.Width)
		widest = r.Width
	}
	if widest > 0 && widest < mostShown {
		add(address, width)
	}
	p.Srcset = strings.Join(set, ", ")
	return p
}

// mostShown is the largest width, in pixels, that a frame needs.
const mostShown = 1280

// A shot is the picture of a card, or the initial of a name in its place.
type shot struct {
	Picture *shown
	Name    string
}

func (s *Site) shot(at int, picture *document.Image, name string) shot {
	return shot{s.shown("card", at, picture), name}
}

// preview returns the social preview of an item: its first raster picture that is wide enough,
// else its first raster picture, else the market's.
func (s *Site) preview(logo *document.Media, media []document.Media) string {
	if logo != nil {
		media = append(media[:len(media):len(media)], *logo)
	}
	const enough = 640
	found := ""
	for _, m := range media {
		if !raster(m.Type) || !safe(m.URL, true) {
			continue
		}
		url, width := m.URL, m.Width
		if n := len(m.Renditions); n > 0 && m.Renditions[n-1].Width >= enough {
			url, width = m.Renditions[n-1].URL, m.Renditions[n-1].Width
		}
		if width >= enough {
			return url
		}
		if found == "" {
			found = url
		}
	}
	if found == "" {
		return s.image
	}
	return found
}

func raster(mediaType string) bool {
	return strings.HasPrefix(mediaType, "image/") && mediaType != "image/svg+xml"
}

// unshown returns the pictures that a Markdown text does not show itself.
func unshown(source string, media []document.Media) []document.Media {
	if len(media) == 0 || !strings.Contains(source, "![") {
		return media
	}
	itself := markdown.Parse(source).Targets
	return slices.DeleteFunc(slices.Clone(media), func(m document.Media) bool {
		return slices.ContainsFunc(itself, func(t markdown.Target) bool { return t.Image && t.Destination == m.URL })
	})
}

// plus returns all pictures that a text may show.
func plus(lists ...[]document.Media) (all []document.Media) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}
