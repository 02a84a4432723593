package texts

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bojanz/currency"
	"golang.org/x/text/number"
)

// Number formats a whole number for the language: 12,000 or 12.000.
func (c *Catalogue) Number(n int) string {
	if n < 0 || n >= 1000 {
		return c.printer.Sprint(number.Decimal(n))
	}
	return c.spelt(strconv.Itoa(n)) // no language groups fewer than four digits
}

// spelt replaces ASCII digits with those of the language.
func (c *Catalogue) spelt(digits string) (written string) {
	for _, digit := range []byte(digits) {
		written += c.digits[digit-'0']
	}
	return written
}

// Decimal formats a decimal number, such as "12.50", for the language and keeps all
// its digits. It returns anything else unchanged.
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

// Price formats a decimal amount and its ISO 4217 currency code for the language:
// €1,290.50, 1.290,50 €, CHF 12.00. The result has the usual number of decimals of the
// currency, or more if the amount has further digits that are not zero. An unknown code
// is shown unchanged.
func (c *Catalogue) Price(amount, code string) string {
	least, _ := currency.GetDigits(code)
	return c.price(amount, code, least)
}

// RoundPrice is Price without trailing zeros, for the bounds of a range.
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

// swissGroup returns CLDR's thousands separator for Swiss amounts, for which the
// library uses an ASCII apostrophe. French uses a space, as elsewhere.
func (c *Catalogue) swissGroup() string {
	if base, _ := c.language.Base(); base.String() == "fr" {
		return "\u202f"
	}
	return "’"
}

// exactAmount is the maximum length of an amount that the library formats without
// rounding.
const exactAmount = 38

// OddDigits lists the currencies that do not have two decimals, as in "BHD 3 JPY 0".
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

// Day formats a date: 2 March 2026.
func (c *Catalogue) Day(t time.Time) string {
	return c.Text("date.day", "day", strconv.Itoa(t.Day()), "month", c.Text(months[t.Month()-1]), "year", strconv.Itoa(t.Year()))
}

// Moment formats a time in UTC and says so, so that it is unambiguous in any time
// zone.
func (c *Catalogue) Moment(t time.Time) string {
	t = t.UTC()
	return c.Text("date.moment", "date", c.Day(t), "time", fmt.Sprintf("%02d:%02d", t.Hour(), t.Minute()))
}
