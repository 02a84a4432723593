package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/hit"
	"souk/dynamic/search/match"
	"souk/dynamic/search/suggest"
)

// market returns a marketplace of one seller's products, each given as "name: summary".
func market(language string, offers ...string) *catalog.Catalog {
	change := catalog.Change{
		Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: language},
		Now:         sampleNow(),
		Put:         []catalog.Item{&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("s"), Name: "Zzyzx"}, ID: "s", OfficialDomain: "s.example"}},
	}
	for i, text := range offers {
		name, summary, _ := strings.Cut(text, ": ")
		change.Put = append(change.Put, &catalog.Offer{Head: catalog.Head{
			Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: fmt.Sprint("o", i)}, Name: name, Summary: summary,
		}})
	}
	c := catalog.New()
	c.Apply(change)
	return c
}

func names(t *testing.T, x *Index, text string) []string {
	t.Helper()
	r, err := x.Search(t.Context(), Query{Text: text, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, h := range firm(t, x, Query{Text: text}, r.Listings) {
		list = append(list, h.Name)
	}
	return list
}

// firm returns the hits that match all of a few words, however they are spelled, or all
// hits if none does. In small markets, search also finds hits that match only some.
func firm(t *testing.T, x *Index, q Query, hits []Hit) (list []Hit) {
	t.Helper()
	here := &Index{Matcher: x.Matcher, facets: x.facets, vocabulary: x.vocabulary, suggester: x.suggester, removals: x.removals}
	here.engine = &engine.Embedded{Lexicon: x.Lexicon, Facets: x.facets, NameLengths: x.Corpus.NameLengths()}
	c, err := here.checked(t.Context(), &q, here.visibleNow())
	if err != nil {
		t.Fatal(err)
	}
	a, err := here.answer(t.Context(), &q, c, here.visibleNow())
	if err != nil {
		t.Fatal(err)
	}
	if a.parsed.Telling > match.StrictWords || a.parsed.Standing {
		return hits
	}
	some := map[string]bool{}
	for _, key := range a.found.(*engine.Counted).Keys {
		if hit.TierOf(key) == hit.TierSome {
			some[x.Corpus.Card(x.Corpus.Listing(hit.DocOf(key))).URL] = true
		}
	}
	for _, h := range hits {
		if !some[h.URL] {
			list = append(list, h)
		}
	}
	if len(list) == 0 {
		return hits
	}
	return list
}

func TestWordsAreFoundInTheLanguageOfTheMarketplace(t *testing.T) {
	eachEngine(t, testWordsAreFoundInTheLanguageOfTheMarketplace)
}

func testWordsAreFoundInTheLanguageOfTheMarketplace(t *testing.T) {
	for language, one := range map[string]struct{ offer, query string }{
		"en":    {"Robots: They pick berries", "berry"},
		"de":    {"Roboter: Greifen Äpfel", "greift apfel"},
		"de-CH": {"Grosse Strasse", "große straße"},
		"fr":    {"Robots: Des machines agricoles", "machine agricole"},
		"es":    {"Robots: Máquinas agrícolas", "maquina agricola"},
		"ja":    {"産業用ロボット: 工具を交換する", "ロボット"},
		"zh":    {"工业机器人: 更换工具", "机器人"},
		"ko":    {"산업용로봇: 도구", "로봇"},
		"th":    {"หุ่นยนต์อุตสาหกรรม: x", "หุ่นยนต์"},
		"ru":    {"Роботы: Промышленные машины", "промышленная машина"},
		"xx":    {"Robots: plain words", "plain"},
	} {
		x := openMemory(t, extract(market(language, "Other thing: nothing alike", one.offer)), nil)
		want, _, _ := strings.Cut(one.offer, ": ")
		if got := names(t, x, one.query); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q finds %q, want %q", language, one.query, got, want)
		}
	}
}

func TestFormsOfANameFindIt(t *testing.T) { eachEngine(t, testFormsOfANameLeadToIt) }

func testFormsOfANameLeadToIt(t *testing.T) {
	x := openMemory(t, extract(market("en", "USB-C cable", "K8s-Dash 2", "OpenTelemetry kit", "Load Balancer", "usb a cable", "Data dashboard 2")), nil)
	for query, want := range map[string]string{
		"usb c": "USB-C cable", "USB-C": "USB-C cable", "usbc": "USB-C cable", "usbc cable": "USB-C cable", "cables usb c": "USB-C cable",
		"k8sdash2": "K8s-Dash 2", "k8s dash 2": "K8s-Dash 2", "K8S-DASH-2": "K8s-Dash 2", "k8sd": "K8s-Dash 2",
		"open telemetry": "OpenTelemetry kit", "opentelemtry": "OpenTelemetry kit", "opentel": "OpenTelemetry kit",
		"loadbalancer": "Load Balancer", "load balancers": "Load Balancer", "laod balancer": "Load Balancer", "loadbalancers": "Load Balancer",
	} {
		if got := names(t, x, query); len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %q, want %q first", query, got, want)
		}
	}
}

func TestRemovedSellerIsHiddenImmediately(t *testing.T) {
	eachEngine(t, testAWithheldSellerIsNowhereAtOnce)
}

func testAWithheldSellerIsNowhereAtOnce(t *testing.T) {
	w := &catalog.Register{}
	x := openMemory(t, extract(readCatalog(t, sampleFolder)), w)
	texts := []string{"", "wren", "brass wren robotics", "brasswren.example", "wren 7 arm", "BW-W7-B", "robot arms", "wern", "the first wek", "brass"}
	mentions := func() (found []string) {
		for _, text := range texts {
			r, err := x.Search(t.Context(), Query{Text: text, Limit: MaxLimit})
			if err != nil {
				t.Fatal(err)
			}
			a := &Suggestions{}
			if text != "" {
				if a, err = x.Suggest(t.Context(), suggest.Query{Text: text, Limit: suggest.MaxSuggestions}); err != nil {
					t.Fatal(err)
				}
			}
			r.Query, a.Query = "", ""
			all, err := json.Marshal([]any{r, a})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(strings.ToLower(string(all)), "brass-wren") || strings.Contains(string(all), "Brass Wren") {
				found = append(found, text)
			}
		}
		return found
	}
	if got := mentions(); len(got) != len(texts) {
		t.Errorf("the seller is found by %q alone", got)
	}
	remove(w, "brass-wren")
	if got := mentions(); got != nil {
		t.Errorf("the withheld seller is found by %q", got)
	}
	if r, err := x.Search(t.Context(), Query{}.with("seller", "brass-wren")); err != nil || r.Total != 0 {
		t.Errorf("filtering by the withheld seller: %+v, %v", r, err)
	}
	remove(w)
	if got := mentions(); len(got) != len(texts) {
		t.Errorf("after its return the seller is found by %q alone", got)
	}
}

func TestAnswersStayCorrectWhileIndexesAreSwapped(t *testing.T) {
	l, removals, c := &Live{}, &catalog.Register{}, readCatalog(t, sampleFolder)
	folder := t.TempDir()
	open := func(previous *Index, release int) *Index {
		x, err := Open(context.Background(), extract(c), Options{
			Folder: folder, State: index.State{Release: fmt.Sprint(release)}, Previous: previous, Removals: removals,
		})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	if err := l.Swap(open(nil, 0)); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	for _, text := range []string{"", "wren 7", "forst bell", "robot arms", "calliper"} {
		group.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				r, err := l.Search(context.Background(), Query{Text: text, Limit: 5})
				if err != nil || r.Total == 0 {
					t.Errorf("%q: %+v, %v", text, r, err)
					return
				}
				if _, err := l.Suggest(context.Background(), suggest.Query{Text: "wr", Limit: 5}); err != nil {
					t.Errorf("suggestions: %v", err)
					return
				}
			}
		})
	}
	ref := catalog.Ref{Kind: catalog.KindProduct, Company: "umlauf", Slug: "sieve-eye"}
	for i := 1; i < 12; i++ {
		o := *c.Node(ref).Item().(*catalog.Offer)
		o.Summary += " Again."
		c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&o}})
		if err := l.Swap(open(l.Current(), i)); err != nil {
			t.Fatal(err)
		}
		remove(removals, []string{"godown-nine", "umlauf"}[i%2])
	}
	close(stop)
	group.Wait()
	if n := len(l.Current().Corpus.Segments); n > 4 {
		t.Errorf("twelve changes leave %d segments", n)
	}
	if err := l.Swap(nil); err != nil {
		t.Fatal(err)
	}
}

func TestQueryStopsWhenItsContextIsCanceled(t *testing.T) {
	x := openMemory(t, extract(readCatalog(t, sampleFolder)), nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, Query{Text: "robot", Limit: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := x.Suggest(ctx, suggest.Query{Text: "robot", Limit: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestEveryListingThatHasAllWordsIsFound checks with a scan that a query finds every
// listing whose name contains all of its words.
func TestEveryListingThatHasAllWordsIsFound(t *testing.T) {
	language := index.Language("en")
	has := func(name string, words []text.Token) bool {
		var stems []string
		for _, t := range text.Tokens(nil, name) {
			stems = append(stems, language.Stem(t.Text))
		}
		return !slices.ContainsFunc(words, func(w text.Token) bool { return !slices.Contains(stems, language.Stem(w.Text)) })
	}
	rapid.Check(t, func(t *rapid.T) {
		x, err := Open(context.Background(), extract(drawnMarket(t)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		query := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"usb", "c", "cables", "robot", "arms", "dash", "2", "grun", "load", "2.5"}), 1, 3).Draw(t, "words"), " ")
		found := mustAnswer(t, x, Query{Text: query, Limit: MaxLimit}).Listings
		for i := range every(x.Corpus) {
			l := &every(x.Corpus)[i]
			address := x.Corpus.Card(*l).APIURL
			if has(l.Offer.Name, text.Tokens(nil, query)) && !slices.ContainsFunc(found, func(h Hit) bool { return h.APIURL == address }) {
				t.Fatalf("%q does not find %q", query, l.Offer.Name)
			}
		}
		for i, h := range found {
			if text.Compact(h.Name) != text.Compact(query) && i+1 < len(found) && text.Compact(found[i+1].Name) == text.Compact(query) && h.Matched == nil {
				t.Fatalf("%q: %q stands before %q", query, h.Name, found[i+1].Name)
			}
		}
	})
}

func TestJoinedNeighboursAreNotAFormOfOneWord(t *testing.T) {
	x := openMemory(t, extract(market("en", "Red tent: Colour red", "Blue tent: Colour blue", "Green tent: Colour green")), nil)
	for _, query := range []string{"colour red", "red colour"} {
		if _, got := asked(t, x, Query{Text: query}); !slices.Equal(got, []string{"Red tent"}) {
			t.Errorf("%q finds %q", query, got) // "colourred" has the stem of "colour"
		}
	}
}
