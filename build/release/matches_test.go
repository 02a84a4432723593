package release

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"
)

// repetitive draws texts that repeat themselves, near and far, up to some blocks long.
func repetitive(t *rapid.T) []byte {
	words := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 40), 1, 8).Draw(t, "words")
	order := rapid.SliceOfN(rapid.IntRange(0, len(words)-1), 0, 400).Draw(t, "order")
	var text []byte
	for _, i := range order {
		text = append(text, words[i]...)
	}
	return bytes.Repeat(text, rapid.SampledFrom([]int{1, 1, 2, 3, 40}).Draw(t, "times"))
}

func TestTwinsDecodeWhateverWasCompressedBefore(t *testing.T) {
	used := newCompressor()
	rapid.Check(t, func(t *rapid.T) {
		text := repetitive(t)
		if rapid.IntRange(0, 20).Draw(t, "late") == 0 {
			used.matches.began = mostBefore - 10
		}
		gz, br := newCompressor().twins(text)
		gzAgain, brAgain := used.twins(text)
		if !bytes.Equal(gz, gzAgain) || !bytes.Equal(br, brAgain) {
			t.Fatal("the twins depend on the texts before them")
		}
		if gz == nil {
			return
		}
		for name, twin := range map[string][]byte{"x.gz": gz, "x.br": br} {
			if got, err := Decompress(name, twin); err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%s: %d bytes come back as %d: %v", name, len(text), len(got), err)
			}
		}
	})
}

func TestTwinsOfLargeDocumentsDecode(t *testing.T) {
	for _, cards := range []int{200, 2000} {
		text := cardsOf(cards)
		gz, br := newCompressor().twins(text)
		for name, twin := range map[string][]byte{"x.gz": gz, "x.br": br} {
			if got, err := Decompress(name, twin); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%s: %d bytes come back as %d: %v", name, len(text), len(got), err)
			}
		}
	}
}

func TestTwinsAreAboutAsSmallAsThoseOfTheModules(t *testing.T) {
	c := newCompressor()
	for _, cards := range []int{10, 100, 400} {
		text := cardsOf(cards)
		gz, br := c.twins(text)
		var brotlied, gzipped bytes.Buffer
		toGzip, err := gzip.NewWriterLevel(&gzipped, 5)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []io.WriteCloser{brotli.NewWriterV2(&brotlied, 3), toGzip} {
			if _, err := w.Write(text); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if most := brotlied.Len() * 103 / 100; len(br) > most {
			t.Errorf("brotli makes %d of %d bytes, more than %d: the module's 3 makes %d", len(br), len(text), most, brotlied.Len())
		}
		if most := gzipped.Len() * 106 / 100; len(gz) > most {
			t.Errorf("gzip makes %d of %d bytes, more than %d: the module's 5 makes %d", len(gz), len(text), most, gzipped.Len())
		}
	}
}

// cardsOf is a document with cards, as a list has them.
func cardsOf(n int) []byte {
	var cards []map[string]any
	for i := range n {
		name := fmt.Sprintf("%s robot %x", strings.Repeat("Welding ", i%3), i*i*7919)
		cards = append(cards, map[string]any{
			"kind": "product", "name": name, "url": "https://market.example/companies/acme/products/" + name, "price": fmt.Sprint(i * 31 % 997),
			"summary": fmt.Sprintf("%s with a reach of %d mm, for loads up to %d kg.", name, i*17%2000, i%37),
		})
	}
	text, err := json.Marshal(cards)
	if err != nil {
		panic(err)
	}
	return text
}
