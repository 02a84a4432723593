package mappicture

import (
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden picture anew")

// A node is an element of a picture and the origin of its coordinates.
type node struct {
	name     string
	attr     map[string]string
	text     string
	x, y     int
	children []*node
}

// parse parses a picture with a strict XML parser.
func parse(t interface{ Fatalf(string, ...any) }, picture []byte) *node {
	root := &node{}
	stack := []*node{root}
	for d := xml.NewDecoder(strings.NewReader(string(picture))); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the picture is no XML: %v\n%s", err, picture)
		}
		above := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{name: token.Name.Local, attr: map[string]string{}, x: above.x, y: above.y}
			for _, a := range token.Attr {
				n.attr[a.Name.Local] = a.Value
			}
			var dx, dy int
			if _, err := fmt.Sscanf(n.attr["transform"], "translate(%d %d)", &dx, &dy); err == nil {
				n.x, n.y = n.x+dx, n.y+dy
			}
			above.children = append(above.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			for _, n := range stack {
				n.text += string(token)
			}
		}
	}
	return root.children[0]
}

// each calls yield for an element and everything in it.
func (n *node) each(yield func(*node)) {
	yield(n)
	for _, c := range n.children {
		c.each(yield)
	}
}

func (n *node) all(name string) (found []*node) {
	n.each(func(one *node) {
		if one.name == name {
			found = append(found, one)
		}
	})
	return found
}

func (n *node) number(name string) int {
	value, _ := strconv.Atoi(n.attr[name])
	return value
}

var tiny = Map{
	Title: "Who does what", Summary: "Sellers by <trade> & place.", Language: "en", URL: "/market-maps/who", Generator: "Test",
	Segments: []Segment{
		{Name: "Makers", URL: "/categories/product/arms", Tiles: []Tile{
			{Name: "Acme", URL: "/companies/acme", Logo: "/media/a.svg", Note: "New"},
			{Name: "A name that is by far too long for the two lines of a tile", URL: "/companies/long", Mark: "A"},
			{Name: "Ünlü ve Oğulları", URL: "/companies/unlu", Mark: "Ü"},
		}},
		{Name: "Nobody yet"},
		{Name: "Of other scripts", Tiles: []Tile{{Name: "株式会社ロボット製作所", Mark: "株"}, {Name: "شركة الروبوتات", URL: "/companies/ar", Mark: "ش"}}},
	},
}

func TestGoldenPicture(t *testing.T) {
	name := filepath.Join("testdata", "tiny.svg")
	got := Draw(tiny)
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is different (go test ./build/export/mappicture -update writes it anew):\n%s", name, got)
	}
}

// anyText draws a name that a stranger may choose.
func anyText(t *rapid.T, label string) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "Acme", `"><script>alert(1)</script>`, "]]>", "&lt;b&gt;", "a\x00b", "\xff\xfe", "👩‍🔧 repair 👍🏽", "שלום עולם", "ロボット", "  ", "e\u0301e\u0301", "🇩🇪🇫🇷", "W"}),
		rapid.StringN(0, 60, 120),
	).Draw(t, label)
}

func anyMap(t *rapid.T) Map {
	m := Map{Title: anyText(t, "title"), Summary: anyText(t, "summary"), Language: "en", RightToLeft: rapid.Bool().Draw(t, "rtl"), Generator: "Test"}
	for range rapid.IntRange(0, 12).Draw(t, "segments") {
		s := Segment{Name: anyText(t, "segment")}
		for range rapid.SampledFrom([]int{0, 0, 1, 2, 3, 7, 30}).Draw(t, "tiles") {
			tile := Tile{Name: anyText(t, "tile"), URL: rapid.SampledFrom([]string{"", "/x", `/"><script>`}).Draw(t, "url"), Mark: "A", Note: rapid.SampledFrom([]string{"", "New", "A note that is by far too long for a tile"}).Draw(t, "note")}
			if rapid.Bool().Draw(t, "logo") {
				tile.Logo = "/media/a.png"
			}
			s.Tiles = append(s.Tiles, tile)
		}
		m.Segments = append(m.Segments, s)
	}
	return m
}

// valid returns the characters of a text that are valid in XML.
func valid(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text))
	var read string
	_ = xml.Unmarshal([]byte("<a>"+b.String()+"</a>"), &read)
	return read
}

// A box is the area of a drawn element.
type box struct{ x, y, width, height int }

func (b box) in(o box) bool {
	return b.x >= o.x && b.y >= o.y && b.x+b.width <= o.x+o.width && b.y+b.height <= o.y+o.height
}

func (b box) meets(o box) bool {
	return b.x < o.x+o.width && o.x < b.x+b.width && b.y < o.y+o.height && o.y < b.y+b.height
}

func TestAnyMapIsDrawnCompletelyWithoutOverlaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		picture := Draw(m)
		if again := Draw(m); string(again) != string(picture) {
			t.Fatal("drawn twice, a map is two pictures")
		}
		root := parse(t, picture)
		page := box{0, 0, root.number("width"), root.number("height")}
		views := map[string]box{}
		for _, v := range root.all("view") {
			var b box
			if _, err := fmt.Sscanf(v.attr["viewBox"], "%d %d %d %d", &b.x, &b.y, &b.width, &b.height); err != nil {
				t.Fatal(err)
			}
			views[v.attr["id"]] = b
		}
		var blocks, tiles []box
		at := 0
		for _, g := range root.all("g") {
			if g.attr["role"] != "group" {
				continue
			}
			s := m.Segments[at]
			at++
			if g.attr["aria-label"] != valid(s.Name) {
				t.Fatalf("a block is called %q, not %q", g.attr["aria-label"], s.Name)
			}
			r := g.all("rect")[0]
			block := box{g.x + r.number("x"), g.y + r.number("y"), r.number("width"), r.number("height")}
			blocks = append(blocks, block)
			if !block.in(page) {
				t.Fatalf("the block %v is outside of %v", block, page)
			}
			if view := views[fmt.Sprint("s", at-1)]; !block.in(view) || !block.in(views["all"]) {
				t.Fatalf("the fragments show %v and %v, without the block %v", view, views["all"], block)
			}
			members := g.children[len(g.children)-1].children
			if len(members) != len(s.Tiles) {
				t.Fatalf("%q has %d tiles, want %d", s.Name, len(members), len(s.Tiles))
			}
			for i, member := range members {
				checkTile(t, member, s.Tiles[i])
				tile := box{member.x - middle, member.y - base, tileWidth, pitchY - tileGap}
				if !tile.in(block) {
					t.Fatalf("the tile %v is outside of its block %v", tile, block)
				}
				tiles = append(tiles, tile)
			}
		}
		if at != len(m.Segments) {
			t.Fatalf("%d blocks, want %d", at, len(m.Segments))
		}
		for _, boxes := range [][]box{blocks, tiles} {
			for i, b := range boxes {
				for _, o := range boxes[:i] {
					if b.meets(o) {
						t.Fatalf("%v lies upon %v", b, o)
					}
				}
			}
		}
	})
}

// checkTile checks that a member is completely readable and has the right link.
func checkTile(t *rapid.T, n *node, tile Tile) {
	if (n.name == "a") != (tile.URL != "") || n.attr["href"] != tile.URL {
		t.Fatalf("%q leads to %q, not %q", tile.Name, n.attr["href"], tile.URL)
	}
	if n.name == "a" && n.attr["target"] != "_top" {
		t.Fatalf("the link of %q stays in the object that shows the picture", tile.Name)
	}
	want := valid(tile.Name)
	if tile.Note != "" {
		want += " · " + tile.Note
	}
	var parts []string
	for _, text := range n.all("text") {
		if text.attr["class"] != "i" {
			parts = append(parts, text.text)
		}
	}
	said := strings.Join(parts, " · ")
	if titles := n.all("title"); len(titles) > 0 {
		said = titles[0].text
	}
	if said != want {
		t.Fatalf("a tile says %q, want %q", said, want)
	}
	logos := n.all("image")
	for _, u := range n.all("use") {
		if strings.HasPrefix(u.attr["href"], "#l") {
			logos = append(logos, u)
		}
	}
	if len(logos) > 1 || (len(logos) == 1) != (tile.Logo != "") {
		t.Fatalf("%q has %d logos, and should have %q", tile.Name, len(logos), tile.Logo)
	}
}

// many returns a map of segments with the given numbers of tiles.
func many(sizes ...int) Map {
	m := Map{Title: "Everything", Language: "en"}
	for i, n := range sizes {
		s := Segment{Name: fmt.Sprint("Segment number ", i), URL: "/categories/product/segment"}
		for j := range n {
			s.Tiles = append(s.Tiles, Tile{Name: fmt.Sprintf("Product %d", j), URL: fmt.Sprintf("/companies/company-%d/products/product-%d", i, j), Logo: fmt.Sprintf("/media/%032x.svg", i<<16+j)})
		}
		m.Segments = append(m.Segments, s)
	}
	return m
}

// uneven returns sizes of segments as in real markets: few large ones.
func uneven(segments int) (sizes []int) {
	for i := range segments {
		sizes = append(sizes, 2+(i*i*7)%31+100*(i%19/18))
	}
	return sizes
}

func TestThePictureHasTheShapeOfAPage(t *testing.T) {
	for _, sizes := range [][]int{uneven(8), uneven(20), uneven(94), {400}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}} {
		root := parse(t, Draw(many(sizes...)))
		width, height := root.number("width"), root.number("height")
		if width*10 < height*12 || width*10 > height*21 {
			t.Errorf("%d segments make %d by %d, want about 16 by 10", len(sizes), width, height)
		}
	}
}

func TestNinetyFourSegmentsAreSmall(t *testing.T) {
	m := many(uneven(94)...)
	tiles := 0
	for _, s := range m.Segments {
		tiles += len(s.Tiles)
	}
	if size := len(Draw(m)); tiles < 1700 || size > tiles*430<<10/1700 {
		t.Errorf("%d tiles in %d bytes, 430 KB for 1,700 are wanted", tiles, size)
	}
}

func TestALogoIsIncludedOnce(t *testing.T) {
	m := Map{Segments: []Segment{{Tiles: []Tile{{Name: "A", Logo: "data:image/png;base64,AAAA"}, {Name: "B", Logo: "/b.png"}, {Name: "C", Logo: "data:image/png;base64,AAAA"}}}}}
	root := parse(t, Draw(m))
	images, uses := root.all("image"), root.all("use")
	if len(images) != 2 || len(uses) != 1 || images[0].attr["id"] == "" || uses[0].attr["href"] != "#"+images[0].attr["id"] || images[1].attr["id"] != "" {
		t.Errorf("%d logos, %d references", len(images), len(uses))
	}
}

func BenchmarkNinetyFourSegments(b *testing.B) {
	m := many(uneven(94)...)
	b.ReportAllocs()
	for b.Loop() {
		Draw(m)
	}
}
