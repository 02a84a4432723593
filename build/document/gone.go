package document

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"strings"
)

// goneBody is the same for every removed address, and names no person and no company.
const goneBody = `{"type":"about:blank","title":"Gone","status":410,"detail":"What stood at this address was removed.","code":"removed"}` + "\n"

// GoneBody returns the body of every 410 stub.
func GoneBody() []byte { return []byte(goneBody) }

// SellerFile returns the file of a Seller Profile.
func SellerFile(slug string) string { return docFile("companies/" + slug) }

var (
	mediaName   = regexp.MustCompile(`^media/[0-9a-f]{32}\.(png|jpg|gif|webp|svg|pdf)$`)
	assetName   = regexp.MustCompile(`^assets/(style|script|embed|docs|comparison|preview|theme)-[0-9a-f]{16}\.(css|js|png|jpe?g|gif|webp|svg|woff2)$`)
	canonical   = regexp.MustCompile(`<link rel="canonical" href="([^"]+)">`)
	sitemapName = regexp.MustCompile(`^sitemaps/[a-z-]+(-[01]+)?\.xml$`)
)

// fixed are the files that every release contains. If other sites have files of the same name,
// the expression distinguishes them.
var fixed = func() map[string]*regexp.Regexp {
	all := maps.Clone(named)
	for _, slug := range PartSlugs() {
		all[PartFile(slug)] = nil
	}
	return all
}()

var named = map[string]*regexp.Regexp{
	HealthFile: nil, OpenAPIFile: nil, ReleaseFile: nil, VerifyClaimFile: nil, VerifyRemovalFile: nil,
	APICatalogFile: regexp.MustCompile(APIRoot),
	AICatalogFile:  regexp.MustCompile(regexp.QuoteMeta(ServerCardFile)),
	ARDFile:        regexp.MustCompile(regexp.QuoteMeta(ServerCardFile)),
	ServerCardFile: regexp.MustCompile(regexp.QuoteMeta(serverCardSchema)),
	LLMsFile:       regexp.MustCompile(APIRoot),
	RobotsFile:     regexp.MustCompile(`^User-agent: \*\n(Allow: /\n)?\nSitemap: \S+/sitemap\.xml\n(Agentmap: \S+\n)?$`),
	SitemapFile:    regexp.MustCompile(`^<\?xml [^\n]*\n<sitemapindex `),
}

// Ours reports whether a build wrote a file in the public folder, judging by its name and, for
// a document, by the address in it. It is used only if nothing else is known about the folder.
func Ours(file string, body func() ([]byte, error)) bool {
	if says, known := fixed[file]; known {
		if says == nil {
			return true
		}
		data, err := body()
		return err == nil && says.Match(data)
	}
	if mediaName.MatchString(file) || snapshotName.MatchString(file) || sitemapName.MatchString(file) || assetName.MatchString(file) {
		return true
	}
	if ours, page := oursPage(file, body); page {
		return ours
	}
	address, ok := strings.CutPrefix(file, strings.TrimSuffix(base, "/"))
	if !ok || path.Ext(file) != ".json" || !strings.HasPrefix(address, apiPath("")) {
		return false
	}
	data, err := body()
	if err != nil {
		return false
	}
	if _, gone := IsGone(file); gone {
		return string(data) == goneBody
	}
	var d struct {
		APIURL string `json:"apiUrl"`
	}
	if json.Unmarshal(data, &d) != nil {
		return false
	}
	return strings.HasSuffix(d.APIURL, strings.TrimSuffix(address, ".json")) || isCopy(file, d.APIURL)
}

// isCopy reports whether a document may be a copy at a former address: its apiUrl belongs to a
// document of the same kind.
func isCopy(file, apiURL string) bool {
	_, path, found := strings.Cut(apiURL, APIRoot+apiPath(""))
	of, known := ParseFile(docFile(strings.TrimPrefix(path, "/")))
	at, ours := ParseFile(file)
	return found && known && ours && at.Page == "" && of.Page == "" && at.List == of.List &&
		at.Ref.Kind == of.Ref.Kind && (at.Slug == "") == (of.Slug == "")
}

// Generator is the program's name in files outside the API, which distinguishes them from the
// files of another site.
const Generator = "Souk"

// marks are texts that a build writes into the files of pages, by extension.
var marks = map[string]string{
	".html": `<meta name="generator" content="` + Generator + `">`,
	".svg":  "<metadata>" + Generator + "</metadata>",
	".atom": "<generator>" + Generator + "</generator>",
	".json": `"_generator":{"name":"` + Generator + `"}`,
	".md":   "# ",
}

// oursPage is Ours for files that belong to pages. A page contains its own address, except
// where it is shown at other addresses.
func oursPage(file string, body func() ([]byte, error)) (ours, page bool) {
	replaced, gone := IsGone(file)
	_, page = DocumentOf(replaced)
	switch file {
	case MissingFile, RemovedFile, FaviconFile, AtomFile, JSONFeedFile:
		page = true
	}
	// The operator's pages can be anywhere.
	mark := marks[path.Ext(file)]
	if path.Ext(file) == ".md" && !page {
		page, mark = true, "/"+LLMsFile+">)"
	}
	if page = page || path.Ext(file) == ".html"; !page {
		return false, false
	}
	data, err := body()
	if err != nil || !bytes.Contains(data, []byte(mark)) {
		return false, true
	}
	if path.Ext(file) != ".html" {
		return true, true
	}
	if gone || strings.HasPrefix(file, errorFolder) {
		return true, true
	}
	at := canonical.FindSubmatch(data)
	return at != nil && (file == HomeFile || strings.HasSuffix(HTMLFile(string(at[1])), file) || bytes.Contains(data, []byte(`http-equiv="refresh"`))), true
}
