package release

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
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

func TestBrotliTwinDecodesWhateverWasCompressedBefore(t *testing.T) {
	used := newCompressor()
	rapid.Check(t, func(t *rapid.T) {
		text := repetitive(t)
		if rapid.IntRange(0, 20).Draw(t, "late") == 0 {
			used.brotliTo.MatchFinder.(*matches).began = mostBefore - 10
		}
		once, again := brotlied(t, newCompressor(), text), brotlied(t, used, text)
		if !bytes.Equal(once, again) {
			t.Fatal("the twin depends on the texts before it")
		}
		got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(again)))
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%d bytes come back as %d: %v", len(text), len(got), err)
		}
	})
}

func brotlied(t *rapid.T, c *compressor, text []byte) []byte {
	var out bytes.Buffer
	c.brotliTo.Reset(&out)
	if _, err := c.brotliTo.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := c.brotliTo.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestBrotliTwinIsAboutAsSmallAsTheModulesOwn(t *testing.T) {
	c := newCompressor()
	for _, cards := range []int{10, 100, 400} {
		text := cardsOf(cards)
		_, br, err := c.twins(text)
		if err != nil {
			t.Fatal(err)
		}
		var own bytes.Buffer
		w := brotli.NewWriterV2(&own, 3)
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if most := own.Len() * 103 / 100; len(br) > most {
			t.Errorf("%d bytes become %d, more than %d: the module's are %d", len(text), len(br), most, own.Len())
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
