package build_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/release"
)

// photo returns a picture that has one rendition of 320 pixels.
func photo(seed uint32, level png.CompressionLevel) string {
	m := image.NewNRGBA(image.Rect(0, 0, 340, 24))
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			seed = seed*1664525 + 1013904223
			m.SetNRGBA(x, y, color.NRGBA{uint8(x), uint8(seed >> 24), uint8(seed >> 16), 255})
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: level}).Encode(&b, m); err != nil {
		panic(err)
	}
	return b.String()
}

// photos are three pictures. The first two are different files with the same renditions.
var photos = []string{photo(1, png.BestSpeed), photo(1, png.BestCompression), photo(2, png.BestSpeed)}

// A gallery is a market with a picture of one seller and a Builder.
type gallery struct {
	t       *testing.T
	dir     string
	builder *build.Builder
}

func (g *gallery) write(file, text string) {
	g.t.Helper()
	path := filepath.Join(g.dir, "content", file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

// start creates a Builder, as a new process does.
func (g *gallery) start(public string) {
	g.t.Helper()
	var err error
	g.builder, err = build.New(build.Config{
		Content: filepath.Join(g.dir, "content"), Public: filepath.Join(g.dir, public), State: filepath.Join(g.dir, "var"),
		Clock: time.Now, Precompress: release.NoPrecompress, Program: public, Pages: true,
	})
	if err != nil {
		g.t.Fatal(err)
	}
}

func (g *gallery) build(paths ...string) {
	g.t.Helper()
	if _, err := g.builder.Build(context.Background(), nil, paths...); err != nil {
		g.t.Fatalf("%v: %v", err, mistakesOf(err))
	}
}

func newGallery(t *testing.T) *gallery {
	g := &gallery{t: t, dir: t.TempDir()}
	g.write("marketplace.yaml", "name: Market\nsiteUrl: https://market.example\n")
	g.write("categories/product/tools.yaml", "name: Tools\n")
	for _, seller := range []string{"acme", "bolt"} {
		g.write("sellers/"+seller+"/seller.yaml", "officialDomain: "+seller+".example\nversions:\n  - {version: 1, name: "+seller+"}\n")
	}
	g.write("sellers/acme/products/arm.md", "---\nname: Arm\ncategories: [tools]\nmedia: [{file: media/arm.png, alt: An arm}]\n---\n\n![Two](media/two.png)\n")
	g.write("sellers/acme/products/media/arm.png", photos[0])
	g.write("sellers/acme/products/media/two.png", photos[2])
	g.start("public")
	g.build()
	return g
}

// media returns the names of the published files below media.
func (g *gallery) media(public string) (names []string) {
	entries, err := os.ReadDir(filepath.Join(g.dir, public, "media"))
	if err != nil && !os.IsNotExist(err) {
		g.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// shelves returns the folders in which renditions are stored.
func (g *gallery) shelves() []string {
	found, err := filepath.Glob(filepath.Join(g.dir, "var", "pictures-*"))
	if err != nil {
		g.t.Fatal(err)
	}
	return found
}

func (g *gallery) document(file string) string {
	g.t.Helper()
	data, err := os.ReadFile(filepath.Join(g.dir, "public/api/v1/marketplace", file))
	if err != nil {
		g.t.Fatal(err)
	}
	return string(data)
}

func TestDocumentsNameTheRenditionsThatArePublished(t *testing.T) {
	g := newGallery(t)
	body := g.document("companies/acme/products/arm.json")
	named := regexp.MustCompile(`"https://market.example/media/([^"]+)"`).FindAllStringSubmatch(body, -1)
	var names []string
	for _, n := range named {
		names = append(names, n[1])
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if got := g.media("public"); len(got) != 4 || !slices.Equal(got, names) {
		t.Errorf("published are %q, and named %q", got, names)
	}
	for _, want := range []string{`"variants":[{"url":"https://market.example/media/`, `"width":320,"height":23,"bytes":`, `"descriptionMedia":[{"url"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the product lacks %s: %s", want, body)
		}
	}
	if card := g.document("companies/acme.json"); !strings.Contains(card, `"image":{"url"`) || !strings.Contains(card, `"variants":[{"url"`) {
		t.Errorf("the card lacks its variants: %s", card)
	}
}

// If a picture were decoded, its renditions would be stored.
func TestUnchangedPicturesAreNotDecodedAgain(t *testing.T) {
	g := newGallery(t)
	for _, shelf := range g.shelves() {
		if err := os.RemoveAll(shelf); err != nil {
			t.Fatal(err)
		}
	}
	g.write("sellers/acme/products/arm.md", "---\nname: Longer arm\ncategories: [tools]\nmedia: [{file: media/arm.png, alt: An arm}]\n---\n\n![Two](media/two.png)\n")
	g.build("sellers/acme/products/arm.md")
	g.write("sellers/bolt/seller.yaml", "officialDomain: bolt.example\nversions:\n  - {version: 1, name: Bolts}\n")
	g.start("public")
	g.build()
	if found := g.shelves(); len(found) > 0 {
		t.Errorf("decoded again: %q", found)
	}
}

func TestRenditionsAreStoredForTheNextProcess(t *testing.T) {
	g := newGallery(t)
	kept := g.read(g.shelves())
	if len(kept) != 2 {
		t.Fatalf("kept are %d, want 2", len(kept))
	}
	// Another version of the program reads everything again, and any version reads a
	// renamed picture again.
	g.write("sellers/acme/products/media/three.png", photos[2])
	g.start("other")
	g.build()
	if again := g.read(g.shelves()); fmt.Sprint(again) != fmt.Sprint(kept) {
		t.Error("they were made again")
	}
	if a, b := g.media("public"), g.media("other"); !slices.Equal(a, b) {
		t.Errorf("got %q, then %q", a, b)
	}
}

// read returns each file of the folders with its time.
func (g *gallery) read(folders []string) (all []string) {
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			g.t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				g.t.Fatal(err)
			}
			all = append(all, fmt.Sprint(e.Name(), info.Size(), info.ModTime()))
		}
	}
	return all
}

func TestDamagedRenditionsAreRecreated(t *testing.T) {
	g := newGallery(t)
	want := readTree(t, filepath.Join(g.dir, "public", "media"))
	for i, damage := range []func([]byte) []byte{
		func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
		func(b []byte) []byte { b[40] ^= 1; return b },
		func(b []byte) []byte { return b[:len(b)/2] },
		func([]byte) []byte { return nil },
	} {
		for _, shelf := range g.shelves() {
			for name, body := range readTree(t, shelf) {
				if err := os.WriteFile(filepath.Join(shelf, name), damage(bytes.Clone(body)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		public := fmt.Sprint("public-", i)
		g.start(public)
		g.build()
		if got := readTree(t, filepath.Join(g.dir, public, "media")); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("damage %d: other pictures are published", i)
		}
	}
}

func TestUnusedRenditionsAreDeleted(t *testing.T) {
	g := newGallery(t)
	g.write("sellers/acme/products/media/two.png", photo(3, png.BestSpeed))
	g.build("sellers/acme/products/media/two.png")
	if kept := g.read(g.shelves()); len(kept) != 2 {
		t.Errorf("after a picture changed, %d are kept, want 2", len(kept))
	}
	g.write("sellers/acme/products/arm.md", "---\nname: Arm\ncategories: [tools]\n---\n")
	for _, name := range []string{"arm", "two"} {
		if err := os.Remove(filepath.Join(g.dir, "content/sellers/acme/products/media", name+".png")); err != nil {
			t.Fatal(err)
		}
	}
	g.start("public")
	g.build()
	if kept := g.read(g.shelves()); len(kept)+len(g.media("public")) > 0 {
		t.Errorf("kept are %q, published %q", kept, g.media("public"))
	}
}

// Two sellers whose pictures differ only in their bytes share a rendition, which stays
// until both are gone.
func TestASharedRenditionStaysWhileAnySellerShowsIt(t *testing.T) {
	g := newGallery(t)
	g.write("sellers/bolt/products/media/arm.png", photos[1])
	product := "name: Nut\ncategories: [tools]\nmedia: [{file: media/arm.png, alt: A nut}]\n"
	g.write("sellers/bolt/products/nut.yaml", product)
	g.build(".")
	if got := g.media("public"); len(got) != 5 {
		t.Fatalf("published are %q, want three pictures and two renditions", got)
	}
	g.write("sellers/acme/seller.yaml", "status: draft\nofficialDomain: acme.example\nversions:\n  - {version: 1, name: acme}\n")
	g.build("sellers/acme/seller.yaml")
	if got := g.media("public"); len(got) != 2 {
		t.Errorf("published are %q, want a picture and its rendition", got)
	}
	g.write("sellers/bolt/products/nut.yaml", "status: draft\n"+product)
	g.build("sellers/bolt/products/nut.yaml")
	if got := g.media("public"); len(got) != 0 {
		t.Errorf("published are %q, want nothing", got)
	}
}
