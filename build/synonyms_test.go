package build_test

import (
	"fmt"
	"strings"
	"testing"

	"souk/build"
)

func TestAnEditOfSynonymsUpdatesTheCatalogButNoDocument(t *testing.T) {
	m := newStaying(t, nil)
	said := func() string { return fmt.Sprint(m.builder.Catalog().Synonyms()) }
	edit := func(text string) build.Report {
		t.Helper()
		if text == "" {
			m.remove("synonyms.yaml")
		} else {
			m.write("synonyms.yaml", text)
		}
		report, err := m.builder.Build(t.Context(), m.set(), "synonyms.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	release, known := m.builder.Tree().ID(), map[uint64]bool{m.builder.SearchState().Content: true}
	for _, step := range []struct {
		text, want string
		wrong      bool
	}{
		{"- [nut, bolt]\n", "[{[nut bolt] [nut bolt]}]", false},
		{"- {from: nut, to: bolt}\n- [a, b]\n", "[{[nut] [bolt]} {[a b] [a b]}]", false},
		{"- [nut]\n", "[{[nut] [bolt]} {[a b] [a b]}]", true},
		{"- [nut, screw]\n", "[{[nut screw] [nut screw]}]", false},
		{"", "[]", false},
	} {
		report := edit(step.text)
		if held := len(report.HeldBack) > 0; held != step.wrong || report.Written > 0 || report.ID != release || said() != step.want {
			t.Errorf("after %q: %d documents were written, held back is %v, and the synonyms are %s", step.text, report.Written, report.HeldBack, said())
		}
		if before := known[m.builder.SearchState().Content]; before != (step.wrong || step.text == "") {
			t.Errorf("after %q: the content is known: %v", step.text, before)
		}
		known[m.builder.SearchState().Content] = true
	}
}

func TestARestartWithMistakesKeepsThePreviousSynonyms(t *testing.T) {
	m := newStaying(t, func(m *market, _ *build.Config) { m.write("synonyms.yaml", "- [nut, bolt]\n") })
	config := m.config("public", "var")
	config.LongLived = true
	m.write("synonyms.yaml", "- [nut, bolt, nut]\n")
	again, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	report, err := again.Build(t.Context(), m.set())
	if err != nil || len(report.HeldBack) != 1 || !strings.Contains(report.HeldBack[0].Text, "appears twice") {
		t.Fatalf("%v: held back is %v", err, report.HeldBack)
	}
	if got := fmt.Sprint(again.Catalog().Synonyms()); got != "[{[nut bolt] [nut bolt]}]" {
		t.Errorf("the synonyms are %s", got)
	}
	m.remove("synonyms.yaml")
	if _, err := again.Build(t.Context(), m.set(), "synonyms.yaml"); err != nil || len(again.Catalog().Synonyms()) != 0 {
		t.Errorf("%v: there are still %v", err, again.Catalog().Synonyms())
	}
}
