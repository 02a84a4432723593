package texts

import "testing"

// A catalogue is made for each build; a text is looked up for each document.
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
