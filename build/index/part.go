package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"souk/build/catalog"
	"souk/build/index/naming"
	"souk/build/index/terms"
	"souk/build/index/text"
	"souk/build/kit/mapped"
)

// A Part contains some documents and their terms. It never changes, and is safe for concurrent
// use while a Set that contains it is open.
type Part struct {
	name string
	data []byte
	// mapped means that data is a mapping that must be unmapped, not heap memory.
	mapped bool
	crc    uint32
	refs   atomic.Int64

	count          int
	digests        []byte
	records, texts texts
	companies      []byte
	segment        *terms.Segment
	names          [namedKinds]naming.List
	// keys, published and saidEnds are indexed by document, values by the numbers in said.
	keys, published                 []byte
	values                          texts
	listingValueEnds, listingValues []uint32
}

// openPart parses a Part, which stays in data, whatever the bytes.
func openPart(name string, data []byte) (*Part, error) {
	wrong := func(what string) (*Part, error) {
		return nil, fmt.Errorf("the search part %s is corrupt: %s", name, what)
	}
	if len(data) < partHeader || string(data[:len(partMagic)]) != partMagic {
		return wrong("its header is wrong")
	}
	var list [sections][]byte
	for i := range list {
		from := binary.LittleEndian.Uint64(data[len(partMagic)+16*i:])
		length := binary.LittleEndian.Uint64(data[len(partMagic)+16*i+8:])
		if from > uint64(len(data)) || length > uint64(len(data))-from || from%sectionStep != 0 {
			return wrong("a section is outside the file")
		}
		list[i] = data[from : from+length]
	}
	p := &Part{name: name, data: data, count: len(list[sectionDigests]) / len(Digest{}), digests: list[sectionDigests]}
	p.records = newTexts(list[sectionEnds], list[sectionRecords])
	p.texts = newTexts(list[sectionTextEnds], list[sectionTexts])
	p.segment = &terms.Segment{Lengths: numbers[uint32](list[sectionLengths])}
	sound := p.records.sound(p.count) && p.texts.sound(p.count) && len(p.segment.Lengths) == p.count
	for field := range p.segment.Lists {
		of := list[sectionLists+listSections*field:]
		all, postings := newTexts(of[listTermEnds], of[listTerms]), newTexts(of[listPostingEnds], of[listPostings])
		sound = sound && all.sound(len(all.ends)) && postings.sound(len(all.ends))
		p.segment.Lists[field] = terms.Lists{Terms: text.VocabularyIn(all.in(), all.ends), Ends: postings.ends, Postings: postings.all}
	}
	for kind := range p.names {
		of := list[sectionNames+nameSections*kind:]
		words := newTexts(of[nameWordEnds], of[nameWords])
		p.names[kind] = naming.List{
			Words: text.VocabularyIn(words.in(), words.ends), Ends: numbers[uint32](of[nameUseEnds]), Uses: numbers[naming.Use](of[nameUses]),
			Documents: numbers[uint32](of[nameDocuments]), Lengths: numbers[uint32](of[nameLengths]), Counts: of[nameCounts],
		}
		sound = sound && words.sound(len(words.ends)) && p.names[kind].Sound()
	}
	p.keys, p.published = list[sectionKeys], list[sectionPublished]
	p.values = newTexts(list[sectionValueEnds], list[sectionValues])
	p.listingValueEnds, p.listingValues = numbers[uint32](list[sectionSaidEnds]), numbers[uint32](list[sectionSaid])
	sound = sound && len(p.keys) == keyBytes*p.count && len(p.published) == publishedBytes*p.count && p.values.sound(len(p.values.ends)) &&
		within(p.listingValueEnds, p.count, len(p.listingValues)) && (len(p.listingValues) == 0 || int(slices.Max(p.listingValues)) < len(p.values.ends))
	if !sound {
		return wrong("its text section is misplaced")
	}
	p.companies = list[sectionCompanies]
	p.refs.Store(1)
	return p, nil
}

// texts are concatenated strings and their ends.
type texts struct {
	ends []uint32
	all  []byte
}

func newTexts(ends, all []byte) texts { return texts{numbers[uint32](ends), all} }

// sound reports whether there are n texts, each within the whole.
func (t texts) sound(count int) bool { return within(t.ends, count, len(t.all)) }

// within reports whether there are n ends, ascending and at most total, so that they describe
// concatenated lists.
func within(ends []uint32, count, all int) bool {
	return len(ends) == count && slices.IsSorted(ends) && (count == 0 || int(ends[count-1]) == all)
}

// at returns one text, in place.
func (t texts) at(i int) []byte {
	from, to := text.Bounds(t.ends, i)
	return t.all[from:to]
}

// in returns all texts, in place.
func (t texts) in() string { return unsafe.String(unsafe.SliceData(t.all), len(t.all)) }

// numbers returns the numbers of a section, without copying them if the machine has the same
// byte order.
func numbers[T ~uint32](section []byte) []T {
	n := len(section) / 4
	if n == 0 {
		return nil
	}
	if order := uint32(1); *(*byte)(unsafe.Pointer(&order)) == 1 {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(section))), n)
	}
	list := make([]T, n)
	for i := range list {
		list[i] = T(binary.LittleEndian.Uint32(section[4*i:]))
	}
	return list
}

// release drops one reference. The last one releases the bytes.
func (p *Part) release() error {
	if p.refs.Add(-1) > 0 || !p.mapped {
		return nil
	}
	return mapped.Close(p.data)
}

// Digest returns the Digest of a document.
func (p *Part) Digest(document int) Digest { return Digest(p.digests[len(Digest{})*document:]) }

// sellers calls yield with each company that has a document here: its companySlug, and its
// identity if its own document is among them.
func (p *Part) sellers(yield func(slug string, own *catalog.Company)) {
	for line := range bytes.Lines(p.companies) {
		slug, place, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		if at, err := strconv.Atoi(place); err == nil && at >= 0 && at < p.count {
			own := p.Seller(at).Company()
			yield(slug, &own)
		} else {
			yield(slug, nil)
		}
	}
}

// Documents returns the number of documents, living or not.
func (p *Part) Documents() int { return p.count }

// Words returns all words, sorted. They are valid as long as the Part is open.
func (p *Part) Words() text.Vocabulary { return p.segment.Lists[terms.Words].Terms }

// Terms returns the documents of terms.
func (p *Part) Terms() *terms.Segment { return p.segment }

// Names returns the names of the Products or Services, living or not. They are valid as long
// as the Part is open.
func (p *Part) Names(kind catalog.Kind) *naming.List {
	at, named := namedKind(kind)
	if !named {
		return &naming.List{}
	}
	return &p.names[at]
}

// decode reads a record. Its texts stay valid without the Part.
func (p *Part) decode(document int) *decoder { return &decoder{string(p.records.at(document))} }

// Kind returns the kind of a document.
func (p *Part) Kind(document int) catalog.Kind {
	return p.inPlace(document).kind()
}

// inPlace returns a decoder whose texts are valid only as long as the Part is open.
func (p *Part) inPlace(document int) *decoder {
	r := p.records.at(document)
	return &decoder{unsafe.String(unsafe.SliceData(r), len(r))}
}

// Name returns the name of a document.
func (p *Part) Name(document int) string { return strings.Clone(p.inPlace(document).head().Name) }

// Ref returns the Reference of a document, for a Category without its root.
func (p *Part) Ref(document int) catalog.Ref { return p.decode(document).head().Ref }

// Compare compares two listings in the order of lists.
func (p *Part) Compare(document int, other *Part, another int) int {
	a, b := p.inPlace(document), other.inPlace(another)
	headA, headB := a.head(), b.head()
	return catalog.CompareListed(a.text(), headA.Ref, b.text(), headB.Ref)
}

// Listing returns a Product or Service without its description, or a Seller in that form.
func (p *Part) Listing(document int) Listing {
	l := Listing{Offer: &catalog.Offer{}}
	if p.Kind(document) == catalog.KindSeller {
		s, c := p.Company(document)
		l.Offer.Head, l.Offer.Proof, l.Key, l.In = s.Head, s.Proof, c.Key, c.In
		return l
	}
	p.decode(document).listing(&l)
	return l
}

// Company returns a Seller with the other data that search has of it.
func (p *Part) Company(document int) (*catalog.Seller, Company) {
	s := &catalog.Seller{}
	c := p.decode(document).seller(s)
	return s, c
}

// Description returns the searched part of a listing's description, as plain words.
func (p *Part) Description(document int) string { return string(p.texts.at(document)) }

// Seller returns a Seller.
func (p *Part) Seller(document int) *catalog.Seller {
	s := &catalog.Seller{}
	p.decode(document).seller(s)
	return s
}

// ReadSeller reads a Seller into s. Its texts are valid only as long as the Part is open.
func (p *Part) ReadSeller(document int, s *catalog.Seller) { p.inPlace(document).seller(s) }

// Category returns a Category.
func (p *Part) Category(document int) Category { return p.decode(document).category() }

// Article returns an Article or a Market Map, with its text as plain words.
func (p *Part) Article(document int) catalog.Item {
	item := p.decode(document).article()
	item.Common().Description.Source = string(p.texts.at(document))
	return item
}
