package site

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"souk/build/document"
)

// formats writes numbers, amounts of money, dates and names in the form of a
// language.
type formats struct {
	tag            language.Tag
	decimal, group string
	regions        display.Namer
	languages      display.Namer
}

func newFormats(tagged string) formats {
	f := formats{tag: language.Make(tagged), decimal: ".", group: ","}
	sample := []rune(message.NewPrinter(f.tag).Sprint(number.Decimal(1234567.5)))
	if len(sample) == len("1,234,567.5") {
		f.group, f.decimal = string(sample[1]), string(sample[9])
	}
	f.regions, f.languages = display.Regions(f.tag), display.Languages(f.tag)
	return f
}

// decimals writes a decimal number with its digits as they are, and with groups
// of three where its whole part has at least as many digits as from.
func (f formats) decimals(digits string, from int) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "−", digits[1:]
	}
	if strings.Trim(digits, "0123456789.") != "" {
		return sign + digits
	}
	whole, part, fraction := strings.Cut(digits, ".")
	if len(whole) >= from {
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + f.group + whole[at:]
		}
	}
	if fraction {
		whole += f.decimal + part
	}
	return sign + whole
}

// count writes a number of things.
func (f formats) count(n int) string { return f.decimals(fmt.Sprint(n), 4) }

// number writes the value of an attribute. A number of four digits is written
// without groups, since it may be a year.
func (f formats) number(value any) string {
	switch v := value.(type) {
	case json.Number:
		return f.decimals(v.String(), 5)
	default:
		return fmt.Sprint(v)
	}
}

// price writes an amount with its currency, as in USD 1,530.00 or 1.530,00 USD.
func (f formats) price(p *document.Price) string {
	amount := f.decimals(p.Amount, 4)
	if base, _ := f.tag.Base(); base.String() == "en" {
		return p.Currency + "\u00a0" + amount
	}
	return amount + "\u00a0" + p.Currency
}

// date writes the day of a date or of an RFC 3339 timestamp.
func (f formats) date(text string) string {
	if len(text) >= len(time.DateOnly) {
		if day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)]); err == nil {
			return day.Format("2 January 2006")
		}
	}
	return text
}

// country names an ISO 3166-1 alpha-2 code.
func (f formats) country(code string) string {
	region, err := language.ParseRegion(code)
	if err != nil || f.regions == nil {
		return code
	}
	if name := f.regions.Name(region); name != "" {
		return name
	}
	return code
}

// language names a BCP 47 tag.
func (f formats) language(tagged string) string {
	tag, err := language.Parse(tagged)
	if err != nil || f.languages == nil {
		return tagged
	}
	if name := f.languages.Name(tag); name != "" {
		return name
	}
	return tagged
}
