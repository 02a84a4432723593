package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A level limits a document: the number of entries in each list and of characters in each
// text.
type level struct{ items, text int }

const all = 1 << 30

var (
	wholeLevels = []level{{all, all}, {100, 8000}, {50, 4000}, {25, 2000}, {12, 1000}, {8, 500}, {4, 250}, {2, 120}}
	briefLevels = []level{{12, 300}, {8, 240}, {5, 160}, {3, 100}, {1, 80}}
)

// notBrief lists the fields that are left out of a brief document: pictures, actions on a
// page, and lists that have tools of their own.
var notBrief = []string{
	"actions", "media", "descriptionMedia", "logo", "image", "slug", "companySlug", "listings", "sellers", "countries", "priceRanges",
	"related", "links",
}

// asAny converts a public type to JSON values.
func asAny(value any) any {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil // encoding a public type cannot fail
	}
	return decoded(encoded)
}

func asMap(value any) map[string]any {
	m, _ := asAny(value).(map[string]any)
	return m
}

func decoded(body []byte) any {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return nil
	}
	return value
}

// brief returns a document without rarely needed fields, and with its Links reduced to name
// and address.
func brief(m map[string]any) map[string]any {
	b := make(map[string]any, len(m))
	for name, value := range m {
		if !slices.Contains(notBrief, name) {
			b[name] = briefValue(value)
		}
	}
	return b
}

func briefValue(value any) any {
	switch v := value.(type) {
	case []any:
		if len(v) == 0 {
			return nil
		}
		list := make([]any, len(v))
		for i := range v {
			list[i] = briefValue(v[i])
		}
		return list
	case map[string]any:
		if v["apiUrl"] == nil || v["url"] == nil {
			return dropEmpty(v)
		}
		l := map[string]any{}
		for _, name := range []string{"kind", "name", "title", "url", "listingCount", "note"} {
			if v[name] != nil {
				l[name] = v[name]
			}
		}
		if p := v["price"]; p != nil {
			l["price"] = p
		}
		return l
	}
	return value
}

func dropEmpty(m map[string]any) map[string]any {
	b := map[string]any{}
	for name, value := range m {
		if v := briefValue(value); v != nil {
			b[name] = v
		}
	}
	return b
}

// fitted returns the document cut by the first level at which its JSON has at most most
// bytes, and reports whether anything was cut. If no level is enough, only the fields that
// identify it remain.
func fitted(m map[string]any, levels []level, most int) (map[string]any, bool) {
	for _, l := range levels {
		c := cutter{level: l}
		value := c.value(m)
		if encoded, err := json.Marshal(value); err == nil && len(encoded) <= most {
			return value.(map[string]any), c.cut
		}
	}
	short := map[string]any{}
	c := cutter{level: level{1, 80}}
	for _, name := range []string{"kind", "name", "title", "summary", "price", "url", "apiUrl"} {
		if m[name] != nil {
			short[name] = c.value(m[name])
		}
	}
	return short, true
}

type cutter struct {
	level
	cut bool
}

func (c *cutter) value(value any) any {
	switch v := value.(type) {
	case string:
		if isAddress(v) || c.text == all {
			return clean(v)
		}
		// Read twice as much, since clean may remove some.
		read := head(v, 2*c.text)
		cleaned := clean(read)
		now := short(cleaned, c.text)
		c.cut = c.cut || len(read) < len(v) || now != cleaned
		return now
	case []any:
		c.cut = c.cut || len(v) > c.items
		list := make([]any, 0, min(len(v), c.items))
		for _, one := range v[:min(len(v), c.items)] {
			list = append(list, c.value(one))
		}
		return list
	case map[string]any:
		m := make(map[string]any, len(v))
		for name, one := range v {
			if one != nil {
				m[name] = c.value(one)
			}
		}
		return m
	}
	return value
}

// isAddress reports whether a text is a URL of ordinary length. Half a URL would be
// useless, so it is never cut.
func isAddress(text string) bool {
	return len(text) < 400 && (len(text) > 7 && text[:7] == "http://" || len(text) > 8 && text[:8] == "https://") && !bytes.ContainsAny([]byte(text), " \n\t")
}
