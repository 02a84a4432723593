package dynamic

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/dynamic/operator/trace"
)

// fixed is the clock of the tests that compare folders byte by byte. thorough removes every
// seller instead of some: it takes minutes.
var thorough = flag.Bool("thorough", false, "let every seller of a marketplace leave")

var fixed = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// replace edits every text file of the content.
func (h *house) replace(edit func(text string) string) {
	h.Helper()
	err := filepath.WalkDir(h.Config.Build.Content, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, ".yaml") {
			return err
		}
		data, err := os.ReadFile(path)
		if now := edit(string(data)); err == nil && now != string(data) {
			err = os.WriteFile(path, []byte(now), 0o644)
		}
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
}

// rename gives a seller another companySlug throughout the content.
func (h *house) rename(from, to string) {
	h.Helper()
	named := regexp.MustCompile(`\b(seller|product|service):` + from + `\b`)
	h.replace(func(text string) string { return named.ReplaceAllString(text, "${1}:"+to) })
	sellers := filepath.Join(h.Config.Build.Content, "sellers")
	if err := os.Rename(filepath.Join(sellers, from), filepath.Join(sellers, to)); err != nil {
		h.Fatal(err)
	}
}

// A past contains everything a seller had in all releases.
type past struct {
	seller *catalog.Seller
	// addresses are all addresses that it ever had below the marketplace; names are its own
	// name and those of its offers.
	addresses, names []string
}

// pasts returns what each seller has now and had in earlier releases.
func (c *census) pasts(content *catalog.Catalog, before map[string]*past) map[string]*past {
	all := map[string]*past{}
	content.EachSeller(func(n *catalog.Node) {
		p := &past{seller: n.Item().(*catalog.Seller), addresses: c.addresses(n.Ref().Slug)}
		p.names = []string{p.seller.Name}
		for _, o := range n.Offers() {
			if o.Current() {
				p.names = append(p.names, o.Head().Name)
			}
		}
		for _, b := range before {
			if b.seller.OfficialDomain == p.seller.OfficialDomain {
				p.addresses = append(p.addresses, b.addresses...)
			}
		}
		slices.Sort(p.addresses)
		p.addresses = slices.Compact(p.addresses)
		if n.Current() {
			all[n.Ref().Slug] = p
		}
	})
	return all
}

// long is a seller of the sample that gets lists of several pages. The renamed ones had
// another slug before; the second one keeps its canonical id.
const long, renamed, renamedSame = "tine-and-furrow", "godown-nine", "umlauf"

// formerly changes the sample to an earlier state: two sellers had other slugs, and each
// had a product that was discontinued.
func (h *house) formerly() (undo func()) {
	h.Helper()
	slugs := []string{}
	h.content().EachSeller(func(n *catalog.Node) { slugs = append(slugs, n.Ref().Slug) })
	for _, slug := range slugs {
		h.write("sellers/"+slug+"/products/discontinued.yaml", "name: The thing of before\ncategories: [robots]\n")
	}
	h.rename(renamed, renamed+"-once")
	h.rename(renamedSame, renamedSame+"-once")
	return func() {
		h.rename(renamed+"-once", renamed)
		h.rename(renamedSame+"-once", renamedSame)
		for _, slug := range slugs {
			h.remove("sellers/" + slug + "/products/discontinued.yaml")
		}
	}
}

// newSample returns the sample with everything that makes removals difficult, and the pasts
// of its sellers.
func newSample(t *testing.T) (*house, map[string]*past) {
	h := newHouseOf(t, "../content")
	h.Watch, h.Config.Build.At, h.Config.Build.Precompress = true, fixed, 2048
	for i := range 101 {
		h.write(fmt.Sprintf("sellers/%s/products/series-%03d.yaml", long, i), fmt.Sprintf("name: Series %03d\ncategories: [robots]\n", i))
	}
	// Two sellers show the same picture.
	logo, err := os.ReadFile(filepath.Join(h.Config.Build.Content, "sellers/brass-wren/media/brass-wren.svg"))
	if err != nil {
		t.Fatal(err)
	}
	h.write("sellers/mare-baixa/products/media/partner.svg", string(logo))
	h.write("sellers/mare-baixa/products/partnered.yaml", "name: Partnered\ncategories: [robots]\nmedia: [{file: media/partner.svg, alt: A wren}]\n")
	// Two sellers show the same picture in different files, so that they share the smaller
	// versions.
	for seller, level := range map[string]png.CompressionLevel{"mare-baixa": png.BestSpeed, "brass-wren": png.BestCompression} {
		h.write("sellers/"+seller+"/products/media/photo.png", photo(t, level))
		h.write("sellers/"+seller+"/products/photographed.yaml", "name: Photographed\ncategories: [robots]\nmedia: [{file: media/photo.png, alt: A photograph}]\n")
	}
	file := "sellers/" + renamedSame + "/seller"
	for _, ending := range []string{".md", ".yaml"} {
		path := filepath.Join(h.Config.Build.Content, file+ending)
		if data, err := os.ReadFile(path); err == nil {
			h.write(file+ending, strings.Replace(string(data), "officialDomain:", "id: the-same\nofficialDomain:", 1))
		}
	}
	undo := h.formerly()
	closing := h.open()
	before := h.census(sampleSite).pasts(h.content(), nil)
	closing()
	undo()
	h.open()
	return h, h.census(sampleSite).pasts(h.content(), before)
}

// photo returns a picture that has two smaller versions.
func photo(t *testing.T, level png.CompressionLevel) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 700, 100))
	noise := uint32(1)
	for i := range m.Pix {
		noise = noise*1664525 + 1013904223
		if m.Pix[i] = uint8(noise >> 24); i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: level}).Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const sampleSite = "https://benchandbyre.example"

// trace fails on any finding about a seller; warnings are allowed.
func (h *house) trace(site string, subjects ...trace.Subject) {
	h.Helper()
	var all trace.Subject
	for _, s := range subjects {
		all.Add(s)
	}
	findings, err := trace.Trace(h.Context(), all, trace.Config{Public: h.Config.Build.Public, SiteURLs: []string{site, site + "/api/v1"}})
	if err != nil {
		h.Fatal(err)
	}
	found, _ := findings.Split()
	for _, f := range found {
		h.Errorf("%v shows: %+v", all.Slugs, f)
	}
}

// subject returns what trace searches for.
func subject(c *catalog.Catalog, p *past) trace.Subject {
	s, _ := trace.Of(c, p.seller.Ref.Slug)
	for _, address := range p.addresses {
		s.Addresses = append(s.Addresses, strings.TrimPrefix(address, "/"))
	}
	return s
}

func TestSellersOfTheSampleLeaveNoTraceAndReturnUnchanged(t *testing.T) {
	h, pasts := newSample(t)
	was, before := h.public(), h.census(sampleSite)
	before.check()
	_, health := h.health()
	content := h.content()
	for i, slug := range slices.Sorted(maps.Keys(pasts)) {
		p := pasts[slug]
		if i%3 > 0 && !*thorough {
			continue
		}
		if len(p.addresses) < 2 {
			t.Errorf("%s has the addresses %v", slug, p.addresses)
		}
		h.withdraw(slug, p.seller.OfficialDomain)
		now := h.census(sampleSite)
		now.check()
		now.wantNothingOf(slug, p.names...)
		h.trace(sampleSite, subject(content, p))
		for _, address := range p.addresses {
			h.wantGone(address)
		}
		for name, shared := range before.pictures(slug) {
			want := map[bool]int{true: 200, false: 404}[shared]
			if a := h.ask("GET", "/media/"+name, ""); a.status != want {
				t.Errorf("%s: the picture %s answers %d, want %d", slug, name, a.status, want)
			}
		}
		for _, page := range now.pages() {
			if status := h.ask("GET", strings.TrimPrefix(page, sampleSite), "").status; status != 200 {
				t.Errorf("without %s, the sitemaps' %s answers %d", slug, page, status)
			}
		}
		h.restore(health.Release, slug)
		h.wantSame("after the restore of "+slug, was)
	}
}

func TestMarketplaceWithAllSellersRemovedIsEmptyAndValid(t *testing.T) {
	h, pasts := newSample(t)
	was := h.public()
	_, health := h.health()
	var subjects []trace.Subject
	content := h.content()
	slugs := slices.Sorted(maps.Keys(pasts))
	for _, slug := range slugs {
		h.withdraw(slug, pasts[slug].seller.OfficialDomain)
		subjects = append(subjects, subject(content, pasts[slug]))
	}
	empty := h.census(sampleSite)
	empty.check()
	h.trace(sampleSite, subjects...)
	lists := 0
	for address, doc := range empty.docs {
		if kind := doc["kind"]; kind == "seller" || kind == "product" || kind == "service" {
			t.Errorf("%s still stands", address)
		}
		if list, ok := doc["listings"].(map[string]any); ok {
			if items, ok := list["items"].([]any); !ok || len(items) > 0 {
				t.Errorf("%s lists %v", address, list)
			}
			lists++
		}
	}
	if lists == 0 {
		t.Error("no category is left")
	}
	answer := h.json("GET", "/listings/search?q=robot", "", 200)
	if items, ok := answer["listings"].([]any); !ok || len(items) != 0 || answer["total"] != 0.0 {
		t.Errorf("search finds %v", answer)
	}
	for _, slug := range slugs {
		for _, address := range pasts[slug].addresses {
			if status := h.status(address); status != 410 {
				t.Errorf("%s answers %d", address, status)
			}
		}
	}
	for file := range empty.files {
		if strings.HasPrefix(file, document.SitemapFolder) && (strings.Contains(file, "sellers") || strings.Contains(file, "products")) {
			t.Errorf("%s still stands", file)
		}
	}
	h.restore(health.Release, slugs...)
	h.wantSame("after the restore of all", was)
}
