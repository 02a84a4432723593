package publish

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"souk/build/document"
	"souk/build/release"
)

// sites are the addresses under which a release is public, as it says itself.
type sites struct {
	// api ends in /api/v1, site is where the pages and the pictures stand.
	api, site string
	// base is the public host that is asked for answers, or "".
	base string
}

// sitesOf reads them from the descriptions that a release carries.
func (p *Publisher) sitesOf(src Source, entries map[string]release.Entry) (s sites, err error) {
	r := &run{publisher: p, src: src}
	read := func(file string) []byte {
		if err != nil {
			return nil
		}
		var data []byte
		data, err = r.readOne(file, "", entries[file], true)
		return data
	}
	var description struct {
		Servers []struct {
			URL string `json:"url"`
		} `json:"servers"`
	}
	openAPI, robots := read(document.OpenAPIFile), read(document.RobotsFile)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(openAPI, &description); err != nil || len(description.Servers) == 0 {
		return s, fmt.Errorf("%s names no server: build the release anew", document.OpenAPIFile)
	}
	s.api = description.Servers[0].URL
	for line := range strings.Lines(string(robots)) {
		if at, ok := strings.CutPrefix(line, "Sitemap: "); ok {
			s.site = strings.TrimSuffix(strings.TrimSpace(at), "/"+document.SitemapFile)
		}
	}
	if s.site == "" {
		return s, fmt.Errorf("%s names no sitemap: build the release anew", document.RobotsFile)
	}
	s.base = strings.TrimSuffix(strings.TrimRight(p.options.BaseURL, "/"), "/"+strings.TrimSuffix(apiFolder, "/"))
	return s, nil
}

// urls returns the public URLs of files: the address, and the file itself where a
// host answers at its name as well, since caches tell the two apart.
func (s sites) urls(l layout, files []string) []string {
	all := make([]string, 0, 2*len(files))
	for _, file := range files {
		rest, ok := strings.CutPrefix(file, apiFolder)
		if !ok && isPage(file) {
			all = append(all, s.site+document.Address(file))
			continue
		}
		if !ok {
			all = append(all, s.site+"/"+file)
			continue
		}
		address := strings.TrimPrefix(layout{extensionless: true}.keyOf(file), apiFolder)
		all = append(all, s.api+"/"+address)
		if address != rest && !l.extensionless {
			all = append(all, s.api+"/"+rest)
		}
	}
	return all
}

// asked returns the address of a document or a page at the public host.
func (s sites) asked(file string) string { return s.base + document.Address(file) }

// pageOf returns the path of the canonical page of a document, or "" where it has
// none: of a list, a root, or a description.
func pageOf(file string) string {
	path, ok := strings.CutPrefix(file, apiFolder+"marketplace/")
	if !ok {
		return ""
	}
	path = strings.TrimSuffix(path, ".json")
	parts := strings.Split(path, "/")
	switch {
	case parts[0] == "companies" && (len(parts) == 2 || len(parts) == 4),
		parts[0] == "categories" && len(parts) == 3,
		(parts[0] == "articles" || parts[0] == "market-maps") && len(parts) == 2:
		return path
	}
	return ""
}

// hostOf returns scheme and host of a URL for messages; the rest may be secret.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "the given URL"
	}
	return u.Scheme + "://" + u.Host
}
