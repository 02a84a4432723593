package document

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"souk/build/catalog"
)

// loadOpenAPI reads a description with a validator that is not ours.
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
	doc := loadOpenAPI(t, describedRenderer(catalog.Marketplace{Name: "Souk", Description: "All sorts."}).OpenAPI())
	var described []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	slices.Sort(described)
	if want := endpointAddresses(); !slices.Equal(described, want) {
		t.Errorf("described are\n%s\nwant\n%s", strings.Join(described, "\n"), strings.Join(want, "\n"))
	}
	if doc.Info.Title != "Souk API" || doc.Servers[0].URL != describedAPI {
		t.Errorf("title %q, server %q", doc.Info.Title, doc.Servers[0].URL)
	}
}

func TestOpenAPITellsTheStatusesOfAnEndpoint(t *testing.T) {
	doc := loadOpenAPI(t, describedRenderer(catalog.Marketplace{Name: "Souk"}).OpenAPI())
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
	if gone.Content[ProblemType] == nil || gone.Headers["Access-Control-Allow-Origin"] == nil {
		t.Error("410 is not a Problem that any page may read")
	}
}

func TestOpenAPIIsTheSameEveryTime(t *testing.T) {
	r := describedRenderer(catalog.Marketplace{Name: "Souk"})
	first := r.OpenAPI()
	for range 5 {
		if !bytes.Equal(first, r.OpenAPI()) {
			t.Fatal("two descriptions of one marketplace differ")
		}
	}
	if bytes.Contains(first, []byte(`\u0026`)) || !json.Valid(first) || !bytes.HasSuffix(first, []byte("}\n")) {
		t.Error("the description is not plain JSON with a line end")
	}
}

// Every kind of answer can be described, also those that no document gives.
func TestOpenAPIDescribesRequestsThatChangeSomething(t *testing.T) {
	type startRequest struct {
		Name string `json:"name" doc:"Who asks." jsonschema:"minLength=1,maxLength=200"`
	}
	type startAnswer struct {
		Company   *Link    `json:"company" doc:"Which company."`
		Highlight [][2]int `json:"highlight" doc:"From where to where."`
		Score     float64  `json:"score" doc:"How good."`
		Size      any      `json:"size" doc:"How big." jsonschema:"oneof_type=integer;string"`
	}
	const path = "/things/{id}/starts"
	data := describedRenderer(catalog.Marketplace{Name: "Souk"}).openAPI([]Endpoint{
		{
			ID: "start", Method: http.MethodPost, Path: path, Summary: "A start", Tag: tagService,
			Params: []Param{
				{Name: "id", In: InPath, Description: "Which.", Required: true, Type: TypeString},
				{Name: "Idempotency-Key", In: InHeader, Description: "Any text.", Type: TypeString, Min: 1, Max: 200},
			},
			RequestBody: startRequest{}, Status: http.StatusAccepted, Response: startAnswer{},
			Problems: []string{
				CodeInvalidBody, CodeUnauthenticated, CodeNotFound, CodeVerificationNotFound, CodeInvalidField,
				CodeEmailDomainMismatch, CodeRateLimited, CodeUnavailable,
			},
			Auth: AuthBearer, Dynamic: true,
		},
		{
			ID: "list", Method: http.MethodGet, Path: path, Summary: "The starts", Tag: tagService,
			Params: []Param{
				{Name: "id", In: InPath, Description: "Which.", Required: true, Type: TypeString},
				{Name: "limit", In: InQuery, Description: "How many.", Type: TypeInteger, Max: 100, Default: 20},
				{Name: "kind", In: InQuery, Description: "Of what.", Type: TypeString, Enum: []string{"product", "service"}, Repeat: true},
			},
			Status: http.StatusOK, Response: startAnswer{}, Problems: []string{CodeInvalidParameter}, Dynamic: true,
		},
	})
	item := loadOpenAPI(t, data).Paths.Value(path)
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
