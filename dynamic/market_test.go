package dynamic

import (
	"crypto/rand"
	"fmt"
	"io"
)

// random returns the source of the tests' secrets.
func (h *house) random() io.Reader { return rand.Reader }

// fillMarket adds sellers with domains of every kind.
func (h *house) fillMarket() {
	h.Helper()
	for slug, domain := range map[string]string{
		"mueller": "müller.example", "moved": "moved.example\nformerDomains: [moved-before.example]",
		"shop": "shop.co.uk", "draft": "draft.example\nstatus: draft", "gone": "gone.example", "rival": "rival.example",
	} {
		h.write("sellers/"+slug+"/seller.yaml", fmt.Sprintf("officialDomain: %s\nversions:\n  - version: 1\n    name: The %s\n", domain, slug))
		h.write("sellers/"+slug+"/products/thing.yaml", "name: Thing of "+slug+"\ncategories: [robots]\n")
	}
}
