package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"souk/build/catalog"
)

// This file describes the API to people, as the OpenAPI document does to programs, with real
// responses of the marketplace.

// ReferencePath is the address of the API reference, and ReferenceFile its file.
const (
	ReferencePath = "/docs/api"
	ReferenceFile = "docs/api.html"
)

// APIReference is the content of the API reference.
type APIReference struct {
	// API is the address of the API, OpenAPI the address of its description.
	API     string `jsonschema:"format=uri"`
	OpenAPI string `jsonschema:"format=uri"`
	Groups  []APIGroup
	// Types are the objects in responses and bodies, by name.
	Types []APIType
}

// An APIGroup is the endpoints with one tag.
type APIGroup struct {
	Name, Slug, Description string
	// Part is the address of the part of the description about the group.
	Part      string `jsonschema:"format=uri"`
	Endpoints []APIEndpoint
}

// An APIEndpoint is one address of the API.
type APIEndpoint struct {
	ID, Method, Path, Summary, Description string
	Params                                 []Param
	// Body and Answer are the types of the request body and of the response, or "" if there is
	// none or it has no name.
	Body, Answer string
	Problems     []APIProblem
	// Try is an address that returns a live response, or "".
	Try string `jsonschema:"format=uri"`
	// Example is a real response as JSON, with its texts and lists shortened, or "".
	Example string
}

// An APIProblem is an error that an endpoint may return.
type APIProblem struct {
	Status        int
	Code, Meaning string
}

// An APIType is an object in responses or bodies.
type APIType struct {
	Name, Description string
	Members           []APIMember
}

// An APIMember is a member of such an object. Type is a word or, if Of is set, the name of an
// APIType. List means that it is a list of them.
type APIMember struct {
	Name, Type, Of, Description string
	List, Optional              bool
}

// apiReference returns the API reference, with the first item of each kind as an example.
func (r *Renderer) apiReference() APIReference {
	d := APIReference{API: r.api, OpenAPI: r.api + "/openapi.json"}
	schemas, shown := newSchemaSet(), r.examples()
	named := func(body any) string {
		if body == nil {
			return ""
		}
		if t := reflect.TypeOf(body); t.Kind() == reflect.Struct {
			schemas.add(t)
			return t.Name()
		}
		return ""
	}
	for _, tag := range endpointTags {
		if tag.name == tagBulk && !r.snapshot {
			continue // its files do not exist
		}
		g := APIGroup{Name: tag.name, Slug: tag.slug, Description: tag.description, Part: r.api + "/openapi/" + tag.slug + ".json"}
		for _, e := range Endpoints() {
			if e.Tag != tag.name {
				continue
			}
			one := APIEndpoint{
				ID: e.ID, Method: e.Method, Path: e.Path, Summary: e.Summary, Description: e.Description, Params: e.Params,
				Body: named(e.RequestBody), Answer: named(e.Response),
			}
			for _, code := range e.Problems {
				one.Problems = append(one.Problems, APIProblem{ProblemStatus(code), code, problemCodes[code].meaning})
			}
			slices.SortStableFunc(one.Problems, func(a, b APIProblem) int { return cmp.Compare(a.Status, b.Status) })
			if example, there := shown[e.ID]; there {
				one.Try, one.Example = example.at, shortened(example.value)
			} else if e.Method == http.MethodGet && !strings.Contains(e.Path, "{") {
				one.Try = r.api + e.Path
			}
			g.Endpoints = append(g.Endpoints, one)
		}
		d.Groups = append(d.Groups, g)
	}
	named(Problem{})
	for _, name := range slices.Sorted(maps.Keys(schemas.types)) {
		d.Types = append(d.Types, apiType(schemas.types[name]))
	}
	return d
}

func apiType(t reflect.Type) APIType {
	one := APIType{Name: t.Name(), Description: schemaDescriptions[t.Name()]}
	schemas := newSchemaSet()
	for _, f := range jsonFields(t) {
		m := APIMember{Name: f.name, Description: f.Tag.Get("doc"), Optional: f.optional}
		of := f.Type
		for of.Kind() == reflect.Slice && of != reflect.TypeFor[json.RawMessage]() || of.Kind() == reflect.Pointer {
			m.List = m.List || of.Kind() == reflect.Slice
			of = of.Elem()
		}
		schema := schemas.of(of)
		m.Type = "any"
		for _, key := range schema {
			switch word, _ := key.value.(string); key.name {
			case "type":
				m.Type = cmp.Or(word, m.Type)
			case "$ref":
				m.Type = strings.TrimPrefix(word, schemaPrefix)
				m.Of = m.Type
			}
		}
		one.Members = append(one.Members, m)
	}
	return one
}

// An apiExample is a document of the market and its address.
type apiExample struct {
	at    string
	value any
}

// examples returns a document for each endpoint of documents, if there is one: the first in
// the order of lists, from the present catalog, so that it never shows a removed item.
func (r *Renderer) examples() map[string]apiExample {
	all := map[string]apiExample{"getMarketplace": {r.api + apiPath(""), r.marketplace()}}
	lists := map[catalog.Kind][3]string{
		catalog.KindSeller:    {"listCompanies", "listCompaniesPage", "getCompany"},
		catalog.KindArticle:   {"listArticles", "listArticlesPage", "getArticle"},
		catalog.KindMarketMap: {"listMarketMaps", "listMarketMapsPage", "getMarketMap"},
	}
	add := func(id string, n *catalog.Node) {
		if _, there := all[id]; !there {
			all[id] = apiExample{r.documentURL(n.Ref().Path()), r.Document(n)}
		}
	}
	further := func(id string, list catalog.ListRef) {
		if pages := r.catalog.List(list).Pages(); len(pages) > 1 {
			all[id] = apiExample{r.documentURL(pagePath(list, pages[1].ID())), r.page(list, pages[1])}
		}
	}
	for kind, ids := range lists {
		list := catalog.ListRef{Kind: kind}
		all[ids[0]] = apiExample{r.documentURL(listPath(list)), r.list(kind)}
		further(ids[1], list)
		page, _ := r.catalog.List(list).Page(nil)
		for _, n := range page.Items {
			add(ids[2], n)
			if kind != catalog.KindSeller {
				continue
			}
			for which, id := range []string{"getProduct", "getService"} {
				for _, offer := range first(n.List(which), 1) {
					add(id, offer)
				}
			}
		}
	}
	for _, root := range slices.Backward(catalog.Roots[:]) {
		tops := r.catalog.Tops(root)
		if len(tops) == 0 {
			continue
		}
		all["getCategoryRoot"] = apiExample{r.documentURL("category-roots/" + root.String()), r.categoryRoot(root)}
		delete(all, "getCategory")
		add("getCategory", tops[0])
		if page, there := r.categoryPage(tops[0].Ref().Slug); there {
			all["getCategoryPage"] = apiExample{page.APIURL, page}
		}
		further("getCategoryListingsPage", catalog.ListRef{Node: tops[0], Which: catalog.Listings})
	}
	asked := "?limit=2"
	if product, there := all["getProduct"]; there {
		asked += "&q=" + url.QueryEscape(product.value.(Product).Name)
	}
	all[SearchID] = apiExample{at: r.api + searchPath + asked}
	if words := strings.Fields(r.catalog.Market().Name); len(words) > 0 {
		all[SuggestID] = apiExample{at: r.api + "/marketplace/search/suggestions?q=" + url.QueryEscape(string([]rune(words[0])[:1]))}
	}
	return all
}

// shortened returns a document as JSON for readers, with at most two items of each list and
// the beginnings of long texts, or "" for nil.
func shortened(value any) string {
	if value == nil {
		return ""
	}
	data, err := NewEncoder().bytes(value)
	if err != nil {
		panic(fmt.Sprintf("document: %v", err)) // documents can always be encoded
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return strings.TrimSuffix(string(indentedJSON(shortenedNext(d, 0))), "\n")
}

// shortenedNext reads the next value and returns its shortened form.
func shortenedNext(d *json.Decoder, depth int) any {
	const longest, items = 160, 2
	token, err := d.Token()
	if err != nil {
		panic(fmt.Sprintf("document: %v", err)) // it is valid JSON
	}
	switch token {
	case json.Delim('{'):
		object := orderedMap{}
		for d.More() {
			name, _ := d.Token()
			object = object.set(fmt.Sprint(name), shortenedNext(d, depth+1))
		}
		_, _ = d.Token()
		return object
	case json.Delim('['):
		list := []any{}
		for d.More() {
			if item := shortenedNext(d, depth+1); len(list) < items && (depth < 3 || len(list) == 0) {
				list = append(list, item)
			}
		}
		_, _ = d.Token()
		return list
	}
	text, isText := token.(string)
	// An address is shown in full.
	if letters := []rune(text); isText && len(letters) > longest && strings.ContainsAny(text, " \n") {
		return strings.TrimSpace(string(letters[:longest])) + " …"
	}
	return token
}
