package search

import (
	"context"
	"iter"
	"slices"
	"strings"

	"souk/build/fold"
	"souk/build/index/text"
)

// This file finds what writes a word as two, where others write it as one: names have their
// neighbours joined in the index, prose has not.

// maxApart is how many listings are read for whether two words stand side by side in them: what
// more have both of is hardly one word.
const maxApart = 1000

// apart returns the listings that write a word as two; none where no listing that may be shown
// writes it as one, since it then counts as misspelled.
func (m *matcher) apart(word string) (*postings, error) {
	joined, err := m.index.word(m.ctx, word)
	if err != nil || !m.visible.shows(m.index, joined) {
		return &postings{terms: &Terms{}}, err
	}
	return m.index.cached("a"+word, func() (*postings, error) { return m.index.findApart(m.ctx, word) })
}

func (x *Index) findApart(ctx context.Context, word string) (*postings, error) {
	var lists []weighted
	var written []string
	for left, right := range x.halves(word) {
		p, err := x.bothWords(ctx, left, right)
		if err != nil {
			return nil, err
		}
		if len(p.docs) > maxApart {
			continue
		}
		beside := &postings{}
		for i, doc := range p.docs {
			if x.besideEachOther(doc, left, right) {
				beside.add(doc, p.impacts[i])
			}
		}
		if len(beside.docs) > 0 {
			lists = append(lists, weighted{beside.saidBy(&Terms{Numbers: beside.docs}), splitFactor})
			written = append(written, left+" "+right)
		}
	}
	found := x.scratch.union(lists)
	found.words = written
	return found, nil
}

// besideEachOther reports whether the prose of a listing has two words with nothing but space
// between them.
func (x *Index) besideEachOther(doc uint32, left, right string) bool {
	o := x.corpus.described(doc).offer
	return slices.ContainsFunc([]string{o.Summary, text.Prose(o.Description.Source)}, func(prose string) bool {
		folded := fold.Text(prose)
		if !strings.Contains(folded, left) || !strings.Contains(folded, right) {
			return false
		}
		list := text.Tokens(nil, folded)
		for i := 1; i < len(list); i++ {
			before, t := &list[i-1], &list[i]
			if before.Text == left && t.Text == right && strings.TrimSpace(folded[before.To:t.From]) == "" {
				return true
			}
		}
		return false
	})
}

// halves are the ways to write a word as two that listings have.
func (x *Index) halves(word string) iter.Seq2[string, string] {
	return func(yield func(left, right string) bool) {
		for at := range word {
			if at < minSplit || len(word)-at < minSplit {
				continue
			}
			if left, right := word[:at], word[at:]; x.spelled(left) && x.spelled(right) && !yield(left, right) {
				return
			}
		}
	}
}

// bothWords returns the listings that have two words, as they are spelled.
func (x *Index) bothWords(ctx context.Context, left, right string) (*postings, error) {
	a, err := x.word(ctx, left)
	if err != nil {
		return nil, err
	}
	b, err := x.word(ctx, right)
	if err != nil {
		return nil, err
	}
	return both(a, b), nil
}
