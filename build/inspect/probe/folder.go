package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"souk/build/document"
)

// A folder is the public folder. It is read like any host reads it, without a lock and
// without the log, so that a copy of a release works too.
type folder string

func (f folder) read(file string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(f), filepath.FromSlash(file)))
}

// published lists the files of a release.
type published struct {
	id string
	// documents are the served files, removed are the stubs; both are sorted.
	documents, removed []string
	// missing and removedPage are the bodies of the 404 and 410 pages, nil if the release
	// has no pages.
	missing, removedPage []byte
	// sitePath is the path of the site's address.
	sitePath string
}

// has reports whether a file is among the documents.
func (r published) has(file string) bool {
	_, found := slices.BinarySearch(r.documents, file)
	return found
}

// list lists the release in the folder.
func (p *prober) list() (r published, err error) {
	data, err := p.folder.read(document.ReleaseFile)
	if errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("%s has no release: with --public, name the folder that 'souk build' wrote", p.config.Public)
	}
	if err != nil {
		return r, fmt.Errorf("read the release: %w", err)
	}
	if r.id, err = releaseID(data); err != nil {
		return r, fmt.Errorf("read %s of %s: %w", document.ReleaseFile, p.config.Public, err)
	}
	root := os.DirFS(p.config.Public)
	err = fs.WalkDir(root, ".", func(file string, e fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(e.Name(), ".") && file != "." && e.Name() != ".well-known"
		switch {
		case err != nil:
			return err
		case hidden && e.IsDir():
			return fs.SkipDir
		case hidden, e.IsDir(), document.Address(file) == "":
			return nil
		}
		if _, gone := document.IsGone(file); gone {
			r.removed = append(r.removed, file)
		} else if file != document.HealthFile && !document.IsFilled(file) {
			r.documents = append(r.documents, file)
		}
		return nil
	})
	if err != nil {
		return r, fmt.Errorf("list the release: %w", err)
	}
	for file, body := range map[string]*[]byte{document.MissingFile: &r.missing, document.RemovedFile: &r.removedPage} {
		if *body, err = p.folder.read(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return r, fmt.Errorf("read the error page: %w", err)
		}
	}
	if market, err := p.folder.read(document.MarketFile); err == nil {
		r.sitePath = document.AddressesIn(market).SitePath()
	}
	slices.Sort(r.documents)
	slices.Sort(r.removed)
	return r, nil
}

func releaseID(data []byte) (string, error) {
	var d struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return "", err
	}
	if d.ID == "" {
		return "", errors.New("it does not name a release")
	}
	return d.ID, nil
}

// sameRelease returns an error if the host cannot be reached or serves another
// release, since everything else would then be a mismatch.
func (p *prober) sameRelease(ctx context.Context, id string) error {
	got, err := p.ask(ctx, question{method: http.MethodGet, path: document.Address(document.ReleaseFile)})
	if err != nil {
		return fmt.Errorf("%s cannot be reached: is the server running, and is the address right? %w", p.config.Base, err)
	}
	served, err := releaseID(got.body)
	if got.status == http.StatusOK && err == nil && served != id {
		return fmt.Errorf("%s serves release %s, and %s has release %s: publish the folder first, wait for a cache with --wait, or name the published folder with --public",
			p.config.Base, served, p.config.Public, id)
	}
	return nil
}

func sampleSize(n, of int) int {
	if n == 0 {
		return of
	}
	return n
}

// sampled draws n files, in order.
func sampled(files []string, n int, seed uint64) []string {
	if n == 0 || n >= len(files) {
		return files
	}
	drawn := slices.Clone(files)
	rand.New(rand.NewPCG(seed, uint64(len(files)))).Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	drawn = drawn[:n]
	slices.Sort(drawn)
	return drawn
}
