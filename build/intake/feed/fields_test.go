package feed

import (
	"testing"

	"souk/build/intake/merge"
)

// convert returns the value for a text in a target field.
func convert(b *Batch, target, text string) (merge.Value, error) {
	f, _ := FieldOf(target)
	return f.make(input{Batch: b, text: text})
}

func TestValuesOfTablesBecomeValuesOfContent(t *testing.T) {
	list := func(texts ...string) (l merge.List) {
		for _, text := range texts {
			l = append(l, text)
		}
		return l
	}
	for _, test := range []struct {
		target, text string
		want         merge.Value // nil if it is rejected
	}{
		{"seller.name", " Acme\u200b\n GmbH\u00a0", "Acme  GmbH"},
		{"seller.website", "www.acme.com", "https://www.acme.com"},
		{"seller.website", "http://acme.com/a?b=c", "http://acme.com/a?b=c"},
		{"seller.website", "none", nil},
		{"seller.website", "javascript://acme.com/%0aalert(1)", nil},
		{"seller.website", "see acme.com", nil},
		{"seller.officialDomain", "https://www.acme.com/start", "acme.com"},
		{"seller.headquarters.country", "Germany", "DE"},
		{"seller.headquarters.country", "Suisse", "CH"},
		{"seller.headquarters.country", "XK", "XK"},
		{"seller.headquarters.country", "Atlantis", nil},
		{"seller.founded", "2001-05-01", merge.Raw("2001")},
		{"seller.founded", "1999/2001", nil},
		{"seller.languages", "de, fr", list("de", "fr")},
		{"seller.keywords", "one, two; three", list("one, two", "three")},
		{"seller.keywords", `["a;b","c"]`, list("a;b", "c")},
		{"product.price.amount", "1.234,50", "1234.50"},
		{"product.price.amount", "1,234.50", "1234.50"},
		{"product.price.amount", "1'234.50 CHF", "1234.50"},
		{"product.price.amount", "12,5", "12.5"},
		{"product.price.amount", "1,234", "1234"},
		{"product.price.amount", "0,125", "0.125"},
		{"product.price.amount", "1,234,567", "1234567"},
		{"product.price.amount", "15.00 EUR", "15.00"},
		{"product.price.amount", "€ 15", "15"},
		{"product.price.amount", "on request", nil},
		{"product.price.amount", "-5", nil},
		{"product.price.currency", "€", "EUR"},
		{"product.price.currency", "points", nil},
		{"product.sku", "00123", "00123"},
		{"product.sku", "1.23E+12", nil},
		{"product.gtin", "4006381333931", "4006381333931"},
		{"product.gtin", "'4006381333931", "4006381333931"},
		{"product.gtin", "4006381333932", nil},
		{"product.gtin", "4,00638E+12", nil},
		{"product.availability", "in stock", "inStock"},
		{"product.availability", "perhaps", nil},
		{"product.price.from", "Yes", merge.Raw("true")},
		{"product.publishedAt", "2026-01-31", merge.Raw("2026-01-31")},
		{"product.publishedAt", "31.1.2026", nil},
		{"category.order", "3", merge.Raw("3")},
		{"category.order", "3.5", nil},
		{"product.html", "<h1>A</h1><table><tr><th>x</th></tr><tr><td>1</td></tr></table><script>y()</script><!-- z -->", "# A\n\n| x |\n|---|\n| 1 |"},
		{"product.html", `<p>A <img src="//x.example/1.png" alt="b"><img src="/2.png"><img src="data:image/png;base64,AA"> <a href="/sizes">sizes</a>, <a href="#top">top</a>, <a href="https://x.example">x</a></p><ul><li>c</li></ul><ul><li>d</li></ul>`,
			"A ![b](https://x.example/1.png) sizes, top, [x](https://x.example)\n\n- c\n\n- d"},
		{"product.links", `[{"label":"a","url":"https://a.example"}]`, merge.List{merge.Map{{Key: "label", Value: "a"}, {Key: "url", Value: "https://a.example"}}}},
		{"product.links", "a", nil},
		{"product.links", `[1`, nil},
	} {
		got, err := convert(NewBatch(), test.target, test.text)
		if (err != nil) != (test.want == nil) || err == nil && !merge.Equal(got, test.want) {
			t.Errorf("%s of %q is %#v, %v; want %#v", test.target, test.text, got, err, test.want)
		}
	}
	b := NewBatch()
	b.Decimal = ','
	if got, err := convert(b, "product.price.amount", "1,234"); err != nil || got != "1.234" {
		t.Errorf("with decimal commas 1,234 is %v, %v", got, err)
	}
}

func TestAUnitInAHeaderBecomesTheUnitOfTheValue(t *testing.T) {
	for _, test := range []struct {
		header, text, name string
		want               merge.Value
	}{
		{"Weight (kg)", "1,5", "Weight", merge.Map{{Key: "value", Value: merge.Raw("1.5")}, {Key: "unit", Value: "kg"}}},
		{"Weight (kg)", "heavy", "Weight (kg)", "heavy"},
		{"Code", "007", "Code", "007"},
		{"Axes", "-7", "Axes", merge.Raw("-7")},
		{"a: b", "c", "a  b", "c"},
	} {
		value, err := attribute(input{Batch: NewBatch(), name: test.header, text: test.text})
		if err != nil || !merge.Equal(value, merge.Map{{Key: test.name, Value: test.want}}) {
			t.Errorf("%s %q is %#v, %v", test.header, test.text, value, err)
		}
	}
}

func TestSlugsLookHandwritten(t *testing.T) {
	for name, want := range map[string]string{"Borealis Öl & Gas": "borealis-ol-gas", "Acme, Inc.": "acme-inc", "O'Neil": "oneil", "日本": "", "--": ""} {
		if got := Slug(name); got != want {
			t.Errorf("%q has the slug %q, want %q", name, got, want)
		}
	}
}

func FuzzHTML(f *testing.F) {
	f.Add("<p>a<br>b</p><iframe src=x></iframe>")
	f.Fuzz(func(t *testing.T, html string) { _, _ = NewBatch().Markdown(html) })
}
