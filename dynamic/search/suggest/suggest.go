package suggest

import (
	"fmt"
	"slices"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index/text"
	"souk/build/kit/problem"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/fault"
)

// The limits of a Query.
const (
	MaxSuggestions     = document.MaxSuggestions
	DefaultSuggestions = document.DefaultSuggestions
)

// A Query asks for completions of a text.
type Query struct {
	Text string
	// Limit is from 1 to MaxSuggestions.
	Limit int
	// Kinds are category, product, service and seller; none means all.
	Kinds []string
}

// The kinds of suggestions, in the order that breaks ties.
const (
	ofCategory = iota
	OfSeller
	ofProduct
	ofService
	suggestKinds
)

var suggestKindNames = [suggestKinds]string{"category", "seller", "product", "service"}

// placeOf returns the index of a kind of listings among the kinds of suggestions.
func placeOf(kind catalog.Kind) uint8 {
	if kind == catalog.KindService {
		return ofService
	}
	return ofProduct
}

// A Suggester completes texts with the names of categories, sellers and listings.
type Suggester struct {
	corpus   *corpus.Corpus
	language *text.Language
	Options  *options
}

func NewSuggester(c *corpus.Corpus, l *text.Language) *Suggester {
	return &Suggester{c, l, newOptions(c)}
}

// Suggest answers a valid query.
func (s *Suggester) Suggest(q Query, v *corpus.Visibility) *document.Suggestions {
	f := newFinder(s, q, v)
	f.find()
	answer := &document.Suggestions{Query: q.Text, Suggestions: make([]document.Suggestion, 0, q.Limit)}
	for _, c := range f.mixed() {
		answer.Suggestions = append(answer.Suggestions, f.suggestion(c))
	}
	return answer
}

func checkSuggest(q Query) error {
	var faults []document.FieldError
	add := func(field, code, format string, args ...any) {
		faults = append(faults, document.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if q.Text == "" {
		add("q", fault.Required, "send the typed text, from 1 to %d characters", document.MaxQuery)
	}
	fault.CheckText(q.Text, document.MaxQuery, add)
	fault.CheckRange("limit", q.Limit, 1, MaxSuggestions, add)
	for _, kind := range q.Kinds {
		if !slices.Contains(suggestKindNames[:], kind) {
			add("kind", fault.Unknown, "%s", fault.Meant(fmt.Sprintf("%s is not a kind: choose category, product, service or seller", problem.Quoted(kind)), kind, suggestKindNames[:]))
		}
	}
	if len(faults) > 0 {
		return &fault.Error{Errors: faults}
	}
	return nil
}

// Check returns what is wrong with a query as an *InvalidError, or nil.
func (q Query) Check() error { return checkSuggest(q) }
