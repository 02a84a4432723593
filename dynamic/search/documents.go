package search

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/index/text"
)

// Documents are the listings of an Index as a Cluster holds them. Variants are part of
// their product.
type Documents struct{ index *Index }

// A Document is a listing in exact terms, numbers and ids.
type Document struct {
	// Number is its place in the order of names, then addresses: the rank that
	// settles what is equal otherwise.
	Number uint32
	// Ref is its Reference.
	Ref string
	// Words are those of Field Words; NameWords is how many words its name has.
	Words     []DocumentWord
	NameWords int
	// Exact and Beginnings are the terms of these Fields.
	Exact, Beginnings []string
	// IDs are those that it has of each filter, ascending. An attribute or a price has an
	// id for its presence as well.
	IDs map[string][]uint32
	// Newest is its place when the last published is first, shared by those of one
	// moment; Lowest is the id of its lowest price in each currency.
	Newest uint32
	Lowest map[string]uint32
}

// A DocumentWord is a word with how much it says of the listing, from 0 to 1.
type DocumentWord struct {
	Text   string
	Impact float64
	InName bool
}

// documentsFormat changes where the same release has other Documents.
const documentsFormat = 3

// Key identifies what the Documents hold, in 16 hexadecimal digits.
func (d *Documents) Key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%x", documentsFormat, d.index.release, d.index.revision))
	return hex.EncodeToString(sum[:8])
}

// Len returns how many there are. Their numbers are below it.
func (d *Documents) Len() int { return len(d.index.corpus.places) }

// Filters returns the names of all filters.
func (d *Documents) Filters() []string { return document.SearchFilters() }

// Each yields the Documents from a number to before another, until yield fails, and
// returns its error. A Document is valid until the next one.
func (d *Documents) Each(from, to int, yield func(*Document) error) error {
	x := d.index
	reader := index.NewAnalyser(x.language)
	for at := from; at < to; at++ {
		if err := yield(d.document(reader, uint32(at))); err != nil {
			return err
		}
	}
	return nil
}

// Told returns how many ids of a filter an Answer counts besides those that are chosen: the
// most frequent, of equals the lesser ids. Of sellers, who may be more than a cluster tells at
// once, nothing follows from the others; of all other filters it is all.
func (d *Documents) Told(filter string) int {
	if filter == document.FilterSeller {
		return min(d.IDs(filter), mostValues+1)
	}
	return d.IDs(filter)
}

func (d *Documents) document(reader *index.Analyser, at uint32) *Document {
	x := d.index
	l := x.corpus.described(at)
	analysed, seller := x.corpus.analysed(l), catalog.Seller{}
	x.corpus.readSeller(l.seller, &seller)
	analysed.SellerWords = index.SellerWords(&seller)
	entry := reader.Entry(analysed)
	one := &Document{
		Number: at, Ref: l.offer.Ref.String(), NameWords: int(x.nameLengths[at]), Exact: entry.Exact, Beginnings: beginnings(l.offer.Name),
		IDs: map[string][]uint32{}, Newest: x.facets.newest[at], Lowest: map[string]uint32{},
	}
	for _, w := range entry.Words {
		one.Words = append(one.Words, DocumentWord{w.Text, impactShare(float64(w.Weight), entry.Length), w.InName})
	}
	ids := x.facets.of(at)
	for i := range x.facets.list {
		f := &x.facets.list[i]
		has := run(ids, f.first, f.end)
		if len(has) == 0 {
			continue
		}
		one.IDs[f.filter] = append(one.IDs[f.filter], has...)
		if f.surplus != 0 {
			one.IDs[f.filter] = append(one.IDs[f.filter], f.surplus)
		}
		if f.filter == document.FilterPrice {
			one.Lowest[f.folded] = has[0]
		}
	}
	return one
}

// beginnings returns the words of a name that an unfinished one may begin like.
func beginnings(name string) (list []string) {
	for _, t := range text.Tokens(nil, name) {
		list = append(list, t.Text)
		if t.Digraphs != "" {
			list = append(list, t.Digraphs)
		}
	}
	return append(list, text.Compacts(name)...)
}

// IDs returns how many ids a filter has.
func (d *Documents) IDs(filter string) (n int) {
	for _, one := range d.index.facets.named(filter, "") {
		n += int(one.next() - one.first)
	}
	return n
}
