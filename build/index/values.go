package index

import (
	"cmp"
	"encoding/binary"
	"time"
	"unsafe"

	"souk/build/catalog"
	"souk/build/index/text"
)

// A Value is a value by which listings are counted, in their spelling. A Part stores each
// Value once, in order of first occurrence, under a number that is valid only in this Part.
// For each listing it stores the numbers.
type Value struct {
	Of Facet
	// Name is the name of an attribute, the currency of a price, or the root of a category;
	// otherwise empty.
	Name string
	// Kind is the kind of an attribute's value.
	Kind catalog.ValueKind
	// Text is the value: a slug, a code, a number or a text. Unit is the unit of an attribute.
	Text, Unit string
}

// A Facet is the kind of a Value.
type Facet uint8

// The Facets. A listing has one Value OfKind, which comes first, and one OfSeller. Of the
// others it has one for each occurrence; a product and its variants may repeat a Value. A
// Seller has one OfSeller, which comes first, and one for each Category.
const (
	OfKind Facet = iota
	OfSeller
	OfCategory
	OfAvailability
	OfDelivery
	OfRegion
	OfProof
	OfPrice
	OfPriceUnit
	OfAttribute
	facets
)

// A valueWriter numbers the Values of listings, one listing at a time.
type valueWriter struct {
	at  map[string]uint32
	one encoder
	// ends and all are the encoded Values; said are the concatenated numbers of all listings.
	ends []uint32
	all  []byte
	said []uint32
}

// begin resets the writer.
func (w *valueWriter) begin() {
	w.at, w.ends, w.all, w.said = map[string]uint32{}, w.ends[:0], w.all[:0], w.said[:0]
}

// listing adds the Values of a listing.
func (w *valueWriter) listing(l *Listing) {
	o := l.Offer
	w.add(Value{Of: OfKind, Text: o.Ref.Kind.String()})
	w.add(Value{Of: OfSeller, Text: o.Ref.Company})
	for _, ref := range l.In {
		w.add(Value{Of: OfCategory, Name: ref.Root.String(), Text: ref.Slug})
	}
	w.addText(OfAvailability, o.Availability)
	w.addText(OfDelivery, o.Delivery)
	for _, region := range o.Regions {
		w.addText(OfRegion, region)
	}
	for i := range o.Proof {
		w.addText(OfProof, o.Proof[i].Kind)
	}
	w.offered(o.Price, o.Attributes)
	for i := range o.Variants {
		w.addText(OfAvailability, o.Variants[i].Availability)
		w.offered(o.Variants[i].Price, o.Variants[i].Attributes)
	}
}

// seller adds the Values of a Seller in the Categories that it belongs to. Its other Values
// are in all of its listings.
func (w *valueWriter) seller(slug string, in []catalog.Ref) {
	w.add(Value{Of: OfSeller, Text: slug})
	for _, ref := range in {
		w.add(Value{Of: OfCategory, Name: ref.Root.String(), Text: ref.Slug})
	}
}

// addText adds a Value unless it is empty.
func (w *valueWriter) addText(of Facet, text string) {
	if text != "" {
		w.add(Value{Of: of, Text: text})
	}
}

func (w *valueWriter) offered(p *catalog.Price, attributes []catalog.Attribute) {
	if p != nil {
		w.add(Value{Of: OfPrice, Name: p.Currency, Text: p.Amount})
		w.addText(OfPriceUnit, p.Unit)
	}
	for i := range attributes {
		a := &attributes[i]
		w.add(Value{Of: OfAttribute, Name: a.Name, Kind: a.Kind, Text: a.Value, Unit: a.Unit})
	}
}

func (w *valueWriter) add(v Value) {
	w.one.data = w.one.data[:0]
	w.one.value(v)
	at, known := w.at[string(w.one.data)]
	if !known {
		at = uint32(len(w.ends))
		w.at[string(w.one.data)] = at
		w.all = append(w.all, w.one.data...)
		w.ends = append(w.ends, uint32(len(w.all)))
	}
	w.said = append(w.said, at)
}

func (e *encoder) value(v Value) {
	e.number(uint64(v.Of))
	e.text(v.Name)
	e.number(uint64(v.Kind))
	e.text(v.Text)
	e.text(v.Unit)
}

func (d *decoder) value() (v Value) {
	v.Of = Facet(min(d.number(), uint64(facets-1)))
	v.Name = d.text()
	v.Kind = d.valueKind()
	v.Text, v.Unit = d.text(), d.text()
	return v
}

// Values returns all Values by number. Their texts are valid only as long as the Part is open.
func (p *Part) Values() []Value {
	list := make([]Value, len(p.values.ends))
	for i := range list {
		one := p.values.at(i)
		list[i] = (&decoder{unsafe.String(unsafe.SliceData(one), len(one))}).value()
	}
	return list
}

// ListingValues returns the numbers of a listing's Values, in order, or none for another document. They
// are read-only and valid as long as the Part is open.
func (p *Part) ListingValues(document int) []uint32 {
	from, to := text.Bounds(p.listingValueEnds, document)
	return p.listingValues[from:to]
}

// The first bytes of a listing's key, and its publication date, are stored apart from its
// record, because opening Parts reads them for all listings.
const (
	keyBytes       = 16
	publishedBytes = 12
)

// KeyBeginning is the first bytes of a document's sort key, as numbers.
type KeyBeginning struct{ high, low uint64 }

// Compare compares two sort keys by their first bytes. It returns 0 if the rest must be
// compared.
func (k KeyBeginning) Compare(other KeyBeginning) int {
	if k.high != other.high {
		return cmp.Compare(k.high, other.high)
	}
	return cmp.Compare(k.low, other.low)
}

// KeyBeginning returns the KeyBeginning of a document.
func (p *Part) KeyBeginning(document int) KeyBeginning {
	key := p.keys[keyBytes*document:]
	return KeyBeginning{binary.BigEndian.Uint64(key), binary.BigEndian.Uint64(key[8:])}
}

// Published returns when a listing was published, or zero if unknown.
func (p *Part) Published(document int) time.Time {
	at := p.published[publishedBytes*document:]
	return time.Unix(int64(binary.LittleEndian.Uint64(at)), int64(binary.LittleEndian.Uint32(at[8:])%1e9)).UTC()
}

func keyBeginning(key string) []byte {
	var first [keyBytes]byte
	copy(first[:], key)
	return first[:]
}

func publishedAt(t time.Time) []byte {
	all := binary.LittleEndian.AppendUint64(make([]byte, 0, publishedBytes), uint64(t.Unix()))
	return binary.LittleEndian.AppendUint32(all, uint32(t.Nanosecond()))
}
