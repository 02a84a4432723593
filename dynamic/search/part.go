package search

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/blugelabs/bluge/index"
	segment "github.com/blugelabs/bluge_segment_api"
	"golang.org/x/sync/errgroup"
)

// The fields of the bluge index.
const (
	// wordField holds every word of a listing. The frequency of a posting is
	// twice the word's weight, plus one where it is in the name; the norm is
	// the listing's length in words.
	wordField = "w"
	// wholeField holds the compact name behind "n" and compact SKUs behind "s".
	wholeField = "x"
)

// An imprint is what a part knows a listing by: a digest of everything that is
// indexed of it.
type imprint [16]byte

// A part is a bluge index of some listings. It is never changed: a listing
// that changed stands in a later part, and is no longer read from this one.
type part struct {
	id       string
	folder   string // "" in memory
	reader   *index.Snapshot
	prints   []imprint
	words    vocabulary
	refs     atomic.Int64
	obsolete atomic.Bool
	// sums are those of the files, once they are known.
	sums []manifestFileSum
}

// checksums gives the checksums of the part's files.
func (p *part) checksums() ([]manifestFileSum, error) {
	if p.sums != nil {
		return p.sums, nil
	}
	found, err := os.ReadDir(p.folder)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		size, crc, err := sumFile(filepath.Join(p.folder, f.Name()))
		if err != nil {
			return nil, err
		}
		p.sums = append(p.sums, manifestFileSum{f.Name(), size, crc})
	}
	return p.sums, nil
}

// release gives back one reference; the last one closes the part, and deletes
// its files where no later release uses them.
func (p *part) release() error {
	if p.refs.Add(-1) > 0 {
		return nil
	}
	err := p.reader.Close()
	if p.obsolete.Load() && p.folder != "" {
		if removed := os.RemoveAll(p.folder); err == nil {
			err = removed
		}
	}
	return err
}

// An entry is one listing on its way into bluge.
type entry struct {
	words, wholes field
}

func (d *entry) Analyze() {}

func (d *entry) EachField(visit segment.VisitField) {
	visit(&d.words)
	visit(&d.wholes)
}

type field struct {
	name   string
	terms  []term
	length int
}

func (f *field) Name() string         { return f.name }
func (f *field) Length() int          { return f.length }
func (f *field) Value() []byte        { return nil }
func (f *field) Index() bool          { return true }
func (f *field) Store() bool          { return false }
func (f *field) IndexDocValues() bool { return false }

func (f *field) EachTerm(visit segment.VisitTerm) {
	for i := range f.terms {
		visit(&f.terms[i])
	}
}

type term struct {
	text      []byte
	frequency int
}

func (t *term) Term() []byte                       { return t.text }
func (t *term) Frequency() int                     { return t.frequency }
func (t *term) EachLocation(segment.VisitLocation) {}

// lengthNorm is how bluge's own BM25 keeps a length in a norm: as its bits.
func lengthNorm(_ string, length int) float32 { return math.Float32frombits(uint32(length)) }

// asDocument turns what was found of a listing into what bluge takes.
func asDocument(l *listing, words []weighed, length int) *entry {
	size := 0
	for _, w := range words {
		size += len(w.word)
	}
	// One array holds all words, so that a listing costs two allocations.
	text, terms := make([]byte, 0, size), make([]term, len(words))
	for i, w := range words {
		from := len(text)
		text = append(text, w.word...)
		frequency := int(min(w.weight, 1<<20)) << 1
		if w.named {
			frequency |= 1
		}
		terms[i] = term{text[from:len(text):len(text)], frequency}
	}
	d := &entry{words: field{wordField, terms, length}, wholes: field{name: wholeField, length: 1}}
	seen := map[string]bool{}
	whole := func(prefix, text string) {
		if c := compact(text); c != "" && !seen[prefix+c] {
			seen[prefix+c] = true
			d.wholes.terms = append(d.wholes.terms, term{[]byte(prefix + c), 1})
		}
	}
	whole("n", l.offer.Name)
	whole("s", l.offer.SKU)
	for _, v := range l.offer.Variants {
		whole("s", v.SKU)
	}
	return d
}

// A batch is a run of listings that makes one segment. Bluge merges up to ten
// segments at a time and puts the merged one behind the rest, so that more
// than ten would come out in another order.
const maxBatches = 10

// minBatch is as many listings as a segment is worth.
const minBatch = 4000

// buildPart writes a part of the listings, in their order, to directory.
// Words are found by as many goroutines as there are processors, ahead of the
// one that writes.
func buildPart(ctx context.Context, directory func() index.Directory, c *Corpus, lang *grammar, order []int32) error {
	config := index.DefaultConfigWithDirectory(directory).WithNormCalc(lengthNorm)
	writer, err := index.OpenOfflineWriter(config)
	if err != nil {
		return fmt.Errorf("open the index writer: %w", err)
	}
	size := max(minBatch, (len(order)+maxBatches-1)/maxBatches)
	for from := 0; from < len(order); from += size {
		documents, err := analyse(ctx, c, lang, order[from:min(from+size, len(order))])
		if err != nil {
			return err
		}
		batch := index.NewBatch()
		for _, d := range documents {
			batch.Insert(d)
		}
		if err := writer.Batch(batch); err != nil {
			return fmt.Errorf("write listings: %w", err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return fmt.Errorf("finish the index: %w", err)
	}
	return nil
}

func analyse(ctx context.Context, c *Corpus, lang *grammar, order []int32) ([]*entry, error) {
	documents := make([]*entry, len(order))
	const share = 64
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			w := newWeigher(c, lang)
			for {
				from := int(next.Add(share)) - share
				if from >= len(order) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				for i := from; i < min(from+share, len(order)); i++ {
					l := &c.listings[order[i]]
					words, length := w.weigh(l)
					documents[i] = asDocument(l, words, length)
				}
			}
		})
	}
	return documents, group.Wait()
}

// openPart opens what buildPart wrote.
func openPart(directory func() index.Directory, id, folder string, prints []imprint) (p *part, err error) {
	// Bluge trusts its files: what the checksums let through could still panic.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("open the index: %v", r)
		}
	}()
	reader, err := index.OpenReader(index.DefaultConfigWithDirectory(directory).WithNormCalc(lengthNorm))
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	count, err := reader.Count()
	if err == nil && int(count) != len(prints) {
		err = fmt.Errorf("open the index: it holds %d listings instead of %d", count, len(prints))
	}
	p = &part{id: id, folder: folder, reader: reader, prints: prints}
	if err == nil {
		err = p.words.load(reader)
	}
	if err != nil {
		_ = reader.Close()
		return nil, err
	}
	return p, nil
}

// each calls yield for every listing of the part that has a term, in order.
func (p *part) each(name, text string, yield func(number uint64, frequency, length int)) error {
	it, err := p.reader.PostingsIterator([]byte(text), name, true, true, false)
	if err != nil {
		return fmt.Errorf("read the postings of %q: %w", text, err)
	}
	for {
		posting, err := it.Next()
		if err != nil {
			return fmt.Errorf("read the postings of %q: %w", text, err)
		}
		if posting == nil {
			return it.Close()
		}
		yield(posting.Number(), posting.Frequency(), int(math.Float32bits(float32(posting.Norm()))))
	}
}

// A vocabulary is the sorted words of a part, each once.
type vocabulary []string

func (v *vocabulary) load(reader *index.Snapshot) error {
	words, err := reader.DictionaryIterator(wordField, nil, nil, nil)
	if err != nil {
		return fmt.Errorf("read the words: %w", err)
	}
	var all strings.Builder
	var ends []int
	for {
		next, err := words.Next()
		if err != nil {
			return fmt.Errorf("read the words: %w", err)
		}
		if next == nil {
			break
		}
		all.WriteString(next.Term())
		ends = append(ends, all.Len())
	}
	text, from := all.String(), 0
	*v = make(vocabulary, len(ends))
	for i, end := range ends {
		(*v)[i], from = text[from:end], end
	}
	return words.Close()
}
