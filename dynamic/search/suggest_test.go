package search

import (
	"slices"
	"souk/dynamic/search/suggest"
	"testing"
)

func TestANameThatIsSpelledAsTypedComesBeforeShorterOnesWithItsLetters(t *testing.T) {
	x := openMemory(t, extract(market("en", "C", "C#", "C++", "Node js", "NodeJS", "Node.js tools", "Node Jsx")), nil)
	for typed, want := range map[string]string{"C++": "C++", "c#": "C#", "C": "C", "NodeJS": "NodeJS", "node.js t": "Node.js tools", "node js": "Node js", "node.j": "Node.js tools"} {
		a, err := x.Suggest(t.Context(), suggest.Query{Text: typed, Limit: 1})
		if err != nil || len(a.Suggestions) != 1 || a.Suggestions[0].Name != want {
			t.Errorf("%q suggests %+v first, want %q (%v)", typed, a, want, err)
		}
	}
}

func TestWhatHasATypingErrorIsSuggestedLast(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"institute Kyoto JP"}, map[string]string{"institutions": "Institutions"},
		offerOf{seller: "institute", name: "Istio"}, offerOf{seller: "institute", name: "Istio for everybody"}, offerOf{seller: "institute", name: "Anchor", categories: []string{"institutions"}})), nil)
	a, err := x.Suggest(t.Context(), suggest.Query{Text: "isti", Limit: 8})
	var names []string
	for _, s := range a.Suggestions {
		names = append(names, s.Name)
	}
	if want := []string{"Istio", "Istio for everybody", "Institutions", "The institute company"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("suggests %q, want %q (%v)", names, want, err)
	}
}
