package site

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"souk/build/document"
	"souk/build/internal/markdown"
)

// media returns a picture of a width with its renditions.
func media(s *Site, name string, width int, smaller ...int) document.Media {
	at := s.market.SiteURL + "/media/" + name
	m := document.Media{URL: at + ".jpg", Alt: name, Type: "image/jpeg", Width: width, Height: width / 2, Bytes: int64(width)}
	for _, w := range smaller {
		m.Renditions = append(m.Renditions, document.Rendition{URL: at + "-" + strconv.Itoa(w) + ".jpg", Width: w, Height: w / 2, Bytes: int64(w)})
	}
	return m
}

func TestPicturesAreOfferedInAllTheirWidths(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	tests := []struct {
		name    string
		picture document.Media
		want    string
	}{
		{"all widths", media(s, "a", 4000, 320, 640, 1280), "/media/a-320.jpg 320w, /media/a-640.jpg 640w, /media/a-1280.jpg 1280w"},
		{"itself too, below the greatest", media(s, "a", 700, 320, 640), "/media/a-320.jpg 320w, /media/a-640.jpg 640w, /media/a.jpg 700w"},
		{"none", media(s, "a", 300), ""},
		{"an address that is none's", document.Media{URL: "javascript:x()", Renditions: media(s, "a", 700, 320).Renditions}, ""},
	}
	for _, tt := range tests {
		p := s.shown("card", 1, tt.picture)
		if p == nil {
			p = &shown{}
		}
		if p.Srcset != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, p.Srcset, tt.want)
		}
	}
}

// Every picture of a page has its space reserved, and pictures below the first screen load
// lazily.
func TestPicturesHaveASizeAndAllButTheFirstLoadLazily(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	samples := aMarket(s)
	product := samples["product"].(document.Product)
	a, b := media(s, "a", 4000, 320, 640, 1280), document.Media{URL: "https://else.example/b.png", Alt: "b"}
	product.Media = []document.Media{a, b}
	c := media(s, "c", 900, 320, 640)
	product.Pictures = []document.Media{c}
	product.Description = "![c](" + c.URL + ")"
	alone := product
	alone.Media = []document.Media{a}
	article := samples["article"].(document.Article)
	article.Media = []document.Media{a, c}
	article.Source = "![a](" + a.URL + ")\n\n![c](" + c.URL + ")\n"
	list := samples["listings"].(document.ListingPageDocument)
	list.Items = append(slices.Clone(list.Items), list.Items...)
	list.Items[1].Image = &document.Image{URL: "https://else.example/b.png"}
	for _, tt := range []struct {
		name   string
		value  any
		sizes  []string // of each picture on the page
		eager  int
		height []string
	}{
		{"a gallery", product, []string{frames["gallery"].sizes, "", proseSizes}, 1, []string{"2000", "480", "450"}},
		{"one picture", alone, []string{frames["picture"].sizes, proseSizes}, 1, []string{"2000", "450"}},
		{"an article", article, []string{proseSizes, proseSizes}, 1, []string{"2000", "450"}},
		{"cards", list, []string{frames["card"].sizes, ""}, 1, []string{"480", "200"}},
	} {
		page := firstPage(t, s, tt.value)
		shown := all(one(t, page, "main", "id", "main"), "img")
		var sizes, heights []string
		eager := 0
		for i, img := range shown {
			sizes, heights = append(sizes, get(img, "sizes")), append(heights, get(img, "height"))
			if get(img, "loading") != "lazy" {
				eager++
				if i > 0 {
					t.Errorf("%s: picture %d is loaded at once", tt.name, i)
				}
			}
			if (get(img, "sizes") == "") != (get(img, "srcset") == "") {
				t.Errorf("%s: picture %d has one of srcset and sizes", tt.name, i)
			}
		}
		if !slices.Equal(sizes, tt.sizes) || !slices.Equal(heights, tt.height) || eager != tt.eager {
			t.Errorf("%s: sizes %q, heights %q, %d at once", tt.name, sizes, heights, eager)
		}
	}
}

func TestAnArticleShowsItsPicturesOnceWhetherInItsTextOrNot(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	article := aMarket(s)["article"].(document.Article)
	file, listed, elsewhere := media(s, "file", 700), media(s, "listed", 700), document.Media{URL: "https://pics.example/x.png?a=1&b=2", Alt: "R"}
	code := "    ![listed](" + listed.URL + ")\n" // not a picture, but code
	for _, tt := range []struct {
		name, source string
		media        []document.Media
		html         []string
		eager        string
	}{
		{"beside the text", "Text only.", []document.Media{file, elsewhere}, []string{"/media/file.jpg", elsewhere.URL}, "/media/file.jpg"},
		{"in the text", "![file](" + file.URL + ")\n\n![R](https://pics.example/x.png?a=1&amp;b=2)\n", []document.Media{file, elsewhere}, []string{"/media/file.jpg", elsewhere.URL}, "/media/file.jpg"},
		{"of both kinds", "![file](" + file.URL + ")\n\n" + code, []document.Media{listed, file}, []string{"/media/listed.jpg", "/media/file.jpg"}, "/media/listed.jpg"},
	} {
		article.Source, article.Media = tt.source, tt.media
		var shown []string
		for _, img := range all(one(t, firstPage(t, s, article), "main", "id", "main"), "img") {
			shown = append(shown, get(img, "src"))
			if eager := get(img, "loading") != "lazy"; eager != (get(img, "src") == tt.eager) {
				t.Errorf("%s: %s is loaded at once: %v", tt.name, get(img, "src"), eager)
			}
		}
		if !slices.Equal(shown, tt.html) {
			t.Errorf("%s: the page shows %q, want %q", tt.name, shown, tt.html)
		}
		if got := picturesIn(string(s.markdown(article))); len(got) != len(tt.media) || slices.ContainsFunc(tt.media, func(m document.Media) bool { return !slices.Contains(got, m.Alt+" "+m.URL) }) {
			t.Errorf("%s: the Markdown shows %q", tt.name, got)
		}
	}
}

// picturesIn returns the pictures in a Markdown text, each with its alternative text and
// address.
func picturesIn(source string) (all []string) {
	for _, target := range markdown.Parse(source).Targets {
		if target.Image {
			all = append(all, target.Alt+" "+target.Destination)
		}
	}
	return all
}

func TestThePreviewImageIsTheFirstThatIsWideEnough(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	svg := document.Media{URL: "https://market.example/media/d.svg", Type: "image/svg+xml", Width: 2000, Height: 1000}
	small, middle, large := media(s, "small", 200), media(s, "middle", 700, 320, 640), media(s, "large", 4000, 320, 640, 1280)
	for _, tt := range []struct {
		name string
		logo *document.Media
		all  []document.Media
		want string
	}{
		{"none", nil, nil, s.image},
		{"a drawing", &svg, []document.Media{svg}, s.image},
		{"a small one", nil, []document.Media{svg, small}, small.URL},
		{"a wider one", &large, []document.Media{small, middle}, "https://market.example/media/middle-640.jpg"},
		{"the widest rendition", nil, []document.Media{large, middle}, "https://market.example/media/large-1280.jpg"},
		{"the logo", &large, []document.Media{small}, "https://market.example/media/large-1280.jpg"},
	} {
		if got := s.preview(tt.logo, tt.all); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, strings.TrimPrefix(got, s.market.SiteURL), tt.want)
		}
	}
}
