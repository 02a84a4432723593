package terms

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/blugelabs/bluge/index"

	"souk/dynamic/search/text"
)

// A Field is one of the sets of terms of a listing.
type Field string

// The Fields, under their names in bluge.
const (
	Words Field = "w"
	Exact Field = "x"
)

// A Segment is an immutable index of some listings, as one Index sees it.
type Segment struct {
	*stored
	// listings maps bluge's document numbers to numbers of listings; -1 for a
	// listing that has since changed or disappeared, of which there are gone.
	listings []int32
	gone     int
}

// Words returns the dictionary of Words.
func (s *Segment) Words() text.Vocabulary { return s.words }

// A Posting is one listing of a term.
type Posting struct {
	// Listing is the number of the listing.
	Listing uint32
	// Weight and InName are those of the Word.
	Weight int
	InName bool
	// Length is the Entry's.
	Length int
}

// Each calls yield for every listing that has a term, in order of its number.
func (s *Segment) Each(field Field, term string, yield func(Posting)) error {
	it, err := s.reader.PostingsIterator([]byte(term), string(field), true, true, false)
	if err != nil {
		return fmt.Errorf("read the postings of %q: %w", term, err)
	}
	for {
		p, err := it.Next()
		if err != nil {
			return fmt.Errorf("read the postings of %q: %w", term, err)
		}
		if p == nil {
			return it.Close()
		}
		if listing := s.listings[p.Number()]; listing >= 0 {
			frequency := p.Frequency()
			yield(Posting{
				Listing: uint32(listing), Weight: frequency >> 1, InName: frequency&1 != 0,
				Length: int(math.Float32bits(float32(p.Norm()))),
			})
		}
	}
}

// Count returns how many listings have a term; it takes a small part of the time of
// Each.
func (s *Segment) Count(field Field, term string) (n int, err error) {
	it, err := s.reader.PostingsIterator([]byte(term), string(field), false, false, false)
	if err != nil {
		return 0, fmt.Errorf("count the postings of %q: %w", term, err)
	}
	if s.gone == 0 {
		return int(it.Count()), it.Close()
	}
	for {
		p, err := it.Next()
		if err != nil {
			return 0, fmt.Errorf("count the postings of %q: %w", term, err)
		}
		if p == nil {
			return n, it.Close()
		}
		if s.listings[p.Number()] >= 0 {
			n++
		}
	}
}

func newSegment(s *stored, listings []int32) *Segment {
	gone := 0
	for _, listing := range listings {
		if listing < 0 {
			gone++
		}
	}
	return &Segment{s, listings, gone}
}

// living counts the listings that are still read from the Segment.
func (s *Segment) living() int { return len(s.listings) - s.gone }

// A stored is a bluge index, which the indexes that use it share.
type stored struct {
	id       string
	folder   string // "" for memory
	reader   *index.Snapshot
	digests  []Digest
	words    text.Vocabulary
	refs     atomic.Int64
	obsolete atomic.Bool
	// sums are those of the files, once they are known.
	sums []checksum
}

// checksums returns those of the Segment's files.
func (s *stored) checksums() ([]checksum, error) {
	if s.sums != nil {
		return s.sums, nil
	}
	found, err := os.ReadDir(s.folder)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		size, crc, err := sumFile(filepath.Join(s.folder, f.Name()))
		if err != nil {
			return nil, err
		}
		s.sums = append(s.sums, checksum{f.Name(), size, crc})
	}
	return s.sums, nil
}

// release drops one reference; the last one closes the Segment, and deletes its
// files if no later Index uses them.
func (s *stored) release() error {
	if s.refs.Add(-1) > 0 {
		return nil
	}
	err := s.reader.Close()
	if s.obsolete.Load() && s.folder != "" {
		if removed := os.RemoveAll(s.folder); err == nil {
			err = removed
		}
	}
	return err
}

// openStored opens what write wrote, with one reference.
func openStored(directory func() index.Directory, id, folder string, digests []Digest) (s *stored, err error) {
	// Bluge trusts its files: damage that the checksums miss could still make
	// it panic.
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
	if err == nil && int(count) != len(digests) {
		err = fmt.Errorf("open the index: it holds %d listings instead of %d", count, len(digests))
	}
	s = &stored{id: id, folder: folder, reader: reader, digests: digests}
	s.refs.Store(1)
	if err == nil {
		s.words, err = readWords(reader)
	}
	if err != nil {
		_ = reader.Close()
		return nil, err
	}
	return s, nil
}

// readWords reads the dictionary.
func readWords(reader *index.Snapshot) (text.Vocabulary, error) {
	found, err := reader.DictionaryIterator(string(Words), nil, nil, nil)
	if err != nil {
		return text.Vocabulary{}, fmt.Errorf("read the words: %w", err)
	}
	words := text.NewVocabulary(func(yield func(string) bool) {
		for {
			next, failed := found.Next()
			if err = failed; err != nil || next == nil || !yield(next.Term()) {
				return
			}
		}
	})
	if err != nil {
		return text.Vocabulary{}, fmt.Errorf("read the words: %w", err)
	}
	return words, found.Close()
}
