package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"souk/build/document"
	"souk/dynamic/search/fault"
)

// rooted is a market in which every document is the category product/robots.
type rooted struct{ stubMarket }

func (rooted) Document(context.Context, string) ([]byte, State, error) {
	var one document.Category
	one.Kind, one.RootKind, one.Slug, one.Name = "category", "product", "robots", "Robots"
	body, err := json.Marshal(one)
	return body, Found, err
}

func TestCategoryOfTheWrongKindIsRejected(t *testing.T) {
	for args, refused := range map[string]bool{
		`{"category":"product/robots"}`:                            false,
		`{"category":"product/robots","kind":"product"}`:           false,
		`{"category":"product/robots","kind":"service"}`:           true,
		`{"category":"category:product/robots","kind":"service"}`:  true,
		`{"category":"category:product/robots","kind":"product"}`:  false,
		`{"category":"product/robots","kind":"service","limit":1}`: true,
	} {
		_, err := called(t, rooted{}, "categories", args)
		var wrong *fault.Error
		if errors.As(err, &wrong) != refused || refused && wrong.Errors[0].Field != "kind" || !refused && err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}
