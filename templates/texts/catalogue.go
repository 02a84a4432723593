package texts

import (
	"fmt"
	"html"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/bojanz/currency"
	"golang.org/x/text/language"
	printing "golang.org/x/text/message"
	"golang.org/x/text/number"
)

// A Wording is the texts of one language as their author wrote them, by key.
type Wording = map[string]string

// A Catalogue holds the texts of one marketplace. It is immutable and safe for
// concurrent use. Its methods can be called from templates.
type Catalogue struct {
	language language.Tag
	messages map[string]message
	missing  []string
	printer  *printing.Printer
	prices   *currency.Formatter
	// digits are the language's digits, and point is its decimal separator.
	digits [10]string
	point  string
}

// New returns the texts in a language, given as a BCP 47 tag. It looks for each
// text in the operator's wording (own, by tag) of the language and its parents
// (de-AT, then de), then among the built-in texts of these, and falls back to
// English. It ignores wording in which Check finds a mistake.
func New(tag string, own map[string]Wording) *Catalogue {
	asked, err := language.Parse(tag)
	if err != nil {
		asked = language.English
	}
	c := &Catalogue{language: language.English, messages: maps.Clone(english())}
	known := map[string]bool{}
	for _, at := range slices.Backward(Chain(asked.String())) {
		at := language.Make(at)
		for _, layer := range []map[string]message{embedded(at), sound(at, own[at.String()])} {
			for name, m := range layer {
				m.wanted = c.messages[name].wanted
				c.messages[name], known[name] = m, true
			}
			if len(layer) > 0 {
				c.language = asked
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.messages)) {
		if !known[name] {
			c.missing = append(c.missing, name)
		}
	}
	c.printer = printing.NewPrinter(c.language)
	c.prices = currency.NewFormatter(currency.NewLocale(c.language.String()))
	for digit := range c.digits {
		c.digits[digit] = c.printer.Sprint(number.Decimal(digit))
	}
	half := c.printer.Sprint(number.Decimal(0.5))
	c.point = strings.TrimSuffix(strings.TrimPrefix(half, c.digits[0]), c.digits[5])
	return c
}

// Chain returns the tags under which texts in a language are looked up: its own
// first, then its parents.
func Chain(tag string) (tags []string) {
	at, err := language.Parse(tag)
	if err != nil {
		return nil
	}
	for ; at != language.Und; at = at.Parent() {
		tags = append(tags, at.String())
	}
	return tags
}

// Language returns the BCP 47 tag of the language of the texts: the requested one,
// or English if it has no texts.
func (c *Catalogue) Language() string { return c.language.String() }

// Direction returns the value of the attribute dir: rtl if the language is written
// from right to left, otherwise ltr.
func (c *Catalogue) Direction() string { return DirectionOf(c.language.String()) }

// DirectionOf is Direction for the language of a BCP 47 tag.
func DirectionOf(tag string) string {
	script, _ := language.Make(tag).Script()
	if slices.Contains([]string{"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"}, script.String()) {
		return "rtl"
	}
	return "ltr"
}

// Missing returns the sorted keys of the texts that fall back to English because
// there is no translation. The key of a text with plural forms has no form.
func (c *Catalogue) Missing() []string { return slices.Clone(c.missing) }

// Text returns the text of a key with its placeholders filled in. The values are
// pairs of a placeholder's name and a string or an int. Ints are formatted for the
// language; count selects the plural form.
//
// It panics if there is no such text or if the values do not match its
// placeholders, since both are bugs. Templates turn the panic into an error.
func (c *Catalogue) Text(key string, values ...any) string {
	return c.fill(key, values, func(text string) string { return text }, func(value any) (string, bool) {
		s, ok := value.(string)
		return s, ok
	})
}

// Each yields the literal parts of every text, without its placeholders, in no
// particular order.
func (c *Catalogue) Each(yield func(text string) bool) {
	for _, m := range c.messages {
		for _, parts := range m.forms {
			for _, p := range parts {
				if !yield(p.text) {
					return
				}
			}
		}
	}
}

// HTML is Text for HTML: the text and the values are escaped, except values of
// type template.HTML.
func (c *Catalogue) HTML(key string, values ...any) template.HTML {
	return template.HTML(c.fill(key, values, html.EscapeString, func(value any) (string, bool) {
		switch v := value.(type) {
		case template.HTML:
			return string(v), true
		case string:
			return html.EscapeString(v), true
		}
		return "", false
	}))
}

func (c *Catalogue) fill(key string, values []any, literal func(string) string, write func(any) (string, bool)) string {
	m, there := c.messages[key]
	if !there {
		panic(fmt.Sprintf("texts: there is no text %q", key))
	}
	if len(values) != 2*len(m.wanted) {
		panic(m.unfit(key, values))
	}
	if all := m.forms[""]; len(values) == 0 && len(all) == 1 {
		return literal(all[0].text)
	}
	written, count := make([]string, len(m.wanted)), 0
	for i, name := range m.wanted {
		at := 0
		for at < len(values) && values[at] != name {
			at += 2
		}
		if at == len(values) {
			panic(m.unfit(key, values))
		}
		n, isNumber := values[at+1].(int)
		if isNumber {
			written[i] = literal(c.Number(n))
		} else if written[i], there = write(values[at+1]); !there {
			panic(fmt.Sprintf("texts: %q cannot take a %T as {%s}", key, values[at+1], name))
		}
		if name == "count" {
			count = n
		}
	}
	var b strings.Builder
	stopped := false
	for _, p := range m.form(count) {
		text := literal(p.text)
		if p.name != "" {
			text = written[slices.Index(m.wanted, p.name)]
		} else if stopped {
			// The full stop of "Acme Inc." also ends the sentence.
			text = strings.TrimPrefix(text, ".")
		}
		stopped = p.name != "" && stops(text)
		b.WriteString(text)
	}
	return b.String()
}

// stops reports whether a value ends with a full stop, ignoring HTML tags after it.
func stops(value string) bool {
	if at := strings.LastIndex(value, "</"); at >= 0 && strings.HasSuffix(value, ">") {
		value = value[:at]
	}
	return strings.HasSuffix(value, ".")
}

func (m message) unfit(key string, values []any) string {
	return fmt.Sprintf("texts: the placeholders of %q are %v, not those of %v", key, m.wanted, values)
}
