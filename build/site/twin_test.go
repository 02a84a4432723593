package site

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"souk/build/document"
	"souk/build/internal/markdown"
)

// told makes each of the texts with which a document was filled unique.
func told(v reflect.Value, n *int) {
	switch v.Kind() {
	case reflect.String:
		if text := v.String(); text == plainWords.text || text == plainWords.uri || text == plainWords.prose {
			*n++
			v.SetString(fmt.Sprint(text, *n))
		}
	case reflect.Pointer:
		told(v.Elem(), n)
	case reflect.Slice:
		for i := range v.Len() {
			told(v.Index(i), n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			told(v.Field(i), n)
		}
	}
}

// An agent that reads the Markdown learns the same as a person who sees the page.
func TestTheMarkdownOfAPageContainsWhatThePageShows(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	of := regexp.MustCompile(`\bwords?\d+\b|https://a\.example/x\d+|/companies/n\d+`)
	for _, sample := range []any{document.Seller{}, document.Product{}, document.Service{}, document.Article{}, document.MarketMap{}} {
		v := reflect.New(reflect.TypeOf(sample)).Elem()
		v.Set(reflect.ValueOf(filled(sample, plainWords)))
		n := 0
		told(v, &n)
		value := v.Interface()
		shown, told := map[string]bool{}, string(s.markdown(value))
		for d := range one(t, firstPage(t, s, value), "main", "id", "main").Descendants() {
			texts := []string{get(d, "alt"), get(d, "href")}
			if d.Type == html.TextNode {
				texts = []string{d.Data}
			} else if get(d, "alt") != "" { // others are next to what they show
				texts = append(texts, get(d, "src"))
			}
			for _, one := range of.FindAllString(strings.Join(texts, " "), -1) {
				shown[one] = true
			}
		}
		if len(shown) < 10 {
			t.Errorf("%T shows %v alone", sample, shown)
		}
		for one := range shown {
			if !regexp.MustCompile(regexp.QuoteMeta(one)+`\b`).MatchString(told) && !strings.Contains(told, strings.Replace(one, "://", `\://`, 1)) {
				t.Errorf("the Markdown of %T does not have %s", sample, one)
			}
		}
	}
}

func TestMarkdownShowsEveryCharacterOfPlainText(t *testing.T) {
	pieces := []string{"~", "~~", "a", " ", "*", "_", "`", "[", "]", "(", ")", "#", "-", "+", "=", "1.", "2)", "|", "\n", "\\", "&amp;", "&", "<b>", ">", "!", "https://a.example", "www.a.example", "a@b.example", ":", "    ", "\t", "é", "---", "```"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
		for before, after := range map[string]string{"": "", "- ": "", "# ": "", "- [": "](<https://a.example>)", "a\n\n": "\n\nb"} {
			got := markdown.Plain(before + plain(text) + after)
			want := strings.Fields(strings.Replace(markdown.Plain(before+"MARK"+after), "MARK", text, 1))
			if got != strings.Join(want, " ") {
				t.Fatalf("%q is shown as %q in %q", text, got, before+plain(text)+after)
			}
		}
	})
}
