package search

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/document"
	"souk/build/index"
	"souk/build/index/text"
	"souk/build/kit/fold"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
	"souk/dynamic/search/question"
)

// An interpretation is the meaning of a text beyond its words, in terms of an index.
type interpretation struct {
	// text is the rest of the text to search for, with each word in its place, followed by
	// words that stand for a listing. named is the same with the names of listings that others
	// should be similar to, because articles mention these.
	text, named string
	reported    []Interpretation
	// filters are by parameter, as in a request. currency is the currency of a price.
	filters  map[string][]string
	currency string
	denials  []question.Meaning
	// similar are the listings that others should be similar to, which are excluded. compares
	// are the listings that the text compares, which come first.
	similar, compares []uint32
	engine.Preferences
	// withholds means that the text excludes something.
	withholds bool
}

// interpret returns the meaning of a text beyond its words, or nil if there is none. It
// depends on the text, the index and which sellers are withheld: values that only withheld
// sellers have mean nothing. A word with a leading minus is not a name, although names are
// compared without signs.
func (x *Index) interpret(ctx context.Context, typed string, v *corpus.Visibility) (*interpretation, error) {
	if !strings.HasPrefix(strings.TrimSpace(typed), "-") {
		if named, err := x.namesSomething(ctx, typed, v); named || err != nil {
			return nil, err
		}
	}
	m := x.marketOf(ctx, typed, v)
	reading := x.vocabulary.Read(typed, m)
	if m.err != nil || len(reading.Meanings) == 0 {
		return nil, m.err
	}
	if in := x.interpreted(m, typed, reading); in.asks() {
		return in, nil
	}
	return nil, nil
}

// interpreted converts a reading to terms of the index.
func (x *Index) interpreted(m *marketView, typed string, reading *question.Reading) *interpretation {
	in := &interpretation{named: reading.Names, filters: map[string][]string{}}
	if m.Asks(reading.Rest) {
		in.text = reading.Rest
	}
	for _, one := range reading.Meanings {
		told := Interpretation{Text: typed[one.From:one.To], Start: utf8.RuneCountInString(typed[:one.From])}
		told.End = told.Start + utf8.RuneCountInString(told.Text)
		switch one.As {
		case question.Filter:
			told.As, told.Filter, told.Currency = document.AsFilter, one.Filter, one.Currency
			for _, value := range one.Values {
				told.Value = value
				if !slices.Contains(in.filters[one.Filter], value) {
					in.filters[one.Filter] = append(in.filters[one.Filter], value)
				}
				in.reported = append(in.reported, told)
			}
			if one.Currency != "" {
				in.currency = one.Currency
			}
			continue
		case question.Preferred:
			if cities := x.citiesOf(one); len(cities) > 0 {
				told.As, told.Filter = document.AsFilter, document.FilterCity
				for _, told.Value = range cities {
					in.filters[told.Filter] = append(in.filters[told.Filter], told.Value)
					in.reported = append(in.reported, told)
				}
				continue
			}
			told.As, told.To = document.AsPreferred, one.Values
			in.prefer(m, one, reading.Services)
		case question.Excluded:
			told.As, told.To = document.AsExcluded, one.Words
			if len(one.Words) == 0 {
				told.To = one.Values
			}
			in.denials, in.withholds = append(in.denials, one), true
			if last := len(in.reported) - 1; last >= 0 && in.reported[last].As == document.AsExcluded && in.reported[last].Start == told.Start {
				continue // already reported
			}
		case question.LeftOut:
			told.As, in.withholds = document.AsLeftOut, true
		case question.Similar:
			link := x.Corpus.Link(x.Corpus.Listing(one.Listings[0]))
			told.As, told.To, told.Link = document.AsSimilar, in.stand(x, one.Listings), &link
		case question.Compared:
			link := x.Corpus.Link(x.Corpus.Listing(one.Listings[0]))
			told.As, told.To, told.Link = document.AsPreferred, []string{link.Name}, &link
			in.compares = append(in.compares, one.Listings...)
		}
		in.reported = append(in.reported, told)
	}
	return in
}

// citiesOf returns the values of the filter city for a preference: a query for companies in a
// city excludes others.
func (x *Index) citiesOf(one question.Meaning) (cities []string) {
	of := x.facets.Named(document.FilterCity, "")
	if one.Filter != question.City || len(of) == 0 {
		return nil
	}
	for _, value := range one.Values {
		if id, known := x.facets.Find(&of[0], value); known {
			cities = append(cities, x.facets.Value[id])
		}
	}
	return cities
}

// prefer adds a preference. A service may be offered in a country where its seller is not.
func (in *interpretation) prefer(m *marketView, one question.Meaning, services bool) {
	x := m.index
	for _, value := range one.Values {
		switch one.Filter {
		case question.City:
			in.Sellers = append(in.Sellers, m.inCity(text.Compact(value))...)
			continue
		case document.FilterCategory:
			if at := slices.Index(m.facets.CategoryID, m.facets.List[facet.AtCategory].At[value]); at >= 0 {
				in.Categories = append(in.Categories, int32(at))
			}
			continue
		case document.FilterCountry:
			if there := x.servedIn([]string{value}, m.visible); services && len(there) > 0 {
				in.Served = append(in.Served, there...)
				continue
			}
		}
		of := m.facets.Named(one.Filter, "")
		if id, known := m.facets.Find(&of[0], value); known {
			in.Served = append(in.Served, engine.Serving{Filter: one.Filter, ID: id})
		}
	}
}

// servedIn returns an interpretation that says that services are offered in, or sellers are
// located in, one of some countries. It returns nothing if no visible service names such a
// region, by code or name.
func (x *Index) servedIn(codes []string, v *corpus.Visibility) (list []engine.Serving) {
	for _, regions := range x.facets.Named(document.FilterRegion, "") {
		for id := regions.First; id < regions.End; id++ {
			name := x.facets.Value[id]
			if (slices.ContainsFunc(codes, func(code string) bool { return fold.Text(code) == fold.Text(name) }) || slices.Contains(codes, x.vocabulary.countries[text.Compact(name)])) && x.facets.Shown(id, id+1, v) {
				list = append(list, engine.Serving{Filter: document.FilterRegion, ID: id})
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	for _, code := range codes {
		if id, known := x.facets.List[facet.AtCountry].At[code]; known {
			list = append(list, engine.Serving{Filter: document.FilterCountry, ID: id})
		}
	}
	return list
}

// asks reports whether an interpretation has any effect.
func (in *interpretation) asks() bool {
	return len(in.filters)+len(in.denials)+len(in.Sellers)+len(in.Served) > 0 || in.withholds || strings.TrimSpace(in.text) != ""
}

const (
	// maxStanding is how many categories stand for a listing, and maxSimilar how many words
	// from them and its summary are used.
	maxStanding = 3
	maxSimilar  = 8
)

// stand represents the listings that are to be similar, and are excluded, by the categories
// and summary of the first one. It returns the words that do.
func (in *interpretation) stand(x *Index, list []uint32) (words []string) {
	l := x.Corpus.Listing(list[0])
	own := match.WordsOf(l.Offer.Name)
	add := func(most int, texts ...string) {
		for _, word := range match.WordsOf(strings.Join(texts, " ")) {
			again := slices.Contains(own, word) || slices.Contains(words, word)
			if asks := !x.Language.IsStop(word) && len(word) <= index.MaxWord; most > 0 && asks && !again {
				words = append(words, word)
				most--
			}
		}
	}
	var names []string
	for _, at := range l.Categories[:min(len(l.Categories), maxStanding)] {
		names = append(names, x.Corpus.Categories[at].Item.Name)
	}
	add(maxSimilar, names...)
	add(maxSimilar, l.Offer.Summary)
	in.similar = list
	in.Categories = append(in.Categories, l.Categories...)
	if in.text == "" { // appended words follow the typed text
		in.text = strings.Repeat(" ", len(in.named))
	}
	in.text = strings.Join(append([]string{in.text}, words...), " ")
	return words
}
