package opensearch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"souk/dynamic/search/cluster"
)

// object is a JSON object.
type object map[string]any

// encode returns JSON of values that can always be encoded.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("requests are texts and numbers: %v", err))
	}
	return b.Bytes()
}

// The limits of an index. A page may end 100 after the maximum offset; numbers and sellers are
// listed in queries.
const (
	maxWindow = 20_000
	maxTerms  = 1 << 20
)

// indexOf returns the definition of an index.
func indexOf(d *cluster.Documents, shards int) object {
	term := object{"type": "keyword", "doc_values": false, "norms": false, "index_options": "docs"}
	number, place := object{"type": "integer"}, object{"type": "integer", "index": false}
	filters := object{}
	for _, filter := range d.Filters() {
		filters[filter] = number
	}
	return object{
		"settings": object{"index": object{
			"number_of_shards": shards, "auto_expand_replicas": "0-1", "refresh_interval": "-1",
			"max_result_window": maxWindow, "max_terms_count": maxTerms,
		}},
		"mappings": object{
			"_meta": object{"souk": d.Key()}, "_source": object{"enabled": false}, "dynamic": "strict",
			"dynamic_templates": []object{{"lowest": object{"path_match": "lowest.*", "mapping": place}}},
			"properties": object{
				"n": number, "w": term, "o": term, "e": term, "b": term, "i": term, "d": term, "t": term, "newest": place,
				"f": object{"properties": filters}, "lowest": object{"type": "object", "dynamic": true},
			},
		},
	}
}

// The importance of a word is encoded in bits, for texts of few words, and in degrees, which
// are cheaper in a question of many. lengths is the number of degrees of a name's length.
const (
	impactBits = 8
	degrees    = 8
	lengths    = 8
)

// degree returns the degree of a share from 0 to 1. Degrees are finer for high shares, because
// most relevant words have them.
func degree(share float64) int {
	return max(0, min(degrees-1, int((1-math.Sqrt(1-min(share, 1)))*degrees)))
}

// shareOf returns the share in the middle of a degree.
func shareOf(degree int) float64 {
	rest := 1 - (float64(degree)+0.5)/degrees
	return 1 - rest*rest
}

// graded is the term of a word with a bit or a length.
func graded(word string, degree int) string { return word + " " + strconv.Itoa(degree) }

// impactTerms are the terms for the importance of a word, from 0 to 1: one for each bit, so
// that their clauses add up to the number.
func impactTerms(list []string, word string, share float64) []string {
	const most = 1<<impactBits - 1
	impact := max(1, min(most, int(share*(1<<impactBits))))
	for bit := range impactBits {
		if impact&(1<<bit) != 0 {
			list = append(list, graded(word, bit))
		}
	}
	return list
}

// bulk returns the request that indexes the listings in a range of numbers.
func (f *filling) bulk(from, to int) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := f.documents.Each(from, to, func(d *cluster.Document) error {
		if err := e.Encode(object{"index": object{"_id": d.Ref}}); err != nil {
			return err
		}
		return e.Encode(sourceOf(d))
	})
	return b.Bytes(), err
}

// A source is a document in its indexed form.
type source struct {
	Number     uint32              `json:"n"`
	Words      []string            `json:"w"`
	Own        []string            `json:"o"`
	Exact      []string            `json:"e"`
	Beginnings []string            `json:"b"`
	Impacts    []string            `json:"i"`
	Degrees    []string            `json:"d"`
	Named      []string            `json:"t,omitempty"`
	Newest     uint32              `json:"newest"`
	IDs        map[string][]uint32 `json:"f"`
	Lowest     map[string]uint32   `json:"lowest,omitempty"`
}

func sourceOf(d *cluster.Document) *source {
	s := &source{
		Number: d.Number, Own: d.Own, Exact: d.Exact, Beginnings: d.Beginnings, Newest: d.Newest, IDs: d.IDs, Lowest: d.Lowest,
		Words: make([]string, 0, len(d.Words)), Impacts: make([]string, 0, impactBits/2*len(d.Words)), Degrees: make([]string, 0, len(d.Words)),
	}
	for _, w := range d.Words {
		s.Words = append(s.Words, w.Text)
		s.Impacts = impactTerms(s.Impacts, w.Text, w.Impact)
		s.Degrees = append(s.Degrees, graded(w.Text, degree(w.Impact)))
		if w.InName {
			s.Named = append(s.Named, graded(w.Text, min(d.NameWords, lengths)))
		}
	}
	return s
}
