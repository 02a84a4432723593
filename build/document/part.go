package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// This file splits the description of the API into parts for readers with little room, one for
// each group of endpoints.

// PartSize is the maximum size of a part, in bytes. A group whose part would exceed it becomes
// two groups.
const PartSize = 25_000

// PartFile returns the file of the part about a group.
func PartFile(slug string) string { return partFolder + slug + ".json" }

// Describes reports whether a file is the description of the API or a part of it.
func Describes(file string) bool {
	return file == OpenAPIFile || strings.HasPrefix(file, partFolder)
}

// PartSlugs returns the slugs of the groups, in order.
func PartSlugs() (all []string) {
	for _, t := range endpointTags {
		all = append(all, t.slug)
	}
	return all
}

// parts returns the list of the parts, each with its group, a summary and its address.
func (r *Renderer) parts() (all []orderedMap) {
	for _, t := range endpointTags {
		all = append(all, orderedMap{{"tag", t.name}, {"url", r.api + "/openapi/" + t.slug + ".json"}})
	}
	return all
}

// OpenAPIPart returns the OpenAPI document of one group: its endpoints and the schemas they
// reach. Everything that applies to all addresses is only in the complete document: response
// headers, 304 and 405. A part has only the first paragraph of a long description.
func (r *Renderer) OpenAPIPart(slug string) []byte {
	tag := endpointTags[slices.Index(PartSlugs(), slug)]
	d := newOpenAPI()
	d.brief = true
	var endpoints []Endpoint
	for _, e := range Endpoints() {
		if e.Tag == tag.name {
			endpoints = append(endpoints, brief(e))
		}
	}
	paths, name, whole := d.paths(endpoints), oneLine(r.catalog.Market().Name), r.api+"/openapi.json"
	return compactJSON(orderedMap{
		{"openapi", openAPIVersion},
		{"info", orderedMap{
			{"title", name + " API: " + tag.name}, {"version", apiVersion}, {"description", tag.description},
			{"contact", orderedMap{{"name", name}, {"url", r.site}}},
		}},
		{"externalDocs", orderedMap{{"description", "The complete description, with its other parts"}, {"url", whole}}},
		{"servers", []orderedMap{{{"url", r.api}}}},
		{"tags", []orderedMap{{{"name", tag.name}, {"description", tag.description}}}},
		{"paths", paths},
		{"components", d.components()},
	})
}

// brief returns an Endpoint without the details that only the complete document has.
func brief(e Endpoint) Endpoint {
	const long = 1000
	e.Answers = slices.DeleteFunc(slices.Clone(e.Answers), func(a Answer) bool { return a.Status == http.StatusNotModified })
	e.Problems = slices.DeleteFunc(slices.Clone(e.Problems), func(code string) bool { return code == CodeMethodNotAllowed })
	if first, _, more := strings.Cut(e.Description, "\n\n"); more && len(e.Description) > long {
		e.Description = first + " See the complete description for details."
	}
	return e
}

// compactJSON returns JSON for machines, with a final newline.
func compactJSON(value orderedMap) []byte {
	data, err := value.MarshalJSON()
	var b bytes.Buffer
	if err == nil {
		err = json.Compact(&b, data)
	}
	if err != nil {
		// The value was built here, from strings and numbers.
		panic(fmt.Sprintf("document: describe a part of the API: %v", err))
	}
	b.WriteByte('\n')
	return b.Bytes()
}
