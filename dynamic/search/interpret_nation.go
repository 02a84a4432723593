package search

import (
	"context"
	"souk/build/document"
	"souk/build/fold"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
	"strings"
	"sync"
)

// nationalities are the adjectives of countries, by country, in all languages that have
// patterns: with whoever trades behind them, as in Italian companies, they name one. Those in
// German have endings.
var nationalities = map[string]string{
	"AT": "austrian|österreichisch|autrichien|autrichienne|autrichiens|autrichiennes|austriaco|austriaca|austriacos|austriacas|austriaci|austriache|oostenrijks|oostenrijkse", "AU": "australian|australisch", "BE": "belgian|belgisch|belge|belges|belga|belgas|belgi|belghe|belgisch|belgische", "BG": "bulgarian|bulgarisch", "BR": "brazilian|brasilianisch",
	"CA": "canadian|kanadisch", "CH": "swiss|schweizer|schweizerisch|suisse|suisses|suizo|suizos|suizas|svizzero|svizzera|svizzeri|svizzere|zwitsers|zwitserse", "CN": "chinese|chinesisch|chinois|chinoise|chinoises|cinese|cinesi|chinees|chinese", "CZ": "czech|tschechisch", "DE": "german|deutsch|allemand|allemande|allemands|allemandes|alemán|alemana|alemanes|alemanas|tedesco|tedesca|tedeschi|tedesche|duits|duitse",
	"DK": "danish|dänisch|danois|danoise|danoises|danés|danesa|daneses|danesas|danese|danesi|deens|deense", "EE": "estonian|estnisch", "ES": "spanish|spanisch|espagnol|espagnole|espagnols|espagnoles|español|española|españoles|españolas|spagnolo|spagnola|spagnoli|spagnole|spaans|spaanse", "FI": "finnish|finnisch|finlandais|finlandaise|finlandaises|finlandés|finlandesa|finlandeses|finlandese|finlandesi", "FR": "french|französisch|français|française|françaises|francés|francesa|franceses|francesas|francese|francesi|frans|franse",
	"GB": "british|britisch|britannique|britanniques|británico|británica|británicos|británicas|britannico|britannica|britannici|brits|britse", "GR": "greek|griechisch", "HR": "croatian|kroatisch", "HU": "hungarian|ungarisch", "IE": "irish|irisch|irlandais|irlandaise|irlandaises|irlandés|irlandesa|irlandeses|irlandese|irlandesi|iers|ierse",
	"IL": "israeli|israelisch", "IN": "indian|indisch", "IT": "italian|italienisch|italien|italienne|italiens|italiennes|italiano|italiana|italianos|italianas|italiani|italiane|italiaans|italiaanse", "JP": "japanese|japanisch|japonais|japonaise|japonaises|japonés|japonesa|japoneses|giapponese|giapponesi|japans|japanse", "KR": "korean|koreanisch",
	"LT": "lithuanian|litauisch", "LU": "luxembourgish|luxemburgisch", "LV": "latvian|lettisch", "MX": "mexican|mexikanisch", "NL": "dutch|niederländisch|holländisch|néerlandais|néerlandaise|néerlandaises|hollandais|hollandaise|holandés|holandesa|holandeses|olandese|olandesi|neerlandés|neerlandesa|nederlands|nederlandse",
	"NO": "norwegian|norwegisch|norvégien|norvégienne|norvégiens|norvégiennes|noruego|noruegos|noruegas|norvegese|norvegesi|noors|noorse", "PL": "polish|polnisch|polonais|polonaise|polonaises|polaco|polaca|polacos|polacas|polacco|polacca|polacchi", "PT": "portuguese|portugiesisch|portugais|portugaise|portugaises|portugués|portuguesa|portugueses|portoghese|portoghesi|portugees|portugese", "RO": "romanian|rumänisch", "SE": "swedish|schwedisch|suédois|suédoise|suédoises|sueco|sueca|suecos|suecas|svedese|svedesi|zweeds|zweedse",
	"SG": "singaporean|singapurisch", "SI": "slovenian|slowenisch", "SK": "slovak|slowakisch", "TR": "turkish|türkisch", "TW": "taiwanese|taiwanisch",
	"UA": "ukrainian|ukrainisch", "US": "american|amerikanisch|américain|américaine|américains|américaines|estadounidense|estadounidenses|amerikaans|amerikaanse",
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
// listing that may be shown has the word, or all words of a name side by side; a country alone is a
// filter, whatever has the word. Something in German is in a language. What is not written as a name
// is a polish, or us.
func (r *reading) nation(i int) (next int, err error) {
	word := &r.pieces[i]
	if _, money := r.moneyAt(i); money > i+1 {
		return i, nil // Swiss francs, US$
	}
	code, end := nations()[word.Folded], i+1
	if r.inTongue(i) && (code != "" || len(r.speakers(i)) > 0) {
		return r.tongue(i)
	}
	named := false
	if by, to := r.countryFrom(i); code == "" || to > end { // Czech Republic
		code, end, named = by, to, true
	}
	if code == "" || end == i+1 && (word.Raw == "polish" || word.Raw == "us") || !r.sells(code) {
		return i, nil
	}
	if end < len(r.pieces) && !r.pieces[end].Ended {
		// Not a manual, German please.
		if behind := r.pieces[end].Folded; r.index.Language.AsksBehind(behind) && !text.Asks(behind) {
			if r.Kinds[behind] == "" { // which is understood by itself
				end++
			}
			return r.inCountries(r.denied(i), i, end, code), nil
		}
	}
	if r.denied(i) < i {
		return i, nil
	}
	if codes, last := r.countriesFrom(code, end); named && !r.asksFor(r.typed[:word.From]+" "+r.typed[r.pieces[last-1].To:]) {
		r.filter(i, last, document.FilterCountry, "", codes...)
		return last, nil
	}
	held, err := r.index.says(r.ctx, match.WordsOf(r.typed[word.From:r.pieces[end-1].To]), r.visible)
	if err != nil || held {
		return i, err
	}
	there := []engine.Serving{{Filter: document.FilterCountry, ID: r.index.facets.List[facet.AtCountry].At[code]}}
	if regions := r.index.servedIn([]string{code}, r.visible); len(regions) > 0 && r.wantsService() {
		there = regions
	}
	r.Served = append(r.Served, there...)
	r.tell(i, end, Interpretation{As: document.AsPreferred, To: []string{code}})
	return end, nil
}

// says reports whether a listing that may be shown has a word, in any form, or words side by side.
func (x *Index) says(ctx context.Context, phrase []string, v *corpus.Visibility) (bool, error) {
	p, err := x.Phrase(ctx, phrase, match.TypedForms)
	if err != nil || p == nil || len(phrase) == 1 {
		return p != nil && v.Shows(p.Docs), err
	}
	read := 0
	for _, doc := range p.Docs {
		if v.Hides(x.Corpus.SellerOf[doc]) {
			continue
		}
		if read++; read > match.MaxApart {
			return true, ctx.Err() // words that so many have are words
		}
		if x.SideBySide(doc, phrase...) {
			return true, nil
		}
	}
	return false, ctx.Err()
}
