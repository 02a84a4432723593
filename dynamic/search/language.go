package search

import (
	"strings"

	"github.com/blugelabs/bluge/analysis"
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

// A grammar knows which forms of a word are one, and which words say nothing.
type grammar struct {
	filter analysis.TokenFilter
	stop   map[string]bool
}

// grammarOf gives the grammar of a BCP 47 tag. One for which bluge has no
// stemmer gets no stemming and no stop words.
func grammarOf(tag string) *grammar {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	g := &grammar{stop: map[string]bool{}}
	var stop analysis.TokenMap
	switch base {
	case "", "en":
		g.filter, stop = en.StemmerFilter(), en.StopWords()
	case "ckb":
		g.filter, stop = ckb.StemmerFilter(), ckb.StopWords()
	case "da":
		g.filter, stop = da.StemmerFilter(), da.StopWords()
	case "de":
		g.filter, stop = de.StemmerFilter(), de.StopWords()
	case "es":
		g.filter, stop = es.StemmerFilter(), es.StopWords()
	case "fi":
		g.filter, stop = fi.StemmerFilter(), fi.StopWords()
	case "fr":
		g.filter, stop = fr.StemmerFilter(), fr.StopWords()
	case "hi":
		g.filter, stop = hi.StemmerFilter(), hi.StopWords()
	case "hu":
		g.filter, stop = hu.StemmerFilter(), hu.StopWords()
	case "it":
		g.filter, stop = it.StemmerFilter(), it.StopWords()
	case "nl":
		g.filter, stop = nl.StemmerFilter(), nl.StopWords()
	case "no", "nb", "nn":
		g.filter, stop = no.StemmerFilter(), no.StopWords()
	case "pt":
		g.filter, stop = pt.LightStemmerFilter(), pt.StopWords()
	case "ro":
		g.filter, stop = ro.StemmerFilter(), ro.StopWords()
	case "ru":
		g.filter, stop = ru.StemmerFilter(), ru.StopWords()
	case "sv":
		g.filter, stop = sv.StemmerFilter(), sv.StopWords()
	case "tr":
		g.filter, stop = tr.StemmerFilter(), tr.StopWords()
	}
	for word := range stop {
		g.stop[fold(word)] = true
	}
	return g
}

// stem gives what the forms of a folded word have in common. Words with digits
// have none but a plural, as container2wasms; k8s is not one.
func (g *grammar) stem(word string) string {
	if g.filter == nil || len(word) < 3 {
		return word
	}
	if hasDigit(word) {
		if n := len(word); word[n-1] == 's' && word[n-2] >= 'a' && word[n-2] <= 'z' {
			return word[:n-1]
		}
		return word
	}
	out := g.filter.Filter(analysis.TokenStream{&analysis.Token{Term: []byte(word)}})
	if len(out) != 1 || len(out[0].Term) == 0 {
		return word
	}
	return string(out[0].Term)
}
