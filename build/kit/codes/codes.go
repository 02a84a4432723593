package codes

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"
)

// Country reports whether ISO 3166-1 currently assigns a code of two capital letters to a
// country, or the code is XK, which CLDR and the European Union use for Kosovo.
func Country(code string) bool { return countries()[code] }

// CountryMeant returns the code that was probably meant by an invalid one, such as a name
// in one of the languages of the site's texts, or "".
func CountryMeant(code string) string {
	upper := strings.ToUpper(code)
	switch named := countryNames()[folded(code)]; {
	case named != "":
		return named
	case upper == "UK":
		return "GB"
	case len(upper) == 3: // three-letter codes are in ISO 3166-1 too
		region, err := language.ParseRegion(upper)
		if upper = region.String(); err != nil {
			return ""
		}
	}
	if !Country(upper) {
		return ""
	}
	return upper
}

// countryNames maps the folded names of countries to their codes.
var countryNames = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, in := range []string{"nl", "it", "es", "fr", "de", "en"} { // later languages take precedence
		names := display.Regions(language.Make(in))
		for code := range countries() {
			all[folded(names.Name(language.MustParseRegion(code)))] = code
		}
	}
	for line := range strings.Lines(otherNames) {
		code, names, _ := strings.Cut(strings.TrimSpace(line), " ")
		for name := range strings.SplitSeq(names, ", ") {
			all[folded(name)] = code
		}
	}
	return all
})

// otherNames are common names of countries that CLDR does not have.
//
//go:embed names.txt
var otherNames string

// folded returns a name of a country as it is compared: only its letters, in lower case and
// without accents.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(name))
}

// Currency reports whether a code of three capital letters is in ISO 4217, list one.
func Currency(code string) bool { return currencies()[code] }

// CurrencyMeant returns the code that was probably meant by an invalid one, or "".
func CurrencyMeant(code string) string {
	if upper := strings.ToUpper(code); Currency(upper) {
		return upper
	}
	return ""
}

// Language reports whether a text is a BCP 47 tag that names a language.
func Language(tag string) bool {
	parsed, err := language.Parse(tag)
	return err == nil && parsed != language.Und && !strings.Contains(tag, "_")
}

// LanguageMeant returns the tag that was probably meant by an invalid one, or "".
func LanguageMeant(tag string) string {
	if dashed := strings.ReplaceAll(tag, "_", "-"); Language(dashed) {
		return dashed
	}
	return ""
}

// countries are the officially assigned codes of ISO 3166-1 alpha-2, and XK.
var countries = sync.OnceValue(func() map[string]bool { return setOf(countryCodes) })

//go:embed countries.txt
var countryCodes string

// currencies are the codes of ISO 4217, list one, without withdrawn ones.
var currencies = sync.OnceValue(func() map[string]bool { return setOf(currencyCodes) })

//go:embed currencies.txt
var currencyCodes string

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
