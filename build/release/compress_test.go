package release

import "testing"

func TestTextsHaveTwinsAndPicturesNone(t *testing.T) {
	for file, want := range map[string]bool{
		"api/v1/marketplace.json": true, "index.html": true, "sitemap.xml": true, "llms.txt": true, "market-maps/map.svg": true, "feed.atom": true,
		"assets/style-1.css": true, "assets/script-1.js": true, "media/1.png": false, "assets/font.woff2": false, "companies/acme.md": false,
		"companies/acme.gone.html": false,
	} {
		if got := Precompress(4096).wants(file, 4096); got != want {
			t.Errorf("%s has twins: %t", file, got)
		}
		if Precompress(4096).wants(file, 4095) {
			t.Errorf("%s has twins below the size", file)
		}
	}
}
