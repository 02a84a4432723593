package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"souk/build/catalog"
	"souk/build/kit/rendition"
	"souk/build/source"
)

// publicTypes returns every struct in the description of the API.
func publicTypes() map[string]reflect.Type {
	set := newSchemaSet()
	set.of(reflect.TypeFor[Problem]())
	for _, e := range Endpoints() {
		if e.MediaType == "" {
			set.of(reflect.TypeOf(e.Response))
		}
		if e.RequestBody != nil {
			set.of(reflect.TypeOf(e.RequestBody))
		}
	}
	return set.types
}

// describedSchemas compiles the schemas of objects in the OpenAPI document with a
// third-party validator. It closes them first, so that an unknown member is an error here.
func describedSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	const resource = "https://market.example/openapi.json"
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(describedRenderer(catalog.Marketplace{Name: "Souk"}).OpenAPI()))
	if err != nil {
		t.Fatal(err)
	}
	schemas := doc.(map[string]any)["components"].(map[string]any)["schemas"].(map[string]any)
	var objects []string
	for name, schema := range schemas {
		if schema := schema.(map[string]any); schema["type"] == "object" {
			objects = append(objects, name)
			schema["additionalProperties"] = false
		}
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource(resource, doc); err != nil {
		t.Fatal(err)
	}
	compiled := map[string]*jsonschema.Schema{}
	for _, name := range objects {
		if compiled[name], err = compiler.Compile(resource + schemaPrefix + name); err != nil {
			t.Fatal(err)
		}
	}
	return compiled
}

func validateJSON(schema *jsonschema.Schema, data []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// A filler creates values in which every field is set, or only the required ones.
type filler struct {
	optional bool
	plain    any
}

func (f filler) fill(v reflect.Value, tag string, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), tag, depth)
	case reflect.Struct:
		for _, field := range jsonFields(v.Type()) {
			if f.optional || !field.optional {
				f.fill(v.FieldByIndex(field.Index), field.Tag.Get("jsonschema"), depth+1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), tag, depth)
		}
	case reflect.Slice:
		if cells, is := v.Addr().Interface().(*ComparisonCells); is {
			*cells = ComparisonCells{nil, "remote", &Price{Amount: "12.50", Currency: "EUR"}, &ComparisonCell{Value: f.plain}}
			return
		}
		n := 2
		if depth > 6 { // a category tree is recursive
			n = 0
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			f.fill(v.Index(i), tag, depth)
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"search": "ok"}))
	case reflect.Interface:
		v.Set(reflect.ValueOf(f.plain))
		if strings.Contains(tag, "oneof_type=integer;string") {
			v.Set(reflect.ValueOf("11-50"))
		}
	case reflect.String:
		v.SetString(textFor(tag))
		if v.Type() == reflect.TypeFor[json.Number]() {
			v.SetString("12.5")
		}
	case reflect.Bool:
		v.SetBool(true)
	default:
		v.SetInt(7)
	}
}

func textFor(tag string) string {
	for keyword := range strings.SplitSeq(tag, ",") {
		switch name, value, _ := strings.Cut(keyword, "="); name {
		case "enum":
			return value
		case "format":
			if value == "email" {
				return "ada@market.example"
			}
			return "https://market.example/a?b=1&c"
		case "pattern":
			return "12.50"
		}
	}
	return "text & <more>"
}

func TestEveryTypeMatchesItsSchema(t *testing.T) {
	schemas, types := describedSchemas(t), publicTypes()
	if got, want := slices.Sorted(maps.Keys(schemas)), slices.Sorted(maps.Keys(types)); !slices.Equal(got, want) {
		t.Fatalf("described are %v, want %v", got, want)
	}
	for name, typ := range types {
		for _, f := range []filler{{true, "text"}, {true, json.Number("12.5")}, {true, false}, {false, 3}} {
			v := reflect.New(typ)
			f.fill(v.Elem(), "", 0)
			data, err := NewEncoder().bytes(v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			if err := validateJSON(schemas[name], data); err != nil {
				t.Errorf("%s: %s: %v", name, data, err)
			}
		}
	}
}

func TestSchemasRejectInvalidValues(t *testing.T) {
	schemas := describedSchemas(t)
	for name, body := range map[string]string{
		"Price":   `{"amount":"twelve","currency":"EUR"}`,
		"Link":    `{"kind":"seller","slug":"a","name":"A","url":"https://a.example"}`,
		"Variant": `{"name":"v","attributes":null}`,
		"Release": `{"id":"x","clock":"2026-01-02T03:04:05Z","documents":1,"bytes":"2"}`,
		"Health":  `{"status":"ok","secret":"1"}`,
	} {
		if validateJSON(schemas[name], []byte(body)) == nil {
			t.Errorf("%s takes %s", name, body)
		}
	}
}

func TestEveryTypeAndFieldIsDescribed(t *testing.T) {
	types := publicTypes()
	for name, typ := range types {
		if schemaDescriptions[name] == "" {
			t.Errorf("%s has no description", name)
		}
		for _, f := range jsonFields(typ) {
			if f.Tag.Get("doc") == "" {
				t.Errorf("%s.%s has no doc tag", name, f.Name)
			}
		}
	}
	for name := range schemaDescriptions {
		if types[name] == nil {
			t.Errorf("%s is described, but no endpoint answers with it", name)
		}
	}
}

func TestAnUnknownKeywordIsNotOmitted(t *testing.T) {
	type odd struct {
		A string `json:"a" doc:"A." jsonschema:"shape=round"`
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown keyword was passed over")
		}
	}()
	newSchemaSet().of(reflect.TypeFor[odd]())
}

// The documents of the example content are at addresses in the registry and match their
// descriptions there.
func TestDocumentsOfTheExampleContentMatchTheirEndpoints(t *testing.T) {
	r := exampleRenderer(t)
	schemas := describedSchemas(t)
	mux, endpoints := http.NewServeMux(), map[string]Endpoint{}
	for _, e := range Endpoints() {
		pattern := e.Method + " " + e.Pattern()
		endpoints[pattern] = e
		mux.Handle(pattern, http.NotFoundHandler())
	}
	documents := 0
	check := func(o Output) error {
		address, ok := strings.CutPrefix(o.File, strings.TrimSuffix(base, "/"))
		if !ok || o.Standing >= Absent || !strings.HasPrefix(address, apiPath("")) {
			return nil
		}
		documents++
		_, pattern := mux.Handler(httptest.NewRequest(http.MethodGet, strings.TrimSuffix(address, ".json"), nil))
		e, known := endpoints[pattern]
		if !known {
			return fmt.Errorf("no endpoint answers %s", address)
		}
		if err := validateJSON(schemas[reflect.TypeOf(e.Response).Name()], o.Body); err != nil {
			return fmt.Errorf("%s: %w", o.File, err)
		}
		return nil
	}
	encoder := NewEncoder()
	for _, u := range r.allUnits() {
		if err := r.Render(u, encoder, check); err != nil {
			t.Error(err)
		}
	}
	if documents < 20 {
		t.Errorf("only %d documents were made", documents)
	}
}

// exampleRenderer reads the content folder of this repository.
func exampleRenderer(t *testing.T) *Renderer {
	t.Helper()
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	folder := source.Open("../../content", filepath.Join(t.TempDir(), "cache"), "test", rendition.Open(""), func() time.Time { return now })
	if err := folder.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	change := folder.All()
	if change.Marketplace == nil {
		t.Fatal("the content folder has no marketplace")
	}
	change.Now = now
	c := catalog.New()
	c.Apply(change)
	return NewRenderer(c, "")
}
