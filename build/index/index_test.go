package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index/terms"
	"souk/build/internal/markdown"
)

func now() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }

// A market is a catalog that a test changes.
type market struct{ *catalog.Catalog }

// newMarket returns a market in which each seller has the given number of products.
func newMarket(products int, sellers ...string) market {
	m := market{catalog.New()}
	change := catalog.Change{Now: now(), Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: "en"}}
	for _, slug := range sellers {
		change.Put = append(change.Put, seller(slug))
		for i := range products {
			change.Put = append(change.Put, product(slug, fmt.Sprint("p", i), slug+" thing "+fmt.Sprint(i)))
		}
	}
	m.Apply(change)
	return m
}

func seller(slug string) *catalog.Seller {
	return &catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef(slug), Name: "The " + slug}, ID: "id-" + slug, OfficialDomain: slug + ".example"}
}

func product(company, slug, name string) *catalog.Offer {
	return &catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: company, Slug: slug}, Name: name}}
}

func (m market) corpus() *Corpus { return Extract(m.Catalog, document.NewRenderer(m.Catalog, "")) }

func (m market) put(items ...catalog.Item) { m.Apply(catalog.Change{Now: now(), Put: items}) }

func mustWrite(t *testing.T, x *Corpus, o Options) *Set {
	t.Helper()
	s, err := Write(t.Context(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestAPartDoesNotDependOnPartsWrittenBefore(t *testing.T) {
	m := newMarket(20, "acme", "beta", "gamma")
	w := newWriter(m.corpus(), Options{})
	maker := func() *partMaker {
		return &partMaker{corpus: w.corpus, digests: w.digests, analyser: NewAnalyser(Language("en"))}
	}
	used := maker()
	for _, share := range [][]int32{{0, 1, 2, 40, 41}, {3, 4, 42}, {5}, {50, 51, 52, 53, 54, 55, 56, 57}, {0, 1, 2, 40, 41}} {
		if got, want := used.encode(share), maker().encode(share); !bytes.Equal(got, want) {
			t.Fatalf("the part of %v has %d bytes and another has %d, or others", share, len(got), len(want))
		}
	}
}

// told returns everything that a Set contains about its living documents, in order.
func told(s *Set) []string {
	var list []string
	for _, v := range s.Views {
		for at := range v.Documents() {
			if !v.Lives(uint32(at)) {
				continue
			}
			switch v.Kind(at) {
			case catalog.KindProduct, catalog.KindService:
				l := v.Listing(at)
				list = append(list, fmt.Sprintf("%s %q %q %+v %v %q %+v", l.Ref, l.Key, l.Offer.Name, *l.Offer, l.In, v.Description(at), l.Image()))
			case catalog.KindSeller:
				list = append(list, fmt.Sprintf("%+v", *v.Seller(at)))
			case catalog.KindCategory:
				c := v.Category(at)
				list = append(list, fmt.Sprintf("%+v %v", *c.Category, c.Below))
			default:
				list = append(list, fmt.Sprintf("%+v", v.Article(at)))
			}
		}
	}
	slices.Sort(list)
	return list
}

// postingsOf returns all postings of a Part.
func postingsOf(t *testing.T, p *Part) (list []string) {
	t.Helper()
	for word := range p.Words().Words(0, p.Words().Len()) {
		for _, field := range []terms.Field{terms.Words, terms.Exact} {
			err := p.segment.Each(field, word, func(of terms.Posting) { list = append(list, fmt.Sprint(word, field, p.Name(int(of.Document)), of)) })
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return list
}

// removed returns a list of removals of sellers.
func removed(slugs ...string) func(context.Context) (*catalog.Removals, error) {
	var list []catalog.Removal
	for _, slug := range slugs {
		list = append(list, catalog.Removal{ID: "id-" + slug, Slug: slug, Domain: slug + ".example"})
	}
	return func(context.Context) (*catalog.Removals, error) { return catalog.NewRemovals(list), nil }
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "*"+partSuffix))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// holds reports whether any file of a folder contains a text.
func holds(t *testing.T, folder, text string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || bytes.Contains(data, []byte(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestWrittenPartsAreReadBack(t *testing.T) {
	price := &catalog.Price{Amount: "9.90", Currency: "EUR", Unit: "hour", From: true}
	day := catalog.Date{Time: now(), Day: true}
	robots := &catalog.Category{Head: catalog.Head{Ref: catalog.CategoryRef(catalog.KindProduct, "robots"), Name: "Robots"}, Synonyms: []string{"bots"}}
	arms := &catalog.Category{
		Head: catalog.Head{Ref: catalog.CategoryRef(catalog.KindProduct, "arms"), Name: "Arms"}, Parent: &catalog.Mention{Ref: robots.Ref},
		Pins: []catalog.Mention{{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "one", Slug: "arm"}}},
	}
	one := seller("one")
	one.LegalName, one.FormerDomains, one.Languages, one.Keywords = "One GmbH", []string{"eins.example"}, []string{"de"}, []string{"roastery"}
	one.Headquarters = &catalog.Headquarters{City: "Köln", Region: "NRW", Country: "DE"}
	one.Proof = []catalog.Proof{{Kind: "certification", Title: "ISO", Issuer: "I", Date: day}}
	arm := product("one", "arm", "Arm")
	arm.Summary, arm.SKU, arm.Delivery, arm.Regions, arm.Keywords = "S", "A-1", "remote", []string{"EU"}, []string{"robot arm"}
	arm.PublishedAt, arm.UpdatedAt, arm.Price = catalog.Date{Time: now().Add(-time.Nanosecond)}, day, price
	arm.Categories = []catalog.Mention{{Ref: arms.Ref}, {Ref: catalog.CategoryRef(catalog.KindProduct, "nowhere")}}
	arm.Attributes = []catalog.Attribute{{Name: "Weight", Value: "2", Unit: "kg", Kind: catalog.NumberValue}}
	arm.Variants = []catalog.Variant{{Name: "Long", SKU: "A-1-L", Price: price, Attributes: arm.Attributes}}
	arm.Proof, arm.Description.Source = one.Proof, "It *moves* at 100~240 V."
	article := &catalog.Article{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindArticle, Slug: "how"}, Name: "How", PublishedAt: day, Description: catalog.Text{Source: "So."}}}
	chart := &catalog.MarketMap{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindMarketMap, Slug: "map"}, Name: "Map"}, Segments: []catalog.Segment{{Name: "A", Summary: "B"}, {Name: "C"}}}
	m := newMarket(0)
	m.put(one, robots, arms, arm, article, chart)
	s := mustWrite(t, m.corpus(), Options{})
	if len(s.Views) != 1 || s.Views[0].Documents() != 6 {
		t.Fatalf("%d parts", len(s.Views))
	}
	for at := range 6 {
		v := s.Views[0]
		var got, want any
		switch v.Kind(at) {
		case catalog.KindProduct:
			l := v.Listing(at)
			l.Offer.Description.Source = v.Description(at)
			got, want = *l.Offer, *arm
			wanted := want.(catalog.Offer)
			wanted.Categories, wanted.Description.Source = nil, "It moves at 100~240 V."
			want = wanted
			if !slices.Equal(l.In, []catalog.Ref{arms.Ref}) || v.Name(at) != "Arm" || v.Ref(at) != arm.Ref || l.Image() != nil {
				t.Errorf("the listing is in %v, called %q, at %v with %v", l.In, v.Name(at), v.Ref(at), l.Image())
			}
		case catalog.KindSeller:
			got, want = v.Seller(at), one
		case catalog.KindCategory:
			c := v.Category(at)
			plain := *robots
			if c.Ref == arms.Ref {
				plain = *arms
				plain.Parent, plain.Pins = nil, nil
				if c.Below != robots.Ref || !slices.Equal(c.Pins, []Digest{PinOf(arm.Ref)}) {
					t.Errorf("Arms are below %v and pin %v", c.Below, c.Pins)
				}
			}
			got, want = c.Category, &plain
		case catalog.KindArticle:
			got, want = v.Article(at), article
		case catalog.KindMarketMap:
			got, want = v.Article(at), chart
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

func TestPartsAfterAnyChangesTellWhatFreshOnesTell(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		folder, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		m := newMarket(2, "a", "b", "c", "d")
		var previous *Set
		for range rapid.IntRange(1, 6).Draw(r, "releases") {
			for range rapid.IntRange(0, 4).Draw(r, "edits") {
				slug, at := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(r, "seller"), fmt.Sprint("p", rapid.IntRange(0, 9).Draw(r, "product"))
				if rapid.Bool().Draw(r, "deletes") {
					m.Apply(catalog.Change{Now: now(), Delete: []catalog.Ref{{Kind: catalog.KindProduct, Company: slug, Slug: at}}})
				} else {
					m.put(product(slug, at, rapid.SampledFrom([]string{"Zebra", "arm", "Öl"}).Draw(r, "name")))
				}
			}
			next, err := Write(t.Context(), m.corpus(), Options{Folder: folder, Previous: previous})
			if err != nil {
				r.Fatal(err)
			}
			fresh, err := Write(t.Context(), m.corpus(), Options{})
			if err != nil {
				r.Fatal(err)
			}
			read, err := Read(t.Context(), folder, nil)
			if err != nil {
				r.Fatal(err)
			}
			if !slices.Equal(told(next), told(fresh)) || !slices.Equal(told(read), told(fresh)) {
				r.Fatalf("after changes %q, read %q, fresh %q", told(next), told(read), told(fresh))
			}
			if !slices.Equal(namesOf(next), namesOf(fresh)) || !slices.Equal(namesOf(read), namesOf(fresh)) {
				r.Fatalf("names after changes %q, read %q, fresh %q", namesOf(next), namesOf(read), namesOf(fresh))
			}
			if !slices.Equal(valuesOf(next), valuesOf(fresh)) || !slices.Equal(valuesOf(read), valuesOf(fresh)) {
				r.Fatalf("values after changes %q, read %q, fresh %q", valuesOf(next), valuesOf(read), valuesOf(fresh))
			}
			if n := len(files(t, folder)); n != len(next.Views) {
				r.Fatalf("%d files of %d parts", n, len(next.Views))
			}
			if err := errors.Join(read.Close(), fresh.Close()); err != nil {
				r.Fatal(err)
			}
			if previous != nil && rapid.Bool().Draw(r, "restarts") {
				if err := errors.Join(previous.Close(), next.Close()); err != nil {
					r.Fatal(err)
				}
				next = nil
			} else if previous != nil {
				if err := previous.Close(); err != nil {
					r.Fatal(err)
				}
			}
			previous = next
		}
		if previous != nil {
			if err := previous.Close(); err != nil {
				r.Fatal(err)
			}
		}
	})
}

func TestAPartOfARemovedSellerIsDeletedAtOnceAndRewrittenWithoutIt(t *testing.T) {
	folder := t.TempDir()
	m := newMarket(3, "acme", "brass", "copper")
	open := mustWrite(t, m.corpus(), Options{Folder: folder})
	if err := os.WriteFile(filepath.Join(folder, "1"+unfinished), []byte("acme"), 0o600); err != nil {
		t.Fatal(err)
	}
	gone, _ := removed("acme")(t.Context())
	if err := Forget(folder, gone); err != nil {
		t.Fatal(err)
	}
	if holds(t, folder, "acme") {
		t.Error("the removed seller is in a file")
	}
	if _, err := Read(t.Context(), folder, nil); err == nil || !strings.Contains(err.Error(), "souk build") {
		t.Errorf("the parts that are left are read, or the reader is not told what to do: %v", err)
	}
	if len(told(open)) != 12 {
		t.Error("whoever had the parts open is disturbed")
	}
	m.Apply(catalog.Change{Now: now(), Removals: gone})
	next := mustWrite(t, m.corpus(), Options{Folder: folder, Previous: open, Removals: removed("acme")})
	fresh := mustWrite(t, m.corpus(), Options{})
	if len(next.Views) != 1 || !slices.Equal(postingsOf(t, next.Views[0].Part), postingsOf(t, fresh.Views[0].Part)) {
		t.Errorf("what remains has the postings\n%q, what is written of the catalog\n%q", postingsOf(t, next.Views[0].Part), postingsOf(t, fresh.Views[0].Part))
	}
	if got := namesOf(next); len(got) != 24 || !slices.Equal(got, namesOf(fresh)) {
		t.Errorf("what remains has the names\n%q, what is written of the catalog\n%q", got, namesOf(fresh))
	}
	if got := valuesOf(next); !slices.Equal(got, valuesOf(fresh)) || !slices.Equal(next.Views[0].Values(), fresh.Views[0].Values()) {
		t.Errorf("what remains has the values\n%q, what is written of the catalog\n%q", got, valuesOf(fresh))
	}
	if len(told(next)) != 8 || holds(t, folder, "acme") {
		t.Errorf("%q are told, and a file holds the removed seller: %v", told(next), holds(t, folder, "acme"))
	}
}

// A killed writer may leave text of a removed seller in files that the head does not name.
func TestTheNextWriteDeletesFilesOfAKilledWriterButNotOfAnActiveOne(t *testing.T) {
	folder, m, before := t.TempDir(), newMarket(3, "brass"), State{Release: "1"}
	begin := func(name string) string {
		path := filepath.Join(folder, name+unfinished)
		if err := os.WriteFile(path, []byte("acme"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	there := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	for name, write := range map[string]func(o Options) (*Set, error){
		"all": func(o Options) (*Set, error) { return Write(t.Context(), m.corpus(), o) },
		"what changed": func(o Options) (*Set, error) {
			d := m.Apply(catalog.Change{Now: now(), Put: []catalog.Item{product("brass", "new", "New thing")}})
			return Update(t.Context(), m.Catalog, document.NewRenderer(m.Catalog, ""), Change{before, changed(d)}, o)
		},
	} {
		mustWrite(t, m.corpus(), Options{Folder: folder, State: before})
		left, others := begin("left"), ""
		set, err := write(Options{Folder: folder, State: State{Release: name}, Removals: func(ctx context.Context) (*catalog.Removals, error) {
			others = begin("others") // as another process does concurrently
			return removed()(ctx)
		}})
		if err != nil {
			t.Fatal(name, err)
		}
		if err := set.Close(); err != nil {
			t.Fatal(err)
		}
		if there(left) || !there(others) {
			t.Errorf("%s: what was left is there: %v, what another begins: %v", name, there(left), there(others))
		}
	}
}

// Other sellers' parts are not rewritten after a removal, so they must never contain the
// name.
func TestNoPartContainsNamesOfLinkedOrPinnedItems(t *testing.T) {
	folder, m := t.TempDir(), newMarket(2, "acme", "brass")
	source := "Fits [that](product:acme/p0), <seller:acme> and [this][1]: https://m.example/companies/acme\n\n[1]: product:acme/p1"
	text := catalog.Text{Source: source, Edits: markdown.Parse(source).Edits, Targets: make([]catalog.Target, 3)}
	arms := &catalog.Category{Head: catalog.Head{Ref: catalog.CategoryRef(catalog.KindProduct, "arms"), Name: "Arms"}}
	arms.Pins = []catalog.Mention{{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "acme", Slug: "p0"}}}
	belt := product("brass", "belt", "Belt")
	belt.Description, belt.Proof = text, []catalog.Proof{{Kind: "review", URL: "https://m.example/companies/acme"}}
	m.put(arms, belt, &catalog.Article{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindArticle, Slug: "how"}, Name: "How", Description: text}})
	open := mustWrite(t, m.corpus(), Options{Folder: folder})
	gone, _ := removed("acme")(t.Context())
	if err := Forget(folder, gone); err != nil {
		t.Fatal(err)
	}
	m.Apply(catalog.Change{Now: now(), Removals: gone})
	mustWrite(t, m.corpus(), Options{Folder: folder, Previous: open, Removals: removed("acme")})
	if !holds(t, folder, "Fits that") || holds(t, folder, "acme") {
		t.Errorf("what brass wrote is there: %v, and so is acme: %v", holds(t, folder, "Fits that"), holds(t, folder, "acme"))
	}
}

func TestASellerRemovedDuringAWriteIsInNoFile(t *testing.T) {
	folder, m := t.TempDir(), newMarket(3, "acme", "brass")
	asked := 0
	_, err := Write(t.Context(), m.corpus(), Options{Folder: folder, Removals: func(ctx context.Context) (*catalog.Removals, error) {
		if asked++; asked == 1 {
			return removed()(ctx)
		}
		return removed("acme")(ctx)
	}})
	if !errors.Is(err, ErrRemoved) || holds(t, folder, "acme") || asked != 2 {
		t.Errorf("%v, asked %d times, and a file holds the removed seller: %v", err, asked, holds(t, folder, "acme"))
	}
}

func TestDeletedDocumentsOfARemovedSellerAreForgottenToo(t *testing.T) {
	folder, m := t.TempDir(), newMarket(6, "acme", "brass")
	first := mustWrite(t, m.corpus(), Options{Folder: folder})
	m.Apply(catalog.Change{Now: now(), Delete: []catalog.Ref{{Kind: catalog.KindProduct, Company: "acme", Slug: "p1"}}})
	second := mustWrite(t, m.corpus(), Options{Folder: folder, Previous: first})
	if second.Views[0].Whole() || !holds(t, folder, "acme thing 1") {
		t.Fatal("nothing in the part is not living, which tests nothing")
	}
	gone, _ := removed("acme")(t.Context())
	if err := Forget(folder, gone); err != nil || holds(t, folder, "acme") {
		t.Errorf("%v, and a file holds the removed seller: %v", err, holds(t, folder, "acme"))
	}
}

func TestAPartOfARemovedCompanyWithoutOffersIsDeleted(t *testing.T) {
	folder, m := t.TempDir(), newMarket(3, "brass")
	m.put(seller("acme"))
	mustWrite(t, m.corpus(), Options{Folder: folder})
	if !holds(t, folder, "acme") {
		t.Fatal("the company is in no file")
	}
	gone, _ := removed("acme")(t.Context())
	if err := Forget(folder, gone); err != nil || holds(t, folder, "acme") {
		t.Errorf("%v, and a file holds the removed company: %v", err, holds(t, folder, "acme"))
	}
}

// The seller had another companySlug when the part was written, and the parts no longer
// show whose that was.
func TestDocumentsAtAFormerSlugOfARemovedSellerAreForgottenToo(t *testing.T) {
	folder, m := t.TempDir(), newMarket(40, "old", "brass", "copper")
	s := mustWrite(t, m.corpus(), Options{Folder: folder})
	// Its own document moves to another part, and the removal of another seller rewrites
	// the first part without it.
	edited := seller("old")
	edited.ID, edited.Summary = "acme-id", "edited"
	m.put(edited)
	s = mustWrite(t, m.corpus(), Options{Folder: folder, Previous: s})
	gone, _ := removed("copper")(t.Context())
	m.Apply(catalog.Change{Now: now(), Removals: gone})
	s = mustWrite(t, m.corpus(), Options{Folder: folder, Previous: s, Removals: removed("copper")})
	// Then it is renamed.
	renamed := seller("new")
	renamed.ID = "acme-id"
	m.Apply(catalog.Change{Now: now(), Put: []catalog.Item{renamed, product("new", "p0", "New thing")}, Delete: refsOf(m, "old")})
	s = mustWrite(t, m.corpus(), Options{Folder: folder, Previous: s, Removals: removed("copper")})
	for i := range 6 {
		m.put(product("brass", fmt.Sprint("q", i), fmt.Sprint("thing ", i)))
		s = mustWrite(t, m.corpus(), Options{Folder: folder, Previous: s, Removals: removed("copper")})
	}
	both := catalog.NewRemovals([]catalog.Removal{{ID: "acme-id", Slug: "new", Addresses: []string{"/marketplace/companies/new", "/marketplace/companies/old"}}})
	if err := Forget(folder, both); err != nil {
		t.Fatal(err)
	}
	all, err := Companies(folder)
	if err != nil || slices.ContainsFunc(all, func(h Holder) bool { return h.Slug == "old" || h.Slug == "new" }) {
		t.Errorf("parts are left that hold it: %v, %v", all, err)
	}
}

func refsOf(m market, company string) (refs []catalog.Ref) {
	refs = append(refs, catalog.SellerRef(company))
	for i := range 40 {
		refs = append(refs, catalog.RefOf(product(company, fmt.Sprint("p", i), "")))
	}
	return refs
}

func TestAnEditWritesLittleAndManyEditsDoNotAccumulate(t *testing.T) {
	folder, m := t.TempDir(), newMarket(200, "a", "b", "c", "d")
	s := mustWrite(t, m.corpus(), Options{Folder: folder})
	base := s.Views[0].name
	for i := range 40 {
		m.put(product("a", "p0", fmt.Sprint("edit ", i)))
		s = mustWrite(t, m.corpus(), Options{Folder: folder, Previous: s})
	}
	if s.Views[0].name != base || len(s.Views) > 3 {
		t.Errorf("%d parts, of which the first is new: %v", len(s.Views), s.Views[0].name != base)
	}
}

func TestDamageIsReportedOnceAndRepaired(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"a changed byte": func(path string) error {
			data, err := os.ReadFile(path)
			if err == nil {
				data[len(data)/2] ^= 1
				err = os.WriteFile(path, data, 0o600)
			}
			return err
		},
		"a cut file":  func(path string) error { return os.Truncate(path, 10) },
		"an empty":    func(path string) error { return os.Truncate(path, 0) },
		"a lost file": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			folder, m := t.TempDir(), newMarket(2, "a")
			mustWrite(t, m.corpus(), Options{Folder: folder})
			if err := spoil(files(t, folder)[0]); err != nil {
				t.Fatal(err)
			}
			if _, err := Read(t.Context(), folder, nil); err == nil {
				t.Error("it is read all the same")
			}
			var log bytes.Buffer
			s := mustWrite(t, m.corpus(), Options{Folder: folder, Log: slog.New(slog.NewTextHandler(&log, nil))})
			if len(told(s)) != 3 || strings.Count(log.String(), "\n") != 1 {
				t.Errorf("%d documents, log %q", len(told(s)), log.String())
			}
			if _, err := Read(t.Context(), folder, nil); err != nil {
				t.Errorf("it is not mended: %v", err)
			}
		})
	}
}

func TestTheErrorForAFolderWithoutPartsSaysWhatWritesThem(t *testing.T) {
	_, err := Read(t.Context(), t.TempDir(), nil)
	if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "souk build") {
		t.Error(err)
	}
}

func TestKeywordsOfASellerAreWordsOfItsListingsEvenAfterAnEdit(t *testing.T) {
	folder, m, before := t.TempDir(), newMarket(2, "a", "b"), State{Release: "1"}
	found := func(s *Set, word string) (list []string) {
		for _, v := range s.Views {
			if err := v.Terms().Each(terms.Exact, ExactSellerWord+Language("en").Stem(word), func(p terms.Posting) {
				if v.Lives(p.Document) && v.Kind(int(p.Document)).Offer() {
					list = append(list, v.Ref(int(p.Document)).Company)
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		return slices.Compact(list)
	}
	set := mustWrite(t, m.corpus(), Options{Folder: folder, State: before})
	if got := found(set, "roastery"); got != nil {
		t.Errorf("the word is of %q before the edit", got)
	}
	s := seller("a")
	s.Keywords = []string{"Roastery"}
	m.update(t, folder, before, State{Release: "2"}, m.Apply(catalog.Change{Now: now(), Put: []catalog.Item{s}}))
	set, err := Read(t.Context(), folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := found(set, "roastery"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("the word is of %q after the edit", got)
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
}
