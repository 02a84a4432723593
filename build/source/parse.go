package source

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
	"souk/build/kit/picture"
	"souk/build/kit/problem"
	"souk/build/kit/rendition"
)

// The maximum sizes of files, in bytes.
const (
	MaxText     = 8 << 20
	MaxMarkdown = 256 << 10
	MaxPicture  = 32 << 20
	MaxPDF      = 20 << 20
)

// A reading is the content of one file.
type reading struct {
	Market *catalog.Marketplace
	Item   catalog.Item
	Media  *catalog.Media
	Texts  map[string]string
	// Synonyms are those of the file of synonyms.
	Synonyms []catalog.Synonyms
	// Theme is a file of the theme, in its stored form.
	Theme    string
	Problems problem.List
}

// read parses a file according to its path, and checks the path itself.
func read(file string, data []byte, renditions *rendition.Cache) *reading {
	r := interpret(file, data, renditions)
	if p := notOnWindows(file); p != nil {
		r.Problems = append(r.Problems, *p)
	}
	return r
}

func interpret(file string, data []byte, renditions *rendition.Cache) *reading {
	what, ref, misplaced := place(file)
	r := &reading{}
	if misplaced != nil {
		r.Problems = problem.List{*misplaced}
	}
	if what == ignored || what == stray {
		return r
	}
	if p := leftoverProblem(file, data); p != nil {
		r.Problems, r.Item = append(r.Problems, *p), unread(file)
		if what == media {
			r.Media = &catalog.Media{} // so that it is not reported as missing too
		}
		return r
	}
	if what == media {
		r.readPicture(file, data, renditions)
		return r
	}
	if what == themeFile {
		r.readTheme(file, data)
		return r
	}
	if ref.Kind == catalog.KindFile {
		r.Item, r.Problems = ownFile(file, ref, data)
		return r
	}
	d := &decoder{file: file}
	defer d.close()
	front, b, ok := d.split(data)
	if what == wordingFile {
		if ok {
			r.Texts = d.wording(front)
		}
		r.Problems = d.problems
		return r
	}
	if what == synonymsFile {
		if ok {
			r.Synonyms = d.synonyms(front)
		}
		r.Problems = d.problems
		return r
	}
	var n *yaml.Node
	if ok {
		n = d.mapping(front)
	}
	switch {
	case n == nil:
		r.Item = unread(file)
	case what == marketplace:
		r.Market = d.marketplace(n, b)
	default:
		r.Item = d.item(n, b, ref)
	}
	r.Problems = d.problems
	return r
}

// unread returns an empty item for an unreadable file, so that References to it are not
// reported too, or nil if the file is not an item's.
func unread(file string) catalog.Item {
	what, ref, _ := place(file)
	if what != itemFile {
		return nil
	}
	return emptyItem(file, ref)
}

// emptyItem returns an item with only its Reference.
func emptyItem(file string, ref catalog.Ref) catalog.Item {
	if ref.Kind == catalog.KindFile {
		item, _ := ownFile(file, ref, nil)
		return item
	}
	item := newFile(ref.Kind).item(&decoder{file: file}, catalog.Head{Ref: ref, File: file})
	if s, is := item.(*catalog.Seller); is {
		s.ID = "" // its file may have another id than the companySlug
	}
	return item
}

func (r *reading) readPicture(file string, data []byte, renditions *rendition.Cache) {
	public, info, faults := picture.Public(file, data)
	name := rendition.Name(public, info.Extension)
	smaller, unscaled := renditions.Of(name, public)
	faults = append(faults, unscaled...)
	for _, f := range faults {
		r.Problems = append(r.Problems, problem.Problem{File: file, Line: f.Line, Column: f.Column, Text: f.Text, Warning: f.Warning})
	}
	r.Media = &catalog.Media{Name: name, Type: info.Type, Width: info.Width, Height: info.Height, Bytes: int64(len(public))}
	for _, s := range smaller {
		r.Media.Renditions = append(r.Media.Renditions, catalog.Rendition{
			Name: rendition.Name(s.Data, s.Extension), Width: s.Width, Height: s.Height, Bytes: int64(len(s.Data)),
		})
	}
}

// split splits a file into its YAML and its Markdown, and rejects anything that is not UTF-8.
func (d *decoder) split(data []byte) (front string, b body, ok bool) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		d.wrongAt(catalog.Position{Line: 1, Column: 1}, "save it as UTF-8", "the file is encoded as UTF-16")
		return "", b, false
	}
	// Line endings depend on the editor's system and make no difference.
	text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	if at := invalid(text); at >= 0 {
		d.wrongAt(body{text: text, line: 1}.position(at), "save it as UTF-8", "the file is not UTF-8: byte 0x%02x", text[at])
		return "", b, false
	}
	if at := strings.IndexByte(text, 0); at == 0 || at == 1 {
		d.wrongAt(catalog.Position{Line: 1, Column: 1}, "save it as UTF-8", "the file seems to be encoded as UTF-16")
		return "", b, false
	} else if at >= 0 {
		d.wrongAt(body{text: text, line: 1}.position(at), "remove the character", "the file contains a NUL character")
		return "", b, false
	}
	if path.Ext(d.file) == ".yaml" {
		return text, b, true
	}
	first, rest, found := strings.Cut(text, "\n")
	if !found || strings.TrimRight(first, " \t\r") != "---" {
		d.wrongAt(catalog.Position{Line: 1, Column: 1}, "begin with a line ---, then the fields in YAML, then another line ---", "the file has no front matter")
		return "", b, false
	}
	d.shift = 1
	for at := 0; at < len(rest); {
		end := len(rest)
		if i := strings.IndexByte(rest[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if strings.TrimRight(rest[at:end], " \t\r\n") == "---" {
			front, b.text = rest[:at], rest[end:]
			b.line = 3 + strings.Count(front, "\n")
			// Empty lines between the fields and the Markdown belong to neither.
			trimmed := strings.TrimLeft(b.text, "\r\n")
			b.line += strings.Count(b.text[:len(b.text)-len(trimmed)], "\n")
			b.text = trimmed
			return front, b, true
		}
		at = end
	}
	d.wrongAt(catalog.Position{Line: 1, Column: 1}, "close the fields with a line ---", "the front matter does not end")
	return "", b, false
}

func invalid(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

// root parses YAML and returns its root node, which is null if there is nothing. If the YAML
// does not parse, root adds a problem and returns nil.
func (d *decoder) root(front string) *yaml.Node {
	if at := strings.IndexFunc(front, unprintable); at >= 0 {
		r, _ := utf8.DecodeRuneInString(front[at:])
		d.wrongAt(body{text: front, line: 1 + d.shift}.position(at), "remove the character", "the YAML contains the control character %U", r)
		return nil
	}
	front = directive().ReplaceAllString(front, "${1}%YAML 1.1")
	d.plain = plainReaders.Get().(*plainReader)
	if n := d.plain.read(front); n != nil {
		return n
	}
	var document yaml.Node
	err := yaml.Load([]byte(front), &document)
	switch {
	case err != nil && strings.HasSuffix(err.Error(), "no documents in stream"):
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	case err != nil:
		d.syntax(err, front)
		return nil
	}
	n := &document
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	left := maxAliased
	if spend(n, false, &left); left < 0 {
		d.wrongAt(catalog.Position{Line: 1 + d.shift, Column: 1}, "write them out", "the file's aliases expand to more than %d values or 8 MB of text, or contain themselves", maxAliased)
		return nil
	}
	return resolve(n)
}

// directive matches a YAML version before the fields. The library rejects versions after 1.1,
// although it can read them.
var directive = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A((?:[ \t]*(?:#.*)?\n)*)%YAML[ \t]+1\.[0-9]+`) })

// maxAliased is how many values all aliases together may expand to: a few nested aliases can
// expand to more than any reader can handle. Each aliasedText bytes of a long text count once
// more, so that the text cannot exceed the size of a file.
const (
	maxAliased  = 100_000
	aliasedText = 80
)

// spend subtracts from left the expansion of the aliases below a node.
func spend(n *yaml.Node, aliased bool, left *int) {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n, aliased = n.Alias, true
	}
	if aliased {
		*left -= 1 + len(n.Value)/aliasedText
	}
	for i := 0; i < len(n.Content) && *left >= 0; i++ {
		spend(n.Content[i], aliased, left)
	}
}

// mapping is root for a file that must be a mapping of fields.
func (d *decoder) mapping(front string) *yaml.Node {
	n := d.root(front)
	switch {
	case n == nil || n.Kind == yaml.MappingNode:
		return n
	case isNull(n):
		d.wrongAt(catalog.Position{Line: 1 + d.shift, Column: 1}, "", "the file has no fields")
	default:
		d.wrong(n, "", "the file takes a mapping of fields, not %s", what(n))
	}
	return nil
}

// unprintable reports whether YAML does not allow a character (YAML 1.2.2, section 5.1).
func unprintable(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff
}

// remedies say how to fix the most frequent YAML mistakes.
var remedies = map[string]string{
	"mapping values are not allowed in this context":         "put text with a colon in quotes, or check the indentation, and the space behind the colon of the field above",
	"found character that cannot start any token":            "indent with spaces, and put text that begins with such a character in quotes",
	"found a tab character that violates indentation":        "indent with spaces",
	"found unexpected end of stream":                         "close the quote that begins here",
	"did not find expected '-' indicator":                    "check the indentation",
	"did not find expected <document start>":                 "begin all fields in the same column",
	"did not find expected key":                              "check the indentation; where a value begins with a quote or a bracket, nothing may follow its end, and an apostrophe within '…' is written twice",
	"could not find expected ':'":                            "write a field as name: value, and begin each further line of a text right of its field",
	"did not find expected comment or line break":            "put text that begins with > or | in quotes",
	"did not find expected alphabetic or numeric character":  "put text that begins with & or * in quotes",
	"did not find expected node content":                     "put text that begins with a comma, a bracket or # in quotes, and write something between two commas",
	"found a comment without preceding whitespace":           "put text that begins with # in quotes",
	"block sequence entries are not allowed in this context": "begin a list in the line below its field, and put text that begins with a hyphen in quotes",
	"mapping keys are not allowed in this context":           "put text that begins with ? in quotes",
	"found unknown escape character":                         `write \\ for each \ within "…", or the text within '…'`,
	"did not find expected hexadecimal number":               `write \\ for each \ within "…", or the text within '…'`,
	"found invalid Unicode character escape code":            "write the character itself, in UTF-8",
	"expected single document, found multiple":               "remove the line --- that begins another",
}

func (d *decoder) syntax(err error, front string) {
	at, text := catalog.Position{Line: 1 + d.shift, Column: 1}, err.Error()
	one := &yaml.LoadError{}
	if errors.As(err, &one) {
		text = one.Message
		if one.Mark.Line > 0 {
			at = catalog.Position{Line: one.Mark.Line + d.shift, Column: max(one.Mark.Column, 1)}
		}
	}
	if text = strings.TrimPrefix(text, "yaml: "); text == "expected single document, found multiple" {
		at = body{text: front, line: 1 + d.shift}.position(strings.LastIndex(front, "\n---") + 1)
	}
	meant := remedies[text]
	switch {
	case (text == "found unexpected end of stream" || text == "could not find expected ':'") && one.ContextMark.Line > 0:
		at = catalog.Position{Line: one.ContextMark.Line + d.shift, Column: max(one.ContextMark.Column, 1)}
	case strings.HasPrefix(text, "did not find expected ',' or"):
		meant = fmt.Sprintf("close the bracket that begins in line %d", one.ContextMark.Line+d.shift)
	case strings.HasPrefix(text, "unknown anchor"):
		meant = "put text that begins with * in quotes"
	}
	d.wrongAt(at, meant, "the YAML does not parse: %s", text)
}

func (d *decoder) marketplace(n *yaml.Node, b body) *catalog.Marketplace {
	var f marketplaceFile
	d.decodeStruct(n, reflect.ValueOf(&f).Elem(), "the marketplace")
	m := f.settings(d)
	d.checkDates(n, catalog.Date(f.PublishedAt), catalog.Date(f.ExpiresAt), "use a later expiresAt, or none")
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch key := n.Content[i]; {
		case key.Value == "status" && (f.Status == "draft" || f.Status == "unpublished"), key.Value == "expiresAt" && f.ExpiresAt != (date{}):
			d.warnAt(d.at(key), "", "%s has no effect here: the marketplace itself is always public", key.Value)
		}
	}
	b.text = strings.TrimRight(b.text, " \t\n")
	switch within := f.Description; {
	case within.text == "":
	case b.text != "":
		d.wrongAt(within.at, "keep one of the two", "there are two descriptions, here and below the front matter")
	default:
		b = body{text: strings.TrimSpace(within.text), within: within.at}
	}
	m.Description = d.markdownText(b)
	return m
}

// A contentFile is one of the types of files.go.
type contentFile interface {
	item(d *decoder, h catalog.Head) catalog.Item
}

// newFile returns an empty content file of a kind.
func newFile(kind catalog.Kind) contentFile {
	switch kind {
	case catalog.KindSeller:
		return &sellerFile{}
	case catalog.KindProduct:
		return &productFile{}
	case catalog.KindService:
		return &serviceFile{}
	case catalog.KindCategory:
		return &categoryFile{}
	case catalog.KindArticle:
		return &articleFile{}
	case catalog.KindMarketMap:
		return &marketMapFile{}
	case catalog.KindPage:
		return &pageFile{}
	}
	panic(fmt.Sprintf("source: no file of kind %d", kind))
}

func (d *decoder) item(n *yaml.Node, b body, ref catalog.Ref) catalog.Item {
	f := newFile(ref.Kind)
	name := ref.Kind.String()
	if ref.Kind == catalog.KindMarketMap {
		name = "market map"
	}
	d.decodeStruct(n, reflect.ValueOf(f).Elem(), "the "+name)
	h := catalog.Head{Ref: ref, File: d.file}
	if b.text != "" {
		h.Description = d.markdownText(b)
	}
	item := f.item(d, h)
	common := item.Common()
	d.checkDates(n, common.PublishedAt, common.ExpiresAt, "use a later expiresAt, or status: unpublished")
	return item
}

// checkDates finds items that expire before they are published.
func (d *decoder) checkDates(n *yaml.Node, from, to catalog.Date, meant string) {
	if from.Time.IsZero() || to.Time.IsZero() || from.Time.Before(to.Time) {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "expiresAt" {
			d.wrong(resolve(n.Content[i+1]), meant, "it expires on %s and is published on %s, so it is never public", to, from)
		}
	}
}
