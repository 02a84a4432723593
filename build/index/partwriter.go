package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"
	"unsafe"

	"souk/build/catalog"
	"souk/build/index/naming"
	"souk/build/index/terms"
)

// A partWriter builds Parts, one at a time, reusing its memory.
type partWriter struct {
	list    [sections][]byte
	sellers map[string]int // index of each company's own document, or -1
	names   [namedKinds]naming.Writer
	values  valueWriter
	// read is the last record that was read.
	read    Listing
	company catalog.Seller
}

// begin resets the writer for the next Part.
func (w *partWriter) begin() {
	for section := range w.list {
		w.list[section] = w.list[section][:0]
	}
	w.sellers, w.names = map[string]int{}, [namedKinds]naming.Writer{}
	w.values.begin()
}

func (w *partWriter) number(section, n int) {
	w.list[section] = binary.LittleEndian.AppendUint32(w.list[section], uint32(n))
}

func putNumbers[T ~uint32](w *partWriter, section int, list []T) {
	w.list[section] = slices.Grow(w.list[section], 4*len(list))
	for _, n := range list {
		w.number(section, int(n))
	}
}

// add adds a document.
func (w *partWriter) add(ref catalog.Ref, name string, digest Digest, record, text []byte) {
	if kind, named := namedKind(ref.Kind); named {
		w.names[kind].Add(len(w.list[sectionDigests])/len(digest), name)
	}
	if ref.Kind == catalog.KindSeller {
		w.sellers[ref.Slug] = len(w.list[sectionDigests]) / len(digest)
	} else if _, known := w.sellers[ref.Company]; !known && ref.Company != "" {
		w.sellers[ref.Company] = -1
	}
	w.list[sectionDigests] = append(w.list[sectionDigests], digest[:]...)
	w.list[sectionRecords] = append(w.list[sectionRecords], record...)
	w.number(sectionEnds, len(w.list[sectionRecords]))
	w.list[sectionTexts] = append(w.list[sectionTexts], text...)
	w.number(sectionTextEnds, len(w.list[sectionTexts]))
	key, published := "", time.Time{}
	if ref.Kind.Offer() {
		// Read it from the record, which is all that remains of another Part's document.
		w.read.Offer = cmp.Or(w.read.Offer, &catalog.Offer{})
		(&decoder{unsafe.String(unsafe.SliceData(record), len(record))}).listing(&w.read)
		w.values.listing(&w.read)
		key, published = w.read.Key, w.read.PublishedAt.Time
	}
	if ref.Kind == catalog.KindSeller {
		company := (&decoder{unsafe.String(unsafe.SliceData(record), len(record))}).seller(&w.company)
		w.values.seller(ref.Slug, company.In)
		key = company.Key
	}
	w.list[sectionKeys] = append(w.list[sectionKeys], keyBeginning(key)...)
	w.list[sectionPublished] = append(w.list[sectionPublished], publishedAt(published)...)
	w.number(sectionSaidEnds, len(w.values.said))
}

// finish returns the Part of the documents and their terms.
func (w *partWriter) finish(held *terms.Segment) []byte {
	putNumbers(w, sectionLengths, held.Lengths)
	for field := range held.Lists {
		l, first := &held.Lists[field], sectionLists+listSections*field
		all, ends := l.Terms.Text()
		putNumbers(w, first+listTermEnds, ends)
		w.list[first+listTerms] = append(w.list[first+listTerms], all...)
		putNumbers(w, first+listPostingEnds, l.Ends)
		w.list[first+listPostings] = append(w.list[first+listPostings], l.Postings...)
	}
	for kind := range w.names {
		l, first := w.names[kind].List(), sectionNames+nameSections*kind
		all, ends := l.Words.Text()
		putNumbers(w, first+nameWordEnds, ends)
		w.list[first+nameWords] = append(w.list[first+nameWords], all...)
		putNumbers(w, first+nameUseEnds, l.Ends)
		putNumbers(w, first+nameUses, l.Uses)
		putNumbers(w, first+nameDocuments, l.Documents)
		putNumbers(w, first+nameLengths, l.Lengths)
		w.list[first+nameCounts] = append(w.list[first+nameCounts], l.Counts...)
	}
	putNumbers(w, sectionValueEnds, w.values.ends)
	w.list[sectionValues] = append(w.list[sectionValues], w.values.all...)
	putNumbers(w, sectionSaid, w.values.said)
	for _, slug := range slices.Sorted(maps.Keys(w.sellers)) {
		w.list[sectionCompanies] = fmt.Appendf(w.list[sectionCompanies], "%s %d\n", slug, w.sellers[slug])
	}
	data, at := []byte(partMagic), partHeader
	for _, section := range w.list {
		data = binary.LittleEndian.AppendUint64(data, uint64(at))
		data = binary.LittleEndian.AppendUint64(data, uint64(len(section)))
		at += (len(section) + sectionStep - 1) / sectionStep * sectionStep
	}
	data = slices.Grow(data, at-len(data))
	for _, section := range w.list {
		data = append(data, section...)
		data = append(data, make([]byte, (sectionStep-len(section)%sectionStep)%sectionStep)...)
	}
	return data
}

// A partMaker makes Parts from documents of a Corpus, one at a time, reusing its memory, which
// is several times the size of the finished file.
type partMaker struct {
	corpus   *Corpus
	digests  []Digest
	analyser *Analyser
	writer   partWriter
	terms    terms.Writer
	record   encoder
}

// encode returns a Part of documents, given by their indexes in the Corpus.
func (m *partMaker) encode(places []int32) []byte {
	m.writer.begin()
	m.terms.Begin(len(places))
	for _, at := range places {
		d := &m.corpus.documents[at]
		item := catalog.Unpacked(d.item)
		m.record.data = m.record.data[:0]
		m.corpus.record(&m.record, d, item)
		words, kept := described(item)
		m.writer.add(d.ref, item.Common().Name, m.digests[at], m.record.data, []byte(beginning(words, kept)))
		m.terms.Add(m.corpus.entry(m.analyser, d, item, words))
	}
	return m.writer.finish(m.terms.Segment())
}

// encodeWithout returns another Part without some of its documents, unless ctx ends.
func (p *Part) encodeWithout(ctx context.Context, drops []uint32) ([]byte, error) {
	var w partWriter
	w.begin()
	w.list[sectionRecords], w.list[sectionTexts] = make([]byte, 0, len(p.records.all)), make([]byte, 0, len(p.texts.all))
	for at := range p.count {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, dropped := slices.BinarySearch(drops, uint32(at)); !dropped {
			w.add(p.Ref(at), p.Name(at), p.Digest(at), p.records.at(at), p.texts.at(at))
		}
	}
	held, err := p.segment.Without(ctx, drops)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("the search part %s is corrupt: %w", p.name, err)
	}
	return w.finish(held), nil
}
