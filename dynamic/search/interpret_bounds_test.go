package search

import (
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
)

// pumps is a market in two currencies, of which one seller is called after a city.
func pumps(language string) *catalog.Catalog {
	return bazaar(language, []string{"werk Berlin DE", "harbour Harbour GB"}, map[string]string{"pumps": "Pumps"},
		offerOf{seller: "werk", name: "Deep", summary: "For ponds, with solvent", price: "40 GBP", categories: []string{"pumps"}, attributes: []catalog.Attribute{number("Max depth", "10", "m"), number("Hose", "20", "m"), number("Flow", "15", "m³/h"), number("Weight", "7", "kg")}},
		offerOf{seller: "harbour", name: "Flat", summary: "For cellars", price: "90 EUR", categories: []string{"pumps"}, attributes: []catalog.Attribute{number("Max depth", "7", "m"), number("Hose", "5", "m"), number("Flow", "7500", "l/h"), number("Weight", "2", "kg")}},
		offerOf{seller: "harbour", name: "Hand", summary: "For ponds", price: "60 GBP", categories: []string{"pumps"}, attributes: []catalog.Attribute{number("Weight", "1", "kg")}},
	)
}

func TestBoundsAreUnderstoodAsBuyersSayThem(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, one := range []struct{ language, query, told, finds string }{
			{"en", "pump 50 pounds max", "filter 50 pounds max => price=..50 GBP", "Deep"},
			{"en", "pump £50 maximum", "filter £50 maximum => price=..50 GBP", "Deep"},
			{"en", "pump 50 GBP and up", "filter 50 GBP and up => price=50.. GBP", "Hand"},
			{"en", "pump 2 kg max", "filter 2 kg max => attribute=Weight:..2 kg", "Hand|Flat"},
			{"en", "pump 5 kg at least", "filter 5 kg at least => attribute=Weight:5.. kg", "Deep"},
			{"en", "pump 5+ kg", "filter 5+ kg => attribute=Weight:5.. kg", "Deep"},
			{"en", "pump 5kg+", "filter 5kg+ => attribute=Weight:5.. kg", "Deep"},
			{"en", "pump 5 or more kg", "filter 5 or more kg => attribute=Weight:5.. kg", "Deep"},
			{"en", "pump 50+ GBP", "filter 50+ GBP => price=50.. GBP", "Hand"},
			{"en", "pump £50+", "filter £50+ => price=50.. GBP", "Hand"},
			{"en", "pump 50 or fewer GBP", "filter 50 or fewer GBP => price=..50 GBP", "Deep"},
			{"en", "pump 10+ m³ per hour flow", "filter 10+ m³ per hour flow => attribute=Flow:10.. m³ per hour", "Deep"},
			{"de", "pump 2 oder weniger kg", "filter 2 oder weniger kg => attribute=Weight:..2 kg", "Hand|Flat"},
			{"en", "pump 2 kg or lighter", "filter 2 kg or lighter => attribute=Weight:..2 kg", "Hand|Flat"},
			{"en", "pump 8 m or deeper", "filter 8 m or deeper => attribute=Max depth:8.. m", "Deep"},
			{"en", "pump 50 GBP or more expensive", "filter 50 GBP or more expensive => price=50.. GBP", "Hand"},
			{"en", "pump 50 GBP or less than 2 kg", "filter less than 2 kg => attribute=Weight:..2 kg", "Hand|Flat"},
			{"de", "pump 5 kg oder schwerer", "filter 5 kg oder schwerer => attribute=Weight:5.. kg", "Deep"},
			{"fr", "pump 2 kg ou plus légère", "filter 2 kg ou plus légère => attribute=Weight:..2 kg", "Hand|Flat"},
			{"it", "pump 2 kg o più leggera", "filter 2 kg o più leggera => attribute=Weight:..2 kg", "Hand|Flat"},
			{"es", "pump 2 kg o más ligera", "filter 2 kg o más ligera => attribute=Weight:..2 kg", "Hand|Flat"},
			{"nl", "pump 5 kg of zwaarder", "filter 5 kg of zwaarder => attribute=Weight:5.. kg", "Deep"},
			{"en", "pump cheaper then 50 GBP", "filter cheaper then 50 GBP => price=..50 GBP", "Deep"},
			{"en", "pump less expensive than 50 GBP", "filter less expensive than 50 GBP => price=..50 GBP", "Deep"},
			{"en", "pump with a maximum of 2 kg", "filter a maximum of 2 kg => attribute=Weight:..2 kg", "Hand|Flat"},
			{"en", "pump minimum of 5 kg", "filter minimum of 5 kg => attribute=Weight:5.. kg", "Deep"},
			{"en", "pump not exceeding 2 kg", "filter not exceeding 2 kg => attribute=Weight:..2 kg", "Hand|Flat"},
			{"en", "pump greater than 5 kg", "filter greater than 5 kg => attribute=Weight:5.. kg", "Deep"},
			{"en", "pump all but flat", "excluded all but flat => flat", "Hand|Deep"},
			{"en", "pump 1kg-2kg", "filter 1kg-2kg => attribute=Weight:1..2 kg", "Hand|Flat"},
			{"en", "pump 1 kg - 2 kg", "filter 1 kg - 2 kg => attribute=Weight:1..2 kg", "Hand|Flat"},
			{"en", "pump 1 kg – 2 kg", "filter 1 kg – 2 kg => attribute=Weight:1..2 kg", "Hand|Flat"},
			{"en", "pump weight 500g-2kg", "filter weight 500g-2kg => attribute=Weight:0.5..2 kg", "Hand|Flat"},
			{"en", "pump 5000 - 9000 l/h", "filter 5000 - 9000 l/h => attribute=Flow:5000..9000 l/h", "Flat"},
			{"en", "pump 2 kg - 50 GBP", "", "Flat|Hand|Deep"},
			{"en", "pump budget 50 GBP", "filter budget 50 GBP => price=..50 GBP", "Deep"},
			{"en", "pump with a budget of 50 GBP", "filter a budget of 50 GBP => price=..50 GBP", "Deep"},
			{"en", "pump with a budget under 50 GBP", "filter budget under 50 GBP => price=..50 GBP", "Deep"},
			{"en", "pump 7 m max 2 kg", "filter max 2 kg => attribute=Weight:..2 kg", "Flat"},
			{"en", "pump 7 kg max 50 GBP max", "filter 7 kg max => attribute=Weight:..7 kg; filter 50 GBP max => price=..50 GBP", "Deep"},
			{"en", "pump 50 GBP maximum, 7 kg maximum", "filter 50 GBP maximum => price=..50 GBP; filter 7 kg maximum => attribute=Weight:..7 kg", "Deep"},
			{"en", "pump 7 m max 2 kg max 90 EUR", "filter max 2 kg => attribute=Weight:..2 kg; filter max 90 EUR => price=..90 EUR", "Flat"},
			{"en", "pump 7 m max weight 2 kg", "filter max weight 2 kg => attribute=Weight:..2 kg", "Flat"},
			{"en", "pump 50 GBP or less 7 m", "filter 50 GBP or less => price=..50 GBP", "Deep"},
			{"en", "pump 5 kg or more 10 m", "filter 5 kg or more => attribute=Weight:5.. kg", "Deep"},
			{"de", "pump 2 kg höchstens", "filter 2 kg höchstens => attribute=Weight:..2 kg", "Hand|Flat"},
			{"de", "pump 2 kg hoechstens", "filter 2 kg hoechstens => attribute=Weight:..2 kg", "Hand|Flat"},
			{"de", "pump 5 kg minimal", "filter 5 kg minimal => attribute=Weight:5.. kg", "Deep"},
			{"de", "pump 7 m minimal 5 kg", "filter minimal 5 kg => attribute=Weight:5.. kg", "Deep"},
			{"fr", "pump 50 £ au maximum", "filter 50 £ au maximum => price=..50 GBP", "Deep"},
			{"fr", "pump moins chère que 50 £", "filter moins chère que 50 £ => price=..50 GBP", "Deep"},

			{"en", "pump over 10000 litres per hour", "filter over 10000 litres per hour => attribute=Flow:10000.. litres per hour", "Deep"},
			{"en", "pump at least 10 cubic metres per hour", "filter at least 10 cubic metres per hour => attribute=Flow:10.. cubic metres per hour", "Deep"},
			{"en", "pump 10 m³ per hour or more", "filter 10 m³ per hour or more => attribute=Flow:10.. m³ per hour", "Deep"},
			{"de", "pump über 10000 Liter pro Stunde", "filter über 10000 Liter pro Stunde => attribute=Flow:10000.. Liter pro Stunde", "Deep"},
			{"fr", "pump plus de 10000 litres par heure", "filter plus de 10000 litres par heure => attribute=Flow:10000.. litres par heure", "Deep"},

			{"en", "pump deeper than 8 m", "filter deeper than 8 m => attribute=Max depth:8.. m", "Deep"},
			{"en", "pump at least 8 m deep", "filter at least 8 m deep => attribute=Max depth:8.. m", "Deep"},
			{"en", "pump longer than 8 m", "", "Hand|Flat|Deep"},
		} {
			x := openMemory(t, extract(pumps(one.language)), nil)
			if r, names := asked(t, x, Query{Text: one.query}); asTold(patternsOf(r.Interpreted)) != one.told || strings.Join(names, "|") != one.finds {
				t.Errorf("%s %q finds %q, told as %q", one.language, one.query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestABoundOfNobodyKnowsWhatIsLeftOut(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Berlin DE", "brit Leeds GB"}, nil,
			offerOf{seller: "werk", name: "Glow", summary: "A lamp", price: "40 EUR", attributes: []catalog.Attribute{number("Height", "50", "cm"), number("Cable", "2", "m"), number("Red", "20", "MP")}},
			offerOf{seller: "brit", name: "Shine", summary: "A lamp", price: "60 GBP", attributes: []catalog.Attribute{number("Height", "30", "cm"), number("Cable", "1", "m"), number("Blue", "8", "MP")}},
			offerOf{seller: "brit", name: "Light", summary: "A lamp by phone", price: "9 EUR per month", delivery: "remote"},
			offerOf{seller: "brit", name: "Air Max 90", summary: "A lamp that looks like a shoe"},
		)), nil)
		for _, one := range []struct{ query, told, finds string }{
			{"lamp under 50", "leftOut under 50", "Air Max 90|Glow|Light|Shine"},
			{"lamp under $50", "leftOut under $50", "Air Max 90|Glow|Light|Shine"},
			{"lamp under 50 cm", "leftOut under 50 cm", "Air Max 90|Glow|Light|Shine"},
			{"lamp 40 cm or less", "leftOut 40 cm or less", "Air Max 90|Glow|Light|Shine"},
			{"lamp between 20 and 40 cm", "leftOut between 20 and 40 cm", "Air Max 90|Glow|Light|Shine"},
			{"lamp at least 20 MP", "leftOut at least 20 MP", "Air Max 90|Glow|Light|Shine"},
			{"lamp 40+ cm", "leftOut 40+ cm", "Air Max 90|Glow|Light|Shine"},
			{"lamp $50+", "leftOut $50+", "Air Max 90|Glow|Light|Shine"},
			{"lamp under 50 a month", "leftOut under 50; filter a month => priceUnit=month", "Light"},
			{"lamp max 90", "", "Air Max 90"},
			{"lamp max 50", "leftOut max 50", "Air Max 90|Glow|Light|Shine"},
			{"lamp over 50", "leftOut over", "Glow"}, // who is so old
			{"lamp under 50 EUR", "filter under 50 EUR => price=..50 EUR", "Glow|Light"},
		} {
			r, names := asked(t, x, Query{Text: one.query})
			slices.Sort(names)
			if asTold(r.Interpreted) != one.told || strings.Join(names, "|") != one.finds {
				t.Errorf("%q finds %q, told as %q", one.query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestAWordOfItsNameTellsOfAnAttribute(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Berlin DE"}, map[string]string{"sensors": "Sensors", "cameras": "Cameras"},
			offerOf{seller: "werk", name: "Argus", summary: "For doors", categories: []string{"sensors"}, attributes: []catalog.Attribute{number("Battery life", "5", "years"), number("Guarantee", "2", "years"), number("Sensors brought", "4", "")}},
			offerOf{seller: "werk", name: "Bat", summary: "For caves", categories: []string{"sensors"}, attributes: []catalog.Attribute{number("Battery life", "1", "years"), number("Guarantee", "4", "years"), number("Cable length", "3", "m"), number("Range", "90", "m"), number("Cable width", "4", "mm")}},
			offerOf{seller: "werk", name: "Cricket", summary: "With a camera", categories: []string{"sensors"}, attributes: []catalog.Attribute{number("Camera resolution", "20", "MP")}},
			offerOf{seller: "werk", name: "Lens", summary: "Sees", categories: []string{"cameras"}, attributes: []catalog.Attribute{number("Resolution", "40", "MP")}},
		)), nil)
		for _, one := range []struct{ query, told, finds string }{
			{"sensor battery at least 3 years", "filter battery at least 3 years => attribute=Battery life:3.. years", "Argus"},
			{"sensor with at least 3 years battery", "filter at least 3 years battery => attribute=Battery life:3.. years", "Argus"},
			{"sensor battery of 3+ years", "filter battery of 3+ years => attribute=Battery life:3.. years", "Argus"},
			{"sensor guarantee over 3 years", "filter guarantee over 3 years => attribute=Guarantee:3.. years", "Bat"},
			{"sensor at least 3 years", "", "Argus|Bat|Cricket"},
			{"sensor cable over 2 m", "", "Bat"},         // how long or wide?
			{"sensors under 5", "", "Argus|Bat|Cricket"}, // not so many
			{"camera at least 20 MP", "", "Cricket|Lens"},
		} {
			r, names := asked(t, x, Query{Text: one.query})
			slices.Sort(names)
			if asTold(patternsOf(r.Interpreted)) != one.told || strings.Join(names, "|") != one.finds {
				t.Errorf("%q finds %q, told as %q", one.query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestAPercentageIsAnAmountInAUnit(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Berlin DE"}, nil,
			offerOf{seller: "werk", name: "Weld", summary: "A torch", attributes: []catalog.Attribute{number("Duty cycle", "60", "%"), number("Cycles", "30", "")}},
			offerOf{seller: "werk", name: "Braze", summary: "A torch", attributes: []catalog.Attribute{number("Duty cycle", "30", "%"), number("Cycles", "90", "")}},
			offerOf{seller: "werk", name: "Tilt", summary: "A torch of 45° and 5%", attributes: []catalog.Attribute{number("Angle", "45", "°")}},
		)), nil)
		for _, one := range []struct{ query, told, finds string }{
			{"torch duty cycle over 40%", "filter duty cycle over 40% => attribute=Duty cycle:40.. %", "Weld"},
			{"torch with 40 % duty cycle or more", "filter 40 % duty cycle or more => attribute=Duty cycle:40.. %", "Weld"},
			{"torch under 40%", "filter under 40% => attribute=Duty cycle:..40 %", "Braze"},
			{"torch 20-40%", "filter 20-40% => attribute=Duty cycle:20..40 %", "Braze"},
			{"torch over 40°", "filter over 40° => attribute=Angle:40.. °", "Tilt"},
			{"torch cycles over 40", "filter cycles over 40 => attribute=Cycles:40..", "Braze"},
			{"torch 5%", "", "Tilt"},
		} {
			r, names := asked(t, x, Query{Text: one.query})
			if asTold(patternsOf(r.Interpreted)) != one.told || strings.Join(names, "|") != one.finds {
				t.Errorf("%q finds %q, told as %q", one.query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestWhoIsNotWantedIsLeftOutByName(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, one := range []struct{ language, query, finds string }{
			{"en", "pumps except the harbour company", "Deep"},
			{"en", "pumps without The werk company", "Hand|Flat"},
			{"de", "pumps außer The harbour company", "Deep"},
			{"fr", "pumps sauf The harbour company", "Deep"},
			{"en", "pumps not from the harbour company", "Deep"}, // nor is the town meant
			{"en", "pumps from the harbour company", "Hand|Flat"},
			{"en", "pumps without a werk", "Hand|Flat|Deep"}, // which is no name
			{"en", "pumps by the harbour.example", "Hand|Flat"},
			{"en", "solvent not by the harbour company", "Deep"}, // who has none
			{"en", "pumps except works or the Harbour", "Deep"},  // by its slug
			{"en", "pumps not by werk.example", "Hand|Flat"},     // by its domain
			{"en", "pump -werk", "Hand|Flat"},
			{"en", "pumps except the works", "Hand|Flat|Deep"}, // who is nobody
		} {
			x := openMemory(t, extract(pumps(one.language)), nil)
			if r, names := asked(t, x, Query{Text: one.query}); strings.Join(names, "|") != one.finds {
				t.Errorf("%s %q finds %q, told as %q", one.language, one.query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestTheNameOfACurrencyIsNoMisspeltWord(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		r, _ := asked(t, openMemory(t, extract(pumps("en")), nil), Query{Text: "pump about 50 pounds"})
		if strings.Contains(asTold(r.Interpreted), "corrected") {
			t.Errorf("told as %q", asTold(r.Interpreted))
		}
	})
}
