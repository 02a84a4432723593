package browser

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"souk/build"
	"souk/dynamic"
	"souk/dynamic/ledger"
	"souk/dynamic/mail"
)

// previewed runs a preview with drafts that follows its content, and returns its
// address and that of its content folder.
func previewed(t *testing.T) (url, content string) {
	t.Helper()
	home := t.TempDir()
	content = filepath.Join(home, "content")
	if err := os.CopyFS(content, os.DirFS("../web/testdata/content")); err != nil {
		t.Fatal(err)
	}
	book, err := ledger.Open(t.Context(), filepath.Join(home, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	sites := make(chan string, 1)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- dynamic.Run(ctx, dynamic.Config{
			Build: build.Config{
				Content: content, Public: filepath.Join(home, "public"), State: filepath.Join(home, "var"),
				Clock: time.Now, Program: "test", Pages: true, Preview: true, Drafts: true,
			},
			Verification: dynamic.VerificationConfig{Ledger: book, Sender: mail.Folder{Path: filepath.Join(home, "mail")}},
			Listen:       "127.0.0.1:0", Watch: true, Log: slog.New(slog.DiscardHandler), Serving: func(s dynamic.Served) { sites <- s.Site },
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		book.Close()
	})
	select {
	case url = <-sites:
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
	}
	return url, content
}

// comes waits until a condition holds on a page that may be asked for again
// meanwhile, which ends the scripts of the page before.
func (p *page) comes(condition string) {
	p.t.Helper()
	for p.ctx.Err() == nil {
		if _, err := chromedp.Run(p.ctx, chromedp.Poll[chromedp.Void](condition)); err == nil {
			return
		}
	}
	p.t.Fatalf("%s: %v", condition, p.ctx.Err())
}

// TestAPreviewFollowsItsContentInTheBrowser saves a file three times: with another
// text, with a mistake, and mended. The page follows without a touch.
func TestAPreviewFollowsItsContentInTheBrowser(t *testing.T) {
	url, content := previewed(t)
	save := func(text string) {
		t.Helper()
		file := filepath.Join(content, "articles", "news.md")
		if err := os.WriteFile(file, []byte("---\n"+text+"status: draft\n---\n\nSome news.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	save("title: First\n")
	p := open(t)
	p.do(chromedp.Navigate(url + "/articles/news"))
	p.comes(`document.querySelector("h1")?.innerText === "First"`)
	p.comes(`document.querySelector("main .souk-mark")?.innerText === "Draft"`)
	save("title: Second\n")
	p.comes(`document.querySelector("h1")?.innerText === "Second"`)
	p.shootIfKept("preview-draft")
	save("title: Third\nsumary: <img src=x onerror=alert(1)>\n")
	p.comes(`document.querySelector(".souk-mistakes")?.checkVisibility()`)
	p.shootIfKept("preview-mistake")
	if got := p.text(".souk-mistakes"); !strings.Contains(got, `articles/news.md:3:1 unknown field "sumary" (did you mean "summary"?)`) || p.text("h1") != "Second" {
		t.Errorf("of the mistake the page says %q above %q", got, p.text("h1"))
	}
	if p.is(`document.querySelector(".souk-mistakes").getBoundingClientRect().top < 0 || document.querySelectorAll(".souk-mistakes img").length > 0`) {
		t.Error("the mistake is out of sight, or is markup")
	}
	save("title: Third\n")
	p.comes(`document.querySelector("h1")?.innerText === "Third" && !document.querySelector(".souk-mistakes")`)
	p.clean(url)
	p.do(chromedp.Navigate("about:blank"))
}
