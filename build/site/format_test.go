package site

import (
	"encoding/json"
	"testing"

	"souk/build/document"
)

func TestNumbersExceptYearsAreFormattedForTheLanguage(t *testing.T) {
	for language, forms := range map[string]map[json.Number]string{
		"de": {"14.5": "14,5", "1.25": "1,25", "0.05": "0,05", "2026": "2026", "12000": "12.000", "1100.5": "1.100,5", "-5.5": "-5,5", "7": "7"},
		"en": {"14.5": "14.5", "2026": "2026", "12000": "12,000", "1100.5": "1,100.5"},
	} {
		s := newSite(t, market(language, "https://market.example"))
		for number, want := range forms {
			if got := s.format.number(number); got != want {
				t.Errorf("%s writes %s as %q, want %q", language, number, got, want)
			}
		}
	}
}

func TestDaysUseTheAuthorsTimeZone(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for written, want := range map[document.Date]string{
		"2026-05-01T23:30:00-05:00": "1 May 2026", "2026-05-01T00:30:00+09:00": "1 May 2026", "2026-05-01T23:30:00Z": "1 May 2026", "2026-05-01": "1 May 2026", "": "",
	} {
		if got := s.format.date(written); got != want {
			t.Errorf("the day of %s is %s, want %s", written, got, want)
		}
	}
}
