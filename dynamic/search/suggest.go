package search

import (
	"context"

	"souk/build/document"
)

// The limits of a SuggestQuery.
const (
	MaxSuggestions     = document.MaxSuggestions
	DefaultSuggestions = document.DefaultSuggestions
)

// A SuggestQuery asks how a text goes on.
type SuggestQuery struct {
	Text string
	// Limit is from 1 to MaxSuggestions.
	Limit int
	// Kinds are category, product, service and seller; none asks for all.
	Kinds []string
}

// The kinds of suggestions, in the order that breaks ties.
const (
	ofCategory = iota
	ofSeller
	ofProduct
	ofService
	suggestKinds
)

var suggestKindNames = [suggestKinds]string{"category", "seller", "product", "service"}

// Suggest answers from the parts, and for categories and sellers from memory. It fails
// with an *InvalidError, ErrClosed or the error of the context.
func (x *Index) Suggest(ctx context.Context, q SuggestQuery) (*Suggestions, error) {
	if !x.corpus.acquire() {
		return nil, ErrClosed
	}
	defer x.corpus.release()
	if err := q.Check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := newFinder(x, q, x.visibleNow())
	f.find()
	answer := &Suggestions{Query: q.Text, Suggestions: make([]Suggestion, 0, q.Limit)}
	for _, c := range f.mixed() {
		answer.Suggestions = append(answer.Suggestions, f.suggestion(c))
	}
	return answer, nil
}
