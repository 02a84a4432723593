//go:build unix

package build_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/internal/testing/markettest"
)

// An edited is a marketplace that is edited and built as `souk serve --watch` does when it
// is notified of a change.
type edited struct {
	build.Config
	builder  *build.Builder
	removals []catalog.Removal
}

// A built is a build and the time that it took.
type built struct {
	build.Report
	took time.Duration
}

// products returns the files of all current products, in no particular order.
func (e *edited) products() (files []string) {
	for _, n := range e.builder.Catalog().Nodes() {
		if n.Current() && n.Ref().Kind == catalog.KindProduct {
			files = append(files, n.Head().File)
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	return files
}

// longest returns the category with the most listings.
func (e *edited) longest() (longest *catalog.Node) {
	for _, n := range e.builder.Catalog().Nodes() {
		if n.Ref().Kind == catalog.KindCategory && (longest == nil || len(n.List(catalog.Listings)) > len(longest.List(catalog.Listings))) {
			longest = n
		}
	}
	return longest
}

// build edits a file and builds.
func (e *edited) build(b *testing.B, file string, edit func(text []byte) []byte) built {
	path := filepath.Join(e.Content, filepath.FromSlash(file))
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		b.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, edit(text), 0o644); err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	report, err := e.builder.Build(b.Context(), catalog.NewRemovals(e.removals), file)
	if err != nil || len(report.HeldBack) > 0 || report.Written == 0 {
		b.Fatalf("the edit of %s: %v %v", file, err, report)
	}
	return built{report, time.Since(began)}
}

// replace replaces the first match of a pattern in a product's file.
func (e *edited) replace(pattern, by string) func(b *testing.B) func() built {
	find := regexp.MustCompile(pattern)
	return func(b *testing.B) func() built {
		files := e.products()
		return func() built {
			for len(files) > 0 {
				file := files[0]
				files = files[1:]
				text, err := os.ReadFile(filepath.Join(e.Content, file))
				if err != nil {
					b.Fatal(err)
				}
				if at := find.FindSubmatchIndex(text); at != nil {
					changed := append(find.Expand(append([]byte(nil), text[:at[0]]...), []byte(by), text, at), text[at[1]:]...)
					return e.build(b, file, func([]byte) []byte { return changed })
				}
			}
			b.Fatalf("no product is left to edit: %s", pattern)
			return built{}
		}
	}
}

// toTheFront moves the last product of the longest list to the front.
func (e *edited) toTheFront(b *testing.B) func() built {
	name := regexp.MustCompile(`(?m)^name: .*$`)
	return func() built {
		list := e.longest().List(catalog.Listings)
		head := list[len(list)-1].Head()
		return e.build(b, head.File, func(text []byte) []byte { return name.ReplaceAll(text, []byte("name: 0 0 "+head.Ref.Slug)) })
	}
}

// added adds a product somewhere in the longest list.
func (e *edited) added(b *testing.B) func() built {
	r, number := rand.New(rand.NewPCG(3, 4)), 0
	return func() built {
		list := e.longest().List(catalog.Listings)
		beside := list[r.IntN(len(list))]
		number++
		file := fmt.Sprintf("sellers/%s/products/added-%d.yaml", beside.Ref().Company, number)
		text := fmt.Sprintf("name: %q\ncategories: [%s]\n", beside.Head().Name+" too", e.longest().Ref().Slug)
		return e.build(b, file, func([]byte) []byte { return []byte(text) })
	}
}

// removed removes the sellers with the most offers. If there are more than ten, some are
// restored first, since a small marketplace has few large sellers.
func (e *edited) removed(b *testing.B) func() built {
	var sellers []*catalog.Node
	e.builder.Catalog().EachSeller(func(n *catalog.Node) {
		if n.Current() {
			sellers = append(sellers, n)
		}
	})
	slices.SortStableFunc(sellers, func(x, y *catalog.Node) int { return len(current(y)) - len(current(x)) })
	return func() built {
		if len(sellers) == 0 {
			b.Fatal("no seller is left: SOUK_BENCH_LISTINGS says how many listings there are")
		}
		seller := sellers[0].Item().(*catalog.Seller)
		offers := current(sellers[0])
		for _, offer := range offers[min(10, len(offers)):] {
			e.build(b, offer.Head().File, func(text []byte) []byte {
				return regexp.MustCompile(`(?m)^name: `).ReplaceAll(text, []byte("status: draft\nname: "))
			})
		}
		sellers = sellers[1:]
		e.removals = append(e.removals, catalog.Removal{ID: seller.ID, Domain: seller.OfficialDomain})
		return e.build(b, "marketplace.yaml", func(text []byte) []byte { return text })
	}
}

// current returns the public offers of a seller.
func current(seller *catalog.Node) (offers []*catalog.Node) {
	for _, o := range seller.Offers() {
		if o.Current() {
			offers = append(offers, o)
		}
	}
	return offers
}

// BenchmarkEdit measures the build after an edit and counts the JSON documents that it
// writes, from the smallest edit to the removal of a seller.
func BenchmarkEdit(b *testing.B) {
	b.Run("default", func(b *testing.B) { benchmarkEdits(b, true) })
	b.Run("without pages and snapshot", func(b *testing.B) { benchmarkEdits(b, false) })
}

func benchmarkEdits(b *testing.B, everything bool) {
	e := &edited{Config: build.Config{
		Content: markettest.Content(b), Public: filepath.Join(b.TempDir(), "public"), State: filepath.Join(b.TempDir(), "state"),
		Clock: time.Now, Precompress: 4 << 10, Program: "bench", LongLived: true, Pages: everything, Snapshot: everything,
	}}
	var err error
	if e.builder, err = build.New(e.Config); err != nil {
		b.Fatal(err)
	}
	if _, err := e.builder.Build(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	markettest.Settle()
	for _, kind := range []struct {
		name string
		next func(b *testing.B) func() built
	}{
		{"summary", e.replace(`(?m)^summary: ([A-Z])`, "summary: New. $1")},
		{"price", e.replace(`  amount: "`, `  amount: "1`)},
		{"name", e.replace(`(?m)^(name: .*)$`, "$1 Plus")},
		{"to-the-front", e.toTheFront},
		{"new-in-the-longest-list", e.added},
		{"seller-removed", e.removed},
	} {
		b.Run(kind.name, func(b *testing.B) { e.measure(b, kind.next(b)) })
	}
}

func (e *edited) measure(b *testing.B, next func() built) {
	var times []time.Duration
	var written, deleted []int
	for b.Loop() {
		report := next()
		times = append(times, report.took)
		documents, gone := 0, 0
		for _, file := range report.Changed {
			if _, err := os.Lstat(filepath.Join(e.Public, filepath.FromSlash(file))); err != nil {
				gone++
			} else if filepath.Ext(file) == ".json" {
				documents++
			}
		}
		written, deleted = append(written, documents), append(deleted, gone)
	}
	markettest.Report(b, times)
	b.ReportMetric(0, "ns/op") // it includes the preparation of the edit
	b.ReportMetric(float64(markettest.Percentile(written, 50)), "JSON-p50")
	b.ReportMetric(float64(markettest.Percentile(written, 100)), "JSON-most")
	b.ReportMetric(float64(markettest.Percentile(deleted, 50)), "deleted-p50")
}
