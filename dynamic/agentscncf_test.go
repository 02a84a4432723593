package dynamic

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/build/release"
)

// A question is a buyer's question, with the calls that answer it and the text that the
// last answer must contain.
type question struct {
	asks  string
	calls []call
	shows string
}

type call struct {
	tool string
	args args
}

// questions are ten buyers' questions about the real marketplace. docs/agents.md quotes two
// of them and the limits below.
var questions = []question{
	{"Which service meshes have graduated?", []call{{"search", args{"q": "service mesh", "attribute": []string{"Maturity:graduated"}}}}, "products/istio"},
	{"Who in Switzerland runs Kubernetes for me?", []call{{"search", args{"q": "managed kubernetes", "country": []string{"CH"}}}}, "companies/swisscom"},
	{"Is Prometheus open source, and where is its code?", []call{{"suggest", args{"q": "prometheus"}}, {"get", args{"refs": []string{"product:cloud-native-computing-foundation/prometheus"}}}}, "https://github.com/prometheus/prometheus"},
	{"Which consultants in Germany help with Kubernetes?", []call{{"search", args{"q": "kubernetes consulting", "kind": "service", "country": []string{"DE"}}}}, "companies/sva"},
	{"What can I narrow observability tools by?", []call{{"categories", args{"category": "product/observability"}}}, "Maturity"},
	{"Which API gateways are open source?", []call{{"search", args{"category": []string{"product/api-gateway"}, "attribute": []string{"Open source:true"}}}}, "api-gateway"},
	{"What does an article say about market maps?", []call{{"articles", args{"q": "map of a market"}}, {"get", args{"refs": []string{"article:what-a-map-of-a-market-is-for"}, "detail": "full"}}}, "Segments"},
	{"Who makes vector databases, by the map of AI?", []call{{"maps", nil}, {"maps", args{"map": "ai-native", "segment": "Vector Database"}}}, "LanceDB"},
	{"What does SUSE offer?", []call{{"suggest", args{"q": "SUSE", "kind": []string{"seller"}}}, {"search", args{"seller": []string{"suse"}}}}, "products/rke2"},
	{"What is like Kafka?", []call{{"search", args{"q": "alternative to Kafka"}}}, "products/pulsar"},
}

// The budgets: tokens of four characters for the list of tools, bytes for answers, and
// calls and tokens for a question.
const (
	mostList, mostAnswer, mostSearch = 1679 * 4, 20 << 10, 6 << 10
	mostCalls, mostTokens            = 3, 4000
)

func TestAgentsStayWithinTheirBudgetsOnTheRealMarketplace(t *testing.T) {
	folder := cmp.Or(os.Getenv("SOUK_CNCF"), filepath.Join("..", "..", "shared", "data", "cncf"))
	if _, err := os.Stat(filepath.Join(folder, "marketplace.yaml")); err != nil {
		t.Skip("the real marketplace is not here: set SOUK_CNCF to its folder")
	}
	h := newHouseOf(t, folder)
	h.Config.Build.At, h.Config.Build.Precompress, h.Config.Build.Pages = fixed, release.NoPrecompress, false
	h.open()
	a := h.agent()
	for _, q := range questions {
		tokens, shown := 0, ""
		for _, c := range q.calls {
			r := a.call(c.tool, c.args)
			if r.wrong {
				t.Errorf("%s: %s", q.asks, r.text)
			}
			tokens, shown = tokens+len(r.whole)/4, r.whole
		}
		t.Logf("%s %d calls, %d tokens", q.asks, len(q.calls), tokens)
		if len(q.calls) > mostCalls || tokens > mostTokens || !strings.Contains(shown, q.shows) {
			t.Errorf("%s takes %d calls and %d tokens, and shows %q: %v", q.asks, len(q.calls), tokens, q.shows, strings.Contains(shown, q.shows))
		}
	}
	for _, text := range []string{"", "kubernetes", "service mesh", "database", "open source observability for kubernetes", "security", "the", "cloud native storage", "training"} {
		if r := a.call("search", args{"q": text}); len(r.whole) > mostSearch || r.Total >= 10 && len(r.Items) != 10 {
			t.Errorf("search %q: %d results in %d bytes", text, len(r.Items), len(r.whole))
		}
		// Following next returns every result exactly once.
		seen, next := map[string]bool{}, ""
		for page := range 8 {
			r := a.call("search", args{"q": text, "limit": 100, "next": next})
			for _, one := range r.Items {
				if seen[one.URL] {
					t.Errorf("search %q has %s twice", text, one.URL)
				}
				seen[one.URL] = true
			}
			if len(r.whole) > mostAnswer || r.Truncated && r.Next == "" {
				t.Errorf("search %q, page %d: %d bytes", text, page, len(r.whole))
			}
			if next = r.Next; next == "" {
				if len(seen) != r.Total {
					t.Errorf("search %q: %d of %d", text, len(seen), r.Total)
				}
				break
			}
		}
	}
	var refs []string
	for _, one := range a.call("search", args{"q": "kubernetes", "limit": 20}).Items {
		refs = append(refs, one.URL)
	}
	for _, c := range []call{
		{"get", args{"refs": refs}}, {"get", args{"refs": refs, "detail": "full"}}, {"get", args{"refs": []string{"seller:cloud-native-computing-foundation"}, "detail": "full"}},
		{"get", args{"refs": []string{"marketMap:cloud-native-landscape"}, "detail": "full"}}, {"get", args{"refs": []string{"category:product/observability"}, "detail": "full"}},
		{"search", args{"detail": "full"}}, {"suggest", args{"q": "c", "limit": 20}}, {"categories", nil}, {"categories", args{"category": "product/observability"}},
		{"articles", nil}, {"articles", args{"limit": 100}}, {"maps", nil}, {"maps", args{"map": "cloud-native-landscape"}},
	} {
		r := a.call(c.tool, c.args)
		t.Logf("%s %.60v: %d bytes, %d items, truncated %v, next %q", c.tool, c.args, len(r.whole), len(r.Items), r.Truncated, r.Next)
		if r.wrong || len(r.whole) > mostAnswer || len(r.Items) == 0 {
			t.Errorf("%s %v: %d bytes, %d items", c.tool, c.args, len(r.whole), len(r.Items))
		}
	}
}

func TestToolListIsShort(t *testing.T) {
	h := newHouse(t)
	h.open()
	listed, err := h.agent().ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := json.Marshal(listed)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d characters, %d tokens", len(whole), len(whole)/4)
	if len(whole) > mostList || listed.NextCursor != "" {
		t.Errorf("the list of tools has %d characters", len(whole))
	}
}
