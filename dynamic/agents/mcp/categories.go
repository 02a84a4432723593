package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
)

// load reads a document of the release, given by a Reference or an API path.
func load(ctx context.Context, m Market, ref string, into any) (State, error) {
	roots, err := m.Addresses()
	if err != nil {
		return Unknown, err
	}
	file, err := roots.FileOf(ref)
	if err != nil {
		return Unknown, nil
	}
	body, state, err := m.Document(ctx, file)
	if err != nil || state != Found {
		return state, err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return Unknown, fmt.Errorf("read %s: %w", file, err)
	}
	return Found, nil
}

// maxBelow is the maximum number of Categories listed below a top one.
const maxBelow = 60

// apiPath is the API path of the marketplace's documents.
const apiPath = document.APIRoot + "/marketplace"

// categories implements the tool categories.
func categories(ctx context.Context, m Market, a arguments) (*answer, error) {
	if one := a.texts["category"]; one != "" {
		return category(ctx, m, one, a.texts["kind"])
	}
	begin, err := a.offset()
	if err != nil {
		return nil, err
	}
	var rows []item
	for _, kind := range []string{"product", "service"} {
		if only := a.texts["kind"]; only != "" && only != kind {
			continue
		}
		var root document.CategoryRoot
		if state, err := load(ctx, m, apiPath+"/category-roots/"+kind, &root); err != nil || state != Found {
			return nil, orMissing(err, "category-roots/"+kind)
		}
		for _, tree := range root.Categories {
			rows = append(rows, top(tree))
		}
	}
	end := min(begin+a.number("limit", maxList), len(rows))
	if begin > 0 && begin >= len(rows) {
		return nil, invalid("next", fault.Invalid, "there are %d categories: start again without next", len(rows))
	}
	result := &answer{Total: len(rows), Lead: fmt.Sprintf("%d categories at the top: value for search, name, listings, address, subcategories. Ask for one with category to see the filters of its listings.", len(rows))}
	for i := begin; i < end; i++ {
		rows[i].at = strconv.Itoa(i)
		result.Items = append(result.Items, rows[i])
	}
	if end < len(rows) {
		result.Next = strconv.Itoa(end)
	}
	return result, nil
}

// top returns a top-level Category with the values of those below it.
func top(t document.CategoryTree) item {
	value := t.RootKind + "/" + t.Slug
	one := map[string]any{"kind": t.Kind, "category": value, "name": short(clean(t.Name), 120), "listingCount": t.ListingCount, "url": t.URL, "apiUrl": t.APIURL}
	below, names := map[string]int{}, []string(nil)
	var descend func([]document.CategoryTree)
	descend = func(trees []document.CategoryTree) {
		for _, child := range trees {
			if len(below) < maxBelow {
				below[child.RootKind+"/"+child.Slug] = child.ListingCount
				names = append(names, child.Slug)
				descend(child.Children)
			}
		}
	}
	descend(t.Children)
	if len(below) > 0 {
		one["below"] = below
	}
	return item{value: one, row: []string{value, t.Name, strconv.Itoa(t.ListingCount), t.URL, strings.Join(names, ", ")}}
}

// category returns one Category and the filters for its listings. kind is the kind of its
// root, if the call gives one.
func category(ctx context.Context, m Market, value, kind string) (*answer, error) {
	var one document.Category
	state, err := load(ctx, m, "category:"+strings.TrimPrefix(value, "category:"), &one)
	if err != nil {
		return nil, err
	}
	if state != Found {
		// Search knows which values are malformed and can suggest similar ones.
		if _, err := m.Search(ctx, search.Query{Filters: map[string][]string{document.FilterCategory: {value}}}); err != nil {
			return nil, err
		}
		return nil, invalid("category", fault.Invalid, "there is no category %q: call categories without it for all", line(value, 100))
	}
	if kind != "" && kind != one.RootKind {
		return nil, invalid("kind", fault.Invalid, "%s/%s is not a category of kind %s: leave kind out, or ask for another category", one.RootKind, one.Slug, kind)
	}
	d := brief(asMap(one))
	d["apiUrl"], d["category"] = one.APIURL, one.RootKind+"/"+one.Slug
	cut, was := fitted(d, []level{{50, 300}, {20, 200}, {12, 100}, {6, 80}}, 12_000)
	about := []string{one.Name, strconv.Itoa(one.ListingCount) + " listings", one.URL}
	for _, use := range one.Attributes[:min(len(one.Attributes), 12)] {
		about = append(about, strings.TrimSpace(use.Name+" "+use.Unit))
	}
	return &answer{
		Total: 1, Items: []item{{value: cut, row: about, cut: was}},
		Lead: "The category: name, listings, address, then attributes that search takes as attribute=Name:value or Name:MIN..MAX unit; values and ranges are in the structured content.",
	}, nil
}

// orMissing returns err, or, if it is nil, an error saying that the release lacks a file
// that every release has.
func orMissing(err error, what string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("the release has no %s", what)
}
