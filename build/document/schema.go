package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An orderedMap is a JSON object whose members keep their order, which is the order of the Go
// types.
type orderedMap []member

type member struct {
	name  string
	value any
}

// set returns the object with one more member.
func (m orderedMap) set(name string, value any) orderedMap { return append(m, member{name, value}) }

// MarshalJSON writes the members in order.
func (m orderedMap) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, each := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, part := range []any{each.name, each.value} {
			if j > 0 {
				b.WriteByte(':')
			}
			encoder := json.NewEncoder(&b)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(part); err != nil {
				return nil, fmt.Errorf("member %s: %w", each.name, err)
			}
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// schemaDescriptions describes each type; doc tags describe the fields.
var schemaDescriptions = map[string]string{
	"CategoryDirection":   "A category that contains results.",
	"FoundArticle":        "An article or a market map that matches a text.",
	"HitHighlight":        "Where the words of the query are in a listing.",
	"Interpretation":      "A part of a text that was not taken literally.",
	"Matched":             "The variant or SKU of a product that matched.",
	"SearchFilter":        "One way to narrow the results.",
	"SearchFilterValue":   "One value of a filter.",
	"SearchHit":           "The card of a listing in search results.",
	"SearchResult":        "The answer to a search.",
	"Suggestion":          "An item whose name completes the text.",
	"Suggestions":         "The answer to a text that is being typed.",
	"Action":              "An action that a reader can take next.",
	"Article":             "An article with its Markdown.",
	"Attribute":           "A named property.",
	"AttributeUse":        "An attribute of a category's listings.",
	"AttributeValue":      "A value of an attribute of a category's listings.",
	"Category":            "A category of products or of services, with the first page of its listings.",
	"CategoryPage":        "The categories with a slug, under either root.",
	"CategoryRoot":        "The tree of all categories under one root.",
	"CategoryTree":        "A category with everything below it.",
	"CountryCount":        "The number of a category's listings in a country.",
	"CountedLink":         "A Link to a category, with the number of its listings.",
	"Detail":              "A fact with a label.",
	"File":                "A file such as a data sheet.",
	"FieldError":          "An error in a request.",
	"Headquarters":        "The location of a company's head office.",
	"Health":              "Whether the service is up.",
	"Image":               "The picture of a card.",
	"LabelledURL":         "A link with a label.",
	"Link":                "A reference to an item of the marketplace: its canonical page and its document in this API.",
	"Listing":             "The card of a product or a service. Variants have no cards of their own.",
	"ListingPage":         "A page of Listings.",
	"ListingPageDocument": "A page after the first of a list of Listings.",
	"MapEntry":            "A member of a segment: a Link with the contents of its card and a note.",
	"MarketMap":           "Companies, products and services in segments.",
	"Media":               "A picture.",
	"Price":               "An amount of money.",
	"PriceRange":          "The number of a category's listings in a price range.",
	"Problem":             "What went wrong (RFC 9457).",
	"Product":             "The page of a product.",
	"Proof":               "Evidence for a claim about a company, a product or a service.",
	"ProofNote":           "A piece of evidence, on a card.",
	"Rendition":           "A smaller version of a picture.",
	"Release":             "All documents of one build.",
	"Segment":             "One group of a market map.",
	"Requester":           "The person who starts a claim or a removal.",
	"ClaimStart":          "A claim that is waiting for confirmation.",
	"RemovalStart":        "A removal request that is waiting for confirmation.",
	"Verification":        "The confirmation of a claim or a removal.",
	"ClaimVerified":       "A confirmed claim.",
	"VerificationCheck":   "The token of a link that is to be checked.",
	"VerificationChecked": "A valid link and its purpose.",
	"RemovalVerified":     "A completed removal.",
	"Seller":              "A Seller Profile: who a company is and what it offers.",
	"Service":             "The page of a service.",
	"Counts":              "The number of public items of each kind.",
	"Marketplace":         "The marketplace itself: the place to start.",
	"CompanyCard":         "The card of a company.",
	"SellerList":          "The first page of the companies.",
	"SellerPageDocument":  "A page after the first of a list of companies.",
	"CompanyResult":       "The answer to a search of companies.",
	"CompanyHit":          "The card of a company in search results.",
	"FoundCompanies":      "The first companies that match a text.",
	"CompanyPage":         "The first page of a category's companies.",
	"Letter":              "A first letter of companies' names.",
	"Comparison":          "Listings side by side, attribute by attribute.",
	"ComparisonRow":       "An attribute, or a field, of all listings of a comparison.",
	"ComparisonCell":      "The value of an attribute of one compared listing.",
	"Quantity":            "A number with its unit.",
	"MissingCompared":     "A listing that cannot be compared.",
	"Contact":             "How to reach a company.",
	"PostalAddress":       "A postal address.",
	"Summary":             "The entry of an article or a market map in its list.",
	"SummaryList":         "The first page of the articles or of the market maps.",
	"SummaryPageDocument": "A page after the first of the articles or of the market maps.",
	"Variant":             "A variant of a product.",
}

const schemaPrefix = "#/components/schemas/"

// schemaSet generates JSON Schemas (2020-12) for Go types as encoding/json writes them. Each
// struct has one schema, which is referenced by name.
type schemaSet struct {
	types   map[string]reflect.Type
	schemas map[string]orderedMap
}

func newSchemaSet() *schemaSet {
	return &schemaSet{types: map[string]reflect.Type{}, schemas: map[string]orderedMap{}}
}

// components returns the schemas of all structs seen so far, by name.
func (s *schemaSet) components() orderedMap {
	var all orderedMap
	for _, name := range slices.Sorted(maps.Keys(s.schemas)) {
		all = all.set(name, s.schemas[name])
	}
	return all
}

// of returns the schema of a type; for a struct, a reference.
func (s *schemaSet) of(t reflect.Type) orderedMap {
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return orderedMap{{"type", "object"}}
	case reflect.TypeFor[json.Number]():
		return orderedMap{{"type", "number"}}
	case reflect.TypeFor[ComparisonCells]():
		cell := []any{s.of(reflect.TypeFor[ComparisonCell]()), s.of(reflect.TypeFor[Price]()), orderedMap{{"type", "string"}}, orderedMap{{"type", "null"}}}
		return orderedMap{{"type", "array"}, {"items", orderedMap{{"anyOf", cell}}}}
	case reflect.TypeFor[time.Time]():
		return orderedMap{{"type", "string"}, {"format", "date-time"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Struct:
		s.add(t)
		return orderedMap{{"$ref", schemaPrefix + t.Name()}}
	case reflect.Slice:
		return orderedMap{{"type", "array"}, {"items", s.of(t.Elem())}}
	case reflect.Array:
		return orderedMap{{"type", "array"}, {"items", s.of(t.Elem())}, {"minItems", t.Len()}, {"maxItems", t.Len()}}
	case reflect.Map:
		return orderedMap{{"type", "object"}, {"additionalProperties", s.of(t.Elem())}}
	case reflect.Interface:
		// A field without a fixed type always contains a plain value.
		return oneOf("string", "number", "boolean")
	case reflect.String:
		return orderedMap{{"type", "string"}}
	case reflect.Bool:
		return orderedMap{{"type", "boolean"}}
	case reflect.Float32, reflect.Float64:
		return orderedMap{{"type", "number"}}
	default:
		if t.ConvertibleTo(reflect.TypeFor[int64]()) {
			return orderedMap{{"type", "integer"}}
		}
		panic(fmt.Sprintf("document: a %s has no JSON Schema", t))
	}
}

// oneOf returns the schema of a value of several types, in a form that client generators
// accept: they reject a list of types.
func oneOf(types ...string) orderedMap {
	var all []orderedMap
	for _, t := range types {
		all = append(all, orderedMap{{"type", t}})
	}
	return orderedMap{{"anyOf", all}}
}

// add creates the schema of a struct unless it exists.
func (s *schemaSet) add(t reflect.Type) {
	if known := s.types[t.Name()]; known != nil {
		if known != t {
			panic(fmt.Sprintf("document: %s and %s would share one schema", known, t))
		}
		return
	}
	s.types[t.Name()] = t // before the fields, which may refer to it
	var properties orderedMap
	var required []string
	for _, f := range jsonFields(t) {
		properties = properties.set(f.name, s.property(f))
		if !f.optional {
			required = append(required, f.name)
		}
	}
	schema := orderedMap{{"type", "object"}}
	if about := schemaDescriptions[t.Name()]; about != "" {
		schema = schema.set("description", about)
	}
	if len(required) > 0 {
		schema = schema.set("required", required)
	}
	s.schemas[t.Name()] = schema.set("properties", properties)
}

// property returns the schema of a field, with its description and limits. If its schema tag
// names it, it is a separate schema: client generators name an enum or a choice of types after
// the struct and member, and such names may collide.
func (s *schemaSet) property(f jsonField) orderedMap {
	schema := s.of(f.Type)
	if f.Type.Kind() == reflect.Pointer && !f.optional {
		schema = orderedMap{{"anyOf", []any{schema, orderedMap{{"type", "null"}}}}}
	}
	schema = withKeywords(schema, f)
	if name := f.Tag.Get("schema"); name != "" {
		s.schemas[name] = schema
		schema = orderedMap{{"$ref", schemaPrefix + name}}
	}
	return schema.set("description", f.Tag.Get("doc"))
}

// A jsonField is a field of a struct as encoding/json writes it.
type jsonField struct {
	reflect.StructField
	name     string
	optional bool
}

// jsonFields lists the members of a struct's JSON object in order. An embedded struct,
// exported or not, is replaced by its fields.
func jsonFields(t reflect.Type) []jsonField {
	var all []jsonField
	for _, f := range reflect.VisibleFields(t) {
		tag, tagged := f.Tag.Lookup("json")
		if !f.IsExported() || f.Anonymous && !tagged || tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		optional := slices.ContainsFunc(strings.Split(options, ","), func(option string) bool {
			return option == "omitempty" || option == "omitzero"
		})
		all = append(all, jsonField{StructField: f, name: name, optional: optional})
	}
	return all
}

// withKeywords adds the keywords of a field's jsonschema tag, which are separated by commas.
// enum may be repeated, and oneof_type lists the types of a field without a fixed one.
func withKeywords(schema orderedMap, f jsonField) orderedMap {
	tag := f.Tag.Get("jsonschema")
	if tag == "" {
		return schema
	}
	var enum []string
	for _, keyword := range strings.Split(tag, ",") {
		name, value, _ := strings.Cut(keyword, "=")
		switch name {
		case "enum":
			enum = append(enum, value)
		case "format", "pattern":
			schema = schema.set(name, value)
		case "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems":
			n, err := strconv.Atoi(value)
			if err != nil {
				panic(fmt.Sprintf("document: field %s: %s is not a number", f.Name, keyword))
			}
			schema = schema.set(name, n)
		case "oneof_type":
			schema = oneOf(strings.Split(value, ";")...)
		default:
			// Silently ignoring a limit would make the description wrong.
			panic(fmt.Sprintf("document: field %s: the keyword %q is not known", f.Name, name))
		}
	}
	if enum != nil {
		schema = schema.set("enum", enum)
	}
	return schema
}
