// Package browser tests the pages in a real browser. It has no other code.
//
// The tests need Chromium, and are skipped without it.
package browser

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var shots = flag.String("shots", "", "keep the screenshots in this folder")

// chromium returns the path of the browser.
func chromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium: Debian has it in the package chromium")
}

// browser is one Chromium process for all tests of this package.
var browser struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

func startBrowser() {
	path, err := chromium()
	if err != nil {
		browser.err = err
		return
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("enable-features", "NetworkService,NetworkServiceInProcess,WebMCP"),
		// This is another site, whose name resolves to this machine in the browser.
		chromedp.Flag("host-resolver-rules", "MAP evil.test 127.0.0.1"))
	// Without a given folder, chromedp creates a temporary one.
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stopBrowser := chromedp.NewContext(allocator)
	browser.stop = func() { stopBrowser(); stopAllocator() }
	browser.ctx, browser.err = ctx, chromedp.Do(ctx)
}

type step = chromedp.Action[chromedp.Void]

// command returns a step that runs a command of the protocol.
func command[P, R any](c cdp.Command[P, R], params P) step {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// page is a tab, with all the errors that the browser reports in it.
type page struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
	addresses  []string
}

// open opens a separate tab for a test, without a shared cache or storage.
func open(t *testing.T, steps ...step) *page {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes long")
	}
	browser.once.Do(startBrowser)
	if browser.err != nil {
		t.Skipf("the pages are not tested in a browser: %v", browser.err)
	}
	ctx, closeTab := chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(closeTab)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	p := &page{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	p.do(command(network.Enable, network.EnableParams{}), command(log.Enable, cdp.Empty{}),
		command(runtime.Enable, cdp.Empty{}), command(audits.Enable, cdp.Empty{}))
	p.do(steps...)
	return p
}

// hear records errors, policy violations, and all requested addresses.
func (p *page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.complaints = append(p.complaints, "exception: "+e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		p.complaints = append(p.complaints, "console: "+string(e.Type))
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.complaints = append(p.complaints, "log: "+e.Entry.Text)
		}
	case *audits.EventIssueAdded:
		p.complaints = append(p.complaints, fmt.Sprintf("issue: %s %+v", e.Issue.Code, e.Issue.Details.GenericIssueDetails))
	case *network.EventRequestWillBeSent:
		p.addresses = append(p.addresses, e.Request.URL)
	}
}

// do runs steps and ends the test if one fails.
func (p *page) do(steps ...step) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// get returns the result of an action, and ends the test if it fails.
func get[T any](p *page, action chromedp.Action[T]) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, action)
	if err != nil {
		p.t.Fatal(err)
	}
	return value
}

// clean fails if an error occurred in the tab or any other origin was contacted. Network
// errors for answers that the test expects are ignored.
func (p *page) clean(origins ...string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.complaints {
		if !strings.HasPrefix(c, "log: Failed to load resource") {
			p.t.Errorf("the browser says: %s", c)
		}
	}
	for _, address := range p.addresses {
		ours := func(origin string) bool { return strings.HasPrefix(address, origin+"/") }
		if !slices.ContainsFunc(origins, ours) {
			p.t.Errorf("the page asked for %s", address)
		}
	}
}

// text returns the visible text of an element, or "" if it is hidden.
func (p *page) text(selector string) string {
	p.t.Helper()
	return get(p, chromedp.Evaluate[string](fmt.Sprintf(
		`(() => { const e = document.querySelector(%q); return e && e.checkVisibility() ? e.innerText : "" })()`, selector)))
}

// is evaluates a condition.
func (p *page) is(condition string) bool {
	p.t.Helper()
	return get(p, chromedp.Evaluate[bool](condition))
}

// shootIfKept is shoot, for pictures that are only needed with -shots.
func (p *page) shootIfKept(name string) {
	p.t.Helper()
	if *shots != "" {
		p.shoot(name)
	}
}

// shoot saves a picture of the whole page.
func (p *page) shoot(name string) {
	p.t.Helper()
	folder := *shots
	if folder == "" {
		folder = p.t.TempDir()
	}
	picture := get(p, chromedp.FullScreenshot(100))
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600); err != nil {
		p.t.Fatal(err)
	}
}
