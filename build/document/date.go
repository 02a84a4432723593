package document

import (
	"encoding/json"
	"time"

	"souk/build/catalog"
)

// A Date is a day, or a moment of RFC 3339 with the offset that its author wrote, so that
// pages name the author's day. JSON has moments in UTC.
type Date string

func date(d catalog.Date) Date { return Date(d.Written()) }

// UTC returns the day as it is, and a moment in UTC.
func (d Date) UTC() string {
	t, err := time.Parse(time.RFC3339, string(d))
	if err != nil {
		return string(d)
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// MarshalJSON writes the day, or the moment in UTC.
func (d Date) MarshalJSON() ([]byte, error) { return json.Marshal(d.UTC()) }
