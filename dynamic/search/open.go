package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
)

// schema names what this code puts into an index. It is part of every imprint,
// so that a change of it makes every listing a changed one.
const schema = "souk search 1"

// Options say how an index is opened.
type Options struct {
	// Folder is where the index is kept; empty for one in memory.
	Folder string
	// Release is the id of the release that the corpus describes.
	Release string
	// Program tells this very program from any other; an index of another one
	// is not trusted.
	Program string
	// Previous is the index that is served now, or nil. What did not change
	// since is taken over from it. It stays open.
	Previous *Index
	// Withheld are the sellers that may not be found, or nil.
	Withheld *Withheld
	// CacheBytes bounds the memory for decoded postings; 0 is 64 MiB.
	CacheBytes int
	// Log is told when a stored index could not be used; nil for nobody.
	Log *slog.Logger
}

const defaultCacheBytes = 64 << 20

// Open gives the index of a corpus: a stored one where it belongs to the same
// release, else one that is brought up to date, of which only what changed is
// written. An index that is damaged, or of another program, is written anew,
// with one line of log. Open takes the corpus over.
//
// The new index is written beside the old one and named by the folder's
// manifest in one step, so that a crash leaves either the one or the other.
func Open(ctx context.Context, corpus *Corpus, o Options) (*Index, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	x := &Index{
		release: o.Release, corpus: corpus, lang: grammarOf(corpus.language), withheld: o.Withheld,
		cache: newPostingsCache(cmp.Or(o.CacheBytes, defaultCacheBytes)), scratch: newScratchPool(len(corpus.listings)),
	}
	x.refs.Store(1)
	x.sort()
	x.fingerprint(o.Previous)
	s := &store{folder: o.Folder, program: o.Program, log: o.Log, index: x}
	var group errgroup.Group
	group.Go(func() error {
		x.columns = newColumns(corpus)
		x.wholes = newWholes(corpus)
		x.suggest = newSuggester(corpus)
		x.countNames()
		return nil
	})
	err := s.provide(ctx, o.Previous)
	_ = group.Wait() // it only computes
	if err != nil {
		return nil, fmt.Errorf("make the search index: %w", err)
	}
	return x, nil
}

// sort brings the listings into the order of lists, by name without case, then
// address: the place of a listing then settles equal scores.
func (x *Index) sort() {
	// Places are sorted instead of listings, which are large, and by the first
	// eight bytes of the name before the name itself, which is elsewhere.
	type place struct {
		first uint64
		at    int32
	}
	list := x.corpus.listings
	order := make([]place, len(list))
	for i := range list {
		list[i].key = lowerKey(list[i].offer.Name)
		var first [8]byte
		copy(first[:], list[i].key)
		order[i] = place{binary.BigEndian.Uint64(first[:]), int32(i)}
	}
	slices.SortFunc(order, func(a, b place) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		x, y := &list[a.at], &list[b.at]
		return cmp.Or(strings.Compare(x.key, y.key), comparePaths(x.offer.Ref, y.offer.Ref))
	})
	sorted := make([]listing, len(list))
	for i, p := range order {
		sorted[i] = list[p.at]
	}
	x.corpus.listings = sorted
}

// comparePaths orders offers by their addresses without spelling them out:
// companies/{company}/products/{slug}.
func comparePaths(a, b catalog.Ref) int {
	if a.Company != b.Company {
		n := min(len(a.Company), len(b.Company))
		if c := strings.Compare(a.Company[:n], b.Company[:n]); c != 0 {
			return c
		}
		// Where one company begins with the other, a slash stands against a letter.
		if len(a.Company) < len(b.Company) {
			return cmp.Compare('/', b.Company[n])
		}
		return cmp.Compare(a.Company[n], '/')
	}
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Slug, b.Slug))
}

func (x *Index) countNames() {
	x.names = make([]uint8, len(x.corpus.listings))
	var list []token
	for i := range x.corpus.listings {
		list = tokens(list[:0], x.corpus.listings[i].offer.Name)
		x.names[i] = uint8(max(1, min(len(list), 255)))
	}
}

// fingerprint computes the prints of all listings. What the previous index
// knows of an offer that is still the same one in memory is not read again.
func (x *Index) fingerprint(previous *Index) {
	known := map[*catalog.Offer]imprint{}
	if previous != nil {
		for i := range previous.corpus.listings {
			known[previous.corpus.listings[i].offer] = previous.digests[i]
		}
	}
	c := x.corpus
	groups := make([]imprint, len(c.categories))
	for i := range c.categories {
		var text []byte
		for _, up := range c.categories[i].lineage {
			item := c.categories[up].item
			text = fmt.Appendf(text, "%q%q", item.Name, item.Synonyms)
		}
		groups[i] = digest(text)
	}
	x.digests, x.prints = make([]imprint, len(c.listings)), make([]imprint, len(c.listings))
	var buffer []byte
	for i := range c.listings {
		l := &c.listings[i]
		d, found := known[l.offer]
		if !found {
			buffer = offerText(buffer[:0], l.offer)
			d = digest(buffer)
		}
		x.digests[i] = d
		buffer = append(append(buffer[:0], schema...), c.language...)
		buffer = append(append(buffer, 0), d[:]...)
		buffer = append(append(buffer, c.sellers[l.seller].item.Name...), 0)
		for _, at := range l.categories {
			buffer = append(buffer, groups[at][:]...)
		}
		x.prints[i] = digest(buffer)
	}
}

func digest(text []byte) imprint {
	sum := sha256.Sum256(text)
	return imprint(sum[:16])
}

// offerText spells out everything that is indexed of an offer, with an end
// mark behind each text, so that no two offers are spelled alike.
func offerText(b []byte, o *catalog.Offer) []byte {
	add := func(text string) { b = append(append(b, text...), 0) }
	attributes := func(list []catalog.Attribute) {
		for _, a := range list {
			b = append(b, 1, byte(a.Kind))
			add(a.Name)
			add(a.Value)
			add(a.Unit)
		}
		b = append(b, 2)
	}
	add(o.Ref.Path())
	add(o.Name)
	add(o.Summary)
	add(o.SKU)
	add(o.Delivery)
	add(o.Description.Source)
	for _, k := range o.Keywords {
		add(k)
	}
	b = append(b, 2)
	attributes(o.Attributes)
	for _, v := range o.Variants {
		add(v.Name)
		add(v.SKU)
		attributes(v.Attributes)
	}
	return b
}
