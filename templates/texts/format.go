package texts

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bojanz/currency"
	"golang.org/x/text/number"
)

// Number returns a whole number as the language writes it: 12,000 or 12.000.
func (c *Catalogue) Number(n int) string {
	if n < 0 || n >= 1000 {
		return c.printer.Sprint(number.Decimal(n))
	}
	return c.spelt(strconv.Itoa(n)) // no language groups fewer than four digits
}

// spelt returns Arabic digits in those of the language.
func (c *Catalogue) spelt(digits string) (written string) {
	for _, digit := range []byte(digits) {
		written += c.digits[digit-'0']
	}
	return written
}

// Decimal returns a decimal number, given as its digits with a point, as the
// language writes it. All digits stay as they are; what is no such number is
// returned unchanged.
func (c *Catalogue) Decimal(digits string) string {
	whole, fraction, pointed := strings.Cut(digits, ".")
	n, err := strconv.Atoi(whole)
	if err != nil || strings.Trim(fraction, "0123456789") != "" || strings.HasPrefix(whole, "+") {
		return digits
	}
	written := c.Number(n)
	if n == 0 && strings.HasPrefix(whole, "-") {
		written = "-" + written
	}
	if !pointed || fraction == "" {
		return written
	}
	return written + c.point + c.spelt(fraction)
}

// Price returns an amount, given as its digits with a point, with its currency, a
// code of ISO 4217, in the language's form: €1,290.50, 1.290,50 €, CHF 12.00. It has the
// digits of the currency, and those beyond that are not zero. A code that is none is
// shown as it is.
func (c *Catalogue) Price(amount, code string) string {
	least, _ := currency.GetDigits(code)
	return c.price(amount, code, least)
}

// RoundPrice is Price of an amount that bounds a range, of which zeros at the end say nothing.
func (c *Catalogue) RoundPrice(amount, code string) string { return c.price(amount, code, 0) }

func (c *Catalogue) price(amount, code string, least uint8) string {
	_, fraction, _ := strings.Cut(amount, ".")
	price, err := currency.NewAmount(amount, code)
	if err != nil || len(amount) > exactAmount {
		return code + "\u00a0" + c.Decimal(amount)
	}
	form := *c.prices
	form.MinDigits, form.MaxDigits = least, max(least, uint8(len(fraction)))
	return strings.ReplaceAll(form.Format(price), "'", c.swissGroup())
}

// swissGroup returns what CLDR writes between the thousands of Swiss amounts, where the
// library writes an apostrophe of ASCII: French has the space that it has elsewhere.
func (c *Catalogue) swissGroup() string {
	if base, _ := c.language.Base(); base.String() == "fr" {
		return "\u202f"
	}
	return "’"
}

// exactAmount is how many characters an amount may have that is written without rounding.
const exactAmount = 38

// OddDigits returns the digits of each currency that has not two, as in "BHD 3 JPY 0".
func OddDigits() string {
	var all []string
	for _, code := range currency.GetCurrencyCodes() {
		if digits, _ := currency.GetDigits(code); digits != 2 {
			all = append(all, fmt.Sprintf("%s %d", code, digits))
		}
	}
	return strings.Join(all, " ")
}

var months = [12]string{
	"date.month.1", "date.month.2", "date.month.3", "date.month.4", "date.month.5", "date.month.6",
	"date.month.7", "date.month.8", "date.month.9", "date.month.10", "date.month.11", "date.month.12",
}

// Day returns a day in words, as in 2 March 2026.
func (c *Catalogue) Day(t time.Time) string {
	return c.Text("date.day", "day", strconv.Itoa(t.Day()), "month", c.Text(months[t.Month()-1]), "year", strconv.Itoa(t.Year()))
}

// Moment returns a moment in words, in UTC, and says so: it is clear in any time
// zone.
func (c *Catalogue) Moment(t time.Time) string {
	t = t.UTC()
	return c.Text("date.moment", "date", c.Day(t), "time", fmt.Sprintf("%02d:%02d", t.Hour(), t.Minute()))
}
