package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"souk/build/release"
)

// TestBodiesAreCompleteWhileReleasesChange reads documents in all encodings while rebuilds
// change them. Each body must have the announced length and match its ETag.
func TestBodiesAreCompleteWhileReleasesChange(t *testing.T) {
	m := newMarket(t)
	server := serve(t, m.builder.Tree(), io.Discard)
	var changing atomic.Bool
	changing.Store(true)
	var readers sync.WaitGroup
	var read atomic.Int64
	for i, coding := range []string{"identity", "gzip", "br"} {
		readers.Go(func() {
			for n := i; changing.Load() || n < 12; n++ {
				address := server.URL + [...]string{
					"/api/v1/marketplace/companies/acme/products/arm-7",
					"/api/v1/marketplace/companies/acme", "/api/v1/release.json", "/sitemaps/products.xml",
				}[n%4]
				if err := readWhole(address, coding); err != nil {
					t.Error(err)
					return
				}
				read.Add(1)
			}
		})
	}
	before := read.Load()
	for n := range 12 {
		// Some versions are larger than what is cached.
		text := strings.Repeat(fmt.Sprintf("Version %d of an arm. ", n), 1+n%5*1000)
		m.write("sellers/acme/products/arm-7.md", fmt.Sprintf("---\nname: Arm %d\ncategories: [robots]\nupdatedAt: 2026-01-%02d\n---\n%s\n", n, n%27+1, text))
		if report := m.build("sellers/acme/products/arm-7.md"); report.Written == 0 {
			t.Error("the rebuild changed nothing")
		}
	}
	changing.Store(false)
	readers.Wait()
	if read.Load() == before {
		t.Error("nothing was read meanwhile")
	}
}

// readWhole reads a document and compares it with its ETag.
func readWhole(address, coding string) error {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept-Encoding", coding)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", address, response.Status, body)
	}
	got := response.Header.Get("Content-Encoding")
	suffix := map[string]string{"gzip": ".gz", "br": ".br"}[got]
	plain, err := release.Decompress(path.Base(address)+suffix, body)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", address, got, err)
	}
	sum := sha256.Sum256(plain)
	want := `"` + hex.EncodeToString(sum[:16])
	if suffix != "" {
		want += strings.Replace(suffix, ".", "-", 1) + strconv.Itoa(len(body))
	}
	want += `"`
	if tag := response.Header.Get("ETag"); tag != want {
		return fmt.Errorf("%s in %q: the ETag is %s, the body's is %s", address, got, tag, want)
	}
	return nil
}

// TestRemovedSellerIsGoneDespiteCachedDocuments requests documents until they are
// cached, removes the seller, and requests them again.
func TestRemovedSellerIsGoneDespiteCachedDocuments(t *testing.T) {
	m := newMarket(t)
	server := serve(t, m.builder.Tree(), io.Discard)
	const address = "/api/v1/marketplace/companies/left-inc"
	for range 3 {
		if got := status(t, server.URL+address); got != http.StatusOK {
			t.Fatalf("before the removal: %d", got)
		}
	}
	m.removeLeftInc()
	if got := status(t, server.URL+address); got != http.StatusGone {
		t.Errorf("after the removal: %d", got)
	}
}

func status(t *testing.T, address string) int {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}
