package search

import (
	"slices"
	"testing"
)

func TestWordsMatchInAllFormsOfTheirScript(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, test := range []struct {
			language, listing, query string
		}{
			{"ar", "أدوات الطباعة", "ادوات"},
			{"ar", "مكتبة إلكترونية", "مكتبه"},
			{"ar", "الروبوت الصناعي", "روبوت"},
			{"ar", "روبوت", "الروبوت"},
			{"ar", "مستشفى", "مستشفي"},
			{"ar", "مضخة ٢٠ لتر", "20"},
			{"fa", "پمپ ۲۰ لیتر", "20"},
			{"ja", "カメラ", "かめら"},
			{"ja", "ひらがな", "ヒラガナ"},
		} {
			x := openMemory(t, extract(market(test.language, test.listing, "Other: thing")), nil)
			if got := names(t, x, test.query); !slices.Equal(got, []string{test.listing}) {
				t.Errorf("%s: %q finds %q, want %q", test.language, test.query, got, test.listing)
			}
		}
	})
}
