package codes

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"
)

// Country reports whether ISO 3166-1 assigns a code of two capital letters to a country now,
// or it is XK, which CLDR and the European Union use for Kosovo.
func Country(code string) bool { return countries()[code] }

// CountryMeant returns the code that was probably meant by what is none, as a name in one of
// the languages of the site's texts, or "".
func CountryMeant(code string) string {
	upper := strings.ToUpper(code)
	switch named := countryNames()[folded(code)]; {
	case named != "":
		return named
	case upper == "UK":
		return "GB"
	case len(upper) == 3: // of ISO 3166-1 too
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

// countryNames has the codes of countries by their folded names.
var countryNames = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, in := range []string{"nl", "it", "es", "fr", "de", "en"} { // the last has its way
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

// otherNames are what people call countries beside their names in CLDR.
const otherNames = `AE UAE, Emirates
CD Congo-Kinshasa, DR Congo, Democratic Republic of the Congo
CG Congo, Congo-Brazzaville, Republic of the Congo
CI Ivory Coast
CV Cape Verde
CZ Czech Republic, Tschechische Republik
GB Great Britain, Britain, England, Scotland, Wales, Northern Ireland, Großbritannien, Grande-Bretagne, Gran Bretaña, Gran Bretagna, Groot-Brittannië
HK Hong Kong
KP North Korea
KR South Korea, Korea, Republic of Korea
LA Laos
MK Macedonia, FYROM
MM Burma
MO Macau, Macao
NL Holland, The Netherlands
PS Palestine
RU Russian Federation
SZ Swaziland
TL East Timor
TR Turkey, Türkiye
TW Taiwan
US United States of America, U.S.A., U.S., America, Estados Unidos de América
VA Vatican, Holy See
VN Viet Nam`

// folded is a name as names of countries are compared: its letters alone, in lower case and
// without accents.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(name))
}

// Currency reports whether a code of three capital letters is in list one of ISO 4217.
func Currency(code string) bool { return currencies()[code] }

// CurrencyMeant returns the code that was probably meant by what is none, or "".
func CurrencyMeant(code string) string {
	if upper := strings.ToUpper(code); Currency(upper) {
		return upper
	}
	return ""
}

// Language reports whether a text is a tag of BCP 47 that names a language.
func Language(tag string) bool {
	parsed, err := language.Parse(tag)
	return err == nil && parsed != language.Und && !strings.Contains(tag, "_")
}

// LanguageMeant returns the tag that was probably meant by what is none, or "".
func LanguageMeant(tag string) string {
	if dashed := strings.ReplaceAll(tag, "_", "-"); Language(dashed) {
		return dashed
	}
	return ""
}

// countries holds the officially assigned codes of ISO 3166-1 alpha-2, and XK.
var countries = sync.OnceValue(func() map[string]bool {
	return setOf(`
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`)
})

// currencies holds the codes of ISO 4217, list one; withdrawn codes are not in
// it.
var currencies = sync.OnceValue(func() map[string]bool {
	return setOf(`
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL
HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA
MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD
RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX
YER ZAR ZMW ZWG`)
})

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
