package dynamic

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/release"
	"souk/dynamic/operator/trace"
)

const cncfSite = "https://market.example.org"

// newCNCF returns the real marketplace that SOUK_CNCF names, or that is next to the
// repository, and the sellers to remove: those with the most listings, those that articles
// and market maps name, and some random ones.
func newCNCF(t *testing.T, most int) (*house, *catalog.Catalog, map[string]*past) {
	t.Helper()
	folder := cmp.Or(os.Getenv("SOUK_CNCF"), filepath.Join("..", "..", "shared", "data", "cncf"))
	if _, err := os.Stat(filepath.Join(folder, "marketplace.yaml")); err != nil {
		t.Skip("the real marketplace is not here: set SOUK_CNCF to its folder")
	}
	h := newHouseOf(t, folder)
	h.Watch, h.Config.Build.At, h.Config.Build.Precompress = true, fixed, release.NoPrecompress
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	content := h.content()
	leaving := choose(content, rand.New(rand.NewPCG(seed, 0)), most)
	for _, slug := range leaving {
		h.write("sellers/"+slug+"/products/discontinued-thing.yaml", "name: The thing of before\ncategories: [platform]\n")
	}
	closing := h.open()
	before := h.census(cncfSite).pasts(content, nil)
	closing()
	for _, slug := range leaving {
		h.remove("sellers/" + slug + "/products/discontinued-thing.yaml")
	}
	h.open()
	pasts := h.census(cncfSite).pasts(content, before)
	maps.DeleteFunc(pasts, func(slug string, _ *past) bool { return !slices.Contains(leaving, slug) })
	return h, content, pasts
}

// choose returns slugs of current sellers.
func choose(c *catalog.Catalog, random *rand.Rand, most int) []string {
	var all []*catalog.Node
	c.EachSeller(func(n *catalog.Node) {
		if n.Current() {
			all = append(all, n)
		}
	})
	listings := func(n *catalog.Node) int { return len(n.List(catalog.Products)) + len(n.List(catalog.Services)) }
	slices.SortFunc(all, func(a, b *catalog.Node) int {
		return cmp.Or(listings(b)-listings(a), cmp.Compare(a.Ref().Slug, b.Ref().Slug))
	})
	named := slices.DeleteFunc(slices.Clone(all), func(n *catalog.Node) bool {
		return !slices.ContainsFunc(n.NamedBy(), func(by *catalog.Node) bool { return by.Ref().Kind == catalog.KindArticle })
	})
	chosen := slices.Concat(all[:max(1, most/5)], named[:min(len(named), most/5)])
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var slugs []string
	for _, n := range slices.Concat(chosen, all) {
		if slug := n.Ref().Slug; len(slugs) < most && !slices.Contains(slugs, slug) {
			slugs = append(slugs, slug)
		}
	}
	return slugs
}

func TestSellersOfARealMarketplaceLeaveNoTraceAndReturnUnchanged(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	most := 3
	if *thorough {
		most = 50
	}
	h, content, pasts := newCNCF(t, most)
	was, before := h.public(), h.census(cncfSite)
	_, health := h.health()
	var subjects []trace.Subject
	slugs := slices.Sorted(maps.Keys(pasts))
	if len(slugs) != most {
		t.Fatalf("%d sellers leave", len(slugs))
	}
	for _, slug := range slugs {
		p := pasts[slug]
		h.withdraw(slug, p.seller.OfficialDomain)
		subjects = append(subjects, subject(content, p))
		h.wantGone(p.addresses[0])
		h.wantGone("/companies/" + slug + "/products/discontinued-thing")
	}
	now := h.census(cncfSite)
	now.check()
	h.trace(cncfSite, subjects...)
	for _, slug := range slugs {
		p := pasts[slug]
		for _, address := range p.addresses {
			if status := h.status(address); status != 410 {
				t.Errorf("%s answers %d", address, status)
			}
		}
		for name := range before.pictures(slug) {
			if a := h.ask("HEAD", "/media/"+name, ""); (a.status == 200) != (now.owners[name] != nil) {
				t.Errorf("%s: the picture %s of %v answers %d", slug, name, now.owners[name], a.status)
			}
		}
		now.wantAnswersWithout(slug, p.names[:min(len(p.names), 5)]...)
	}
	now.wantNoLinkTo(slugs...)
	h.restore(health.Release, slugs...)
	h.wantSame("after the restore", was)
}
