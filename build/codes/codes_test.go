package codes

import "testing"

func TestACodeIsOneThatIsAssignedNow(t *testing.T) {
	for _, one := range []struct {
		what  string
		is    func(string) bool
		meant func(string) string
		codes map[string]string
	}{
		{"country", Country, CountryMeant, map[string]string{
			"UK": "GB", "gb": "GB", "USA": "US", "deu": "DE", "SU": "", "YU": "", "DD": "", "AN": "", "BU": "", "XK": "", "UN": "", "AC": "", "TA": "", "": "", "EUR": "", "Germany": "",
		}},
		{"currency", Currency, CurrencyMeant, map[string]string{"eur": "EUR", "DEM": "", "ITL": "", "€": "", "": ""}},
		{"language", Language, LanguageMeant, map[string]string{"en_GB": "en-GB", "und": "", "english-": "", "": ""}},
	} {
		for code, meant := range one.codes {
			if one.is(code) || one.meant(code) != meant {
				t.Errorf("%q is a %s: %t, and %q is meant, want %q", code, one.what, one.is(code), one.meant(code), meant)
			}
		}
	}
	if !Country("DE") || !Country("GB") || !Currency("EUR") || !Language("de-CH") || !Language("EN") {
		t.Error("what is assigned is none")
	}
}
