package openapi

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"souk/build/catalog"
	"souk/build/document"
)

const api = "https://api.market.example/api/v1"

// described returns the description of an empty marketplace.
func described() []byte { return emptyMarket().OpenAPI() }

// emptyMarket returns the Renderer of an empty marketplace.
func emptyMarket() *document.Renderer {
	c := catalog.New()
	c.Apply(catalog.Change{
		Marketplace: &catalog.Marketplace{Name: "Souk", Description: catalog.Text{Source: "All sorts."}, SiteURL: "https://market.example", APIURL: api},
		Now:         time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	})
	return document.NewRenderer(c, "")
}

// loadOpenAPI reads a description with a third-party validator.
func loadOpenAPI(t *testing.T, data []byte) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.IsOpenAPI31OrLater()); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestOpenAPIDescribesExactlyTheEndpoints(t *testing.T) {
	doc := loadOpenAPI(t, described())
	var found []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			found = append(found, method+" "+path)
		}
	}
	slices.Sort(found)
	var want []string
	for _, e := range document.Endpoints() {
		want = append(want, e.Method+" "+e.Path)
	}
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("described are\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
	if doc.Info.Title != "Souk API" || doc.Servers[0].URL != api {
		t.Errorf("title %q, server %q", doc.Info.Title, doc.Servers[0].URL)
	}
}

func TestOpenAPIListsTheStatusesOfAnEndpoint(t *testing.T) {
	doc := loadOpenAPI(t, described())
	for path, want := range map[string][]string{
		"/marketplace/companies/{companySlug}": {"200", "304", "404", "405", "410"},
		"/marketplace/articles/{slug}":         {"200", "304", "404", "405"},
		"/marketplace/articles":                {"200", "304", "405"},
		"/health":                              {"200", "405", "503"},
	} {
		var got []string
		for status := range doc.Paths.Value(path).Get.Responses.Map() {
			got = append(got, status)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s answers %v, want %v", path, got, want)
		}
	}
	gone := doc.Paths.Value("/marketplace/companies/{companySlug}").Get.Responses.Value("410").Value
	if gone.Content[document.ProblemType] == nil || gone.Headers["Access-Control-Allow-Origin"] == nil {
		t.Error("410 is not a Problem that any page may read")
	}
}

// Package document compares its description with this file.
func TestOpenAPIDescribesRequestsThatChangeSomething(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "requests.json"))
	if err != nil {
		t.Fatal(err)
	}
	item := loadOpenAPI(t, data).Paths.Value("/things/{id}/starts")
	if item.Post == nil || item.Get == nil {
		t.Fatal("two methods of one path do not stand side by side")
	}
	responses := item.Post.Responses
	if responses.Value("429").Value.Headers["Retry-After"] == nil || responses.Value("401").Value.Headers["WWW-Authenticate"] == nil {
		t.Error("a header of 429 or 401 is missing")
	}
	if !strings.Contains(responses.Value("404").Ref, "NotFoundOrVerificationNotFound") {
		t.Errorf("404 is %s", responses.Value("404").Ref)
	}
	if item.Post.Security == nil || item.Post.RequestBody == nil || item.Get.Security != nil {
		t.Error("the proof or the body is not asked for where it should be")
	}
	if kind := item.Get.Parameters.GetByInAndName("query", "kind"); !kind.Schema.Value.Type.Is("array") {
		t.Error("a parameter that may repeat is not an array")
	}
}

// Client generators name an enum, or a choice of types, after the struct and the member.
func TestNoTwoTypesAreNamedTheSameByGenerators(t *testing.T) {
	schemas := loadOpenAPI(t, described()).Components.Schemas
	named := map[string]string{}
	for name := range schemas {
		named[strings.ToLower(name)] = name
	}
	for name, schema := range schemas {
		for member, of := range schema.Value.Properties {
			if of.Ref != "" || of.Value.Enum == nil && of.Value.AnyOf == nil {
				continue
			}
			key, at := strings.ToLower(name+member), name+"."+member
			if other, taken := named[key]; taken {
				t.Errorf("%s and %s would be types of one name", other, at)
			}
			named[key] = at
		}
	}
}
