package formats

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"souk/build/intake/feed"
	"souk/build/intake/landscape"
	"souk/build/intake/table"
	"souk/internal/testing/docsection"
)

var update = flag.Bool("update", false, "write the tables of docs/reference/import.md anew")

// TestReferenceOfImportHasTheFieldsOfTheProgram compares docs/reference/import.md with the
// tables by which the program reads sources.
func TestReferenceOfImportHasTheFieldsOfTheProgram(t *testing.T) {
	hold := func(name, head string, rows []string) {
		begin := "<!-- " + name + " -->\n"
		docsection.Hold(t, "../../../docs/reference/import.md", begin, "<!-- /"+name+" -->", "\n"+head+"\n"+strings.Join(rows, "\n")+"\n\n", *update)
	}
	var rows []string
	for _, takes := range takesInOrder() {
		var targets []string
		for _, f := range feed.Fields {
			if f.Takes == takes {
				targets = append(targets, "`"+f.Target+"`")
			}
		}
		rows = append(rows, fmt.Sprintf("| %s | %s |", takes, strings.Join(targets, " ")))
	}
	hold("fields", "| a source may have | for the fields |\n|---|---|", rows)
	for name, headers := range map[string][]table.Header{"shopify": table.Shopify, "woocommerce": table.WooCommerce} {
		rows = nil
		for _, h := range headers {
			rows = append(rows, fmt.Sprintf("| %s | %s |", h.Name, h.Target))
		}
		hold(name, "| column | goes to |\n|---|---|", rows)
	}
	rows = nil
	for _, k := range landscape.Keys {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", k.Name, k.Member, k.Offer))
	}
	hold("landscape", "| key of an item | of a member | of another item |\n|---|---|---|", rows)
}

// takesInOrder returns the values that fields accept, each once.
func takesInOrder() (all []string) {
	seen := map[string]bool{}
	for _, f := range feed.Fields {
		if !seen[f.Takes] {
			seen[f.Takes] = true
			all = append(all, f.Takes)
		}
	}
	return all
}
