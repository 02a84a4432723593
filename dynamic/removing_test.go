package dynamic

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/dynamic/verification"
)

// An answer is an HTTP answer with the decompressed body.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// direct is a client that adds no headers of its own.
var direct = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16}}

// ask sends a request to a path of the site; headers alternates names and values.
func (h *house) ask(method, path, body string, headers ...string) answer {
	h.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, h.base+path, strings.NewReader(body))
	if err != nil {
		h.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := direct.Do(r)
	if err != nil {
		h.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err == nil {
		data, err = unpacked(response.Header.Get("Content-Encoding"), data)
	}
	if err != nil {
		h.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{response.StatusCode, response.Header, data}
}

func unpacked(encoding string, data []byte) ([]byte, error) {
	ending := map[string]string{"gzip": ".gz", "br": ".br"}[encoding]
	if len(data) == 0 || ending == "" {
		return data, nil
	}
	return release.Decompress("body"+ending, data)
}

const market = "/api/v1/marketplace"

// json sends a body to an address below the marketplace, requires a status, and returns the
// answer.
func (h *house) json(method, address, body string, status int, headers ...string) map[string]any {
	h.Helper()
	a := h.ask(method, market+address, body, append([]string{"Content-Type", "application/json"}, headers...)...)
	var got map[string]any
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != status {
		h.Fatalf("%s %s %s: %d %s (%v), want %d", method, address, body, a.status, a.body, err, status)
	}
	return got
}

// request starts a claim or a removal, and returns its id and the token in the mail.
func (h *house) request(what, slug, domain string, headers ...string) (id, token string) {
	h.Helper()
	body := `{"requesterName":"Jane Doe","requesterEmail":"jane@` + domain + `"}`
	started := h.json("POST", "/companies/"+slug+"/"+what, body, 202, headers...)
	id, _ = started["requestId"].(string)
	if what == "claims" {
		id, _ = started["claimId"].(string)
	}
	return id, h.token(id)
}

// token waits for the mail about a request.
func (h *house) token(id string) (token string) {
	h.Helper()
	link := regexp.MustCompile(`#id=` + regexp.QuoteMeta(id) + `&token=([A-Za-z0-9_-]+)`)
	h.until("the mail about "+id+" is there", func() bool {
		mails, err := filepath.Glob(filepath.Join(h.home, "mail", "*"+id+"*.eml"))
		if err != nil {
			h.Fatal(err)
		}
		for _, one := range mails {
			data, err := os.ReadFile(one)
			if err != nil {
				h.Fatal(err)
			}
			if m := link.FindSubmatch(data); m != nil {
				token = string(m[1])
			}
		}
		return token != ""
	})
	return token
}

// withdraw removes a seller as its owner would: it requests the removal and redeems the
// mail's token.
func (h *house) withdraw(slug, domain string) {
	h.Helper()
	id, token := h.request("removal-requests", slug, domain)
	done := h.json("POST", "/company-removal-requests/"+id+"/verify", `{"token":"`+token+`"}`, 200)
	if done["status"] != "removed" || done["companySlug"] != slug {
		h.Errorf("the removal of %s was answered with %v", slug, done)
	}
}

// removeElsewhere removes a seller like another machine that only shares the ledger: it
// reads the mail and redeems the token without building.
func (h *house) removeElsewhere(s *catalog.Seller) {
	h.Helper()
	slug := s.Ref.Slug
	one := verification.Seller{ID: s.ID, Slug: slug, Name: s.Name, OfficialDomain: s.OfficialDomain, Current: true}
	market := &sellers{}
	market.now.Store(&view{bySlug: map[string]verification.Seller{slug: one}, byID: map[string]verification.Seller{s.ID: one}})
	p, err := verification.New(verification.Config{Ledger: h.Verification.Ledger, Sellers: market, Now: time.Now, Random: rand.Reader, Unlimited: true})
	if err != nil {
		h.Fatal(err)
	}
	ctx := h.Context()
	started, err := p.StartRemoval(ctx, verification.Start{Slug: slug, RequesterName: "Jane Doe", RequesterEmail: "jane@" + s.OfficialDomain})
	if err != nil {
		h.Fatal(err)
	}
	mails, err := p.Lease(ctx, 10, time.Minute)
	if err != nil || len(mails) != 1 {
		h.Fatalf("%d mails, %v", len(mails), err)
	}
	if _, err := p.VerifyRemoval(ctx, started.ID, mails[0].Token.Reveal()); err != nil {
		h.Fatal(err)
	}
}

// restore undoes removals and waits until the server has followed, so that its release has
// the given id.
func (h *house) restore(release string, slugs ...string) {
	h.Helper()
	listings := func() any { return h.json("GET", "/listings/search?limit=0", "", 200)["total"] }
	before := listings()
	for _, slug := range slugs {
		if _, err := h.operator().Restore(h.Context(), slug, "it was a test"); err != nil {
			h.Fatal(err)
		}
	}
	if h.Watch {
		// The server looks by itself, too; this only saves time.
		h.touch("marketplace.yaml")
	}
	h.until("the release is "+release+" again", func() bool {
		_, now := h.health()
		return now.Release == release
	})
	// Search is updated after the release.
	h.until("search finds the restored again", func() bool { return listings() != before })
}

// touch rewrites a content file unchanged.
func (h *house) touch(file string) {
	h.Helper()
	data, err := os.ReadFile(filepath.Join(h.Config.Build.Content, filepath.FromSlash(file)))
	if err != nil {
		h.Fatal(err)
	}
	h.write(file, string(data))
}

// content returns the marketplace in the content folder.
func (h *house) content() *catalog.Catalog {
	h.Helper()
	c, err := build.Read(h.Context(), build.Config{
		Content: h.Config.Build.Content, State: h.TempDir(), Clock: h.Config.Build.Clock, At: h.Config.Build.At, Program: "test",
	}, nil)
	if err != nil {
		h.Fatal(err)
	}
	return c
}

// seller returns a seller of the content.
func (h *house) seller(slug string) *catalog.Seller {
	h.Helper()
	n := h.content().Node(catalog.SellerRef(slug))
	if n == nil || n.Item() == nil {
		h.Fatalf("the content has no seller %s", slug)
	}
	return n.Item().(*catalog.Seller)
}

// public returns every file of the public folder.
func (h *house) public() map[string][]byte {
	h.Helper()
	files := map[string][]byte{}
	root := h.Config.Build.Public
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was just deleted
		}
		files[filepath.ToSlash(name)] = data
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return files
}

// wantSame checks that the public folder is unchanged. A release is announced when it is
// committed, and its files are in place a moment later.
func (h *house) wantSame(what string, was map[string][]byte) {
	h.Helper()
	var differences []string
	deadline := time.Now().Add(10 * time.Second)
	for again := time.NewTicker(20 * time.Millisecond); ; <-again.C {
		if differences = differing(h.public(), was); len(differences) == 0 {
			return
		}
		if time.Now().After(deadline) {
			break
		}
	}
	h.Errorf("%s the public folder is another:\n%s", what, strings.Join(differences, "\n"))
}

func differing(now, was map[string][]byte) (all []string) {
	for file, data := range was {
		if body, stands := now[file]; !stands {
			all = append(all, file+" is missing")
		} else if !bytes.Equal(body, data) {
			all = append(all, fmt.Sprintf("%s differs: %.300q, was %.300q", file, body, data))
		}
	}
	for file := range now {
		if _, stood := was[file]; !stood {
			all = append(all, file+" is new")
		}
	}
	slices.Sort(all)
	return all
}

// wantGone checks that an address below the marketplace answers 410 with its stub in the
// folder, however it is requested.
func (h *house) wantGone(address string) {
	h.Helper()
	path := market + address
	stub, err := os.ReadFile(filepath.Join(h.Config.Build.Public, filepath.FromSlash(document.GoneFile(strings.TrimPrefix(path, "/")+".json"))))
	if err != nil {
		h.Errorf("%s has no stub: %v", address, err)
	}
	if !bytes.Equal(stub, document.GoneBody()) {
		h.Errorf("the stub of %s says something of its own: %s", address, stub)
	}
	for _, coding := range []string{"identity", "gzip", "br"} {
		for _, method := range []string{"GET", "HEAD"} {
			a := h.ask(method, path, "", "Accept-Encoding", coding)
			want := stub
			if method == "HEAD" {
				want = nil
			}
			if a.status != http.StatusGone || !bytes.Equal(a.body, want) {
				h.Errorf("%s %s (%s): %d %s, want 410 with the stub", method, address, coding, a.status, a.body)
			}
			h.wantBrief(path, a.header)
		}
	}
	if h.Config.Build.Pages {
		h.wantPagesGone(address)
	}
}

// wantPagesGone checks that the pages of an address, its Markdown and its forms answer 410
// with the page for removed addresses.
func (h *house) wantPagesGone(address string) {
	h.Helper()
	files := document.PagesOf(strings.TrimPrefix(market+address, "/") + ".json")
	if len(files) == 0 {
		h.Errorf("%s has no page", address)
	}
	want, err := os.ReadFile(filepath.Join(h.Config.Build.Public, filepath.FromSlash(document.RemovedFile)))
	if err != nil {
		h.Fatal(err)
	}
	for _, file := range files {
		if _, err := os.Stat(filepath.Join(h.Config.Build.Public, filepath.FromSlash(file))); !errors.Is(err, fs.ErrNotExist) {
			h.Errorf("%s is there: %v", file, err)
		}
		a := h.ask("GET", document.Address(file), "")
		if a.status != http.StatusGone || !bytes.Equal(a.body, want) {
			h.Errorf("%s: %d %.200s, want 410 with the page", document.Address(file), a.status, a.body)
		}
		h.wantBrief(document.Address(file), a.header)
	}
}

// wantBrief checks that an error is cached for at most a minute and readable by pages of
// other origins.
func (h *house) wantBrief(path string, header http.Header) {
	h.Helper()
	age := regexp.MustCompile(`max-age=([0-9]|[1-5][0-9]|60)\b`)
	if cache := header.Get("Cache-Control"); !age.MatchString(cache) && !strings.Contains(cache, "no-store") {
		h.Errorf("%s may be kept for %q", path, cache)
	}
	if header.Get("Access-Control-Allow-Origin") != "*" || header.Get("ETag") != "" {
		h.Errorf("%s is answered with the headers %v", path, header)
	}
}

// status returns the status of an address below the marketplace.
func (h *house) status(address string, headers ...string) int {
	h.Helper()
	return h.ask("GET", market+address, "", headers...).status
}
