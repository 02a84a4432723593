package texts

import "testing"

func BenchmarkCatalogueOfALanguage(b *testing.B) {
	own := map[string]Wording{"de": {"action.claim": "A"}}
	for b.Loop() {
		New("de", own)
	}
}

func BenchmarkTextWithAPlaceholder(b *testing.B) {
	c := New("de", nil)
	for b.Loop() {
		c.Text("action.viewSeller", "company", "Acme")
	}
}
