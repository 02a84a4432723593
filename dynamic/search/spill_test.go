package search

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"souk/dynamic/search/suggest"
)

func TestIndexOutsideTheHeapAnswersTheSame(t *testing.T) {
	c := readCatalog(t, sampleFolder)
	in := openMemory(t, extract(c), nil)
	folder := t.TempDir()
	var warned bytes.Buffer
	out := openWith(t, extract(c), Options{Scratch: folder, Log: slog.New(slog.NewTextHandler(&warned, nil))})
	if warned.Len() > 0 {
		t.Fatalf("nothing is out of the heap: %s", &warned)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left in the folder, %v", left, err)
	}
	for _, q := range []Query{{Text: "hive", Limit: 10}, {Text: "robot arm", Limit: 10}, {Text: "robto", Limit: 10}, {Limit: 100, Sort: "newest"}, {Limit: 10, Filters: map[string][]string{"kind": {"service"}}}} {
		a, errA := in.Search(t.Context(), q)
		b, errB := out.Search(t.Context(), q)
		if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%+v: %+v, %v, want %+v, %v", q, b, errB, a, errA)
		} else if a.Total == 0 {
			t.Errorf("%+v finds nothing", q)
		}
	}
	for _, text := range []string{"a", "ki", "hvie"} {
		a, errA := in.Suggest(t.Context(), suggest.Query{Text: text, Limit: 8})
		b, errB := out.Suggest(t.Context(), suggest.Query{Text: text, Limit: 8})
		if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %+v, %v, want %+v, %v", text, b, errB, a, errA)
		}
	}
}

func TestIndexStaysInTheHeapIfItsFolderIsReadOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x := openWith(t, extract(readCatalog(t, sampleFolder)), Options{Scratch: filepath.Join(file, "below")})
	if r, err := x.Search(t.Context(), Query{Limit: 1}); err != nil || r.Total == 0 {
		t.Errorf("it finds %v, %v", r, err)
	}
}
