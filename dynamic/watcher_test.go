package dynamic

import (
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestMetricsCountWhatIsAnsweredAtAnAddressOfTheirOwn(t *testing.T) {
	h := newHouse(t)
	h.Metrics = "127.0.0.1:0"
	var log strings.Builder
	h.Log = slog.New(slog.NewTextHandler(&log, nil))
	stop := h.open()
	address := regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+/metrics`).FindString(log.String())
	if address == "" {
		t.Fatalf("the log names no address of the metrics: %s", log.String())
	}
	h.get("/companies/acme")
	h.get("/companies/nobody")
	var text string
	h.until("both requests are counted", func() bool {
		response, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		text = string(body)
		const of = `souk_http_requests_total{method="GET",route="/api/v1/marketplace/companies/{companySlug}",status=`
		return strings.Contains(text, of+`"200"} 1`) && strings.Contains(text, of+`"404"} 1`)
	})
	for _, name := range []string{"souk_release_info{", "souk_search_index_info{", "souk_mails_waiting 0", "souk_removals_pending 0"} {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("%s is missing", name)
		}
	}
	if status, _ := h.get("/../metrics"); status == http.StatusOK {
		t.Error("the public address answers metrics")
	}
	stop()
	if response, err := http.Get(address); err == nil {
		response.Body.Close()
		t.Error("the metrics are answered after the end")
	}
}
