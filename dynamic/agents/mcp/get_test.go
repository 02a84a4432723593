package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"souk/dynamic/search"
)

// sized is a market in which a slug determines the length of its document.
type sized struct{ stubMarket }

func (sized) Document(_ context.Context, file string) ([]byte, State, error) {
	slug := strings.TrimSuffix(path.Base(file), ".json")
	var number, bytes int
	if _, err := fmt.Sscanf(slug, "n%d-%d", &number, &bytes); err != nil {
		return nil, Unknown, nil
	}
	var attributes []any
	for i := range 10 {
		attributes = append(attributes, map[string]any{"name": fmt.Sprint("attribute ", i), "value": strings.Repeat("v", 60)})
	}
	body, err := json.Marshal(map[string]any{
		"kind": "product", "name": slug, "url": "https://m.example/" + slug, "apiUrl": "https://m.example/api/v1/" + slug,
		"attributes": attributes, "description": strings.Repeat("d", bytes),
	})
	return body, Found, err
}

func TestRowHasTheDocumentsPrice(t *testing.T) {
	d := map[string]any{"name": "Arm", "price": map[string]any{"amount": "1890.00", "currency": "EUR", "unit": "kg", "from": true}}
	if row := rowOf(d); row[2] != "from 1890.00 EUR / kg" {
		t.Errorf("the row is %q", row)
	}
}

// A broken market panics.
type broken struct{ stubMarket }

func (broken) Search(context.Context, search.Query) (*search.Result, error) { panic("a fault of ours") }

func TestToolPanicIsAnsweredAndLogged(t *testing.T) {
	var log strings.Builder
	s := New(Config{Market: broken{}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for _, one := range tools() {
		if one.name != "search" {
			continue
		}
		r, err := s.handler(one)(t.Context(), &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: one.name, Arguments: []byte(`{"q":"a"}`)}})
		if err != nil || !r.IsError || !strings.Contains(log.String(), "a fault of ours") || !strings.Contains(log.String(), "goroutine") {
			t.Errorf("it answers %+v, %v, and the log says %s", r, err, log.String())
		}
	}
}

// gotten is the part of a get answer that tests read.
type gotten struct {
	Items []struct {
		Ref, Status string
		Truncated   bool
		Document    struct {
			Description string
			Attributes  []any
		}
	}
	Truncated bool
	Next      string
}

// TestGetFillsAnswersWithWholeDocuments follows next to the end.
func TestGetFillsAnswersWithWholeDocuments(t *testing.T) {
	s := New(Config{Market: sized{}})
	var get tool
	for _, one := range tools() {
		if one.name == "get" {
			get = one
		}
	}
	for name, one := range map[string]struct {
		bytes       []int
		full, brief int // calls until everything was returned
	}{
		"one long, nine short":      {[]int{90_000, 100, 100, 100, 100, 100, 100, 100, 100, 100}, 2, 1},
		"nine short, one long":      {[]int{100, 100, 100, 100, 100, 100, 100, 100, 100, 90_000}, 2, 1},
		"ten of five kilobytes":     {[]int{5000, 5001, 5002, 5003, 5004, 5005, 5006, 5007, 5008, 5009}, 5, 1},
		"one that fills an answer":  {[]int{16_000}, 1, 1},
		"three that fill an answer": {[]int{16_000, 16_001, 16_002}, 3, 1},
		"two long":                  {[]int{90_000, 90_001}, 2, 1},
		"twenty short":              {make([]int, 20), 2, 1},
	} {
		for _, detail := range []string{"full", "brief"} {
			most := one.full
			if detail == "brief" {
				most = one.brief
			}
			var refs []string
			for i, bytes := range one.bytes {
				refs = append(refs, fmt.Sprintf("product:seller/n%d-%d", i, bytes))
			}
			next, seen, calls := "", []string(nil), 0
			for ; (calls == 0 || next != "") && calls <= len(refs); calls++ {
				call, err := json.Marshal(map[string]any{"refs": refs, "detail": detail, "next": next})
				if err != nil {
					t.Fatal(err)
				}
				answers := [2][]byte{}
				for again := range answers {
					a, err := s.call(t.Context(), get, call)
					if err != nil {
						t.Fatal(err)
					}
					if answers[again], err = json.Marshal(a.result()); err != nil {
						t.Fatal(err)
					}
				}
				if !bytes.Equal(answers[0], answers[1]) || len(answers[0]) > budget {
					t.Errorf("%s, %s: %d bytes, or not the same twice", name, detail, len(answers[0]))
				}
				var result struct{ StructuredContent gotten }
				if err := json.Unmarshal(answers[0], &result); err != nil {
					t.Fatal(err)
				}
				got := result.StructuredContent
				for _, item := range got.Items {
					at := len(seen)
					seen = append(seen, item.Ref)
					d := item.Document
					switch n, long := len(d.Description), one.bytes[at] > 16_100; {
					case len(d.Attributes) != 10 && (detail == "full" || !item.Truncated):
						t.Errorf("%s, %s: %s has %d of 10 attributes", name, detail, item.Ref, len(d.Attributes))
					case detail == "full" && !long && n != one.bytes[at]:
						t.Errorf("%s: %s has %d bytes of its text", name, item.Ref, n)
					case long && n < 250 || item.Truncated != (n < one.bytes[at] || len(d.Attributes) < 10) || item.Truncated && !got.Truncated:
						t.Errorf("%s, %s: %s has %d bytes of its text, truncated %v", name, detail, item.Ref, n, item.Truncated)
					}
				}
				next = got.Next
			}
			if strings.Join(seen, " ") != strings.Join(refs, " ") || calls > most {
				t.Errorf("%s, %s: %d calls, not %d, bring %v", name, detail, calls, most, seen)
			}
		}
	}
}

func TestGetAnswersEachRefInOrderIncludingDuplicates(t *testing.T) {
	market := New(Config{Market: sized{}})
	for name, refs := range map[string][]string{
		"equal ones":           {"product:seller/n1-100", "product:seller/n1-100", "product:seller/n1-100"},
		"equal ones apart":     {"product:seller/n2-100", "product:seller/n1-100", "product:seller/n2-100"},
		"two names of one":     {"product:seller/n1-100", "https://m.example/api/v1/marketplace/companies/seller/products/n1-100", "product:seller/n1-100"},
		"unknown ones":         {"seller:nobody", "gibberish", "seller:nobody", "", ""},
		"as many as there may": slices.Repeat([]string{"product:seller/n1-100", "seller:nobody"}, maxRefs/2),
	} {
		body, err := market.Call(t.Context(), "get", map[string]any{"refs": refs})
		if err != nil {
			t.Fatal(err)
		}
		var got gotten
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		var answered []string
		for _, item := range got.Items {
			answered = append(answered, item.Ref)
		}
		if !slices.Equal(answered, refs) || got.Next != "" {
			t.Errorf("%s: %q are answered as %q", name, refs, answered)
		}
	}
	if body, err := market.Call(t.Context(), "get", map[string]any{"refs": slices.Repeat([]string{"seller:nobody"}, maxRefs+1)}); err != nil || string(body) != "null" {
		t.Errorf("more than %d refs: %s, %v", maxRefs, body, err)
	}
}

// far is sized, with a summary and addresses as long as real ones.
type far struct{ sized }

func (f far) Document(ctx context.Context, file string) ([]byte, State, error) {
	body, state, err := f.sized.Document(ctx, file)
	long := "https://m.example/" + strings.Repeat("company-of-some-name/", 6)
	body = bytes.ReplaceAll(body, []byte("https://m.example/"), []byte(long))
	return bytes.Replace(body, []byte("{"), []byte(`{"summary":"What it is.",`), 1), state, err
}

func TestBriefDocumentsAlwaysHaveTheirAddress(t *testing.T) {
	var refs []string
	for i := range maxRefs {
		refs = append(refs, fmt.Sprintf("product:seller/n%d-5000", i))
	}
	all, err := New(Config{Market: far{}}).Call(t.Context(), "get", map[string]any{"refs": refs})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Items []struct {
			URL      string
			Document struct{ Name, Summary string }
		}
		Next string
	}
	if err := json.Unmarshal(all, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Items) != len(refs) || got.Next != "" {
		t.Errorf("%d of %d are there, next is %q", len(got.Items), len(refs), got.Next)
	}
	for _, item := range got.Items {
		if d := item.Document; d.Name == "" || d.Summary == "" {
			t.Errorf("of %s it says %+v", item.URL, d)
		}
	}
}

func TestDocumentWithoutItemFieldsIsTruncated(t *testing.T) {
	for most := 100; most < 1000; most++ {
		document := map[string]any{"kind": "product", "url": "https://m.example/arm", "apiUrl": "https://m.example/api/v1/arm", "name": "Arm", "summary": strings.Repeat("s", 250)}
		one, err := thing{item{value: map[string]any{}}, document}.withDocument(false, most)
		if err != nil {
			t.Fatal(err)
		}
		if d := one.value["document"].(map[string]any); d["kind"] == nil != one.cut {
			t.Errorf("within %d bytes, truncated: %t, it says %v", most, one.cut, d)
		}
	}
}
