//go:build unix

package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/index"
	"souk/build/index/text"
	"souk/internal/testing/markettest"
)

// costly returns texts of the maximum length that would be the most expensive if every word
// were corrected, split or excluded, by kind. Each is searched for once.
func costly(words []string) map[string][]string {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string { return words[r.IntN(len(words))] }
	unknown := func(n int) string {
		letters := make([]byte, n)
		for i := range letters {
			letters[i] = 'a' + byte(r.IntN(26))
		}
		return string(letters)
	}
	misspelt := func() string {
		w := []byte(word())
		w[len(w)/2] = 'a' + byte(r.IntN(26))
		return string(w)
	}
	filled := func(one func() string) (texts []string) {
		for range 20 {
			var b strings.Builder
			for b.Len() < MaxQuery {
				b.WriteString(one() + " ")
			}
			texts = append(texts, strings.TrimSpace(b.String()[:MaxQuery]))
		}
		return texts
	}
	return map[string][]string{
		"unknown":  filled(func() string { return unknown(4 + r.IntN(8)) }),
		"misspelt": filled(misspelt),
		"joined":   filled(func() string { return word() + word() }),
		"joined as one": filled(func() string {
			return strings.TrimSpace(word() + word() + word() + word() + word() + word() + word() + word())
		}),
		"known":          filled(word),
		"excluded":       filled(func() string { return "without " + word() }),
		"excluded w":     filled(func() string { return "without w" }),
		"excluded minus": filled(func() string { return "-" + word() }),
		"letters":        filled(func() string { return unknown(1) }),
		"syllables":      filled(func() string { return unknown(2) }),
	}
}

// BenchmarkCostliestTexts measures deliberately expensive texts, as multiples of the CPU
// time of the most expensive 1 % of ordinary texts.
func BenchmarkCostliestTexts(b *testing.B) {
	c := markettest.Catalog(b)
	x := mustOpen(b, extract(c), Options{State: index.State{Release: "r1"}})
	b.Cleanup(func() { closeAll(b, x) })
	cost := func(q string) time.Duration {
		used := markettest.CPU()
		if _, err := x.Search(context.Background(), Query{Text: q, Limit: 20}); err != nil {
			b.Fatal(err)
		}
		return markettest.CPU() - used
	}
	ordinary := markettest.Queries(c, 1000)
	var words []string
	for _, q := range ordinary {
		for _, t := range text.Tokens(nil, q) {
			if len(t.Text) > 3 {
				words = append(words, t.Text)
			}
		}
	}
	for b.Loop() {
		var times []time.Duration
		for _, q := range ordinary {
			times = append(times, cost(q))
		}
		slices.Sort(times)
		usual := times[len(times)*99/100]
		b.ReportMetric(markettest.Milliseconds(usual), "usual-p99-ms")
		b.ReportMetric(markettest.Milliseconds(times[len(times)/2]), "usual-p50-ms")
		for name, texts := range costly(words) {
			var most []time.Duration
			for _, q := range texts {
				most = append(most, cost(q))
			}
			slices.Sort(most)
			b.ReportMetric(float64(most[len(most)-1])/float64(usual), strings.ReplaceAll(name, " ", "-")+"-x")
		}
	}
}
