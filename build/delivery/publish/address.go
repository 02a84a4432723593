package publish

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"souk/build/document"
)

// sites are the public addresses of a release, according to its own description.
type sites struct {
	// api ends in /api/v1; site is the address of the pages and pictures.
	api, site string
	// base is the public host that requests are sent to, or "".
	base string
}

// sitesOf reads the addresses from the release's document about its market.
func (p *Publisher) sitesOf(e edition) (sites, error) {
	data, err := e.read(document.MarketFile, "")
	if err != nil {
		return sites{}, err
	}
	var market struct {
		URL    string `json:"url"`
		APIURL string `json:"apiUrl"`
	}
	if err := json.Unmarshal(data, &market); err != nil || market.URL == "" || market.APIURL == "" {
		return sites{}, fmt.Errorf("%s names no addresses: build the release again", document.MarketFile)
	}
	return sites{
		api: strings.TrimSuffix(market.APIURL, "/marketplace"), site: strings.TrimSuffix(market.URL, "/"),
		base: strings.TrimSuffix(strings.TrimRight(p.options.Host.BaseURL, "/"), "/"+strings.TrimSuffix(apiFolder, "/")),
	}, nil
}

// urls returns the public URLs of files: the address, and also the file name if a host
// serves it too, since caches treat the two separately.
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

// publicURL returns the address of a document or a page on the public host.
func (s sites) publicURL(file string) string { return s.base + document.Address(file) }

// pageOf returns the path of a document's canonical page, or "" if it has none, like a
// list, a root, or a description.
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
