package texts

import (
	"html/template"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/language"
	"pgregory.net/rapid"
)

func TestEveryLanguageHasTheKeysAndPlaceholdersOfEnglish(t *testing.T) {
	for tag := range ours() {
		for _, f := range Check(tag, ours()[tag]) {
			t.Errorf("%s.yaml: %s: %s", tag, f.Key, f.Text)
		}
		if missing := New(tag, nil).Missing(); len(missing) > 0 {
			t.Errorf("%s.yaml lacks %v", tag, missing)
		}
	}
	for _, tag := range []string{"en", "de-AT", "pl"} {
		draft := Wording{}
		for _, line := range Draft(tag) {
			draft[line.Key] = line.Text
		}
		if faults := Check(tag, draft); len(faults) > 0 || len(New(tag, map[string]Wording{tag: draft}).Missing()) > 0 {
			t.Errorf("the draft for %s is not whole: %v", tag, faults)
		}
	}
}

func TestEveryTextIsUsedSomewhere(t *testing.T) {
	var program strings.Builder
	err := fs.WalkDir(os.DirFS("../.."), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (path == "content" || path == "public" || path == "var" || strings.HasPrefix(path, ".git")):
			return fs.SkipDir
		case entry.IsDir(), strings.HasSuffix(path, "_test.go"), !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".tmpl"):
			return nil
		}
		data, err := os.ReadFile("../../" + path)
		program.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for key := range english() {
		if !strings.Contains(program.String(), `"`+key+`"`) {
			t.Errorf("no code and no template uses %s", key)
		}
	}
}

func TestLanguageFallsBackStepByStep(t *testing.T) {
	own := map[string]Wording{
		"de":    {"action.claim": "Übernehmen", "action.viewMap": "Karte"},
		"de-AT": {"action.viewMap": "Plan"},
		"sv":    {"action.claim": "Gör anspråk på profilen"},
	}
	for _, c := range []struct{ tag, language, claim, viewMap, website string }{
		{"en", "en", "Claim this profile", "See the map", "Visit website"},
		{"de-AT", "de-AT", "Übernehmen", "Plan", "Website besuchen"},
		{"de", "de", "Übernehmen", "Karte", "Website besuchen"},
		{"sv", "sv", "Gör anspråk på profilen", "See the map", "Visit website"},
		{"fi", "en", "Claim this profile", "See the map", "Visit website"},
		{"no such tag", "en", "Claim this profile", "See the map", "Visit website"},
	} {
		got := New(c.tag, own)
		all := []string{got.Language(), got.Text("action.claim"), got.Text("action.viewMap"), got.Text("action.visitWebsite")}
		if want := []string{c.language, c.claim, c.viewMap, c.website}; !slices.Equal(all, want) {
			t.Errorf("%s: %q, want %q", c.tag, all, want)
		}
	}
	if missing := New("sv", own).Missing(); slices.Contains(missing, "action.claim") || !slices.Contains(missing, "action.viewMap") {
		t.Errorf("missing in sv are %v", missing)
	}
	if missing := New("de-AT", own).Missing(); len(missing) > 0 {
		t.Errorf("missing in de-AT are %v", missing)
	}
}

func TestValuesFillPlaceholdersAndAreEscapedInHTML(t *testing.T) {
	c := New("de", nil)
	if got := c.Text("action.viewSeller", "company", "<A> & Co"); got != "Über <A> & Co" {
		t.Error(got)
	}
	if got := c.HTML("action.viewSeller", "company", "<A> & Co"); got != "Über &lt;A&gt; &amp; Co" {
		t.Error(got)
	}
	if got := c.HTML("action.viewSeller", "company", template.HTML("<b>A</b>")); got != "Über <b>A</b>" {
		t.Error(got)
	}
	own := New("sv", map[string]Wording{"sv": {"action.viewSeller": "<i>{company}</i>"}})
	if got := own.HTML("action.viewSeller", "company", "A"); got != "&lt;i&gt;A&lt;/i&gt;" {
		t.Errorf("an operator's text is markup: %s", got)
	}
}

func TestSentenceEndingInAnAbbreviationHasOneFullStop(t *testing.T) {
	c := New("en", nil)
	if got := c.Text("site.form.email.hint", "company", "Acme Inc."); got != "It has to be on the official domain of Acme Inc." {
		t.Error(got)
	}
	if got := c.HTML("mail.removalDone.lead", "company", "Acme Inc.", "market", template.HTML("<b>A &amp; B Ltd.</b>")); got != "Acme Inc. was removed from <b>A &amp; B Ltd.</b>" {
		t.Error(got)
	}
	if got := c.Text("site.form.email.hint", "company", "Acme"); got != "It has to be on the official domain of Acme." {
		t.Error(got)
	}
}

func TestUnknownKeyOrPlaceholderIsATemplateError(t *testing.T) {
	for _, wrong := range []string{`{{.Text "no.such"}}`, `{{.Text "action.viewSeller"}}`, `{{.Text "action.claim" "company" "A"}}`, `{{.Text "action.viewSeller" "company" 1.5}}`, `{{.Text "action.viewSeller" "company"}}`} {
		if err := template.Must(template.New("").Parse(wrong)).Execute(new(strings.Builder), New("en", nil)); err == nil {
			t.Errorf("%s is no error", wrong)
		}
	}
}

// withPlural adds a text with plural forms for the duration of a test.
func withPlural(t *testing.T) {
	one, other := parts(t, "{count} thing of {company}"), parts(t, "{count} things of {company}")
	english()["test.things"] = message{language.English, map[string][]part{"one": one, "other": other}, []string{"company", "count"}}
	plurals()["test.things"] = true
	t.Cleanup(func() {
		delete(english(), "test.things")
		delete(plurals(), "test.things")
	})
}

func parts(t *testing.T, text string) []part {
	all, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestPluralFormsFollowTheTextsLanguage(t *testing.T) {
	withPlural(t)
	own := map[string]Wording{"pl": {
		"test.things.one": "{count} rzecz {company}", "test.things.few": "{count} rzeczy {company}",
		"test.things.many": "{count} rzeczy wielu {company}", "test.things.other": "{count} rzeczy innych {company}",
	}}
	for _, c := range []struct {
		tag   string
		count int
		want  string
	}{
		{"en", 1, "1 thing of A"}, {"en", 0, "0 things of A"}, {"en", 12345, "12,345 things of A"}, {"de", 12345, "12.345 things of A"},
		{"pl", 1, "1 rzecz A"}, {"pl", 3, "3 rzeczy A"}, {"pl", 12, "12 rzeczy wielu A"}, {"pl", 22, "22 rzeczy A"},
		// Japanese has no singular form, so the text is English.
		{"ja", 1, "1 thing of A"},
	} {
		if got := New(c.tag, own).Text("test.things", "count", c.count, "company", "A"); strings.ReplaceAll(got, "\u00a0", " ") != c.want {
			t.Errorf("%s, %d: %q, want %q", c.tag, c.count, got, c.want)
		}
	}
}

func TestInvalidWordingIsReportedAndIgnored(t *testing.T) {
	withPlural(t)
	for _, c := range []struct {
		tag  string
		w    Wording
		want string
	}{
		{"sv", Wording{"action.clam": "x"}, `action.clam: there is no text "action.clam"`},
		{"sv", Wording{"action.viewSeller": "Over {firma}"}, "action.viewSeller: the text has no placeholder {firma}; action.viewSeller: the placeholder {company} is missing"},
		{"sv", Wording{"action.viewSeller": "Over"}, "action.viewSeller: the placeholder {company} is missing"},
		{"sv", Wording{"action.viewSeller": "Over {company"}, `action.viewSeller: the placeholder that begins at "{company" is not closed`},
		{"sv", Wording{"action.viewSeller": "Over {company}}"}, "action.viewSeller: a } closes no placeholder"},
		{"sv", Wording{"action.claim": "Claim {}"}, `action.claim: "{}" is no placeholder: a placeholder is a word in braces`},
		{"sv", Wording{"action.claim": " "}, "action.claim: the text is empty"},
		{"sv", Wording{"test.things.few": "{count} {company}"}, `test.things.few: "few" is no plural form of sv`},
		{"sv", Wording{"test.things.other": "{count} {company}"}, "test.things.other: the text lacks the plural form one of sv"},
		{"pl", Wording{"test.things.other": "{count} {company}", "test.things.one": "{company}"}, "test.things.one: the text lacks the plural forms few, many of pl"},
		{"sv", Wording{"test.things.other": "{company}", "test.things.one": "{company}"}, "test.things.other: the placeholder {count} is missing"},
		{"ja", Wording{"test.things.other": "{count} {company}"}, ""},
	} {
		var told []string
		for _, f := range Check(c.tag, c.w) {
			told = append(told, f.Key+": "+f.Text)
		}
		if got := strings.Join(told, "; "); got != c.want {
			t.Errorf("%v: %s, want %s", c.w, got, c.want)
		}
		if c.want != "" && New(c.tag, map[string]Wording{c.tag: c.w}).Text("test.things", "count", 5, "company", "A") != "5 things of A" {
			t.Errorf("%v: a text with a mistake is used", c.w)
		}
	}
}

func TestWordingIsEitherInvalidOrFillsItsPlaceholders(t *testing.T) {
	keys := slices.Sorted(maps.Keys(ours()["en"]))
	rapid.Check(t, func(t *rapid.T) {
		tag := rapid.SampledFrom([]string{"en", "de", "pl", "ar", "ja", "de-CH"}).Draw(t, "tag")
		key := rapid.SampledFrom(keys).Draw(t, "key")
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-z ]|\{(company|market|x)\}){0,6}`)).Draw(t, "text")
		own := map[string]Wording{tag: {key: text}}
		c := New(tag, own)
		name, _ := nameOf(key)
		var values []any
		for _, p := range english()[name].names() {
			values = append(values, p, "value")
		}
		got := c.Text(name, values...)
		if len(Check(tag, own[tag])) == 0 && got != strings.NewReplacer("{company}", "value", "{market}", "value").Replace(text) && len(values) <= 4 && !strings.ContainsAny(text, "{}") {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func TestNumbersAndDatesFollowTheLanguage(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 5, 0, 0, time.FixedZone("", 3600))
	for _, c := range []struct{ tag, day, moment, number, decimal string }{
		{"en", "2 March 2026", "2 March 2026, 08:05 UTC", "1,234,567", "1,290.50"},
		{"de", "2. März 2026", "2. März 2026, 08:05 Uhr (UTC)", "1.234.567", "1.290,50"},
	} {
		got := New(c.tag, nil)
		if all, want := []string{got.Day(at), got.Moment(at), got.Number(1234567), got.Decimal("1290.50")}, []string{c.day, c.moment, c.number, c.decimal}; !slices.Equal(all, want) {
			t.Errorf("%s: %q, want %q", c.tag, all, want)
		}
	}
	en := New("en", nil)
	for digits, want := range map[string]string{"0": "0", "-0.5": "-0.5", "0.005": "0.005", "12": "12", "-1290.10": "-1,290.10", "x": "x", "1.2.3": "1.2.3", "": "", "99999999999999999999": "99999999999999999999"} {
		if got := en.Decimal(digits); got != want {
			t.Errorf("%q is written %q, want %q", digits, got, want)
		}
	}
}

func TestPricesFollowTheirCurrencyAndLanguage(t *testing.T) {
	pl := map[string]Wording{"pl": {"action.claim": "Przejmij"}}
	for _, c := range []struct{ tag, amount, code, want string }{
		{"en", "77.2", "USD", "$77.20"}, {"en", "5", "EUR", "€5.00"}, {"en", "1200.00", "JPY", "¥1,200"}, {"en", "1.25", "KWD", "KWD\u00a01.250"},
		{"en", "1200.50", "JPY", "¥1,200.5"}, {"en", "0.005", "USD", "$0.005"}, {"en", "77.2050", "USD", "$77.205"}, {"en", "77.2000", "USD", "$77.20"},
		{"en", "12", "CHF", "CHF\u00a012.00"}, {"en", "1290.5", "EUR", "€1,290.50"}, {"en", "5", "CLF", "CLF\u00a05.0000"}, {"en", "5", "XXQ", "XXQ\u00a05"},
		{"en", strings.Repeat("9", 36) + ".5", "EUR", "€" + strings.Repeat(",999", 12)[1:] + ".50"}, {"en", strings.Repeat("9", 40), "EUR", "EUR\u00a0" + strings.Repeat("9", 40)},
		{"de", "1290.50", "EUR", "1.290,50\u00a0€"}, {"de", "1290", "CHF", "1.290,00\u00a0CHF"}, {"de", "7", "USD", "7,00\u00a0$"},
		{"de-CH", "77.2", "CHF", "CHF\u00a077.20"}, {"de-LI", "77.2", "CHF", "CHF\u00a077.20"}, {"de-AT", "77.2", "EUR", "€\u00a077,20"},
		{"fr-CH", "77.2", "CHF", "77.20\u00a0CHF"}, {"fr-CH", "1290.5", "CHF", "1\u202f290.50\u00a0CHF"}, {"de-CH", "1290.5", "CHF", "CHF\u00a01’290.50"}, {"it-CH", "77.2", "CHF", "CHF\u00a077.20"}, {"fr", "77.2", "CHF", "77,20\u00a0CHF"}, {"fr-CA", "77.2", "CAD", "77,20\u00a0$"},
		{"es-MX", "77.2", "MXN", "$77.20"}, {"es", "77.2", "EUR", "77,20\u00a0€"}, {"nl-BE", "77.2", "EUR", "€\u00a077,20"}, {"pl", "77.2", "PLN", "77,20\u00a0zł"},
	} {
		if got := New(c.tag, pl).Price(c.amount, c.code); got != c.want {
			t.Errorf("%s: %s %s is %q, want %q", c.tag, c.amount, c.code, got, c.want)
		}
	}
}

func TestPriceBoundsHaveNoTrailingZeros(t *testing.T) {
	for amount, want := range map[string]string{"1000": "€1,000", "0.50": "€0.5", "2000.00": "€2,000"} {
		if got := New("en", nil).RoundPrice(amount, "EUR"); got != want {
			t.Errorf("%s is %q, want %q", amount, got, want)
		}
	}
}

func TestNoPriceIsRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.StringMatching(`(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?`).Draw(t, "amount")
		code := rapid.SampledFrom([]string{"EUR", "JPY", "KWD", "CLF"}).Draw(t, "code")
		got := New("en", nil).Price(amount, code)
		digits := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r == '.' {
				return r
			}
			return -1
		}, got)
		want, _ := new(big.Rat).SetString(amount)
		if is, ok := new(big.Rat).SetString(digits); !ok || is.Cmp(want) != 0 {
			t.Fatalf("%s %s is written %q", amount, code, got)
		}
	})
}

func TestDirectionFollowsTheScript(t *testing.T) {
	own := map[string]Wording{"ar": {"action.claim": "x"}, "he": {"action.claim": "x"}}
	for tag, want := range map[string]string{"en": "ltr", "de": "ltr", "ar": "rtl", "he": "rtl", "fa": "ltr"} {
		if got := New(tag, own).Direction(); got != want {
			t.Errorf("%s: %s", tag, got)
		}
	}
}
