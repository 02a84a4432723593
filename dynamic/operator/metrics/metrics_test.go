package metrics_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"souk/dynamic/operator/metrics"
)

func read(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	server := httptest.NewServer(m.Handler())
	defer server.Close()
	response, err := http.Get(server.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", response.StatusCode, err)
	}
	return string(body)
}

func TestMetricsReportTheCurrentState(t *testing.T) {
	state := metrics.State{}
	m := metrics.New("1.2.3", func() metrics.State { return state })
	if before := read(t, m); strings.Contains(before, "souk_release_info") || strings.Contains(before, "souk_copy_") || strings.Contains(before, "souk_lease_") {
		t.Error("it tells of a release, a copy or a lease that there is not")
	}
	state = metrics.State{
		Release: "r1", Index: "r0", Documents: 12, Bytes: 345, Down: []string{"ledger"}, MailsWaiting: 2,
		OldestMail: time.Hour, RemovalsPending: 1, Searches: 9, EmptySearches: 4, Published: time.Unix(1_700_000_000, 0), CopyPending: true,
		Lease: &metrics.Lease{Left: 750 * time.Millisecond, Withheld: 7, Made: 6},
	}
	after := read(t, m)
	for _, line := range []string{
		`souk_build_info{version="1.2.3"} 1`, `souk_release_info{id="r1"} 1`, `souk_search_index_info{id="r0"} 1`,
		`souk_release_documents 12`, `souk_release_bytes 345`, `souk_part_down{part="ledger"} 1`, `souk_mails_waiting 2`,
		`souk_removals_pending 1`, `souk_searches_total 9`, `souk_searches_without_result_total 4`, `souk_copy_published_timestamp_seconds 1.7e+09`, `souk_copy_pending 1`, `souk_mail_oldest_seconds 3600`,
		`souk_lease_seconds 0.75`, `souk_withheld_revision 7`, `souk_release_revision 6`,
	} {
		if !strings.Contains(after, "\n"+line) {
			t.Errorf("%s is missing in\n%s", line, after)
		}
	}
}

func TestClientsCannotAddSeries(t *testing.T) {
	m := metrics.New("test", func() metrics.State { return metrics.State{} })
	for _, method := range []string{"GET", "BREW", "X1", "X2"} {
		m.Answered("/api/v1/marketplace/companies/{companySlug}", method, 200, time.Millisecond)
	}
	m.Answered("", "GET", 404, time.Millisecond)
	text := read(t, m)
	for _, line := range []string{
		`souk_http_requests_total{method="other",route="/api/v1/marketplace/companies/{companySlug}",status="200"} 3`,
		`souk_http_requests_total{method="GET",route="none",status="404"} 1`,
		`souk_http_request_duration_seconds_count{route="/api/v1/marketplace/companies/{companySlug}"} 4`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%s is missing", line)
		}
	}
}
