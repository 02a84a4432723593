package feed

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"souk/build/catalog"
	"souk/build/intake/merge"
	"souk/build/kit/codes"
)

// A conversion makes a value of content of a text. It returns an error that says why the
// text cannot be one.
type conversion struct {
	// takes says what the text may be.
	takes string
	make  func(b *Batch, text string) (merge.Value, error)
}

// A Field is a field that a source can fill.
type Field struct {
	// Target is its name in a mapping; a * stands for any name.
	Target string
	as     conversion
}

// Takes says what a source may have for the field.
func (f Field) Takes() string { return f.as.takes }

var (
	plain    = conversion{"text", line}
	slugs    = conversion{"a slug", line}
	markdown = conversion{"Markdown", func(_ *Batch, s string) (merge.Value, error) {
		return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")), nil
	}}
	html        = conversion{"HTML, which becomes Markdown", func(b *Batch, s string) (merge.Value, error) { return b.Markdown(s) }}
	web         = conversion{"a web address; https:// may be missing", webAddress}
	number      = conversion{"a whole number", whole}
	year        = conversion{"a year, or a date", yearOf}
	amount      = conversion{"a price; its currency may be beside it", amountOf}
	list        = conversion{"texts, separated by semicolons, bars, lines or else commas", texts}
	country     = conversion{"a country's name or code", coded(codes.Country, codes.CountryMeant, "a country")}
	currency    = conversion{"a currency's code or sign", coded(codes.Currency, currencyMeant, "a currency")}
	date        = conversion{"a date, as in 2026-01-31", dateOf}
	truth       = conversion{"true or false, yes or no, 1 or 0", truthOf}
	domain      = conversion{"a domain", domainOf}
	gtin        = conversion{"a GTIN with a right check digit", gtinOf}
	identifier  = conversion{"an article number", identifierOf}
	stock       = conversion{"inStock, outOfStock, preOrder, onRequest or discontinued", oneOf("inStock", "outOfStock", "preOrder", "onRequest", "discontinued")}
	state       = conversion{"published, draft or unpublished", oneOf("published", "draft", "unpublished")}
	place       = conversion{"remote, onsite or hybrid", oneOf("remote", "onsite", "hybrid")}
	structure   = conversion{"JSON", structured}
	labelledWeb = conversion{"a web address; * is its label", webAddress}
	paths       = conversion{"categories as names, slugs, or paths such as Tools > Drills, separated by semicolons, bars, lines or else commas", nil}
	pictures    = conversion{"a web address, or the name of a picture that comes with the source", nil}
)

// Fields are all fields that a source can fill. docs/import.md has them as a table.
var Fields = fields()

func fields() (all []Field) {
	add := func(kinds string, names string, as conversion) {
		for kind := range strings.FieldsSeq(kinds) {
			for name := range strings.FieldsSeq(names) {
				all = append(all, Field{kind + "." + name, as})
			}
		}
	}
	add("seller", "name legalName tagline headquarters.city headquarters.region contact.telephone contact.email id", plain)
	add("seller", "contact.address.street contact.address.postalCode contact.address.city contact.address.region employees details.*", plain)
	add("seller", "website contact.url", web)
	add("seller", "headquarters.country contact.address.country", country)
	add("seller", "founded", year)
	add("seller", "languages", list)
	add("seller", "officialDomain", domain)
	add("seller", "logo", pictures)
	add("product service", "name price.unit", plain)
	add("product service", "website", web)
	add("product service", "price.amount price.list", amount)
	add("product service", "price.currency", currency)
	add("product service", "price.from", truth)
	add("product service", "attributes.*", conversion{"text; a unit may be in the name, as in Weight (kg)", nil})
	add("product service", "media", pictures)
	add("product", "sku", identifier)
	add("product", "gtin", gtin)
	add("product", "availability", stock)
	add("product", "variants", structure)
	add("service", "delivery", place)
	add("service", "regions", list)
	add("category", "name parent", plain)
	add("category", "synonyms", list)
	add("category", "order", number)
	add("seller product service category", "slug", slugs)
	add("category", "root", oneOfKinds)
	add("seller product service category", "summary", plain)
	add("seller product service category", "description", markdown)
	add("seller product service category", "html", html)
	add("seller product service", "categories", paths)
	add("seller product service", "keywords", list)
	add("seller product service", "links.*", labelledWeb)
	add("seller product service", "links proof", structure)
	add("seller", "details", structure)
	add("product service", "attributes related", structure)
	add("seller product service category", "status", state)
	add("seller product service category", "publishedAt updatedAt expiresAt", date)
	add("seller product service category", "private.*", plain)
	return all
}

var oneOfKinds = conversion{"product or service", oneOf("product", "service")}

// FieldOf returns the field of a target, and the name that stands for its *.
func FieldOf(target string) (f Field, name string, known bool) {
	for _, f := range Fields {
		if f.Target == target {
			return f, "", true
		}
		if before, is := strings.CutSuffix(f.Target, "*"); is && strings.HasPrefix(target, before) && len(target) > len(before) {
			return f, target[len(before):], true
		}
	}
	return f, "", false
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

// line makes one line of a text, without characters that nobody sees.
func line(_ *Batch, text string) (merge.Value, error) {
	return strings.TrimSpace(strings.Map(unseen, norm.NFC.String(text))), nil
}

func webAddress(_ *Batch, text string) (merge.Value, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	if a, ok := catalog.ParseWebAddress(text); !ok || !strings.HasPrefix(strings.ToLower(text), "http") || !strings.Contains(a.Host, ".") || strings.ContainsAny(text, " <>\"\n") {
		return nil, errors.New("it is not a web address")
	}
	return text, nil
}

func domainOf(b *Batch, text string) (merge.Value, error) {
	address, err := webAddress(b, text)
	if err != nil {
		return nil, errors.New("it is not a domain")
	}
	a, _ := catalog.ParseWebAddress(address.(string))
	return catalog.BareDomain(a.Host), nil
}

var digits = regexp.MustCompile(`^[0-9]+$`)

func whole(_ *Batch, text string) (merge.Value, error) {
	if text = strings.TrimSpace(text); !digits.MatchString(text) {
		return nil, errors.New("it is not a whole number")
	}
	return merge.Raw(text), nil
}

var years = regexp.MustCompile(`\b(1[0-9]{3}|20[0-9]{2})\b`)

func yearOf(_ *Batch, text string) (merge.Value, error) {
	if found := years.FindAllString(text, -1); len(found) == 1 {
		return merge.Raw(found[0]), nil
	}
	return nil, errors.New("it is not a year")
}

var days = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9:]+)?)?$`)

func dateOf(_ *Batch, text string) (merge.Value, error) {
	if text = strings.TrimSpace(text); !days.MatchString(text) {
		return nil, errors.New("it is not a date such as 2026-01-31")
	}
	return merge.Raw(text), nil
}

func truthOf(_ *Batch, text string) (merge.Value, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "1":
		return merge.Raw("true"), nil
	case "false", "no", "0":
		return merge.Raw("false"), nil
	}
	return nil, errors.New("it is neither true nor false")
}

func oneOf(options ...string) func(*Batch, string) (merge.Value, error) {
	return func(_ *Batch, text string) (merge.Value, error) {
		for _, option := range options {
			if strings.EqualFold(strings.Map(letters, text), option) {
				return option, nil
			}
		}
		return nil, fmt.Errorf("it is none of %s", strings.Join(options, ", "))
	}
}

func letters(r rune) rune {
	if unicode.IsLetter(r) {
		return r
	}
	return -1
}

// coded makes codes of what may be their names.
func coded(is func(string) bool, meant func(string) string, what string) func(*Batch, string) (merge.Value, error) {
	return func(b *Batch, text string) (merge.Value, error) {
		if text = strings.TrimSpace(text); is(text) {
			return text, nil
		}
		if code := meant(text); code != "" {
			return code, nil
		}
		return nil, errors.New("it is not " + what)
	}
}

func currencyMeant(text string) string {
	if code := map[string]string{"€": "EUR", "£": "GBP", "US$": "USD", "₹": "INR"}[text]; code != "" {
		return code
	}
	return codes.CurrencyMeant(text)
}

var exponent = regexp.MustCompile(`^[0-9][.,][0-9]+[Ee]\+[0-9]+$`)

func identifierOf(b *Batch, text string) (merge.Value, error) {
	if exponent.MatchString(strings.TrimSpace(text)) {
		return nil, errors.New("a spreadsheet has shortened the number: format its column as text and export it again")
	}
	return line(b, text)
}

// gtinOf checks the last digit, which is the sum of the others with weights 3 and 1.
func gtinOf(b *Batch, text string) (merge.Value, error) {
	value, err := identifierOf(b, strings.TrimPrefix(strings.TrimSpace(text), "'"))
	if err != nil {
		return nil, err
	}
	code, sum := value.(string), 0
	if n := len(code); n != 8 && n != 12 && n != 13 && n != 14 || !digits.MatchString(code) {
		return nil, errors.New("it is not a GTIN of 8, 12, 13 or 14 digits")
	}
	for i := range len(code) {
		weight := 1
		if (len(code)-i)%2 == 0 {
			weight = 3
		}
		sum += int(code[i]-'0') * weight
	}
	if sum%10 != 0 {
		return nil, errors.New("its check digit is wrong for a GTIN")
	}
	return code, nil
}

var money = regexp.MustCompile(`^(?:([A-Z]{3}|[€£₹$]|US\$)\s*)?([0-9][0-9.,'’ \x{a0}\x{202f}]*)\s*([A-Z]{3}|[€£₹$]|US\$)?$`)

// amountOf reads a number with its thousands and decimals, and leaves its digits.
func amountOf(b *Batch, text string) (merge.Value, error) {
	part := money.FindStringSubmatch(strings.TrimSpace(text))
	if part == nil {
		return nil, errors.New("it is not a price")
	}
	return decimal(part[2], b.Decimal)
}

// decimal returns a number with a point. usual is the separator of decimals where a number
// can be read both ways.
func decimal(text string, usual byte) (merge.Value, error) {
	text = strings.NewReplacer("'", "", "’", "", " ", "", "\u00a0", "", "\u202f", "").Replace(text)
	point, comma := strings.Count(text, "."), strings.Count(text, ",")
	separator := byte(0)
	switch at := strings.LastIndexAny(text, ".,"); {
	case at < 0, point+comma > 1 && (point == 0 || comma == 0):
		// no decimals, or thousands alone
	case point > 0 && comma > 0, len(text)-at != 4, text[0] == '0':
		separator = text[at]
	case text[at] == usual:
		separator = usual
	}
	whole, fraction := text, ""
	if separator != 0 {
		at := strings.LastIndexByte(text, separator)
		whole, fraction = text[:at], text[at+1:]
	}
	whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	if !digits.MatchString(whole) || fraction != "" && !digits.MatchString(fraction) {
		return nil, errors.New("it is not a number")
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole, nil
}

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

func texts(_ *Batch, text string) (merge.Value, error) {
	var all merge.List
	if value, err := merge.FromJSON([]byte(text)); err == nil {
		if list, is := value.(merge.List); is {
			return list, nil
		}
	}
	for _, part := range Split(text) {
		if !containsText(all, part) {
			all = append(all, part)
		}
	}
	return all, nil
}

func containsText(list merge.List, text string) bool {
	for _, item := range list {
		if merge.Equal(item, text) {
			return true
		}
	}
	return false
}

// structured reads JSON, whose numbers keep their digits.
func structured(_ *Batch, text string) (merge.Value, error) {
	value, err := merge.FromJSON([]byte(text))
	if _, is := merge.Text(value); err != nil || is || !json.Valid([]byte(text)) {
		return nil, errors.New("it is not JSON")
	}
	return value, nil
}
