package exposition

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"souk/dynamic/operator/metrics"
)

// hostile contains everything that the format escapes, and more.
const hostile = "a\\b\"c\nd} e{f=\"g\",\\n#ü\u2028"

// families requests metrics that use every field, and returns them as Prometheus parses
// them.
func families(t *testing.T, version string) map[string]*dto.MetricFamily {
	t.Helper()
	m := metrics.New(version, func() metrics.State {
		return metrics.State{
			Release: "r1", Index: "r0", Documents: 12, Bytes: 1 << 40, Down: []string{"ledger", "search"}, MailsWaiting: 2,
			OldestMail: 1500 * time.Millisecond, RemovalsPending: 1, Published: time.Unix(1_700_000_000, 0), CopyPending: true,
		}
	})
	for _, took := range []time.Duration{0, 100 * time.Microsecond, 101 * time.Microsecond, 3 * time.Millisecond, time.Hour} {
		m.Answered("/a/{b}", http.MethodGet, 200, took)
	}
	m.Answered("", http.MethodPost, 404, time.Second)
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d", w.Code)
	}
	if format := expfmt.ResponseFormat(w.Header()); format.FormatType() != expfmt.TypeTextPlain {
		t.Fatalf("it is sent as %q", w.Header().Get("Content-Type"))
	}
	seen := map[string]bool{}
	for line := range strings.Lines(w.Body.String()) {
		series, _, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(line, "#") && !strings.Contains(line, "version=") && seen[series] {
			t.Errorf("%s is told twice", series)
		}
		seen[series] = true
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	all, err := parser.TextToMetricFamilies(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, w.Body)
	}
	return all
}

func TestMetricNamesAreListed(t *testing.T) {
	var got []string
	for name, family := range families(t, "1.2.3") {
		if family.GetHelp() == "" {
			t.Errorf("%s has no help", name)
		}
		if runtime.GOOS == "linux" || !strings.HasPrefix(name, "process_") {
			got = append(got, name+" "+strings.ToLower(family.GetType().String()))
		}
	}
	slices.Sort(got)
	file, err := os.ReadFile("testdata/families.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(strings.ReplaceAll(string(file), " ", "="))
	want = slices.DeleteFunc(want, func(line string) bool {
		return runtime.GOOS != "linux" && strings.HasPrefix(line, "process_")
	})
	if got := strings.Fields(strings.ReplaceAll(strings.Join(got, "\n"), " ", "=")); !slices.Equal(got, want) {
		t.Errorf("told are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLabelsArriveUnchanged(t *testing.T) {
	for _, version := range []string{hostile, "", "\\", "\\\\n\n"} {
		label := families(t, version)["souk_build_info"].GetMetric()[0].GetLabel()[0]
		if label.GetName() != "version" || label.GetValue() != version {
			t.Errorf("%s is %q, want %q", label.GetName(), label.GetValue(), version)
		}
	}
	broken := families(t, "a\xffb")["souk_build_info"].GetMetric()[0].GetLabel()[0].GetValue()
	if broken != "a\uFFFDb" {
		t.Errorf("what is no text arrives as %q", broken)
	}
}

func TestBucketsAreCumulative(t *testing.T) {
	durations := families(t, "1")["souk_http_request_duration_seconds"].GetMetric()
	if len(durations) != 2 {
		t.Fatalf("%d routes are told", len(durations))
	}
	h := durations[0].GetHistogram()
	if h.GetSampleCount() != 5 || h.GetSampleSum() < 3600 || h.GetSampleSum() > 3601 {
		t.Errorf("%d requests of %v seconds", h.GetSampleCount(), h.GetSampleSum())
	}
	want := map[float64]uint64{.0001: 2, .0005: 3, .0025: 3, .005: 4, 15: 4}
	for i, b := range h.GetBucket() {
		if n, known := want[b.GetUpperBound()]; known && n != b.GetCumulativeCount() {
			t.Errorf("%d took at most %v s, want %d", b.GetCumulativeCount(), b.GetUpperBound(), n)
		}
		if i > 0 && b.GetCumulativeCount() < h.GetBucket()[i-1].GetCumulativeCount() {
			t.Errorf("the buckets fall at %v", b.GetUpperBound())
		}
	}
	if last := h.GetBucket()[len(h.GetBucket())-1]; last.GetCumulativeCount() != 5 {
		t.Errorf("the last bucket has %d", last.GetCumulativeCount())
	}
}

func TestProcessValuesArePlausible(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("they are told on Linux alone")
	}
	all := families(t, "1")
	for name, between := range map[string][2]float64{
		"process_resident_memory_bytes": {1 << 20, 1 << 36},
		"process_open_fds":              {3, 10_000},
		"process_max_fds":               {64, 1 << 40},
		"go_goroutines":                 {1, 10_000},
		"go_threads":                    {1, 10_000},
		"go_memstats_sys_bytes":         {1 << 20, 1 << 36},
		"process_start_time_seconds":    {float64(time.Now().Add(-time.Hour).Unix()), float64(time.Now().Add(10 * time.Second).Unix())},
	} {
		value := all[name].GetMetric()[0].GetGauge().GetValue()
		if value < between[0] || value > between[1] {
			t.Errorf("%s is %v, want it between %v and %v", name, value, between[0], between[1])
		}
	}
}
