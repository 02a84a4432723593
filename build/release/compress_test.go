package release

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestTextsHaveTwinsAndPicturesNone(t *testing.T) {
	for file, want := range map[string]bool{
		"api/v1/marketplace.json": true, "index.html": true, "sitemap.xml": true, "llms.txt": true, "market-maps/map.svg": true, "feed.atom": true,
		"assets/style-1.css": true, "assets/script-1.js": true, "media/1.png": false, "assets/font.woff2": false, "companies/acme.md": false,
		"companies/acme.gone.html": false,
	} {
		if got := Precompress(4096).wants(file, 4096); got != want {
			t.Errorf("%s has twins: %t", file, got)
		}
		if Precompress(4096).wants(file, 4095) {
			t.Errorf("%s has twins below the size", file)
		}
	}
}

func TestTwinsOfADocumentHaveTwoSizes(t *testing.T) {
	c, alike, draw := newCompressor(), 0, rand.New(rand.NewPCG(1, 2))
	words := make([]string, 400)
	for i := range words {
		words[i] = strconv.FormatUint(draw.Uint64N(1<<(10+i%30)), 36)
	}
	for range 2000 {
		var body bytes.Buffer
		for size := 500 + draw.IntN(3000); body.Len() < size; {
			fmt.Fprint(&body, words[draw.IntN(len(words))], " ")
		}
		gz, br, err := c.twins(body.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if gz == nil {
			continue
		}
		const hasComment = 1 << 4 // RFC 1952, section 2.3.1
		if gz[3]&hasComment != 0 {
			alike++
		}
		if len(gz) == len(br) {
			t.Fatalf("both twins of %d bytes have %d", body.Len(), len(gz))
		}
		for file, twin := range map[string][]byte{"a.json.gz": gz, "a.json.br": br} {
			if got, err := Decompress(file, twin); err != nil || !bytes.Equal(got, body.Bytes()) {
				t.Fatalf("%s is another document, %v", file, err)
			}
		}
	}
	if alike == 0 {
		t.Error("of no document both would have had the same size")
	}
}
