package mcp

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"souk/dynamic/search"
)

// mostBrief is how much of an answer a brief document may take.
const mostBrief = 3_000

// get answers the tool get, up to the first thing that the answer has no room for.
func get(ctx context.Context, m Market, a arguments) (*answer, error) {
	begin, err := a.offset()
	if err != nil {
		return nil, err
	}
	refs := a.lists["refs"]
	if begin >= len(refs) {
		return nil, invalid("next", search.CodeInvalid, "%d is past the %d refs: send the same refs as before", begin, len(refs))
	}
	got := &answer{Total: len(refs), Lead: fmt.Sprintf("%d refs; from the %d. on: name, seller, price, address, facts, or removed or unknown.", len(refs), begin+1)}
	for i := begin; i < len(refs) && got.Next == ""; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one, state, err := read(ctx, m, refs[i])
		if err != nil {
			return nil, err
		}
		if state == Found {
			if one, err = opened(refs[i], one, a.full(), budget-ends-len(got.Lead)); err != nil {
				return nil, err
			}
		}
		one.at = strconv.Itoa(i)
		got.Items = append(got.Items, one)
		if err := got.fit(); err != nil {
			return nil, err
		}
	}
	return got, nil
}

// opened returns what was read in its envelope. Where the two take more than most
// bytes, the document is cut, the same whatever else is asked for.
func opened(ref string, one item, full bool, most int) (item, error) {
	document, levels := one.value, wholeLevels
	one.value = map[string]any{"ref": short(clean(ref), 300), "status": Found}
	for _, name := range []string{"kind", "url", "apiUrl"} {
		if document[name] != nil {
			one.value[name] = document[name]
		}
	}
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
	return one, nil
}

// read reads the document that is meant by a text.
func read(ctx context.Context, m Market, ref string) (item, State, error) {
	roots, err := m.Addresses()
	if err != nil {
		return item{}, Unknown, err
	}
	absent := func(state State, hint string) item {
		value := map[string]any{"ref": short(clean(ref), 300), "status": state}
		if hint != "" {
			value["hint"] = short(clean(hint), 300)
		}
		return item{value: value, row: []string{short(ref, 120), string(state), hint}}
	}
	file, err := roots.FileOf(ref)
	if err != nil {
		return absent(Unknown, err.Error()), Unknown, nil
	}
	body, state, err := m.Document(ctx, file)
	if err != nil || state != Found {
		return absent(state, ""), state, err
	}
	document, is := decoded(body).(map[string]any)
	if !is {
		return item{}, Unknown, fmt.Errorf("%s is no document", file)
	}
	return item{value: document, row: rowOf(document)}, Found, nil
}

// rowOf returns the row of a document: its name, its seller, its price, its
// address and a few facts.
func rowOf(d map[string]any) []string {
	name := textOf(d["name"])
	if name == "" {
		name = textOf(d["title"])
	}
	seller, _ := d["seller"].(map[string]any)
	price, _ := d["price"].(map[string]any)
	money := strings.TrimSpace(textOf(price["amount"]) + " " + textOf(price["currency"]))
	var facts []string
	attributes, _ := d["attributes"].([]any)
	for _, one := range attributes[:min(len(attributes), 6)] {
		if m, is := one.(map[string]any); is && m["value"] != nil {
			facts = append(facts, strings.TrimSpace(fmt.Sprint(m["name"], " ", m["value"], " ", textOf(m["unit"]))))
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
