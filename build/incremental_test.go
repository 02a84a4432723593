package build_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build"
	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/build/release"
)

// A market is a content folder that a test edits, with a Builder that follows
// it and a clock.
type market struct {
	dir     string
	now     time.Time
	removed map[string]bool
	builder *build.Builder
	builds  int
	touched map[string]bool
	// history contains the addresses that removed sellers ever had.
	history []string
	// recorded means that each removal contains the addresses of its seller. If not, no
	// seller is renamed, since a machine without history does not know whose a former
	// address was.
	recorded bool
	// good means that there is a copy of the last good content.
	good bool
	// plain means that documents have no compressed twins.
	plain bool
	// commands means that each build is a new process, which exits afterwards.
	commands bool
	// stays means that the Builder is long-lived. second is another long-lived one, or nil.
	stays  bool
	second *build.Builder
	// warnings counts the warnings of the last fresh build.
	warnings int
}

func (m *market) config(public, state string) build.Config {
	precompress := release.Precompress(2048)
	if m.plain {
		precompress = release.NoPrecompress
	}
	return build.Config{
		Pages:    true,
		Snapshot: true,
		Content:  filepath.Join(m.dir, "content"), Public: filepath.Join(m.dir, public), State: filepath.Join(m.dir, state),
		Clock: func() time.Time { return m.now }, Precompress: precompress, Program: "test", LongLived: !m.commands && m.builds%2 == 0,
	}
}

// set returns a removal for each of removed; false marks a restored one.
func (m *market) set() *catalog.Removals {
	var list []catalog.Removal
	for _, slug := range slices.Sorted(maps.Keys(m.removed)) {
		one := catalog.Removal{ID: slug, Domain: slug + ".example", Slug: slug, Addresses: m.history}
		if m.recorded {
			one.Addresses = addressesOf(slug)
		}
		if !m.removed[slug] {
			one.Undone = m.now
		}
		list = append(list, one)
	}
	return catalog.NewRemovals(list)
}

// addressesOf returns the addresses that a seller may have had, under its companySlug and
// the previous one.
func addressesOf(slug string) (all []string) {
	for _, company := range []string{slug, "was-" + slug} {
		all = append(all, "/marketplace/companies/"+company)
		for _, offer := range offerSlugs {
			all = append(all, "/marketplace/companies/"+company+"/products/"+offer)
		}
	}
	return all
}

func (m *market) write(path, text string) {
	file := filepath.Join(m.dir, "content", filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		panic(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		panic(err)
	}
	when := m.tick()
	if err := os.Chtimes(file, when, when); err != nil {
		panic(err)
	}
	m.touched[path] = true
}

// tick returns a time that no file has, since the cache must distinguish two edits within
// one tick of the clock.
func (m *market) tick() time.Time {
	m.builds++
	return time.Unix(1_700_000_000+int64(m.builds), 0)
}

// touch changes the times of all sellers' files, but not their bytes.
func (m *market) touch(t *rapid.T) {
	when := m.tick()
	err := filepath.WalkDir(filepath.Join(m.dir, "content", "sellers"), func(file string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(file, when, when)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (m *market) remove(path string) {
	if err := os.RemoveAll(filepath.Join(m.dir, "content", filepath.FromSlash(path))); err != nil {
		panic(err)
	}
	m.touched[path] = true
}

var (
	sellerSlugs   = []string{"acme", "bolt", "cord"}
	offerSlugs    = []string{"arm", "base", "claw", "dome"}
	categorySlugs = []string{"robots", "tools", "small"}
)

// head draws the fields that every file may contain.
func head(t *rapid.T) string {
	var b strings.Builder
	if s := rapid.SampledFrom([]string{"", "", "", "", "draft", "unpublished"}).Draw(t, "status"); s != "" {
		fmt.Fprintf(&b, "status: %s\n", s)
	}
	if rapid.IntRange(0, 3).Draw(t, "dated") == 0 {
		fmt.Fprintf(&b, "publishedAt: 2026-01-%02d\n", rapid.IntRange(1, 28).Draw(t, "day"))
	}
	if rapid.IntRange(0, 3).Draw(t, "expires") == 0 {
		fmt.Fprintf(&b, "expiresAt: 2026-02-%02d\n", rapid.IntRange(1, 28).Draw(t, "day"))
	}
	if rapid.IntRange(0, 2).Draw(t, "updated") == 0 {
		fmt.Fprintf(&b, "updatedAt: 2026-01-%02d\n", rapid.IntRange(1, 28).Draw(t, "day"))
	}
	return b.String()
}

func name(t *rapid.T) string {
	return rapid.SampledFrom([]string{"Alpha", "alpha", "Beta", "Gamma", "Delta Nine", "Ömega"}).Draw(t, "name")
}

func reference(t *rapid.T) string {
	seller := rapid.SampledFrom(sellerSlugs).Draw(t, "seller")
	return rapid.SampledFrom([]string{
		"seller:" + seller,
		"product:" + seller + "/" + rapid.SampledFrom(offerSlugs).Draw(t, "offer"),
		"category:product/" + rapid.SampledFrom(categorySlugs).Draw(t, "category"),
		"article:news", "marketMap:atlas",
	}).Draw(t, "reference")
}

// webAddress draws an absolute address in this marketplace or another one.
func webAddress(t *rapid.T) string {
	return rapid.SampledFrom([]string{"https://market.example", "https://market.example/api/v1/marketplace", "https://Market.example:443/.", "https://other.example"}).Draw(t, "site") +
		"/companies/" + rapid.SampledFrom(append(formerSlugs, sellerSlugs...)).Draw(t, "company") +
		rapid.SampledFrom([]string{"", ".json", "/claim", "/products/arm", "/products/claw.md"}).Draw(t, "what of it")
}

func references(t *rapid.T) string {
	list := rapid.SliceOfN(rapid.Custom(reference), 0, 2).Draw(t, "related")
	if len(list) == 0 {
		return ""
	}
	return "related:\n  - " + strings.Join(list, "\n  - ") + "\n"
}

// formerSlugs are slugs of sellers that do not exist now, and one of a seller that may.
var formerSlugs = []string{"was-acme", "was-bolt", "elder", "cord"}

// aliases draws former References of an item. It is a mistake if two items claim one or if
// it is a current address.
func aliases(t *rapid.T, former ...string) string {
	if rapid.IntRange(0, 2).Draw(t, "aliased") > 0 {
		return ""
	}
	list := rapid.SliceOfNDistinct(rapid.SampledFrom(former), 0, 2, rapid.ID).Draw(t, "aliases")
	return "aliases: [" + strings.Join(list, ", ") + "]\n"
}

func formerSellers(slug string) (all []string) {
	for _, former := range formerSlugs {
		if former != slug {
			all = append(all, "seller:"+former)
		}
	}
	return all
}

// formerProducts returns References below the seller itself, below its former slugs and
// below other sellers.
func formerProducts(seller, slug string) (all []string) {
	for _, company := range append([]string{seller, "bolt", "ghost"}, formerSlugs...) {
		for _, former := range []string{"gone", "lost", offerSlugs[3]} {
			if ref := "product:" + company + "/" + former; (company != seller || former != slug) && !slices.Contains(all, ref) {
				all = append(all, ref)
			}
		}
	}
	return all
}

func (m *market) seller(t *rapid.T, slug string) {
	logo := ""
	if rapid.Bool().Draw(t, "logo") {
		logo = "    logo: media/" + rapid.SampledFrom([]string{"one.svg", "two.svg", "photo.png"}).Draw(t, "picture") + "\n"
	}
	m.write("sellers/"+slug+"/media/one.svg", square(1))
	m.write("sellers/"+slug+"/media/two.svg", square(rapid.IntRange(2, 3).Draw(t, "size")))
	m.write("sellers/"+slug+"/media/photo.png", rapid.SampledFrom(photos).Draw(t, "photo"))
	summary := rapid.SampledFrom([]string{"", "    summary: One.\n", "    summary: Two.\n    tagline: Two\n", "    headquarters: {country: DE}\n", "    headquarters: {country: PT}\n"}).Draw(t, "what it does")
	if rapid.IntRange(0, 2).Draw(t, "whether it links") == 0 {
		summary += "    website: " + webAddress(t) + "\n    links: [{label: L, url: \"" + webAddress(t) + "\"}]\ndetails: [{label: D, value: \"" + webAddress(t) + "\"}]\n"
	}
	summary += rapid.SampledFrom([]string{"", "keywords: [roastery]\n", "keywords: [roastery, beans]\n"}).Draw(t, "how it is found")
	former := ""
	if m.recorded {
		former = aliases(t, formerSellers(slug)...)
	}
	m.write("sellers/"+slug+"/seller.yaml", fmt.Sprintf("officialDomain: %s.example\nversions:\n  - version: 1\n    name: %s\n%s%scategories: [product/%s]\n%s%s%s",
		slug, name(t), logo, summary, rapid.SampledFrom(categorySlugs).Draw(t, "category"), head(t), references(t), former))
}

func square(size int) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><path d="M0 0h1v1z"/></svg>`, size, size)
}

func (m *market) product(t *rapid.T, seller, slug string) {
	media := ""
	if rapid.IntRange(0, 2).Draw(t, "media") == 0 {
		media = "media:\n  - {file: ../media/" + rapid.SampledFrom([]string{"two.svg", "photo.png", "../../acme/media/two.svg"}).Draw(t, "shown") + ", alt: two}\n"
	}
	price := rapid.SampledFrom([]string{"", "", "price: {amount: 12.50, currency: EUR}\n", "price: {amount: 99, currency: EUR}\n", "price: {amount: 5, currency: CHF}\n"}).Draw(t, "price")
	price += properties(t)
	if rapid.IntRange(0, 3).Draw(t, "proven") == 0 {
		price += "proof: [{kind: review, public: true, title: It works, url: \"" + webAddress(t) + "\"}]\n"
	}
	text := fmt.Sprintf("name: %s\n%ssummary: %s\ncategories: [%s]\n%s%s%s%s", name(t), price, rapid.SampledFrom([]string{"one", "two"}).Draw(t, "summary"),
		rapid.SampledFrom(categorySlugs).Draw(t, "category"), head(t), references(t), media, aliases(t, formerProducts(seller, slug)...))
	base := "sellers/" + seller + "/products/" + slug
	m.remove(base + ".md")
	m.remove(base + ".yaml")
	if rapid.Bool().Draw(t, "markdown") {
		m.write(base+".md", "---\n"+text+"---\n\nSee [it]("+reference(t)+") and ![two](../media/two.svg).\n")
	} else {
		m.write(base+".yaml", text)
	}
}

// properties draws attributes of a product and its variants: of each type, and in units of
// the same and of different dimensions.
func properties(t *rapid.T) string {
	attribute := rapid.SampledFrom([]string{
		"Reach: {value: 850, unit: mm}", "Reach: {value: 0.85, unit: m}", "reach: {value: 3, unit: ft}", "Reach: 7", "Reach: far", "Reach: {value: 2, unit: kg}",
		"Colour: Red", "colour: red", "Colour: Blue", "Colour: Grün", "Colour: grun", "Foldable: true", "foldable: false",
	})
	list := func(indent string) (text string) {
		seen := map[string]bool{}
		for _, one := range rapid.SliceOfN(attribute, 0, 3).Draw(t, "attributes") {
			if name, _, _ := strings.Cut(one, ":"); !seen[name] {
				text, seen[name] = text+indent+"  "+one+"\n", true
			}
		}
		if text != "" {
			text = indent + "attributes:\n" + text
		}
		return text
	}
	text := list("")
	if variants := rapid.IntRange(0, 2).Draw(t, "variants"); variants > 0 {
		text += "variants:\n"
		for i := range variants {
			text += fmt.Sprintf("  - name: V%d\n", i) + list("    ")
		}
	}
	return text
}

// synonyms edits the synonyms, which only search uses.
func (m *market) synonyms(t *rapid.T) {
	m.remove("synonyms.yaml")
	if text := rapid.SampledFrom([]string{"", "- [arm, limb]\n", "- {from: arm, to: limb}\n", "- [arm]\n"}).Draw(t, "words"); text != "" {
		m.write("synonyms.yaml", text)
	}
}

func (m *market) category(t *rapid.T, slug string) {
	parent := ""
	if p := rapid.SampledFrom(append([]string{"", ""}, categorySlugs...)).Draw(t, "parent"); p != "" {
		parent = "parent: " + p + "\n"
	}
	if rapid.IntRange(0, 3).Draw(t, "pins") == 0 {
		parent += "pins: [product:" + rapid.SampledFrom(sellerSlugs).Draw(t, "seller") + "/" + rapid.SampledFrom(offerSlugs).Draw(t, "pinned") + "]\n"
	}
	m.write("categories/product/"+slug+".yaml", fmt.Sprintf("name: %s\n%s%s%s%s", name(t), parent, head(t), references(t),
		aliases(t, "category:product/machines", "category:product/gear")))
}

func (m *market) editorial(t *rapid.T) {
	shown := rapid.SampledFrom([]string{"", "![it](media/news.svg)\n\n", "![it](../sellers/acme/media/two.svg)\n\n"}).Draw(t, "picture of the article")
	m.write("articles/media/news.svg", square(rapid.IntRange(4, 5).Draw(t, "size")))
	m.write("articles/news.md", fmt.Sprintf("---\ntitle: %s\nauthors: [%s]\n%s%s%s---\n%sRead [this](%s), [that][r] and [more](%s).\n\n[r]: %s\n", name(t), name(t), head(t), references(t), aliases(t, "article:olds", "article:older"), shown, reference(t), webAddress(t), reference(t)))
	seller := rapid.SampledFrom(sellerSlugs).Draw(t, "seller")
	// The document of a large map has another form.
	more := strings.Repeat("  - {name: More, entries: [seller:acme, product:acme/arm]}\n", rapid.SampledFrom([]int{0, 0, 60}).Draw(t, "more segments"))
	m.write("market-maps/atlas.yaml", fmt.Sprintf("title: %s\n%s%ssegments:\n  - name: One\n    category: product/%s\n    entries:\n      - seller:%s\n      - product:%s/%s\n"+more, name(t), head(t), aliases(t, "marketMap:globe"),
		rapid.SampledFrom(categorySlugs).Draw(t, "category"), seller, rapid.SampledFrom(sellerSlugs).Draw(t, "seller"), rapid.SampledFrom(offerSlugs).Draw(t, "offer")))
}

// edit applies one random edit to the marketplace.
func (m *market) edit(t *rapid.T) {
	seller := rapid.SampledFrom(sellerSlugs).Draw(t, "which seller")
	offer := rapid.SampledFrom(offerSlugs).Draw(t, "which offer")
	switch rapid.SampledFrom([]string{
		"product", "product", "product", "delete product", "rename", "rename seller", "seller", "category", "editorial", "clock", "removal", "picture", "restart", "bulk", "market", "texts", "own", "own", "theme", "synonyms",
	}).Draw(t, "edit") {
	case "product":
		m.product(t, seller, offer)
	case "delete product":
		m.remove("sellers/" + seller + "/products/" + offer + ".yaml")
		m.remove("sellers/" + seller + "/products/" + offer + ".md")
	case "rename":
		m.remove("sellers/" + seller + "/products/" + offer + ".yaml")
		m.remove("sellers/" + seller + "/products/" + offer + ".md")
		m.product(t, seller, rapid.SampledFrom(offerSlugs).Draw(t, "new name"))
	case "rename seller":
		if !m.recorded {
			return
		}
		m.renameSeller(t, seller, rapid.SampledFrom(append(sellerSlugs, formerSlugs...)).Draw(t, "new name"))
	case "seller":
		m.seller(t, seller)
	case "category":
		m.category(t, rapid.SampledFrom(categorySlugs).Draw(t, "which category"))
	case "editorial":
		m.editorial(t)
	case "clock":
		m.now = time.Date(2026, 1, rapid.IntRange(1, 70).Draw(t, "today"), 0, 0, 0, 0, time.UTC)
	case "removal":
		m.removed[seller] = !m.removed[seller]
	case "picture":
		m.write("sellers/"+seller+"/media/two.svg", square(rapid.IntRange(2, 9).Draw(t, "size")))
		m.write("sellers/"+seller+"/media/photo.png", rapid.SampledFrom(photos).Draw(t, "photo"))
	case "restart":
		if rapid.Bool().Draw(t, "checked out anew") {
			m.touch(t)
		}
		m.restart(t)
		if rapid.Bool().Draw(t, "built at once") {
			// The next build reports its mistakes.
			if report, err := m.builder.Build(context.Background(), m.set()); err == nil && len(report.HeldBack) == 0 {
				m.remember(t)
			}
			m.touched = map[string]bool{}
		}
	case "bulk":
		// Add more than a page of products, so that lists have several pages.
		for i := range rapid.IntRange(0, 2).Draw(t, "hundreds") * 60 {
			m.write(fmt.Sprintf("sellers/%s/products/item-%d.yaml", seller, i), fmt.Sprintf("name: Item %d\ncategories: [tools]\n", i))
		}
	case "market":
		m.write("marketplace.yaml", "name: "+name(t)+"\nsiteUrl: https://market.example\n"+rapid.SampledFrom([]string{"", "language: de\n", "language: nl\n"}).Draw(t, "language")+
			rapid.SampledFrom([]string{"", "theme: {accent: '#123456'}\n", "theme: {font: slab, logo: theme/paper.svg}\n"}).Draw(t, "look")+
			rapid.SampledFrom([]string{"", fmt.Sprintf("description: 'See [this](%s) and ![two](sellers/acme/media/two.svg).'\n", reference(t))}).Draw(t, "description"))
	case "synonyms":
		m.synonyms(t)
	case "own":
		m.own(t)
	case "theme":
		m.theme(t)
	case "texts":
		file := "texts/" + rapid.SampledFrom([]string{"de", "en", "nl"}).Draw(t, "language of the texts") + ".yaml"
		m.remove(file)
		if text := rapid.SampledFrom([]string{"", "action.claim: C\n", "action.viewSeller: A {company}\n", "action.viewSeller: A {firm}\n"}).Draw(t, "texts"); text != "" {
			m.write(file, text)
		}
	}
}

// theme edits the theme: valid and failing templates, a style sheet and the files that it
// uses.
func (m *market) theme(t *rapid.T) {
	files := map[string][]string{
		"product.html.tmpl": {`{{define "main"}}<h1>{{.Doc.Name}}</h1>{{end}}`, `{{define "main"}}{{.Doc.Nmae}}{{end}}`, `{{define "main"}}`},
		"_parts.html.tmpl":  {`{{define "price"}}{{price .}}!{{end}}`, `{{define "cards"}}{{len .}}{{end}}`},
		"gone.html.tmpl":    {`{{define "main"}}Gone.{{end}}`, `{{define "main"}}Away.{{end}}`},
		"_frame.html.tmpl":  {`<html lang="{{.Market.Language}}"><head>{{template "head" .}}</head><body>{{template "main" .}}</body></html>`, `<body>{{template "main" .}}</body>`},
		"style.css":         {"a { color: red }", "a { background: url(paper.svg) }"},
		"paper.svg":         {square(11), square(12)},
		"logo.svg":          {square(13)},
	}
	name := rapid.SampledFrom(slices.Sorted(maps.Keys(files))).Draw(t, "file of the theme")
	m.remove("theme/" + name)
	if rapid.IntRange(0, 2).Draw(t, "deleted") > 0 {
		m.write("theme/"+name, rapid.SampledFrom(files[name]).Draw(t, "bytes"))
	}
}

// own edits the operator's files: pages, one of which may clash with another file, and a
// robots.txt that replaces ours.
func (m *market) own(t *rapid.T) {
	name := rapid.SampledFrom([]string{"imprint.md", "about/team.md", "imprint.html", "robots.txt", ".well-known/security.txt", "Imprint.md", "search.html"}).Draw(t, "own file")
	path := "site/" + name
	switch ending := filepath.Ext(name); {
	case rapid.IntRange(0, 2).Draw(t, "deleted") == 0:
		m.remove(path)
	case ending == ".md":
		menu := rapid.SampledFrom([]string{"", "menu: One\n", "menu: Two\norder: 1\n"}).Draw(t, "menu")
		m.write(path, fmt.Sprintf("---\ntitle: Own\n%s%s---\nSee [this](%s) and ![two](../sellers/acme/media/two.svg).\n", menu, head(t), reference(t)))
	default:
		m.write(path, rapid.SampledFrom([]string{"one\n", "two\n"}).Draw(t, "bytes"))
	}
}

// renameSeller renames a seller's folder and adds the former slug as an alias.
func (m *market) renameSeller(t *rapid.T, from, to string) {
	old, file := filepath.Join(m.dir, "content", "sellers", from), filepath.Join("sellers", to, "seller.yaml")
	if _, err := os.Stat(filepath.Join(m.dir, "content", "sellers", to)); from == to || err == nil {
		return
	}
	if err := os.Rename(old, filepath.Join(m.dir, "content", "sellers", to)); err != nil {
		return // it no longer exists
	}
	m.touched["sellers"] = true
	data, err := os.ReadFile(filepath.Join(m.dir, "content", file))
	if err != nil {
		return
	}
	text := string(data)
	if !strings.Contains(text, "aliases:") && rapid.Bool().Draw(t, "told") {
		text += "aliases: [seller:" + from + "]\n"
	}
	m.write(filepath.ToSlash(file), text)
}

func (m *market) restart(t *rapid.T) {
	m.builds++
	var err error
	config := m.config("public", "var")
	m.stays = config.LongLived
	if m.builder, err = build.New(config); err != nil {
		t.Fatal(err)
	}
	m.touched = map[string]bool{}
}

func newMarket(t *rapid.T) *market {
	// This test writes thousands of small files. Write them to memory if possible, since
	// the disk is not under test.
	memory := "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		memory = ""
	}
	dir, err := os.MkdirTemp(memory, "souk-incremental-")
	if err != nil {
		t.Fatal(err)
	}
	m := &market{dir: dir, now: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC), removed: map[string]bool{}, touched: map[string]bool{}}
	m.recorded = rapid.IntRange(0, 3).Draw(t, "recorded") > 0
	m.write("marketplace.yaml", "name: Market\nsiteUrl: https://market.example\n")
	for _, slug := range categorySlugs {
		m.write("categories/product/"+slug+".yaml", "name: "+slug+"\n")
	}
	for _, seller := range sellerSlugs {
		m.seller(t, seller)
		for _, offer := range offerSlugs {
			m.write("sellers/"+seller+"/products/"+offer+".yaml", "name: "+offer+"\ncategories: [tools]\n")
		}
	}
	m.editorial(t)
	m.restart(t)
	return m
}

func TestAnySequenceOfEditsEndsInWhatAFreshBuildMakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMarket(t)
		defer os.RemoveAll(m.dir)
		ctx := context.Background()
		build := func() (build.Report, error) {
			paths := slices.Sorted(maps.Keys(m.touched))
			if len(paths) == 0 {
				paths = []string{"marketplace.yaml"}
			}
			if rapid.IntRange(0, 4).Draw(t, "whole") == 0 {
				paths = []string{"."}
			}
			report, err := m.builder.Build(ctx, m.set(), paths...)
			m.touched = map[string]bool{}
			return report, err
		}
		report, err := m.builder.Build(ctx, m.set())
		if err != nil && !isMistakes(err) {
			t.Fatal(err)
		}
		m.touched = map[string]bool{}
		m.compare(t, -1, report, err)
		for step := range rapid.IntRange(1, 8).Draw(t, "steps") {
			for range rapid.IntRange(1, 3).Draw(t, "edits") {
				m.edit(t)
			}
			if m.stays && rapid.IntRange(0, 2).Draw(t, "another process builds") == 0 {
				m.another(t)
				for range rapid.IntRange(0, 2).Draw(t, "edits after it") {
					m.edit(t)
				}
			}
			report, err := build()
			if err != nil && !isMistakes(err) {
				t.Fatal(err)
			}
			m.compare(t, step, report, err)
		}
	})
}

func isMistakes(err error) bool { return errors.As(err, new(*problem.Error)) }

// another builds with another process: one that exits afterwards, or a second long-lived
// one.
func (m *market) another(t *rapid.T) {
	config := m.config("public", "var")
	config.LongLived = rapid.Bool().Draw(t, "stays")
	other := m.second
	if other == nil || !config.LongLived || rapid.IntRange(0, 3).Draw(t, "is new") == 0 {
		var err error
		if other, err = build.New(config); err != nil {
			t.Fatal(err)
		}
	}
	if config.LongLived {
		m.second = other
	}
	report, err := other.Build(context.Background(), m.set(), build.Whole)
	if err != nil && !isMistakes(err) {
		t.Fatal(err)
	}
	if err == nil && len(report.HeldBack) == 0 {
		m.remember(t)
	}
}

// compare compares the output with a fresh build of the content. If a step introduced
// mistakes, the release must contain the previous content, with the current clock and
// removals.
func (m *market) compare(t *rapid.T, step int, report build.Report, err error) {
	public := fmt.Sprintf("fresh-%d", step)
	freshErr := m.fresh(t, "content", public)
	told, lacking := mistakesOf(err), 0
	if err == nil && len(report.HeldBack) > 0 {
		// The content that is held back may have deleted a picture, which a restored seller
		// shows, or an operator's file.
		told = slices.DeleteFunc(report.HeldBack, func(p problem.Problem) bool { return strings.Contains(p.Text, " changed or is gone") })
		lacking = len(report.HeldBack) - len(told)
		if !m.good {
			t.Fatal("held back, although nothing was good before")
		}
		public += "-good"
		switch err := m.fresh(t, "good", public); {
		case isMistakes(err):
			return // a restored seller waits until they are fixed
		case err != nil:
			t.Fatal(err)
		}
	}
	if fmt.Sprint(told) != fmt.Sprint(mistakesOf(freshErr)) {
		t.Fatalf("the mistakes differ:\nstep by step: %v\nafresh: %v", told, mistakesOf(freshErr))
	}
	if err != nil {
		return
	}
	if len(report.HeldBack) == 0 {
		m.remember(t)
	}
	got, want := readTree(t, filepath.Join(m.dir, "public")), readTree(t, filepath.Join(m.dir, public))
	differs := false
	for file := range want {
		// A machine without history does not know which former addresses were a removed
		// seller's either.
		gone := strings.Contains(file, "companies/was-") && got[release.StubOf(file)] != nil
		if got[file] == nil && (gone || lacking > 0 && strings.HasPrefix(file, "media/")) {
			differs = true
			delete(want, file)
		}
	}
	for _, file := range []string{"robots.txt", ".well-known/security.txt", "imprint.html"} {
		if lacking > 0 && !bytes.Equal(got[file], want[file]) {
			differs = true
			delete(got, file)
			delete(want, file)
		}
	}
	for file := range got {
		if want[file] == nil && strings.Contains(file, ".gone.") {
			// The last releases may know addresses that the content no longer contains.
			differs = true
			delete(got, file)
		}
	}
	if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
		t.Fatalf("the files differ:\nonly step by step: %v\nonly afresh: %v", without(a, b), without(b, a))
	}
	if excess, missing := sitemapDifference("https://market.example", want); len(excess)+len(missing) > 0 {
		t.Fatalf("the sitemaps list %v, which no page answers, and miss %v", excess, missing)
	}
	says := func(public string) string {
		kept, err := os.ReadFile(filepath.Join(m.dir, public+".release", "market"))
		if err != nil {
			t.Fatal(err)
		}
		return string(kept)
	}
	// A killed process leaves content with the same documents that may be older. While a
	// mistake is held back, data that no document shows may still be from before.
	if is, was := says(public), says("public"); is != was && len(report.HeldBack) == 0 {
		t.Fatalf("what the market says of itself differs:\nstep by step: %s\nafresh: %s", was, is)
	}
	for _, file := range slices.Sorted(maps.Keys(want)) {
		body := want[file]
		if file == "api/v1/release.json" {
			if !differs && identity(body) != identity(got[file]) {
				t.Fatalf("the releases differ: %s and %s", got[file], body)
			}
			continue
		}
		if !bytes.Equal(body, got[file]) {
			t.Fatalf("%s differs:\nstep by step: %s\nafresh: %s", file, got[file], body)
		}
	}
}

// fresh builds a content folder into a new public folder.
func (m *market) fresh(t *rapid.T, content, public string) error {
	config := m.config(public, public+"-var")
	config.Content, config.LongLived = filepath.Join(m.dir, content), false
	fresh, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	report, err := fresh.Build(context.Background(), m.set())
	m.warnings = report.Warnings
	return err
}

// remember copies good content.
func (m *market) remember(t *rapid.T) {
	good := filepath.Join(m.dir, "good")
	if err := os.RemoveAll(good); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(good, os.DirFS(filepath.Join(m.dir, "content"))); err != nil {
		t.Fatal(err)
	}
	m.good = true
}
