package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"souk/build/catalog"
	"souk/build/document"
)

// offerOf is a product of a seller in a test, in short.
type offerOf struct {
	seller, name, summary, price, delivery string
	categories                             []string
	keywords, regions                      []string
	attributes                             []catalog.Attribute
}

func number(name, value, unit string) catalog.Attribute {
	return catalog.Attribute{Name: name, Kind: catalog.NumberValue, Value: value, Unit: unit}
}

// bazaar makes a marketplace of sellers, "slug city country", and their offers: services are
// those with a way of delivery. Categories of services are "service/slug".
func bazaar(language string, sellers []string, categories map[string]string, offers ...offerOf) *catalog.Catalog {
	change := catalog.Change{
		Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: language},
		Now:         sampleNow(),
	}
	for slug, name := range categories {
		root := catalog.KindProduct
		if below, is := strings.CutPrefix(slug, "service/"); is {
			root, slug = catalog.KindService, below
		}
		change.Put = append(change.Put, &catalog.Category{Head: catalog.Head{Ref: catalog.CategoryRef(root, slug), Name: name}})
	}
	for _, s := range sellers {
		part := strings.Split(s, " ")
		change.Put = append(change.Put, &catalog.Seller{
			Head: catalog.Head{Ref: catalog.SellerRef(part[0]), Name: "The " + part[0] + " company"}, ID: part[0], OfficialDomain: part[0] + ".example",
			Headquarters: &catalog.Headquarters{City: part[1], Country: part[2]},
		})
	}
	for i, o := range offers {
		kind := catalog.KindProduct
		if o.delivery != "" {
			kind = catalog.KindService
		}
		item := &catalog.Offer{
			Head:       catalog.Head{Ref: catalog.Ref{Kind: kind, Company: o.seller, Slug: fmt.Sprint("o", i)}, Name: o.name, Summary: o.summary, Keywords: o.keywords},
			Attributes: o.attributes, Delivery: o.delivery, Regions: o.regions,
		}
		if amount, currency, told := strings.Cut(o.price, " "); told {
			currency, unit, _ := strings.Cut(currency, " per ")
			item.Price = &catalog.Price{Amount: amount, Currency: currency, Unit: unit}
		}
		for _, c := range o.categories {
			item.Categories = append(item.Categories, catalog.Mention{Ref: catalog.CategoryRef(kind, c)})
		}
		change.Put = append(change.Put, item)
	}
	c := catalog.New()
	c.Apply(change)
	return c
}

// shop is what most patterns are tried on; the last seller is the one to withhold.
func shop(language string) *catalog.Catalog {
	return bazaar(language, []string{"acme Berlin DE", "belle Paris FR", "weg Oslo NO"},
		map[string]string{"switches": "Network switches", "arms": "Robot arms"},
		offerOf{seller: "acme", name: "Switch Four", summary: "Moves packets fast", price: "40 EUR", categories: []string{"switches"}, attributes: []catalog.Attribute{number("Port", "4", ""), number("RAM", "16", "GB")}},
		offerOf{seller: "belle", name: "Switch Eight", summary: "Moves packets quietly", price: "80.50 EUR", categories: []string{"switches"}, attributes: []catalog.Attribute{number("Port", "8", ""), {Name: "Fan", Kind: catalog.BooleanValue, Value: "true"}}},
		offerOf{seller: "belle", name: "Switch Sixteen", summary: "Without a fan it is quiet", price: "1500 EUR", categories: []string{"switches"}, attributes: []catalog.Attribute{number("Port", "16", ""), {Name: "Fan", Kind: catalog.BooleanValue, Value: "false"}}},
		offerOf{seller: "acme", name: "Arm Five", summary: "A robot arm that lifts boxes", price: "900 EUR", categories: []string{"arms"}, attributes: []catalog.Attribute{number("Payload", "5", "kg")}},
		offerOf{seller: "belle", name: "Arm Fifty", summary: "A robot arm that lifts cars", price: "20000 EUR", categories: []string{"arms"}, attributes: []catalog.Attribute{number("Payload", "50000", "g")}, keywords: []string{"hydraulics"}},
		offerOf{seller: "acme", name: "Repair", summary: "Mends what is broken", delivery: "onsite", price: "70 EUR"},
		offerOf{seller: "belle", name: "Repair by phone", summary: "Mends what is broken", delivery: "remote", regions: []string{"Île-de-France", "North"}},
		offerOf{seller: "weg", name: "Switch Away", summary: "Moves packets away", price: "60 NOK", categories: []string{"switches"}, attributes: []catalog.Attribute{number("Lasers", "3", "")}},
		offerOf{seller: "weg", name: "NoCloud box", summary: "Nothing else"},
		offerOf{seller: "weg", name: "Sweeping", summary: "Nothing is left", delivery: "hybrid", regions: []string{"Fjord Land"}},
		offerOf{seller: "weg", name: "Oven", summary: "It bakes", attributes: []catalog.Attribute{number("Heat", "250", "°C")}},
	)
}

// asTold writes what was understood, one in a line.
func asTold(list []Interpretation) string {
	var lines []string
	for _, i := range list {
		line := i.As + " " + i.Text
		if i.Filter != "" {
			line += " => " + strings.TrimSpace(i.Filter+"="+i.Value+" "+i.Currency)
		}
		if i.Link != nil {
			line += " => " + i.Link.Name
		} else if len(i.To) > 0 {
			line += " => " + strings.Join(i.To, ",")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func patternsOf(list []Interpretation) (patterns []Interpretation) {
	for _, i := range list {
		if i.As != document.AsLeftOut && i.As != document.AsCorrected && i.As != document.AsCategory {
			patterns = append(patterns, i)
		}
	}
	return patterns
}

func asked(t *testing.T, x *Index, q Query) (*Result, []string) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = MaxLimit
	}
	r, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	names := []string{}
	for _, h := range firm(t, x, q, r.Listings) {
		names = append(names, h.Name)
	}
	return r, names
}

// understoodTexts are texts with a pattern, what is told of it, and what is found.
var understoodTexts = []struct {
	language, query, told string
	finds                 string // sorted
}{
	{"en", "switch under 50 EUR", "filter under 50 EUR => price=..50 EUR", "Switch Four"},
	{"en", "switch below €50", "filter below €50 => price=..50 EUR", "Switch Four"},
	{"en", "switch for less than 100 euros", "filter for less than 100 euros => price=..100 EUR", "Switch Eight|Switch Four"},
	{"en", "switches cheaper than 80.50€", "filter cheaper than 80.50€ => price=..80.50 EUR", "Switch Eight|Switch Four"},
	{"en", "switch max. 50 EUR", "filter max. 50 EUR => price=..50 EUR", "Switch Four"},
	{"en", "switch from 1,000 EUR", "filter from 1,000 EUR => price=1000.. EUR", "Switch Sixteen"},
	{"en", "switch over EUR 50", "filter over EUR 50 => price=50.. EUR", "Switch Eight|Switch Sixteen"},
	{"en", "switch between 50 and 100 EUR", "filter between 50 and 100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch from 50 to 100 EUR", "filter from 50 to 100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch 50-100 EUR", "filter 50-100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch EUR 50-100", "filter EUR 50-100 => price=50..100 EUR", "Switch Eight"},
	{"en", "switch 50 to 100 EUR", "filter 50 to 100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch 50..100 EUR", "filter 50..100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch under 1.5k EUR", "filter under 1.5k EUR => price=..1500 EUR", "Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "switch 1-2k EUR", "filter 1-2k EUR => price=1000..2000 EUR", "Switch Sixteen"},
	{"en", "switch not more expensive than 50 EUR", "filter not more expensive than 50 EUR => price=..50 EUR", "Switch Four"},
	{"en", "switch over 50 and under 100 EUR", "filter over 50 and under 100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch under 100 EUR but over 50 EUR", "filter under 100 EUR but over 50 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch 8 to 16 ports", "filter 8 to 16 ports => attribute=Port:8..16", "Switch Eight|Switch Sixteen"},
	{"en", "switch at least 5 and at most 10 ports", "filter at least 5 and at most 10 ports => attribute=Port:5..10", "Switch Eight"},
	{"en", "payload over 4 kg and under 6 kg", "filter payload over 4 kg and under 6 kg => attribute=Payload:4..6 kg", "Arm Five"},
	{"en", "payload not under 6 kg", "filter payload not under 6 kg => attribute=Payload:6.. kg", "Arm Fifty"},
	{"en", "switch from France, Norway", "filter from France, Norway => country=FR; filter from France, Norway => country=NO", "Switch Away|Switch Eight|Switch Sixteen"},
	{"en", "switch from France, Norway, or Germany", "filter from France, Norway, or Germany => country=FR; filter from France, Norway, or Germany => country=NO; filter from France, Norway, or Germany => country=DE", "Switch Away|Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "switch outside France", "excluded outside France => FR", "Switch Away|Switch Four"},
	{"en", "switch outside of France and Norway", "excluded outside of France and Norway => FR,NO", "Switch Four"},
	{"en", "switch neither from France nor Norway", "excluded neither from France nor Norway => FR,NO", "Switch Four"},
	{"en", "switch not from France, Norway", "excluded not from France, Norway => FR,NO", "Switch Four"},
	{"en", "switch neither from France nor the Norway", "excluded neither from France nor the Norway => FR,NO", "Switch Four"},
	{"en", "without a fan", "excluded without a fan => fan", "Arm Fifty|Arm Five|NoCloud box|Oven|Repair|Repair by phone|Sweeping|Switch Away|Switch Four|Switch Sixteen"},
	{"en", "switch from Germany,Norway", "filter from Germany,Norway => country=DE; filter from Germany,Norway => country=NO", "Switch Away|Switch Four"},
	{"en", "switch from Germany and/or Norway", "filter from Germany and/or Norway => country=DE; filter from Germany and/or Norway => country=NO", "Switch Away|Switch Four"},
	{"en", "switch outside the France", "excluded outside the France => FR", "Switch Away|Switch Four"},
	{"en", "switch except the France", "excluded except the France => FR", "Switch Away|Switch Four"},
	{"en", "switch from Norway or the Germany", "filter from Norway or the Germany => country=NO; filter from Norway or the Germany => country=DE", "Switch Away|Switch Four"},
	{"en", "switch neither four, eight nor sixteen", "excluded neither four => four; excluded eight => eight; excluded nor sixteen => sixteen", "Switch Away"},
	{"en", "switch without four, eight or sixteen", "excluded without four => four; excluded eight => eight; excluded or sixteen => sixteen", "Switch Away"},
	{"en", "switch, not four, not eight", "excluded not four => four; excluded not eight => eight", "Switch Away|Switch Sixteen"},
	{"en", "neither switches nor arms", "excluded neither switches => switches; excluded nor arms => arms", "NoCloud box|Oven|Repair|Repair by phone|Sweeping"},
	{"en", "switch 50 - 100 EUR", "filter 50 - 100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch €50-€100", "filter €50-€100 => price=50..100 EUR", "Switch Eight"},
	{"en", "switch EUR 1-2k", "filter EUR 1-2k => price=1000..2000 EUR", "Switch Sixteen"},
	{"en", "switch 50 to 2k EUR", "filter 50 to 2k EUR => price=50..2000 EUR", "Switch Eight|Switch Sixteen"},
	{"en", "payload 4 kg to 6 kg", "filter payload 4 kg to 6 kg => attribute=Payload:4..6 kg", "Arm Five"},
	{"en", "payload 4000 g to 6 kg", "filter payload 4000 g to 6 kg => attribute=Payload:4..6 kg", "Arm Five"},
	{"en", "payload between 4000 g and 6 kg", "filter payload between 4000 g and 6 kg => attribute=Payload:4..6 kg", "Arm Five"},
	{"en", "payload under 6 kg and over 4000 g", "filter payload under 6 kg and over 4000 g => attribute=Payload:4000..6000 g", "Arm Five"},
	{"en", "alternative to Switch Four but not Eight", "similar alternative to Switch Four => Switch Four; excluded but not Eight => eight", "Switch Away|Switch Sixteen"},
	{"en", "alternative to arm five", "similar alternative to arm five => Arm Five", "Arm Fifty"},
	{"en", "network switches neither four nor eight", "excluded neither four => four; excluded nor eight => eight", "Switch Away|Switch Sixteen"},
	{"de", "Switch 50 bis 100 Euro", "filter 50 bis 100 Euro => price=50..100 EUR", "Switch Eight"},
	{"de", "Switch außerhalb von Frankreich", "excluded außerhalb von Frankreich => FR", "Switch Away|Switch Four"},
	{"en", "switch <50 EUR", "filter <50 EUR => price=..50 EUR", "Switch Four"},
	{"en", "switch >= 8 ports", "filter >= 8 ports => attribute=Port:8..", "Switch Eight|Switch Sixteen"},
	{"en", "switch for 50 EUR or less", "filter for 50 EUR or less => price=..50 EUR", "Switch Four"},
	{"en", "switch 1000 EUR or more", "filter 1000 EUR or more => price=1000.. EUR", "Switch Sixteen"},
	{"de", "switch 50 Euro oder weniger", "filter 50 Euro oder weniger => price=..50 EUR", "Switch Four"},
	{"de", "switch unter 50 Euro", "filter unter 50 Euro => price=..50 EUR", "Switch Four"},
	{"de", "switch höchstens 50 €", "filter höchstens 50 € => price=..50 EUR", "Switch Four"},
	{"de", "switch bis zu 50 €", "filter bis zu 50 € => price=..50 EUR", "Switch Four"},
	{"de", "switch hoechstens 50 €", "filter hoechstens 50 € => price=..50 EUR", "Switch Four"},
	{"de", "switch über 1.000,50 €", "filter über 1.000,50 € => price=1000.50.. EUR", "Switch Sixteen"},
	{"de", "switch ab 1.000 Euro", "filter ab 1.000 Euro => price=1000.. EUR", "Switch Sixteen"},
	{"de", "switch zwischen 50 und 100 Euro", "filter zwischen 50 und 100 Euro => price=50..100 EUR", "Switch Eight"},
	{"de", "switch von 50 bis 100 Euro", "filter von 50 bis 100 Euro => price=50..100 EUR", "Switch Eight"},
	{"de", "switch under 50 EUR", "filter under 50 EUR => price=..50 EUR", "Switch Four"},

	{"en", "switch over 50 EUR under 100 EUR", "filter over 50 EUR under 100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch more than 50 EUR and less than 100 EUR", "filter more than 50 EUR and less than 100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch under €100, but over €50", "filter under €100, but over €50 => price=50..100 EUR", "Switch Eight"},
	{"en", "over 50 EUR switch for under 100 EUR", "filter over 50 EUR => price=50..100 EUR; filter for under 100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch between 30 and 100 EUR, at least 50 EUR", "filter between 30 and 100 EUR, at least 50 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch under 100 EUR under 50 EUR", "filter under 100 EUR under 50 EUR => price=..50 EUR", "Switch Four"},
	{"en", "switch at least 40 EUR and at most 40 EUR", "filter at least 40 EUR and at most 40 EUR => price=40..40 EUR", "Switch Four"},
	{"de", "switch über 50 Euro und unter 100 Euro", "filter über 50 Euro und unter 100 Euro => price=50..100 EUR", "Switch Eight"},

	{"en", "switch with at least 8 ports", "filter at least 8 ports => attribute=Port:8..", "Switch Eight|Switch Sixteen"},
	{"en", "switch with at most 4 ports", "filter at most 4 ports => attribute=Port:..4", "Switch Four"},
	{"en", "switch between 4 and 8 ports", "filter between 4 and 8 ports => attribute=Port:4..8", "Switch Eight|Switch Four"},
	{"en", "switch with more than 16000 MB of RAM", "filter more than 16000 MB of RAM => attribute=RAM:16000.. MB", "Switch Four"},
	{"en", "arm payload over 10kg", "filter payload over 10kg => attribute=Payload:10.. kg", "Arm Fifty"},
	{"en", "arm with a payload of at least 10 kg", "filter payload of at least 10 kg => attribute=Payload:10.. kg", "Arm Fifty"},
	{"en", "arm with at most 10 kg payload", "filter at most 10 kg payload => attribute=Payload:..10 kg", "Arm Five"},
	{"de", "Switch mit mindestens 8 Ports", "filter mindestens 8 Ports => attribute=Port:8..", "Switch Eight|Switch Sixteen"},
	{"en", "switch under 100 EUR with at least 8 ports", "filter under 100 EUR => price=..100 EUR; filter at least 8 ports => attribute=Port:8..", "Switch Eight"},

	{"en", "arm payload over -10 kg", "filter payload over -10 kg => attribute=Payload:-10.. kg", "Arm Fifty|Arm Five"},
	{"en", "arm payload between −10 and 10 kg", "filter payload between −10 and 10 kg => attribute=Payload:-10..10 kg", "Arm Five"},
	{"en", "arm under 10 kg", "filter under 10 kg => attribute=Payload:..10 kg", "Arm Five"},
	{"en", "arm lighter than 10000 g", "filter lighter than 10000 g => attribute=Payload:..10000 g", "Arm Five"},
	{"en", "arm 6 to 60 kg", "filter 6 to 60 kg => attribute=Payload:6..60 kg", "Arm Fifty"},
	{"de", "arm schwerer als 10 kg", "filter schwerer als 10 kg => attribute=Payload:10.. kg", "Arm Fifty"},
	{"en", "arm under 10 m", "", "Arm Fifty|Arm Five"},
	{"en", "switch under 1 000 EUR", "filter under 1 000 EUR => price=..1000 EUR", "Switch Eight|Switch Four"},
	{"en", "switch under 1\u202f000 EUR", "filter under 1\u202f000 EUR => price=..1000 EUR", "Switch Eight|Switch Four"},
	{"en", "switch over 0 EUR and under 1 000 000 EUR", "filter over 0 EUR and under 1 000 000 EUR => price=0..1000000 EUR", "Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "switch 4 100 EUR or less", "filter 4 100 EUR or less => price=..4100 EUR", "Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "switch 2024 100 EUR or less", "filter 100 EUR or less => price=..100 EUR", "Switch Eight|Switch Four"},
	{"en", "switch EUR50-100", "filter EUR50-100 => price=50..100 EUR", "Switch Eight"},
	{"en", "switch over -1,000 EUR", "filter over -1,000 EUR => price=-1000.. EUR", "Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "switch between 50€-100€", "filter between 50€-100€ => price=50..100 EUR", "Switch Eight"},
	{"en", "switch - 50-100 EUR", "filter 50-100 EUR => price=50..100 EUR", "Switch Eight"},

	{"en", "germany", "filter germany => country=DE", "Arm Five|Repair|Switch Four"},
	{"en", "Germany please", "filter Germany => country=DE", "Arm Five|Repair|Switch Four"},
	{"de", "Deutschland", "filter Deutschland => country=DE", "Arm Five|Repair|Switch Four"},
	{"en", "switch Germany", "preferred Germany => DE", "Switch Away|Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "switch us", "", "Switch Away|Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "switch Oslo", "preferred Oslo => Oslo", "Switch Away|Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "Oslo switch", "", "Switch Away|Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "non-fan switch", "excluded non-fan => fan", "Switch Away|Switch Four|Switch Sixteen"},
	{"en", "non-robot-arm moves", "excluded non-robot-arm => robot,arm", "Switch Away|Switch Eight|Switch Four"},
	{"en", "not hydraulics arm", "excluded not hydraulics => hydraulics", "Arm Five"},
	{"en", "not only switches", "", "Switch Away|Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "switch in Germany", "filter in Germany => country=DE", "Switch Four"},
	{"en", "switch from the France", "filter from the France => country=FR", "Switch Eight|Switch Sixteen"},
	{"en", "switch made in Germany or France", "filter made in Germany or France => country=DE; filter made in Germany or France => country=FR", "Switch Eight|Switch Four|Switch Sixteen"},
	{"de", "Switch aus Deutschland", "filter aus Deutschland => country=DE", "Switch Four"},
	{"de", "Switch aus Frankreich", "filter aus Frankreich => country=FR", "Switch Eight|Switch Sixteen"},
	{"en", "repair in Paris", "preferred in Paris => Paris", "Repair|Repair by phone"},
	{"en", "repair in ile-de-france", "preferred in ile-de-france => Île-de-France", "Repair|Repair by phone"},
	{"en", "repair in the North", "preferred in the North => North", "Repair|Repair by phone"},
	{"en", "repair in Ile", "", "Repair|Repair by phone"},
	{"en", "repair on-site", "preferred on-site => onsite", "Repair|Repair by phone"},
	{"de", "repair vor Ort", "preferred vor Ort => onsite", "Repair|Repair by phone"},

	{"en", "Switch Four alternatives", "similar Switch Four alternatives => Switch Four", "Switch Away|Switch Eight|Switch Sixteen"},
	{"de", "Arm Five Alternative", "similar Arm Five Alternative => Arm Five", "Arm Fifty"},
	{"en", "Arm Five alternatives to Switch Four", "similar alternatives to Switch Four => Switch Four", "Switch Away|Switch Eight|Switch Sixteen"},
	{"en", "alternative to Switch Four", "similar alternative to Switch Four => Switch Four", "Switch Away|Switch Eight|Switch Sixteen"},
	{"en", "something like arm five", "similar something like arm five => Arm Five", "Arm Fifty"},
	{"de", "Alternative zu Arm Five", "similar Alternative zu Arm Five => Arm Five", "Arm Fifty"},
	{"en", "switch without a fan", "excluded without a fan => fan", "Switch Away|Switch Four|Switch Sixteen"},
	{"en", "robot arm without hydraulics", "excluded without hydraulics => hydraulics", "Arm Five"},
	{"de", "Switch ohne Fan", "excluded ohne Fan => fan", "Switch Away|Switch Four|Switch Sixteen"},
	{"en", "switch, not a fan", "excluded not a fan => fan", "Switch Away|Switch Four|Switch Sixteen"},
	{"en", "switch, no fan", "excluded no fan => fan", "Switch Away|Switch Four|Switch Sixteen"},
	{"en", "switch with a fan", "preferred with a fan => Fan", "Switch Eight|Switch Sixteen"},
	{"en", "a switch which is not the Switch Eight", "excluded not the Switch Eight => switch,eight", "Switch Away|Switch Four|Switch Sixteen"},
	{"en", "switch not from acme", "excluded not from acme => acme", "Switch Away|Switch Eight|Switch Sixteen"},
	{"en", "switch not made by the Acme company", "excluded not made by the Acme company => acme,company", "Switch Away|Switch Eight|Switch Sixteen"},
	{"en", "arm lifts boxes not from acme", "excluded not from acme => acme", "Arm Fifty|NoCloud box"}, // whose arm alone lifts them
	{"en", "switch other than belle", "excluded other than belle => belle", "Switch Away|Switch Four"},
	{"de", "Switch nicht von Acme", "excluded nicht von Acme => acme", "Switch Away|Switch Eight|Switch Sixteen"},
	{"en", "switch not from concentrate", "", "Switch Away|Switch Eight|Switch Four|Switch Sixteen"},
	{"en", "-switch", "excluded switch => switch", "Arm Fifty|Arm Five|NoCloud box|Oven|Repair|Repair by phone|Sweeping"},
	{"en", "-oven -switch", "excluded oven => oven; excluded switch => switch", "Arm Fifty|Arm Five|NoCloud box|Repair|Repair by phone|Sweeping"},
	{"en", "not switch", "excluded not switch => switch", "Arm Fifty|Arm Five|NoCloud box|Oven|Repair|Repair by phone|Sweeping"},
	{"de", "nicht Switch", "excluded nicht Switch => switch", "Arm Fifty|Arm Five|NoCloud box|Oven|Repair|Repair by phone|Sweeping"},
	{"en", "oven -robot-arm", "excluded robot-arm => robot,arm", "Oven"},
	{"en", "-Germany", "excluded Germany => DE", "Arm Fifty|NoCloud box|Oven|Repair by phone|Sweeping|Switch Away|Switch Eight|Switch Sixteen"},
	{"en", "arm not Germany", "excluded not Germany => DE", "Arm Fifty"},
	{"en", "not Germany", "excluded not Germany => DE", "Arm Fifty|NoCloud box|Oven|Repair by phone|Sweeping|Switch Away|Switch Eight|Switch Sixteen"},
	{"en", "switch not fan", "excluded not fan => fan", "Switch Away|Switch Four|Switch Sixteen"},
	{"de", "Switch nicht Fan", "excluded nicht Fan => fan", "Switch Away|Switch Four|Switch Sixteen"},

	{"en", "arm not in Germany", "excluded not in Germany => DE", "Arm Fifty"},
	{"en", "arm, but not in Germany", "excluded but not in Germany => DE", "Arm Fifty"},
	{"en", "switch that isn't from the France", "excluded isn't from the France => FR", "Switch Away|Switch Four"},
	{"en", "switch that isn’t from France", "excluded isn’t from France => FR", "Switch Away|Switch Four"},
	{"en", "switch not made in Germany or France under 70 NOK", "excluded not made in Germany or France => DE,FR; filter under 70 NOK => price=..70 NOK", "Switch Away"},
	{"en", "not in Germany", "excluded not in Germany => DE", "Arm Fifty|NoCloud box|Oven|Repair by phone|Sweeping|Switch Away|Switch Eight|Switch Sixteen"},
	{"de", "Arm nicht aus Deutschland", "excluded nicht aus Deutschland => DE", "Arm Fifty"},
	{"de", "Arm, aber nicht in Deutschland", "excluded aber nicht in Deutschland => DE", "Arm Fifty"},
	{"en", "switch not under 50 EUR", "filter not under 50 EUR => price=50.. EUR", "Switch Eight|Switch Sixteen"},
	{"en", "switch not for under 50 EUR and not over 100 EUR", "filter not for under 50 EUR and not over 100 EUR => price=50..100 EUR", "Switch Eight"},
	{"en", "switch that doesn't cost more than 50 EUR", "filter doesn't cost more than 50 EUR => price=..50 EUR", "Switch Four"},
	{"en", "switch but not more than 50 EUR", "filter but not more than 50 EUR => price=..50 EUR", "Switch Four"},
	{"en", "switch except under 50 EUR", "filter except under 50 EUR => price=50.. EUR", "Switch Eight|Switch Sixteen"},
	{"de", "Switch nicht billiger als 50 Euro", "filter nicht billiger als 50 Euro => price=50.. EUR", "Switch Eight|Switch Sixteen"},
	{"en", "arm with no payload over 10 kg", "filter no payload over 10 kg => attribute=Payload:..10 kg", "Arm Five"},
	{"en", "arm without a payload over 10 kg", "filter without a payload over 10 kg => attribute=Payload:..10 kg", "Arm Five"},
	{"en", "switch not with at least 8 ports", "filter not with at least 8 ports => attribute=Port:..8", "Switch Eight|Switch Four"},
	{"en", "switch never at least 8 ports", "filter never at least 8 ports => attribute=Port:..8", "Switch Eight|Switch Four"},
	{"en", "under 50 EUR?", "filter under 50 EUR => price=..50 EUR", "Switch Four"},
	{"en", "“under 50 EUR”, please.", "filter under 50 EUR => price=..50 EUR", "Switch Four"},
	{"en", "is there anything in Germany?", "filter in Germany => country=DE", "Arm Five|Repair|Switch Four"},
	{"en", "RAM over 8 GB and at most 6 ports", "filter RAM over 8 GB => attribute=RAM:8.. GB; filter at most 6 ports => attribute=Port:..6", "Switch Four"},
	{"en", "switch without fan or lasers", "excluded without fan => fan; excluded or lasers => lasers", "Switch Four|Switch Sixteen"},
	{"de", "Switch ohne Fan oder Lasers", "excluded ohne Fan => fan; excluded oder Lasers => lasers", "Switch Four|Switch Sixteen"},
	{"en", "mends not on site", "excluded not on site => onsite", "Repair by phone"},
	{"en", "mends not remote", "excluded not remote => remote", "Repair"},
	{"de", "mends nicht vor Ort", "excluded nicht vor Ort => onsite", "Repair by phone"},
	{"en", "switch except Germany", "excluded except Germany => DE", "Switch Away|Switch Eight|Switch Sixteen"},
	{"en", "switch neither in Germany nor in France", "excluded neither in Germany => DE; excluded nor in France => FR", "Switch Away"},
	{"de", "Switch weder aus Deutschland noch aus Frankreich", "excluded weder aus Deutschland => DE; excluded noch aus Frankreich => FR", "Switch Away"},
	{"de", "Switch noch unter 50 Euro", "filter unter 50 Euro => price=..50 EUR", "Switch Four"},
	{"en", "oven heat over 100 °C", "filter heat over 100 °C => attribute=Heat:100.. °C", "Oven"},
	{"en", "oven heat over 100°C", "filter heat over 100°C => attribute=Heat:100.. °C", "Oven"},
	{"de", "Arm ohne Payload über 10 kg", "filter ohne Payload über 10 kg => attribute=Payload:..10 kg", "Arm Five"},
	{"de", "Arm mit keinem Payload über 10 kg", "filter keinem Payload über 10 kg => attribute=Payload:..10 kg", "Arm Five"},
}

func TestPatternsAreUnderstood(t *testing.T) { eachEngine(t, testPatternsAreUnderstood) }

func testPatternsAreUnderstood(t *testing.T) {
	for _, one := range understoodTexts {
		x := openMemory(t, extract(shop(one.language)), nil)
		r, names := asked(t, x, Query{Text: one.query})
		if got := asTold(patternsOf(r.Interpreted)); got != one.told {
			t.Errorf("%s %q is told as %q, want %q", one.language, one.query, got, one.told)
		}
		slices.Sort(names)
		if got := strings.Join(names, "|"); one.finds != "" && !strings.HasPrefix(one.told, "similar") && got != one.finds {
			t.Errorf("%s %q finds %q, want %q", one.language, one.query, got, one.finds)
		}
		for _, name := range strings.Split(one.finds, "|") {
			if !slices.Contains(names, name) {
				t.Errorf("%s %q does not find %q", one.language, one.query, name)
			}
		}
	}
}

func TestWhatIsNotSafeIsOnlyWords(t *testing.T) { eachEngine(t, testWhatIsNotSafeIsOnlyWords) }

func testWhatIsNotSafeIsOnlyWords(t *testing.T) {
	for _, one := range []struct{ language, query string }{
		{"en", "NOR flash switch"},                    // a kind of memory
		{"en", "switch 50 EUR"},                       // no bound
		{"en", "switch under fifty EUR"},              // no number
		{"en", "switch between 100 and 50 EUR"},       // no range
		{"en", "switch over 100 EUR under 50 EUR"},    // no range
		{"en", "switch under 50 EUR or over 100 EUR"}, // two ranges
		{"en", "switch under -€50"},                   //
		{"en", "at least 4 lines"},                    // no attribute
		{"en", "payload over 5"},                      // of what?
		{"en", "5 kg payload"},                        // no bound
		{"en", "switch at least 2 lazers"},            // misspelt
		{"en", "arm in boxes"},                        // no place
		{"en", "switch in Atlantis"},                  // no country
		{"en", "switch in Spain"},                     // of no seller
		{"de", "arm five wie switch four"},            // a comparison
		{"en", "would you like switch four"},          // a wish
		{"en", "alternative to switches"},             // no listing
		{"en", "switch alternatives"},                 // no listing
		{"en", "alternative to"},                      //
		{"en", "without"},                             //
		{"en", "no fan"},                              //
		{"en", "switch without this and that or anything of the other many things"}, // too long to be one
		{"en", "Switch Four"},                           // a name
		{"en", "the acme company"},                      // a seller
		{"en", "network switches"},                      // a category
		{"en", "switch aus Deutschland"},                // another language
		{"en", "switch self-hosted"},                    //
		{"en", "robot arm that must not be hydraulics"}, // no comma
		{"en", "switch, no cloud"},                      // or NoCloud
		{"en", "packets we do not trust"},               // a sentence
		{"en", "switch remote"},                         //
		{"en", ""},
		{"en", "..."},
	} {
		x := openMemory(t, extract(shop(one.language)), nil)
		r, names := asked(t, x, Query{Text: one.query})
		if got := asTold(patternsOf(r.Interpreted)); got != "" {
			t.Errorf("%s %q is understood as %q", one.language, one.query, got)
		}
		if _, literal := asked(t, x, Query{Text: one.query, Literal: true}); !slices.Equal(names, literal) {
			t.Errorf("%s %q finds %q, its words %q", one.language, one.query, names, literal)
		}
	}
}

func TestBoundsThatLeaveNothingAreLeftOut(t *testing.T) {
	eachEngine(t, testBoundsThatLeaveNothingAreLeftOut)
}

func testBoundsThatLeaveNothingAreLeftOut(t *testing.T) {
	for _, one := range []struct{ query, told, rest string }{
		{"switch under 1 EUR", "leftOut under 1 EUR => price=..1 EUR", "switch"},
		{"switch 2000-3000 EUR", "leftOut 2000-3000 EUR => price=2000..3000 EUR", "switch"},
		{"switch under -5 EUR", "leftOut under -5 EUR => price=..-5 EUR", "switch"}, // nothing costs less than nothing
		{"switch under -50€", "leftOut under -50€ => price=..-50 EUR", "switch"},
		{"switch <-50 EUR", "leftOut <-50 EUR => price=..-50 EUR", "switch"},
		{"switch under €-50", "leftOut under €-50 => price=..-50 EUR", "switch"},
		{"switch between -50 and -10 EUR", "leftOut between -50 and -10 EUR => price=-50..-10 EUR", "switch"},
		{"switch at least 4 kg", "leftOut at least 4 kg => attribute=Payload:4.. kg", "switch"},
		{"arm payload <-10 kg", "leftOut payload <-10 kg => attribute=Payload:..-10 kg", "arm"},
		{"switch with more than 5000 stars", "leftOut with; leftOut more than 5000 stars", "switch"}, // of which nothing is told
		{"switch not over 5k stars in Germany", "leftOut not over 5k stars; filter in Germany => country=DE", "switch in Germany"},
		{"switch under 50", "leftOut under 50", "switch"},         // of what?
		{"switch under 50 USD", "leftOut under 50 USD", "switch"}, // nothing has a price in it
		{"switch under $50", "leftOut under $50", "switch"},
		{"switch $50 or less", "leftOut $50 or less", "switch"},
		{"switch not over $50", "leftOut not over $50", "switch"},
		{"switch between $20 and $50", "leftOut between $20 and $50", "switch"},
		{"switch between 20 and 50 cm", "leftOut between 20 and 50 cm", "switch"},
		{"payload over 5 m", "leftOut over 5 m", "payload"}, // no length
		{"switch under 1 EUR in Germany", "leftOut under 1 EUR => price=..1 EUR; filter in Germany => country=DE", "switch in Germany"},
		{"switch under 1 EUR with at least 8 ports", "leftOut under 1 EUR => price=..1 EUR; leftOut with; filter at least 8 ports => attribute=Port:8..", "switch with at least 8 ports"},
	} {
		x := openMemory(t, extract(shop("en")), nil)
		r, names := asked(t, x, Query{Text: one.query})
		if got := asTold(r.Interpreted); got != one.told {
			t.Errorf("%q is told as %q, want %q", one.query, got, one.told)
		}
		if _, rest := asked(t, x, Query{Text: one.rest}); !slices.Equal(names, rest) {
			t.Errorf("%q finds %q, %q finds %q", one.query, names, one.rest, rest)
		}
	}
}

func TestBoundsThatLeaveNothingAndNothingBesideAreOnlyWords(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	r, names := asked(t, x, Query{Text: "under 1 EUR"})
	if _, literal := asked(t, x, Query{Text: "under 1 EUR", Literal: true}); !slices.Equal(names, literal) || asTold(patternsOf(r.Interpreted)) != "" {
		t.Errorf("finds %q, its words %q", names, literal)
	}
}

func TestWhatIsDeniedAndHasNoOppositeIsLeftOut(t *testing.T) {
	eachEngine(t, testWhatIsDeniedAndHasNoOppositeIsLeftOut)
}

func testWhatIsDeniedAndHasNoOppositeIsLeftOut(t *testing.T) {
	for _, one := range []struct{ language, query, out, rest string }{
		{"en", "mends not in Paris", "not in Paris", "mends"},
		{"en", "switch not between 50 and 100 EUR", "not between 50 and 100 EUR", "switch"},
		{"en", "switch without between 2 and 8 ports", "without between 2 and 8 ports", "switch"},
		{"en", "switch not similar to Switch Four", "not similar to Switch Four", "switch"},
		{"de", "mends nicht in Paris", "nicht in Paris", "mends"},
	} {
		x := openMemory(t, extract(shop(one.language)), nil)
		r, names := asked(t, x, Query{Text: one.query})
		if got := asTold(r.Interpreted); got != "leftOut "+one.out {
			t.Errorf("%s %q is told as %q", one.language, one.query, got)
		}
		if _, want := asked(t, x, Query{Text: one.rest}); !slices.Equal(names, want) {
			t.Errorf("%s %q finds %q, want %q", one.language, one.query, names, want)
		}
	}
}

func TestAListingIsNotAnAlternativeToItself(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	_, names := asked(t, x, Query{Text: "alternative to Switch Four"})
	if len(names) < 3 || slices.Contains(names, "Switch Four") || !strings.HasPrefix(names[0], "Switch") {
		t.Errorf("finds %q", names)
	}
	_, names = asked(t, x, Query{Text: "like Switch Four but quiet"})
	if len(names) == 0 || names[0] != "Switch Sixteen" && names[0] != "Switch Eight" {
		t.Errorf("the rest of the text does not count: %q", names)
	}
}

func TestPreferencesOrderAndExcludeNothing(t *testing.T) {
	eachEngine(t, testPreferencesOrderAndExcludeNothing)
}

func testPreferencesOrderAndExcludeNothing(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	for query, first := range map[string]string{
		"mends what in Paris": "Repair by phone", "mends in Berlin": "Repair", "mends on site": "Repair", "mends in the north": "Repair by phone", "switch with a fan": "Switch Eight", "mends": "Repair",
	} {
		if _, names := asked(t, x, Query{Text: query}); len(names) != 2 || names[0] != first {
			t.Errorf("%q finds %q", query, names)
		}
	}
}

func TestWhatIsExcludedMayBeWrittenAsOneWordOrAsTwo(t *testing.T) {
	eachEngine(t, testWhatIsExcludedMayBeWrittenAsOneWordOrAsTwo)
}

func testWhatIsExcludedMayBeWrittenAsOneWordOrAsTwo(t *testing.T) {
	truth := func(name, value string) []catalog.Attribute {
		return []catalog.Attribute{{Name: name, Kind: catalog.BooleanValue, Value: value}}
	}
	for _, attribute := range []string{"Wi-Fi", "WiFi"} {
		x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, nil, offerOf{seller: "acme", name: "Box One", attributes: truth(attribute, "true")},
			offerOf{seller: "acme", name: "Box Two", attributes: truth(attribute, "false")}, offerOf{seller: "acme", name: "Box Three"})), nil)
		for _, query := range []string{"box without wifi", "box without wi-fi", "box, no Wi-Fi", "boxes that are not wifi"} {
			_, names := asked(t, x, Query{Text: query})
			if slices.Sort(names); !slices.Equal(names, []string{"Box Three", "Box Two"}) {
				t.Errorf("where it is called %s, %q finds %q", attribute, query, names)
			}
		}
	}
}

func TestWhatIsSentWinsOverWhatIsUnderstood(t *testing.T) {
	eachEngine(t, testWhatIsSentWinsOverWhatIsUnderstood)
}

func testWhatIsSentWinsOverWhatIsUnderstood(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	filter := func(pairs ...string) map[string][]string {
		f := map[string][]string{}
		for i := 0; i < len(pairs); i += 2 {
			f[pairs[i]] = append(f[pairs[i]], pairs[i+1])
		}
		return f
	}
	for _, one := range []struct {
		q     Query
		finds string
		// told: the filter of the text is still told, since it holds.
		told bool
	}{
		{Query{Text: "switch under 50 EUR", Filters: filter("price", "50..100"), Currency: "EUR"}, "Switch Eight", false},
		{Query{Text: "switch in Germany", Filters: filter("country", "FR")}, "Switch Eight|Switch Sixteen", false},
		{Query{Text: "switch in France", Filters: filter("attribute", "Port:16..")}, "Switch Sixteen", true},
		{Query{Text: "switch at least 8 ports", Filters: filter("attribute", "port:4")}, "Switch Four", false},
		{Query{Text: "switch at least 8 ports", Filters: filter("attribute", "Fan:true")}, "Switch Eight", true},
		{Query{Text: "switch under 50 EUR", Sort: document.SortPrice, Currency: "NOK"}, "Switch Away|Switch Eight|Switch Four|Switch Sixteen", false},
		{Query{Text: "switch under 100 EUR", Sort: document.SortPrice, Currency: "EUR"}, "Switch Eight|Switch Four", true},
	} {
		answer, names := asked(t, x, one.q)
		if told := slices.ContainsFunc(answer.Interpreted, func(i Interpretation) bool { return i.As == document.AsFilter }); told != one.told {
			t.Errorf("%+v tells a filter: %v", one.q, told)
		}
		slices.Sort(names)
		if got := strings.Join(names, "|"); got != one.finds {
			t.Errorf("%+v finds %q, want %q", one.q, got, one.finds)
		}
	}
}

func TestAnUnderstoodFilterCountsAsSelected(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	r, _ := asked(t, x, Query{Text: "switch in Germany"})
	for _, f := range r.Filters {
		if f.Name != document.FilterCountry {
			continue
		}
		for _, v := range f.Values {
			if v.Selected != (v.Value == "DE") || v.Count == 0 {
				t.Errorf("%+v", v)
			}
		}
		if len(f.Values) < 2 {
			t.Errorf("its own selection is not ignored: %+v", f.Values)
		}
	}
	// What is told can be sent back.
	sent, _ := asked(t, x, Query{Text: "switch", Literal: true, Filters: map[string][]string{r.Interpreted[0].Filter: {r.Interpreted[0].Value}}})
	if sent.Total != r.Total {
		t.Errorf("%d are found, %d with what was told", r.Total, sent.Total)
	}
}

func TestWhatIsSaidNotToBeTrueOfThingsIsExcluded(t *testing.T) {
	yes := func(name, value string) []catalog.Attribute {
		return []catalog.Attribute{{Name: name, Kind: catalog.BooleanValue, Value: value}}
	}
	for language, queries := range map[string]map[string]string{"en": {
		"printers that are not enclosed":          "excluded not enclosed => enclosed",
		"printers that aren't enclosed":           "excluded aren't enclosed => enclosed",
		"a printer that isn’t enclosed":           "excluded isn’t enclosed => enclosed",
		"not enclosed printers":                   "excluded not enclosed => enclosed",
		"printers, not food safe":                 "excluded not food safe => food,safe",
		"printers that are not enclosed chambers": "excluded not enclosed => enclosed",
		"printers that are not sold":              "",
	}, "de": {
		"Drucker, die nicht geschlossen sind": "excluded nicht geschlossen => geschlossen",
		"nicht geschlossene Drucker":          "excluded nicht geschlossene => geschlossene",
		"Drucker aber nicht geschlossen":      "excluded aber nicht geschlossen => geschlossen",
		"Drucker ohne Geschlossen":            "excluded ohne Geschlossen => geschlossen",
	}} {
		name := map[string]string{"en": "Enclosed", "de": "geschlossen"}[language]
		x := openMemory(t, extract(bazaar(language, []string{"acme Berlin DE"}, map[string]string{"printers": "Printers"},
			offerOf{seller: "acme", name: "Printer One", summary: "Drucker printer", attributes: yes(name, "true")},
			offerOf{seller: "acme", name: "Printer Two", summary: "Drucker printer", attributes: yes(name, "false")},
			offerOf{seller: "acme", name: "Printer Three", summary: "Drucker printer", attributes: yes("Food safe", "true")},
		)), nil)
		for query, want := range queries {
			r, names := asked(t, x, Query{Text: query})
			if told := asTold(patternsOf(r.Interpreted)); told != want {
				t.Errorf("%q is understood as %q, want %q", query, told, want)
			}
			without := "Printer One"
			if strings.Contains(query, "food") {
				without = "Printer Three"
			}
			if want != "" && (len(names) != 2 || slices.Contains(names, without)) {
				t.Errorf("%q finds %q", query, names)
			}
		}
	}
}

func TestInterpretOffIsOnlyWords(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	// The last two have a category and words that nobody has.
	for _, query := range []string{"switch under 50 EUR", "switch in Germany", "switch without a fan", "alternative to Switch Four", "fast network switches", "switch of unobtainium"} {
		if r, _ := asked(t, x, Query{Text: query, Limit: 1}); r.Interpreted == nil {
			t.Errorf("%q is understood as its words without interpret=off, so that it shows nothing", query)
		}
		r, _ := asked(t, x, Query{Text: query, Literal: true, Limit: 1})
		if r.Interpreted != nil {
			t.Errorf("%q is understood as %+v", query, r.Interpreted)
		}
		if r.Next != "" && !strings.Contains(r.Next, "interpret=off") {
			t.Errorf("%q goes on at %s", query, r.Next)
		}
	}
	if r, _ := asked(t, x, Query{Text: "swithc", Literal: true}); asTold(r.Interpreted) != "corrected swithc => switch" {
		t.Errorf("a typing error is told as %q", asTold(r.Interpreted))
	}
}

func TestANumberInTheNameOfAListingIsExcludedWithIt(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(market("en", "Wren 4 arm: Lifts", "Wren 7 arm: Lifts", "Wren 9 arm: Lifts", "Magpie: Lifts, and is no arm", "Perch: Lifts 9 kg")), nil)
		for query, want := range map[string][]string{
			"lifts without wren 9":           {"Magpie", "Perch", "Wren 4 arm", "Wren 7 arm"},
			"like wren 7 but not wren 9":     {"Magpie", "Perch", "Wren 4 arm"},
			"lifts without wren 7 or wren 9": {"Magpie", "Perch", "Wren 4 arm"},
			"lifts without wren 5":           {"Magpie", "Perch"},
		} {
			got := names(t, x, query)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		}
	})
}

func TestPatternsTellWhereTheyAre(t *testing.T) {
	x := openMemory(t, extract(shop("de")), nil)
	r, _ := asked(t, x, Query{Text: "Größe Switch ohne Fan unter 2.000 € aus Frankreich"})
	if len(patternsOf(r.Interpreted)) != 3 {
		t.Errorf("%s", asTold(r.Interpreted))
	}
	for _, i := range r.Interpreted {
		if got := string([]rune(r.Query)[i.Start:i.End]); got != i.Text || utf8.RuneCountInString(got) != i.End-i.Start {
			t.Errorf("%q is told at %q", i.Text, got)
		}
	}
}

func TestAWordOfTooManyListingsExcludesNothing(t *testing.T) {
	eachEngine(t, testAWordOfTooManyListingsExcludesNothing)
}

func testAWordOfTooManyListingsExcludesNothing(t *testing.T) {
	var offers []offerOf
	for i := range maxLooked + 10 {
		offers = append(offers, offerOf{seller: "acme", name: fmt.Sprint("Switch ", i), summary: "Moves packets"})
	}
	x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, nil, offers...)), nil)
	for query, told := range map[string]string{"packets without switch": "", "packets without lasers": "excluded without lasers => lasers"} {
		if r, _ := asked(t, x, Query{Text: query, Limit: 1}); asTold(patternsOf(r.Interpreted)) != told || r.Total < maxLooked {
			t.Errorf("%q finds %d and is understood as %q", query, r.Total, asTold(r.Interpreted))
		}
	}
}
