package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/document"
	"souk/build/kit/fold"
)

// answer compares documents, given as JSON, and returns the answer as JSON says it.
func answer(t testing.TB, documents ...string) map[string]any {
	t.Helper()
	files := map[string]string{}
	var requests []Request
	for i, d := range documents {
		r := Request{fmt.Sprintf("product:acme/%d", i), fmt.Sprintf("%d.json", i)}
		requests = append(requests, r)
		files[r.File] = d
	}
	c, err := Listings(requests, func(file string) ([]byte, bool, error) {
		if d, there := files[file]; there {
			return []byte(d), false, nil
		}
		return nil, false, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, c)
}

func decoded(t testing.TB, value any) (m map[string]any) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

func product(at int, more string) string {
	return fmt.Sprintf(`{"kind":"product","slug":"p%d","apiUrl":"/p%d","companySlug":"acme","attributes":[],"media":[],"proof":[]%s}`, at, at, more)
}

func attributes(at int, list string) string { return product(at, `,"attributes":[`+list+`]`) }

func TestRowsAlignAttributes(t *testing.T) {
	for _, test := range []struct {
		name      string
		documents []string
		rows      string
		differs   string
	}{
		{
			"in the order of the first listing that has each",
			[]string{attributes(1, `{"name":"B","value":"x"}`), attributes(2, `{"name":"A","value":true},{"name":"B","value":"x"}`)},
			`[{"name":"B","cells":[{"value":"x"},{"value":"x"}]},{"name":"A","cells":[null,{"value":true}]}]`, `["A"]`,
		},
		{
			"in the unit of the first, with the original",
			[]string{attributes(1, `{"name":"Payload","value":2.50,"unit":"kg"}`), attributes(2, `{"name":"Payload","value":2500,"unit":"g"}`)},
			`[{"name":"Payload","unit":"kg","cells":[{"value":2.50},{"value":2.5,"original":{"value":2500,"unit":"g"}}]}]`, `[]`,
		},
		{
			"each in its own unit if one has no end in that of the first",
			[]string{attributes(1, `{"name":"Length","value":1,"unit":"yd"}`), attributes(2, `{"name":"Length","value":1,"unit":"m"}`), attributes(3, `{"name":"Length","value":3,"unit":"ft"}`)},
			`[{"name":"Length","cells":[{"value":1,"unit":"yd"},{"value":1,"unit":"m"},{"value":3,"unit":"ft"}]}]`, `["Length"]`,
		},
		{
			"each in its own unit, and equal if they measure the same",
			[]string{attributes(1, `{"name":"Length","value":1,"unit":"yd"}`), attributes(2, `{"name":"Length","value":3,"unit":"ft"}`)},
			`[{"name":"Length","unit":"yd","cells":[{"value":1},{"value":1,"original":{"value":3,"unit":"ft"}}]}]`, `[]`,
		},
		{
			"each in its own unit if they measure different things",
			[]string{attributes(1, `{"name":"Size","value":1,"unit":"m"}`), attributes(2, `{"name":"Size","value":1,"unit":"kg"}`), attributes(3, `{"name":"Size","value":1}`)},
			`[{"name":"Size","cells":[{"value":1,"unit":"m"},{"value":1,"unit":"kg"},{"value":1}]}]`, `["Size"]`,
		},
		{
			"without a unit",
			[]string{attributes(1, `{"name":"Ports","value":4}`), attributes(2, `{"name":"Ports","value":4.0}`)},
			`[{"name":"Ports","cells":[{"value":4},{"value":4.0}]}]`, `[]`,
		},
		{
			"of different types",
			[]string{attributes(1, `{"name":"Ports","value":4}`), attributes(2, `{"name":"Ports","value":"four"}`), attributes(3, `{"name":"Ports","value":false}`)},
			`[{"name":"Ports","cells":[{"value":4},{"value":"four"},{"value":false}]}]`, `["Ports"]`,
		},
		{
			"of several values, in any order",
			[]string{attributes(1, `{"name":"Colour","values":["red","blue"]}`), attributes(2, `{"name":"Colour","values":["Blue","red"]}`)},
			`[{"name":"Colour","cells":[{"values":["red","blue"]},{"values":["Blue","red"]}]}]`, `[]`,
		},
		{
			"named without regard to case, each name of a listing on its own",
			[]string{attributes(1, `{"name":"Colour","value":"Red"}`), attributes(2, `{"name":"colour","value":"red"},{"name":"COLOUR","value":"blue"}`)},
			`[{"name":"Colour","cells":[{"value":"Red"},{"value":"red"}]},{"name":"COLOUR","cells":[null,{"value":"blue"}]}]`, `["COLOUR"]`,
		},
		{
			"then the fields that any has",
			[]string{
				product(1, `,"price":{"amount":"10.0","currency":"EUR"},"availability":"inStock"`),
				product(2, `,"price":{"amount":"10","currency":"EUR"},"availability":"onRequest"`),
				product(3, `,"price":{"amount":"10","currency":"EUR"},"delivery":"remote"`),
			},
			`[{"field":"price","cells":[{"amount":"10.0","currency":"EUR"},{"amount":"10","currency":"EUR"},{"amount":"10","currency":"EUR"}]},
			  {"field":"delivery","cells":[null,null,"remote"]},{"field":"availability","cells":["inStock","onRequest",null]}]`, `["delivery","availability"]`,
		},
		{
			"with prices as they are",
			[]string{product(1, `,"price":{"amount":"10","currency":"EUR"}`), product(2, `,"price":{"amount":"10","currency":"USD"}`)},
			`[{"field":"price","cells":[{"amount":"10","currency":"EUR"},{"amount":"10","currency":"USD"}]}]`, `["price"]`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := answer(t, test.documents...)
			want := decoded(t, json.RawMessage(`{"rows":`+test.rows+`,"differs":`+test.differs+`}`))
			for name, value := range want {
				if !reflect.DeepEqual(got[name], value) {
					t.Errorf("%s:\n got %v\nwant %v", name, got[name], value)
				}
			}
		})
	}
}

func TestListingsAreCardsOfTheirDocuments(t *testing.T) {
	read := func(file string) ([]byte, bool, error) {
		switch file {
		case "a":
			return []byte(product(1, `,"name":"Arm","proof":[{"kind":"award","title":"1","url":"u"},{"kind":"award","title":"2"},{"kind":"award","title":"3"},{"kind":"award","title":"4"}],
				"media":[{"url":"/elsewhere","alt":"x"},{"url":"/media/a.png","alt":"An arm","bytes":5,"type":"image/png"}],"updatedAt":"2026-01-02"`)), false, nil
		case "b", "former":
			return []byte(product(2, `,"attributes":[{"name":"Size","value":2},{"name":"REACH","value":1.50,"unit":"m"}],"categories":[{"rootKind":"product","slug":"arms"}]`)), false, nil
		case document.CategoryFile("product", "arms"):
			return []byte(`{"cardAttributes":["Colour","Reach"]}`), false, nil
		case document.SellerFile("acme"):
			return []byte(`{"logo":{"url":"/media/logo.svg","alt":"ACME","type":"image/svg+xml","width":3,"height":2}}`), false, nil
		case "gone":
			return nil, true, nil
		}
		return nil, false, nil
	}
	c, err := Listings([]Request{{"product:acme/a", "a"}, {"x", "gone"}, {"product:acme/former", "former"}, {"y", "nowhere"}, {"product:acme/b", "b"}, {"x", "gone"}}, read)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Listings) != 2 || c.Listings[0].Name != "Arm" || c.Listings[1].Slug != "p2" {
		t.Fatalf("the listings are %+v", c.Listings)
	}
	if one := c.Listings[0]; one.Image == nil || one.Image.URL != "/media/a.png" || one.UpdatedAt != "2026-01-02" ||
		!slices.Equal(one.Proof, []document.ProofNote{{Kind: "award", Title: "1"}, {Kind: "award", Title: "2"}, {Kind: "award", Title: "3"}}) {
		t.Errorf("the first card is %+v with the image %v", one, one.Image)
	}
	if shown, _ := json.Marshal(c.Listings[1].Attributes); string(shown) != `[{"name":"REACH","value":1.50,"unit":"m"}]` || c.Listings[0].Attributes != nil {
		t.Errorf("the second card shows %s, and the first %v", shown, c.Listings[0].Attributes)
	}
	if logo := c.Listings[1].Image; logo == nil || logo.Alt != "ACME" || logo.Width != 3 {
		t.Errorf("the second card has the image %v, want the seller's logo", logo)
	}
	if want := []document.MissingCompared{{Ref: "x", Status: Removed}, {Ref: "y", Status: Unknown}}; !slices.Equal(c.Missing, want) {
		t.Errorf("missing is %v, want %v", c.Missing, want)
	}
}

func TestComparisonFailsIfADocumentIsUnreadable(t *testing.T) {
	broken := errors.New("broken")
	for name, read := range map[string]Read{
		"no file":     func(string) ([]byte, bool, error) { return nil, false, broken },
		"no document": func(string) ([]byte, bool, error) { return []byte("<html>"), false, nil },
	} {
		if c, err := Listings([]Request{{"a", "a"}, {"b", "b"}}, read); err == nil {
			t.Errorf("%s: it answers %+v", name, c)
		}
	}
}

// sizes are the factors of some units, and those of other dimensions.
var sizes = map[string]map[string]string{
	"mass": {"g": "1/1000", "kg": "1", "t": "1000", "oz": "45359237/1600000000"}, "length": {"mm": "1/1000", "m": "1", "yd": "9144/10000"}, "box": {"box": "1"}, "none": {"": "1"},
}

func ratio(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// measured returns the dimension and the amount of a number in its base unit.
func measured(cell map[string]any, rowUnit string) (dimension string, amount *big.Rat) {
	n, is := cell["value"].(json.Number)
	if !is {
		return "", nil
	}
	unit, _ := cell["unit"].(string)
	if rowUnit != "" {
		unit = rowUnit
	}
	for name, units := range sizes {
		if factor, has := units[unit]; has {
			return name, new(big.Rat).Mul(ratio(n.String()), ratio(factor))
		}
	}
	panic("no unit " + unit)
}

func drawDocument(t *rapid.T, at int) map[string]any {
	d := map[string]any{"kind": "product", "apiUrl": fmt.Sprint("/", at), "companySlug": "acme"}
	units := slices.Sorted(func(yield func(string) bool) {
		for _, dimension := range sizes {
			for unit := range dimension {
				if !yield(unit) {
					return
				}
			}
		}
	})
	list := []any{}
	for _, name := range []string{"A", "B", "Ç"} {
		a := map[string]any{"name": rapid.SampledFrom([]string{name, name, strings.ToLower(name)}).Draw(t, "name")}
		switch rapid.IntRange(0, 5).Draw(t, "type") {
		case 0:
			continue
		case 1:
			a["value"] = rapid.SampledFrom([]string{"red", "Red", "blue"}).Draw(t, "text")
		case 2:
			a["value"] = rapid.Bool().Draw(t, "truth")
		case 3:
			a["values"] = rapid.SliceOfN(rapid.SampledFrom([]string{"red", "Blue", "blue"}), 1, 3).Draw(t, "texts")
		default:
			a["value"] = json.Number(rapid.SampledFrom([]string{"1", "1.0", "1000", "0.001", "-2.5", "3"}).Draw(t, "number"))
			if unit := rapid.SampledFrom(units).Draw(t, "unit"); unit != "" {
				a["unit"] = unit
			}
		}
		list = append(list, a)
	}
	d["attributes"] = list
	for name, values := range map[string][]any{
		"price":    {nil, map[string]any{"amount": "1.0", "currency": "EUR"}, map[string]any{"amount": "1", "currency": "EUR"}, map[string]any{"amount": "1", "currency": "USD", "from": true}},
		"delivery": {nil, "remote", "onsite"}, "availability": {nil, "inStock", "onRequest"},
	} {
		if value := rapid.SampledFrom(values).Draw(t, name); value != nil {
			d[name] = value
		}
	}
	return d
}

// sameValue reports whether two values of attributes say the same.
func sameValue(a, b map[string]any, rowUnit string) bool {
	if dimension, amount := measured(a, rowUnit); amount != nil {
		other, another := measured(b, rowUnit)
		return another != nil && dimension == other && amount.Cmp(another) == 0
	}
	texts := func(m map[string]any) []string {
		if text, is := m["value"].(string); is {
			return []string{fold.Text(text)}
		}
		var all []string
		list, _ := m["values"].([]any)
		for _, text := range list {
			all = append(all, fold.Text(text.(string)))
		}
		slices.Sort(all)
		return all
	}
	if truth, is := a["value"].(bool); is {
		return b["value"] == truth
	}
	return texts(b) != nil && slices.Equal(texts(a), texts(b))
}

// compareSet compares a random set, and every cell with its document.
func compareSet(t *rapid.T) {
	documents := make([]map[string]any, rapid.IntRange(2, 8).Draw(t, "listings"))
	files := map[string][]byte{}
	var requests []Request
	for i := range documents {
		data, _ := json.Marshal(drawDocument(t, i))
		file := fmt.Sprint(i)
		files[file], documents[i] = data, decodedAny(data)
		requests = append(requests, Request{"product:acme/" + file, file})
	}
	c, err := Listings(requests, func(file string) ([]byte, bool, error) { return files[file], false, nil })
	if err != nil {
		t.Fatal(err)
	}
	data, _ := json.Marshal(c)
	got := decodedAny(data)
	filled := make([]int, len(documents))
	var differs []any
	for _, r := range got["rows"].([]any) {
		row := r.(map[string]any)
		cells, unit := row["cells"].([]any), ""
		if row["unit"] != nil {
			unit = row["unit"].(string)
		}
		differ := false
		var first any
		for i, cell := range cells {
			if cell == nil {
				differ = true
				continue
			}
			filled[i]++
			if field, is := row["field"].(string); is {
				if !reflect.DeepEqual(cell, documents[i][field]) {
					t.Fatalf("%s of %d is %v, and %v in %v", field, i, cell, documents[i][field], documents[i])
				}
				same := reflect.DeepEqual(first, cell)
				if p, is := cell.(map[string]any); is && first != nil {
					q := first.(map[string]any)
					same = p["currency"] == q["currency"] && p["from"] == q["from"] && ratio(p["amount"].(string)).Cmp(ratio(q["amount"].(string))) == 0
				}
				differ = differ || first != nil && !same
				first = cell
				continue
			}
			now := cell.(map[string]any)
			if first == nil && unit != "" {
				if now["original"] != nil {
					t.Fatalf("the first cell of %v is converted", row)
				}
			}
			written := map[string]any{}
			for _, a := range documents[i]["attributes"].([]any) {
				if fold.Text(a.(map[string]any)["name"].(string)) == fold.Text(row["name"].(string)) {
					for name, value := range a.(map[string]any) {
						if name != "name" {
							written[name] = value
						}
					}
				}
			}
			said := map[string]any{}
			for name, value := range now {
				said[name] = value
			}
			if original, converted := now["original"].(map[string]any); converted {
				// A converted cell measures what its document says.
				_, a := measured(now, unit)
				_, b := measured(original, "")
				if a.Cmp(b) != 0 {
					t.Fatalf("%v %s is not %v", now["value"], unit, original)
				}
				said = original
			} else if unit != "" {
				said["unit"] = unit
			}
			if !reflect.DeepEqual(said, written) {
				t.Fatalf("%s of %d is %v in %v, and %v in %v", row["name"], i, said, row, written, documents[i])
			}
			differ = differ || first != nil && !sameValue(first.(map[string]any), now, unit)
			first = now
		}
		if differ {
			name := row["name"]
			if name == nil {
				name = row["field"]
			}
			differs = append(differs, name)
		}
	}
	for i, d := range documents {
		has := len(d["attributes"].([]any))
		for _, field := range []string{"price", "delivery", "availability"} {
			if d[field] != nil {
				has++
			}
		}
		if filled[i] != has {
			t.Fatalf("%d has %d cells, and its document %d: %v", i, filled[i], has, d)
		}
	}
	if !reflect.DeepEqual(got["differs"], append([]any{}, differs...)) {
		t.Fatalf("differs is %v, want %v of %v", got["differs"], differs, got["rows"])
	}
}

func decodedAny(data []byte) (m map[string]any) {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		panic(err)
	}
	return m
}

// TestRandomComparisonsEqualTheirDocuments draws a hundred sets for each of rapid's
// checks, of which there are a hundred by default.
func TestRandomComparisonsEqualTheirDocuments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 100 {
			compareSet(t)
		}
	})
}
