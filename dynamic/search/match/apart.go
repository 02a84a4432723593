package match

import (
	"context"
	"iter"
	"slices"
	"strings"

	"souk/build/index/text"
	"souk/build/kit/fold"
	"souk/dynamic/search/corpus"
)

// This file finds words that some listings write as two and others as one. Neighbours in names
// are joined in the index; neighbours in prose are not.

// MaxApart is the maximum number of listings to read for two adjacent words. If more contain
// both, they are hardly one word.
const MaxApart = 1000

// splitWord returns the listings that write a word as two, or none if no visible listing writes it
// as one, because then it counts as misspelled.
func (m *matching) splitWord(word string) (*Postings, error) {
	joined, err := m.Matcher.Word(m.ctx, word)
	if err != nil || !m.visible.Shows(joined.Docs) {
		return &Postings{Terms: &Terms{}}, err
	}
	find := func() (*Postings, error) { return m.Matcher.findSplit(m.ctx, word, m.visible) }
	if !m.visible.ShowsAll() {
		return find()
	}
	return m.Matcher.cached("a"+word, find)
}

func (x *Lexicon) findSplit(ctx context.Context, word string, v *corpus.Visibility) (*Postings, error) {
	var lists []weighted
	var written []string
	for left, right := range x.halves(word) {
		p, err := x.bothWords(ctx, left, right)
		if err != nil {
			return nil, err
		}
		if v.Count(p.Docs) > MaxApart {
			continue
		}
		beside := &Postings{}
		for i, doc := range p.Docs {
			if !v.Hides(x.Corpus.SellerOf[doc]) && x.SideBySide(doc, left, right) {
				beside.add(doc, p.Impacts[i])
			}
		}
		if len(beside.Docs) > 0 {
			lists = append(lists, weighted{beside.saidBy(&Terms{Numbers: beside.Docs}), splitFactor})
			written = append(written, left+" "+right)
		}
	}
	found := x.Scratch.union(lists)
	found.Words = written
	return found, nil
}

// SideBySide reports whether a listing contains words in sequence with only spaces between
// them.
func (x *Lexicon) SideBySide(doc uint32, phrase ...string) bool {
	o := x.Corpus.Described(doc).Offer
	texts := []string{o.Name, o.Summary, o.Description.Source}
	for _, a := range o.Attributes {
		texts = append(texts, a.Value)
	}
	return slices.ContainsFunc(texts, func(written string) bool {
		folded := fold.Text(written)
		if slices.ContainsFunc(phrase, func(word string) bool { return !strings.Contains(folded, word) }) {
			return false
		}
		list := text.Tokens(nil, folded)
		for at := range len(list) - len(phrase) + 1 {
			if spells(list[at:at+len(phrase)], folded, phrase) {
				return true
			}
		}
		return false
	})
}

// spells reports whether a text contains words in sequence with only spaces between them.
func spells(list []text.Token, folded string, phrase []string) bool {
	for i, word := range phrase {
		if list[i].Text != word || i > 0 && strings.TrimSpace(folded[list[i-1].To:list[i].From]) != "" {
			return false
		}
	}
	return true
}

// halves are the ways in which listings write a word as two.
func (x *Lexicon) halves(word string) iter.Seq2[string, string] {
	return func(yield func(left, right string) bool) {
		for at := range word {
			if at < minSplit || len(word)-at < minSplit {
				continue
			}
			if left, right := word[:at], word[at:]; x.Spelled(left) && x.Spelled(right) && !yield(left, right) {
				return
			}
		}
	}
}

// bothWords returns the listings that contain two words in exactly this spelling.
func (x *Lexicon) bothWords(ctx context.Context, left, right string) (*Postings, error) {
	a, err := x.Word(ctx, left)
	if err != nil {
		return nil, err
	}
	b, err := x.Word(ctx, right)
	if err != nil {
		return nil, err
	}
	return both(a, b), nil
}
