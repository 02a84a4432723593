package search

import (
	"context"
	"errors"
	"testing"
)

// What is said of a query that nobody waits for is of no use, and looking for it is work.
func TestAQueryThatNobodyWaitsForIsNotChecked(t *testing.T) {
	x := twoSellers(t, false, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, Query{}.with("attribute", "Flow:much")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
