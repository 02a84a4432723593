package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

const (
	openAPIVersion = "3.1.0"
	apiVersion     = "1"
)

// OpenAPI returns the OpenAPI 3.1 document: the addresses from Endpoints, the schemas from the
// types of the documents. The same marketplace always gives the same bytes.
func (r *Renderer) OpenAPI() []byte { return r.openAPI(Endpoints()) }

func (r *Renderer) openAPI(endpoints []Endpoint) []byte {
	d := newOpenAPI()
	paths := d.paths(endpoints)
	about := r.describe()
	info := orderedMap{{"title", about.Name + " API"}}
	if about.Summary != "" {
		info = info.set("summary", about.Summary)
	}
	info = info.
		set("version", apiVersion).
		set("description", strings.TrimSpace(about.text("openapi.md.tmpl"))).
		set("contact", orderedMap{{"name", about.Name}, {"url", about.Site}})
	return indentedJSON(orderedMap{
		{"openapi", openAPIVersion},
		{"jsonSchemaDialect", "https://json-schema.org/draft/2020-12/schema"},
		{"info", info},
		{"externalDocs", r.externalDocs()},
		{"servers", []orderedMap{{{"url", about.API}}}},
		{"tags", tagObjects()},
		{"paths", paths},
		{"components", d.components()},
		{"x-parts", r.parts()},
	})
}

// externalDocs links another description of the API: for people if the release has pages,
// otherwise for agents.
func (r *Renderer) externalDocs() orderedMap {
	if r.pages {
		return orderedMap{{"description", "The same for people, with answers from this marketplace"}, {"url", r.site + ReferencePath}}
	}
	return orderedMap{{"description", "A summary for agents"}, {"url", r.site + "/" + LLMsFile}}
}

// indentedJSON returns JSON for human readers, with a final newline.
func indentedJSON(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		// The value was built here, from strings and numbers.
		panic(fmt.Sprintf("document: describe the API: %v", err))
	}
	return b.Bytes()
}

func tagObjects() []orderedMap {
	var all []orderedMap
	for _, t := range endpointTags {
		all = append(all, orderedMap{{"name", t.name}, {"description", t.description}})
	}
	return all
}

// An openAPI collects the components that operations use.
type openAPI struct {
	// brief leaves out response headers.
	brief      bool
	schemas    *schemaSet
	responses  map[string]orderedMap
	headers    map[string]bool
	parameters map[string]bool
	secured    bool
}

func newOpenAPI() *openAPI {
	return &openAPI{
		schemas: newSchemaSet(), responses: map[string]orderedMap{}, headers: map[string]bool{}, parameters: map[string]bool{},
	}
}

func (d *openAPI) paths(endpoints []Endpoint) orderedMap {
	var paths orderedMap
	for _, e := range endpoints {
		operation := member{strings.ToLower(e.Method), d.operation(e)}
		at := slices.IndexFunc(paths, func(m member) bool { return m.name == e.Path })
		if at < 0 {
			paths = paths.set(e.Path, orderedMap{operation})
			continue
		}
		paths[at].value = append(paths[at].value.(orderedMap), operation)
	}
	return paths
}

func (d *openAPI) operation(e Endpoint) orderedMap {
	op := orderedMap{{"tags", []string{e.Tag}}, {"operationId", e.ID}, {"summary", e.Summary}}
	if e.Description != "" {
		op = op.set("description", e.Description)
	}
	if parameters := d.parametersOf(e); len(parameters) > 0 {
		op = op.set("parameters", parameters)
	}
	if e.RequestBody != nil {
		op = op.set("requestBody", orderedMap{
			{"required", true}, {"content", d.content(jsonType, e.RequestBody)},
		})
	}
	op = op.set("responses", d.responsesOf(e))
	if e.Bearer {
		d.secured = true
		op = op.set("security", []orderedMap{{{"bearer", []string{}}}})
	}
	return op
}

const ifNoneMatch = "IfNoneMatch"

func (d *openAPI) parametersOf(e Endpoint) []orderedMap {
	var all []orderedMap
	for _, p := range e.Params {
		schema := paramSchema(p)
		if p.Repeat {
			schema = orderedMap{{"type", "array"}, {"items", schema}}
			if p.Most > 0 {
				schema = schema.set("minItems", p.Least).set("maxItems", p.Most)
			}
		}
		object := orderedMap{{"name", p.Name}, {"in", p.In}, {"description", p.Description}}
		if p.Required {
			object = object.set("required", true)
		}
		object = object.set("schema", schema)
		if p.Example != nil {
			object = object.set("example", p.Example)
		}
		all = append(all, object)
	}
	if e.answers(http.StatusNotModified) {
		d.parameters[ifNoneMatch] = true
		all = append(all, orderedMap{{"$ref", "#/components/parameters/" + ifNoneMatch}})
	}
	return all
}

// answers reports whether one of the Answers has a status.
func (e Endpoint) answers(status int) bool {
	return slices.ContainsFunc(e.Answers, func(a Answer) bool { return a.Status == status })
}

func paramSchema(p Param) orderedMap {
	schema := orderedMap{{"type", p.Type}}
	least, most := "minLength", "maxLength"
	if p.Type == TypeInteger {
		least, most = "minimum", "maximum"
	}
	if p.Pattern != "" {
		schema = schema.set("pattern", p.Pattern)
	}
	if len(p.Enum) > 0 {
		schema = schema.set("enum", p.Enum)
	}
	if p.Min > 0 || p.Type == TypeInteger {
		schema = schema.set(least, p.Min)
	}
	if p.Max > 0 {
		schema = schema.set(most, p.Max)
	}
	if p.Default != nil {
		schema = schema.set("default", p.Default)
	}
	return schema
}

func (d *openAPI) content(mediaType string, body any) orderedMap {
	return orderedMap{{mediaType, orderedMap{{"schema", d.schemas.of(reflect.TypeOf(body))}}}}
}

// responsesOf returns the responses of an Endpoint, by status.
func (d *openAPI) responsesOf(e Endpoint) orderedMap {
	byStatus := map[int]orderedMap{
		e.Status: d.answer(e, Answer{Status: e.Status, Description: e.Summary + ".", Body: e.Response}),
	}
	for _, a := range e.Answers {
		byStatus[a.Status] = d.answer(e, a)
	}
	codes := map[int][]string{}
	for _, code := range e.Problems {
		codes[ProblemStatus(code)] = append(codes[ProblemStatus(code)], code)
	}
	for status, list := range codes {
		byStatus[status] = d.problem(status, list)
	}
	var all orderedMap
	for _, status := range slices.Sorted(maps.Keys(byStatus)) {
		all = all.set(strconv.Itoa(status), byStatus[status])
	}
	return all
}

func (d *openAPI) answer(e Endpoint, a Answer) orderedMap {
	response := orderedMap{{"description", a.Description}}
	if !d.brief {
		response = response.set("headers", d.answerHeaders(e))
	}
	switch {
	case e.MediaType != "" && a.Status == e.Status:
		// Binary content has no schema (OpenAPI 3.1, section 4.8.14.3).
		response = response.set("content", orderedMap{{e.MediaType, orderedMap{}}})
	case a.Body != nil:
		response = response.set("content", d.content(jsonType, a.Body))
	}
	return response
}

// answerHeaders returns the headers of a response that is not a Problem.
func (d *openAPI) answerHeaders(e Endpoint) orderedMap {
	headers := d.headerRefs("Access-Control-Allow-Origin")
	headers = headers.set("Cache-Control", orderedMap{
		{"description", "How long the answer may be cached."},
		{"schema", orderedMap{{"type", "string"}}}, {"example", e.Cache.Header()},
	})
	if e.answers(http.StatusNotModified) {
		headers = append(headers, d.headerRefs("ETag")...)
	}
	return headers
}

// problem returns a reference to the response with a status and codes. All operations with
// that response share it.
func (d *openAPI) problem(status int, codes []string) orderedMap {
	var names, meanings []string
	for _, code := range codes {
		var name strings.Builder
		for word := range strings.SplitSeq(code, "-") {
			name.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
		names = append(names, name.String())
		meanings = append(meanings, fmt.Sprintf("`%s`: %s", code, problemCodes[code].meaning))
	}
	name := strings.Join(names, "Or")
	if _, known := d.responses[name]; !known {
		headers := []string{"Access-Control-Allow-Origin", "Cache-Control"}
		switch status {
		case http.StatusUnauthorized:
			headers = append(headers, "WWW-Authenticate")
		case http.StatusMethodNotAllowed:
			headers = append(headers, "Allow")
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			headers = append(headers, "Retry-After")
		}
		response := orderedMap{{"description", strings.Join(meanings, "\n\n")}}
		if !d.brief {
			response = response.set("headers", d.headerRefs(headers...))
		}
		d.responses[name] = response.set("content", orderedMap{{ProblemType, orderedMap{{"schema", d.problemSchema(status, codes)}}}})
	}
	return orderedMap{{"$ref", "#/components/responses/" + name}}
}

// problemSchema narrows Problem to a status and its codes.
func (d *openAPI) problemSchema(status int, codes []string) orderedMap {
	return d.schemas.of(reflect.TypeFor[Problem]()).set("properties", orderedMap{
		{"status", orderedMap{{"const", status}}},
		{"code", orderedMap{{"enum", codes}}},
	})
}

// headerMeanings describes the response headers.
var headerMeanings = map[string]string{
	"Access-Control-Allow-Origin": "`*`: any web page may read the answer.",
	"Allow":                       "The methods that the address accepts.",
	"Cache-Control":               "How long the answer may be cached: at most five minutes, or one minute for 404 and 410.",
	"ETag":                        "A strong validator of the body in its encoding; send it back as `If-None-Match`.",
	"Retry-After":                 "The number of seconds to wait before trying again.",
	"WWW-Authenticate":            "The required authentication.",
}

func (d *openAPI) headerRefs(names ...string) orderedMap {
	var refs orderedMap
	for _, name := range names {
		d.headers[name] = true
		refs = refs.set(name, orderedMap{{"$ref", "#/components/headers/" + name}})
	}
	return refs
}

// components returns the components that the operations so far refer to.
func (d *openAPI) components() orderedMap {
	var responses, headers, parameters orderedMap
	for _, name := range slices.Sorted(maps.Keys(d.responses)) {
		responses = responses.set(name, d.responses[name])
	}
	for _, name := range slices.Sorted(maps.Keys(d.headers)) {
		kind := TypeString
		if name == "Retry-After" {
			kind = TypeInteger
		}
		headers = headers.set(name, orderedMap{{"description", headerMeanings[name]}, {"schema", orderedMap{{"type", kind}}}})
	}
	if d.parameters[ifNoneMatch] {
		parameters = parameters.set(ifNoneMatch, orderedMap{
			{"name", "If-None-Match"}, {"in", InHeader},
			{"description", "The `ETag` of a cached answer; if it is still current, the answer is 304."},
			{"schema", orderedMap{{"type", TypeString}}},
		})
	}
	all := orderedMap{}
	for _, m := range []member{{"schemas", d.schemas.components()}, {"responses", responses}, {"parameters", parameters}, {"headers", headers}} {
		if len(m.value.(orderedMap)) > 0 {
			all = append(all, m)
		}
	}
	if d.secured {
		all = all.set("securitySchemes", orderedMap{{"bearer", orderedMap{
			{"type", "http"}, {"scheme", "bearer"}, {"description", "A token that identifies a workspace."},
		}}})
	}
	return all
}
