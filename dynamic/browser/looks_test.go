package browser

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// samplePages contains pages of each kind in the sample marketplace.
var samplePages = map[string]string{
	"home": "/", "seller": "/companies/brass-wren", "product": "/companies/brass-wren/products/wren-7", "category": "/categories/product/robots",
	"article": "/articles/a-robot-for-a-small-bench", "map": "/market-maps/twenty-four-hours", "search": "/search?q=wren", "nothing": "/search?q=nothingofthatname",
	"refused": "/search?limit=x", "claim": "/companies/brass-wren/claim", "remove": "/companies/brass-wren/remove", "404": "/nothing/here",
	"reference": "/docs/api", "companies": "/companies", "companysearch": "/companies/search?q=wren", "embed": embedded, "picture": "/market-maps/twenty-four-hours.svg", "articles": "/articles", "root": "/categories/product", "verify": "/verify/removal#id=removal" + requested + "&token=" + token,
}

var widths = []int{360, 768, 1440}

func TestResultsWithoutFiltersUseTheFullWidth(t *testing.T) {
	s := serveContent(t, bench, "")
	for _, address := range []string{"/search?q=wren&kind=foo", "/search?limit=x"} {
		for _, script := range [][]step{nil, {withoutScripts()}} {
			p := open(t, script...)
			for _, width := range []int64{390, 1280} {
				p.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(s.url+address))
				p.until(`document.querySelector(".filters").hidden && document.querySelector(".answer").innerText.trim() !== ""`)
				if !p.is(`Math.abs(document.querySelector(".answer").clientWidth - document.querySelector(".finding").clientWidth) < 1`) {
					t.Errorf("%s at %d: the answer is %d pixels wide", address, width, get(p, chromedp.Evaluate[int](`document.querySelector(".answer").clientWidth`)))
				}
			}
		}
	}
}

func TestCardHasSpaceBelowItsLastLine(t *testing.T) {
	s := serveContent(t, bench, "")
	for _, address := range []string{"/companies/brass-wren", "/categories/product/robots", "/search?q=wren"} {
		p := open(t)
		for _, width := range []int64{390, 1280} {
			p.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(s.url+address))
			p.until(`document.querySelector(".card") !== null`)
			// A card without a price has no line for it.
			for _, last := range []string{"", `document.querySelectorAll(".card .meta").forEach(e => e.remove());`} {
				room := get(p, chromedp.Evaluate[[]int](last+`[...document.querySelectorAll(".card")].map(c => {
					const last = c.lastElementChild, below = parseFloat(getComputedStyle(last).paddingBottom);
					return Math.floor(c.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom + below);
				})`))
				if least := slices.Min(room); least < 12 {
					t.Errorf("%s at %d: a last line stands %d pixels above the border of its card", address, width, least)
				}
			}
		}
	}
}

func TestAdjacentCardsAlignTheirLastLines(t *testing.T) {
	s := serveContent(t, bench, "")
	for _, address := range []string{"/companies/brass-wren", "/categories/product/robots", "/search?q=wren"} {
		p := open(t)
		p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.url+address))
		p.until(`document.querySelector(".card") !== null`)
		if !p.is(`(cards => cards.length > 1 && cards.every(c => Math.abs(c.getBoundingClientRect().bottom - c.querySelector(".meta:not(.facts)").getBoundingClientRect().bottom - 17) < 2))([...document.querySelectorAll(".card:has(.meta:not(.facts))")])`) {
			t.Errorf("%s: the seller and the price of a card are not at its foot", address)
		}
	}
}

func TestLongRelatedNameStaysNextToItsKind(t *testing.T) {
	s := serveContent(t, bench, "")
	p := open(t)
	p.do(chromedp.EmulateViewport(360, 900), chromedp.Navigate(s.url+samplePages["product"]))
	if !p.is(`(names => names.some(n => n.getBoundingClientRect().height > 35) && names.every(n => n.getBoundingClientRect().left >= n.previousElementSibling.getBoundingClientRect().right))([...document.querySelectorAll(".related .kind + a")])`) {
		t.Error("no name has a second line, or one stands below the kind")
	}
}

func TestReferenceLabelsItsFoldedParts(t *testing.T) {
	s := serveContent(t, bench, "")
	p := open(t)
	for _, width := range []int64{390, 1280} {
		p.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(s.url+samplePages["reference"]))
		if !p.is(`(folded => folded.length > 0 && folded.every(one => one.querySelector("summary").checkVisibility() && !one.lastElementChild.checkVisibility({contentVisibilityAuto: true})))([...document.querySelectorAll(".api details")])`) {
			t.Errorf("at %d something is folded without a name, or a name shows what is there anyway", width)
		}
	}
}

func TestReferenceDoesNotShiftWhileLoading(t *testing.T) {
	s := serveContent(t, bench, "")
	p := open(t)
	p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.url+samplePages["reference"]))
	p.until(`!document.querySelector(".api form.narrow").hidden`)
	if moved := get(p, chromedp.Evaluate[float64](`new Promise(told => {
		let moved = 0;
		new PerformanceObserver(list => { for (const one of list.getEntries()) moved += one.value; }).observe({type: "layout-shift", buffered: true});
		setTimeout(() => told(moved), 300);
	})`, chromedp.EvalAwaitPromise)); moved > 0.001 {
		t.Errorf("its layout shifts by %.3f", moved)
	}
	plain := open(t, withoutScripts(), chromedp.EmulateViewport(1280, 900))
	plain.do(chromedp.Navigate(s.url + samplePages["reference"]))
	if plain.is(`document.querySelector(".api form.narrow").checkVisibility()`) {
		t.Error("without a script there is a field that does nothing, or the room for it")
	}
}

func TestDoubleSizeTextFitsThePhone(t *testing.T) {
	s := serveContent(t, bench, "")
	p := open(t, command(pages.SetFontSizes, pages.SetFontSizesParams{FontSizes: &pages.FontSizes{Standard: 32}}), chromedp.EmulateViewport(360, 800))
	for _, address := range []string{"/", "/companies/brass-wren", "/categories/robots", "/categories/product/robots", "/search?q=wren"} {
		p.do(chromedp.Navigate(s.url + address))
		p.until(`document.querySelector(".card, .tiles") !== null`)
		if !p.is(`getComputedStyle(document.documentElement).fontSize === "32px" && document.documentElement.scrollWidth === 360`) {
			t.Errorf("%s is %d pixels wide", address, get(p, chromedp.Evaluate[int](`document.documentElement.scrollWidth`)))
		}
		// Content that is wider than its card is cut off.
		if cut := get(p, chromedp.Evaluate[[]string](`[...document.querySelectorAll(".card *")].filter(e => e.getBoundingClientRect().right > e.closest(".card").getBoundingClientRect().right).map(e => e.textContent)`)); len(cut) > 0 {
			t.Errorf("%s cuts %q", address, cut)
		}
	}
}

func TestBarPricesAreOnOneLine(t *testing.T) {
	for _, content := range []string{bench, german(t)} {
		s := serveContent(t, content, "")
		p := open(t)
		p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.url+samplePages["category"]))
		if heights := get(p, chromedp.Evaluate[[]int](`[...new Set([...document.querySelectorAll(".bars li")].filter(e => e.checkVisibility()).map(e => Math.round(e.getBoundingClientRect().height)))]`)); len(heights) != 1 {
			t.Errorf("bars have %v pixels", heights)
		}
	}
}

func TestPrintedPagesHaveTextAndNoButtons(t *testing.T) {
	s := serveContent(t, bench, "")
	for _, colours := range []string{"light", "dark"} {
		p := open(t, command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}},
		}), chromedp.EmulateViewport(1280, 900))
		for _, name := range []string{"category", "search"} {
			p.do(chromedp.Navigate(s.url + samplePages[name]))
			p.until(`document.querySelector(".card") !== null`)
			if seen := get(p, chromedp.Evaluate[[]string](`[...document.querySelectorAll("button, input, select, .share")].filter(e => e.checkVisibility()).map(e => e.outerHTML)`)); len(seen) > 0 {
				t.Errorf("on paper %s has %q", samplePages[name], seen)
			}
		}
		// A link to the seller says where it leads.
		p.do(chromedp.Navigate(s.url + samplePages["product"]))
		if !p.is(`(style => style.color === "rgb(255, 255, 255)" && style.backgroundColor === "rgb(0, 0, 0)")(getComputedStyle(document.querySelector("aside .button")))`) {
			t.Errorf("with a %s screen the seller's address is printed in %s", colours, get(p, chromedp.Evaluate[string](`getComputedStyle(document.querySelector("aside .button")).color`)))
		}
	}
}

func TestOfferWithoutADescriptionStartsNextToItsFacts(t *testing.T) {
	s := serveContent(t, bench, "")
	p := open(t)
	p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.url+samplePages["product"]))
	if apart := get(p, chromedp.Evaluate[int](`document.querySelectorAll(".body > :not(section)").forEach(e => e.remove());
		Math.round(document.querySelector(".body > section").getBoundingClientRect().top - document.querySelector("aside").getBoundingClientRect().top)`)); apart != 0 {
		t.Errorf("the variants begin %d pixels below the facts", apart)
	}
}

func TestPagesFitTheScreen(t *testing.T) {
	s := serveContent(t, bench, "")
	for name, address := range samplePages {
		p := open(t)
		for _, width := range widths {
			for _, colours := range []string{"light", "dark"} {
				p.do(chromedp.EmulateViewport(int64(width), 900), scheme(colours), chromedp.Navigate("about:blank"), chromedp.Navigate(s.url+address))
				if got := get(p, chromedp.Evaluate[int](`document.documentElement.scrollWidth`)); got > width {
					t.Errorf("%s is %d pixels wide on a screen of %d", address, got, width)
				}
				p.shootIfKept(fmt.Sprintf("%s-%d-%s", name, width, colours))
				if *shots == "" {
					break // the width is the same for both
				}
			}
		}
	}
}

func TestLinesOfProseAreShortEnoughToRead(t *testing.T) {
	s := serveContent(t, bench, "")
	for _, address := range []string{"/articles/a-robot-for-a-small-bench", "/about", "/companies/brass-wren", "/companies/brass-wren/products/wren-7", "/categories/product/sensing", "/docs/api"} {
		p := open(t)
		p.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(s.url+address))
		const most = 46 // in em; about 90 letters
		if got := get(p, chromedp.Evaluate[float64](`Math.max(...[...document.querySelectorAll(".prose > p, .api .endpoint > p, .api .group > p, .api .endpoint > div > p")].map(e => e.clientWidth / parseFloat(getComputedStyle(e).fontSize)))`)); got < 20 || got > most {
			t.Errorf("%s has lines of %.0f times their letters, want at most %d", address, got, most)
		}
	}
}

// wideTable selects the table of an article that is wider than its page.
const wideTable = `.prose [tabindex="0"]:has(> table)`

// openWideTable opens the article with the table.
func openWideTable(t *testing.T) *page {
	t.Helper()
	content := t.TempDir()
	if err := os.CopyFS(content, os.DirFS(bench)); err != nil {
		t.Fatal(err)
	}
	const columns = 40
	text := "---\ntitle: Wide\n---\n" + strings.Repeat("| column ", columns) + "|\n" + strings.Repeat("|---", columns) + "|\n" + strings.Repeat("| value ", columns) + "|\n"
	if err := os.WriteFile(filepath.Join(content, "articles/wide.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serveContent(t, content, "")
	p := open(t)
	p.do(chromedp.EmulateViewport(800, 900), chromedp.Navigate(s.url+"/articles/wide"))
	return p
}

func TestWideTableScrollsWithTheKeyboard(t *testing.T) {
	p := openWideTable(t)
	p.do(chromedp.Focus(chromedp.CSS(wideTable)), chromedp.KeyEvent(kb.ArrowRight))
	p.until(`document.activeElement.matches('` + wideTable + `') && document.activeElement.scrollLeft > 0`)
	if !p.is(`document.documentElement.scrollWidth <= 800 && getComputedStyle(document.querySelector(".prose table")).display === "table"`) {
		t.Error("the page scrolls sideways, or the table is none")
	}
}

func TestWideTableIsShadedWhereItContinues(t *testing.T) {
	p := openWideTable(t)
	for _, one := range []struct {
		to          string
		left, right bool
	}{{"0", false, true}, {"200", true, true}, {"9999", true, false}} {
		p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('` + wideTable + `').scrollTo(` + one.to + `, 0)`))
		if left, right := p.shaded(wideTable); left != one.left || right != one.right {
			t.Errorf("scrolled to %s, the edges are shaded: left %t, right %t", one.to, left, right)
		}
	}
}

// shaded reports whether an element's left and right edge differ in color from the page.
func (p *page) shaded(selector string) (left, right bool) {
	p.t.Helper()
	m, err := png.Decode(bytes.NewReader(get(p, chromedp.CaptureScreenshot())))
	if err != nil {
		p.t.Fatal(err)
	}
	at := get(p, chromedp.Evaluate[struct{ X, Y, Width int }](`(({x, y, width}) => ({x: Math.ceil(x), y: Math.ceil(y), width: Math.floor(width)}))(document.querySelector('`+selector+`').getBoundingClientRect())`))
	ground := m.At(1, at.Y+2)
	return m.At(at.X+3, at.Y+2) != ground, m.At(at.X+at.Width-4, at.Y+2) != ground
}

// fromRightToLeft serves the sample as an Arabic market.
func fromRightToLeft(t *testing.T) *served {
	t.Helper()
	content := t.TempDir()
	if err := os.CopyFS(content, os.DirFS(bench)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(content, "marketplace.yaml")
	about, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, regexp.MustCompile(`(?m)^language: .*$`).ReplaceAll(about, []byte("language: ar")), 0o600); err != nil {
		t.Fatal(err)
	}
	return serveContent(t, content, "")
}

func TestEnglishTextOnRightToLeftPagesEndsWithItsFullStop(t *testing.T) {
	s := fromRightToLeft(t)
	p := open(t)
	p.do(chromedp.EmulateViewport(1200, 900), chromedp.Navigate(s.url+samplePages["product"]))
	for _, selector := range []string{"p.lead", ".prose p"} {
		// These are the last letter and the full stop after it, each one letter wide.
		place := fmt.Sprintf(`(() => {
			const text = document.createTreeWalker(document.querySelector(%q), NodeFilter.SHOW_TEXT).lastChild(), at = text.data.trimEnd().length - 1, range = document.createRange();
			const left = i => { range.setStart(text, i); range.setEnd(text, i + 1); return range.getBoundingClientRect().left; };
			return {text: text.data, stop: left(at), letter: left(at - 1)};
		})()`, selector)
		got := get(p, chromedp.Evaluate[struct {
			Text         string
			Stop, Letter float64
		}](place))
		if !strings.HasSuffix(strings.TrimSpace(got.Text), ".") || got.Stop <= got.Letter {
			t.Errorf("%s, %q, has its full stop at %.0f and the letter before it at %.0f pixels", selector, got.Text, got.Stop, got.Letter)
		}
	}
}

func TestCodeStartsOnTheLeftOnRightToLeftPages(t *testing.T) {
	s := fromRightToLeft(t)
	p := open(t)
	p.do(chromedp.Navigate(s.url + samplePages["map"]))
	if !p.is(`(style => document.dir === "rtl" && style.direction === "ltr" && style.textAlign === "left")(getComputedStyle(document.querySelector("pre")))`) {
		t.Error("code is read from right to left, so that a long line shows its end")
	}
}

func TestRightToLeftPagesFitTheScreen(t *testing.T) {
	s := fromRightToLeft(t)
	p := open(t)
	for name, address := range samplePages {
		if name == "picture" || name == "verify" {
			continue // one is not HTML; the other is in English until it is translated
		}
		for _, width := range widths {
			p.do(chromedp.EmulateViewport(int64(width), 900), chromedp.Navigate("about:blank"), chromedp.Navigate(s.url+address))
			if !p.is(`document.dir === "rtl"`) {
				t.Errorf("%s is from left to right", address)
			}
			if got := get(p, chromedp.Evaluate[int](`document.documentElement.scrollWidth`)); got > width {
				t.Errorf("%s is %d pixels wide on a screen of %d", address, got, width)
			}
			p.shootIfKept(fmt.Sprintf("%s-%d-rtl", name, width))
		}
	}
}
