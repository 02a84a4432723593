package site

import (
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"souk/build/document"
)

var tagsOfPictures = strings.Fields("svg title desc metadata style defs pattern rect view g a text tspan image use")

// judgePicture checks that an XML parser accepts a picture, and that it contains only what
// we draw. It returns the elements whose number does not depend on text.
func judgePicture(body string) (shape string, err error) {
	var wrong []error
	add := func(format string, arguments ...any) { wrong = append(wrong, fmt.Errorf(format, arguments...)) }
	counts := map[string]int{}
	for d, in := xml.NewDecoder(strings.NewReader(body)), ""; ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", fmt.Errorf("no XML: %w\n%s", err, body)
		}
		switch token := token.(type) {
		case xml.Comment, xml.ProcInst, xml.Directive:
			add("a %T", token)
		case xml.CharData:
			if in == "style" && strings.TrimSpace(string(token)) != "" && !strings.HasPrefix(string(token), "svg{background:") {
				add("a style %q", token)
			}
		case xml.EndElement:
			in = ""
		case xml.StartElement:
			in = token.Name.Local
			counts[in]++
			if !slices.Contains(tagsOfPictures, in) || token.Name.Space != "http://www.w3.org/2000/svg" {
				add("an element %q", in)
			}
			for _, a := range token.Attr {
				switch name := a.Name.Local; {
				case strings.HasPrefix(name, "on"), name == "style":
					add("an attribute %s=%q", name, a.Value)
				case name == "href" && in == "use":
					if at := strings.Trim(a.Value, "0123456789"); at != "#n" && at != "#l" && at != "#i" {
						add("a use of %q", a.Value)
					}
				case name == "href" && !leads(a.Value, in == "image"):
					add("%s leads to %q", in, a.Value)
				}
			}
		}
	}
	return fmt.Sprint(counts["svg"], counts["a"], counts["image"], counts["use"], counts["style"], counts["metadata"]), errors.Join(wrong...)
}

func TestThePictureOfAMapShowsTheSameAsItsPage(t *testing.T) {
	for _, siteURL := range []string{"https://market.example", "https://market.example/a/market"} {
		s := newSite(t, market("de", siteURL))
		files := rendered(t, s, aMarket(s)["map"])
		picture := files["market-maps/all.svg"]
		for _, want := range []string{
			`lang="de"`, "<title id=\"t\">All of it</title>", "<desc>Who is who.</desc>", `<a href="` + s.prefix + `/market-maps/all" target="_top">`,
			`<a href="` + s.prefix + `/categories/product/arms" target="_top">`, `<a href="` + s.prefix + `/companies/acme"`, `<image href="` + s.prefix + `/media/arm.png"`, ">Acme</text>",
		} {
			if !strings.Contains(picture, want) {
				t.Errorf("the picture has no %s:\n%s", want, picture)
			}
		}
		if _, err := judgePicture(picture); err != nil {
			t.Error(err)
		}
	}
}

func TestThePictureOfACategoryShowsItsListingsAndSellers(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	d := aMarket(s)["category"].(document.Category)
	d.Listings.Total = 812
	files := rendered(t, s, d)
	picture := files["categories/product/arms.svg"]
	for _, want := range []string{">Arm 7</text>", `href="/companies/acme/products/arm-7"`, "&#160; 812</tspan>", `aria-label="Companies"`, ">Acme</text>", ">+811</text>", ">All in Arms</text>", `<a href="/categories/product/arms"`} {
		if !strings.Contains(picture, want) {
			t.Errorf("the picture has no %s:\n%s", want, picture)
		}
	}
	p := parsePage(t, "embed", files["embed/categories/product/arms.html"])
	if got := words(one(t, p, "main", "", "")); got != "Arms What grips. Products 812 Arm 7 All in Arms Companies 1 Acme Market · Download map (SVG)" {
		t.Errorf("the page for frames says %q", got)
	}
}

func TestAPageForFramesHasNoHeaderOrFooter(t *testing.T) {
	for _, siteURL := range []string{"https://market.example", "https://market.example/a/market"} {
		s := newSite(t, market("en", siteURL))
		for name, file := range map[string]string{"map": "embed/market-maps/all.html", "category": "embed/categories/product/arms.html"} {
			body := rendered(t, s, aMarket(s)[name])[file]
			p := parsePage(t, file, body)
			accessible(t, s, p)
			if get(one(t, p, "meta", "name", "robots"), "content") != "noindex" {
				t.Errorf("%s is for search engines", file)
			}
			if len(all(p.Node, "nav"))+len(all(p.Node, "form")) > 0 {
				t.Errorf("%s has the frame of the site", file)
			}
			for _, a := range all(p.Node, "a") {
				if get(a, "target") != "_blank" || get(a, "rel") != "noopener" {
					t.Errorf("%s: the link to %s stays in the frame", file, get(a, "href"))
				}
			}
			if got := "/" + strings.TrimSuffix(file, ".html"); get(one(t, p, "link", "rel", "canonical"), "href") != siteURL+got {
				t.Errorf("%s is at %s", file, get(one(t, p, "link", "rel", "canonical"), "href"))
			}
			if !document.Ours(file, func() ([]byte, error) { return []byte(body), nil }) {
				t.Errorf("%s is not known as ours", file)
			}
		}
	}
}

func TestAPageForFramesOfAHugeMapShowsTheFirstOfEachSegment(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	m := aMarket(s)["map"].(document.MarketMap)
	entry := m.Segments[0].Entries[0]
	m.Segments = []document.Segment{{Name: "Small", Entries: []document.MapEntry{entry}}, {Name: "Huge"}}
	for i := range 2400 {
		logo := *entry.Logo
		logo.URL = fmt.Sprintf("https://market.example/media/%x.png", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
		m.Segments[1].Entries = append(m.Segments[1].Entries, document.MapEntry{Link: linkTo(s, "seller", fmt.Sprint("Seller ", i), fmt.Sprint("/companies/s-", i)), Logo: &logo})
	}
	files := rendered(t, s, m)
	body := files["embed/market-maps/all.html"]
	if size := compressed(t, []byte(body)); size > 30<<10 {
		t.Errorf("it has %d bytes compressed, at most 30 KB are wanted", size)
	}
	p := parsePage(t, "embed", body)
	if got := words(all(p.Node, "section")[1]); !strings.HasPrefix(got, "Huge 2,400 Seller 0") || !strings.HasSuffix(got, "Seller 299 All in Huge") {
		t.Errorf("the huge segment says %q", got)
	}
	if got := strings.Count(files["market-maps/all.svg"], "/companies/s-"); got != 2400 {
		t.Errorf("the picture shows %d, want all", got)
	}
}

func TestAMapOffersItsPictureAndTheCodeForOtherSites(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	m := aMarket(s)["map"].(document.MarketMap)
	m.Title = `"><script>alert(1)</script>`
	share := one(t, firstPage(t, s, m), "section", "class", "share")
	if got := get(all(share, "a")[0], "href"); got != "/market-maps/all.svg" {
		t.Errorf("the picture is at %q", got)
	}
	// The shown code is copied into other sites' pages, where it is HTML.
	copied := parsePage(t, "copied", words(all(share, "code")[0]))
	frame := one(t, copied, "iframe", "src", "https://market.example/embed/market-maps/all")
	if get(frame, "title") != m.Title || len(all(copied.Node, "script")) > 0 {
		t.Errorf("the code is %q", words(all(share, "code")[0]))
	}
}

func TestFormerMapsHaveTheirPictureAndRedirectInFrames(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	m := aMarket(s)["map"]
	files := map[string]string{}
	if err := s.RenderFormer(document.PagesOf("api/v1/marketplace/market-maps/old.json"), m, func(name string, body []byte) error {
		files[name] = string(body)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	now := rendered(t, s, m)
	if len(files) != 4 || files["market-maps/old.svg"] != now["market-maps/all.svg"] || files["market-maps/old.md"] != now["market-maps/all.md"] {
		t.Errorf("at the former address are %d files, or others than now", len(files))
	}
	p := parsePage(t, "former", files["embed/market-maps/old.html"])
	if got := get(one(t, p, "meta", "http-equiv", "refresh"), "content"); got != "0; url=/embed/market-maps/all" {
		t.Errorf("the former page for frames leads to %q", got)
	}
}

func TestAnExportedPictureHasAbsoluteAddressesAndItsLogos(t *testing.T) {
	s := newSite(t, market("ar", "https://market.example"))
	picture := string(s.Picture(aMarket(s)["map"].(document.MarketMap), func(address string) string {
		return "data:image/png;base64," + strings.ToUpper(address[len(address)-7:len(address)-4])
	}))
	for _, want := range []string{`direction="rtl"`, `href="https://market.example/companies/acme"`, `href="data:image/png;base64,ARM"`} {
		if !strings.Contains(picture, want) {
			t.Errorf("the picture has no %s:\n%s", want, picture)
		}
	}
}
