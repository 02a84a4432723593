package build_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport lists exactly the imports between the packages. A package that is not listed
// may not import any of them, so a new one must be added here.
var mayImport = map[string][]string{
	"build/kit/problem":        {},
	"build/kit/durable":        {},
	"build/internal/listing":   {},
	"build/kit/mapped":         {},
	"build/internal/smallfile": {},
	"build/kit/processors":     {},
	"build/kit/verbatim":       {},
	"build/kit/unit":           {},
	"build/kit/twin":           {},
	"build/kit/fold":           {},
	"build/kit/codes":          {},
	"build/internal/markdown":  {},
	"build/kit/picture":        {"build/kit/problem"},
	"templates":                {"templates/texts"},
	"build/kit/theme":          {"build/kit/picture", "build/kit/problem"},
	"build/catalog":            {"build/kit/processors", "build/kit/fold", "build/kit/unit", "build/kit/problem", "build/internal/markdown", "build/kit/theme"},
	"build/source":             {"build/catalog", "build/internal/listing", "build/internal/markdown", "build/internal/smallfile", "build/kit/codes", "build/kit/durable", "build/kit/fold", "build/kit/journal", "build/kit/mapped", "build/kit/picture", "build/kit/problem", "build/kit/processors", "build/kit/rendition", "build/kit/theme", "templates", "templates/texts"},
	"build/document":           {"build/catalog", "build/internal/markdown", "templates", "templates/texts", "build/kit/twin"},
	"build/export/mappicture":  {},
	"build/site":               {"build/document", "build/export/mappicture", "build/internal/markdown", "build/kit/problem", "build/kit/theme", "build/kit/unit", "templates", "templates/texts"},
	"build/release":            {"build/kit/durable", "build/kit/mapped", "build/internal/smallfile", "build/internal/listing", "build/kit/twin"},
	"build/release/market":     {"build/document", "build/kit/durable", "build/release", "build/site", "build/kit/theme", "templates/texts"},
	"build/export/snapshot":    {"build/catalog"},
	"build/export/merchant":    {"build/document", "build/internal/markdown", "build/kit/codes"},
	"build/release/stub":       {"build/catalog", "build/document", "build/release"},
	"build/delivery/replica":   {"build/kit/processors", "build/kit/durable", "build/release"},
	"build/delivery/publish":   {"build/catalog", "build/document", "build/kit/durable", "build/index", "build/release", "build/delivery/replica", "build/release/stub", "build/kit/verbatim", "build/kit/twin"},
	"build":                    {"build/catalog", "build/document", "build/export/merchant", "build/export/sheet", "build/export/snapshot", "build/index", "build/kit/durable", "build/kit/picture", "build/kit/problem", "build/kit/processors", "build/kit/rendition", "build/release", "build/release/market", "build/release/stub", "build/site", "build/source"},
	"build/inspect/diff":       {"build/kit/processors", "build/catalog", "build/document", "build/release/stub", "build/kit/verbatim"},
	"build/delivery/hosts":     {"build/document", "templates", "build/kit/twin"},
	"build/inspect/probe":      {"build/document", "build/kit/problem", "build/release", "build/kit/verbatim", "build/kit/twin"},
	"dynamic/web":              {"build/document", "build/kit/problem", "build/release"},
	// texts are used in templates, which know nothing of the other packages.
	"templates/texts": {},
	// markettest generates markets for benchmarks.
	"internal/testing/markettest": {"build/catalog", "build/kit/rendition", "build/source"},
	"build/kit/rendition":         {"build/kit/durable", "build/kit/picture"},
	"build/index/text":            {"build/kit/fold"},
	"build/index/terms":           {"build/index/text"},
	"build/index/naming":          {"build/index/text"},
	"build/index":                 {"build/catalog", "build/document", "build/index/naming", "build/index/terms", "build/index/text", "build/internal/markdown", "build/kit/durable", "build/kit/mapped", "build/kit/processors"},
	"dynamic/search":              {"build/catalog", "build/kit/codes", "build/document", "build/kit/fold", "build/index", "build/index/naming", "build/index/text", "dynamic/search/cluster", "dynamic/search/corpus", "dynamic/search/engine", "dynamic/search/facet", "dynamic/search/fault", "dynamic/search/hit", "dynamic/search/match", "dynamic/search/question", "dynamic/search/suggest"},
	"dynamic/web/searchapi":       {"build/document", "build/kit/problem", "build/site", "dynamic/compare", "dynamic/search", "dynamic/search/fault", "dynamic/search/suggest", "dynamic/web"},
	// script replays requests for tests.
	"internal/testing/script": {},
	// docsection checks generated parts of the documentation.
	"internal/testing/docsection": {},
	// s3test runs an S3 server for tests.
	"internal/testing/s3test": {},
	// loopback runs servers for tests and benchmarks.
	"internal/testing/loopback": {"build/delivery/hosts"},
	"dynamic/verification":      {"build/catalog"},
	"dynamic/ledger":            {"build/catalog", "build/kit/durable", "dynamic/verification"},
	"dynamic/machines/lease":    {"dynamic/ledger"},
	"dynamic/mail":              {"build/kit/durable", "templates", "templates/texts"},
	"dynamic/verification/oidc": {},
	"dynamic/web/preview":       {"build/kit/problem", "templates"},
	"dynamic/operator/metrics":  {},
	"dynamic/web/reach":         {},
	"dynamic/agents/mcp":        {"build/document", "build/kit/problem", "dynamic/compare", "dynamic/search", "dynamic/search/fault", "dynamic/search/suggest", "dynamic/web/reach"},
	"dynamic/search/opensearch": {"build/document", "dynamic/search/cluster", "dynamic/search/match"},
	// opensearchtest runs OpenSearch for tests.
	"internal/testing/opensearchtest": {},
	"dynamic/operator/trace":          {"build/catalog", "build/document", "build/kit/fold", "build/index", "build/kit/processors", "build/release", "build/kit/twin", "dynamic/search", "dynamic/search/suggest"},
	// postgrestest runs a database for tests.
	"internal/testing/postgrestest": {},
	"dynamic":                       {"build", "build/catalog", "build/delivery/publish", "build/document", "build/index", "build/kit/journal", "build/kit/problem", "build/release", "build/release/market", "build/release/stub", "build/site", "dynamic/agents/mcp", "dynamic/ledger", "dynamic/machines/lease", "dynamic/machines/mirror", "dynamic/mail", "dynamic/operator/metrics", "dynamic/operator/notify", "dynamic/operator/searches", "dynamic/search", "dynamic/search/cluster", "dynamic/search/suggest", "dynamic/verification", "dynamic/verification/oidc", "dynamic/web", "dynamic/web/preview", "dynamic/web/reach", "dynamic/web/searchapi", "templates", "templates/texts"},
	"dynamic/search/cluster":        {"build/catalog", "build/document", "build/index", "build/index/text", "dynamic/search/corpus", "dynamic/search/engine", "dynamic/search/facet", "dynamic/search/hit", "dynamic/search/match"},
	"dynamic/search/corpus":         {"build/catalog", "build/document", "build/index", "build/index/naming", "build/kit/mapped", "build/kit/processors", "templates/texts"},
	"dynamic/search/engine":         {"dynamic/search/corpus", "dynamic/search/facet", "dynamic/search/hit", "dynamic/search/match"},
	"dynamic/search/facet":          {"build/catalog", "build/kit/codes", "build/document", "build/kit/fold", "build/index", "build/index/text", "build/kit/problem", "build/kit/processors", "build/kit/unit", "dynamic/search/corpus", "dynamic/search/fault", "dynamic/search/hit"},
	"dynamic/search/fault":          {"build/document", "build/kit/problem"},
	"dynamic/search/hit":            {},
	"dynamic/search/match":          {"build/catalog", "build/document", "build/kit/fold", "build/index", "build/index/terms", "build/index/text", "build/kit/unit", "dynamic/search/corpus", "dynamic/search/hit", "dynamic/search/question"},
	"dynamic/search/suggest":        {"build/catalog", "build/document", "build/index", "build/index/naming", "build/index/terms", "build/index/text", "build/kit/problem", "dynamic/search/corpus", "dynamic/search/fault", "dynamic/search/match"},
	"dynamic/search/question":       {"build/kit/codes", "build/document", "build/kit/fold", "build/index/text", "build/kit/unit"},
	"build/intake":                  {"build/catalog", "build/intake/edit", "build/intake/feed", "build/intake/merge", "build/internal/markdown", "build/kit/durable", "build/kit/journal", "build/kit/picture", "build/kit/problem", "build/kit/rendition"},
	"build/intake/edit":             {"build/intake/merge"},
	"build/intake/feed":             {"build/catalog", "build/intake/merge", "build/kit/codes", "build/kit/fold"},
	"build/intake/formats":          {"build/intake/edit", "build/intake/feed", "build/intake/landscape", "build/intake/table", "build/kit/durable", "build/kit/journal"},
	"build/intake/landscape":        {"build/catalog", "build/intake/feed", "build/intake/merge", "build/kit/fold"},
	"build/intake/merge":            {},
	"build/intake/table":            {"build/intake/feed", "build/intake/merge", "build/kit/problem"},
	"build/kit/journal":             {"build/kit/durable"},
	"build/export/sheet":            {"build/catalog"},
	"dynamic/machines/mirror":       {"build/catalog", "build/delivery/publish", "build/release"},
	"dynamic/compare":               {"build/document", "build/kit/fold", "build/kit/unit"},
	"dynamic/operator/notify":       {"dynamic/ledger", "dynamic/mail", "dynamic/verification"},
	"dynamic/operator/searches":     {"build/catalog"},
	"cmd/souk":                      nil, // all packages
}

// alone lists libraries that only one or two packages may import.
var alone = map[string]string{
	"go.yaml.in/yaml/v4":                     "build/source build/intake/edit build/intake/formats build/intake/landscape templates/texts",
	"github.com/yuin/goldmark":               "build/internal/markdown",
	"github.com/blugelabs/bluge":             "build/index/terms",
	"github.com/molecule-man/go-brrr":        "build/release",
	"github.com/minio/minio-go":              "build/delivery/publish internal/testing/s3test",
	"github.com/bojanz/currency":             "templates/texts",
	"github.com/spf13/cobra":                 "cmd/souk",
	"github.com/fsnotify/fsnotify":           "dynamic",
	"github.com/wneessen/go-mail":            "dynamic/mail",
	"github.com/jackc/pgx":                   "dynamic/ledger",
	"modernc.org/sqlite":                     "dynamic/ledger",
	"github.com/coreos/go-oidc":              "dynamic/verification/oidc",
	"github.com/modelcontextprotocol/go-sdk": "dynamic/agents/mcp",
	"github.com/go-jose/go-jose":             "dynamic/verification/oidc",
	"github.com/xuri/excelize":               "build/intake/table",
	"github.com/JohannesKaufmann":            "build/intake/feed",
	"github.com/tdewolff/parse":              "build/kit/picture build/kit/theme",
}

func TestPackagesHaveExactlyTheListedImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "souk/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], "souk/")
		allowed, placed := mayImport[name]
		if !placed {
			t.Errorf("%s has no place among the packages: add it to mayImport", name)
			continue
		}
		for _, imported := range words[1:] {
			for library, owner := range alone {
				if (imported == library || strings.HasPrefix(imported, library+"/")) && !slices.Contains(strings.Fields(owner), name) {
					t.Errorf("%s imports %s, which %s wraps", name, imported, owner)
				}
			}
			own, ours := strings.CutPrefix(imported, "souk/")
			if ours && allowed != nil && !slices.Contains(allowed, own) {
				t.Errorf("%s may not import %s", name, own)
			}
		}
		for _, own := range allowed {
			if !slices.Contains(words[1:], "souk/"+own) {
				t.Errorf("%s does not import %s: take it from mayImport", name, own)
			}
		}
	}
}
