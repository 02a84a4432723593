package feed

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"souk/build/catalog"
	"souk/build/intake/merge"
	"souk/build/kit/codes"
)

// A conversion makes a value of content of a cell, or returns an error that says why the
// cell cannot become one.
type conversion struct {
	// takes says what the cell may contain.
	takes string
	make  func(in input) (merge.Value, error)
}

// An input is the input of a conversion: a text or a cell, the thing to fill, and the
// name that matches the * of the target.
type input struct {
	*Batch
	text string
	cell Cell
	of   *Thing
	name string
}

// text turns a function on text into a conversion.
func text(takes string, convert func(string) (merge.Value, error)) conversion {
	return conversion{takes, func(in input) (merge.Value, error) { return convert(in.text) }}
}

// A Field is a field that a source can fill.
type Field struct {
	// Target is its name in a mapping; * matches any name.
	Target string
	// Takes describes the accepted values.
	Takes string
	kind  catalog.Kind
	path  []string
	make  func(in input) (merge.Value, error)
}

var (
	plain    = text("text", line)
	list     = text("texts, separated by semicolons, bars, lines or else commas", texts)
	web      = text("a web address; https:// may be missing", webAddress)
	country  = text("a country's name or code", coded(codes.Country, codes.CountryMeant, "a country"))
	markdown = text("Markdown", func(s string) (merge.Value, error) {
		return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")), nil
	})
	paths = conversion{"categories as names, slugs, or paths such as Tools > Drills, separated by semicolons, bars, lines or else commas", categoriesOf}
)

// Fields are all fields that a source can fill. docs/reference/import.md has them as a table.
var Fields, fieldOf = fields()

func fields() (all []*Field, byTarget map[string]*Field) {
	byTarget = map[string]*Field{}
	add := func(kinds, names string, as conversion) {
		for kind := range strings.FieldsSeq(kinds) {
			of, _ := catalog.ParseKind(kind)
			for name := range strings.FieldsSeq(names) {
				path := strings.Split(strings.TrimSuffix(name, ".*"), ".")
				if name == "html" {
					path[0] = "description"
				}
				f := &Field{kind + "." + name, as.takes, of, path, as.make}
				all, byTarget[f.Target] = append(all, f), f
			}
		}
	}
	const offers, every = "product service", "seller product service category"
	add("seller", `name legalName tagline headquarters.city headquarters.region contact.telephone contact.email id contact.address.street
		contact.address.postalCode contact.address.city contact.address.region employees`, plain)
	add("seller", "details.*", text2("text; * is its label", "value", line))
	add("seller", "website contact.url", web)
	add("seller", "headquarters.country contact.address.country", country)
	add("seller", "founded", text("a year, or a date", yearOf))
	add("seller", "languages", list)
	add("seller", "officialDomain", text("a domain", domainOf))
	add("seller", "logo", conversion{"a web address, or the name of a picture that comes with the source", logo})
	add(offers, "name price.unit", plain)
	add(offers, "website", web)
	add(offers, "price.amount price.list", conversion{"a price; its currency may be beside it", amountOf})
	add(offers, "price.currency", text("a currency code or symbol", currency))
	add(offers, "price.from", text("true or false, yes or no, 1 or 0", truthOf))
	add(offers, "attributes.*", conversion{"text; a unit may be in the name, as in Weight (kg)", attribute})
	add(offers, "media", conversion{"a web address, the name of a picture that comes with the source, or a list of such pictures in JSON, each as {url, alt}", media})
	add(offers, "files", conversion{"web addresses of PDFs, or names of those that come with the source, separated by semicolons, bars, lines or else commas", files})
	add("product", "sku", text("an article number", identifierOf))
	add("product", "gtin", text("a GTIN with a valid check digit", gtinOf))
	add("product", "availability", oneOf("inStock", "outOfStock", "preOrder", "onRequest", "discontinued"))
	add("service", "delivery", oneOf("remote", "onsite", "hybrid"))
	add("service", "regions", list)
	add("category", "name", plain)
	add("category", "parent", conversion{"a category's name or slug", parentOf})
	add("category", "synonyms", list)
	add("category", "order", text("a whole number", whole))
	add("category", "root", oneOf("product", "service"))
	add(every, "slug", text("a slug", line))
	add(every, "summary", plain)
	add(every, "description", markdown)
	add(every, "html", conversion{"HTML, which becomes Markdown", func(in input) (merge.Value, error) { return in.Markdown(in.text) }})
	add("seller "+offers, "categories", paths)
	add("seller "+offers, "keywords", list)
	add("seller "+offers, "links.*", text2("a web address; * is its label", "url", webAddress))
	add("seller "+offers, "links proof related", text("JSON", structured))
	add("product", "variants", text("JSON", variants))
	add(offers, "attributes", text("JSON", structured))
	add("seller", "details", text("JSON", structured))
	add("category", "related", text("JSON", structured))
	add(every, "status", oneOf("published", "draft", "unpublished"))
	add(every, "publishedAt updatedAt expiresAt", text("a date, as in 2026-01-31, or an RFC 3339 timestamp", dateOf))
	add(every, "private.*", conversion{"text", func(in input) (merge.Value, error) { return merge.Map{{Key: in.name, Value: in.text}}, nil }})
	return all, byTarget
}

// FieldOf returns the field of a target, or nil, and the name that matches its *.
func FieldOf(target string) (f *Field, name string) {
	if f = fieldOf[target]; f != nil {
		return f, ""
	}
	if part := strings.SplitN(target, ".", 3); len(part) == 3 && part[2] != "" {
		return fieldOf[part[0]+"."+part[1]+".*"], part[2]
	}
	return nil, ""
}

// text2 makes an item of a list of labels and values.
func text2(takes, key string, convert func(string) (merge.Value, error)) conversion {
	return conversion{takes, func(in input) (merge.Value, error) {
		value, err := convert(in.text)
		return merge.List{merge.Map{{Key: "label", Value: in.name}, {Key: key, Value: value}}}, err
	}}
}

// unseen are characters that names may not have.
func unseen(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d':
		return -1
	}
	return r
}

// clean turns a text into one line without invisible characters.
func clean(text string) string { return strings.TrimSpace(strings.Map(unseen, norm.NFC.String(text))) }

func line(text string) (merge.Value, error) { return clean(text), nil }

func webAddress(text string) (merge.Value, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	if a, ok := catalog.ParseWebAddress(text); !ok || !strings.HasPrefix(strings.ToLower(text), "http") || !strings.Contains(a.Host, ".") || strings.ContainsAny(text, " <>\"\n") {
		return nil, errors.New("it is not a web address")
	}
	return text, nil
}

func domainOf(text string) (merge.Value, error) {
	address, err := webAddress(text)
	if err != nil {
		return nil, errors.New("it is not a domain")
	}
	a, _ := catalog.ParseWebAddress(address.(string))
	return catalog.BareDomain(a.Host), nil
}

var digits = regexp.MustCompile(`^[0-9]+$`)

func whole(text string) (merge.Value, error) {
	if text = strings.TrimSpace(text); !digits.MatchString(text) {
		return nil, errors.New("it is not a whole number")
	}
	return merge.Raw(text), nil
}

var years = regexp.MustCompile(`\b(1[0-9]{3}|20[0-9]{2})\b`)

func yearOf(text string) (merge.Value, error) {
	if found := years.FindAllString(text, -1); len(found) == 1 {
		return merge.Raw(found[0]), nil
	}
	return nil, errors.New("it is not a year")
}

var days = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9:]+)?)?$`)

func dateOf(text string) (merge.Value, error) {
	if text = strings.TrimSpace(text); !days.MatchString(text) {
		return nil, errors.New("it is not a date such as 2026-01-31")
	}
	return merge.Raw(text), nil
}

func truthOf(text string) (merge.Value, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "1":
		return merge.Raw("true"), nil
	case "false", "no", "0":
		return merge.Raw("false"), nil
	}
	return nil, errors.New("it is neither true nor false")
}

func oneOf(options ...string) conversion {
	last := len(options) - 1
	takes := strings.Join(options[:last], ", ") + " or " + options[last]
	return text(takes, func(text string) (merge.Value, error) {
		at := slices.IndexFunc(options, func(option string) bool { return strings.EqualFold(strings.Map(letters, text), option) })
		if at < 0 {
			return nil, fmt.Errorf("it is not %s", takes)
		}
		return options[at], nil
	})
}

func letters(r rune) rune {
	if unicode.IsLetter(r) {
		return r
	}
	return -1
}

// coded replaces names with their codes.
func coded(is func(string) bool, meant func(string) string, what string) func(string) (merge.Value, error) {
	return func(text string) (merge.Value, error) {
		if text = strings.TrimSpace(text); is(text) {
			return text, nil
		}
		if code := meant(text); code != "" {
			return code, nil
		}
		return nil, errors.New("it is not " + what)
	}
}

var currency = coded(codes.Currency, currencyMeant, "a currency")

func currencyMeant(text string) string {
	if code := map[string]string{"€": "EUR", "£": "GBP", "US$": "USD", "₹": "INR"}[text]; code != "" {
		return code
	}
	return codes.CurrencyMeant(text)
}

var exponent = regexp.MustCompile(`^[0-9][.,][0-9]+[Ee]\+[0-9]+$`)

func identifierOf(text string) (merge.Value, error) {
	if exponent.MatchString(strings.TrimSpace(text)) {
		return nil, errors.New("a spreadsheet has shortened the number: format its column as text and export it again")
	}
	return line(text)
}

func gtinOf(text string) (merge.Value, error) {
	value, err := identifierOf(strings.TrimPrefix(strings.TrimSpace(text), "'"))
	if err == nil && !codes.GTIN(value.(string)) {
		err = errors.New("it is not a GTIN of 8, 12, 13 or 14 digits with a valid check digit")
	}
	return value, err
}

var money = regexp.MustCompile(`^([A-Z]{3}|[€£₹$]|US\$)?\s*([0-9][0-9.,'’ \x{a0}\x{202f}]*)\s*([A-Z]{3}|[€£₹$]|US\$)?$`)

// amountOf parses a number with thousands separators and decimals and keeps its
// digits. A currency next to it becomes the thing's currency.
func amountOf(in input) (merge.Value, error) {
	part := money.FindStringSubmatch(strings.TrimSpace(in.text))
	if part == nil {
		return nil, errors.New("it is not a price")
	}
	if code, err := currency(max(part[1], part[3])); err == nil && in.of != nil {
		in.of.Fields, _ = put(in.of.Fields, []string{"price", "currency"}, code)
	}
	return decimal(part[2], in.Decimal)
}

// decimal returns a number with a point. usual is the separator of decimals where a number
// can be read both ways.
func decimal(text string, usual byte) (merge.Value, error) {
	text = spaces.Replace(text)
	point, comma := strings.Count(text, "."), strings.Count(text, ",")
	at := strings.LastIndexAny(text, ".,")
	switch {
	case at < 0, point+comma > 1 && (point == 0 || comma == 0):
		at = len(text) // no decimals, or thousands alone
	case point > 0 && comma > 0, len(text)-at != 4, text[0] == '0', text[at] == usual:
	default:
		at = len(text)
	}
	number := separators.Replace(text[:at])
	if at < len(text)-1 {
		number += "." + text[at+1:]
	}
	if !decimals.MatchString(number) {
		return nil, errors.New("it is not a number")
	}
	return number, nil
}

var (
	decimals   = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
	spaces     = strings.NewReplacer("'", "", "’", "", " ", "", "\u00a0", "", "\u202f", "")
	separators = strings.NewReplacer(".", "", ",", "")
)

// Split separates the texts of a list.
func Split(text string) (all []string) {
	separators := ";|\n"
	if !strings.ContainsAny(text, separators) {
		separators = ","
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if part = strings.TrimSpace(strings.Map(unseen, part)); part != "" {
			all = append(all, part)
		}
	}
	return all
}

func texts(text string) (merge.Value, error) {
	value, _ := structured(text)
	if all, is := value.(merge.List); is {
		return all, nil
	}
	return union(nil, merge.Texts(Split(text)...)), nil
}

// structured parses JSON and keeps the digits of numbers.
func structured(text string) (merge.Value, error) {
	value, err := merge.FromJSON([]byte(text))
	if _, is := merge.Text(value); err != nil || is || value == nil {
		return nil, errors.New("it is not JSON")
	}
	return value, nil
}

// variants reads JSON, in which each may have an image.
func variants(text string) (merge.Value, error) {
	value, err := structured(text)
	list, _ := value.(merge.List)
	for i, item := range list {
		m, _ := item.(merge.Map)
		if image := m.Map("image"); image.Text("url") != "" {
			list[i] = m.Set("image", Picture{Name: image.Text("url"), Alt: cmp.Or(image.Text("alt"), m.Text("name"))})
		}
	}
	return value, err
}

var (
	measured  = regexp.MustCompile(`^(.*\S)\s*[(\[]([^()\[\]]+)[)\]]$`)
	numerical = regexp.MustCompile(`^-?(0|[1-9][0-9]*)([.,][0-9]+)?$`)
)

// attribute moves the unit from a name to its value.
func attribute(in input) (merge.Value, error) {
	name, text := in.name, clean(in.text)
	value := merge.Value(text)
	if numerical.MatchString(text) {
		number, err := decimal(strings.TrimPrefix(text, "-"), in.Decimal)
		if err != nil {
			return nil, err
		}
		value = merge.Raw(text[:strings.IndexFunc(text, unicode.IsDigit)] + number.(string))
		if part := measured.FindStringSubmatch(name); part != nil {
			name, value = part[1], merge.Map{{Key: "value", Value: value}, {Key: "unit", Value: part[2]}}
		}
	}
	return merge.Map{{Key: Name(name), Value: value}}, nil
}

// Name returns the name of an attribute, which has no colon.
func Name(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, ":", " ")) }

// logo returns a picture at a web address, or one that comes with the source.
func logo(in input) (merge.Value, error) {
	name := strings.TrimSpace(in.text)
	if strings.Contains(name, "://") {
		if _, err := webAddress(name); err != nil {
			return nil, err
		}
	}
	return Picture{Name: name}, nil
}

func media(in input) (merge.Value, error) {
	items, err := structured(in.text)
	list, is := items.(merge.List)
	if err != nil || !is {
		list = merge.List{merge.Map{{Key: "url", Value: in.text}, {Key: "alt", Value: in.cell.Label}}}
	}
	var all merge.List
	for _, item := range list {
		m, _ := item.(merge.Map)
		in.text = m.Text("url")
		value, err := logo(in)
		if err != nil {
			return nil, err
		}
		picture := value.(Picture)
		if picture.Alt = clean(m.Text("alt")); picture.Alt == "" {
			in.Notes["described a picture by its product's name"]++
			picture.Alt = in.of.Fields.Text("name")
		}
		all = append(all, picture)
	}
	return in.several(all), nil
}

// files returns PDFs, labelled with their names.
func files(in input) (merge.Value, error) {
	var all merge.List
	for _, name := range Split(in.text) {
		address, _, _ := strings.Cut(name, "?")
		ext := path.Ext(address)
		if !strings.EqualFold(ext, ".pdf") {
			return nil, errors.New("it is not the name of a PDF")
		}
		label := clean(strings.NewReplacer("-", " ", "_", " ").Replace(strings.TrimSuffix(path.Base(address), ext)))
		all = append(all, Picture{Name: name, Alt: cmp.Or(label, "PDF"), PDF: true})
	}
	return in.several(all), nil
}

// several counts the items of a cell, each of which may be lost by itself.
func (in input) several(all merge.List) merge.List {
	in.Found += len(all) - 1
	in.of.Values += len(all) - 1
	return all
}

func parentOf(in input) (merge.Value, error) {
	to := in.Category(in.of.Root, []string{strings.TrimSpace(in.text)}, in.of.Line)
	return Link{to, func(r catalog.Ref) string { return r.Slug }}, nil
}

var rooted = regexp.MustCompile(`^(product|service)/[a-z0-9-]+$`)

// categoriesOf returns the categories named in a text, or those that the format
// provides.
func categoriesOf(in input) (merge.Value, error) {
	all, kind := merge.List{}, in.of.Kind
	add := func(root catalog.Kind, path []string) {
		all = append(all, categoryLink(kind, in.Category(root, path, in.of.Line)))
	}
	for _, path := range in.cell.Paths {
		add(in.root(kind, path), path)
	}
	if in.cell.Paths != nil {
		return all, nil
	}
	for _, part := range Split(in.text) {
		root := in.root(kind, []string{part})
		if rooted.MatchString(part) {
			name, slug, _ := strings.Cut(part, "/")
			root, _ = catalog.ParseKind(name)
			part = slug
		}
		path := slices.DeleteFunc(strings.Split(part, ">"), func(name string) bool { return strings.TrimSpace(name) == "" })
		for i := range path {
			path[i] = strings.TrimSpace(path[i])
		}
		if len(path) > 0 {
			add(root, path)
		}
	}
	return all, nil
}
