package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"souk/build/document"
)

// Together, the parts have every endpoint once and each schema as in the whole description,
// and nothing that their own endpoints do not use.
func TestPartsAreSmallAndTogetherDescribeEveryEndpoint(t *testing.T) {
	renderer := emptyMarket()
	whole := plainOf(t, renderer.OpenAPI())
	schemas := whole["components"].(map[string]any)["schemas"].(map[string]any)
	var found, told []string
	for _, slug := range document.PartSlugs() {
		data := renderer.OpenAPIPart(slug)
		if len(data) > document.PartSize {
			t.Errorf("the part %s has %d bytes, at most %d are wanted: make two groups of it", slug, len(data), document.PartSize)
		}
		t.Logf("%s: %d bytes", slug, len(data))
		for path, item := range loadOpenAPI(t, data).Paths.Map() {
			for method := range item.Operations() {
				found = append(found, method+" "+path)
			}
		}
		part := plainOf(t, data)
		of := part["components"].(map[string]any)
		for kind, all := range of {
			for name, one := range all.(map[string]any) {
				if kind != "securitySchemes" && !strings.Contains(string(data), `"#/components/`+kind+"/"+name+`"`) {
					t.Errorf("%s: nothing refers to %s", slug, name)
				}
				if kind == "schemas" && !reflect.DeepEqual(one, schemas[name]) {
					t.Errorf("%s: %s is another schema than that of the whole", slug, name)
				}
			}
		}
		told = append(told, api+"/openapi/"+slug+".json")
	}
	var want []string
	for _, e := range document.Endpoints() {
		want = append(want, e.Method+" "+e.Path)
	}
	slices.Sort(found)
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("the parts tell of\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
	var listed []string
	for _, one := range whole["x-parts"].([]any) {
		listed = append(listed, fmt.Sprint(one.(map[string]any)["url"]))
	}
	if !slices.Equal(listed, told) {
		t.Errorf("the whole lists the parts %v, want %v", listed, told)
	}
}

// A part only omits what the whole description says about every address.
func TestPartsOmitOnlyWhatTheWholeSaysAboutEveryAddress(t *testing.T) {
	renderer := emptyMarket()
	whole := loadOpenAPI(t, renderer.OpenAPI())
	for _, slug := range document.PartSlugs() {
		for path, item := range loadOpenAPI(t, renderer.OpenAPIPart(slug)).Paths.Map() {
			for method, operation := range item.Operations() {
				all := maps.Clone(whole.Paths.Value(path).Operations()[method].Responses.Map())
				delete(all, "304")
				delete(all, "405")
				got, want := slices.Sorted(maps.Keys(operation.Responses.Map())), slices.Sorted(maps.Keys(all))
				if !slices.Equal(got, want) {
					t.Errorf("%s %s answers %v, want %v", method, path, got, want)
				}
			}
		}
	}
}

func plainOf(t *testing.T, data []byte) (value map[string]any) {
	t.Helper()
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return value
}
