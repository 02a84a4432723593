package document

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"souk/build/catalog"
)

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

// Every kind of answer can be described, including those that no document produces. The
// module beside this package checks the result with a third-party validator.
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
			Bearer: true, Dynamic: true,
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
	file := filepath.Join("openapi", "testdata", "requests.json")
	if *updateFiles {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, want) {
		t.Errorf("%s has changed; run make generate and review git diff", file)
	}
}
