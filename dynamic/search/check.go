package search

import (
	"context"
	"fmt"

	"souk/build/document"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/fault"
)

// Check returns nil if a query is valid, or an *InvalidError that says what is wrong with it.
func (x *Index) Check(q Query) error {
	_, err := x.checked(context.Background(), &q, x.visibleNow())
	return err
}

// checked returns the filters of a query, if it is valid.
func (x *Index) checked(ctx context.Context, q *Query, visible *corpus.Visibility) (*facet.Selection, error) {
	var faults []document.FieldError
	add := func(field, code, format string, args ...any) {
		faults = append(faults, document.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	fault.CheckText(q.Text, MaxQuery, add)
	fault.CheckRange("limit", q.Limit, 0, MaxLimit, add)
	fault.CheckRange("offset", q.Offset, 0, MaxOffset, add)
	c := x.facets.Selection(ctx, facet.Request{Filters: q.Filters, Currency: q.Currency, Sort: q.Sort}, visible, add)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return nil, &fault.Error{Errors: faults}
	}
	return c, nil
}
