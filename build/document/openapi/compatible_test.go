package openapi

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

// released is the description of the last release; `make released` updates it.
var released = filepath.Join("testdata", "released.json")

var renew = flag.Bool("released", false, "write what the next release is compared with")

// severities are set where docs/compatibility.md differs from oasdiff's defaults: answers
// may have new values, and no parameter is removed.
var severities = map[string]checker.Level{
	checker.ResponsePropertyEnumValueAddedId: checker.WARN,
	checker.RequestParameterRemovedId:        checker.ERR,
}

// breaks returns the changes between two descriptions that would break a client, as defined
// in docs/compatibility.md.
func breaks(t *testing.T, before, after []byte) (all []string) {
	t.Helper()
	info := func(data []byte) *load.SpecInfo { return &load.SpecInfo{Spec: loadOpenAPI(t, data)} }
	difference, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), info(before), info(after))
	if err != nil {
		t.Fatal(err)
	}
	changes := checker.CheckBackwardCompatibility(checker.NewConfig(checker.GetAllChecks(), checker.WithSeverityLevels(severities)), difference, sources)
	for _, change := range changes {
		if change.GetLevel() == checker.ERR {
			where := strings.TrimSpace(change.GetOperation() + " " + change.GetPath())
			all = append(all, where+": "+change.GetUncolorizedText(checker.NewDefaultLocalizer()))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestNothingBreaksForClientsOfTheLastRelease(t *testing.T) {
	now := described()
	if *renew {
		if err := os.WriteFile(released, now, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	last, err := os.ReadFile(released)
	if err != nil {
		t.Fatal(err)
	}
	promises, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "compatibility.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := breaks(t, last, now)
	if _, accepted, ok := strings.Cut(string(promises), "## Accepted breaks"); ok {
		found = slices.DeleteFunc(found, func(one string) bool { return strings.Contains(accepted, "\n- "+one+"\n") })
	}
	if len(found) > 0 {
		t.Errorf("docs/compatibility.md promises that these do not happen within v1:\n%s", strings.Join(found, "\n"))
	}
}

// Each of these must be found, or the test above would prove nothing.
func TestBreakingChangesAreFound(t *testing.T) {
	const company = "/marketplace/companies/{companySlug}"
	schema := func(doc *openapi3.T, name string) *openapi3.Schema { return doc.Components.Schemas[name].Value }
	for what, change := range map[string]func(doc *openapi3.T){
		"an address goes": func(doc *openapi3.T) { doc.Paths.Delete(company) },
		"a member of an answer goes": func(doc *openapi3.T) {
			delete(schema(doc, "Link").Properties, "apiUrl")
			schema(doc, "Link").Required = []string{"kind", "slug", "name", "url"}
		},
		"a member of an answer may be missing": func(doc *openapi3.T) { schema(doc, "Link").Required = []string{"kind", "slug", "name", "url"} },
		"a member has another type": func(doc *openapi3.T) {
			schema(doc, "SearchResult").Properties["total"].Value.Type = &openapi3.Types{"string"}
		},
		"a member of a request is required": func(doc *openapi3.T) {
			schema(doc, "Requester").Properties["phone"] = text()
			require(schema(doc, "Requester"), "phone")
		},
		"a parameter goes": func(doc *openapi3.T) {
			search := doc.Paths.Value("/marketplace/listings/search").Get
			search.Parameters = search.Parameters[1:]
		},
		"a value of a parameter goes": func(doc *openapi3.T) {
			sort := doc.Paths.Value("/marketplace/listings/search").Get.Parameters.GetByInAndName("query", "sort")
			sort.Example, sort.Schema.Value.Enum = nil, sort.Schema.Value.Enum[:2]
		},
		"a parameter is required": func(doc *openapi3.T) {
			doc.Paths.Value("/marketplace/listings/search").Get.Parameters.GetByInAndName("query", "q").Required = true
		},
		"an answer goes": func(doc *openapi3.T) { doc.Paths.Value(company).Get.Responses.Delete("200") },
	} {
		doc := loadOpenAPI(t, described())
		change(doc)
		data, err := doc.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if found := breaks(t, described(), data); len(found) == 0 {
			t.Errorf("%s: no break is found", what)
		}
	}
}

// Changes that v1 may make are not breaking.
func TestAdditionsAreNotBreakingChanges(t *testing.T) {
	doc := loadOpenAPI(t, described())
	doc.Components.Schemas["Link"].Value.Properties["more"] = text()
	search := doc.Paths.Value("/marketplace/listings/search").Get
	search.Parameters = append(search.Parameters, &openapi3.ParameterRef{Value: &openapi3.Parameter{Name: "more", In: "query", Schema: text()}})
	rel := doc.Components.Schemas["Link"].Value.Properties["rel"].Value
	rel.Enum = append(rel.Enum, "newKind")
	more := *doc.Paths.Value("/health").Get
	more.OperationID = "more"
	doc.Paths.Set("/more", &openapi3.PathItem{Get: &more})
	data, err := doc.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if found := breaks(t, described(), data); len(found) > 0 {
		t.Errorf("taken for breaks: %s", strings.Join(found, "\n"))
	}
}

func text() *openapi3.SchemaRef {
	return &openapi3.SchemaRef{Value: &openapi3.Schema{Type: &openapi3.Types{"string"}}}
}

func require(s *openapi3.Schema, name string) { s.Required = append(s.Required, name) }
