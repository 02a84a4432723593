package hosts

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/document"
)

// read reads from the release what a List contains.
func (v *view) read() error {
	page, err := os.ReadFile(filepath.Join(v.Public, filepath.FromSlash(document.RemovedFile)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the page for removed addresses: %w", err)
	}
	// Hosts only accept valid text.
	v.Pages, v.GonePage = err == nil, strings.ToValidUTF8(string(page), "\uFFFD")
	removed, err := removedAddresses(v.Public, v.Recorded, v.Pages)
	if err != nil {
		return err
	}
	for _, address := range removed {
		if document.BelowAPI(address) {
			v.Removed = append(v.Removed, address)
		} else {
			v.RemovedPages = append(v.RemovedPages, address)
		}
	}
	return nil
}

// removedAddresses returns the sorted addresses of the stubs of a release and of the
// recorded addresses that are not documents of the release, including their pages.
func removedAddresses(public string, recorded []string, pages bool) ([]string, error) {
	stands := func(file string) bool {
		_, err := os.Stat(filepath.Join(public, filepath.FromSlash(file)))
		return err == nil
	}
	if _, err := os.Stat(filepath.Join(public, filepath.FromSlash(document.ReleaseFile))); err != nil {
		return nil, fmt.Errorf("the configuration lists the removed addresses, and %s contains no release: build first, or name the folder with --public: %w", public, err)
	}
	all := []string{}
	err := fs.WalkDir(os.DirFS(public), ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		// Twins have no address.
		if _, gone := document.IsGone(file); gone {
			all = append(all, document.Address(file))
		}
		return nil
	})
	for _, address := range recorded {
		file, ok := document.AddressFile(address)
		if !ok {
			continue
		}
		files := []string{file}
		if pages {
			files = append(files, document.PagesOf(file)...)
		}
		for _, file := range files {
			if !stands(file) {
				all = append(all, document.Address(file))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), err
}

// An entry is an entry of a key-value store.
type entry struct{ Key, Value string }

// longestValue is the maximum size of a value in bytes: CloudFront accepts 1 KB.
const longestValue = 1000

// Entries returns hashed keys for all removed addresses, which do not reveal the companies,
// and the body of RemovedPage in pieces: page-0, page-1 and so on.
func (v view) Entries() []entry {
	var all []entry
	for _, address := range slices.Concat(v.Removed, v.RemovedPages) {
		sum := sha256.Sum256([]byte(address))
		all = append(all, entry{hex.EncodeToString(sum[:16]), "410"})
	}
	for i, rest := 0, v.GonePage; rest != ""; i++ {
		end := min(longestValue, len(rest))
		for end < len(rest) && !utf8.RuneStart(rest[end]) {
			end--
		}
		all = append(all, entry{fmt.Sprintf("page-%d", i), rest[:end]})
		rest = rest[end:]
	}
	return all
}
