package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// This file cuts the description of the API into parts that a reader with little
// room can take one by one: one for each group of endpoints.

// PartSize is the greatest size of a part, in bytes. A group whose part would exceed
// it becomes two groups.
const PartSize = 25_000

// PartFile returns the file of the part that tells of a group.
func PartFile(slug string) string { return partFolder + slug + ".json" }

// Describes reports whether a file is the description of the API or a part of it.
func Describes(file string) bool {
	return file == OpenAPIFile || strings.HasPrefix(file, partFolder)
}

// PartSlugs returns the slugs of the groups, in their order.
func PartSlugs() (all []string) {
	for _, t := range endpointTags {
		all = append(all, t.slug)
	}
	return all
}

// parts returns the list of the parts: of which group, in few words, and where.
func (r *Renderer) parts() (all []orderedMap) {
	for _, t := range endpointTags {
		all = append(all, orderedMap{{"tag", t.name}, {"url", r.api + "/openapi/" + t.slug + ".json"}})
	}
	return all
}

// OpenAPIPart returns the OpenAPI document of one group: its endpoints, and the
// schemas that these reach. What holds at every address is said in the whole alone:
// the headers of answers, 304 and 405; and of a long description the part has the
// first paragraph.
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
		{"externalDocs", orderedMap{{"description", "The whole, with its other parts"}, {"url", whole}}},
		{"servers", []orderedMap{{{"url", r.api}}}},
		{"tags", []orderedMap{{{"name", tag.name}, {"description", tag.description}}}},
		{"paths", paths},
		{"components", d.components()},
	})
}

// brief returns an Endpoint without what the parts leave to the whole.
func brief(e Endpoint) Endpoint {
	const long = 1000
	e.Answers = slices.DeleteFunc(slices.Clone(e.Answers), func(a Answer) bool { return a.Status == http.StatusNotModified })
	e.Problems = slices.DeleteFunc(slices.Clone(e.Problems), func(code string) bool { return code == CodeMethodNotAllowed })
	if first, _, more := strings.Cut(e.Description, "\n\n"); more && len(e.Description) > long {
		e.Description = first + " The whole description says how, in full."
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
		// This package alone makes the value, from text and numbers.
		panic(fmt.Sprintf("document: describe a part of the API: %v", err))
	}
	b.WriteByte('\n')
	return b.Bytes()
}
