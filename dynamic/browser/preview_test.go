package browser

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"souk/build"
	"souk/dynamic"
	"souk/dynamic/ledger"
	"souk/dynamic/mail"
)

// previewed starts a preview with drafts that follows its content, and returns its address
// and the content folder.
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

// comes waits until a condition holds on a page that may be reloaded meanwhile, which ends
// its scripts.
func (p *page) comes(condition string) {
	p.t.Helper()
	for p.ctx.Err() == nil {
		if _, err := chromedp.Run(p.ctx, chromedp.Poll[chromedp.Void](condition)); err == nil {
			return
		}
	}
	p.t.Fatalf("%s: %v", condition, p.ctx.Err())
}

// TestPreviewFollowsItsContentInTheBrowser saves a file three times: with another text,
// with a mistake, and fixed. The page follows on its own.
func TestPreviewFollowsItsContentInTheBrowser(t *testing.T) {
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

// TestOnlyLocalPagesCanReadAPreview reads a preview from a page, as the example in
// docs/frontend.md does: from another port, under another name, and from another site.
func TestOnlyLocalPagesCanReadAPreview(t *testing.T) {
	url, _ := previewed(t)
	answer, err := http.Get(url + "/api/v1/marketplace/articles/welcome")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	article, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	picture := regexp.MustCompile(`/media/[^") ]+`).FindString(string(article))
	elsewhere := hostOf(t, `<!doctype html><title>x</title><link rel="icon" href="data:,"><script type="module">
		const read = await fetch("`+url+`/api/v1/marketplace").then((a) => a.ok, () => false);
		const shown = await new Promise((done) => {
			const image = new Image();
			image.onload = () => done(true);
			image.onerror = () => done(false);
			image.src = "`+url+picture+`";
		});
		document.title = "reads " + read + ", shows " + shown;
	</script>`)
	for host, want := range map[string]string{"127.0.0.1": "reads true, shows true", "localhost": "reads true, shows true", "evil.test": "reads false, shows false"} {
		p := open(t)
		p.do(chromedp.Navigate(strings.Replace(elsewhere, "127.0.0.1", host, 1)))
		p.until(`document.title !== "x"`)
		if got := get(p, chromedp.Evaluate[string]("document.title")); got != want {
			t.Errorf("a page at %s %s, want %s", host, got, want)
		}
	}

	// A link of another site needs one more click, and another name for this machine is
	// refused.
	p := open(t)
	link := hostOf(t, `<!doctype html><title>x</title><link rel="icon" href="data:,"><a href="`+url+`/articles/welcome">read</a>`)
	p.do(chromedp.Navigate(strings.Replace(link, "127.0.0.1", "evil.test", 1)), chromedp.Evaluate[chromedp.Void](`document.querySelector("a").click()`))
	p.comes(`document.querySelector("a[href='']")`)
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("a[href='']").click()`))
	p.comes(`document.querySelector("main h1")`)
	p.do(chromedp.Navigate(strings.Replace(url, "127.0.0.1", "evil.test", 1) + "/articles/welcome"))
	if !p.is(`document.body.innerText.includes("--site-url")`) {
		t.Error("a name that leads to the preview shows it")
	}
}
