package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/dynamic/search/fault"
	"souk/dynamic/search/suggest"
)

// marketOfGone returns a market of acme and belle and, if withGone is set, gone. Only gone
// has some of the currencies, places, languages, proofs, units, spellings and words, and it
// has more of everything.
func marketOfGone(t *testing.T, withGone bool, removals *catalog.Register) *Index {
	t.Helper()
	sellers := []string{"acme Berlin DE", "belle Paris FR"}
	offers := []offerOf{
		{seller: "acme", name: "Pump Five", summary: "Moves water", categories: []string{"pumps"}, price: "5 CHF", attributes: []catalog.Attribute{number("flow", "20", "l"), {Name: "colour", Value: "red"}}},
		{seller: "acme", name: "Pump Six", summary: "Moves more water", categories: []string{"pumps"}, price: "6 CHF per hour", attributes: []catalog.Attribute{number("flow", "40", "l"), number("length", "2", "m")}},
		{seller: "belle", name: "Repair of pumps", summary: "Mends", delivery: "remote", regions: []string{"North"}, price: "70 EUR"},
	}
	if withGone {
		sellers = append(sellers, "gone Oslo NO")
		for i := range 6 {
			offers = append(offers, offerOf{
				seller: "gone", name: fmt.Sprint("Zeppelin Tank ", i), summary: "Stores hydrogen quietly", categories: []string{"pumps"}, price: fmt.Sprint(900+i, " KWD per fortnight"), keywords: []string{"airship"},
				attributes: []catalog.Attribute{number("Flow", fmt.Sprint(5000+i), "ml"), number("LENGTH", "9", "ft"), number("Depth", "20", "m"), {Name: "Colour", Value: "RED"}, {Name: "Fuel", Value: "hydrogen"}},
			}, offerOf{seller: "gone", name: fmt.Sprint("Airship course ", i), delivery: "onsite", regions: []string{"Fjord Land", "north"}, price: "3 NOK"})
		}
	}
	return openMemory(t, extract(bazaar("en", sellers, map[string]string{"pumps": "Pumps", "tanks": "Tanks"}, offers...)), removals)
}

func TestContentOfARemovedSellerHasNoEffect(t *testing.T) {
	removals := &catalog.Register{}
	withheld, without := marketOfGone(t, true, removals), marketOfGone(t, false, nil)
	remove(removals, "gone")
	var queries []Query
	for _, text := range []string{
		"", "pump", "zeppelin", "zeppelins", "zeplin", "airship", "hydrogen", "pump hydrogen", "pump KWD", "pump under 1000 KWD", "tank", "oslo", "pump in norway", "in fjord land", "north", "gone", "the gone company",
		"flow over 10 l", "depth 20 m", "length at least 3 ft", "without hydrogen", "not gone", "not airship", "pump per fortnight", "colour red", "RED", "cheapest airship", "pump like zeppelin tank 1", "moves watr", "hydrogn", "quietly",
	} {
		queries = append(queries, Query{Text: text})
	}
	for filter, values := range map[string][]string{
		"price": {"1..10000", "900.."}, "attribute": {"flow:1..", "Flow:1..", "depth:1..", "length:1.. ft", "LENGTH:2 m", "colour:red", "Colour:RED", "fuel:hydrogen", "length:1 kg", "flow:1..2 zz"},
		"country": {"NO", "DE", "XX"}, "region": {"Fjord Land", "north", "North"}, "language": {"nb", "en"}, "proof": {"award", "x"}, "priceUnit": {"fortnight", "hour"}, "delivery": {"onsite", "remote"}, "availability": {"inStock", "preOrder"}, "seller": {"gone", "gon", "acme", "GONE"},
		"category": {"product/pumps", "product/tanks", "product/tank"}, "kind": {"product", "service", "p"},
	} {
		for _, value := range values {
			for _, currency := range []string{"KWD", "CHF", "KWX", "kwd", "NOK", ""} {
				for _, sort := range []string{"", "price", "name", "newest"} {
					q := Query{Sort: sort}.with(filter, value)
					q.Currency = currency
					queries = append(queries, q)
				}
			}
		}
	}
	var texts []suggest.Query
	for _, text := range []string{"z", "zep", "gone", "g", "o", "air", "pu", "the gone company zep", "t", "n", "hydro", "o3", "repair"} {
		texts = append(texts, suggest.Query{Text: text})
	}
	wantAlike(t, withheld, without, queries, texts)
}

// wantAlike checks that an index that withholds a seller and one that never had it answer
// byte for byte the same.
func wantAlike(t *testing.T, withheld, without *Index, queries []Query, texts []suggest.Query) {
	t.Helper()
	for _, q := range queries {
		q.Limit = MaxLimit
		var told []string
		for _, x := range []*Index{withheld, without} {
			r, err := x.Search(t.Context(), q)
			var invalid *fault.Error
			if err != nil && !errors.As(err, &invalid) {
				t.Fatal(err)
			}
			told = append(told, fmt.Sprintf("%s %+v", asJSON(t, r), invalid))
		}
		if told[0] != told[1] {
			t.Errorf("%+v answers\n%s\nand if it never was there\n%s", q, told[0], told[1])
		}
	}
	for _, q := range texts {
		q.Limit = suggest.MaxSuggestions
		var told []string
		for _, x := range []*Index{withheld, without} {
			s, err := x.Suggest(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, asJSON(t, s))
		}
		if told[0] != told[1] {
			t.Errorf("for %q is suggested\n%s\nand if it never was there\n%s", q.Text, told[0], told[1])
		}
	}
}

// In these random markets, the withheld seller shares most words with the others, in its
// own spellings, and has more of everything.
func TestRandomMarketsNeverRevealARemovedSeller(t *testing.T) {
	shared := strings.Fields("pump valve motor steel silent compact rotary water säge Gehäuse Motor-Säge open source kit spare part under red RED flow")
	own := strings.Fields("zeppelin hydrogen Sage GEHÄUSE valves motors pumped sägen opensource rotarypump")
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		pick := func(words []string) string { return words[r.IntN(len(words))] }
		some := func(most int, words ...string) string {
			said := make([]string, 1+r.IntN(most))
			for i := range said {
				said[i] = pick(words)
			}
			return strings.Join(said, " ")
		}
		offer := func(seller string, words, names, units []string) offerOf {
			o := offerOf{seller: seller, name: some(3, words...), summary: some(8, words...), keywords: []string{pick(words)}, price: fmt.Sprint(1+r.IntN(900), " ", pick([]string{"EUR", "CHF"}))}
			if r.IntN(3) == 0 {
				o.delivery, o.regions = "onsite", []string{pick(names)}
				return o
			}
			o.categories = []string{pick([]string{"pumps", "valves"})}
			o.attributes = []catalog.Attribute{number(pick(names), fmt.Sprint(r.IntN(40)), pick(units)), {Name: "Colour", Value: pick(words)}}
			return o
		}
		var offers, gone []offerOf
		for range 24 {
			offers = append(offers, offer(pick([]string{"acme", "belle"}), shared, []string{"Flow", "Length"}, []string{"l", "m"}))
		}
		for range 20 {
			gone = append(gone, offer("gone", append(own, shared...), []string{"FLOW", "length", "Depth"}, []string{"ml", "ft", "m"}))
		}
		removals := &catalog.Register{}
		sellers, categories := []string{"acme Berlin DE", "belle Paris FR"}, map[string]string{"pumps": "Pumps", "valves": "Water valves", "service/repair": "Repair"}
		withheld := openMemory(t, extract(bazaar("de", append(sellers, "gone Oslo NO"), categories, append(offers, gone...)...)), removals)
		without := openMemory(t, extract(bazaar("de", sellers, categories, offers...)), nil)
		remove(removals, "gone")
		var queries []Query
		var texts []suggest.Query
		asked := append(append(own, shared...), "ohne", "unter", "20", "l", "not", "gone", "oslo", "flow", "länge", "pmup", "motr", "sge", "über 5 ml", "EUR", "depth", "rotary pump", "motorsäge", "wasserventil", "quelloffen")
		for range 150 {
			text := some(5, asked...)
			queries = append(queries, Query{Text: text, Literal: r.IntN(4) == 0})
			texts = append(texts, suggest.Query{Text: text[:1+r.IntN(len(text))]})
		}
		for i := range texts {
			texts[i].Text = strings.ToValidUTF8(texts[i].Text, "")
		}
		texts = slices.DeleteFunc(texts, func(q suggest.Query) bool { return strings.TrimSpace(q.Text) == "" })
		wantAlike(t, withheld, without, queries, texts)
		if t.Failed() {
			t.Fatalf("with the seed %d", seed)
		}
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	body, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestRestoredSellerIsFoundAsBefore(t *testing.T) {
	removals := &catalog.Register{}
	x := marketOfGone(t, true, removals)
	all := func() string {
		r, err := x.Search(t.Context(), Query{Limit: MaxLimit})
		if err != nil {
			t.Fatal(err)
		}
		return asJSON(t, r)
	}
	before := all()
	remove(removals, "gone")
	if withheld := all(); strings.Contains(withheld, "Flow") || strings.Contains(withheld, "ml") || strings.Contains(withheld, "RED") {
		t.Errorf("withheld, the seller's spellings are in\n%s", withheld)
	}
	remove(removals)
	if after := all(); after != before {
		t.Errorf("restored it answers\n%s\nand before\n%s", after, before)
	}
}
