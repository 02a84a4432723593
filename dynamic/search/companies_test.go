package search

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/document"
)

// The words for the names and descriptions of members of a generated market.
var (
	memberTrades = []struct{ slug, name, does string }{
		{"welding", "Welding", "welds steel and aluminium"}, {"milling", "Milling", "mills precision parts"}, {"casting", "Casting", "casts iron and bronze"},
		{"painting", "Painting", "paints and coats surfaces"}, {"joinery", "Joinery", "makes windows and stairs of wood"}, {"roofing", "Roofing", "covers roofs with slate"},
		{"plumbing", "Plumbing", "installs pipes and heating"}, {"glazing", "Glazing", "cuts and fits glass"}, {"forging", "Forging", "forges gates and railings"},
		{"masonry", "Masonry", "lays bricks and natural stone"},
	}
	memberTowns = []struct{ city, region, country string }{
		{"Stuttgart", "Baden-Württemberg", "DE"}, {"Berlin", "Berlin", "DE"}, {"Ulm", "Baden-Württemberg", "DE"}, {"Hamburg", "Hamburg", "DE"},
		{"Graz", "Steiermark", "AT"}, {"Linz", "Oberösterreich", "AT"}, {"Zürich", "Zürich", "CH"}, {"Lyon", "", "FR"},
	}
	memberNames = strings.Fields("Maier Brandt Koller Vogt Lindner Sauer Wendel Hartwig Ostermann Rieger Falk Kessler Bruhn Petri Wolff Zeller Amann Dietz Ebner Fuchs Gruber Hensel Imhof Jost Krug Lorenz Menzel Nagel Ott Pohl")
)

// members returns a market of n companies without offers. Each has a trade and a town, and
// every third one has a certificate.
func members(n int) *catalog.Catalog {
	random := rand.New(rand.NewPCG(1, 2))
	var items []catalog.Item
	for _, t := range memberTrades {
		items = append(items, &catalog.Category{
			Head: catalog.Head{Ref: catalog.CategoryRef(catalog.KindService, t.slug), Name: t.name, File: t.slug}, Order: catalog.NoOrder,
		})
	}
	for i := range n {
		trade, town := memberTrades[random.IntN(len(memberTrades))], memberTowns[random.IntN(len(memberTowns))]
		slug := fmt.Sprintf("member-%d", i)
		s := &catalog.Seller{
			Head: catalog.Head{
				Ref: catalog.SellerRef(slug), File: slug,
				Name:    fmt.Sprintf("%s %s %d", trade.name, memberNames[random.IntN(len(memberNames))], i),
				Summary: "The workshop " + trade.does + ".",
			},
			ID: slug, Headquarters: &catalog.Headquarters{City: town.city, Region: town.region, Country: town.country},
			Categories: []catalog.Mention{{Ref: catalog.CategoryRef(catalog.KindService, trade.slug)}}, Languages: []string{"de"},
		}
		if i%3 == 0 {
			s.Proof = []catalog.Proof{{Kind: "certification", Title: "ISO 9001"}}
		}
		items = append(items, s)
	}
	c := catalog.New()
	c.Apply(catalog.Change{Marketplace: &catalog.Marketplace{Name: "Guild", SiteURL: "https://guild.example", Language: "en"}, Put: items, Now: sampleNow()})
	return c
}

// companies searches for companies.
func companies(t testing.TB, x *Index, q Query) *CompanyResult {
	t.Helper()
	r, err := x.Companies(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return r
}

// expected returns the sorted slugs of the sellers that satisfy a condition.
func expected(c *catalog.Catalog, want func(*catalog.Seller) bool) (slugs []string) {
	c.EachSeller(func(n *catalog.Node) {
		if s := n.Item().(*catalog.Seller); n.Current() && want(s) {
			slugs = append(slugs, s.Ref.Slug)
		}
	})
	slices.Sort(slugs)
	return slugs
}

// found returns the sorted slugs of all companies that a query finds.
func found(t testing.TB, x *Index, q Query) (slugs []string) {
	t.Helper()
	q.Limit = MaxLimit
	for {
		r := companies(t, x, q)
		for _, one := range r.Companies {
			slugs = append(slugs, one.Slug)
		}
		if r.Next == "" {
			if len(slugs) != r.Total {
				t.Errorf("%+v: %d companies of %d", q, len(slugs), r.Total)
			}
			slices.Sort(slugs)
			return slugs
		}
		q.Offset += q.Limit
	}
}

func trade(s *catalog.Seller) string { return s.Categories[0].Ref.Slug }

func TestQuestionsAboutCompaniesFindThem(t *testing.T) {
	c := members(300)
	x := openMemory(t, extract(c), nil)
	for text, want := range map[string]func(*catalog.Seller) bool{
		"welders in Stuttgart":              func(s *catalog.Seller) bool { return trade(s) == "welding" && s.Headquarters.City == "Stuttgart" },
		"companies in Berlin with ISO 9001": func(s *catalog.Seller) bool { return s.Headquarters.City == "Berlin" && len(s.Proof) > 0 },
		"roofing in Austria":                func(s *catalog.Seller) bool { return trade(s) == "roofing" && s.Headquarters.Country == "AT" },
		"joinery":                           func(s *catalog.Seller) bool { return trade(s) == "joinery" },
		"":                                  func(*catalog.Seller) bool { return true },
	} {
		if got, want := found(t, x, Query{Text: text}), expected(c, want); !slices.Equal(got, want) {
			t.Errorf("%q finds %d companies, not %d:\n%v\n%v", text, len(got), len(want), got, want)
		}
	}
	// If a query has few words, companies that match some of them come after those that
	// match all.
	for text, want := range map[string]func(*catalog.Seller) bool{
		"welding Stuttgart": func(s *catalog.Seller) bool { return trade(s) == "welding" && s.Headquarters.City == "Stuttgart" },
		"plumbing zurich":   func(s *catalog.Seller) bool { return trade(s) == "plumbing" && s.Headquarters.City == "Zürich" },
	} {
		all := expected(c, want)
		var first []string
		for _, hit := range companies(t, x, Query{Text: text, Limit: len(all)}).Companies {
			first = append(first, hit.Slug)
		}
		if slices.Sort(first); !slices.Equal(first, all) {
			t.Errorf("%q begins with %v, not %v", text, first, all)
		}
	}
	r := companies(t, x, Query{Text: "welders in Stuttgart", Limit: 1})
	if len(r.Interpreted) == 0 || r.Interpreted[0].Filter != "city" || r.Interpreted[0].Value != "Stuttgart" {
		t.Errorf("understood is %+v", r.Interpreted)
	}
}

func TestCompanyFiltersIgnoreTheirOwnSelection(t *testing.T) {
	c := members(300)
	x := openMemory(t, extract(c), nil)
	q := Query{Filters: map[string][]string{"city": {"stuttgart"}, "category": {"service/welding"}, "proof": {"certification"}}, Limit: 5}
	r := companies(t, x, q)
	in := func(city, of string) int {
		return len(expected(c, func(s *catalog.Seller) bool {
			return len(s.Proof) > 0 && (city == "" || s.Headquarters.City == city) && (of == "" || trade(s) == of)
		}))
	}
	if want := in("Stuttgart", "welding"); r.Total != want || r.Total == 0 {
		t.Errorf("the total is %d, not %d", r.Total, want)
	}
	var names []string
	for _, f := range r.Filters {
		names = append(names, f.Name)
		for _, v := range f.Values {
			want := -1
			switch f.Name {
			case "city":
				want = in(v.Value, "welding")
			case "category":
				want = in("Stuttgart", strings.TrimPrefix(v.Value, "service/"))
			}
			if want >= 0 && v.Count != want {
				t.Errorf("%s %s counts %d, not %d", f.Name, v.Value, v.Count, want)
			}
		}
	}
	if strings.Join(names, " ") != "category country city language proof" {
		t.Errorf("the filters are %v", names)
	}
	for filter, value := range map[string]string{"city": "Atlantis", "country": "FJ", "category": "service/none", "language": "fj"} {
		if r := companies(t, x, Query{Filters: map[string][]string{filter: {value}}}); r.Total != 0 {
			t.Errorf("%s=%s has the total %d", filter, value, r.Total)
		}
	}
	for filter, value := range map[string]string{"city": " ", "country": "Germany", "category": "nonsense", "proof": "oath"} {
		if _, err := x.Companies(t.Context(), Query{Filters: map[string][]string{filter: {value}}}); err == nil {
			t.Errorf("%s=%q is taken", filter, value)
		}
	}
	if _, err := x.Companies(t.Context(), Query{Sort: "newest"}); err == nil {
		t.Error("companies are sorted by what they have not")
	}
}

// known is a text with the company that it should find.
type known struct{ text, slug string }

// rank returns the mean reciprocal rank, within the first ten results, of the companies
// that texts should find.
func rank(t *testing.T, x *Index, all []known) float64 {
	sum := 0.0
	for _, one := range all {
		r, at := companies(t, x, Query{Text: one.text, Limit: 10}), 0
		for i, hit := range r.Companies {
			if hit.Slug == one.slug && at == 0 {
				at = i + 1
			}
		}
		if at == 0 {
			t.Logf("%q does not find %s in the first ten of %d", one.text, one.slug, r.Total)
			continue
		}
		if at > 1 {
			t.Logf("%q finds %s in place %d", one.text, one.slug, at)
		}
		sum += 1 / float64(at)
	}
	return sum / float64(len(all))
}

// misspelt swaps two letters in the middle of a word.
func misspelt(word string) string {
	letters := []rune(word)
	if len(letters) < 6 {
		return word
	}
	at := len(letters) / 2
	letters[at], letters[at-1] = letters[at-1], letters[at]
	return string(letters)
}

func TestExpectedMembersComeFirst(t *testing.T) {
	c := members(300)
	x := openMemory(t, extract(c), nil)
	var all []known
	c.EachSeller(func(n *catalog.Node) {
		s := n.Item().(*catalog.Seller)
		name := strings.Fields(s.Name)
		if len(all) < 240 {
			all = append(all, known{s.Name, s.Ref.Slug}, known{strings.ToLower(s.Name) + " " + s.Headquarters.City, s.Ref.Slug},
				known{misspelt(name[0]) + " " + name[1] + " " + name[2], s.Ref.Slug})
		}
	})
	if got := rank(t, x, all); got < .97 {
		t.Errorf("the mean reciprocal rank of %d texts is %.3f", len(all), got)
	}
}

func TestExpectedCompaniesOfALandscapeComeFirst(t *testing.T) {
	c := readCatalog(t, cncfFolder(t))
	x := openMemory(t, extract(c), nil)
	var all []known
	taken := map[string]int{}
	var sellers []*catalog.Seller
	c.EachSeller(func(n *catalog.Node) {
		if s := n.Item().(*catalog.Seller); n.Current() {
			taken[strings.ToLower(s.Name)]++
			sellers = append(sellers, s)
		}
	})
	slices.SortFunc(sellers, func(a, b *catalog.Seller) int { return strings.Compare(a.Ref.Slug, b.Ref.Slug) })
	for i, s := range sellers {
		if i%11 != 0 || taken[strings.ToLower(s.Name)] > 1 {
			continue
		}
		all = append(all, known{s.Name, s.Ref.Slug})
		if first, rest, _ := strings.Cut(s.Name, " "); len(all)%2 == 0 && rest != "" {
			all = append(all, known{misspelt(first) + " " + rest, s.Ref.Slug})
		}
	}
	if len(all) < 60 {
		t.Fatalf("only %d companies are known", len(all))
	}
	if got := rank(t, x, all); got < .97 {
		t.Errorf("the mean reciprocal rank of %d texts is %.3f", len(all), got)
	}
}

func TestListingAndCompanySearchAgreeOnCompanies(t *testing.T) {
	c := readCatalog(t, "../../content")
	x := openMemory(t, extract(c), nil)
	for _, q := range []Query{
		{Text: "wren", Limit: 20}, {Text: "robot arms in Germany", Limit: 20}, {Text: "switzerland", Limit: 20, Filters: map[string][]string{"country": {"CH"}}},
		{Text: "arm", Limit: 3, Filters: map[string][]string{"kind": {"service"}}}, {Text: "arm", Limit: 0}, {Text: "xyzzy", Limit: 20}, {Text: " ", Limit: 20},
	} {
		r, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(q.Text) == "" {
			if r.Companies.Total != 0 || r.Companies.Items == nil || r.Companies.Next != "" {
				t.Errorf("an empty text tells of %+v", r.Companies)
			}
			continue
		}
		own := Query{Text: q.Text, Limit: 5, Filters: map[string][]string{"country": q.Filters["country"], "category": q.Filters["category"]}}
		want := companies(t, x, own)
		if r.Companies.Total != want.Total || len(r.Companies.Items) > min(5, q.Limit) {
			t.Errorf("%+v: %d of %d companies, and their own search finds %d", q, len(r.Companies.Items), r.Companies.Total, want.Total)
		}
		if (r.Companies.Next == "") != (want.Total == 0) {
			t.Errorf("%+v: next is %q", q, r.Companies.Next)
			continue
		}
		if next, _ := url.Parse(r.Companies.Next); want.Total > 0 && (next.Query().Get("q") != q.Text || !strings.HasSuffix(next.Path, "/companies/search")) {
			t.Errorf("%+v: next is %s", q, r.Companies.Next)
		}
	}
}

func TestCompanyCardsEqualTheDocuments(t *testing.T) {
	c := readCatalog(t, "../../content")
	r := document.NewRenderer(c, "")
	x := openMemory(t, extract(c), nil)
	for _, hit := range companies(t, x, Query{Limit: MaxLimit}).Companies {
		n := c.Node(catalog.SellerRef(hit.Slug))
		s := n.Item().(*catalog.Seller)
		profile := r.Document(n).(document.Seller)
		want := r.Addresses().CompanyCard(s, profile.Categories, profile.Logo)
		got, _ := json.Marshal(hit.CompanyCard)
		if is, _ := json.Marshal(want); string(got) != string(is) {
			t.Errorf("the card is %s, not %s", got, is)
		}
		if hit.ListingCount != profile.ListingCount {
			t.Errorf("%s has %d listings, not %d", hit.Slug, hit.ListingCount, profile.ListingCount)
		}
	}
}

func TestRemovedCompanyIsInNoAnswer(t *testing.T) {
	var removals catalog.Register
	c := members(300)
	x := openMemory(t, extract(c), &removals)
	before := companies(t, x, Query{Text: "welding in Stuttgart", Limit: 50})
	if before.Total == 0 {
		t.Fatal("nobody welds in Stuttgart")
	}
	gone := before.Companies[0]
	removals.Learn(catalog.NewRemovals([]catalog.Removal{{ID: gone.Slug}}))
	after := companies(t, x, Query{Text: "welding in Stuttgart", Limit: 50})
	if after.Total != before.Total-1 {
		t.Errorf("after a removal the total is %d, not %d", after.Total, before.Total-1)
	}
	for _, text := range []string{gone.Name, gone.Slug, ""} {
		r := companies(t, x, Query{Text: text, Limit: MaxLimit})
		if body, _ := json.Marshal(r); strings.Contains(string(body), gone.URL) {
			t.Errorf("%q tells of the removed company", text)
		}
	}
}

func TestCompanyIsFoundByItsOffersAlsoAfterAnEdit(t *testing.T) {
	c := market("en", "Laser cutter")
	x := openMemory(t, extract(c), nil)
	if r := companies(t, x, Query{Text: "laser cutter", Limit: 5}); r.Total != 1 || r.Companies[0].ListingCount != 1 {
		t.Errorf("found is %+v", r)
	}
}
