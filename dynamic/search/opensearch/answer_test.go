package opensearch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"souk/dynamic/search/cluster"
	"souk/dynamic/search/match"
)

// answering is a transport that gives every request the same answer, to test answers that a
// healthy cluster does not give.
type answering struct {
	status int
	body   string
	err    error
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{StatusCode: a.status, Body: io.NopCloser(strings.NewReader(a.body)), Header: http.Header{}, Request: r}, nil
}

// ask sends a question to a cluster with this answer.
func ask(t *testing.T, a answering, q *cluster.Question) (*cluster.Answer, error) {
	t.Helper()
	target, err := Parse("opensearch://reader:s3cret-word@search.example:9200/market", "", "")
	if err != nil {
		t.Fatal(err)
	}
	c := Open(target, Options{Transport: a})
	h := &holding{client: c.client, name: "market-0123456789abcdef", sizes: map[string]size{"kind": {2, 2}}}
	return h.Ask(context.Background(), q)
}

const wholeAnswer = `{"timed_out":false,"_shards":{"total":2,"successful":2,"skipped":0,"failed":0},"hits":{"total":{"value":2,"relation":"eq"},"hits":[{"_score":1048577,"sort":[1048577,7]},{"_score":1048576,"sort":[1048576,3]}]},` +
	`"aggregations":{"all":{"doc_count":2,"kind":{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[{"key":0,"doc_count":2}]}},"0":{"doc_count":3,"kind":{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[{"key":0,"doc_count":2},{"key":1,"doc_count":1}]}}}}`

func question() *cluster.Question {
	return &cluster.Question{
		Tiers: []cluster.Tier{{Step: 6, Groups: []*match.Terms{{Field: match.Words, Text: "arm"}}, Least: 1}}, Limit: 20, Counts: true,
		Narrowings: []cluster.Narrowing{{Filter: "kind", Runs: [][2]uint32{{0, 1}}}},
	}
}

func TestCompleteAnswerIsParsed(t *testing.T) {
	a, err := ask(t, answering{status: 200, body: wholeAnswer}, question())
	if err != nil {
		t.Fatal(err)
	}
	if a.Total != 2 || len(a.Top) != 2 || a.Top[0].Number != 7 || a.Top[1].Number != 3 || a.Without[0].Total != 3 || len(a.Without[0].Counts) != 2 || a.Counts["kind"][0].Listings != 2 {
		t.Errorf("it is read as %+v", a)
	}
}

func TestPartialAnswerIsAnError(t *testing.T) {
	for what, one := range map[string]struct{ old, new string }{
		"a failed shard":            {`"successful":2,"skipped":0,"failed":0`, `"successful":1,"skipped":0,"failed":1`},
		"a shard that is missing":   {`"total":2,"successful":2`, `"total":2,"successful":1`},
		"no shards":                 {`"_shards":{"total":2,"successful":2,"skipped":0,"failed":0},`, ``},
		"a time-out":                {`"timed_out":false`, `"timed_out":true`},
		"nothing of time":           {`"timed_out":false,`, ``},
		"an early end":              {`"timed_out":false`, `"timed_out":false,"terminated_early":true`},
		"a total that is a bound":   {`"relation":"eq"`, `"relation":"gte"`},
		"no total":                  {`"total":{"value":2,"relation":"eq"},`, ``},
		"a listing that is missing": {`,{"_score":1048576,"sort":[1048576,3]}`, ``},
		"a listing without place":   {`"sort":[1048576,3]`, `"sort":[]`},
		"counts that are bounds":    {`"all":{"doc_count":2,"kind":{"doc_count_error_upper_bound":0`, `"all":{"doc_count":2,"kind":{"doc_count_error_upper_bound":1`},
		"counts that are cut off":   {`"0":{"doc_count":3,"kind":{"doc_count_error_upper_bound":0,"sum_other_doc_count":0`, `"0":{"doc_count":3,"kind":{"doc_count_error_upper_bound":0,"sum_other_doc_count":5`},
		"no counts":                 {`"all":{`, `"none":{`},
		"no count of a narrowing":   {`"0":{`, `"7":{`},
		"less without a narrowing":  {`"0":{"doc_count":3`, `"0":{"doc_count":1`},
		"half of the answer":        {wholeAnswer[len(wholeAnswer)/2:], ``},
		"a page of a proxy":         {wholeAnswer, `<html>It works!</html>`},
		"nothing":                   {wholeAnswer, `{}`},
		"a list":                    {wholeAnswer, `[]`},
	} {
		body := strings.Replace(wholeAnswer, one.old, one.new, 1)
		if body == wholeAnswer {
			t.Fatalf("%s changes nothing", what)
		}
		if a, err := ask(t, answering{status: 200, body: body}, question()); err == nil {
			t.Errorf("%s is answered with %+v", what, a)
		}
	}
}

func TestClusterErrorsAreExplained(t *testing.T) {
	for want, one := range map[string]answering{
		"status 429":                        {status: 429, body: `{"error":{"root_cause":[{"type":"rejected_execution_exception","reason":"full"}],"type":"x"}}`},
		"will be retried":                   {status: 429, body: ``},
		"status 503":                        {status: 503, body: `<html>`},
		"SOUK_OPENSEARCH_PASSWORD":          {status: 401, body: `Unauthorized`},
		"the user needs all rights":         {status: 403, body: `{"error":{"type":"security_exception","reason":"no"}}`},
		"free some space":                   {status: 403, body: `{"error":{"type":"cluster_block_exception","reason":"read-only"}}`},
		"search.max_buckets":                {status: 503, body: `{"error":{"root_cause":[{"type":"too_many_buckets_exception","reason":"too many"}]}}`},
		"has too many":                      {status: 503, body: `{"error":{"root_cause":[],"type":"search_phase_execution_exception","reason":"","caused_by":{"type":"x","reason":"y","caused_by":{"type":"illegal","reason":"has too many"}}}}`},
		"this release is missing":           {status: 404, body: `{"error":{"root_cause":[{"type":"index_not_found_exception","reason":"no such index"}]}}`},
		"check that the cluster is running": {err: errors.New("connection refused")},
	} {
		_, err := ask(t, one, question())
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "search in market-0123456789abcdef") {
			t.Errorf("%d %s: %v, which does not say %q", one.status, one.body, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret-word") {
			t.Errorf("the password is in %v", err)
		}
	}
}

func TestAddressesAreParsed(t *testing.T) {
	for address, want := range map[string]string{
		"opensearch://search:9200/market":              "http://search:9200/market",
		"opensearch://search/market/":                  "http://search:9200/market",
		"opensearchs://u:p%40ss@search:443/market_2":   "https://search:443/market_2",
		"opensearch://a/m?node=b&node=c:9201&shards=3": "http://a:9200,http://b:9200,http://c:9201/m",
		"opensearch://[::1]:9200/m":                    "http://[::1]:9200/m",
	} {
		got, err := Parse(address, "env", "secret")
		if err != nil || got.String() != want {
			t.Errorf("%s is %v, %v; want %s", address, got, err, want)
		}
		if err == nil && strings.Contains(address, "@") != (got.User == "u") {
			t.Errorf("%s is of user %q", address, got.User)
		}
	}
	for address, want := range map[string]string{
		"":                                 "this is not an OpenSearch address: write opensearch://",
		"https://search:9200/market":       "is not an OpenSearch address",
		"opensearch:///market":             "the host is missing",
		"opensearch://search:9200":         "not an index name",
		"opensearch://search/_all":         "not an index name",
		"opensearch://search/Market":       "not an index name",
		"opensearch://search/a/b":          "not an index name",
		"opensearch://search/m?shards=0":   "must be from 1",
		"opensearch://search/m?node=b/c":   "not a host:port",
		"opensearch://search/m?tls=true":   "not a parameter",
		"opensearch://u:s3cret@word@h:x/m": "this is not an address",
	} {
		if _, err := Parse(address, "", ""); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
}
