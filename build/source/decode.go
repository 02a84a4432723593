package source

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
	"souk/build/kit/problem"
)

// A decoder turns the YAML nodes of one file into the types of files.go and collects every
// mistake.
type decoder struct {
	file string
	// shift is the number of lines before the YAML.
	shift int
	// name is the field that is being read, for messages about its value.
	name     string
	problems problem.List
	// alts are the alternative texts of media by file and web address; nil until there is one.
	alts map[string]string
	// plain reads plain YAML and owns its nodes; nil until needed.
	plain *plainReader
}

// close releases the nodes that were read.
func (d *decoder) close() {
	if d.plain != nil {
		plainReaders.Put(d.plain)
	}
}

// A scalar is a type that decodes itself from a node.
type scalar interface {
	fromNode(d *decoder, n *yaml.Node)
}

func (d *decoder) at(n *yaml.Node) catalog.Position {
	return catalog.Position{Line: n.Line + d.shift, Column: n.Column}
}

func (d *decoder) wrong(n *yaml.Node, meant, format string, args ...any) {
	d.wrongAt(d.at(n), meant, format, args...)
}

func (d *decoder) wrongAt(at catalog.Position, meant, format string, args ...any) {
	d.problems = append(d.problems, problem.Problem{
		File: d.file, Line: at.Line, Column: at.Column, Text: fmt.Sprintf(format, args...), Meant: meant,
	})
}

func (d *decoder) warnAt(at catalog.Position, meant, format string, args ...any) {
	d.wrongAt(at, meant, format, args...)
	d.problems[len(d.problems)-1].Warning = true
}

// A field is one key in a file's mapping.
type field struct {
	name  string
	index []int
	// A required field must not be missing or empty; a present field must not be
	// missing.
	required bool
	present  bool
	// A usual field is not commented out in the draft of a file.
	usual bool
	doc   string
	enum  []string
	// A name must not contain invisible characters.
	isName bool
	// most is how many items a list may have; 0 for no limit.
	most int
}

// shapes caches the fields of the struct types of files.go.
var shapes sync.Map // reflect.Type -> []field

// fieldsOf returns the fields of a struct type, then those of embedded structs.
func fieldsOf(t reflect.Type) []field {
	if known, ok := shapes.Load(t); ok {
		return known.([]field)
	}
	var own, embedded []field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				embedded = append(embedded, inner)
			}
			continue
		}
		if f.Tag.Get("yaml") == "" {
			continue
		}
		name, option, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		most, _ := strconv.Atoi(f.Tag.Get("most"))
		own = append(own, field{
			name: name, index: []int{i}, required: option == "required", present: option == "present", usual: option == "usual",
			doc: f.Tag.Get("doc"), enum: strings.Fields(f.Tag.Get("enum")), isName: f.Tag.Get("text") == "name",
			most: most,
		})
	}
	all := append(own, embedded...)
	shapes.Store(t, all)
	return all
}

// resolve returns the node that an alias stands for.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// what describes a node to its author.
func what(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch tag := n.ShortTag(); tag {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!bool":
		return "the truth value " + n.Value
	case "!!str", "!!timestamp":
		return fmt.Sprintf("%q", shorten(n.Value))
	default:
		return "a value tagged " + shorten(tag)
	}
}

func shorten(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// decode decodes n into v, which must be settable.
func (d *decoder) decode(n *yaml.Node, v reflect.Value, f field) {
	at := n
	if n = resolve(n); isNull(n) && v.Kind() != reflect.Interface {
		switch cut := cutOff(at); {
		case cut != "" && at.Value == "":
			tell := d.warnAt
			if f.required {
				tell = d.wrongAt
			}
			tell(d.at(at), uncut, "%s is empty, since a comment of YAML begins at %q", f.name, shorten(cut))
		case f.required:
			d.wrong(at, "", "%s is empty", f.name)
		}
		return
	}
	if s, ok := v.Addr().Interface().(scalar); ok {
		d.name = f.name
		s.fromNode(d, n)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.decode(n, v.Elem(), f)
	case reflect.Struct:
		d.decodeStruct(n, v, f.name)
	case reflect.Slice:
		d.decodeList(n, v, f)
	case reflect.String:
		d.name = f.name
		if len(f.enum) > 0 && n.ShortTag() != "!!str" {
			d.wrong(n, "", "%s is one of %s, not %s", f.name, strings.Join(f.enum, ", "), what(n))
			return
		}
		if text, ok := d.text(n); ok {
			d.checkText(n, text, f)
			if f.isName {
				d.checkName(n, f.name, text)
			}
			v.SetString(text)
		}
	case reflect.Int:
		var number int
		if d.padded(n, false) {
			return
		}
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || n.Decode(&number) != nil {
			d.wrong(n, "", "%s takes a whole number, not %s", f.name, what(n))
		}
		v.SetInt(int64(number))
	case reflect.Bool:
		var truth bool
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" || n.Decode(&truth) != nil {
			d.wrong(n, "", "%s takes true or false, not %s", f.name, what(n))
		}
		v.SetBool(truth)
	}
}

// text reads a text that is not Markdown.
func (d *decoder) text(n *yaml.Node) (string, bool) {
	text, ok := d.anyText(n)
	d.warnOfTraces(text, inPlain, func(int) catalog.Position { return d.at(n) })
	if missing[text] {
		d.warnAt(d.at(n), "write the value, or leave the field out", "%q is what programs write for a missing value", text)
	}
	return text, ok
}

// anyText reads a scalar that YAML considers text or a date. Every field that is not a date
// treats both as text.
func (d *decoder) anyText(n *yaml.Node) (string, bool) {
	if n.Kind == yaml.ScalarNode {
		switch n.ShortTag() {
		case "!!str", "!!timestamp":
			d.cutShort(n)
			return n.Value, true
		case "!!int", "!!float", "!!bool":
			d.wrong(n, fmt.Sprintf("write %q in quotes", n.Value), "%s takes text, not %s", d.name, what(n))
			return "", false
		}
	}
	meant := ""
	if isNull(n) && cutOff(n) != "" {
		meant = uncut
	}
	d.wrong(n, meant, "%s takes text, not %s", d.name, what(n))
	return "", false
}

// word reads an address, a code or another name. Spaces around it would be invisible.
func (d *decoder) word(n *yaml.Node) (string, bool) {
	text, ok := d.text(n)
	return text, ok && !d.spacious(text, d.at(n))
}

// spacious rejects a text that begins or ends with a space.
func (d *decoder) spacious(text string, at catalog.Position) bool {
	bare := strings.TrimSpace(text)
	if bare == text || bare == "" {
		return false
	}
	d.wrongAt(at, "write "+strconv.Quote(shorten(bare)), "%q begins or ends with a space", shorten(text))
	return true
}

const uncut = "put all of it in quotes, or a space behind the #"

// cutShort warns about an unquoted text that a # ends, as in "We are #1".
func (d *decoder) cutShort(n *yaml.Node) {
	if cut := cutOff(n); cut != "" {
		d.warnAt(d.at(n), uncut, "the text ends at %q, since a comment of YAML begins there", shorten(cut))
	}
}

// cutOff returns the comment after or in place of an unquoted value if it was probably meant
// as text: people write comments with a space after the sign.
func cutOff(n *yaml.Node) string {
	if rest := n.LineComment; n.Style == 0 && len(rest) > 1 && !strings.ContainsAny(rest[1:2], " \t#") {
		return rest
	}
	return ""
}

// valueAt returns the value of the key at an index of a mapping. The library attaches a
// comment in the place of a value to the key.
func valueAt(n *yaml.Node, key int) *yaml.Node {
	value := n.Content[key+1]
	if isNull(value) && value.LineComment == "" {
		value.LineComment = n.Content[key].LineComment
	}
	return value
}

// padded rejects a number with a leading zero, which YAML 1.1 reads as octal and YAML 1.2 as
// decimal. If text is allowed, text was probably meant: an article number, a dialling code.
func (d *decoder) padded(n *yaml.Node, orText bool) bool {
	if tag := n.ShortTag(); n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" {
		return false
	}
	sign := n.Value[:len(n.Value)-len(strings.TrimLeft(n.Value, "+-"))]
	all := strings.ReplaceAll(n.Value[len(sign):], "_", "")
	if len(all) < 2 || all[0] != '0' || all[1] < '0' || all[1] > '9' {
		return false
	}
	number := strings.TrimLeft(all[:len(all)-1], "0") + all[len(all)-1:]
	if number[0] == '.' {
		number = "0" + number
	}
	meant := "write " + sign + number
	if orText {
		meant = fmt.Sprintf("write %q in quotes if it is text, or else %s", n.Value, sign+number)
	}
	d.wrong(n, meant, "the number %s begins with a zero, so some programs read it as octal", shorten(n.Value))
	return true
}

func (d *decoder) checkText(n *yaml.Node, text string, f field) {
	if f.required && strings.TrimSpace(text) == "" {
		d.wrong(n, "", "%s is empty", f.name)
		return
	}
	if len(f.enum) == 0 {
		return
	}
	for _, allowed := range f.enum {
		if text == allowed {
			return
		}
	}
	d.wrong(n, problem.Nearest(text, f.enum), "%s is one of %s, not %q", f.name, strings.Join(f.enum, ", "), shorten(text))
}

func (d *decoder) decodeList(n *yaml.Node, v reflect.Value, f field) {
	if n.Kind != yaml.SequenceNode {
		d.wrong(n, "start each item with \"- \"", "%s takes a list, not %s", f.name, what(n))
		return
	}
	if f.required && len(n.Content) == 0 {
		d.wrong(n, "", "%s is an empty list", f.name)
	}
	if f.most > 0 && len(n.Content) > f.most {
		d.wrong(n.Content[f.most], fmt.Sprintf("keep at most %d", f.most), "%s has %d items", f.name, len(n.Content))
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	item := field{name: "an item of " + f.name, required: true, enum: f.enum, isName: f.isName}
	for i, child := range n.Content {
		d.decode(child, list.Index(i), item)
	}
	v.Set(list)
}

func (d *decoder) decodeStruct(n *yaml.Node, v reflect.Value, name string) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, theFields(fieldsOf(v.Type())), "%s takes a mapping of fields, not %s", name, what(n))
		return
	}
	fields := fieldsOf(v.Type())
	seen := make([]bool, len(fields))
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], valueAt(n, i)
		at := -1
		for j := range fields {
			if fields[j].name == key.Value && key.Kind == yaml.ScalarNode {
				at = j
			}
		}
		switch {
		case at < 0 && cutNumber(n, i):
			d.wrong(key, pointNotComma, "unknown field %q", shorten(key.Value))
		case at < 0:
			d.unknown(key, v.Type())
		case seen[at]:
			d.wrong(key, "", "the field %q appears twice", key.Value)
		default:
			seen[at] = true
			d.decode(value, v.FieldByIndex(fields[at].index), fields[at])
		}
	}
	for j, f := range fields {
		if (f.required || f.present) && !seen[j] {
			d.wrong(n, "", "%s has no %q", name, f.name)
		}
	}
}

// merges rejects merge keys.
func (d *decoder) merges(key *yaml.Node) bool {
	merge := key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge"
	if merge {
		d.wrong(key, "write the fields out, or use an alias for the whole value", "merge keys are not supported")
	}
	return merge
}

func (d *decoder) unknown(key *yaml.Node, t reflect.Type) {
	switch {
	case key.Kind != yaml.ScalarNode:
		d.wrong(key, "", "the name of a field takes text, not %s", what(key))
		return
	case d.merges(key):
		return
	}
	fields := fieldsOf(t)
	meant := problem.Nearest(key.Value, namesOf(fields))
	below := below(t, key.Value)
	switch {
	case len(below) > 0:
		meant = fmt.Sprintf("it is a field of %s; %s", strings.Join(below, " and of "), theFields(fields))
	case meant == "" && key.Value == "description" && slices.Contains(namesOf(fields), "status"):
		meant = "a description is the Markdown below the fields, in a file that ends in .md; " + theFields(fields)
	case meant == "":
		meant = theFields(fields)
	}
	d.wrong(key, meant, "unknown field %q", shorten(key.Value))
}

// below returns the fields of a type that contain a field of this name: it was not indented
// enough, or belongs one level deeper.
func below(t reflect.Type, name string) []string {
	var all []string
	for _, f := range fieldsOf(t) {
		inner := t.FieldByIndex(f.index).Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && slices.Contains(namesOf(fieldsOf(inner)), name) {
			all = append(all, f.name)
		}
	}
	return all
}

func namesOf(fields []field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

func theFields(fields []field) string {
	return "the fields are " + strings.Join(namesOf(fields), ", ")
}

const pointNotComma = "a comma ends the value before it: write a number with a point, as in 1290.50"

// cutNumber reports whether a key is the rest of a number with a decimal comma, as 50 is in
// {amount: 12,50}.
func cutNumber(n *yaml.Node, at int) bool {
	if at < 2 || !isNull(n.Content[at+1]) {
		return false
	}
	withoutPoint := func(n *yaml.Node) string { return strings.ReplaceAll(n.Value, ".", "") }
	before, rest := n.Content[at-1], n.Content[at]
	return before.Kind == yaml.ScalarNode && digits(strings.TrimLeft(withoutPoint(before), "+-")) && digits(withoutPoint(rest))
}
