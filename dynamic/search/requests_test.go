package search

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/kit/fold"
)

// A request is a buyer's request, with the listings that answer it and their grades, up to
// 3.
type request struct {
	Class, Query string
	Relevant     map[string]int
}

// requestsMarket reads the market and the requests in the folder named by SOUK_REQUESTS.
// Each line of listings.jsonl is a product, and its id becomes the slug.
func requestsMarket(t testing.TB) (*Index, []request) {
	t.Helper()
	folder := os.Getenv("SOUK_REQUESTS")
	if folder == "" {
		t.Skip("there are no requests here: name their folder by SOUK_REQUESTS")
	}
	slugOf := func(name string) string {
		slug := strings.FieldsFunc(fold.Text(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
		return strings.Join(slug, "-")
	}
	change := catalog.Change{
		Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: "en"},
		Now:         sampleNow(),
	}
	sellers, categories := map[string]string{}, map[string]bool{}
	eachLine(t, filepath.Join(folder, "listings.jsonl"), func(line string) {
		var one struct {
			ID, Name, Seller, Description string
			Categories                    []string
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		company := sellers[one.Seller]
		if company == "" {
			company = "s" + strconv.Itoa(len(sellers))
			sellers[one.Seller] = company
			change.Put = append(change.Put, &catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef(company), Name: one.Seller}, ID: company, OfficialDomain: company + ".example"})
		}
		offer := &catalog.Offer{Head: catalog.Head{
			Ref: catalog.Ref{Kind: catalog.KindProduct, Company: company, Slug: one.ID}, Name: one.Name,
			Description: catalog.Text{Source: strings.ReplaceAll(one.Description, "<", "&lt;")},
		}}
		for _, name := range one.Categories {
			ref := catalog.CategoryRef(catalog.KindProduct, slugOf(name))
			if !categories[ref.Slug] {
				categories[ref.Slug] = true
				change.Put = append(change.Put, &catalog.Category{Head: catalog.Head{Ref: ref, Name: name}})
			}
			offer.Categories = append(offer.Categories, catalog.Mention{Ref: ref})
		}
		change.Put = append(change.Put, offer)
	})
	c := catalog.New()
	c.Apply(change)
	var list []request
	eachLine(t, filepath.Join(folder, "requests.jsonl"), func(line string) {
		var one request
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		list = append(list, one)
	})
	return openMemory(t, extract(c), nil), list
}

// gainedFirst returns the nDCG@10 of an answer to a request.
func (r *request) gainedFirst(answer *Result) float64 {
	var best []int
	for _, gain := range r.Relevant {
		best = append(best, gain)
	}
	slices.Sort(best)
	slices.Reverse(best)
	gain, ideal := 0.0, 0.0
	for i := range 10 {
		at := math.Log2(float64(i) + 2)
		if i < len(best) {
			ideal += float64(best[i]) / at
		}
		if i < len(answer.Listings) {
			gain += float64(r.Relevant[answer.Listings[i].Slug]) / at
		}
	}
	return gain / ideal
}

func TestRequestsOfBuyersFindWhatAnswersThem(t *testing.T) {
	x, list := requestsMarket(t)
	for _, literal := range []bool{false, true} {
		sums, counts, nothing := map[string]float64{}, map[string]int{}, 0
		for _, r := range list {
			answer, err := x.Search(t.Context(), Query{Text: r.Query, Limit: 100, Literal: literal})
			if err != nil {
				t.Fatalf("%s: %v", r.Query, err)
			}
			if answer.Total == 0 {
				nothing++
			}
			gained := r.gainedFirst(answer)
			if os.Getenv("SOUK_MISSED") != "" {
				t.Logf("    %v %.3f %s: %s => %s", literal, gained, r.Class, r.Query, asTold(patternsOf(answer.Interpreted)))
			}
			for _, class := range []string{r.Class, "all"} {
				sums[class] += gained
				counts[class]++
			}
		}
		for _, class := range []string{"need", "alternative", "constraint", "keywords", "all"} {
			t.Logf("only words %v, %s: nDCG@10 %.3f of %d", literal, class, sums[class]/float64(counts[class]), counts[class])
		}
		t.Logf("only words %v: %d find nothing", literal, nothing)
		if all := sums["all"] / float64(counts["all"]); !literal && all < 0.335 {
			t.Errorf("nDCG@10 is %.4f, want 0.335", all)
		}
	}
}
