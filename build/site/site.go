package site

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"souk/build/document"
	"souk/build/export/mappicture"
	"souk/build/kit/problem"
	"souk/build/kit/theme"
	"souk/templates"
	"souk/templates/texts"
)

// A Config is what every page says about the market.
type Config struct {
	Name        string
	Description string
	Language    string
	// SiteURL and APIURL are absolute, without a trailing slash.
	SiteURL, APIURL string
	// Texts are the site's own, in the market's language.
	Texts *texts.Catalogue
	// Sections are the links in the header.
	Sections []document.MenuLink
	// Menu contains the links in the footer, in addition to those of every market.
	Menu []document.MenuLink
	// ContactEmail is the operator's address, and Join is where companies ask to be listed;
	// either may be empty.
	ContactEmail, Join string
}

// A Site renders pages. It is safe for concurrent use.
type Site struct {
	market Config
	// prefix is the path of SiteURL, without a trailing slash; mostly empty.
	prefix string
	files  []File
	// image is the address of the market's social preview.
	image string
	// light and dark are the colours of pictures of maps.
	light, dark mappicture.Colours
	gone        []byte
	layout      map[string]*template.Template
	// builtIn are the built-in layouts, which replace an operator's templates that fail; nil
	// if there are no such templates.
	builtIn map[string]*template.Template
	// theirs are an operator's templates by file, and parsed compiles layouts with some of
	// them.
	theirs map[string]string
	parsed func(own map[string]string) (map[string]*template.Template, error)
	// faults are the failures of an operator's templates on pages without a document.
	faults problem.List
	format formats
	policy template.HTMLAttr
	// told caches the results of described.
	told sync.Map
}

// A File is a file in the public tree.
type File struct {
	Name string
	Body []byte
}

// New returns the Site of a market with the operator's look, which may be empty. It returns a
// *problem.Error if the look has mistakes that Check finds without rendering pages.
func New(c Config, look theme.Theme) (*Site, error) {
	u, err := url.Parse(c.SiteURL)
	if err != nil {
		return nil, fmt.Errorf("the address of the site: %w", err)
	}
	s := &Site{market: c, prefix: strings.TrimSuffix(u.EscapedPath(), "/"), format: newFormats(c.Texts)}
	d, err := s.dress(look)
	if err != nil {
		return nil, err
	}
	script, embed, comparison := asset("script", "js", templates.SiteScript), asset("embed", "js", templates.SiteEmbed), comparisonScript()
	docs := asset("docs", "js", templates.SiteDocs)
	s.files = append(d.files, script, embed, docs, comparison)
	functions := s.functions()
	maps.Copy(functions, template.FuncMap{
		"style":            func() string { return s.prefix + "/" + d.style },
		"script":           func() string { return s.prefix + "/" + script.Name },
		"embed":            func() string { return s.prefix + "/" + embed.Name },
		"comparisonScript": func() string { return s.prefix + "/" + comparison.Name },
		"docs":             func() string { return s.prefix + "/" + docs.Name },
		"icon":             func() string { return s.prefix + "/" + document.FaviconFile },
		"logo":             func() string { return s.prefix + "/" + d.logo },
		"logoWidth":        func() int { return d.logoWidth },
		"at":               func(path string) string { return s.prefix + path },
		"direction":        func() string { return texts.DirectionOf(c.Language) },
		"asset":            d.address(s.prefix),
	})
	s.parsed = func(own map[string]string) (map[string]*template.Template, error) {
		return templates.SitePages(functions, &s.market, own)
	}
	if s.layout, err = s.parsed(nil); err != nil {
		return nil, err
	}
	if s.theirs = ownTemplates(look); len(s.theirs) > 0 {
		s.builtIn = s.layout
		if s.layout, err = s.parsed(s.theirs); err != nil {
			return nil, &problem.Error{Mistakes: problem.List{templateProblem(err)}}
		}
	}
	return s, s.fixed()
}

// functions returns the template functions that do not depend on the look.
func (s *Site) functions() template.FuncMap {
	return template.FuncMap{
		"t":       s.text,
		"path":    s.path,
		"link":    s.link,
		"href":    href,
		"count":   s.format.count,
		"counted": s.counted,
		"charts":  s.charts,

		"filterables": s.filterables,
		"number":      s.format.number,
		"date":        s.format.date,
		"price":       s.format.price,
		"oddDigits":   texts.OddDigits,
		"kindText":    s.named(kindTexts), "proofText": s.named(document.ProofTexts()), "deliveryText": s.named(document.DeliveryTexts()),
		"availabilityText": s.named(document.AvailabilityTexts()), "filled": filledVariants, "valued": s.valued, "ask": ask, "size": s.size,
		"availabilities": func(all []document.Variant) bool { return slices.ContainsFunc(all, isAvailable) },
		"listPrice":      listPrice,
		"filterText":     s.named(filterTexts), "rootText": s.named(rootTexts),
		"join":        func(all []string) string { return strings.Join(all, ", ") },
		"country":     s.format.country,
		"language":    s.format.language,
		"prose":       s.prose,
		"described":   s.described,
		"host":        hostAlone,
		"outside":     outside,
		"fact":        s.fact,
		"detail":      s.detail,
		"telephone":   telephone,
		"shown":       s.shown,
		"shot":        s.shot,
		"understood":  s.understood,
		"unshown":     unshown,
		"website":     website,
		"kindOf":      s.kindOf,
		"plus":        plus,
		"first":       func(most int, all []document.CompanyCard) []document.CompanyCard { return all[:min(most, len(all))] },
		"one":         func(all []document.Media) bool { return len(all) == 1 },
		"related":     s.related,
		"again":       again,
		"initial":     templates.Initial,
		"value":       s.value,
		"columns":     columns,
		"cell":        s.cell,
		"skus":        func(all []document.Variant) bool { return slices.ContainsFunc(all, hasSKU) },
		"gtins":       func(all []document.Variant) bool { return slices.ContainsFunc(all, hasGTIN) },
		"prices":      func(all []document.Variant) bool { return slices.ContainsFunc(all, hasPrice) },
		"pageOf":      s.page,
		"big":         document.MarketMap.Large,
		"place":       s.place,
		"address":     s.addressLines,
		"embedCode":   s.embedCode,
		"outcomeText": s.named(outcomeTexts),
		"last":        func(i, n int) bool { return i == n-1 },
	}
}

// fixed renders the pages that do not depend on the market's offers.
func (s *Site) fixed() error {
	pages := []view{s.missing(), s.removed(), s.comparing(compared{})}
	for _, of := range document.Searches() {
		pages = append(pages, s.searching("", found{Search: of}))
	}
	for _, v := range pages {
		body, fault, err := s.executed(v)
		if err != nil {
			return err
		}
		s.faults = append(s.faults, fault...)
		if v.file == document.RemovedFile {
			s.gone = body
		}
		s.files = append(s.files, File{v.file, body})
	}
	return nil
}

// execute renders a page into a buffer, replacing its content. If the operator's templates
// fail, the built-in ones render it, and the problem says why.
func (s *Site) execute(b *bytes.Buffer, v view) (problem.List, error) {
	b.Reset()
	err := s.layout[v.Layout].Execute(b, v)
	var broken problem.List
	if err != nil && s.builtIn != nil {
		broken = problem.List{templateProblem(err)}
		b.Reset()
		err = s.builtIn[v.Layout].Execute(b, v)
	}
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", v.file, err)
	}
	return broken, nil
}

// executed returns a page, and the failure of an operator's templates.
func (s *Site) executed(v view) ([]byte, problem.List, error) {
	var b bytes.Buffer
	broken, err := s.execute(&b, v)
	return b.Bytes(), broken, err
}

// rendered returns a page.
func (s *Site) rendered(v view) ([]byte, error) {
	body, _, err := s.executed(v)
	return body, err
}

// Config returns what every page says about the market.
func (s *Site) Config() Config { return s.market }

// Faults returns the failures of an operator's templates on pages without a document.
func (s *Site) Faults() problem.List { return s.faults }

// Files returns the files that pages share, and the pages without a document.
func (s *Site) Files() []File { return s.files }

// Gone returns the page of every removed address; it is always the same.
func (s *Site) Gone() []byte { return s.gone }

// path returns an address of the site relative to its origin, and any other address unchanged.
// An address whose meaning would change without its origin keeps it.
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

// page returns the address of the page for a document's address.
func (s *Site) page(apiURL string) string {
	path := strings.TrimPrefix(strings.TrimPrefix(apiURL, s.market.APIURL), "/marketplace")
	return s.market.SiteURL + document.PagePath(path)
}

// buffers contains buffers with room for a page each.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render calls put with each page of a public document. body is valid only until put returns.
// If an operator's templates fail on a page, the built-in ones render it; Render continues and
// returns a *problem.Error at the end.
func (s *Site) Render(value any, put func(name string, body []byte) error) error {
	if feed, ok := value.(document.Feed); ok {
		return s.feeds(feed, put)
	}
	v, ok := s.view(value)
	if !ok {
		return nil
	}
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	var broken problem.List
	for _, one := range v {
		fault, err := s.execute(b, one)
		if err != nil {
			return err
		}
		broken = append(broken, fault...)
		if err := put(one.file, b.Bytes()); err != nil {
			return err
		}
	}
	for _, other := range s.others(v[0], value) {
		if err := put(other.Name, other.Body); err != nil {
			return err
		}
	}
	return mistaken(broken)
}

// others returns a public document's other files: its picture, then its Markdown.
func (s *Site) others(page view, value any) (all []File) {
	at := strings.TrimSuffix(page.file, ".html")
	if o, ok := s.overview(value); ok {
		all = append(all, File{at + ".svg", s.picture(o, s.path, s.path)})
	}
	if page.Markdown != "" {
		all = append(all, File{at + ".md", s.markdown(value)})
	}
	return all
}

// RenderFormer calls put with the content of a public document's former page addresses, given
// their files in the order of document.PagesOf: redirecting pages, and the same picture and
// Markdown. It fails like Render.
func (s *Site) RenderFormer(pages []string, value any, put func(name string, body []byte) error) error {
	views, ok := s.view(value)
	if !ok {
		return nil
	}
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	var broken problem.List
	for i, v := range views {
		to := s.moved(v)
		to.file = pages[i]
		fault, err := s.execute(b, to)
		if err != nil {
			return err
		}
		broken = append(broken, fault...)
		if err := put(to.file, b.Bytes()); err != nil {
			return err
		}
	}
	for i, other := range s.others(views[0], value) {
		if err := put(pages[len(views)+i], other.Body); err != nil {
			return err
		}
	}
	return mistaken(broken)
}

// moved returns a page that redirects to another.
func (s *Site) moved(v view) view {
	to := s.start("moved", v.Title, "", v.URL, "")
	to.Hidden, to.Bare = true, true
	to.Refresh = template.HTMLAttr(`content="0; url=` + html.EscapeString(s.path(v.URL)) + `"`)
	return to
}
