package opensearch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"golang.org/x/sync/errgroup"

	"souk/build/document"
	"souk/dynamic/search/cluster"
)

// searchPath requires complete results, and limits the response to what is read.
const searchPath = "/_search?allow_partial_search_results=false&filter_path=timed_out,terminated_early,_shards,hits.total,hits.hits._score,hits.hits.sort,aggregations"

// A holding queries the index of one release.
type holding struct {
	client *client
	name   string
	// sizes are the sizes of the filters that have ids.
	sizes map[string]size
}

// A size is how many ids a filter has, and how many of them a response contains.
type size struct{ ids, listed int }

// Ask implements cluster.Holding. A cluster limits the number of ids in a response, so larger
// ones are requested in parts.
func (h *holding) Ask(ctx context.Context, q *cluster.Question) (*cluster.Answer, error) {
	answer, err := h.ask(ctx, q, part{of: 1})
	for of := 4; of <= mostParts; of *= 4 {
		if e := asError(err); e == nil || e.Type != tooManyBuckets {
			break
		}
		answer, err = h.askParts(ctx, q, of)
	}
	return answer, err
}

// A part is a share, by a hash, of the ids of each filter that is returned completely.
type part struct{ at, of int }

// mostParts is the maximum number of parts.
const mostParts = 64

// askParts requests all parts at once. The first one includes the listings.
func (h *holding) askParts(ctx context.Context, q *cluster.Question, of int) (*cluster.Answer, error) {
	parts := make([]*cluster.Answer, of)
	group, asking := errgroup.WithContext(ctx)
	for at := range parts {
		one := *q
		if at > 0 {
			one.Limit = 0
		}
		group.Go(func() (err error) {
			parts[at], err = h.ask(asking, &one, part{at, of})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	whole := parts[0]
	for _, one := range parts[1:] {
		if one.Total != whole.Total {
			return nil, &Error{Doing: h.doing(), cause: fmt.Errorf("parts of an answer have %d and %d listings: %w", whole.Total, one.Total, errUnexpected)}
		}
		for filter, counts := range one.Counts {
			whole.Counts[filter] = append(whole.Counts[filter], counts...)
		}
		for i, without := range one.Without {
			whole.Without[i].Counts = append(whole.Without[i].Counts, without.Counts...)
		}
	}
	return whole, nil
}

func (h *holding) ask(ctx context.Context, q *cluster.Question, which part) (*cluster.Answer, error) {
	var told found
	if err := h.client.do(ctx, h.doing(), http.MethodPost, "/"+h.name+searchPath, encode(h.request(q, which)), &told); err != nil {
		return nil, err
	}
	answer, err := told.answer(q, h.sizes)
	if err != nil {
		return nil, &Error{Doing: h.doing(), cause: err}
	}
	return answer, nil
}

func (h *holding) doing() string { return "search in " + h.name }

// request returns the body of a question.
func (h *holding) request(q *cluster.Question, which part) object {
	c := &conditions{}
	r := object{"size": q.Limit, "from": q.Offset, "track_total_hits": true, "_source": false, "sort": order(q)}
	ranked := q.Limit > 0 && (q.Sort == "" || q.Sort == document.SortRelevance)
	r["query"] = c.query(q, ranked)
	if len(q.Narrowings) > 0 {
		if q.Counts {
			r["post_filter"] = c.but(q.Narrowings, -1)
		} else {
			r["query"] = object{"bool": object{"must": r["query"], "filter": c.but(q.Narrowings, -1)}}
		}
	}
	if q.Counts {
		r["aggs"] = h.counts(c, q, which)
	}
	return r
}

// query returns the query of a question, without its narrowings.
func (c *conditions) query(q *cluster.Question, ranked bool) object {
	var tiers, steps []object
	for i := range q.Tiers {
		one := c.tier(&q.Tiers[i])
		tiers = append(tiers, one)
		steps = append(steps, object{"constant_score": object{"filter": one, "boost": q.Tiers[i].Step * step}})
	}
	b := object{}
	var filter, out []object
	if q.Among != nil {
		filter = append(filter, c.of(q.Among))
	}
	if !ranked || len(q.Pinned) > 0 {
		filter = append(filter, c.anyOf(tiers))
	}
	if len(q.Withheld) > 0 {
		out = append(out, c.leaf("terms", object{"f." + document.FilterSeller: q.Withheld}))
	}
	for i := range q.Without {
		out = append(out, c.excluded(&q.Without[i]))
	}
	if ranked {
		best := object{"bool": object{"must": object{"dis_max": object{"queries": steps}}, "should": scoring(q, c.clauses*2)}}
		if len(q.Pinned) > 0 {
			queries := []object{best}
			for i, n := range q.Pinned {
				queries = append(queries, object{"constant_score": object{"filter": object{"term": object{"n": n}}, "boost": pinned + 2*(len(q.Pinned)-i)}})
			}
			best = object{"dis_max": object{"queries": queries}}
		}
		b["must"] = best
	}
	if len(filter) > 0 {
		b["filter"] = filter
	}
	if len(out) > 0 {
		b["must_not"] = out
	}
	return object{"bool": b}
}

// order returns the sort order of the listings. Their number is last, and unique.
func order(q *cluster.Question) []object {
	up := func(field string) object { return object{field: object{"order": "asc"}} }
	switch q.Sort {
	case document.SortName:
		return []object{up("n")}
	case document.SortNewest:
		return []object{up("newest"), up("n")}
	case document.SortPrice:
		return []object{{"lowest." + q.Currency: object{"order": "asc", "missing": "_last", "unmapped_type": "integer"}}, up("n")}
	default:
		return []object{{"_score": object{"order": "desc"}}, up("n")}
	}
}

// counts returns the aggregations: one for each filter over the listings that pass all
// narrowings, and one for each narrowing over those that pass all others. Each shard has room
// for all ids and one more, so that counts are exact and declared to be: a shard that fills
// its room may have left some out.
func (h *holding) counts(c *conditions, q *cluster.Question, which part) object {
	of := func(filter string) object {
		n := h.sizes[filter]
		ids := object{"field": "f." + filter, "size": n.listed, "shard_size": n.ids + 1, "order": []object{{"_count": "desc"}, {"_key": "asc"}}}
		if which.of > 1 && !n.some() {
			ids["include"] = object{"partition": which.at, "num_partitions": which.of}
		}
		return object{"terms": ids}
	}
	each := object{}
	for filter := range h.sizes {
		each[filter] = of(filter)
	}
	all := object{"all": object{"filter": c.but(q.Narrowings, -1), "aggs": each}}
	for i, n := range q.Narrowings {
		one := object{"filter": c.but(q.Narrowings, i)}
		if size := h.sizes[n.Filter]; size.ids > 0 {
			own := object{n.Filter: of(n.Filter)}
			if ids := chosen(n); size.some() && len(ids) > 0 {
				own[chosenOf] = object{"terms": object{"field": "f." + n.Filter, "size": len(ids), "include": ids}}
			}
			one["aggs"] = own
		}
		all[strconv.Itoa(i)] = one
	}
	return all
}

// chosenOf names the aggregation of the chosen ids of a filter that is not returned
// completely.
const chosenOf = "chosen"

// some reports whether the ids are not returned completely.
func (s size) some() bool { return s.listed < s.ids }

// chosen returns the ids of a narrowing.
func chosen(n cluster.Narrowing) (ids []uint32) {
	for _, run := range n.Runs {
		for id := run[0]; id < run[1]; id++ {
			ids = append(ids, id)
		}
	}
	return ids
}

// errUnexpected means that a response is not one that OpenSearch gives to this request.
var errUnexpected = errors.New("the answer does not match the request")

// shards say how many of them answered.
type shards struct {
	Shards *struct {
		Total      int `json:"total"`
		Successful int `json:"successful"`
		Failed     int `json:"failed"`
	} `json:"_shards"`
}

// found is a response of _search.
type found struct {
	shards
	TimedOut        *bool `json:"timed_out"`
	TerminatedEarly bool  `json:"terminated_early"`
	Hits            struct {
		Total *struct {
			Value    int    `json:"value"`
			Relation string `json:"relation"`
		} `json:"total"`
		Hits []struct {
			Score *float64  `json:"_score"`
			Sort  []float64 `json:"sort"`
		} `json:"hits"`
	} `json:"hits"`
	Aggregations map[string]aggregation `json:"aggregations"`
}

// whole returns an error unless all shards answered in time and the total is exact.
func (f *found) whole() error {
	switch {
	case f.Shards == nil || f.TimedOut == nil || f.Hits.Total == nil:
		return errUnexpected
	case *f.TimedOut || f.TerminatedEarly:
		return errors.New("it took too long, and only a part was searched")
	case f.Shards.Failed > 0 || f.Shards.Successful != f.Shards.Total || f.Shards.Total == 0:
		return fmt.Errorf("%d of %d shards answered", f.Shards.Successful, f.Shards.Total)
	case f.Hits.Total.Relation != "eq":
		return errors.New("the total is not exact")
	}
	return nil
}

// answer converts a complete response to an Answer.
func (f *found) answer(q *cluster.Question, sizes map[string]size) (*cluster.Answer, error) {
	if err := f.whole(); err != nil {
		return nil, err
	}
	a := &cluster.Answer{Total: f.Hits.Total.Value, Without: make([]cluster.Uncounted, len(q.Narrowings)), Counts: map[string][]cluster.Count{}}
	if len(f.Hits.Hits) != max(0, min(q.Limit, a.Total-q.Offset)) {
		return nil, fmt.Errorf("the answer has %d listings of %d: %w", len(f.Hits.Hits), a.Total, errUnexpected)
	}
	unit := unitOf(q)
	for _, hit := range f.Hits.Hits {
		if len(hit.Sort) == 0 {
			return nil, errUnexpected
		}
		one := cluster.Ranked{Number: uint32(hit.Sort[len(hit.Sort)-1])}
		if hit.Score != nil {
			one.Score = math.Mod(*hit.Score, step) / unit
		}
		a.Top = append(a.Top, one)
	}
	if !q.Counts {
		return a, nil
	}
	var err error
	for filter, size := range sizes {
		if a.Counts[filter], err = f.Aggregations["all"].counts(filter, size); err != nil {
			return nil, err
		}
	}
	for i, n := range q.Narrowings {
		one := f.Aggregations[strconv.Itoa(i)]
		if one.Count == nil || *one.Count < a.Total {
			return nil, errUnexpected
		}
		a.Without[i].Total = *one.Count
		if size := sizes[n.Filter]; size.ids > 0 {
			if a.Without[i].Counts, err = one.counts(n.Filter, size); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

// asError returns an error as an Error of this package, or nil.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
