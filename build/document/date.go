package document

import (
	"encoding/json"
	"time"

	"souk/build/catalog"
)

// A Date is a day, or an RFC 3339 time with its author's offset, so that pages show the
// author's day. JSON contains times in UTC.
type Date string

func date(d catalog.Date) Date { return Date(d.Written()) }

// UTC returns a day unchanged, and a time in UTC.
func (d Date) UTC() string {
	t, err := time.Parse(time.RFC3339, string(d))
	if err != nil {
		return string(d)
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// MarshalJSON writes the day, or the time in UTC.
func (d Date) MarshalJSON() ([]byte, error) { return json.Marshal(d.UTC()) }
