package formats

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/intake"
	"souk/build/intake/feed"
	"souk/build/kit/journal"
	"souk/build/source"
)

// market is a content folder that a test imports into.
type market struct {
	testing.TB
	content  string
	removals *catalog.Removals
	// web replaces the source's pictures, if it is not nil.
	web func(name string) ([]byte, error)
}

func newMarket(t testing.TB) *market {
	m := &market{TB: t, content: filepath.Join(t.TempDir(), "content")}
	m.write("marketplace.yaml", "name: Test\nsiteUrl: https://test.example\ncontactEmail: desk@test.example\n")
	return m
}

func (m *market) write(file, text string) {
	m.Helper()
	path := filepath.Join(m.content, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		m.Fatal(err)
	}
}

func (m *market) read(file string) string {
	m.Helper()
	data, err := os.ReadFile(filepath.Join(m.content, filepath.FromSlash(file)))
	if err != nil {
		m.Fatal(err)
	}
	return string(data)
}

// run imports a source, which it writes beside the content.
func (m *market) run(s Settings, text string) (*intake.Report, error) {
	m.Helper()
	m.write("../"+s.Source, text)
	s.Source = "../" + s.Source
	batch, err := s.Read(m.content)
	if err != nil {
		m.Fatal(err)
	}
	pictures, done, err := s.Picture(m.Context(), m.content)
	if err != nil {
		m.Fatal(err)
	}
	defer done()
	if m.web != nil {
		pictures = m.web
	}
	return intake.Run(context.Background(), batch, intake.Options{
		Content: m.content, Name: "test", Mistakes: source.Mistakes, Removals: m.removals, Picture: pictures, Fetch: s.Fetch,
	})
}

func (m *market) imported(s Settings, text string) *intake.Report {
	m.Helper()
	r, err := m.run(s, text)
	if err != nil {
		m.Fatalf("%v: %v", err, r.Problems)
	}
	return r
}

func members(change func(i int, cells []string)) string {
	var b strings.Builder
	b.WriteString("seller.name,seller.website,seller.headquarters.city,seller.categories,seller.summary\n")
	for i := range 300 {
		cells := []string{fmt.Sprintf("Member %d", i), fmt.Sprintf("https://member%d.example", i), fmt.Sprintf("Town %d", i%20), fmt.Sprintf("Trade %d", i%9), fmt.Sprintf("Makes thing %d.", i)}
		change(i, cells)
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
}

func TestTwentyUpstreamChangesAndTwentyManualEditsTouchAtMostFortyFiles(t *testing.T) {
	m := newMarket(t)
	s := Settings{Format: "csv", Source: "members.csv"}
	m.imported(s, members(func(int, []string) {}))
	for i := range 20 {
		file := fmt.Sprintf("sellers/member-%d/seller.yaml", i)
		m.write(file, "# by hand\n"+strings.Replace(m.read(file), "Makes", "Repairs", 1))
	}
	r := m.imported(s, members(func(i int, cells []string) {
		if i >= 10 && i < 30 {
			cells[2] = "Moved"
		}
	}))
	written := slices.DeleteFunc(r.Written, func(file string) bool { return strings.HasPrefix(file, "imports/") })
	if len(written) != 20 || r.Changed != 20 {
		t.Errorf("%d files were written: %v", len(written), written)
	}
	if both := m.read("sellers/member-15/seller.yaml"); !strings.HasPrefix(both, "# by hand\n") || !strings.Contains(both, "Repairs thing 15") || !strings.Contains(both, "city: Moved") {
		t.Errorf("the file that both changed is\n%s", both)
	}
	if r := m.imported(s, members(func(i int, cells []string) {
		if i >= 10 && i < 30 {
			cells[2] = "Moved"
		}
	})); len(r.Written) > 0 {
		t.Errorf("a run without a change writes %v", r.Written)
	}
}

func TestAMissingColumnKeepsAFieldAndABlankCellClearsIt(t *testing.T) {
	m := newMarket(t)
	s := Settings{Format: "csv", Source: "members.csv"}
	m.imported(s, "seller.name,seller.website,seller.tagline,seller.summary\nAcme,acme.com,Drills,Makes drills.\n")
	m.imported(s, "seller.name,seller.website,seller.summary\nAcme,acme.com,\n")
	text := m.read("sellers/acme/seller.yaml")
	if !strings.Contains(text, "tagline: Drills") || strings.Contains(text, "summary") {
		t.Errorf("the file is\n%s", text)
	}
}

func TestAnUnreadableFileIsNeverOverwritten(t *testing.T) {
	m := newMarket(t)
	s := Settings{Format: "csv", Source: "members.csv"}
	m.imported(s, "seller.name,seller.summary\nAcme,Makes drills.\n")
	m.write("sellers/acme/seller.yaml", "versions: [\n")
	r, err := m.run(s, "seller.name,seller.summary\nAcme,Makes saws.\n")
	if err != intake.ErrRows || len(r.Written) > 0 || m.read("sellers/acme/seller.yaml") != "versions: [\n" || !strings.Contains(r.Problems[0].Text, "sellers/acme/seller.yaml") {
		t.Errorf("%v, written %v, problems %v", err, r.Written, r.Problems)
	}
}

func TestAnOfficialDomainIsDerivedOnlyIfItBelongsToOneSeller(t *testing.T) {
	m := newMarket(t)
	r := m.imported(Settings{Format: "csv", Source: "members.csv"}, `seller.name,seller.website
Own,https://www.own.co.uk/start
Host,https://github.com/host
Page,https://page.github.io
One,https://group.com/one
Two,https://group.com/two
Many,https://many.com
Many,https://other.org
`)
	for slug, want := range map[string]string{"own": "own.co.uk", "host": "", "page": "", "one": "", "two": "", "many": ""} {
		text := m.read("sellers/" + slug + "/seller.yaml")
		if has := strings.Contains(text, "officialDomain: "+want+"\ndomainProof: derived"); has != (want != "") || strings.Contains(text, "officialDomain") != has {
			t.Errorf("%s has\n%s", slug, text)
		}
	}
	if r.ByMail != 1 || r.Sellers != 6 {
		t.Errorf("%d of %d can leave by mail", r.ByMail, r.Sellers)
	}
}

func TestARemovedSellerIsNotImportedByAnyIdentity(t *testing.T) {
	for name, row := range map[string]string{
		"slug": "Acme,https://other.com", "domain": "Apex,https://www.acme.com/de", "website below it": "Apex,https://shop.acme.com", "former slug": "Acme Tools,https://other.com",
	} {
		t.Run(name, func(t *testing.T) {
			m := newMarket(t)
			m.removals = catalog.NewRemovals([]catalog.Removal{{ID: "acme", Domain: "acme.com", Slug: "acme", Addresses: []string{"/marketplace/companies/acme", "/marketplace/companies/acme-tools"}}})
			r := m.imported(Settings{Format: "csv", Source: "members.csv"}, "seller.name,seller.website,product.name\n"+row+",Drill\nBoro,boro.de,Saw\n")
			if r.Withheld != 1 || r.Values.Withheld != 3 {
				t.Errorf("%d sellers with %d values were withheld", r.Withheld, r.Values.Withheld)
			}
			folders, err := os.ReadDir(filepath.Join(m.content, "sellers"))
			if err != nil || len(folders) != 1 || folders[0].Name() != "boro" {
				t.Errorf("the sellers are %v, %v", folders, err)
			}
			if base := m.read("imports/test.base.jsonl"); strings.Contains(strings.ToLower(base), "acme") || strings.Contains(base, "Apex") {
				t.Errorf("the base names the seller: %s", base)
			}
		})
	}
}

func TestARemovedSellerIsRecognisedByEitherSpellingOfItsDomainAndItsContact(t *testing.T) {
	for name, row := range map[string]string{
		"website":              "Apex,https://www.müller.example/de,,",
		"website of its shop":  "Apex,https://shop.müller.example,,",
		"official domain":      "Apex,,Müller.example,",
		"punycode":             "Apex,https://xn--mller-kva.example,,",
		"contact page":         "Apex,,,https://müller.example/contact",
		"mailbox of the sheet": "Apex,,,",
	} {
		t.Run(name, func(t *testing.T) {
			m := newMarket(t)
			m.removals = catalog.NewRemovals([]catalog.Removal{{ID: "mueller", Domain: "xn--mller-kva.example", Slug: "mueller"}})
			email := ""
			if name == "mailbox of the sheet" {
				email = "desk@müller.example"
			}
			r := m.imported(Settings{Format: "csv", Source: "members.csv"},
				"seller.name,seller.website,seller.officialDomain,seller.contact.url,seller.contact.email\n"+row+","+email+"\nBoro,https://boro.de,,,\n")
			folders, err := os.ReadDir(filepath.Join(m.content, "sellers"))
			if r.Withheld != 1 || err != nil || len(folders) != 1 || folders[0].Name() != "boro" {
				t.Errorf("%d sellers were withheld, and %v are there (%v)", r.Withheld, folders, err)
			}
		})
	}
}

func TestTheNextImportCompletesAnInterruptedOne(t *testing.T) {
	m := newMarket(t)
	changes := []journal.Change{{Path: "sellers/a/seller.yaml", Data: []byte("new a")}, {Path: "sellers/b/seller.yaml", Data: []byte("new b")}, {Path: "sellers/c/seller.yaml", Delete: true}}
	m.write("sellers/a/seller.yaml", "old a")
	m.write("sellers/c/seller.yaml", "old c")
	// A folder in place of a file stops it halfway, like a kill.
	if err := os.MkdirAll(filepath.Join(m.content, "sellers/b/seller.yaml"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := journal.Commit(m.content, changes); err == nil {
		t.Fatal("a file took the place of a folder")
	}
	if _, err := journal.Look(m.content); err == nil {
		t.Fatal("a reader may read half of the changes")
	}
	if err := os.Remove(filepath.Join(m.content, "sellers/b/seller.yaml")); err != nil {
		t.Fatal(err)
	}
	if finished, err := journal.Finish(m.content); err != nil || !finished {
		t.Fatalf("finished: %t, %v", finished, err)
	}
	if m.read("sellers/a/seller.yaml") != "new a" || m.read("sellers/b/seller.yaml") != "new b" {
		t.Error("the changes were not made")
	}
	if _, err := os.Stat(filepath.Join(m.content, "sellers/c")); err == nil {
		t.Error("a file was not deleted")
	}
	if _, err := journal.Look(m.content); err != nil {
		t.Error(err)
	}
}

const odd = "\ufefflandscape:\n" + `  - category:
    name: Tools
    subcategories:
      - subcategory:
        name: Framework
        items:
          - item:
            name: Arm
            homepage_url: https://arm.example
            logo: missing.svg
            repo_url: https://github.com/arm/arm
            second_path: Runtime / Framework
            project: graduated
            unknown_key: 7
            name: Arm again
            crunchbase: https://www.crunchbase.com/organization/arm-foundation
            description: An arm.
            extra:
              summary_use_case: Lifts things.
              summary_personas: Welders, painters
              summary_tags: robots, arms
              audits:
                - {date: 2024-05-01, type: security, url: "https://audit.example/1", vendor: Auditor}
          - item:
            name: Arm
            homepage_url: https://github.com/other/arm
            organization: {name: Other}
  - category:
    name: Runtime
    subcategories:
      - subcategory:
        name: Framework
        items:
          - item:
            name: Leg
            second_path: [Tools / Framework]
            description: "It <b>walks</b>.<script>x()</script>"
            extra: {parent_project: arm}
          - item:
            name: Toe
            extra: {parent_project: Body}
  - category:
    name: Our Members
    subcategories:
      - subcategory:
        name: Gold
        items:
          - item:
            name: Arm Foundation
            homepage_url: https://foundation.example
            crunchbase: https://www.crunchbase.com/organization/arm-foundation
---
categories:
  - name: Training
    subcategories:
      - name: Courses
        items:
          - {name: Course, homepage_url: "https://course.example"}
`

func TestALandscapeWithOdditiesBecomesContent(t *testing.T) {
	m := newMarket(t)
	r := m.imported(Settings{Format: "landscape", Source: "landscape.yml"}, odd)
	for _, file := range []string{
		"categories/product/framework.yaml", "categories/product/runtime-framework.yaml", "categories/service/courses.yaml",
		"sellers/arm-foundation/seller.yaml", "sellers/other/products/arm.yaml", "sellers/leg/products/leg.md", "sellers/course/services/course.yaml",
	} {
		m.read(file)
	}
	if arm := m.read("sellers/arm-foundation/products/arm.md"); !strings.Contains(arm, "- framework\n  - runtime-framework") || !strings.Contains(arm, "Maturity: graduated") || !strings.Contains(arm, "issuer: Auditor") {
		t.Errorf("the product is\n%s", arm)
	}
	if foundation := m.read("sellers/arm-foundation/seller.yaml"); !strings.Contains(foundation, "officialDomain: foundation.example") || !strings.Contains(foundation, "value: Gold") {
		t.Errorf("the member is\n%s", foundation)
	}
	if leg := m.read("sellers/leg/products/leg.md"); strings.Contains(leg, "script") {
		t.Errorf("the description is\n%s", leg)
	}
	for file, want := range map[string]string{
		"sellers/arm-foundation/products/arm.md":   "summary: Lifts things.",
		"sellers/arm-foundation/products/arm.md#2": "Personas:\n    - Welders\n    - painters\n",
		"sellers/arm-foundation/products/arm.md#3": "\n---\n\nAn arm.\n",
		"sellers/arm-foundation/products/arm.md#4": "keywords:\n  - robots\n  - arms\n",
		"sellers/leg/products/leg.md":              "related:\n  - ref: product:other/arm\n    rel: partOf\n",
		"sellers/toe/products/toe.yaml":            "Part of: Body",
	} {
		file, _, _ = strings.Cut(file, "#")
		if text := m.read(file); !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s", file, want, text)
		}
	}
	lost := map[string]int{}
	for _, l := range r.Lost {
		lost[l.Field] += l.Count
	}
	if want := map[string]int{"unknown_key": 1, "pictures and PDFs": 1, "name": 1}; !maps.Equal(lost, want) {
		t.Errorf("lost are %v", lost)
	}
	if r := m.imported(Settings{Format: "landscape", Source: "landscape.yml"}, strings.Replace(odd, "name: Course,", "name: Longer Course,", 1)); r.Created > 0 || r.Changed != 2 {
		t.Errorf("after a change of a name %d things are new, and %d changed", r.Created, r.Changed)
	}
}

func TestTheGuideAndTheSettingsOfALandscapeBecomeArticlesAndMarketMaps(t *testing.T) {
	m := newMarket(t)
	m.write("../guide.yml", `categories:
  - category: Tools
    content: |
      <h2>What they do</h2><p>They <b>lift</b>.</p><script>x()</script>
    subcategories:
      - subcategory: Framework
        content: Frames of arms.
        keywords: [arms]
`)
	m.write("../settings.yml", `members_category: Our Members
groups:
  - name: Everything that moves
    categories: [Tools, Runtime, Nothing]
`)
	r := m.imported(Settings{Format: "landscape", Source: "landscape.yml"}, odd)
	if text, want := m.read("articles/guide-tools.md"), "---\ntitle: Tools\n---\n\n## What they do\n\nThey **lift**.\n\n## Framework\n\nFrames of arms.\n"; text != want {
		t.Errorf("the article is\n%s", text)
	}
	if text, want := m.read("market-maps/everything-that-moves.yaml"), `title: Everything that moves
segments:
  - name: Tools
    entries:
      - "product:arm-foundation/arm"
      - "product:other/arm"
  - name: Runtime
    entries:
      - "product:leg/leg"
      - "product:toe/toe"
`; strings.ReplaceAll(text, `"`, "") != strings.ReplaceAll(want, `"`, "") {
		t.Errorf("the market map is\n%s", text)
	}
	if !slices.ContainsFunc(r.Lost, func(l *feed.Loss) bool { return l.Field == "guide.keywords" && l.Count == 1 }) || r.Notes["dropped <script> from HTML"] != 2 {
		t.Errorf("lost are %v, the notes %v", r.Lost, r.Notes)
	}
}

func TestPicturesAreFoundInAFolderOrAnArchiveAndNowhereElse(t *testing.T) {
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>`
	const rows = "seller.name,seller.logo\nAcme,acme.svg\nBoro,./logos/boro.svg\nCity,../marketplace.yaml\nDuke,broken.svg\nEcho,none.svg\n"
	for _, pictures := range []string{"../pictures", "../pictures.zip"} {
		t.Run(pictures, func(t *testing.T) {
			m := newMarket(t)
			files := map[string]string{"acme.svg": drawing, "logos/boro.svg": drawing, "broken.svg": "<svg"}
			var archive bytes.Buffer
			w := zip.NewWriter(&archive)
			for name, text := range files {
				m.write("../pictures/"+name, text)
				if f, err := w.Create("inside/" + name); err != nil {
					t.Fatal(err)
				} else if _, err := f.Write([]byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			m.write("../pictures.zip", archive.String())
			r := m.imported(Settings{Format: "csv", Source: "members.csv", Pictures: pictures}, rows)
			if m.read("sellers/acme/media/acme.svg") != drawing || m.read("sellers/boro/media/boro.svg") != drawing || !strings.Contains(m.read("sellers/acme/seller.yaml"), "logo: media/acme.svg") {
				t.Error("a logo differs from the source's")
			}
			for _, slug := range []string{"city", "duke", "echo"} {
				if text := m.read("sellers/" + slug + "/seller.yaml"); strings.Contains(text, "logo") {
					t.Errorf("a logo that cannot be used is in\n%s", text)
				}
			}
			lost := 0
			for _, l := range r.Lost {
				lost += l.Count
			}
			if lost != 3 {
				t.Errorf("lost are %v", r.Lost)
			}
		})
	}
	if _, _, err := (Settings{Pictures: "missing.zip"}).Picture(t.Context(), t.TempDir()); err == nil {
		t.Error("an archive that is missing is read")
	}
}

func TestSettingsAreReadBackAndKeepTheirComments(t *testing.T) {
	want := Settings{
		Format: "csv", Source: "../members.csv", Pictures: "../logos", Members: "Our Members", Fetch: true,
		Mapping: map[string]string{"Town: now": "seller.headquarters.city", "7": "-"}, Set: map[string]string{"product.price.list": "12"}, Services: []string{"Training"},
	}
	data, err := want.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	m := newMarket(t)
	m.write("imports/test.yaml", "# ours\n"+string(data)+"note: kept # here\n")
	got, err := Load(m.content, "test")
	if err != nil {
		t.Fatal(err)
	}
	again := got
	again.Fetch, again.Members = false, "Members"
	after, err := again.Bytes()
	if text := string(after); err != nil || !strings.HasPrefix(text, "# ours\n") || !strings.Contains(text, "note: kept # here\n") || !strings.Contains(text, "members: Members\n") || strings.Contains(text, "fetch") {
		t.Errorf("the settings are %v\n%s", err, text)
	}
	if got.file = nil; !reflect.DeepEqual(got, want) {
		t.Errorf("the settings are %+v, want %+v", got, want)
	}
	for _, text := range []string{"format: [csv]\n", "format: csv\nformat: xlsx\n", "- csv\n"} {
		m.write("imports/test.yaml", text)
		if _, err := Load(m.content, "test"); err == nil || !strings.Contains(err.Error(), "test.yaml") {
			t.Errorf("%q is read: %v", text, err)
		}
	}
}

const woo = `ID,Type,SKU,Name,Published,Short description,Description,In stock?,Sale price,Regular price,Categories,Tags,Images,Parent,Attribute 1 name,Attribute 1 value(s),Weight (lbs)
1,variable,H,Hoodie,1,,"<p>Soft.</p><table><tr><th>a</th></tr><tr><td>1</td></tr></table>",1,,,"Clothing > Hoodies, Sale","a, b","https://x.example/1.jpg, https://x.example/2.jpg",,Colour,"Red, Blue",1.5
2,variation,H-R,Hoodie - Red,1,,,1,40,45,,,https://x.example/red.jpg,H,Colour,Red,
3,variation,H-B,Hoodie - Blue,1,,,1,,45,,,,id:1,Colour,Blue,
4,simple,00123,Cap,0,,,0,"9,5",12,Clothing,,,,,,
`

func TestAnExportOfWooCommerceBecomesContent(t *testing.T) {
	m := newMarket(t)
	r := m.imported(Settings{Format: "csv", Source: "woo.csv", Set: map[string]string{"seller.name": "Shop", "seller.website": "https://shop.example", "product.price.currency": "EUR"}}, woo)
	hoodie := m.read("sellers/shop/products/hoodie.md")
	for _, want := range []string{"- hoodies\n  - sale", "name: Red", "sku: H-R", "availability: inStock", "image:\n      url: https://x.example/red.jpg\n      alt: Hoodie, Red\n", `amount: "40"`, `amount: "45"`, "from: true", "value: 1.5", "unit: lb", "| a", "https://x.example/2.jpg"} {
		if !strings.Contains(hoodie, want) {
			t.Errorf("%q is missing in\n%s", want, hoodie)
		}
	}
	if cap := m.read("sellers/shop/products/cap.yaml"); !strings.Contains(cap, `sku: "00123"`) || !strings.Contains(cap, `"9.5"`) || !strings.Contains(cap, "status: draft") {
		t.Errorf("the cap is\n%s", cap)
	}
	if v := r.Values; v.Found != v.Carried+v.Lost {
		t.Errorf("the values are %+v", v)
	}
}

func TestPicturesOfATableAreFetchedOrLinked(t *testing.T) {
	const rows = `seller.name,seller.logo,product.name,product.media
Acme,https://acme.com/1.svg,Arm,"[{""url"":""https://acme.com/arm.svg"",""alt"":""An arm""},{""url"":""https://acme.com/gone.svg""}]"
`
	m := newMarket(t)
	m.imported(Settings{Format: "csv", Source: "arms.csv"}, rows)
	if arm := m.read("sellers/acme/products/arm.yaml"); !strings.Contains(arm, "media:\n  - url: https://acme.com/arm.svg\n    alt: An arm\n  - url: https://acme.com/gone.svg\n    alt: Arm\n") {
		t.Errorf("the product is\n%s", arm)
	}
	m = newMarket(t)
	m.web = func(name string) ([]byte, error) {
		if !strings.HasSuffix(name, "arm.svg") {
			return nil, os.ErrNotExist
		}
		return []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>`), nil
	}
	s := Settings{Format: "csv", Source: "arms.csv", Fetch: true}
	if r := m.imported(s, rows); len(r.Lost) != 1 || r.Lost[0].Count != 2 {
		t.Errorf("lost are %v", r.Lost)
	}
	arm := m.read("sellers/acme/products/arm.yaml")
	_, file, _ := strings.Cut(arm, "media:\n  - file: ")
	file, _, _ = strings.Cut(file, "\n")
	if m.read("sellers/acme/products/" + file); !strings.Contains(arm, "alt: An arm\n") || strings.Contains(arm, "gone") {
		t.Errorf("the product is\n%s", arm)
	}
	m.web = func(name string) ([]byte, error) {
		if strings.HasSuffix(name, "arm.svg") {
			t.Error("a picture is downloaded that is there")
		}
		return nil, os.ErrNotExist
	}
	if r := m.imported(s, rows); len(r.Written) > 0 {
		t.Errorf("a second run writes %v", r.Written)
	}
}

func TestDataSheetsBecomeFiles(t *testing.T) {
	m := newMarket(t)
	m.write("../sheets/Data_Sheet.PDF", "%PDF-1.7\n")
	m.write("../sheets/broken.pdf", "<html>")
	const rows = "seller.name,product.name,product.files\nAcme,Arm,Data_Sheet.PDF; broken.pdf; missing.pdf; https://acme.com/a.pdf\nAcme,Leg,sheet.docx\n"
	s := Settings{Format: "csv", Source: "arms.csv", Pictures: "../sheets"}
	r := m.imported(s, rows)
	if arm := m.read("sellers/acme/products/arm.yaml"); !strings.HasSuffix(arm, "files:\n  - file: media/data-sheet.pdf\n    label: Data Sheet\n") || m.read("sellers/acme/products/media/data-sheet.pdf") != "%PDF-1.7\n" {
		t.Errorf("the product is\n%s", arm)
	}
	lost := 0
	for _, l := range r.Lost {
		lost += l.Count
	}
	if lost != 4 {
		t.Errorf("lost are %v", r.Lost)
	}
	if r := m.imported(s, rows); len(r.Written) > 0 {
		t.Errorf("a second run writes %v", r.Written)
	}
}

func TestAnImportUpdatesWhatIsInStock(t *testing.T) {
	m := newMarket(t)
	s := Settings{Format: "csv", Source: "woo.csv", Set: map[string]string{"seller.name": "Shop", "product.price.currency": "€"}}
	m.imported(s, woo)
	r := m.imported(s, strings.Replace(woo, "Cap,0,,,0,", "Cap,0,,,1,", 1))
	if cap := m.read("sellers/shop/products/cap.yaml"); r.Changed != 1 || !strings.Contains(cap, "availability: inStock") || !strings.Contains(cap, "currency: EUR") {
		t.Errorf("%d changed; the cap is\n%s", r.Changed, cap)
	}
	for _, l := range r.Lost {
		if l.Field == "price" {
			t.Errorf("a price without a value is lost: %+v", l)
		}
	}
}
