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

// Documents are the listings of an Index in the form for a Cluster. Variants are part of their
// product.
type Documents struct {
	Words       *match.Lexicon
	Facets      *facet.Facets
	NameLengths []uint8
	// Made identifies their source.
	Made []byte
}

// A Document is a listing in exact terms, numbers and ids.
type Document struct {
	// Number is its position by name, then address, which settles ties.
	Number uint32
	// Ref is its Reference.
	Ref string
	// Words are those of Field Words; NameWords is the number of words in its name.
	Words     []DocumentWord
	NameWords int
	// Own, Exact and Beginnings are the terms of these Fields.
	Own, Exact, Beginnings []string
	// IDs are its ids of each filter, ascending. An attribute or a price also has an id for
	// its presence.
	IDs map[string][]uint32
	// Newest is its position by publication date, latest first, shared by listings of the same
	// time. Lowest is the id of its lowest price in each currency.
	Newest uint32
	Lowest map[string]uint32
}

// A DocumentWord is a word with its importance for the listing, from 0 to 1.
type DocumentWord struct {
	Text   string
	Impact float64
	InName bool
}

// documentsFormat must change if the Documents of the same release change.
const documentsFormat = 4

// Key identifies the content of the Documents, in 16 hexadecimal digits.
func (d *Documents) Key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s", documentsFormat, d.Made))
	return hex.EncodeToString(sum[:8])
}

// Len returns the number of Documents. Their numbers are below it.
func (d *Documents) Len() int { return len(d.Words.Corpus.Places) }

// Filters returns the names of all filters.
func (d *Documents) Filters() []string { return document.SearchFilters() }

// Each yields the Documents in a range of numbers until yield fails, and returns its error. A
// Document is valid until the next one.
func (d *Documents) Each(from, to int, yield func(*Document) error) error {
	reader := index.NewAnalyser(d.Words.Language)
	for at := from; at < to; at++ {
		if err := yield(d.document(reader, uint32(at))); err != nil {
			return err
		}
	}
	return nil
}

// Told returns how many ids of a filter an Answer counts besides the chosen ones: the most
// frequent, and the lower id of equals. For most filters that is all; there may be more
// sellers than a cluster can return at once, and no other count depends on them.
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

// beginnings returns the beginnings by which unfinished words match a name.
func beginnings(name string) (list []string) {
	for _, t := range text.Tokens(nil, name) {
		list = append(list, t.Text)
		if t.Digraphs != "" {
			list = append(list, t.Digraphs)
		}
	}
	return append(list, text.Compacts(name)...)
}

// IDs returns the number of a filter's ids.
func (d *Documents) IDs(filter string) (n int) {
	for _, one := range d.Facets.Named(filter, "") {
		n += int(one.Next() - one.First)
	}
	return n
}
