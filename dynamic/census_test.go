package dynamic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/kit/twin"
	"souk/build/release"
)

// A census is a public folder as anybody can read it, with its own counts, which depend on
// the documents alone and not on the code that wrote them.
type census struct {
	*house
	site  string
	files map[string][]byte
	// docs are the marketplace's documents by their apiUrl. owners maps the name of a
	// picture to its users: the company of each use, or the address of the document if it
	// belongs to no company.
	docs   map[string]map[string]any
	owners map[string]map[string]bool
}

func (h *house) census(site string) *census {
	h.Helper()
	h.untilInPlace()
	c := &census{house: h, site: site, files: h.public(), docs: map[string]map[string]any{}, owners: map[string]map[string]bool{}}
	for file, data := range c.files {
		address, isDocument := strings.CutSuffix(file, ".json")
		if !isDocument || !strings.HasPrefix(file, "api/v1/marketplace/") || strings.HasSuffix(address, ".gone") {
			continue
		}
		var doc map[string]any
		if err := json.Unmarshal(data, &doc); err != nil {
			h.Errorf("%s: %v", file, err)
		}
		c.docs[site+"/"+address] = doc
		c.own(doc, address)
	}
	return c
}

// untilInPlace waits until the files are those of the announced release, which is announced
// when it is committed.
func (h *house) untilInPlace() {
	h.Helper()
	h.until("the release is in place", func() bool {
		staged, err := filepath.Glob(filepath.Join(release.Folder(h.Config.Build.Public), "stage-*"))
		if err != nil {
			h.Fatal(err)
		}
		return len(staged) == 0
	})
}

var picture = regexp.MustCompile(`/media/([0-9a-f]{16,}[a-z0-9.]+)`)

// own records whose pictures a document shows.
func (c *census) own(value any, owner string) {
	switch v := value.(type) {
	case map[string]any:
		if slug, ok := v["companySlug"].(string); ok {
			owner = slug
		} else if v["kind"] == "seller" {
			owner, _ = v["slug"].(string)
		}
		for _, child := range v {
			c.own(child, owner)
		}
	case []any:
		for _, child := range v {
			c.own(child, owner)
		}
	case string:
		for _, m := range picture.FindAllStringSubmatch(v, -1) {
			if c.owners[m[1]] == nil {
				c.owners[m[1]] = map[string]bool{}
			}
			c.owners[m[1]][owner] = true
		}
	}
}

// addresses returns the addresses of a company, below the marketplace.
func (c *census) addresses(slug string) (all []string) {
	for file := range c.files {
		if address, ok := strings.CutSuffix(file, ".json"); ok && document.CompanyOf(file) == slug && !strings.HasSuffix(address, ".gone") {
			all = append(all, strings.TrimPrefix(address, "api/v1/marketplace"))
		}
	}
	slices.Sort(all)
	return all
}

// pictures returns the pictures that a company shows, and whether anybody else shows them.
func (c *census) pictures(slug string) map[string]bool {
	shared := map[string]bool{}
	for name, by := range c.owners {
		if by[slug] {
			shared[name] = len(by) > 1
		}
	}
	return shared
}

// check checks that the folder is consistent and agrees with search.
func (c *census) check() {
	c.Helper()
	c.checkRelease()
	c.checkTwins()
	c.checkLinks()
	c.checkPictures()
	offers := c.offers()
	c.checkSellers(offers)
	counts := c.checkCategories(offers)
	c.checkSearch(offers, counts)
	c.checkSitemaps()
}

// checkRelease checks that the release describes itself correctly.
func (c *census) checkRelease() {
	c.Helper()
	documents, bytes := 0, 0
	for file, data := range c.files {
		switch {
		case file == document.ReleaseFile, twin.Of(file) != file, strings.Contains(file, ".gone."):
		default:
			documents, bytes = documents+1, bytes+len(data)
		}
	}
	var told map[string]any
	err := json.Unmarshal(c.files[document.ReleaseFile], &told)
	_, health := c.health()
	if err != nil || told["id"] != health.Release || told["documents"] != float64(documents) || told["bytes"] != float64(bytes) {
		c.Errorf("the release says %v, and is %s with %d documents of %d bytes (%v)", told, health.Release, documents, bytes, err)
	}
}

// checkTwins checks that each compressed twin has the content of its document.
func (c *census) checkTwins() {
	c.Helper()
	for file, data := range c.files {
		plain := twin.Of(file)
		if plain == file {
			continue
		}
		if body, err := release.Decompress(file, data); err != nil || !bytes.Equal(body, c.files[plain]) {
			c.Errorf("%s does not say what %s says (%v)", file, plain, err)
		}
	}
}

// checkLinks checks that every Link leads to a document with its name.
func (c *census) checkLinks() {
	c.Helper()
	var walk func(where string, value any)
	walk = func(where string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for _, key := range []string{"apiUrl", "next", "previous"} {
				target, ok := v[key].(string)
				if ok && c.docs[target] == nil {
					c.Errorf("%s: %s leads to no document: %s", where, key, target)
				} else if ok && key == "apiUrl" && v["letter"] == nil && called(v) != called(c.docs[target]) {
					c.Errorf("%s: a link calls %s %v", where, target, v["name"])
				}
			}
			for _, child := range v {
				walk(where, child)
			}
		case []any:
			for _, child := range v {
				walk(where, child)
			}
		case nil:
			c.Errorf("%s holds null", where)
		}
	}
	for address, doc := range c.docs {
		walk(address, doc)
	}
}

// called returns the name of a Link or a document, or the title of an editorial one.
func called(v map[string]any) any { return cmp.Or(v["name"], v["title"]) }

// checkPictures checks that exactly the pictures in use exist.
func (c *census) checkPictures() {
	c.Helper()
	for file := range c.files {
		name, ok := strings.CutPrefix(file, document.MediaFolder)
		if ok && path.Ext(name) != ".gz" && path.Ext(name) != ".br" && c.owners[name] == nil {
			c.Errorf("%s is there and nothing shows it", file)
		}
	}
	for name, by := range c.owners {
		if c.files[document.MediaFolder+name] == nil {
			c.Errorf("the picture %s of %v is not there", name, slices.Collect(maps.Keys(by)))
		}
	}
}

// offers returns the documents of products and services.
func (c *census) offers() map[string]map[string]any {
	all := map[string]map[string]any{}
	for address, doc := range c.docs {
		if doc["kind"] == "product" || doc["kind"] == "service" {
			all[address] = doc
		}
	}
	return all
}

// list returns the apiUrls of all items of a list, starting with its first page. It checks
// that the pages have as many items as the list says, without duplicates.
func (c *census) list(where string, first any) map[string]bool {
	c.Helper()
	all := map[string]bool{}
	page, _ := first.(map[string]any)
	total, here := page["total"], strings.SplitN(where, " ", 2)[0]
	for {
		items, _ := page["items"].([]any)
		for _, item := range items {
			address := item.(map[string]any)["apiUrl"].(string)
			if all[address] {
				c.Errorf("%s: %s stands twice", where, address)
			}
			all[address] = true
		}
		if len(items) > 100 {
			c.Errorf("%s: a page has %d items", where, len(items))
		}
		next, more := page["next"].(string)
		if !more {
			if total != float64(len(all)) {
				c.Errorf("%s: %v in all, and listed are %d", where, total, len(all))
			}
			return all
		}
		page = c.docs[next]
		if page["previous"] != here || page["apiUrl"] != next || page["total"] != nil {
			c.Errorf("%s: behind %s stands %v, which names %v before it and %v in all", where, here, page["apiUrl"], page["previous"], page["total"])
		}
		here = next
	}
}

func (c *census) want(where string, got, want map[string]bool) {
	c.Helper()
	if !maps.Equal(got, want) {
		c.Errorf("%s lists %d, and %d belong there", where, len(got), len(want))
	}
}

// checkSellers checks that each profile lists its own offers, and that every offer has a
// profile.
func (c *census) checkSellers(offers map[string]map[string]any) {
	c.Helper()
	own := map[string]map[string]bool{}
	for address := range offers {
		list := address[:strings.LastIndexByte(address, '/')]
		if own[list] == nil {
			own[list] = map[string]bool{}
		}
		own[list][address] = true
	}
	for address, doc := range c.docs {
		if doc["kind"] != "seller" {
			continue
		}
		for _, which := range []string{"products", "services"} {
			c.want(address+" "+which, c.list(address, doc[which]), own[address+"/"+which])
			delete(own, address+"/"+which)
		}
	}
	for list := range own {
		c.Errorf("there are offers below %s and no profile lists them", list)
	}
}

// checkCategories checks the lists and counts of the typed categories, of the pages of
// slugs, of the roots and of sellers against the offers' own documents.
func (c *census) checkCategories(offers map[string]map[string]any) (counts map[string]float64) {
	c.Helper()
	within, sellers := map[string]map[string]bool{}, map[string]map[string]bool{}
	for address, doc := range offers {
		for _, link := range doc["categories"].([]any) {
			category := link.(map[string]any)["apiUrl"].(string)
			up, _ := c.docs[category]["parents"].([]any)
			for _, one := range append(slices.Clone(up), link) {
				at := one.(map[string]any)["apiUrl"].(string)
				if within[at] == nil {
					within[at], sellers[at] = map[string]bool{}, map[string]bool{}
				}
				within[at][address] = true
				sellers[at][doc["seller"].(map[string]any)["apiUrl"].(string)] = true
			}
		}
	}
	for address, doc := range c.docs {
		links, _ := doc["categories"].([]any)
		if doc["kind"] != "seller" {
			continue
		}
		for _, link := range links {
			category := link.(map[string]any)["apiUrl"].(string)
			up, _ := c.docs[category]["parents"].([]any)
			for _, one := range append(slices.Clone(up), link) {
				at := one.(map[string]any)["apiUrl"].(string)
				if sellers[at] == nil {
					sellers[at] = map[string]bool{}
				}
				sellers[at][address] = true
			}
		}
	}
	counts = map[string]float64{}
	for address, doc := range c.docs {
		if doc["kind"] == "category" && doc["rootKind"] != nil && doc["listings"] != nil {
			counts[address] = float64(len(within[address]))
			c.want(address, c.list(address, doc["listings"]), within[address])
			c.want(address, c.list(address, doc["companies"]), sellers[address])
			if count := doc["companyCount"]; count != float64(len(sellers[address])) {
				c.Errorf("%s counts %v companies, and %d belong to it", address, count, len(sellers[address]))
			}
			c.checkSpread(address, doc, within[address], offers)
			c.checkAttributes(address, doc, within[address], offers)
		}
	}
	all := maps.Clone(counts)
	for _, doc := range offers {
		all[doc["seller"].(map[string]any)["apiUrl"].(string)]++
	}
	for address, doc := range c.docs {
		c.checkCounts(address, doc, all)
	}
	return counts
}

// checkCounts checks every listingCount of a value.
func (c *census) checkCounts(where string, value any, counts map[string]float64) {
	switch v := value.(type) {
	case map[string]any:
		if got, ok := v["listingCount"]; ok && v["apiUrl"] != nil && got != counts[v["apiUrl"].(string)] {
			c.Errorf("%s: %v has listingCount %v, and %v are there", where, v["apiUrl"], got, counts[v["apiUrl"].(string)])
		}
		for _, child := range v {
			c.checkCounts(where, child, counts)
		}
	case []any:
		for _, child := range v {
			c.checkCounts(where, child, counts)
		}
	}
}
