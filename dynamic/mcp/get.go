package mcp

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"souk/dynamic/search"
)

// What documents may take of an answer: at least this much each, so that the
// others are left to the next call, and brief ones no more than that.
const (
	leastWhole = 4_000
	leastBrief = 750
	mostBrief  = 3_000
)

// get answers the tool get.
func get(ctx context.Context, m Market, a arguments) (*answer, error) {
	begin, err := a.offset()
	if err != nil {
		return nil, err
	}
	refs := a.lists["refs"]
	if begin >= len(refs) {
		return nil, invalid("next", search.CodeInvalid, "%d is past the %d refs: send the same refs as before", begin, len(refs))
	}
	n := len(refs) - begin
	levels, most := briefLevels, max(min((budget-ends)/n-250, mostBrief), leastBrief)
	if a.full() {
		levels, most = wholeLevels, max((budget-ends)/n-500, leastWhole)
	}
	got := &answer{Total: len(refs)}
	counts := map[State]int{}
	for i := begin; i < len(refs); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one, state, err := read(ctx, m, refs[i])
		if err != nil {
			return nil, err
		}
		counts[state]++
		if state == Found {
			document := one.value
			if !a.full() {
				document = brief(document)
			}
			document, one.cut = fitted(document, levels, most)
			one.value = opened(refs[i], one.value, document)
		}
		one.at = strconv.Itoa(i)
		got.Items = append(got.Items, one)
	}
	got.Lead = fmt.Sprintf("%d found, %d removed, %d unknown: name, seller, price, address, facts.", counts[Found], counts[Removed], counts[Unknown])
	return got, nil
}

// opened returns the envelope of a document; that of a brief one has its kind
// and addresses alone.
func opened(ref string, whole, document map[string]any) map[string]any {
	value := map[string]any{"ref": short(clean(ref), 300), "status": Found, "document": document}
	for _, name := range []string{"kind", "url", "apiUrl"} {
		if whole[name] != nil {
			value[name] = whole[name]
		}
	}
	return value
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
