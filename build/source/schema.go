package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"souk/build/catalog"
)

// SchemaDir is the folder of the JSON Schemas below the content folder. Because of its dot, it
// is not content.
const SchemaDir = ".schemas"

// SchemaFile returns the name of the file of a kind's schema.
func SchemaFile(kind string) string { return kind + ".schema.json" }

// A fileKind is one kind of content file.
type fileKind struct {
	// name is its name on the command line and in the names of schema files.
	name  string
	title string
	// file is the path relative to the content folder, without its extension.
	file string
	kind catalog.Kind
	of   reflect.Type
}

// fileKinds are all kinds of content files, in the order of the contract.
var fileKinds = []fileKind{
	{"marketplace", "Marketplace", "marketplace", catalog.KindNone, reflect.TypeFor[marketplaceFile]()},
	{"seller", "Seller", "sellers/{companySlug}/seller", catalog.KindSeller, reflect.TypeFor[sellerFile]()},
	{"product", "Product", "sellers/{companySlug}/products/{slug}", catalog.KindProduct, reflect.TypeFor[productFile]()},
	{"service", "Service", "sellers/{companySlug}/services/{slug}", catalog.KindService, reflect.TypeFor[serviceFile]()},
	{"category", "Category", "categories/{product|service}/{slug}", catalog.KindCategory, reflect.TypeFor[categoryFile]()},
	{"article", "Article", "articles/{slug}", catalog.KindArticle, reflect.TypeFor[articleFile]()},
	{"market-map", "Market Map", "market-maps/{slug}", catalog.KindMarketMap, reflect.TypeFor[marketMapFile]()},
	{"synonyms", "Synonyms", "synonyms", catalog.KindNone, reflect.TypeFor[synonymsList]()},
	{"page", "Page of the operator's own", "site/{slug}", catalog.KindPage, reflect.TypeFor[pageFile]()},
}

// Schemas returns the JSON Schema (draft 2020-12) of each kind of content file by name, for
// editors and other tools. The strict decoder rejects everything that a schema rejects, and
// also finds mistakes that a schema cannot express.
func Schemas() map[string][]byte {
	all := make(map[string][]byte, len(fileKinds))
	for _, k := range fileKinds {
		s := schemaOf(k.of)
		s.Draft = "https://json-schema.org/draft/2020-12/schema"
		s.Title = k.title
		s.Description = fmt.Sprintf("The file %s.yaml, or the front matter of %s.md.", k.file, k.file)
		if k.name == "synonyms" {
			s.Description = "The file synonyms.yaml: words that mean the same to search."
		}
		if k.kind == catalog.KindPage {
			s.Description = fmt.Sprintf("The front matter of %s.md.", k.file)
		}
		data, err := marshal(s)
		if err == nil {
			var b bytes.Buffer
			err = json.Indent(&b, data, "", "  ")
			data = append(b.Bytes(), '\n')
		}
		if err != nil {
			panic("source: a schema is not JSON:  " + err.Error())
		}
		all[k.name] = data
	}
	return all
}

// WriteSchemas writes all schemas into a folder, replacing those of an earlier version, and
// returns their paths.
func WriteSchemas(dir string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("create the folder of the schemas: %w", err)
	}
	var written []string
	all := Schemas()
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		path := filepath.Join(dir, SchemaFile(kind))
		if err := os.WriteFile(path, all[kind], 0o666); err != nil {
			return written, fmt.Errorf("write a schema: %w", err)
		}
		written = append(written, path)
	}
	return written, nil
}

// A schema has the JSON Schema keywords that content files need.
type schema struct {
	Draft         string     `json:"$schema,omitempty"`
	Title         string     `json:"title,omitempty"`
	Description   string     `json:"description,omitempty"`
	Type          types      `json:"type,omitempty"`
	Enum          []any      `json:"enum,omitempty"`
	Format        string     `json:"format,omitempty"`
	Pattern       string     `json:"pattern,omitempty"`
	MaxLength     int        `json:"maxLength,omitempty"`
	Minimum       *int       `json:"minimum,omitempty"`
	Not           *schema    `json:"not,omitempty"`
	AnyOf         []*schema  `json:"anyOf,omitempty"`
	OneOf         []*schema  `json:"oneOf,omitempty"`
	MinItems      int        `json:"minItems,omitempty"`
	MaxItems      int        `json:"maxItems,omitempty"`
	Items         *schema    `json:"items,omitempty"`
	Required      []string   `json:"required,omitempty"`
	Properties    properties `json:"properties,omitempty"`
	PropertyNames *schema    `json:"propertyNames,omitempty"`
	// Additional is false, or the schema of all other properties.
	Additional any `json:"additionalProperties,omitempty"`
}

// types is written as a string if there is only one.
type types []string

// MarshalJSON writes a string or a list of strings.
func (t types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return marshal(t[0])
	}
	return marshal([]string(t))
}

type property struct {
	name string
	is   *schema
}

// properties is an object that keeps the order of files.go, for readers.
type properties []property

// MarshalJSON writes the object.
func (p properties) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, one := range p {
		name, err := marshal(one.name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(one.is)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// marshal is json.Marshal without HTML escaping, which would garble the patterns.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// Patterns of the scalars, which mean the same in ECMAScript and RE2.
const (
	slugPattern      = `[a-z0-9]+(-[a-z0-9]+)*`
	filledPattern    = `\S`
	momentPattern    = `^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$`
	barePattern      = `^[^Z+]*T[^Z+-]*$`
	webPattern       = `^[Hh][Tt][Tt][Pp][Ss]?://[^\s<>"]+$`
	sitePattern      = `^[Hh][Tt][Tt][Pp][Ss]?://[^\s<>"?#@]+$`
	domainPattern    = `^[^\s/:@.]+(\.[^\s/:@.]+)+\.?$`
	tonguePattern    = `^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$`
	telephonePattern = `^(\+?[0-9]|\([0-9])[0-9 ()./-]{2,30}$`
	countPattern     = `^[^-−]`
	amountPattern    = `^[0-9]+(\.[0-9]+)?$`
	rootedPattern    = `^(product|service)/` + slugPattern + `$`
	offeringPattern  = `seller:` + slugPattern + `|(product|service):` + slugPattern + `/` + slugPattern
	anyPattern       = offeringPattern + `|category:(product|service)/` + slugPattern + `|(article|marketMap):` + slugPattern
	pinPattern       = `^(product|service):` + slugPattern + `/` + slugPattern + `$`
	entryPattern     = `^(` + offeringPattern + `)$`
	refPattern       = `^(` + anyPattern + `)$`
)

func text(pattern string) *schema { return &schema{Type: types{"string"}, Pattern: pattern} }

// scalars has the schema of each type that decodes itself from a single node.
var scalars = map[reflect.Type]func() *schema{
	reflect.TypeFor[anything](): func() *schema { return &schema{} },
	reflect.TypeFor[date](): func() *schema {
		s := text(momentPattern)
		s.AnyOf = []*schema{{Format: "date"}, {Format: "date-time"}, {Pattern: barePattern}}
		return s
	},
	reflect.TypeFor[webAddress](): func() *schema {
		return &schema{Type: types{"string"}, Format: "uri", Pattern: webPattern}
	},
	reflect.TypeFor[site](): func() *schema {
		return &schema{Type: types{"string"}, Format: "uri", Pattern: sitePattern}
	},
	reflect.TypeFor[domain]():   func() *schema { return text(domainPattern) },
	reflect.TypeFor[official](): func() *schema { return text(domainPattern) },
	reflect.TypeFor[country]():  func() *schema { return text(`^[A-Z]{2}$`) },
	reflect.TypeFor[money]():    func() *schema { return text(`^[A-Z]{3}$`) },
	reflect.TypeFor[tradeItem](): func() *schema {
		return &schema{Type: types{"string", "integer"}, Pattern: `^([0-9]{8}|[0-9]{12,14})$`, Minimum: new(0)}
	},
	reflect.TypeFor[tongue](): func() *schema { return text(tonguePattern) },
	reflect.TypeFor[amount](): func() *schema {
		return &schema{Type: types{"string", "number"}, Pattern: amountPattern, Minimum: new(0)}
	},
	reflect.TypeFor[label](): func() *schema { return &schema{Type: types{"string", "number"}} },
	reflect.TypeFor[headcount](): func() *schema {
		return &schema{Type: types{"string", "number"}, Pattern: countPattern, Minimum: new(0)}
	},
	reflect.TypeFor[year]():              func() *schema { return &schema{Type: types{"integer"}, Minimum: new(firstYear)} },
	reflect.TypeFor[positionedAddress](): func() *schema { return text(filledPattern) },
	reflect.TypeFor[positioned]():        func() *schema { return text(filledPattern) },
	reflect.TypeFor[mailbox](): func() *schema {
		s := text(filledPattern)
		s.Format = "email"
		return s
	},
	reflect.TypeFor[telephone]():   func() *schema { return text(telephonePattern) },
	reflect.TypeFor[joinAddress](): func() *schema { return text(`^(https?://|mailto:|/)`) },
	reflect.TypeFor[passage]():     func() *schema { return text("") },
	reflect.TypeFor[reference]():   func() *schema { return text(refPattern) },
	reflect.TypeFor[pin]():         func() *schema { return text(pinPattern) },
	reflect.TypeFor[rooted]():      func() *schema { return text(rootedPattern) },
	reflect.TypeFor[categorySlug](): func() *schema {
		return &schema{Type: types{"string"}, Pattern: "^" + slugPattern + "$", MaxLength: catalog.MaxSlug}
	},
	reflect.TypeFor[attributes]():   attributesSchema,
	reflect.TypeFor[synonymsList](): synonymsSchema,
	reflect.TypeFor[colour]():       func() *schema { return text(`^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$`) },
	reflect.TypeFor[image]():        func() *schema { return text(filledPattern) },
	reflect.TypeFor[attachment]():   func() *schema { return text(`\.[Pp][Dd][Ff]$`) },
}

func attributesSchema() *schema {
	plain := types{"string", "number", "boolean"}
	measured := &schema{
		Type: types{"object"}, Required: []string{"value"}, Additional: false,
		Properties: properties{
			{"value", &schema{Description: "The value itself.", Type: plain}},
			{"unit", &schema{Description: "What it is measured in, as in kg.", Type: types{"string"}}},
		},
	}
	return &schema{
		Type: types{"object"}, PropertyNames: &schema{Pattern: `^[^:]*[^:\s][^:]*$`},
		Additional: &schema{AnyOf: []*schema{{Type: plain}, measured, {Type: types{"array"}, MinItems: 1, Items: text(filledPattern)}}},
	}
}

func synonymsSchema() *schema {
	word := func(doc string) *schema {
		return &schema{Description: doc, AnyOf: []*schema{text(filledPattern), {Type: types{"array"}, MinItems: 1, Items: text(filledPattern)}}}
	}
	return &schema{Type: types{"array", "null"}, Items: &schema{AnyOf: []*schema{
		{Type: types{"array"}, MinItems: 2, Items: text(filledPattern)},
		{
			Type: types{"object"}, Required: []string{"from", "to"}, Additional: false,
			Properties: properties{
				{"from", word("A word or phrase that people ask for, or several.")},
				{"to", word("What it means too, but not the other way round: a word or phrase, or several.")},
			},
		},
	}}}
}

// mediaSchema adds the constraints that the decoder of mediaFile enforces beyond its tags.
func mediaSchema() *schema {
	s := structSchema(reflect.TypeFor[mediaFile]())
	s.Required = []string{"alt"}
	s.OneOf = []*schema{{Required: []string{"file"}}, {Required: []string{"url"}}}
	for _, p := range s.Properties {
		p.is.Type = types{"string"}
		if p.name == "file" {
			p.is.Not = &schema{Pattern: webPattern}
		}
	}
	return s
}

func entrySchema() *schema {
	whole := structSchema(reflect.TypeFor[entryFile]())
	for _, p := range whole.Properties {
		if p.name == "ref" {
			p.is.Pattern = entryPattern
		}
	}
	return &schema{AnyOf: []*schema{text(entryPattern), whole}}
}

// schemaOf returns the schema of a type in files.go or scalar.go.
func schemaOf(t reflect.Type) *schema {
	if known := scalars[t]; known != nil {
		return known()
	}
	switch t {
	case reflect.TypeFor[mediaFile]():
		return mediaSchema()
	case reflect.TypeFor[entry]():
		return entrySchema()
	case reflect.TypeFor[relation]():
		return &schema{AnyOf: []*schema{schemaOf(reflect.TypeFor[reference]()), structSchema(reflect.TypeFor[relationFile]())}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Struct:
		return structSchema(t)
	case reflect.Slice:
		items := schemaOf(t.Elem())
		if t.Elem().Kind() == reflect.String && items.Pattern == "" {
			items.Pattern = filledPattern
		}
		return &schema{Type: types{"array"}, Items: items}
	case reflect.String:
		return &schema{Type: types{"string"}}
	case reflect.Int:
		return &schema{Type: types{"integer"}}
	case reflect.Bool:
		return &schema{Type: types{"boolean"}}
	}
	panic("source: no schema of " + t.String())
}

func structSchema(t reflect.Type) *schema {
	s := &schema{Type: types{"object"}, Additional: false}
	for _, f := range fieldsOf(t) {
		is := schemaOf(t.FieldByIndex(f.index).Type)
		is.Description, is.MaxItems = f.doc, f.most
		for _, word := range f.enum {
			is.Enum = append(is.Enum, word)
		}
		if f.required {
			is.demand()
		} else if is.Type != nil {
			is.orNull()
		}
		if f.required || f.present {
			s.Required = append(s.Required, f.name)
		}
		s.Properties = append(s.Properties, property{f.name, is})
	}
	return s
}

// demand rejects an empty value.
func (s *schema) demand() {
	switch {
	case s.Type == nil:
	case s.Type[0] == "array":
		s.MinItems = 1
	case s.Type[0] == "string" && len(s.Type) == 1 && s.Pattern == "" && s.Enum == nil:
		s.Pattern = filledPattern
	}
}

// orNull allows a key without a value, which the decoder treats as absent.
func (s *schema) orNull() {
	s.Type = append(slices.Clone(s.Type), "null")
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
}
