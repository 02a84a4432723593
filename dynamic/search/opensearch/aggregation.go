package opensearch

import (
	"encoding/json"
	"errors"

	"souk/dynamic/search/cluster"
)

// An aggregation is an aggregation in a response: a filter with others in it, or terms.
type aggregation struct {
	Count   *int `json:"doc_count"`
	Buckets []struct {
		Key   float64 `json:"key"`
		Count int     `json:"doc_count"`
	} `json:"buckets"`
	Missed *int `json:"doc_count_error_upper_bound"`
	Others *int `json:"sum_other_doc_count"`
	within map[string]aggregation
}

// UnmarshalJSON reads an aggregation with its sub-aggregations, which are beside its own
// fields.
func (a *aggregation) UnmarshalJSON(data []byte) error {
	type plain aggregation
	if err := json.Unmarshal(data, (*plain)(a)); err != nil || a.Buckets != nil || a.Count == nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	delete(fields, "doc_count")
	a.within = map[string]aggregation{}
	for name, raw := range fields {
		var one aggregation
		if err := json.Unmarshal(raw, &one); err != nil {
			return err
		}
		a.within[name] = one
	}
	return nil
}

// counts returns the exact counts of a filter: of all ids, or of the most frequent and the
// chosen ones.
func (a aggregation) counts(filter string, of size) (list []cluster.Count, err error) {
	one := a.within[filter]
	if one.Missed == nil || one.Others == nil {
		return nil, errUnexpected
	}
	if *one.Missed != 0 || *one.Others != 0 && (!of.some() || len(one.Buckets) != of.listed) {
		return nil, errors.New("the counts are not exact")
	}
	for _, part := range []aggregation{one, a.within[chosenOf]} {
		for _, b := range part.Buckets {
			list = append(list, cluster.Count{ID: uint32(b.Key), Listings: b.Count})
		}
	}
	return list, nil
}
