package mcp

import (
	"strings"
	"testing"
)

func TestRowsNeverTruncateAddresses(t *testing.T) {
	// These are the longest possible slugs.
	address := "https://market.example/companies/" + strings.Repeat("s", 80) + "/products/" + strings.Repeat("p", 80)
	one := item{row: []string{strings.Repeat("n", 300), address, strings.Repeat("https://a.example/ ", 20)}}
	cells := strings.Split(strings.TrimSuffix(one.line(), "\n"), " | ")
	if len(cells) != 3 || len([]rune(cells[0])) != 200 || cells[1] != address || len([]rune(cells[2])) > 200 {
		t.Errorf("the row is %q", cells)
	}
}
