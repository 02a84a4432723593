package merchant

import (
	"maps"
	"strings"
	"testing"

	"souk/build/document"
)

func product(change func(*document.Product)) document.Product {
	d := document.Product{}
	d.Name, d.Summary, d.URL, d.APIURL = "Arm 7", "An arm.", "https://m.example/companies/acme/products/arm-7", "https://m.example/api/v1/marketplace/companies/acme/products/arm-7"
	d.Seller.Name = "Acme"
	d.Price = &document.Price{Amount: "149.00", Currency: "EUR"}
	d.Media = []document.Media{{URL: "https://m.example/media/a.svg"}, {URL: "https://m.example/media/b.png"}, {URL: "https://m.example/media/c.jpg"}}
	change(&d)
	return d
}

func TestAProductBecomesARowOrIsCounted(t *testing.T) {
	const row = "ID\t\tArm 7\tAn arm.\thttps://m.example/companies/acme/products/arm-7\thttps://m.example/media/b.png\thttps://m.example/media/c.jpg\t149.00 EUR\t\t\tAcme\t\t\t\n"
	for name, one := range map[string]struct {
		change  func(*document.Product)
		want    string
		without map[string]int
	}{
		"all that it takes": {func(*document.Product) {}, row, nil},
		"without a price":   {func(d *document.Product) { d.Price = nil }, "", map[string]int{NoPrice: 1}},
		"reduced, and in stock": {
			func(d *document.Product) { d.Price.List, d.Availability = "199.00", "inStock" },
			strings.Replace(row, "149.00 EUR\t\t\t", "199.00 EUR\t149.00 EUR\tin_stock\t", 1), nil,
		},
		"an availability of no feed": {func(d *document.Product) { d.Availability = "onRequest" }, row, map[string]int{Unavailable: 1}},
		"from a price":               {func(d *document.Product) { d.Price.From = true }, "", map[string]int{LowestOnly: 1}},
		"by the hour":                {func(d *document.Product) { d.Price.Unit = "hour" }, "", map[string]int{PerUnit: 1}},
		"a drawing alone":            {func(d *document.Product) { d.Media = d.Media[:1] }, "", map[string]int{OnlySVG: 1}},
		"no text":                    {func(d *document.Product) { d.Summary = "" }, "", map[string]int{NoText: 1}},
		"the text as Markdown": {
			func(d *document.Product) {
				d.Summary, d.Description = "", "An *arm*.\n\n- with `seven`\taxes\n- and [more](https://elsewhere.example)\n"
			},
			strings.Replace(row, "An arm.", "An arm. with seven axes and more", 1), nil,
		},
		"a code, and other attributes": {
			func(d *document.Product) {
				d.Attributes = []document.Attribute{{Name: "Weight", Value: 4}, {Name: "EAN", Value: "4006381333931"}, {Name: "Gtin", Value: "4006381333931"}}
			},
			strings.Replace(row, "Acme\t", "Acme\t4006381333931", 1), map[string]int{Attributes: 2},
		},
		"its own code": {
			func(d *document.Product) {
				d.GTIN, d.Attributes = "96385074", []document.Attribute{{Name: "EAN", Value: "4006381333931"}}
			},
			strings.Replace(row, "Acme\t", "Acme\t96385074", 1), map[string]int{Attributes: 1},
		},
		"a code with a wrong digit": {
			func(d *document.Product) { d.Attributes = []document.Attribute{{Name: "EAN", Value: "4006381333932"}} },
			row, map[string]int{Attributes: 1},
		},
		"tabs, lines and quotes": {
			func(d *document.Product) { d.Name = "Arm\t\"7\"\nnew" }, strings.Replace(row, "Arm 7", `"Arm ""7"" new"`, 1), nil,
		},
		"a long title": {
			func(d *document.Product) { d.Name = strings.Repeat("ä", 151) },
			strings.Replace(row, "Arm 7", strings.Repeat("ä", 149)+"…", 1), map[string]int{Shortened: 1},
		},
		"proof": {func(d *document.Product) { d.Proof = make([]document.Proof, 2) }, row, map[string]int{Proof: 2}},
	} {
		without := map[string]int{}
		got := Rows(product(one.change), func(why string) { without[why]++ })
		if id, _, ok := strings.Cut(got, "\t"); ok {
			got = strings.Replace(got, id, "ID", 1)
		}
		if got != one.want || !maps.Equal(without, one.without) {
			t.Errorf("%s: %q without %v, want %q without %v", name, got, without, one.want, one.without)
		}
	}
}

func TestEachVariantIsARowOfOneGroup(t *testing.T) {
	d := product(func(d *document.Product) {
		d.Variants = []document.Variant{{Name: "Red", SKU: "R", Price: d.Price, Availability: "preOrder"}, {Name: "Blue", SKU: "B", Price: d.Price}, {Name: "Green"}}
	})
	without := map[string]int{}
	rows := strings.Split(strings.TrimSuffix(Rows(d, func(why string) { without[why]++ }), "\n"), "\n")
	if len(rows) != 2 || without[NoPrice] != 1 {
		t.Fatalf("%q without %v", rows, without)
	}
	red, blue := strings.Split(rows[0], "\t"), strings.Split(rows[1], "\t")
	if red[0] == blue[0] || red[1] != blue[1] || red[1] == "" || red[2] != "Arm 7 – Red" || red[12] != "R" || blue[12] != "B" || red[9] != "preorder" || blue[9] != "" {
		t.Errorf("%q and %q", red, blue)
	}
	if columns := strings.Split(strings.TrimSuffix(Header, "\n"), "\t"); len(columns) != len(red) {
		t.Errorf("%d columns and %d values", len(columns), len(red))
	}
}
