package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"strings"
	"testing"
)

// wide is a market whose listings have many attributes.
type wide struct{ stubMarket }

func (wide) Document(_ context.Context, file string) ([]byte, State, error) {
	slug := strings.TrimSuffix(path.Base(file), ".json")
	var attributes []any
	for i := range 60 {
		attributes = append(attributes, map[string]any{"name": fmt.Sprint("attribute ", i), "value": slug + " " + strings.Repeat("<v>", i)})
	}
	body, err := json.Marshal(map[string]any{
		"kind": "product", "slug": slug, "companySlug": "acme", "name": slug, "url": "https://m.example/" + slug, "apiUrl": "https://m.example/api/v1/" + slug,
		"attributes": attributes, "summary": strings.Repeat("summary ", 100),
	})
	return body, Found, err
}

func TestComparisonContinuesInTheNextAnswer(t *testing.T) {
	s := New(Config{Market: wide{}})
	var refs []string
	for i := range 8 {
		refs = append(refs, fmt.Sprintf("product:acme/n%d", i))
	}
	next, calls := "", 0
	var rows []string
	for calls == 0 || next != "" {
		calls++
		var get tool
		for _, one := range tools() {
			if one.name == "get" {
				get = one
			}
		}
		call, _ := json.Marshal(map[string]any{"refs": refs, "view": "compare", "next": next})
		a, err := s.call(t.Context(), get, call)
		if err != nil {
			t.Fatal(err)
		}
		result := a.result()
		whole, err := json.Marshal(result)
		if err != nil || len(whole) > budget {
			t.Fatalf("call %d has %d bytes, %v", calls, len(whole), err)
		}
		var got struct {
			StructuredContent struct {
				Items, Listings []any
				Rows            []struct {
					Name  string
					Cells []struct{ Value string }
				}
				Next string
			}
		}
		if err := json.Unmarshal(whole, &got); err != nil {
			t.Fatal(err)
		}
		c := got.StructuredContent
		if len(c.Items) != 8 || len(c.Listings) != 8 || len(c.Rows) == 0 || calls > 60 {
			t.Fatalf("call %d: %d items, %d listings, %d rows", calls, len(c.Items), len(c.Listings), len(c.Rows))
		}
		for _, row := range c.Rows {
			if len(row.Cells) != 8 || !strings.HasPrefix(row.Cells[7].Value, "n7 ") {
				t.Fatalf("a row is cut: %v", row)
			}
			rows = append(rows, row.Name)
			if text := a.text(); !strings.Contains(text, row.Name+" ≠ | n0") || strings.Contains(text, "<v>") {
				t.Fatalf("the text does not have %s: %s", row.Name, text)
			}
		}
		next = c.Next
	}
	var want []string
	for i := range 60 {
		want = append(want, fmt.Sprint("attribute ", i))
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("the rows of %d answers are %v", calls, rows)
	}
}
