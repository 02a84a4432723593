package document

import (
	"encoding/json"
	"testing"
	"time"

	"souk/build/catalog"
)

func TestADateKeepsItsOffsetAndIsInUTCInJSON(t *testing.T) {
	at := time.Date(2026, 5, 2, 4, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		of            catalog.Date
		written, json string
	}{
		{catalog.Date{Time: at, Offset: -300}, "2026-05-01T23:30:00-05:00", `{"date":"2026-05-02T04:30:00Z"}`},
		{catalog.Date{Time: at.Add(250 * time.Millisecond), Offset: 345}, "2026-05-02T10:15:00.25+05:45", `{"date":"2026-05-02T04:30:00.25Z"}`},
		{catalog.Date{Time: at}, "2026-05-02T04:30:00Z", `{"date":"2026-05-02T04:30:00Z"}`},
		{catalog.Date{Time: at.Truncate(24 * time.Hour), Day: true}, "2026-05-02", `{"date":"2026-05-02"}`},
		{catalog.Date{}, "", `{}`},
	} {
		got := date(c.of)
		data, err := json.Marshal(struct {
			Date Date `json:"date,omitempty"`
		}{got})
		if string(got) != c.written || string(data) != c.json || err != nil {
			t.Errorf("%v is %s, in JSON %s: %v", c.of, got, data, err)
		}
	}
}
