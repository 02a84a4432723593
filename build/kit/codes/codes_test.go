package codes

import "testing"

func TestOnlyAssignedCodesAreValid(t *testing.T) {
	for _, one := range []struct {
		what  string
		is    func(string) bool
		meant func(string) string
		codes map[string]string
	}{
		{"country", Country, CountryMeant, map[string]string{
			"UK": "GB", "gb": "GB", "USA": "US", "deu": "DE", "SU": "", "YU": "", "DD": "", "AN": "", "BU": "", "xk": "XK", "UN": "", "AC": "", "TA": "", "": "", "EUR": "", "Germany": "DE", "Netherlands": "NL", "the netherlands": "NL", "Niederlande": "NL", "Pays-Bas": "NL", "Países Bajos": "NL", "Paesi Bassi": "NL", "Nederland": "NL",
			"Österreich": "AT", "CÔTE D’IVOIRE": "CI", "Cote d'Ivoire": "CI", "Kosovo": "XK", "United States of America": "US", "U.S.A.": "US", "Great Britain": "GB", "South Korea": "KR", "Turkiye": "TR", "Hong Kong": "HK",
			"Atlantis": "", "Europe": "", "Georgia": "GE", "Jersey": "JE", "Chile": "CL", "Cile": "CL",
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
	if !Country("DE") || !Country("XK") || !Country("GB") || !Currency("EUR") || !Language("de-CH") || !Language("EN") {
		t.Error("what is assigned is none")
	}
}
