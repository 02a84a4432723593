package searchapi

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"souk/build/document"
)

// appendValue appends a value as JSON, without HTML escapes.
func appendValue(b []byte, value any) ([]byte, error) {
	w := bytes.NewBuffer(b)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(w.Bytes(), []byte("\n")), err
}

// appendResult appends a SearchResult exactly as encoding/json would. It encodes the
// filters' values, of which there may be thousands, without reflection; a test compares the
// two.
func appendResult(b []byte, r *document.SearchResult) ([]byte, error) {
	rest := *r
	rest.Filters = nil
	text, err := appendValue(nil, rest)
	if err != nil {
		return nil, err
	}
	const mark = `"filters":`
	at := bytes.Index(text, []byte(mark+"null,"))
	b = append(b, text[:at+len(mark)]...)
	b = append(b, '[')
	for i := range r.Filters {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendFilter(b, &r.Filters[i]); err != nil {
			return nil, err
		}
	}
	b = append(b, ']')
	return append(b, text[at+len(mark)+len("null"):]...), nil
}

// appendFilter appends a filter, with its values in place of an empty list.
func appendFilter(b []byte, f *document.SearchFilter) ([]byte, error) {
	rest := *f
	rest.Values = []document.SearchFilterValue{}
	text, err := appendValue(nil, rest)
	if err != nil {
		return nil, err
	}
	const mark = `"values":[`
	at := bytes.Index(text, []byte(mark))
	b = append(b, text[:at+len(mark)]...)
	for i, v := range f.Values {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendFilterValue(b, v)
	}
	return append(b, text[at+len(mark):]...), nil
}

func appendFilterValue(b []byte, v document.SearchFilterValue) []byte {
	b = appendString(append(b, `{"value":`...), v.Value)
	b = appendString(append(b, `,"label":`...), v.Label)
	b = strconv.AppendInt(append(b, `,"count":`...), int64(v.Count), 10)
	b = strconv.AppendBool(append(b, `,"selected":`...), v.Selected)
	return append(b, '}')
}

// appendString appends text as JSON. Plain text, the usual case, is copied.
func appendString(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, err := appendValue(nil, text)
			if err != nil {
				return append(b, `""`...) // encoding text cannot fail
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}
