package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
)

// Documents are the listings of an Index as a Cluster holds them. Variants are part of
// their product.
type Documents struct {
	Words       *match.Lexicon
	Facets      *facet.Facets
	NameLengths []uint8
	// Made says what they are of.
	Made []byte
}

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
	// Own, Exact and Beginnings are the terms of these Fields.
	Own, Exact, Beginnings []string
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
const documentsFormat = 4

// Key identifies what the Documents hold, in 16 hexadecimal digits.
func (d *Documents) Key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s", documentsFormat, d.Made))
	return hex.EncodeToString(sum[:8])
}

// Len returns how many there are. Their numbers are below it.
func (d *Documents) Len() int { return len(d.Words.Corpus.Places) }

// Filters returns the names of all filters.
func (d *Documents) Filters() []string { return document.SearchFilters() }

// Each yields the Documents from a number to before another, until yield fails, and
// returns its error. A Document is valid until the next one.
func (d *Documents) Each(from, to int, yield func(*Document) error) error {
	reader := index.NewAnalyser(d.Words.Language)
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
		return min(d.IDs(filter), facet.MostValues+1)
	}
	return d.IDs(filter)
}

func (d *Documents) document(reader *index.Analyser, at uint32) *Document {
	corpus := d.Words.Corpus
	l := corpus.Described(at)
	analysed, seller := corpus.Analysed(l), catalog.Seller{}
	corpus.ReadSeller(l.Seller, &seller)
	analysed.SellerWords = index.SellerWords(&seller)
	entry := reader.Entry(analysed)
	one := &Document{
		Number: at, Ref: l.Offer.Ref.String(), NameWords: int(d.NameLengths[at]), Exact: entry.Exact, Beginnings: beginnings(l.Offer.Name),
		IDs: map[string][]uint32{}, Newest: d.Facets.Newest[at], Lowest: map[string]uint32{},
	}
	for _, w := range entry.Words {
		one.Words = append(one.Words, DocumentWord{w.Text, match.ImpactShare(float64(w.Weight), entry.Length), w.InName})
		if w.Own {
			one.Own = append(one.Own, w.Text)
		}
	}
	ids := d.Facets.Of(at)
	for i := range d.Facets.List {
		f := &d.Facets.List[i]
		has := facet.Run(ids, f.First, f.End)
		if len(has) == 0 {
			continue
		}
		one.IDs[f.Filter] = append(one.IDs[f.Filter], has...)
		if f.Surplus != 0 {
			one.IDs[f.Filter] = append(one.IDs[f.Filter], f.Surplus)
		}
		if f.Filter == document.FilterPrice {
			one.Lowest[f.Folded] = has[0]
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
	for _, one := range d.Facets.Named(filter, "") {
		n += int(one.Next() - one.First)
	}
	return n
}
