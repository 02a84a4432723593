package formats

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkTenThousandRows imports companies with one product each, and imports them again.
func BenchmarkTenThousandRows(b *testing.B) {
	var rows strings.Builder
	rows.WriteString("seller.name,seller.website,seller.headquarters.city,seller.headquarters.country,product.name,product.summary,product.categories,product.price.amount,product.price.currency,product.sku,product.attributes.Weight (kg)\n")
	for i := range 10_000 {
		fmt.Fprintf(&rows, "Company %d,https://company%d.example,Town %d,DE,Machine %d,\"It makes thing %d, quickly.\",Tools > Kind %d,%d.50,EUR,M-%d,%d\n", i/2, i/2, i%90, i, i, i%40, 100+i, i, i%50)
	}
	s := Settings{Format: "csv", Source: "rows.csv"}
	for _, again := range []bool{false, true} {
		b.Run(map[bool]string{false: "first", true: "again"}[again], func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				m := newMarket(b)
				if again {
					m.imported(s, rows.String())
				}
				b.StartTimer()
				m.imported(s, rows.String())
			}
		})
	}
}
