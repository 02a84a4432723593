package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
)

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

func TestOperatorSynonymsMatch(t *testing.T) {
	eachEngine(t, testSynonymsOfTheOperatorAreFound)
}

func testSynonymsOfTheOperatorAreFound(t *testing.T) {
	corpus := extract(market("en", "Notebook 15: A computer", "Laptop stand: Of steel", "Build server: For teams", "Jenkins: Continuous integration", "Lamp: Red light", "Torch: Shines"))
	corpus.Synonyms = []catalog.Synonyms{
		{From: []string{"laptop"}, To: []string{"notebook"}},
		{From: []string{"CI server"}, To: []string{"continuous integration", "build server"}},
		{From: []string{"lamp"}, To: []string{"torch", "light"}}, {From: []string{"torch"}, To: []string{"lamp"}},
		{From: []string{"lamp that one can carry around anywhere"}, To: []string{"torch"}}, // too long, so it is ignored
	}
	x := openMemory(t, corpus, nil)
	for query, want := range map[string][]string{
		"laptops":    {"Laptop stand", "Notebook 15"},
		"notebook":   {"Notebook 15"}, // the synonym works one way
		"ci servers": {"Build server", "Jenkins"},
		"server ci":  {"Build server"},                      // not the phrase, and no listing contains "ci"
		"torches":    {"Lamp", "Torch"}, "torch": {"Torch"}, // the whole text is a name
		"laptop computer":                       {"Notebook 15"},
		"I need a CI server for the whole team": {"Build server", "Jenkins"},
	} {
		if got := sorted(names(t, x, query)); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	if got := names(t, x, "laptop"); len(got) != 2 || got[0] != "Laptop stand" {
		t.Errorf("a synonym comes before the word itself: %q", got)
	}
}

func TestQueryThatIsACategoryNameReturnsIt(t *testing.T) {
	x := openMemory(t, extract(readCatalog(t, cncfFolder(t))), nil)
	for query, want := range map[string]string{
		"which service meshes work without a sidecar": "service meshes=service-mesh",
		"an api gateway for kubernetes":               "api gateway=api-gateway",
		"open api gateways":                           "api gateways=api-gateway",
		"chaos":                                       "",
		"ci/cd and a service-mesh":                    "ci/cd=continuous-integration-and-delivery,service-mesh=service-mesh",
	} {
		if _, _, categories := understood(t, x, query); strings.Join(categories, ",") != want {
			t.Errorf("%q names %q, want %q", query, categories, want)
		}
	}
}

func TestAskingWordsAreOptional(t *testing.T) {
	x := openMemory(t, extract(market("en", "Robot arm: Welds", "Need for Speed: A game", "Arm rest: Soft", "Speed robot: Runs", "Kiln: A container runtime in Rust", "Quill: A runtime, hand written")), nil)
	for query, want := range map[string][]string{
		"robot arm":                      {"Robot arm"},
		"I am looking for a robot arm":   {"Robot arm"},
		"Can you recommend a robot arm?": {"Robot arm"},
		"robot arm alternatives":         {"Robot arm"},
		"robot arm projects":             {"Robot arm"},
		"projects for a robot arm":       {"Robot arm"},
		"Need for Speed":                 {"Need for Speed"},
		"need":                           {"Need for Speed"},
		"a robot that can run":           {"Speed robot"},
		"runtime written in Rust":        {"Kiln"},
	} {
		if got := sorted(names(t, x, query)); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	german := openMemory(t, extract(market("de", "Roboterarm: Schweißt", "Armlehne: Weich", "Ofen: Eine Laufzeit in Rust", "Feder: Laufzeit, mit der Hand geschrieben")), nil)
	if got := names(t, german, "in Rust geschriebene Laufzeit"); !slices.Equal(got, []string{"Ofen"}) {
		t.Errorf("it finds %q", got)
	}
	for _, query := range []string{"Ich suche einen Roboterarm", "wir brauchen bitte einen Roboterarm", "Alternative zu Roboterarm", "was ist der beste Roboterarm"} {
		if got := names(t, german, query); !slices.Equal(got, []string{"Roboterarm"}) {
			t.Errorf("%q finds %q", query, got)
		}
	}
}

func TestCategoryNameOutranksSelfDescription(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		offers := []offerOf{
			{seller: "werk", name: "Anvil", summary: "A tool for slow requests", categories: []string{"tracing"}},
			{seller: "werk", name: "Sonar", summary: "Distributed tracing of requests", categories: []string{"tracing"}},
			{seller: "werk", name: "Beacon", summary: "Shows where time goes", categories: []string{"tracing"}},
		}
		for i := range 12 {
			offers = append(offers, offerOf{seller: "werk", name: fmt.Sprint("Lamp ", i), summary: "Red"})
		}
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, map[string]string{"tracing": "Tracing"}, offers...)), nil)
		if got := names(t, x, "tracing tools"); !slices.Equal(got, []string{"Sonar", "Anvil", "Beacon"}) {
			t.Errorf("it finds %q", got)
		}
	})
}

func TestCategoryNamedInAQuestionComesFirst(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, map[string]string{"arms": "Robot arms"},
			offerOf{seller: "werk", name: "Reach", summary: "Seven axes", categories: []string{"arms"}},
			offerOf{seller: "werk", name: "Owl", summary: "A mowing robot that works outdoors at night"},
			offerOf{seller: "werk", name: "Kettle", summary: "Something else"},
		)), nil)
		if got := names(t, x, "which robot arm works outdoors"); !slices.Equal(got, []string{"Reach", "Owl"}) {
			t.Errorf("it finds %q", got)
		}
	})
}

func TestQuestionWithOneKnownWordIsAnswered(t *testing.T) {
	eachEngine(t, testAQuestionIsAnsweredWhereOneWordIsKnown)
}

func testAQuestionIsAnsweredWhereOneWordIsKnown(t *testing.T) {
	x := openMemory(t, extract(market("en", "Robot arm: Welds", "Lamp: Red")), nil)
	for _, query := range []string{"nonsense balderdash robot", "robot zzz", "which robot has zzz yyy xxx www"} {
		if got := names(t, x, query); !slices.Equal(got, []string{"Robot arm"}) {
			t.Errorf("%q finds %q", query, got)
		}
	}
}

// learning returns a market in which technical words occur together with the words that
// people search for.
func learning(sellers ...string) *catalog.Catalog {
	c := market("en")
	change := catalog.Change{Now: sampleNow()}
	put := func(seller, slug, name, summary string) {
		change.Put = append(change.Put, &catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: seller, Slug: slug}, Name: name, Summary: summary}})
	}
	for _, s := range sellers {
		change.Put = append(change.Put, &catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef(s), Name: s}, ID: s, OfficialDomain: s + ".example"})
		for i := range 4 {
			put(s, fmt.Sprint("a", i), fmt.Sprint("Answer ", s, i), "shining bulbs gleam brightly at night: luminaire")
		}
	}
	put("s", "b", "Aaa", "something that is bright: a fan")
	put("s", "c", "Zzz", "something that is bright: a luminaire")
	for i := range 60 {
		put("s", fmt.Sprint("d", i), fmt.Sprint("Other ", i), "of no interest")
	}
	c.Apply(change)
	return c
}

func TestQuestionsUseWordsOfTheBestResults(t *testing.T) {
	const query = "gleams night bulbs shine brightly bright"
	place := func(x *Index, name string) int { return slices.Index(names(t, x, query), name) }
	corpus := extract(learning("one"))
	if x := openMemory(t, corpus, nil); place(x, "Zzz") < 0 || place(x, "Zzz") > place(x, "Aaa") {
		t.Errorf("%q finds %q", query, names(t, x, query))
	}
	// Withheld listings contribute nothing from the moment they are withheld.
	withheld := &catalog.Register{}
	x := openMemory(t, extract(learning("one")), withheld)
	remove(withheld, "one")
	if place(x, "Aaa") != 0 || place(x, "Zzz") != 1 {
		t.Errorf("with its seller withheld, %q finds %q", query, names(t, x, query))
	}
}

func TestResultsOfAQuestionDependOnlyOnItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawnMarket(t)
		corpus := index.Extract(c, document.NewRenderer(c, ""))
		corpus.Synonyms = []catalog.Synonyms{{From: []string{"cable"}, To: []string{"usb c", "arm"}}, {From: []string{"load balancer"}, To: []string{"robots"}}}
		x, err := Open(t.Context(), corpus, Options{State: index.State{Release: "r"}})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		if rapid.Bool().Draw(t, "withholds") {
			x.removals = &catalog.Register{}
			remove(x.removals, "s0")
		}
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"usb", "c", "cable", "robots", "arm", "dash", "Grün", "load", "balancer", "I need", "the", "robto", "2.5", "nothing"}), 4, 9).Draw(t, "words")
		q := drawnQuery(t, x)
		q.Text = strings.Join(words, " ")
		result := mustAnswer(t, x, q)
		checkAgainstScan(t, x, q, result)
		checkPages(t, x, q, result)
		order := func(q Query) (list []string) {
			q.Limit = MaxLimit
			for _, h := range mustAnswer(t, x, q).Listings {
				list = append(list, h.APIURL)
			}
			return list
		}
		kept := map[string]bool{}
		for _, address := range order(q) {
			kept[address] = true
		}
		all := slices.DeleteFunc(order(Query{Text: q.Text}), func(address string) bool { return !kept[address] })
		if !slices.Equal(all, order(q)) {
			t.Fatalf("%+v: filters change the order from %q to %q", q, all, order(q))
		}
	})
}
