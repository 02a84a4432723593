package search

import (
	"strings"
	"sync"

	"souk/build/document"
	"souk/build/fold"
	"souk/build/index/text"
)

// nationalities are the adjectives of countries, by language: with whoever trades behind
// them, as in Italian companies, they name a country. Those in German have endings.
var nationalities = map[string]string{
	"AT": "austrian|österreichisch", "AU": "australian|australisch", "BE": "belgian|belgisch", "BG": "bulgarian|bulgarisch", "BR": "brazilian|brasilianisch",
	"CA": "canadian|kanadisch", "CH": "swiss|schweizer|schweizerisch", "CN": "chinese|chinesisch", "CZ": "czech|tschechisch", "DE": "german|deutsch",
	"DK": "danish|dänisch", "EE": "estonian|estnisch", "ES": "spanish|spanisch", "FI": "finnish|finnisch", "FR": "french|französisch",
	"GB": "british|britisch", "GR": "greek|griechisch", "HR": "croatian|kroatisch", "HU": "hungarian|ungarisch", "IE": "irish|irisch",
	"IL": "israeli|israelisch", "IN": "indian|indisch", "IT": "italian|italienisch", "JP": "japanese|japanisch", "KR": "korean|koreanisch",
	"LT": "lithuanian|litauisch", "LU": "luxembourgish|luxemburgisch", "LV": "latvian|lettisch", "MX": "mexican|mexikanisch", "NL": "dutch|niederländisch|holländisch",
	"NO": "norwegian|norwegisch", "PL": "polish|polnisch", "PT": "portuguese|portugiesisch", "RO": "romanian|rumänisch", "SE": "swedish|schwedisch",
	"SG": "singaporean|singapurisch", "SI": "slovenian|slowenisch", "SK": "slovak|slowakisch", "TR": "turkish|türkisch", "TW": "taiwanese|taiwanisch",
	"UA": "ukrainian|ukrainisch", "US": "american|amerikanisch",
}

var nations = sync.OnceValue(func() map[string]string {
	codes := map[string]string{}
	for code, words := range nationalities {
		for word := range strings.SplitSeq(words, "|") {
			endings := []string{""}
			if strings.HasSuffix(word, "sch") {
				endings = []string{"", "e", "en", "er", "es"}
			}
			for _, ending := range endings {
				for _, spelling := range [...]string{word + ending, text.Digraphs(word + ending)} {
					if spelling != "" {
						codes[fold.Text(spelling)] = code
					}
				}
			}
		}
	}
	return codes
})

// nation understands the country that those who trade are of, as in German manufacturers; and
// that what is from one is preferred, as in a Swiss robot or bike repair Germany, where no
// listing that may be shown has the word; a country alone is a filter. What is not written as a name is a polish, or us.
func (r *reading) nation(i int) (next int, err error) {
	word := &r.pieces[i]
	code, end := nations()[word.folded], i+2
	named := code == ""
	if named {
		code = r.countries[r.compact(i, i+1)]
	}
	if code == "" || word.raw == "polish" || word.raw == "us" || !r.sells(code) {
		return i, nil
	}
	if end <= len(r.pieces) && !r.pieces[i+1].ended {
		// Not a manual in German please.
		if behind := r.pieces[i+1].folded; r.index.language.AsksBehind(behind) && !text.Asks(behind) {
			if r.kinds[behind] != "" {
				end-- // which is understood by itself
			}
			return r.inCountries(r.denied(i), i, end, code), nil
		}
	}
	held, err := r.index.inflected(r.ctx, word.folded, typedForms)
	if err != nil || r.visible.shows(r.index, held) || r.denied(i) < i {
		return i, err
	}
	if named && !r.asksFor(r.typed[:word.from]+" "+r.typed[word.to:]) {
		r.filter(i, i+1, document.FilterCountry, "", code)
		return i + 1, nil
	}
	there := []serving{{document.FilterCountry, r.index.facets.list[atCountry].at[code]}}
	if regions := r.index.servedIn([]string{code}, r.visible); len(regions) > 0 && r.wantsService() {
		there = regions
	}
	r.served = append(r.served, there...)
	r.tell(i, i+1, Interpretation{As: document.AsPreferred, To: []string{code}})
	return i + 1, nil
}
