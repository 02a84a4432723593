package search

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index/text"
	"souk/build/kit/codes"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/question"
)

// A vocabulary contains the names that texts in a market may use, by compact name, and the
// phrases of its language.
type vocabulary struct {
	*question.Table
	// countries map to ISO 3166-1 codes.
	countries map[string]string
	// cities maps cities and regions of headquarters to their sellers. regions are the names
	// of regions in which services are offered.
	cities  map[string][]int32
	regions map[string]bool
	// languages map to the values of the facet of sellers' languages.
	languages map[string][]uint32
}

// newVocabulary collects the names. The names of countries are reused from the previous index
// if it is in the same language.
func newVocabulary(c *corpus.Corpus, f *facet.Facets, previous *Index) *vocabulary {
	p := &vocabulary{Table: question.NewTable(c.Language), cities: map[string][]int32{}, regions: map[string]bool{}, languages: map[string][]uint32{}}
	own, err := language.Parse(c.Language)
	if err != nil {
		own = language.English
	}
	p.nameLanguages(f, display.Languages(own), display.Languages(language.English))
	if previous != nil && previous.Corpus.Language == c.Language {
		p.countries = previous.vocabulary.countries
	} else {
		p.countries = map[string]string{}
		p.nameCountries(display.Regions(own), display.Regions(language.English))
	}
	c.EachSeller(func(at int32, item *catalog.Seller) {
		if h := item.Headquarters; h != nil {
			for _, key := range append(text.Compacts(h.City), text.Compacts(h.Region)...) {
				there, known := p.cities[key]
				if !known {
					key = strings.Clone(key) // it may be in a part's memory
				}
				if n := len(there); n == 0 || there[n-1] != at {
					p.cities[key] = append(there, at)
				}
			}
		}
	})
	p.nameRegions(f)
	return p
}

// nameCountries adds the names of CLDR.
func (p *vocabulary) nameCountries(namers ...display.Namer) {
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			if !codes.Country(code) {
				continue
			}
			region := language.MustParseRegion(code)
			if region.Canonicalize() == region { // otherwise it is a former code
				p.nameCountry(code, region, namers)
			}
		}
	}
	for name, code := range alsoCalled {
		for _, key := range text.Compacts(name) {
			p.countries[key] = code
		}
	}
}

func (p *vocabulary) nameCountry(code string, region language.Region, namers []display.Namer) {
	for _, n := range namers {
		if n == nil {
			continue
		}
		name := n.Name(region)
		for _, key := range text.Compacts(name) {
			p.countries[key] = code
		}
		for _, key := range text.Compacts(asSaid(name)) {
			if p.countries[key] == "" {
				p.countries[key] = code
			}
		}
	}
}

// alsoCalled are additional names of countries.
var alsoCalled = map[string]string{
	"UK": "GB", "Great Britain": "GB", "Britain": "GB", "Großbritannien": "GB", "USA": "US", "US": "US", "United States of America": "US", "Holland": "NL",
	"Korea": "KR", "Czech Republic": "CZ", "Tschechische Republik": "CZ", "Türkiye": "TR", "UAE": "AE", "Ivory Coast": "CI", "Bosnia": "BA", "Eswatini": "SZ",
}

// asSaid returns the name of a country as people say it: CLDR has Hong Kong SAR China, Myanmar
// (Burma) and Bosnia & Herzegovina.
func asSaid(name string) string {
	name, _, _ = strings.Cut(name, " SAR ")
	name, _, _ = strings.Cut(name, " (")
	return strings.ReplaceAll(name, "&", "and")
}

// nameRegions adds the names of the regions in which services are offered. It leaves out names
// of two letters, such as country codes, because too many other words look like them.
func (p *vocabulary) nameRegions(f *facet.Facets) {
	codes := map[string]bool{}
	learn := func(key string) {
		if len(key) > 2 {
			p.regions[key] = true
		}
	}
	for _, of := range f.Named(document.FilterRegion, "") {
		for id := of.First; id < of.End; id++ {
			codes[f.Value[id]] = true
			for _, key := range text.Compacts(f.Value[id]) {
				learn(strings.Clone(key)) // it may be in a part's memory
			}
		}
	}
	for name, code := range p.countries {
		if codes[code] {
			learn(name)
		}
	}
}

// nameLanguages adds the names of the sellers' languages. A seller who speaks Swiss German
// speaks German.
func (p *vocabulary) nameLanguages(f *facet.Facets, namers ...display.Namer) {
	for _, spoken := range f.Named(document.FilterLanguage, "") {
		for id := spoken.First; id < spoken.End; id++ {
			one, err := language.Parse(f.Value[id])
			if err != nil {
				continue
			}
			base, _ := one.Base()
			for _, n := range namers {
				if n == nil {
					continue
				}
				for _, key := range text.Compacts(n.Name(base)) {
					if !slices.Contains(p.languages[key], id) {
						p.languages[key] = append(p.languages[key], id)
					}
				}
			}
		}
	}
}
