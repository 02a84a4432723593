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

// A Config is what every page says of the market.
type Config struct {
	Name        string
	Description string
	Language    string
	// SiteURL and APIURL are absolute, without a slash at the end.
	SiteURL, APIURL string
	// Texts are the site's own, in the market's language.
	Texts *texts.Catalogue
	// Sections are what the head leads to.
	Sections []document.MenuLink
	// Menu is what the footer leads to, beside what every market has.
	Menu []document.MenuLink
	// ContactEmail is that of the people who run the market, and Join is where companies ask to
	// be listed; either may be empty.
	ContactEmail, Join string
}

// A Site renders pages. It is safe for concurrent use.
type Site struct {
	market Config
	// prefix is the path of SiteURL, without a slash at the end; mostly empty.
	prefix string
	files  []File
	// image is the address of the market's picture for previews.
	image string
	// light and dark are the colours of pictures of maps.
	light, dark mappicture.Colours
	gone        []byte
	layout      map[string]*template.Template
	// builtIn are our layouts, for what an operator's templates fail at; nil where
	// there are none of these.
	builtIn map[string]*template.Template
	// theirs are an operator's templates by their file, and parsed makes layouts of some.
	theirs map[string]string
	parsed func(own map[string]string) (map[string]*template.Template, error)
	// faults are those of an operator's templates on the pages of no document.
	faults problem.List
	format formats
	policy template.HTMLAttr
	// told is what described made of our own texts, by text.
	told sync.Map
}

// A File is one of the public tree.
type File struct {
	Name string
	Body []byte
}

// New returns the Site of a market, with a look of its own or the empty one. It fails with a
// *problem.Error if the look has mistakes that Check finds without a page.
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

// functions returns the functions of templates that are the same for every look.
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
		"kindText":    s.named(kindTexts), "kindsText": s.named(kindsTexts), "proofText": s.named(document.ProofTexts()), "deliveryText": s.named(document.DeliveryTexts()),
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
		"relation":    s.relation,
		"plus":        plus,
		"first":       func(most int, all []document.CompanyCard) []document.CompanyCard { return all[:min(most, len(all))] },
		"one":         func(all []document.Media) bool { return len(all) == 1 },
		"groups":      s.groups,
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

// fixed renders the pages that are the same whatever the market offers.
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

// execute renders a page into a buffer, in the place of what it holds. Where the
// operator's templates fail at it, ours render it, and the problem says why.
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

// executed returns a page, and why an operator's templates failed at it.
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

// Config returns what every page says of the market.
func (s *Site) Config() Config { return s.market }

// Faults returns what an operator's templates failed at on the pages of no document.
func (s *Site) Faults() problem.List { return s.faults }

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

// buffers have room for a page each.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render calls put with each page of a public document. body is valid only until
// put returns. Where an operator's templates fail at a page, ours render it; Render
// goes on and fails with a *problem.Error in the end.
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

// others returns what a public document has beside its pages: its picture, then
// its Markdown.
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

// RenderFormer calls put with what is at the former addresses of the pages of a
// public document, given their files in the order of document.PagesOf: pages that
// lead on at once, and the same picture and Markdown. It fails as Render does.
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

// moved returns the page that leads on to another.
func (s *Site) moved(v view) view {
	to := s.start("moved", v.Title, "", v.URL, "")
	to.Hidden, to.Bare = true, true
	to.Refresh = template.HTMLAttr(`content="0; url=` + html.EscapeString(s.path(v.URL)) + `"`)
	return to
}
