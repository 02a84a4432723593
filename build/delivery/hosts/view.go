package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/kit/twin"
	"souk/templates"
)

// A view is the input of the templates.
type view struct {
	Host Host
	Settings
	errorBodies
	pages
	accepts
	headers
	removed
	Paths paths
	// API matches the paths, as sent, whose errors are problems. All other paths have the
	// pages MissingPage and RemovedPage, if the release has pages.
	API string
	// ReleaseFile is a short file that every release has.
	ReleaseFile string
	// SitePath is the path of the site's address, which a proxy in front removes.
	SitePath string
	// Reading are the methods that a file's address accepts.
	Reading string
	// Preflight are the header fields of its answer to OPTIONS, except Allow.
	Preflight []document.Header
	// Bulk is the folder of the snapshot with its media type. Its files have a twin's
	// extension but are not twins.
	Bulk rule
}

// paths are regular expressions of addresses, without anchors, in the common syntax of PCRE
// and RE2.
type paths struct {
	// Dynamic match what the program answers; Templates are the same as paths of the
	// registry.
	Dynamic, Templates []string
	// Document matches the addresses below the API that are served from the file of that
	// name plus .json; Named matches those that are file names; File matches all others
	// outside the API, except those that Hidden matches. Strange matches the Hidden ones
	// that are not below the API. Twin matches the extensions of compressed twins. Linked
	// matches the names below /verify/ of the pages that mails link to: anything after such
	// a name belongs to its address, unless it is Hidden.
	Document, Named, File, Hidden, Strange, Twin, Linked string
}

// errorBodies are the bodies of errors, and the header fields that they share.
type errorBodies struct {
	Gone, Missing, Unreadable, WrongMethod, TooLarge, Unavailable string
	ProblemType, ErrorCache                                       string
}

// pages are the pages that a host serves by itself.
type pages struct {
	MissingPage, RemovedPage string
	// Filled are the pages that are served at their addresses without a program.
	Filled []document.Filled
	// PageHeaders are the header fields of all pages, including error pages; PageType is
	// their media type.
	PageHeaders []document.Header
	PageType    string
}

// accepts are regular expressions of the Accept header, which decides whether a page is sent
// as Markdown. They ignore case.
type accepts struct {
	Markdown mediaRange
	// Page are the ranges that include HTML, the most specific one last.
	Page []mediaRange
	// AtLeast matches two qualities with a colon between if the first is positive and not
	// less than the second. It has the syntax of PCRE.
	AtLeast string
}

// A mediaRange finds a media range in a list, Plain without a quality and Weighted with one,
// which is its only group: at most three decimals, as RFC 9110 says.
type mediaRange struct{ Plain, Weighted string }

// Reversed returns the ranges that include HTML for nginx, where the first match counts.
func (a accepts) Reversed() []mediaRange {
	all := slices.Clone(a.Page)
	slices.Reverse(all)
	return all
}

// rangeOf returns the mediaRange of a pattern.
func rangeOf(pattern string) mediaRange {
	item := `(?:^|,)\s*` + pattern + `\s*(?:;\s*[^q,;\s][^,;]*)*`
	return mediaRange{item + `(?:,|$)`, item + `;\s*q\s*=\s*(?P<souk_quality>[01](?:\.\d?\d?\d?)?)\s*(?:[,;]|$)`}
}

// atLeast compares digit by digit: after what the two have in common, the second ends, perhaps
// with zeros, or its digit is the lesser.
func atLeast() string {
	rest := `[\d.]*:\1[0.]*$`
	for digit := 1; digit <= 9; digit++ {
		rest += fmt.Sprintf(`|%d[\d.]*:\1[0-%d]`, digit, digit-1)
	}
	return `^(?=[^:]*[1-9])([\d.]*)(?:` + rest + `)`
}

// headers are the header fields of files.
type headers struct {
	// Every are the header fields of all answers. Special are header fields of some files:
	// the last matching rule counts.
	Every   []document.Header
	Special []special
	// Caches are the lifetimes of some files; DocumentCache is the lifetime of all others.
	Caches        []rule
	DocumentCache string
	// Types are media types with their file extensions; Typed are files that have a type
	// but no extension.
	Types, Typed []mediaType
}

// removed is read from the release, for hosts that need a list of the removed addresses.
type removed struct {
	// Removed are the addresses below the API that answer 410; RemovedPages are those
	// outside. Pages says whether the release has pages, and GonePage is the body of
	// RemovedPage.
	Removed, RemovedPages []string
	Pages                 bool
	GonePage              string
}

// A special is a header field of some files.
type special struct {
	Name  string
	Rules []rule
}

// Reversed returns the rules for hosts where the first matching rule counts.
func (s special) Reversed() []rule {
	all := slices.Clone(s.Rules)
	slices.Reverse(all)
	return all
}

// A rule is the value of a header for the files whose paths match Pattern, and which are
// served at what Address matches. Glob is equivalent to Pattern, with a star for everything
// in a folder.
type rule struct{ Pattern, Address, Glob, Value string }

// folderRule returns the rule for all files in a folder, whose path ends in a slash.
func folderRule(folder, value string) rule {
	return rule{"/" + folder, "/" + folder + ".*", "/" + folder + "*", value}
}

// A mediaType is the type of the files with some extensions, or of one path.
type mediaType struct {
	Type    string
	Endings []string
	Path    string
}

// segment matches a path segment that is not ".", ".." or hidden.
const segment = `[A-Za-z0-9_-][A-Za-z0-9_.-]*`

func newView(h Host, s Settings) (view, error) {
	reading := strings.Join([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, ", ")
	v := view{
		Host: h, Settings: s, API: `/api(?:/[^? ]*)?`, ReleaseFile: document.ReleaseFile, Reading: reading,
		Preflight: []document.Header{
			{Name: "Access-Control-Allow-Methods", Value: reading},
			{Name: "Access-Control-Allow-Headers", Value: document.PreflightHeaders}, {Name: "Access-Control-Max-Age", Value: document.PreflightAge},
		},
		errorBodies: errorBodies{
			ErrorCache: document.ErrorCache.Header(), ProblemType: document.ProblemType, Gone: string(document.GoneBody()),
			Missing:     problemBody(document.CodeNotFound, document.NotFoundDetail),
			Unavailable: problemBody(document.CodeUnavailable, document.UnavailableDetail),
			TooLarge:    problemBody(document.CodeBodyTooLarge, "The body is too long."),
			Unreadable:  problemBody(document.CodeInvalidParameter, "The address cannot be read."),
			WrongMethod: problemBody(document.CodeMethodNotAllowed, "The address takes only "+reading+"."),
		},
		pages: pages{
			MissingPage: "/" + document.MissingFile, RemovedPage: "/" + document.RemovedFile,
			Filled: document.FilledPages(), PageHeaders: document.HeadersFor(document.MissingFile), PageType: document.ContentType(document.MissingFile),
		},
		accepts: accepts{rangeOf("text/markdown"), []mediaRange{rangeOf(`\*/\*`), rangeOf(`text/\*`), rangeOf("text/html")}, atLeast()},
		headers: headers{Every: document.EveryAnswer(), DocumentCache: document.CacheFor("").Header()},
	}
	market, err := os.ReadFile(filepath.Join(s.Public, filepath.FromSlash(document.MarketFile)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return v, fmt.Errorf("read the address of the site: %w", err)
	}
	addresses := document.AddressesIn(market)
	if both := addresses.Site + " " + addresses.API; strings.ContainsAny(both, reserved+"%") {
		return v, fmt.Errorf("%q, the siteUrl and apiUrl: %w", both, ErrSetting)
	}
	v.SitePath = addresses.SitePath()
	v.addPaths()
	v.addKinds()
	v.addLinks(addresses)
	if h.List {
		return v, v.read()
	}
	return v, nil
}

// addPaths derives the patterns of addresses from the registry.
func (v *view) addPaths() {
	root := regexp.QuoteMeta(document.APIRoot)
	var named []string
	seen := map[string]bool{}
	add := func(path string) {
		if pattern := pathPattern(path); v.Dynamic != "" && !seen[pattern] {
			seen[pattern] = true
			v.Paths.Dynamic = append(v.Paths.Dynamic, pattern)
			v.Paths.Templates = append(v.Paths.Templates, path)
		}
	}
	for _, e := range document.Endpoints() {
		if e.Dynamic {
			add(document.APIRoot + e.Path)
			if e.Static {
				// If a file can serve it too, the program also serves it at the root.
				add(e.Path)
			}
		} else if strings.Contains(path.Base(e.Path), ".") {
			named = append(named, strings.TrimPrefix(pathPattern(e.Path), "/"))
		}
	}
	for _, path := range document.ProgramPaths() {
		add(path)
	}
	v.Paths.Document = root + `(?:/[a-z0-9-]+)+`
	v.Paths.Named = root + "/(?:" + strings.Join(named, "|") + ")"
	v.Paths.File = `/(?:\.well-known/)?(?:` + segment + `/)*(?:` + segment + `)?`
	// These follow document.IsPageName. Twins are not addresses; the snapshot's files are
	// not twins.
	v.Paths.Twin = twin.Pattern
	v.Paths.Strange = `/errors/[^? ]+|[^? ]*(?:\.html/?|\.gone(?:\.[^? ]*|/?)|/index/?|` + v.Paths.Twin + `)`
	v.Paths.Hidden = v.API + "|" + v.Paths.Strange
	v.Paths.Linked = string(templates.VerifyClaim) + "|" + string(templates.VerifyRemoval)
}

// wildcard is a wildcard in a path of http.ServeMux.
var wildcard = regexp.MustCompile(`\\\{[^}]*\\\}`)

func pathPattern(path string) string {
	return wildcard.ReplaceAllString(regexp.QuoteMeta(path), `[A-Za-z0-9_-]+`)
}

// addKinds derives the rules for files from package document.
func (v *view) addKinds() {
	exact := []string{
		document.HealthFile, document.ReleaseFile, document.OpenAPIFile, document.LLMsFile,
		document.APICatalogFile, document.AICatalogFile, document.ARDFile, document.ServerCardFile, document.RobotsFile, document.SitemapFile, document.FaviconFile, document.AtomFile, document.JSONFeedFile,
	}
	for _, file := range exact {
		pattern := "/" + regexp.QuoteMeta(file)
		if short, ok := strings.CutSuffix(pattern, `\.json`); ok && document.BelowAPI("/"+file) {
			// Some hosts match the address, others the file.
			pattern = short + `(?:\.json)?`
		}
		v.Caches = append(v.Caches, rule{pattern + "$", pattern, "/" + file, document.CacheFor(file).Header()})
	}
	for _, folder := range []string{document.MediaFolder, document.AssetFolder, document.SitemapFolder, document.VerifyFolder} {
		v.Caches = append(v.Caches, folderRule(folder, document.CacheFor(folder).Header()))
	}
	for _, h := range v.PageHeaders {
		v.addSpecial(h.Name, rule{`/.*\.html$`, `/(?!api(?:/|$))[^.]*`, "/*", h.Value})
	}
	for _, folder := range []string{document.MediaFolder, document.VerifyFolder} {
		for _, h := range document.HeadersFor(folder) {
			v.addSpecial(h.Name, folderRule(folder, h.Value))
		}
	}
	for _, h := range document.HeadersFor(document.EmbedFolder) {
		embed := folderRule(document.EmbedFolder, h.Value)
		embed.Pattern += `.*\.html$`
		v.addSpecial(h.Name, embed)
	}
	byType := map[string][]string{}
	for ending, t := range document.ContentTypes() {
		byType[t] = append(byType[t], strings.TrimPrefix(ending, "."))
	}
	for _, t := range slices.Sorted(maps.Keys(byType)) {
		slices.Sort(byType[t])
		v.Types = append(v.Types, mediaType{Type: t, Endings: byType[t]})
	}
	v.Bulk = folderRule(document.SnapshotFolder, document.ContentType(document.SnapshotManifest))
	for _, file := range []string{document.APICatalogFile, document.AICatalogFile, document.ARDFile, document.ServerCardFile, document.JSONFeedFile} {
		v.Typed = append(v.Typed, mediaType{Type: document.ContentType(file), Path: "/" + file})
	}
}

// addLinks adds the links of the home page and the marketplace as one header field each.
func (v *view) addLinks(addresses document.Addresses) {
	var all []string
	for _, h := range addresses.LinksFor(document.HomeFile) {
		all = append(all, h.Value)
	}
	links := strings.Join(all, ", ")
	market := "/" + strings.TrimSuffix(document.MarketFile, ".json")
	// nginx has two slashes before the index of the root.
	v.addSpecial("Link", rule{`/+` + regexp.QuoteMeta(document.HomeFile) + "$", "/", "/", links})
	v.addSpecial("Link", rule{market + `(?:\.json)?$`, market, market, links})
}

func (v *view) addSpecial(name string, r rule) {
	for i := range v.Special {
		if v.Special[i].Name == name {
			v.Special[i].Rules = append(v.Special[i].Rules, r)
			return
		}
	}
	v.Special = append(v.Special, special{name, []rule{r}})
}

// problemBody returns the body of an error exactly as the project's own server writes it.
func problemBody(code, detail string) string {
	status := document.ProblemStatus(code)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Text and numbers can always be encoded.
	_ = e.Encode(document.Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Code: code})
	return b.String()
}
