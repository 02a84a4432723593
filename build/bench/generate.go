package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// seed makes every run write the same marketplaces.
const seed = 20260131

// written is the modification time of every file: long enough ago for a build
// to believe that nothing is still being written.
var written = time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)

// A market is the plan of a synthetic marketplace: what stands where, before
// any of it is written. Everything is drawn from random numbers of its own, so
// that a thing is the same whoever asks for it first.
type market struct {
	listings int
	// sizes are the numbers of offers of the sellers.
	sizes []int
	// leaves are the categories at the lower end of the two trees, all of them
	// are in categories.
	categories                []category
	productLeaves, workLeaves []category
	articles, maps            int
}

// A category is one of a tree three deep.
type category struct {
	root, slug, name, parent string
	order                    int
}

// chance returns the random numbers of one thing.
func chance(of string, i int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(of))
	return rand.New(rand.NewPCG(seed^h.Sum64(), uint64(i)))
}

// newMarket plans a marketplace of so many listings.
func newMarket(listings int) *market {
	m := &market{listings: listings, articles: min(5+listings/1000, 400), maps: min(2+listings/5000, 100)}
	for left := listings; left > 0; {
		size := min(offersOf(len(m.sizes)), left)
		m.sizes = append(m.sizes, size)
		left -= size
	}
	productWidths, workWidths := [3]int{5, 3, 2}, [3]int{3, 2, 1}
	switch {
	case listings > 20000:
		productWidths, workWidths = [3]int{6, 5, 5}, [3]int{4, 4, 4}
	case listings > 2000:
		productWidths, workWidths = [3]int{6, 4, 3}, [3]int{3, 3, 3}
	}
	m.productLeaves = m.plant("product", things, productWidths)
	m.workLeaves = m.plant("service", works, workWidths)
	return m
}

// offersOf returns the number of offers of a seller: ten on average, most have
// fewer, one in ten some dozens, one in 250 hundreds.
func offersOf(seller int) int {
	r := chance("size", seller)
	switch {
	case seller%250 == 7:
		return 150 + r.IntN(250)
	case seller%10 == 3:
		return 20 + r.IntN(20)
	}
	return 1 + r.IntN(12)
}

// plant adds a tree and gives its leaves.
func (m *market) plant(root string, tops []string, widths [3]int) []category {
	var leaves []category
	for i := range widths[0] {
		top := category{root: root, slug: tops[i] + "s", name: capital(tops[i]) + "s", order: i + 1}
		m.categories = append(m.categories, top)
		for j := range widths[1] {
			middle := category{root: root, name: top.name + " for " + trades[(5*i+j)%len(trades)], parent: top.slug, order: j + 1}
			middle.slug = slugOf(middle.name)
			m.categories = append(m.categories, middle)
			for k := range widths[2] {
				leaf := category{root: root, name: capital(adjectives[(7*j+k)%len(adjectives)]) + " " + middle.name, parent: middle.slug}
				leaf.slug = slugOf(leaf.name)
				m.categories = append(m.categories, leaf)
				leaves = append(leaves, leaf)
			}
		}
	}
	return leaves
}

// A seller is one company of the plan.
type seller struct {
	number     int
	name, slug string
	// hidden: it is a draft, and all that it offers with it.
	hidden bool
}

func (m *market) seller(i int) seller {
	r := chance("seller", i)
	s := seller{number: i, name: fmt.Sprintf("%s %s %d", pick(r, forenames), pick(r, surnames), i+1), hidden: i%97 == 41}
	s.slug = slugOf(s.name)
	return s
}

// logo reports whether a seller has a picture of its own.
func (s seller) logo() bool { return s.number%10 == 0 }

// An offer is one product or service of the plan.
type offer struct {
	of           seller
	number       int
	kind         string
	name, slug   string
	extension    string
	status, from string
	until        string
	// rest are the random numbers from which its text is made.
	rest *rand.Rand
}

func (m *market) offer(s seller, i int) offer {
	r := chance("offer", s.number<<12|i)
	o := offer{of: s, number: i, kind: "product", extension: ".yaml", from: day(r), rest: r}
	noun := pick(r, things)
	if r.IntN(100) < 15 {
		o.kind, noun = "service", pick(r, works)
	}
	o.name = fmt.Sprintf("%s %s %s%d", capital(pick(r, adjectives)), noun, string(rune('A'+r.IntN(26))), i+1)
	o.slug = slugOf(o.name)
	if r.IntN(3) == 0 {
		o.extension = ".md"
	}
	switch n := r.IntN(400); {
	case n < 8:
		o.status = "draft"
	case n < 12:
		o.status = "unpublished"
	case n < 16:
		o.until = "2025-06-30"
	case n < 17:
		o.from = "2099-01-01"
	}
	return o
}

// current reports whether an offer is public.
func (o offer) current() bool {
	return !o.of.hidden && o.status == "" && o.until == "" && o.from != "2099-01-01"
}

func (o offer) file() string {
	return "sellers/" + o.of.slug + "/" + o.kind + "s/" + o.slug + o.extension
}

func (o offer) reference() string { return o.kind + ":" + o.of.slug + "/" + o.slug }

// day returns a date of the past.
func day(r *rand.Rand) string {
	return time.Date(2023, 1, 1+r.IntN(1000), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// anyOffer returns an offer of anybody.
func (m *market) anyOffer(r *rand.Rand) offer {
	s := r.IntN(len(m.sizes))
	return m.offer(m.seller(s), r.IntN(m.sizes[s]))
}

// products returns the files of n current products, spread evenly over all
// listings.
func (m *market) products(n int) []string {
	var all []string
	for s, size := range m.sizes {
		for i := range size {
			if o := m.offer(m.seller(s), i); o.current() && o.kind == "product" {
				all = append(all, o.file())
			}
		}
	}
	n = min(n, len(all))
	chosen := make([]string, n)
	for i := range chosen {
		chosen[i] = all[(2*i+1)*len(all)/(2*n)]
	}
	return chosen
}

// write makes the content folder of a marketplace in dir, which is to be empty
// or not there yet.
func (m *market) write(dir string) error {
	switch entries, err := os.ReadDir(dir); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("write a marketplace: %w", err)
	case len(entries) > 0:
		return fmt.Errorf("write a marketplace: %s is not empty", dir)
	}
	w := &writer{dir: dir}
	var next atomic.Int64
	var group errgroup.Group
	group.Go(func() error { return m.writeShared(w) })
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(m.sizes); i = int(next.Add(1)) - 1 {
				if err := m.writeSeller(w, m.seller(i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("write a marketplace: %w", err)
	}
	return nil
}

func (m *market) writeSeller(w *writer, s seller) error {
	if err := w.file("sellers/"+s.slug+"/seller.yaml", m.sellerText(s)); err != nil {
		return err
	}
	if s.logo() {
		if err := w.file("sellers/"+s.slug+"/media/logo.svg", picture(chance("logo", s.number), s.name)); err != nil {
			return err
		}
	}
	for i := range m.sizes[s.number] {
		o := m.offer(s, i)
		if err := w.file(o.file(), m.offerText(o)); err != nil {
			return err
		}
	}
	return nil
}

// writeShared writes what belongs to no seller.
func (m *market) writeShared(w *writer) error {
	files := map[string]string{"marketplace.yaml": marketplaceText(m.listings)}
	for _, c := range m.categories {
		files["categories/"+c.root+"/"+c.slug+".yaml"] = categoryText(c)
	}
	for i := range m.articles {
		files[fmt.Sprintf("articles/article-%d.md", i+1)] = m.articleText(i)
	}
	for i := range m.maps {
		files[fmt.Sprintf("market-maps/map-%d.yaml", i+1)] = m.mapText(i)
	}
	for i := range sharedPictures {
		files[sharedPicture(i)] = picture(chance("picture", i), fmt.Sprint("Picture ", i+1))
	}
	for file, text := range files {
		if err := w.file(file, text); err != nil {
			return err
		}
	}
	return nil
}

// A writer writes the files of a marketplace.
type writer struct {
	dir     string
	folders sync.Map
}

func (w *writer) file(file, text string) error {
	path := filepath.Join(w.dir, filepath.FromSlash(file))
	if err := makeFolder(&w.folders, filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Chtimes(path, written, written)
}

// makeFolder makes a folder that known does not hold yet.
func makeFolder(known *sync.Map, dir string) error {
	if _, made := known.Load(dir); made {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	known.Store(dir, true)
	return nil
}
