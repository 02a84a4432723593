package search

import (
	"slices"
	"testing"
)

func TestCompoundAlsoMatchesTwoWords(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(market("en", "Mesh: Runs ArgoCD", "Rollouts: Needs Argo CD, always", "Ship: An Argo cruise, and a CD", "Boat: Argo. CD player", "Kubes: Argo CD on Kubernetes")), nil)
		for query, want := range map[string][]string{
			"argocd":            {"Mesh", "Kubes", "Rollouts"},
			"ArgoCD kubernetes": {"Kubes"},
			"argocd or boat":    {"Boat", "Mesh", "Kubes", "Rollouts"},
		} {
			if got := names(t, x, query); !slices.Equal(got, want) {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		}
		r, err := x.Search(t.Context(), Query{Text: "argocd", Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		if h := r.Listings[2].Highlight; len(h.SnippetHighlight) == 0 || len(r.Interpreted) > 0 {
			t.Errorf("the words are marked as %v, and %v is told", h, r.Interpreted)
		}
	})
}
