package mcp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/dynamic/search/fault"
)

// mostBrief is the maximum size of a brief document in an answer.
const mostBrief = 3_000

// get implements the tool get. The answer contains brief documents of all things, which
// share the space, or whole documents up to the first that does not fit.
func get(ctx context.Context, m Market, a arguments) (*answer, error) {
	if a.texts["view"] != "" {
		return comparison(ctx, m, a)
	}
	begin, err := a.offset()
	if err != nil {
		return nil, err
	}
	refs := a.lists["refs"]
	if begin >= len(refs) {
		return nil, invalid("next", fault.Invalid, "%d is past the %d refs: send the same refs as before", begin, len(refs))
	}
	got := &answer{Total: len(refs), Lead: fmt.Sprintf("%d refs, from number %d: name, seller, price, address, facts, or removed or unknown.", len(refs), begin+1)}
	var things []thing
	var sizes []int
	most := budget - ends - len(got.Lead)
	for i, ref := range refs[begin:] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one, err := read(ctx, m, ref)
		if err != nil {
			return nil, err
		}
		one.at = strconv.Itoa(begin + i)
		filled, err := one.withDocument(a.full(), most)
		if err != nil {
			return nil, err
		}
		size, err := filled.size()
		if err != nil {
			return nil, err
		}
		things, sizes = append(things, one), append(sizes, size)
	}
	if !a.full() {
		most = share(sizes, most)
	}
	for _, one := range things {
		filled, err := one.withDocument(a.full(), most)
		if err != nil {
			return nil, err
		}
		got.Items = append(got.Items, filled)
		if err := got.fit(); err != nil || got.Next != "" {
			return got, err
		}
	}
	return got, nil
}

// share returns how many bytes each of several things may take so that all of them fit.
// Space that a small thing does not use goes to the others.
func share(sizes []int, room int) int {
	slices.Sort(sizes)
	for i, size := range sizes {
		if most := room / (len(sizes) - i); size > most {
			return most
		}
		room -= size
	}
	return room + sizes[len(sizes)-1]
}

// A thing is the target of a Reference or an address: an item, and its document if one was
// found.
type thing struct {
	item
	document map[string]any
}

// withDocument returns the item with its document, which is cut if the two take more than
// most bytes.
func (t thing) withDocument(full bool, most int) (item, error) {
	one, document, levels := t.item, t.document, wholeLevels
	if document == nil {
		return one, nil
	}
	one.value = maps.Clone(one.value)
	envelope := one
	taken, err := envelope.size()
	if err != nil {
		return item{}, err
	}
	most -= taken + len(`,"document":,"truncated":true`)
	if !full {
		document, levels, most = brief(document), briefLevels, min(most, mostBrief)
	}
	one.value["document"], one.cut = fitted(document, levels, most)
	if one.cut && !full {
		// The item has these fields already.
		for _, name := range []string{"kind", "url", "apiUrl"} {
			delete(document, name)
		}
		one.value["document"], _ = fitted(document, levels, most)
	}
	return one, nil
}

// read reads the document that a text refers to.
func read(ctx context.Context, m Market, ref string) (thing, error) {
	roots, err := m.Addresses()
	if err != nil {
		return thing{}, err
	}
	envelope := func(state State) map[string]any {
		return map[string]any{"ref": short(clean(ref), 300), "status": state}
	}
	absent := func(state State, hint string) thing {
		value := envelope(state)
		if hint != "" {
			value["hint"] = short(clean(hint), 300)
		}
		return thing{item: item{value: value, row: []string{ref, string(state), hint}}}
	}
	file, err := roots.FileOf(ref)
	if err != nil {
		return absent(Unknown, err.Error()), nil
	}
	body, state, err := m.Document(ctx, file)
	if err != nil || state != Found {
		return absent(state, ""), err
	}
	document, is := decoded(body).(map[string]any)
	if !is {
		return thing{}, fmt.Errorf("%s is no document", file)
	}
	value := envelope(Found)
	for _, name := range []string{"kind", "url", "apiUrl"} {
		if document[name] != nil {
			value[name] = document[name]
		}
	}
	return thing{item{value: value, row: rowOf(document)}, document}, nil
}

// rowOf returns the table row of a document: its name, seller, price, address and a few
// facts.
func rowOf(d map[string]any) []string {
	name := textOf(d["name"])
	if name == "" {
		name = textOf(d["title"])
	}
	seller, _ := d["seller"].(map[string]any)
	var money string
	if p, is := d["price"].(map[string]any); is {
		from, _ := p["from"].(bool)
		money = priceText(&document.Price{Amount: textOf(p["amount"]), Currency: textOf(p["currency"]), Unit: textOf(p["unit"]), From: from})
	}
	var facts []string
	attributes, _ := d["attributes"].([]any)
	for _, one := range attributes[:min(len(attributes), 6)] {
		m, is := one.(map[string]any)
		if !is {
			continue
		}
		value := m["value"]
		if values, several := m["values"].([]any); several {
			value = strings.Trim(fmt.Sprint(values), "[]")
		}
		if value != nil {
			facts = append(facts, strings.TrimSpace(fmt.Sprint(m["name"], " ", value, " ", textOf(m["unit"]))))
		}
	}
	about := strings.Join(facts, "; ")
	if about == "" {
		about = textOf(d["summary"])
	}
	return []string{name, textOf(seller["name"]), money, textOf(d["url"]), about}
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}
