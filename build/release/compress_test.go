package release

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestTextsHaveTwinsAndPicturesNone(t *testing.T) {
	for file, want := range map[string]bool{
		"api/v1/marketplace.json": true, "index.html": true, "sitemap.xml": true, "llms.txt": true, "market-maps/map.svg": true, "feed.atom": true,
		"assets/style-1.css": true, "assets/script-1.js": true, "media/1.png": false, "assets/font.woff2": false, "companies/acme.md": false,
		"companies/acme.gone.html": false,
	} {
		for _, one := range []struct {
			from         Precompress
			size         int
			gzip, brotli bool
		}{
			{4096, 4095, false, false}, {4096, 4096, true, false}, {4096, 32<<10 - 1, true, false}, {4096, 32 << 10, true, true},
			{100, 100, true, false}, {0, 1, true, true}, {64 << 10, 32 << 10, false, false}, {64 << 10, 64 << 10, true, true}, {NoPrecompress, 1 << 20, false, false},
		} {
			if got := one.from.wants(file, one.size); got != (twins{want && one.gzip, want && one.brotli}) {
				t.Errorf("from %v on, %s of %d bytes has the twins %+v", one.from, file, one.size, got)
			}
		}
	}
}

func TestASkippedTwinDoesNotAffectOthers(t *testing.T) {
	c := newCompressor()
	body := []byte(long(strings.Repeat("a", 50)))
	if gz, br, err := c.twins(body, twins{gzip: true}); err != nil || len(gz) == 0 || len(br) != 0 {
		t.Errorf("twins of %d and %d bytes, %v", len(gz), len(br), err)
	}
	if gz, br, err := c.twins([]byte(noise(5000)), twins{gzip: true}); err != nil || gz != nil || br != nil {
		t.Errorf("noise has twins of %d and %d bytes, %v", len(gz), len(br), err)
	}
}

func TestTwinsOfADocumentHaveDifferentSizes(t *testing.T) {
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
		gz, br, err := c.twins(body.Bytes(), twins{true, true})
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
