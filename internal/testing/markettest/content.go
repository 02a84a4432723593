//go:build unix

// Package markettest makes marketplaces to measure with, asks them what people
// would ask, and takes the floor of this machine: what writing the same files
// takes at least. Every benchmark measures on the same content. It is for
// benchmarks alone, and refuses to know what they measure.
package markettest

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// Listings returns how many listings are measured on, which SOUK_BENCH_LISTINGS
// says.
func Listings(t testing.TB) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("SOUK_BENCH_LISTINGS"), "1000"))
	if err != nil || n < 1 {
		t.Fatalf("SOUK_BENCH_LISTINGS is no number of listings: %q", os.Getenv("SOUK_BENCH_LISTINGS"))
	}
	return n
}

// Content returns a content folder that ends with the test. It is a copy of the
// folder that SOUK_BENCH_CONTENT names, or else the sample marketplace with
// copies of its sellers until there are Listings. Each copy has slugs, domains,
// SKUs, drawings and References of its own, names and longer texts made of words
// and paragraphs of all, and the categories of the original, so that documents
// have the size that those of real markets have.
func Content(t testing.TB) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "content")
	from := os.Getenv("SOUK_BENCH_CONTENT")
	err := os.CopyFS(folder, os.DirFS(cmp.Or(from, sample())))
	if err == nil && from == "" {
		err = multiply(folder, Listings(t))
	}
	if err == nil {
		err = age(folder)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// sample returns the folder of the sample marketplace.
func sample() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "../../../content")
}

// An original is the sellers of a folder, which are copied.
type original struct {
	folder string
	files  map[string]string
	// paragraphs and words are those of all its prose.
	paragraphs, words []string
	// references are those to its sellers and their offers.
	references *regexp.Regexp
}

var (
	offerFile = regexp.MustCompile(`^[^/]+/(products|services)/[^/]+$`)
	aWord     = regexp.MustCompile(`\b[a-z]{4,}\b`)
)

// multiply adds copies until a folder has so many listings.
func multiply(folder string, listings int) error {
	o, offers, err := read(folder)
	if err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(4 * runtime.GOMAXPROCS(0))
	for number := 1; number*offers < listings; number++ {
		group.Go(func() error { return o.copy(number) })
	}
	return group.Wait()
}

// read returns the sellers of a content folder, and how many offers they have.
func read(folder string) (o *original, offers int, err error) {
	o = &original{folder: filepath.Join(folder, "sellers"), files: map[string]string{}}
	slugs, known := []string{}, map[string]bool{}
	err = filepath.WalkDir(o.folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		file, _ := filepath.Rel(o.folder, path)
		o.files[file] = string(data)
		if slug, name, _ := strings.Cut(file, "/"); strings.HasPrefix(name, "seller.") {
			slugs = append(slugs, slug)
		}
		if offerFile.MatchString(file) {
			offers++
		}
		if _, body, found := strings.Cut(string(data), "\n---\n"); found {
			for text := range strings.SplitSeq(body, "\n\n") {
				if len(text) > 100 && !strings.ContainsAny(text, "[]|#`<") && !strings.HasPrefix(text, "- ") {
					o.paragraphs = append(o.paragraphs, strings.TrimSpace(text))
				}
			}
			for _, word := range aWord.FindAllString(body, -1) {
				if !known[word] {
					known[word], o.words = true, append(o.words, word)
				}
			}
		}
		return err
	})
	o.references = regexp.MustCompile(`\b(seller|product|service):(` + strings.Join(slugs, "|") + `)\b`)
	return o, offers, err
}

var (
	formerDomains = regexp.MustCompile(`(?m)^formerDomains:\n(?: .*\n)+`)
	domain        = regexp.MustCompile(`(?m)^officialDomain: `)
	numbered      = regexp.MustCompile(`(?m)^( *sku|id): .*$`)
	name          = regexp.MustCompile(`(?m)^(?:    )?name: `)
)

// copy writes one copy of all sellers.
func (o *original) copy(number int) error {
	r := rand.New(rand.NewPCG(20260131, uint64(number)))
	end := fmt.Sprint("-", number)
	for _, file := range slices.Sorted(maps.Keys(o.files)) {
		text := o.files[file]
		slug, rest, _ := strings.Cut(file, "/")
		switch ending := filepath.Ext(file); ending {
		case ".svg":
			text = strings.Replace(text, "</svg>", "<!--"+end+"--></svg>", 1)
		case ".md", ".yaml":
			if ending == ".yaml" {
				text, rest = "---\n"+text+"---\n", strings.TrimSuffix(rest, ending)+".md"
			}
			text = formerDomains.ReplaceAllString(text, "")
			text = domain.ReplaceAllString(text, fmt.Sprintf("officialDomain: r%d-", number))
			text = numbered.ReplaceAllString(text, "${0}"+end)
			text = o.references.ReplaceAllString(text, "${0}"+end)
			text = name.ReplaceAllString(text, "${0}"+o.word(r)+" "+o.word(r)+" ")
			for range 14 + r.IntN(14) {
				text += "\n" + o.paragraphs[r.IntN(len(o.paragraphs))] + "\n"
			}
		}
		path := filepath.Join(o.folder, slug+end, rest)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// word returns some word, its first letter large.
func (o *original) word(r *rand.Rand) string {
	word := o.words[r.IntN(len(o.words))]
	return strings.ToUpper(word[:1]) + word[1:]
}

// age makes all files old enough for a build to believe that nothing is still
// being written.
func age(folder string) error {
	then := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return os.Chtimes(path, then, then)
	})
}
