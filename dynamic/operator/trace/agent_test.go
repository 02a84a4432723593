package trace

import (
	"context"
	"testing"
)

func TestAnswersToAgentsAreTraced(t *testing.T) {
	c := Config{Public: t.TempDir(), Agent: func(_ context.Context, tool string, _ map[string]any) ([]byte, error) {
		if tool == "search" {
			return []byte(`{"items":[{"url":"https://m.example/companies/acme/products/arm"}]}`), nil
		}
		return []byte(`{"items":[{"ref":"seller:acme","status":"removed"},{"url":"https://m.example/companies/acme-gmbh"}]}`), nil
	}}
	found, err := Trace(t.Context(), Subject{Slugs: []string{"acme"}}, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].File != "mcp search acme" || found[0].Excerpt != "/companies/acme" {
		t.Errorf("found %+v", found)
	}
}
