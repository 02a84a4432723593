package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// AppendJSON appends a value as JSON, with the keys of maps in alphabetical order.
func AppendJSON(b []byte, v Value) []byte {
	switch v := v.(type) {
	case Map:
		b = append(b, '{')
		for i, p := range slices.SortedFunc(slices.Values(v), func(a, b Pair) int { return strings.Compare(a.Key, b.Key) }) {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendJSON(append(appendText(b, p.Key), ':'), p.Value)
		}
		return append(b, '}')
	case List:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendJSON(b, item)
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
	if !json.Valid(data) {
		return nil, errors.New("it is not JSON")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return next(d), nil
}

// next returns the next value of a decoder that reads valid JSON.
func next(d *json.Decoder) Value {
	token, _ := d.Token()
	switch token := token.(type) {
	case json.Number:
		return Raw(token)
	case bool:
		return Raw(strconv.FormatBool(token))
	case string:
		return token
	case json.Delim:
		list, m := List{}, Map{}
		for d.More() {
			if token == '[' {
				list = append(list, next(d))
				continue
			}
			key, _ := d.Token()
			m = append(m, Pair{key.(string), next(d)})
		}
		_, _ = d.Token() // the end of the list or map
		if token == '[' {
			return list
		}
		return m
	}
	return nil
}
