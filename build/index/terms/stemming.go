package terms

import (
	"maps"
	"slices"
	"strings"

	"github.com/blugelabs/bluge/analysis"
	"github.com/blugelabs/bluge/analysis/lang/ar"
	"github.com/blugelabs/bluge/analysis/lang/ckb"
	"github.com/blugelabs/bluge/analysis/lang/da"
	"github.com/blugelabs/bluge/analysis/lang/de"
	"github.com/blugelabs/bluge/analysis/lang/en"
	"github.com/blugelabs/bluge/analysis/lang/es"
	"github.com/blugelabs/bluge/analysis/lang/fi"
	"github.com/blugelabs/bluge/analysis/lang/fr"
	"github.com/blugelabs/bluge/analysis/lang/hi"
	"github.com/blugelabs/bluge/analysis/lang/hu"
	"github.com/blugelabs/bluge/analysis/lang/it"
	"github.com/blugelabs/bluge/analysis/lang/nl"
	"github.com/blugelabs/bluge/analysis/lang/no"
	"github.com/blugelabs/bluge/analysis/lang/pt"
	"github.com/blugelabs/bluge/analysis/lang/ro"
	"github.com/blugelabs/bluge/analysis/lang/ru"
	"github.com/blugelabs/bluge/analysis/lang/sv"
	"github.com/blugelabs/bluge/analysis/lang/tr"
)

// Stemming returns the stemmer and the stop words for a BCP 47 tag, or neither if bluge does
// not know the language. An empty tag is English. The stemmer takes a folded word and is safe
// for concurrent use.
func Stemming(tag string) (stem func(word string) string, stopWords []string) {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	var filter analysis.TokenFilter
	var stop analysis.TokenMap
	switch base {
	case "", "en":
		filter, stop = en.StemmerFilter(), en.StopWords()
	case "ar":
		filter, stop = ar.StemmerFilter(), ar.StopWords()
	case "ckb":
		filter, stop = ckb.StemmerFilter(), ckb.StopWords()
	case "da":
		filter, stop = da.StemmerFilter(), da.StopWords()
	case "de":
		filter, stop = de.StemmerFilter(), de.StopWords()
	case "es":
		filter, stop = es.StemmerFilter(), es.StopWords()
	case "fi":
		filter, stop = fi.StemmerFilter(), fi.StopWords()
	case "fr":
		filter, stop = fr.StemmerFilter(), fr.StopWords()
	case "hi":
		filter, stop = hi.StemmerFilter(), hi.StopWords()
	case "hu":
		filter, stop = hu.StemmerFilter(), hu.StopWords()
	case "it":
		filter, stop = it.StemmerFilter(), it.StopWords()
	case "nl":
		filter, stop = nl.StemmerFilter(), nl.StopWords()
	case "no", "nb", "nn":
		filter, stop = no.StemmerFilter(), no.StopWords()
	case "pt":
		filter, stop = pt.LightStemmerFilter(), pt.StopWords()
	case "ro":
		filter, stop = ro.StemmerFilter(), ro.StopWords()
	case "ru":
		filter, stop = ru.StemmerFilter(), ru.StopWords()
	case "sv":
		filter, stop = sv.StemmerFilter(), sv.StopWords()
	case "tr":
		filter, stop = tr.StemmerFilter(), tr.StopWords()
	}
	if filter == nil {
		return nil, nil
	}
	stem = func(word string) string {
		out := filter.Filter(analysis.TokenStream{&analysis.Token{Term: []byte(word)}})
		if len(out) != 1 || len(out[0].Term) == 0 {
			return word
		}
		return string(out[0].Term)
	}
	return stem, slices.Collect(maps.Keys(stop))
}
