package dynamic

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"souk/build/document"
)

// compare asks for a comparison.
func (h *house) compare(status int, refs ...string) map[string]any {
	h.Helper()
	return h.json("GET", "/listings/compare?"+url.Values{"ref": refs}.Encode(), "", status)
}

func TestComparisonUsesTheDocuments(t *testing.T) {
	h := newRenamed(t)
	h.write("sellers/acme/products/arm-8.yaml", "name: Arm 8\ncategories: [robots]\nattributes: {Payload: {value: 7, unit: kg}}\nprice: {amount: \"10.50\", currency: EUR}\nproof: [{kind: award, title: Arm of the year, public: true}]\n")
	h.write("categories/product/robots.yaml", "name: Robots\ncardAttributes: [payload]\n")
	h.untilAnswer("/companies/acme/products/arm-8", 200, "10.50")
	h.untilAnswer("/categories/product/robots", 200, "cardAttributes")
	h.write("sellers/maker/products/lathe.yaml", lathe+"aliases: [product:acme/lathe, product:maker/turner]\nattributes: {Payload: {value: 500, unit: g}}\n")
	h.untilAnswer("/companies/maker/products/lathe", 200, "500")
	got := h.compare(200, "product:acme/arm-8", "product:was-maker/turner", "product:maker/lathe", "product:acme/nothing")
	want := `[{"name":"Payload","unit":"kg","cells":[{"value":7},{"value":0.5,"original":{"value":500,"unit":"g"}}]},
		{"field":"price","cells":[{"amount":"10.50","currency":"EUR"},null]}]`
	var rows any
	if err := json.Unmarshal([]byte(want), &rows); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got["rows"], rows) {
		t.Errorf("the rows are %v", got["rows"])
	}
	if !reflect.DeepEqual(got["differs"], []any{"Payload", "price"}) || !reflect.DeepEqual(got["missing"], []any{map[string]any{"ref": "product:acme/nothing", "status": "unknown"}}) {
		t.Errorf("differs is %v, missing is %v", got["differs"], got["missing"])
	}
	// Its cards are those of the lists.
	list := h.json("GET", "/categories/product/robots", "", 200)["listings"].(map[string]any)["items"].([]any)
	for _, card := range got["listings"].([]any) {
		found := false
		for _, other := range list {
			found = found || reflect.DeepEqual(card, other)
		}
		if !found {
			t.Errorf("no list has the card %v", card)
		}
	}
	if n := len(got["listings"].([]any)); n != 2 {
		t.Errorf("%d listings were compared, an alias and its target among them", n)
	}
}

func TestInvalidComparisonsAreRefused(t *testing.T) {
	h := newHouse(t)
	h.open()
	const arm = "ref=product:acme/arm-7"
	for _, query := range []string{
		"", arm, strings.Repeat(arm+"&", 9), arm + "&ref=seller:acme", arm + "&ref=arm", arm + "&ref=product:acme/Arm", arm + "&" + arm + "&limit=1", arm + "&ref=%ff", arm + "&ref=product:a%00/b", "%zz",
	} {
		said := h.json("GET", "/listings/compare?"+query, "", http.StatusBadRequest)
		if said["code"] != document.CodeInvalidParameter || len(said["errors"].([]any)) == 0 {
			t.Errorf("%q is answered with %v", query, said)
		}
	}
	path := market + "/listings/compare?" + arm + "&ref=service:acme/setup"
	first := h.ask("GET", path, "")
	if tag := first.header.Get("ETag"); first.status != 200 || h.ask("HEAD", path, "").header.Get("ETag") != tag || h.ask("GET", path, "", "If-None-Match", tag).status != http.StatusNotModified {
		t.Errorf("%d with the tag %q, which HEAD does not have or a later request does not know", first.status, tag)
	}
	if h.ask("POST", path, "").status != http.StatusMethodNotAllowed {
		t.Error("it takes a POST")
	}
	// Eight References of one listing are a comparison, of one listing.
	if got := h.json("GET", "/listings/compare?"+strings.Repeat(arm+"&", 7)+arm, "", 200); len(got["listings"].([]any)) != 1 || len(got["differs"].([]any)) != 0 {
		t.Errorf("eight times the same is %v", got)
	}
}

func TestComparisonShowsNoRemovedSeller(t *testing.T) {
	h := newLeaving(t)
	if got := h.compare(200, "product:acme/arm-7", "product:other/thing"); len(got["listings"].([]any)) != 2 {
		t.Fatalf("before the removal: %v", got)
	}
	h.withdraw("acme", "acme.example")
	got := h.compare(200, "product:acme/arm-7", "product:other/thing", "service:acme/setup", "product:acme/arm-6")
	var removed []any
	for _, ref := range []string{"product:acme/arm-7", "service:acme/setup", "product:acme/arm-6"} {
		removed = append(removed, map[string]any{"ref": ref, "status": "removed"})
	}
	if !reflect.DeepEqual(got["missing"], removed) || len(got["listings"].([]any)) != 1 {
		t.Errorf("after the removal: %v", got)
	}
	if whole, _ := json.Marshal(got); strings.Contains(string(whole), "Arm") {
		t.Errorf("it still names the offer: %s", whole)
	}
}

func TestAgentsGetTheSameComparison(t *testing.T) {
	h := newLeaving(t)
	refs := []string{"product:acme/arm-7", "product:other/thing", "service:acme/setup"}
	a := h.agent()
	got := a.call("get", args{"refs": refs, "view": "compare", "detail": "full"})
	var structured struct{ StructuredContent map[string]any }
	if err := json.Unmarshal([]byte(got.whole), &structured); err != nil {
		t.Fatal(err)
	}
	for name, value := range h.compare(200, refs...) {
		if !reflect.DeepEqual(structured.StructuredContent[name], value) {
			t.Errorf("%s is %v, and %v over HTTP", name, structured.StructuredContent[name], value)
		}
	}
	if len(got.Items) != 3 || got.Items[1].Status != "found" || got.Items[1].URL == "" {
		t.Errorf("the items are %+v", got.Items)
	}
	for _, wrong := range [][]string{{refs[0]}, {refs[0], "seller:acme"}, {refs[0], "nothing"}} {
		if answer := a.call("get", args{"refs": wrong, "view": "compare"}); !answer.wrong {
			t.Errorf("%v is answered with %s", wrong, answer.whole)
		}
	}
	h.withdraw("acme", "acme.example")
	got = a.call("get", args{"refs": []string{refs[1], refs[0], refs[0]}, "view": "compare"})
	if len(got.Items) != 3 || got.Items[0].Status != "found" || got.Items[2].Status != "removed" || strings.Contains(got.text, "Arm") {
		t.Errorf("after the removal: %s", got.whole)
	}
}

func TestComparisonPageWorksWithoutScript(t *testing.T) {
	h := newLeaving(t)
	h.write("sellers/other/products/thing.yaml", "name: Thing\ncategories: [robots]\nattributes: {Weight: {value: 2, unit: kg}}\n")
	h.untilAnswer("/companies/other/products/thing", 200, "Weight")
	const arm, thing = "ref=product:acme/arm-7", "ref=product:other/thing"
	for _, one := range []struct {
		query  string
		status int
		has    []string
	}{
		{arm + "&" + thing + "&ref=service:acme/setup&utm_source=x", 200, []string{"Arm 7", "Thing", "not stated", "differs", "/companies/other/products/thing", `<meta name="robots" content="noindex">`}},
		{arm + "&ref=product:acme/nothing", 200, []string{"Arm 7", "product:acme/nothing was not found"}},
		{"", 200, []string{"Choose 2 to 8"}},
		{arm, 200, []string{"Choose 2 to 8"}},
		{arm + "&ref=%3Cb%3E", 400, []string{"Choose 2 to 8", "&lt;b&gt;"}},
		{strings.Repeat(arm+"&", 9), 400, []string{"Choose 2 to 8", "this has 9"}},
	} {
		a := h.ask("GET", "/compare?"+one.query, "")
		if a.status != one.status {
			t.Errorf("%q: %d", one.query, a.status)
		}
		for _, part := range one.has {
			if !strings.Contains(string(a.body), part) {
				t.Errorf("%q: the page has no %q: %s", one.query, part, a.body)
			}
		}
	}
	h.withdraw("acme", "acme.example")
	if a := h.ask("GET", "/compare?"+arm+"&"+thing, ""); a.status != 200 || strings.Contains(string(a.body), "Arm 7") || !strings.Contains(string(a.body), "no longer listed") {
		t.Errorf("after the removal: %d %s", a.status, a.body)
	}
}
