package search

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"souk/build/catalog"
	"souk/dynamic/search/terms"
)

// digest computes the digests of all listings. For an offer that is still the
// same one in memory, it reuses that of the previous index.
func (x *Index) digest(previous *Index) []terms.Digest {
	known := map[*catalog.Offer]terms.Digest{}
	if previous != nil {
		for i := range previous.corpus.listings {
			known[previous.corpus.listings[i].offer] = previous.offerDigests[i]
		}
	}
	c := x.corpus
	groups := make([]terms.Digest, len(c.categories))
	for i := range c.categories {
		var spelled []byte
		for _, up := range c.categories[i].lineage {
			item := c.categories[up].item
			spelled = fmt.Appendf(spelled, "%q%q", item.Name, item.Synonyms)
		}
		groups[i] = digestOf(spelled)
	}
	x.offerDigests = make([]terms.Digest, len(c.listings))
	all := make([]terms.Digest, len(c.listings))
	var buffer []byte
	for i := range c.listings {
		l := &c.listings[i]
		d, found := known[l.offer]
		if !found {
			buffer = appendOffer(buffer[:0], l.offer)
			d = digestOf(buffer)
		}
		x.offerDigests[i] = d
		buffer = append(append(buffer[:0], schema...), c.language...)
		buffer = append(append(buffer, 0), d[:]...)
		buffer = append(append(buffer, c.sellers[l.seller].item.Name...), 0)
		for _, at := range l.categories {
			buffer = append(buffer, groups[at][:]...)
		}
		all[i] = digestOf(buffer)
	}
	return all
}

// revision is a digest of all that answers depend on besides the documents.
func (c *Corpus) revision(listings []terms.Digest) terms.Digest {
	sum := sha256.New()
	for i := range listings {
		sum.Write(listings[i][:])
	}
	categories := make([]string, len(c.categories)) // they are in no order
	for i := range c.categories {
		one := &c.categories[i]
		categories[i] = fmt.Sprintf("%s %q %v", one.item.Ref, one.item.Synonyms, one.pins)
	}
	slices.Sort(categories)
	fmt.Fprintf(sum, "%q %q", categories, c.synonyms)
	return terms.Digest(sum.Sum(nil)[:16])
}

func digestOf(spelled []byte) terms.Digest {
	sum := sha256.Sum256(spelled)
	return terms.Digest(sum[:16])
}

// appendOffer writes everything that is indexed of an offer, with an end mark
// after each text, so that no two offers have the same form.
func appendOffer(b []byte, o *catalog.Offer) []byte {
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
