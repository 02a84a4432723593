package build

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/problem"
)

// An Export selects a map to draw.
type Export struct {
	// Slug is the Market Map's slug, or "" for a map of all Categories.
	Slug  string
	Logos Logos
}

// Logos says how an exported picture shows logos.
type Logos uint8

// Logos are embedded in the picture, linked on the site, or replaced by initials.
const (
	LogosInline Logos = iota
	LogosByAddress
	LogosNone
)

// Size limits, in bytes, of logos embedded in an exported picture. Other logos are shown as
// initials.
const (
	largestLogo = 512 << 10
	mostLogos   = 32 << 20
)

// An Exported is a picture for use outside the site; its links are absolute.
type Exported struct {
	SVG []byte
	// LeftOut is the number of logos that are too large to embed or are on other sites.
	LeftOut int
}

// ExportMap draws a map of a content folder without building it. If the content has mistakes,
// it returns a *problem.Error.
func ExportMap(ctx context.Context, c Config, removals *catalog.Removals, e Export) (Exported, error) {
	market, err := Read(ctx, c, removals)
	if err != nil {
		return Exported{}, err
	}
	r := document.NewRenderer(market, c.SiteURL)
	d, err := exported(market, r, e.Slug)
	if err != nil {
		return Exported{}, err
	}
	s, err := newSite(market, r)
	if err != nil {
		return Exported{}, err
	}
	l := &logos{Export: e, content: c.Content, market: market, media: r.SiteURL() + "/" + document.MediaFolder, known: map[string]string{}}
	picture := s.Picture(d, l.shown)
	return Exported{picture, l.leftOut}, l.err
}

// exported returns the selected map.
func exported(market *catalog.Catalog, r *document.Renderer, slug string) (document.MarketMap, error) {
	if slug == "" {
		return r.CategoriesMap(), nil
	}
	n := market.At(catalog.Ref{Kind: catalog.KindMarketMap, Slug: slug})
	if n != nil && n.Current() {
		return r.Shown(n).(document.MarketMap), nil
	}
	var slugs []string
	for _, one := range market.MarketMaps() {
		slugs = append(slugs, one.Ref().Slug)
	}
	switch meant := problem.Nearest(slug, slugs); {
	case n != nil && n.Head() != nil:
		return document.MarketMap{}, fmt.Errorf("the market map %q is not public now: see its status, publishedAt and expiresAt", slug)
	case meant != "":
		return document.MarketMap{}, fmt.Errorf("there is no market map %q (%s)", slug, meant)
	}
	return document.MarketMap{}, fmt.Errorf("there is no market map %q: give its slug, the name of its file below market-maps", slug)
}

// logos collects the logos of one exported picture.
type logos struct {
	Export
	content string
	market  *catalog.Catalog
	// media is the URL prefix of the site's own pictures.
	media string
	// known caches results by address.
	known   map[string]string
	bytes   int
	leftOut int
	err     error
}

// shown returns the source that the picture uses for a logo's address, or "".
func (l *logos) shown(address string) string {
	switch l.Logos {
	case LogosByAddress:
		return address
	case LogosNone:
		return ""
	}
	data, known := l.known[address]
	if !known {
		data = l.inline(address)
		l.known[address] = data
		if data == "" {
			l.leftOut++
		}
	}
	return data
}

// inline returns a picture of the site as a data: URL (RFC 2397), or "".
func (l *logos) inline(address string) string {
	name, ours := strings.CutPrefix(address, l.media)
	if !ours {
		return ""
	}
	file, shown := l.market.PictureFile(name)
	m := l.market.Media(file)
	if !shown || m == nil || m.Bytes > largestLogo || l.bytes+int(m.Bytes) > mostLogos {
		return ""
	}
	data, err := cleaned(l.content, name, file)
	if err != nil {
		if l.err == nil {
			l.err = err
		}
		return ""
	}
	l.bytes += len(data)
	return "data:" + m.Type + ";base64," + base64.StdEncoding.EncodeToString(data)
}
