package search

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
)

// A meantText is a line of testdata/questions: a text, its expected interpretation ("?" if
// any is allowed), and the names it should find. "first X" means that X must come first,
// and "" allows any results.
type meantText struct{ market, language, text, told, finds string }

// meantTexts reads a list of texts. A line "market: NAME" selects the market of
// meantMarkets for the texts below it.
func meantTexts(t testing.TB, file string) (list []meantText) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	market := ""
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSuffix(line, "\n")
		if name, is := strings.CutPrefix(line, "market: "); is {
			market = name
		} else if part := strings.Split(line, " | "); len(part) == 4 {
			list = append(list, meantText{market, part[0], part[1], part[2], part[3]})
		} else if strings.Trim(line, " ") != "" && !strings.HasPrefix(line, "#") {
			t.Fatalf("%s: %q has %d parts: write language | text | told | finds", file, line, len(part))
		}
	}
	return list
}

var meantMarkets = map[string]func(language string) *catalog.Catalog{
	"shop": shop, "bikes": bikes, "pumps": pumps, "bicyclettes": bicyclettes, "laptops": laptops, "speakers": speakers, "moneys": moneys, "lights": lights,
	"makers": func(string) *catalog.Catalog { return makers() }, "saws": func(string) *catalog.Catalog { return saws() },
	"noise": func(language string) *catalog.Catalog {
		return bazaar(language, []string{"werk Berlin DE"}, nil,
			offerOf{seller: "werk", name: "Low", summary: "A pump", attributes: []catalog.Attribute{number("Noise", "32", "dB"), number("Power", "60", "W")}},
			offerOf{seller: "werk", name: "Loud", summary: "A pump", attributes: []catalog.Attribute{number("Noise", "61", "dB"), number("Power", "2", "kW")}})
	},
	"winches": func(language string) *catalog.Catalog {
		capacity := "Capacity"
		if language != "en" {
			capacity = "What it pulls"
		}
		return bazaar(language, []string{"werk Berlin DE"}, nil,
			offerOf{seller: "werk", name: "Small", summary: "A winch", attributes: []catalog.Attribute{number(capacity, "300", "kg"), number("Weight", "12", "kg")}},
			offerOf{seller: "werk", name: "Large", summary: "A winch", attributes: []catalog.Attribute{number(capacity, "900", "kg"), number("Weight", "30", "kg")}})
	},
	"sensors": func(language string) *catalog.Catalog {
		return bazaar(language, []string{"werk Berlin DE"}, map[string]string{"sensors": "Sensors", "cameras": "Cameras"},
			offerOf{seller: "werk", name: "Argus", summary: "For doors", categories: []string{"sensors"}, attributes: []catalog.Attribute{number("Battery life", "5", "years"), number("Guarantee", "2", "years"), number("Sensors brought", "4", "")}},
			offerOf{seller: "werk", name: "Bat", summary: "For caves", categories: []string{"sensors"}, attributes: []catalog.Attribute{number("Battery life", "1", "years"), number("Guarantee", "4", "years"), number("Cable length", "3", "m"), number("Range", "90", "m"), number("Cable width", "4", "mm")}},
			offerOf{seller: "werk", name: "Cricket", summary: "With a camera", categories: []string{"sensors"}, attributes: []catalog.Attribute{number("Camera resolution", "20", "MP")}},
			offerOf{seller: "werk", name: "Lens", summary: "Sees", categories: []string{"cameras"}, attributes: []catalog.Attribute{number("Resolution", "40", "MP")}})
	},
	"torches": func(language string) *catalog.Catalog {
		return bazaar(language, []string{"werk Berlin DE"}, nil,
			offerOf{seller: "werk", name: "Weld", summary: "A torch", attributes: []catalog.Attribute{number("Duty cycle", "60", "%"), number("Cycles", "30", "")}},
			offerOf{seller: "werk", name: "Braze", summary: "A torch", attributes: []catalog.Attribute{number("Duty cycle", "30", "%"), number("Cycles", "90", "")}},
			offerOf{seller: "werk", name: "Tilt", summary: "A torch of 45° and 5%", attributes: []catalog.Attribute{number("Angle", "45", "°")}})
	},
	"rates": func(language string) *catalog.Catalog {
		return bazaar(language, []string{"werk Berlin DE"}, nil,
			offerOf{seller: "werk", name: "Alba", summary: "A photographer", price: "60 EUR per hour", delivery: "onsite"}, offerOf{seller: "werk", name: "Berta", summary: "A photographer", price: "70 EUR per day", delivery: "onsite"},
			offerOf{seller: "werk", name: "Carla", summary: "A photographer", price: "120 EUR per hour", delivery: "onsite"}, offerOf{seller: "werk", name: "Dora", summary: "A photographer", price: "50 EUR per month", delivery: "onsite"},
			offerOf{seller: "werk", name: "Ella", summary: "A photographer", price: "40 EUR per Sitzung", delivery: "onsite"})
	},
	"mentions": func(language string) *catalog.Catalog {
		return bazaar(language, []string{"apple Cupertino US", "norda Hamburg DE", "acme Lyon FR"}, map[string]string{"laptops": "Laptop"},
			offerOf{seller: "apple", name: "Slim", summary: "A laptop"}, offerOf{seller: "norda", name: "Wide", summary: "A laptop for those who had Acme"}, offerOf{seller: "acme", name: "Long", summary: "A laptop unlike those of Apple and Norda"},
			offerOf{seller: "norda", name: "Sleeve", summary: "For each laptop of Apple"}, offerOf{seller: "acme", name: "Dock", summary: "For a laptop of Apple or Norda"}, offerOf{seller: "apple", name: "Hub", summary: "For a laptop of Acme or Norda"})
	},
	"visits": func(language string) *catalog.Catalog {
		return bazaar(language, []string{"werk Berlin DE"}, nil,
			offerOf{seller: "werk", name: "Answers", summary: "Repair of a pump", delivery: "remote"}, offerOf{seller: "werk", name: "Bench", summary: "Repair of a pump", delivery: "hybrid"},
			offerOf{seller: "werk", name: "Call-out", summary: "Repair of a pump", delivery: "onsite"})
	},
	"yen": func(language string) *catalog.Catalog {
		return bazaar(language, []string{"kyo Tokyo JP"}, map[string]string{"lamps": "ランプ"},
			offerOf{seller: "kyo", name: "あかり", summary: "ランプ", price: "4000 JPY", categories: []string{"lamps"}, attributes: []catalog.Attribute{number("重さ", "2", "kg")}},
			offerOf{seller: "kyo", name: "ひかり", summary: "ランプ", price: "5000 JPY", categories: []string{"lamps"}, attributes: []catalog.Attribute{number("重さ", "3", "kg")}},
			offerOf{seller: "kyo", name: "ほし", summary: "ランプ", price: "12000 JPY", categories: []string{"lamps"}, attributes: []catalog.Attribute{number("重さ", "5", "kg")}})
	},
	"screens": func(language string) *catalog.Catalog {
		return bazaar(language, []string{"werk Berlin DE"}, map[string]string{"monitors": "Monitors", "cables": "Cables"},
			offerOf{seller: "werk", name: "View", summary: "Shows much", price: "300 EUR", categories: []string{"monitors"}, attributes: []catalog.Attribute{number("Diagonal", "32", "in")}},
			offerOf{seller: "werk", name: "Peek", summary: "Shows little", price: "100 EUR", categories: []string{"monitors"}, attributes: []catalog.Attribute{number("Diagonal", "24", "in")}},
			offerOf{seller: "werk", name: "Cord", summary: "For a monitor", price: "9 EUR", categories: []string{"cables"}, attributes: []catalog.Attribute{number("Length", "2", "m")}},
			offerOf{seller: "werk", name: "Rope", summary: "For a monitor far away", price: "19 EUR", categories: []string{"cables"}, attributes: []catalog.Attribute{number("Length", "10", "m")}})
	},
}

// laptops is the market for testing negations and alternatives. Its categories have names
// in the market's language.
func laptops(language string) *catalog.Catalog {
	said := map[string][]string{
		"en": {"Laptops", "Phones", "Cables", "Bikes"}, "de": {"Laptops", "Handys", "Kabel", "Fahrräder"}, "fr": {"Ordinateurs", "Téléphones", "Câbles", "Vélos"},
		"es": {"Portátiles", "Teléfonos", "Cables", "Bicicletas"}, "it": {"Portatili", "Telefoni", "Cavi", "Biciclette"}, "nl": {"Laptops", "Telefoons", "Kabels", "Fietsen"},
	}[language]
	truth := func(name, value string) catalog.Attribute {
		return catalog.Attribute{Name: name, Kind: catalog.BooleanValue, Value: value}
	}
	is := func(name, value string) catalog.Attribute { return catalog.Attribute{Name: name, Value: value} }
	return bazaar(language, []string{"apple Cupertino US", "norda Hamburg DE", "acme Lyon FR", "zhong Shenzhen CN"},
		map[string]string{"laptops": said[0], "phones": said[1], "cables": said[2], "bikes": said[3], "makers": "No-code platforms"},
		offerOf{seller: "apple", name: "Slim One", summary: "Quiet and light", price: "1500 EUR", categories: []string{"laptops"}, attributes: []catalog.Attribute{number("RAM", "16", "GB"), number("Weight", "1.2", "kg"), truth("Fan", "false")}},
		offerOf{seller: "norda", name: "Slim Two", summary: "A gaming machine", price: "900 EUR", categories: []string{"laptops"}, attributes: []catalog.Attribute{number("RAM", "32", "GB"), number("Weight", "6", "kg"), truth("Fan", "true")}},
		offerOf{seller: "acme", name: "Slim Three", summary: "For the office", price: "500 EUR", categories: []string{"laptops"}, attributes: []catalog.Attribute{number("RAM", "8", "GB"), number("Weight", "2.8", "kg")}},
		offerOf{seller: "apple", name: "Call One", summary: "Rings", price: "800 EUR", categories: []string{"phones"}},
		offerOf{seller: "zhong", name: "Call Two", summary: "Rings, and works everywhere", price: "200 EUR", categories: []string{"phones"}, attributes: []catalog.Attribute{truth("Works without the internet", "true")}},
		offerOf{seller: "zhong", name: "Cord Red", summary: "Plugs in", price: "9 EUR", categories: []string{"cables"}, attributes: []catalog.Attribute{is("Colour", "red")}},
		offerOf{seller: "norda", name: "Cord Blue", summary: "Plugs in", price: "8 EUR", categories: []string{"cables"}, attributes: []catalog.Attribute{is("Colour", "blue")}},
		offerOf{seller: "acme", name: "Flow", summary: "Builds apps", categories: []string{"makers"}},
		offerOf{seller: "norda", name: "Vault", summary: "Keeps files, without the cloud"},
		offerOf{seller: "acme", name: "Notes", summary: "Keeps files in the cloud, over the internet", keywords: []string{"subscription", "Abo", "abonnement", "suscripción", "abbonamento"}},
		offerOf{seller: "norda", name: "Ride One", summary: "Rolls", price: "2000 EUR", categories: []string{"bikes"}, attributes: []catalog.Attribute{is("Drive", "electric")}},
		offerOf{seller: "acme", name: "Ride Two", summary: "Rolls", price: "400 EUR", categories: []string{"bikes"}, attributes: []catalog.Attribute{is("Drive", "pedals")}},
	)
}

// speakers is bikes with the languages that each seller speaks.
func speakers(language string) *catalog.Catalog {
	c := bikes(language)
	for slug, spoken := range map[string][]string{"werk": {"de-CH"}, "north": {"en"}, "dock": {"nl"}} {
		seller := *c.Node(catalog.SellerRef(slug)).Item().(*catalog.Seller)
		seller.Languages = spoken
		c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&seller}})
	}
	c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&catalog.Offer{
		Head:     catalog.Head{Ref: catalog.Ref{Kind: catalog.KindService, Company: "north", Slug: "same-day"}, Name: "Same day", Summary: "We come and mend"},
		Delivery: "onsite", Categories: []catalog.Mention{{Ref: catalog.CategoryRef(catalog.KindService, "repair")}},
	}}})
	return c
}

// moneys has prices in currencies with similar names.
func moneys(language string) *catalog.Catalog {
	return bazaar(language, []string{"alp Bern CH", "prairie Omaha US", "maple Ottawa CA", "sound Aarhus DK"}, nil,
		offerOf{seller: "alp", name: "Alp", summary: "A pump", price: "190 CHF"}, offerOf{seller: "prairie", name: "Prairie", summary: "A pump", price: "250 USD"},
		offerOf{seller: "maple", name: "Maple", summary: "A pump", price: "140 CAD"}, offerOf{seller: "sound", name: "Sound", summary: "A pump", price: "280 DKK"},
		offerOf{seller: "sound", name: "Fjord", summary: "A pump", price: "400 NOK"})
}

// lights has listings whose names look like comparisons.
func lights(language string) *catalog.Catalog {
	return bazaar(language, []string{"acme Berlin DE"}, nil,
		offerOf{seller: "acme", name: "Beacon", summary: "A light"}, offerOf{seller: "acme", name: "Ember", summary: "A stove"},
		offerOf{seller: "acme", name: "North Star", summary: "A lamp, brighter than Beacon"},
		offerOf{seller: "acme", name: "Adapter", summary: "Fits Beacon and Ember"}, offerOf{seller: "acme", name: "Beacon or Ember", summary: "A game"})
}

// right reports whether a text finds the expected listings.
func (m *meantText) right(names []string) bool {
	if first, is := strings.CutPrefix(m.finds, "first "); is {
		wanted := strings.Split(first, ", ")
		return len(names) >= len(wanted) && slices.Equal(names[:len(wanted)], wanted)
	}
	sorted := slices.Sorted(slices.Values(names))
	return m.finds == "" || strings.Join(sorted, ", ") == m.finds || m.finds == "nothing" && len(names) == 0
}

// A meaning is only worth having if nearly all texts in its list find the expected
// listings, and far fewer do so by their words alone.
func TestMeaningsFindExpectedListings(t *testing.T) {
	files, err := filepath.Glob("testdata/questions/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			eachEngine(t, func(t *testing.T) { testMeanings(t, file) })
		})
	}
}

func testMeanings(t *testing.T, file string) {
	markets := map[string]*Index{}
	texts, with, without, pinned := meantTexts(t, file), 0, 0, 0
	for _, one := range texts {
		key := one.market + " " + one.language
		if markets[key] == nil {
			if meantMarkets[one.market] == nil {
				t.Fatalf("there is no market %q", one.market)
			}
			markets[key] = openMemory(t, extract(meantMarkets[one.market](one.language)), nil)
		}
		r, names := asked(t, markets[key], Query{Text: one.text})
		_, words := asked(t, markets[key], Query{Text: one.text, Literal: true})
		if told := asTold(patternsOf(r.Interpreted)); one.told != "?" && told != one.told {
			t.Errorf("%s %s %q is told as %q, want %q", one.market, one.language, one.text, told, one.told)
		}
		if !one.right(names) {
			t.Errorf("%s %s %q finds %q, want %q: %s", one.market, one.language, one.text, strings.Join(slices.Sorted(slices.Values(names)), ", "), one.finds, asTold(r.Interpreted))
		}
		if one.finds == "" {
			continue
		}
		pinned++
		if one.right(names) {
			with++
		}
		if one.right(words) {
			without++
		}
	}
	t.Logf("%d of %d texts find what they have to, %d as words alone", with, pinned, without)
	if least := 30; len(texts) < least {
		t.Errorf("there are %d texts, want %d", len(texts), least)
	}
	if without*10 > pinned*7 {
		t.Errorf("as words alone, %d of %d texts find what they have to: the meaning says too little", without, pinned)
	}
}
