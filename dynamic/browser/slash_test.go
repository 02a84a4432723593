package browser

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

func TestSlashFocusesTheSearchUnlessTyping(t *testing.T) {
	s := serveContent(t, bench, "")
	p := open(t)
	for _, address := range []string{"/", "/categories/product/robots", "/nothing/here"} {
		p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.url+address))
		p.until(`document.querySelector(".find input").role === "combobox"`)
		// KeyEvent sends the character apart from the key, so the page could not keep it back.
		p.do(command(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Key: "/", Code: "Slash", Text: "/"}))
		p.until(`document.activeElement.name === "q"`)
		p.do(chromedp.KeyEvent("a/b"))
		if got := get(p, chromedp.Evaluate[string](`document.activeElement.value`)); got != "a/b" {
			t.Errorf("%s: typed into the search is %q, want a/b", address, got)
		}
	}
}
