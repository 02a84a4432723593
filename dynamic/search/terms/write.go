package terms

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/blugelabs/bluge/index"
	segment "github.com/blugelabs/bluge_segment_api"
	"golang.org/x/sync/errgroup"
)

// A document is an Entry in bluge's form.
type document struct {
	words, exact field
}

func (d *document) Analyze() {}

func (d *document) EachField(visit segment.VisitField) {
	visit(&d.words)
	visit(&d.exact)
}

type field struct {
	name   Field
	terms  []term
	length int
}

func (f *field) Name() string         { return string(f.name) }
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

// lengthNorm keeps a length in a norm as bluge's own BM25 does: as its bits.
func lengthNorm(_ string, length int) float32 { return math.Float32frombits(uint32(length)) }

func newDocument(e Entry) *document {
	size := 0
	for _, w := range e.Words {
		size += len(w.Text)
	}
	// One array holds all words, so that a listing costs two allocations.
	text, words := make([]byte, 0, size), make([]term, len(e.Words))
	for i, w := range e.Words {
		from := len(text)
		text = append(text, w.Text...)
		frequency := int(min(w.Weight, 1<<20)) << 1
		if w.InName {
			frequency |= 1
		}
		words[i] = term{text[from:len(text):len(text)], frequency}
	}
	d := &document{words: field{Words, words, e.Length}, exact: field{name: Exact, length: 1}}
	for _, one := range e.Exact {
		d.exact.terms = append(d.exact.terms, term{[]byte(one), 1})
	}
	return d
}

// maxBatches is how many batches are written, each of which becomes a segment
// of bluge. Bluge merges up to ten of them at a time and appends the merged
// one, so that more than ten would end up in another order.
const maxBatches = 10

// minBatch is how many listings are worth a batch.
const minBatch = 4000

// write makes a bluge index of listings, in their order.
func write(ctx context.Context, directory func() index.Directory, source Source, listings []int32) error {
	config := index.DefaultConfigWithDirectory(directory).WithNormCalc(lengthNorm)
	writer, err := index.OpenOfflineWriter(config)
	if err != nil {
		return fmt.Errorf("open the index writer: %w", err)
	}
	size := max(minBatch, (len(listings)+maxBatches-1)/maxBatches)
	for from := 0; from < len(listings); from += size {
		documents, err := analyse(ctx, source, listings[from:min(from+size, len(listings))])
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

// analyse analyses listings on all processors.
func analyse(ctx context.Context, source Source, listings []int32) ([]*document, error) {
	documents := make([]*document, len(listings))
	const share = 64
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			entry := source.Analyser()
			for {
				from := int(next.Add(share)) - share
				if from >= len(listings) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				for i := from; i < min(from+share, len(listings)); i++ {
					documents[i] = newDocument(entry(listings[i]))
				}
			}
		})
	}
	return documents, group.Wait()
}
