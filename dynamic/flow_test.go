package dynamic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"souk/build"
	"souk/build/document"
	"souk/build/release"
	"souk/internal/testing/script"
)

// post sends a body to an address below /api/v1/marketplace.
func (h *house) post(address, bearer string, body any) (a script.Answer, err error) {
	data, err := json.Marshal(body)
	if err != nil {
		return a, err
	}
	h.patiently(func() (int, string) {
		a, err = h.postOnce(address, bearer, data)
		return a.Status, a.Body
	})
	return a, err
}

func (h *house) postOnce(address, bearer string, data []byte) (script.Answer, error) {
	r, err := http.NewRequest(http.MethodPost, h.base+"/api/v1/marketplace"+address, bytes.NewReader(data))
	if err != nil {
		return script.Answer{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return script.Answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return script.Answer{Status: response.StatusCode, Header: response.Header, Body: string(text)}, err
}

// must sends a body and requires a status.
func (h *house) must(status int, address, bearer string, body any) script.Answer {
	h.Helper()
	a, err := h.post(address, bearer, body)
	if err != nil || a.Status != status {
		h.Fatalf("POST %s: %d %s, %v", address, a.Status, a.Body, err)
	}
	return a
}

// A requester is the body of a start.
type requester struct {
	Name  string `json:"requesterName"`
	Email string `json:"requesterEmail"`
}

// A tokenBody is the body of a verification.
type tokenBody struct {
	Token string `json:"token"`
}

// askRemoval starts a removal and returns the address and the body that verify it.
func (h *house) askRemoval(slug, email string) (address string, body tokenBody) {
	h.Helper()
	a := h.must(http.StatusAccepted, "/companies/"+slug+"/removal-requests", "", requester{"Jane Doe", email})
	id := a.Value("requestId")
	return "/company-removal-requests/" + id + "/verify", tokenBody{h.mailed(id).token}
}

// askClaim is like askRemoval, for a claim.
func (h *house) askClaim(slug, email string) (address string, body tokenBody) {
	h.Helper()
	a := h.must(http.StatusAccepted, "/companies/"+slug+"/claims", "", requester{"Jane Doe", email})
	id := a.Value("claimId")
	return "/company-claims/" + id + "/verify", tokenBody{h.mailed(id).token}
}

// leave removes a seller as its people would.
func (h *house) leave(slug, email string) {
	h.Helper()
	address, body := h.askRemoval(slug, email)
	h.must(http.StatusOK, address, "", body)
	h.gone(slug)
	if !h.Watch {
		h.countsAgree()
	}
}

// gone checks that no public document, list, count, search result or suggestion names a
// seller.
func (h *house) gone(slug string) {
	h.Helper()
	if status, body := h.get("/companies/" + slug); status != http.StatusGone || body != string(document.GoneBody()) {
		h.Errorf("%s answers %d: %s", slug, status, body)
	}
	for _, address := range []string{
		"/categories/product/robots", "/category-roots/product", "/categories/robots", "/listings/search?limit=100", "/search/suggestions?q=" + slug, "/companies",
	} {
		if status, body := h.get(address); status != http.StatusOK || strings.Contains(body, "companies/"+slug) {
			h.Errorf("%s answers %d and names %s: %s", address, status, slug, body)
		}
	}
}

// countsAgree checks that search and the categories have the same counts.
func (h *house) countsAgree() {
	h.Helper()
	want := h.count("/categories/product/robots").listingCount + h.count("/categories/service/installation").listingCount
	if got := h.count("/listings/search?limit=0").total; got != want {
		h.Errorf("search counts %d, the categories %d", got, want)
	}
}

type counts struct{ total, listingCount int }

func (h *house) count(address string) counts {
	h.Helper()
	_, body := h.get(address)
	var got struct{ Total, ListingCount int }
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		h.Fatalf("%s: %v: %s", address, err, body)
	}
	return counts{got.Total, got.ListingCount}
}

// atOnce calls f n times concurrently and counts the answers by status.
func (h *house) atOnce(n int, f func(i int) (script.Answer, error)) (byStatus map[int]int, all []script.Answer) {
	h.Helper()
	var mu sync.Mutex
	var doing sync.WaitGroup
	gate := make(chan struct{})
	byStatus = map[int]int{}
	for i := range n {
		doing.Go(func() {
			<-gate
			a, err := f(i)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				h.Errorf("%d: %v", i, err)
			}
			byStatus[a.Status]++
			all = append(all, a)
		})
	}
	close(gate)
	doing.Wait()
	return byStatus, all
}

// files reads a public folder.
func (h *house) files(folder string) map[string]string {
	h.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return all
}

// buildWith builds once, as souk build does.
func buildWith(ctx context.Context, c build.Config, record *Record) (b *build.Builder, report build.Report, err error) {
	if b, err = build.New(c); err != nil {
		return nil, report, err
	}
	turn, err := b.Begin(ctx)
	if err != nil {
		return b, report, err
	}
	defer func() { err = errors.Join(err, turn.End()) }()
	removals, err := record.Removals(ctx)
	if err == nil {
		report, err = turn.Build(ctx, removals)
	}
	return b, report, err
}

// asFresh checks that the public folder equals a first build of the same content with the
// same ledger, except for stubs of things that the content no longer has.
func (h *house) asFresh(content string) {
	h.Helper()
	home := h.TempDir()
	c := h.Config.Build
	c.Content, c.Public, c.State = content, filepath.Join(home, "public"), filepath.Join(home, "var")
	if _, _, err := buildWith(h.Context(), c, NewRecord(h.Verification.Ledger, h.Verification.Removals)); err != nil {
		h.Fatal(err)
	}
	got, want := h.files(h.Config.Build.Public), h.files(c.Public)
	if _, now := h.health(); !strings.Contains(got[document.ReleaseFile], now.Release) {
		h.Errorf("health tells of release %s, and the description is %s", now.Release, got[document.ReleaseFile])
	}
	if len(want) < 10 {
		h.Fatalf("a fresh build has %d files", len(want))
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		_, stub := document.IsGone(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".br"))
		if _, there := want[name]; !there && !stub {
			h.Errorf("%s stands, and not in a fresh build", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] && !strings.HasPrefix(name, document.ReleaseFile) {
			h.Errorf("%s is another than in a fresh build:\n%.300q\n%.300q", name, got[name], want[name])
		}
	}
}

// precompressed makes every document be written with its twins.
func (h *house) precompressed() {
	h.Helper()
	all, err := release.ParsePrecompress("all")
	if err != nil {
		h.Fatal(err)
	}
	h.Config.Build.Precompress = all
}

// crowd adds n sellers, each with a product.
func (h *house) crowd(n int) {
	h.Helper()
	for i := range n {
		h.write(fmt.Sprintf("sellers/crowd-%02d/seller.yaml", i), fmt.Sprintf("officialDomain: crowd-%02d.example\nversions:\n  - {version: 1, name: Crowd %d}\n", i, i))
		h.write(fmt.Sprintf("sellers/crowd-%02d/products/thing.yaml", i), fmt.Sprintf("name: Thing %d\ncategories: [robots]\n", i))
	}
}
