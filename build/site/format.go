package site

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"souk/build/document"
	"souk/templates/texts"
)

// formats formats numbers, amounts of money, dates and names for a language.
type formats struct {
	texts     *texts.Catalogue
	regions   display.Namer
	languages display.Namer
}

func newFormats(t *texts.Catalogue) formats {
	tag := language.Make(t.Language())
	return formats{t, display.Regions(tag), display.Tags(tag)}
}

// count formats a count.
func (f formats) count(n int) string { return f.texts.Number(n) }

// number formats the value of an attribute. A number of four digits has no separator, since it
// may be a year.
func (f formats) number(value any) string {
	n, ok := value.(json.Number)
	switch {
	case !ok:
		return fmt.Sprint(value)
	case len(n) == 4 && !strings.ContainsAny(n.String(), ".eE"):
		return n.String()
	}
	return f.texts.Decimal(n.String())
}

// price formats an amount with its currency.
func (f formats) price(p *document.Price) string { return f.texts.Price(p.Amount, p.Currency) }

// listPrice returns the price before a reduction, or nil.
func listPrice(p *document.Price) *document.Price {
	if p == nil || p.List == "" {
		return nil
	}
	return &document.Price{Amount: p.List, Currency: p.Currency}
}

// size formats a number of bytes, as in 320 KB.
func (s *Site) size(bytes int64) string {
	kilobytes := (bytes + 999) / 1000
	if kilobytes < 1000 {
		return s.format.count(int(kilobytes)) + "\u00a0KB"
	}
	return s.format.texts.Decimal(fmt.Sprintf("%.1f", float64(bytes)/1e6)) + "\u00a0MB"
}

// date formats the day of a date, or of a time in its author's time zone.
func (f formats) date(written document.Date) string {
	text := string(written)
	if len(text) >= len(time.DateOnly) {
		if day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)]); err == nil {
			return f.texts.Day(day)
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
