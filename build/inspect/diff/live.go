package diff

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"souk/build/document"
	"souk/build/kit/verbatim"
)

// maxConcurrent is the maximum number of concurrent requests.
const maxConcurrent = 16

// longestAnswer limits how much of an answer is read.
const longestAnswer = 64 << 20

// Live reads a release as a host serves it: the files of another tree, and those that the
// host's own sitemaps lead to. Files in neither, such as pictures that are no longer used,
// are not found. Files that no request returns unchanged are assumed to equal those of the
// other tree: the error pages and the pages of searches.
func Live(ctx context.Context, base string, other Tree) (Tree, error) {
	h := host{base: strings.TrimSuffix(base, "/"), client: verbatim.Client(time.Minute)}
	files, unread := map[string]bool{}, Tree{}
	for file, digest := range other {
		plain, stub := document.IsGone(file)
		if stub {
			file = plain
		}
		if document.Address(file) == "" || document.IsFilled(file) {
			unread[file] = digest
			continue
		}
		files[file] = true
	}
	if err := h.sitemaps(ctx, document.SitemapFile, files); err != nil {
		return nil, err
	}
	gone := make(chan string, len(files))
	tree, err := digests(ctx, slices.Sorted(maps.Keys(files)), maxConcurrent, func(ctx context.Context, file string) ([]byte, bool, error) {
		data, status, err := h.get(ctx, document.Address(file))
		if status == http.StatusGone {
			gone <- file
		}
		return data, status == http.StatusOK, err
	})
	close(gone)
	if err != nil {
		return nil, err
	}
	for file := range gone {
		tree[document.GoneFile(file)] = [32]byte{}
	}
	maps.Copy(tree, unread)
	return tree, nil
}

// Read reads a document of a release, in a folder or at the address of a host.
func Read(ctx context.Context, release, file string) ([]byte, error) {
	if !strings.Contains(release, "://") {
		return os.ReadFile(filepath.Join(release, filepath.FromSlash(file)))
	}
	h := host{base: strings.TrimSuffix(release, "/"), client: verbatim.Client(time.Minute)}
	data, status, err := h.get(ctx, document.Address(file))
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s answers %d", document.Address(file), status)
	}
	return data, err
}

type host struct {
	base   string
	client *http.Client
}

// get requests an address. If the host does not answer, it retries twice.
func (h host) get(ctx context.Context, address string) (data []byte, status int, err error) {
	for try := range 3 {
		if try > 0 {
			select {
			case <-ctx.Done():
				return nil, 0, ctx.Err()
			case <-time.After(time.Duration(try) * time.Second):
			}
		}
		data, status, err = h.once(ctx, address)
		if err == nil && status < http.StatusInternalServerError {
			return data, status, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%s%s answers %d", h.base, address, status)
	}
	return nil, status, err
}

func (h host) once(ctx context.Context, address string) ([]byte, int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.base+(&url.URL{Path: address}).EscapedPath(), nil)
	if err != nil {
		return nil, 0, err
	}
	response, err := h.client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer))
	return data, response.StatusCode, err
}

var errNoSitemap = errors.New("there is no sitemap: is this the address of a marketplace?")

// sitemaps adds the documents of the pages listed in a sitemap or sitemap index
// (sitemaps.org).
func (h host) sitemaps(ctx context.Context, file string, files map[string]bool) error {
	data, status, err := h.get(ctx, "/"+file)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s/%s: %w", h.base, file, errNoSitemap)
	}
	var found struct {
		Sitemaps []string `xml:"sitemap>loc"`
		Pages    []string `xml:"url>loc"`
	}
	if err := xml.Unmarshal(data, &found); err != nil {
		return fmt.Errorf("%s/%s: %w", h.base, file, err)
	}
	for _, loc := range found.Sitemaps {
		if path := pathOf(loc); strings.HasPrefix(path, document.SitemapFolder) {
			if err := h.sitemaps(ctx, path, files); err != nil {
				return err
			}
		}
	}
	for _, loc := range found.Pages {
		if file := document.PageFile(pathOf(loc)); file != "" {
			files[file] = true
		}
	}
	return nil
}

// pathOf returns the path of an address, relative to the site.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Path, "/")
}
