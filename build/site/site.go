package site

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"souk/build/document"
	"souk/templates"
	"souk/templates/texts"
)

// A Config is what every page says of the market.
type Config struct {
	Name        string
	Description string
	Language    string
	// SiteURL and APIURL are absolute, without a slash at the end.
	SiteURL, APIURL string
	// Texts are the site's own, in the market's language.
	Texts *texts.Catalogue
	// Menu is what the footer leads to, beside what every market has.
	Menu []document.MenuLink
}

// A Site renders pages. It is safe for concurrent use.
type Site struct {
	market Config
	// prefix is the path of SiteURL, without a slash at the end; mostly empty.
	prefix string
	files  []File
	// image is the address of the market's picture for previews.
	image  string
	gone   []byte
	layout map[string]*template.Template
	format formats
	policy template.HTMLAttr
}

// A File is one of the public tree.
type File struct {
	Name string
	Body []byte
}

// New returns the Site of a market.
func New(c Config) (*Site, error) {
	u, err := url.Parse(c.SiteURL)
	if err != nil {
		return nil, fmt.Errorf("the address of the site: %w", err)
	}
	s := &Site{market: c, prefix: strings.TrimSuffix(u.EscapedPath(), "/"), format: newFormats(c.Texts)}
	style, script := asset("style", "css", templates.SiteStyle), asset("script", "js", templates.SiteScript)
	embed := asset("embed", "js", templates.SiteEmbed)
	icon := File{document.FaviconFile, favicon(c.Name)}
	preview := asset("preview", "png", string(preview(c.Name)))
	s.files = []File{style, script, embed, icon, preview}
	s.image = c.SiteURL + "/" + preview.Name
	s.policy = policy(c.APIURL)
	constants := map[string]templates.Constant{
		"style":     func(...string) string { return s.prefix + "/" + style.Name },
		"script":    func(...string) string { return s.prefix + "/" + script.Name },
		"embed":     func(...string) string { return s.prefix + "/" + embed.Name },
		"icon":      func(...string) string { return s.prefix + "/" + icon.Name },
		"at":        func(path ...string) string { return s.prefix + strings.Join(path, "") },
		"direction": func(...string) string { return texts.DirectionOf(c.Language) },
		"t":         func(key ...string) string { return s.text(key[0], anys(key[1:])...) },
	}
	functions := s.functions()
	for name, constant := range constants {
		if functions[name] == nil {
			functions[name] = constant
		}
	}
	if s.layout, err = templates.SitePages(functions, constants); err != nil {
		return nil, err
	}
	return s, s.fixed()
}

// functions returns what templates can call that is not the same on every page.
func (s *Site) functions() template.FuncMap {
	return template.FuncMap{
		"t":        s.text,
		"path":     s.path,
		"count":    s.format.count,
		"number":   s.format.number,
		"date":     s.format.date,
		"price":    s.format.price,
		"kindText": s.named(kindTexts), "kindsText": s.named(kindsTexts), "proofText": s.named(proofTexts), "deliveryText": s.named(deliveryTexts),
		"filterText": s.named(filterTexts), "rootText": s.named(rootTexts),
		"join":        func(all []string) string { return strings.Join(all, ", ") },
		"country":     s.format.country,
		"language":    s.format.language,
		"prose":       s.prose,
		"host":        host,
		"outside":     outside,
		"fact":        s.fact,
		"shown":       s.shown,
		"shot":        s.shot,
		"plus":        plus,
		"one":         func(all []document.Media) bool { return len(all) == 1 },
		"groups":      s.groups,
		"again":       again,
		"initial":     templates.Initial,
		"value":       s.value,
		"columns":     columns,
		"cell":        s.cell,
		"skus":        func(all []document.Variant) bool { return slices.ContainsFunc(all, hasSKU) },
		"prices":      func(all []document.Variant) bool { return slices.ContainsFunc(all, hasPrice) },
		"pageOf":      s.page,
		"big":         func(d document.MarketMap) bool { return entries(d) > mostEntries },
		"place":       s.place,
		"embedCode":   s.embedCode,
		"outcomeText": s.named(outcomeTexts),
		"marked":      marked,
		"choice":      choose,
		"last":        func(i, n int) bool { return i == n-1 },
	}
}

func anys(all []string) (values []any) {
	for _, one := range all {
		values = append(values, one)
	}
	return values
}

// fixed renders the pages that are the same whatever the market offers.
func (s *Site) fixed() error {
	for _, v := range []view{s.searching(found{}), s.missing(), s.removed()} {
		body, err := s.rendered(v)
		if err != nil {
			return err
		}
		if v.file == document.RemovedFile {
			s.gone = body
		}
		s.files = append(s.files, File{v.file, body})
	}
	return nil
}

// execute renders a page into a buffer, in the place of what it holds.
func (s *Site) execute(b *bytes.Buffer, v view) error {
	b.Reset()
	if err := s.layout[v.Layout].Execute(b, v); err != nil {
		return fmt.Errorf("render %s: %w", v.file, err)
	}
	return nil
}

// rendered returns a page.
func (s *Site) rendered(v view) ([]byte, error) {
	var b bytes.Buffer
	err := s.execute(&b, v)
	return b.Bytes(), err
}

// Config returns what every page says of the market.
func (s *Site) Config() Config { return s.market }

// Files returns the files that the pages share, and the pages of no document.
func (s *Site) Files() []File { return s.files }

// Gone returns the page of every removed address, the same for all.
func (s *Site) Gone() []byte { return s.gone }

// path returns an address of the site relative to its origin, and any other
// address as it is. What would lead elsewhere without its origin keeps it.
func (s *Site) path(address string) string {
	rest, ours := strings.CutPrefix(address, s.market.SiteURL)
	switch {
	case !ours, s.prefix == "" && len(rest) > 1 && (rest[1] == '/' || rest[1] == '\\'):
		return address
	case rest == "":
		return s.prefix + "/"
	case rest[0] == '/':
		return s.prefix + rest
	}
	return address
}

// page returns the address of the page whose document is at an address.
func (s *Site) page(apiURL string) string {
	path := strings.TrimPrefix(strings.TrimPrefix(apiURL, s.market.APIURL), "/marketplace")
	return s.market.SiteURL + document.PagePath(path)
}

// Render calls put with each page of a public document. body is valid only until
// put returns.
func (s *Site) Render(value any, put func(name string, body []byte) error) error {
	if feed, ok := value.(document.Feed); ok {
		return s.feeds(feed, put)
	}
	v, ok := s.view(value)
	if !ok {
		return nil
	}
	var b bytes.Buffer
	for _, one := range v {
		if err := s.execute(&b, one); err != nil {
			return err
		}
		if err := put(one.file, b.Bytes()); err != nil {
			return err
		}
	}
	for _, other := range s.others(v[0], value) {
		if err := put(other.Name, other.Body); err != nil {
			return err
		}
	}
	return nil
}

// others returns what a public document has beside its pages: its picture, then
// its Markdown.
func (s *Site) others(page view, value any) (all []File) {
	at := strings.TrimSuffix(page.file, ".html")
	if o, ok := s.overview(value); ok {
		all = append(all, File{at + ".svg", s.picture(o, s.path, s.path)})
	}
	if page.Markdown != "" {
		all = append(all, File{at + ".md", []byte(s.markdown(value))})
	}
	return all
}

// RenderFormer calls put with what is at the former addresses of the pages of a
// public document, given their files in the order of document.PagesOf: pages that
// lead on at once, and the same picture and Markdown.
func (s *Site) RenderFormer(pages []string, value any, put func(name string, body []byte) error) error {
	views, ok := s.view(value)
	if !ok {
		return nil
	}
	var b bytes.Buffer
	for i, v := range views {
		to := s.start("moved", v.Title, "", v.URL, "")
		to.file, to.Hidden, to.Bare = pages[i], true, true
		to.Refresh = template.HTMLAttr(`content="0; url=` + html.EscapeString(s.path(v.URL)) + `"`)
		if err := s.execute(&b, to); err != nil {
			return err
		}
		if err := put(to.file, b.Bytes()); err != nil {
			return err
		}
	}
	for i, other := range s.others(views[0], value) {
		if err := put(pages[len(views)+i], other.Body); err != nil {
			return err
		}
	}
	return nil
}
