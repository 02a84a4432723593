package dynamic

import (
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// watched starts the program and returns the address of its metrics.
func (h *house) watched() (address string, stop func()) {
	h.Helper()
	h.Metrics = "127.0.0.1:0"
	var log capture // the program goes on writing
	h.Config.Log = slog.New(slog.NewTextHandler(&log, nil))
	stop = h.open()
	if address = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+/metrics`).FindString(log.String()); address == "" {
		h.Fatalf("the log names no address of the metrics: %s", log.String())
	}
	return address, stop
}

func (h *house) metrics(address string) string {
	h.Helper()
	response, err := http.Get(address)
	if err != nil {
		h.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		h.Fatal(err)
	}
	return string(body)
}

func TestMetricsHaveASeparateAddress(t *testing.T) {
	h := newHouse(t)
	address, stop := h.watched()
	h.get("/companies/acme")
	h.get("/companies/nobody")
	var text string
	h.until("both requests are counted", func() bool {
		text = h.metrics(address)
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
