package web_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"souk/internal/testing/script"
)

// TestRequestScripts runs testdata/*.txt against a release from which left-inc was removed.
// {media} stands for the address of the picture, {etag} for the ETag of the previous
// answer. Requests are sent exactly as written.
func TestRequestScripts(t *testing.T) {
	m := newMarket(t)
	m.removeLeftInc()
	server := serve(t, m.builder.Tree(), io.Discard)
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			p := &script.Player{TB: t, Host: strings.TrimPrefix(server.URL, "http://"), Saved: map[string]string{"media": m.media(), "etag": ""}}
			for _, b := range script.Read(t, file) {
				a := p.Play(b)
				if got := a.Header.Get("Location"); got != "" {
					t.Errorf("%s: a redirect to %s", b.Where, got)
				}
				p.Saved["etag"] = a.Header.Get("ETag")
			}
		})
	}
}
