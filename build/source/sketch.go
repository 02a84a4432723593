package source

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
)

// A sketch writes fields with explanations. Optional fields begin with "# "; removing these
// two characters enables them.
type sketch struct {
	values  *strings.Replacer
	entries []string
}

// draft returns the text of a new file in which every field of its kind is explained.
func draft(kind fileKind, ref catalog.Ref, around neighbours, markdown bool) []byte {
	slug := path.Base(ref.Slug) // for one of the operator's own pages it is a path
	name := nameOf(slug)
	s := sketch{
		values: strings.NewReplacer(
			"{name}", name, "{slug}", slug, "{domain}", domainOf(cmp.Or(ref.Company, ref.Slug)),
			"{sku}", strings.ToUpper(slug), "{category}", around.category.Slug,
			"{rooted}", around.category.Root.String()+"/"+around.category.Slug, "{former}", example(ref).String(), "{root}", ref.Root.String(),
		),
	}
	s.entries = s.entriesOf(around.seller)
	back := strings.Repeat("../", strings.Count(kind.path(ref), "/"))
	lines := []string{
		"# yaml-language-server: $schema=" + back + SchemaDir + "/" + SchemaFile(kind.name),
		"# Every field is explained. Unused fields are comments: remove \"# \" from every line of a field to use it.",
	}
	for _, block := range s.blocks(kind.of, false) {
		lines = append(append(lines, ""), block...)
	}
	text := strings.Join(lines, "\n") + "\n"
	if markdown {
		text = "---\n" + text + "---\n\n" + bodyOf(ref, name)
	}
	return []byte(text)
}

func bodyOf(ref catalog.Ref, name string) string {
	if ref.Kind == catalog.KindArticle {
		return "Write the article here, in Markdown. A link may lead to a Reference, as in `[Acme](seller:acme)`.\n" +
			"Pictures go into a folder beside this file: `![What the picture shows](media/" + ref.Slug + ".svg)`.\n"
	}
	return "Describe " + name + " here, in Markdown. A link may lead to a Reference, as in `[Acme](seller:acme)`.\n"
}

// nameOf proposes a name for a slug.
func nameOf(slug string) string {
	words := strings.ReplaceAll(slug, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// domainOf proposes a domain for a slug. A label has at most 63 characters (RFC 1035, section
// 2.3.4).
func domainOf(slug string) string {
	return strings.TrimRight(slug[:min(len(slug), 63)], "-") + ".example"
}

// blocks returns the lines of each field of a struct. off is set inside a commented-out block,
// so that its fields are not commented out twice.
func (s sketch) blocks(t reflect.Type, off bool) [][]string {
	fields := slices.Clone(fieldsOf(t))
	slices.SortStableFunc(fields, func(a, b field) int { return a.rank() - b.rank() })
	owner := strings.TrimSuffix(t.Name(), "File")
	var all [][]string
	for _, f := range fields {
		if owner == "page" && f.name == "aliases" {
			continue // not allowed there: a page has no Reference
		}
		out := f.rank() == 2
		value := s.value(owner, f, t.FieldByIndex(f.index).Type, off || out)
		if out && !off || alternatives[owner+"."+f.name] {
			value = shift(value, "# ", "# ")
		}
		all = append(all, append(explain(f), value...))
	}
	return all
}

// rank orders the fields of a draft: status, then required fields, then optional
// ones.
func (f field) rank() int {
	switch {
	case f.name == "status":
		return 0
	case f.required || f.present || f.usual:
		return 1
	}
	return 2
}

// explain returns the comment of a field.
func explain(f field) []string {
	text := f.doc
	if len(f.enum) > 0 {
		text += " One of " + strings.Join(f.enum, ", ") + "."
	}
	if f.required || f.present {
		text += " Required."
	}
	if f.name == "status" {
		text += " A draft is never public: remove this line to publish it."
	}
	const width = 100
	var lines []string
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width {
			lines, line = append(lines, line), "#"
		}
		line += " " + word
	}
	return append(lines, line)
}

// value returns the lines of a field and its sample.
func (s sketch) value(owner string, f field, t reflect.Type, off bool) []string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	list := t.Kind() == reflect.Slice && t != reflect.TypeFor[attributes]()
	if list {
		t = t.Elem()
	}
	var lines []string
	switch {
	case t == reflect.TypeFor[entry]():
		lines, list = s.entries, false
	case t.Kind() == reflect.Struct && len(fieldsOf(t)) > 0:
		lines = slices.Concat(s.blocks(t, off)...)
	default:
		lines = s.sample(owner, f)
		if !list && len(lines) == 1 {
			return []string{f.name + ": " + lines[0]}
		}
	}
	if list {
		lines = shift(lines, "- ", "  ")
	}
	return append([]string{f.name + ":"}, shift(lines, "  ", "  ")...)
}

// shift prefixes the first line with one text and the others with another.
func shift(lines []string, first, rest string) []string {
	shifted := make([]string, len(lines))
	for i, line := range lines {
		shifted[i] = rest + line
		if i == 0 {
			shifted[i] = first + line
		}
	}
	return shifted
}

// entriesOf returns the entries of a segment: an existing seller, so that the draft is valid,
// and an example of the long form.
func (s sketch) entriesOf(seller string) []string {
	first := []string{"- seller:" + cmp.Or(seller, "acme")}
	if seller == "" {
		first = shift(first, "# ", "# ")
	}
	longer := slices.Concat(s.blocks(reflect.TypeFor[entryFile](), true)...)
	return append(first, shift(shift(longer, "- ", "  "), "# ", "# ")...)
}

// sample returns the value that a draft shows for a field.
func (s sketch) sample(owner string, f field) []string {
	sample, ok := samples[owner+"."+f.name]
	if !ok {
		sample, ok = samples[f.name]
	}
	if !ok {
		sample = f.enum[0]
	}
	if filled := s.values.Replace(sample); filled != sample {
		sample = scalarOf(filled)
	}
	return strings.Split(sample, "\n")
}

// scalarOf quotes a text that YAML would otherwise take for something else.
func scalarOf(text string) string {
	var n yaml.Node
	if yaml.Load([]byte(text), &n) == nil && len(n.Content) == 1 && n.Content[0].ShortTag() == "!!str" && n.Content[0].Value == text {
		return text
	}
	return strconv.Quote(text)
}

// alternatives are fields that exclude one another.
var alternatives = map[string]bool{"media.url": true}

// samples are values for drafts, by field, or by type and field if a name has several
// meanings.
var samples = map[string]string{
	"name": "{name}", "title": "{name}", "summary": "What it is about, in a sentence or two.",
	"status": "draft", "publishedAt": "2026-01-31", "updatedAt": "2026-02-15", "expiresAt": "2031-01-31T09:30:00Z",
	"private": "{note: Ask Ada before changing this.}", "aliases": "{former}",
	"related": "article:welcome", "keywords": "cobot", "sku": "{sku}", "gtin": `"9506000134352"`,

	"featured": "seller:acme", "claims": "off", "join": "/join",
	"domainProof": "declared", "email": "sales@{domain}", "telephone": `"+31 30 1234567"`, "contact.url": "https://{domain}/contact",
	"street": "Oudegracht 1", "postalCode": "3511 AB",
	"officialDomain": "{domain}", "selectedVersion": "1", "id": "{slug}", "formerDomains": "former-{domain}", "replaces": "removed",
	"seller.categories": "{rooted}",
	"version":           "1", "legalName": "{name} Ltd", "tagline": "Robot arms for small workshops", "website": "https://{domain}/",
	"founded": "2016", "employees": "11-50", "logo": "media/{slug}.svg", "languages": "en",
	"city": "Utrecht", "region": "Utrecht", "country": "NL",
	"label": "Documentation", "link.url": "https://{domain}/docs",
	"detail.label": "Ships from", "value": "The Netherlands",

	"proof.title": "ISO 9001", "issuer": "The Example Institute", "proof.url": "https://institute.example/certificates/9001",
	"date": "2026-01-31", "public": "true", "evidence": "{scan: page 4 in the blue folder}",

	"amount": `"1290.50"`, "currency": "EUR", "unit": "piece", "from": "true", "list": `"1490.00"`,
	"variant.name": "Long reach", "variant.sku": "{sku}-L", "variant.gtin": `"9506000134369"`,
	"attributes":      "reach: {value: 850, unit: mm}\nfoldable: true\nmounting: [on a table, on a wall]",
	"attachment.file": "media/{slug}.pdf", "attachment.label": "Data sheet", "attachment.language": "en",
	"file": "media/{slug}.svg", "media.url": "https://pictures.example/{slug}.png", "alt": "What the picture shows.",
	"categories": "{category}", "delivery": "onsite", "regions": "Benelux",

	"menu": "{name}",

	"parent": "automation", "synonyms": "another word for it", "order": "1", "pins": "{root}:acme/arm-7", "cardAttributes": "reach",
	"authors": "Ada Example", "editorial": "{reader: Grace, deadline: Friday}",
	"segment.name": "The first group", "category": "{rooted}",
	"ref": "product:acme/arm-7", "note": "Its first arm.",
}
