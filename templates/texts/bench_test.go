package texts

import "testing"

// Each build creates a catalogue, and each document looks up a text.
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
