package search

import (
	"souk/build/document"
	"souk/build/index/text"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/match"
	"strings"
)

// spokenEnding ends the German adjectives of those who speak a language, before their own
// endings: deutschsprachige.
const spokenEnding = "sprachig"

// spoken understands the languages that a seller is to speak, as in English-speaking guides, who
// speak German or French, or deutschsprachige Anbieter: who does comes first.
func (r *reading) spoken(i int) (next int) {
	var list []uint32
	name, _, german := strings.Cut(r.pieces[i].Folded, spokenEnding)
	switch {
	case german:
		list, next = r.languages[name], i+1
	case r.Speaking[r.pieces[i].Folded]:
		list, next = r.speakersFrom(i + 1)
	case i+1 < len(r.pieces) && !r.pieces[i+1].Ended && r.Speaking[r.pieces[i+1].Folded]:
		list, next = r.speakers(i), i+2
	}
	return r.speak(i, next, list)
}

// speak prefers who speaks one of some languages, said from one piece to before another.
func (r *reading) speak(i, next int, list []uint32) int {
	list = r.shownOf(list)
	if len(list) == 0 {
		return i
	}
	if from := r.denied(i); from < i {
		return r.leaveOut(from, next)
	}
	told := Interpretation{As: document.AsPreferred}
	for _, id := range list {
		r.Served = append(r.Served, engine.Serving{Filter: document.FilterLanguage, ID: id})
		told.To = append(told.To, r.index.facets.Value[id])
	}
	r.tell(i, next, told)
	return next
}

// inTongue reports whether a piece stands where the language is named that something is wanted
// in, as in support in German for machines, and not in German cities.
func (r *reading) inTongue(i int) bool {
	before := i - 1
	for before > 0 && r.Definite[r.pieces[before].Folded] {
		before--
	}
	if before < 0 || !r.Tongues[r.pieces[before].Folded] || r.pieces[i].Ended {
		return false
	}
	return i+1 == len(r.pieces) || r.pieces[i+1].Ended || r.border(i+1) || text.Asks(r.pieces[i+1].Folded)
}

// tongue understands languages that are named from a piece on, where no listing that may be shown
// has the word.
func (r *reading) tongue(i int) (next int, err error) {
	held, err := r.index.Inflected(r.ctx, r.pieces[i].Folded, match.TypedForms)
	if err != nil || r.visible.Shows(held.Docs) {
		return i, err
	}
	list, next := r.speakersFrom(i)
	return r.speak(i, next, list), nil
}

// speakersFrom returns the values of the facet of languages that a row of pieces names.
func (r *reading) speakersFrom(i int) (list []uint32, next int) {
	next = i
	for at := i; at < len(r.pieces) && len(r.speakers(at)) > 0; at = r.joined(next) {
		list, next = append(list, r.speakers(at)...), at+1
	}
	return list, next
}

// speakers returns the values of the facet of languages that a piece names.
func (r *reading) speakers(i int) []uint32 { return r.languages[r.compact(i, i+1)] }

// shownOf returns those values of facets that something has which may be shown.
func (r *reading) shownOf(ids []uint32) (list []uint32) {
	for _, id := range ids {
		if r.index.facets.Shown(id, id+1, r.visible) {
			list = append(list, id)
		}
	}
	return list
}
