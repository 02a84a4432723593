package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// AppendJSON appends a value as JSON. With sorted the keys of maps are in order.
func AppendJSON(b []byte, v Value, sorted bool) []byte {
	switch v := v.(type) {
	case Map:
		if sorted {
			v = slices.SortedFunc(slices.Values(v), func(a, b Pair) int { return strings.Compare(a.Key, b.Key) })
		}
		b = append(b, '{')
		for i, p := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, p.Key), ':')
			b = AppendJSON(b, p.Value, sorted)
		}
		return append(b, '}')
	case List:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendJSON(b, item, sorted)
		}
		return append(b, ']')
	case Raw:
		if json.Valid([]byte(v)) {
			return append(b, v...)
		}
		return appendText(b, string(v))
	case string:
		return appendText(b, v)
	}
	return append(b, "null"...)
}

func appendText(b []byte, text string) []byte {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r > '~' }) {
		return append(append(append(b, '"'), text...), '"')
	}
	out := bytes.NewBuffer(b)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can be written
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// FromJSON reads a value. Maps keep the order of their keys, and numbers their digits.
func FromJSON(data []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return fromJSON(d, 0)
}

// maxDepth bounds how deep lists and maps may be within one another.
const maxDepth = 100

func fromJSON(d *json.Decoder, depth int) (Value, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, errors.New("the JSON is too deep")
	}
	switch token := token.(type) {
	case json.Number:
		return Raw(token), nil
	case bool:
		if token {
			return Raw("true"), nil
		}
		return Raw("false"), nil
	case string:
		return token, nil
	case json.Delim:
		list, m := List{}, Map{}
		for d.More() {
			if token == '{' {
				key, err := d.Token()
				if err != nil {
					return nil, err
				}
				m = append(m, Pair{Key: key.(string)})
			}
			value, err := fromJSON(d, depth+1)
			if err != nil {
				return nil, err
			}
			if token == '{' {
				m[len(m)-1].Value = value
			} else {
				list = append(list, value)
			}
		}
		if _, err := d.Token(); err != nil {
			return nil, err
		}
		if token == '{' {
			return m, nil
		}
		return list, nil
	}
	return nil, nil
}
