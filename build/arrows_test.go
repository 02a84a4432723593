package build_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport holds the arrows between the packages: what each imports of the others, no
// less and no more. A package that is not here may import nothing of them, so that a new
// one has to be placed.
var mayImport = map[string][]string{
	"build/problem":    {},
	"build/durable":    {},
	"build/listing":    {},
	"build/mapped":     {},
	"build/smallfile":  {},
	"build/processors": {},
	"build/verbatim":   {},
	"build/unit":       {},
	"build/twin":       {},
	"build/fold":       {},
	"build/codes":      {},
	"build/markdown":   {},
	"build/picture":    {"build/problem"},
	"templates":        {"templates/texts"},
	"build/theme":      {"build/picture", "build/problem"},
	"build/catalog":    {"build/processors", "build/fold", "build/unit", "build/problem", "build/markdown", "build/theme"},
	"build/source":     {"build/codes", "build/processors", "build/fold", "build/mapped", "build/smallfile", "build/catalog", "build/problem", "build/markdown", "build/picture", "build/rendition", "build/durable", "build/listing", "build/theme", "templates", "templates/texts"},
	"build/document":   {"build/catalog", "build/markdown", "templates", "templates/texts", "build/twin"},
	"build/mappicture": {},
	"build/site":       {"build/document", "build/mappicture", "build/markdown", "build/problem", "build/theme", "templates", "templates/texts"},
	"build/release":    {"build/durable", "build/mapped", "build/smallfile", "build/listing", "build/twin"},
	"build/market":     {"build/document", "build/durable", "build/release", "build/site", "build/theme", "templates/texts"},
	"build/snapshot":   {"build/catalog"},
	"build/merchant":   {"build/document", "build/markdown"},
	"build/stub":       {"build/catalog", "build/document", "build/release"},
	"build/replica":    {"build/processors", "build/durable", "build/release"},
	"build/publish":    {"build/catalog", "build/document", "build/durable", "build/index", "build/release", "build/replica", "build/stub", "build/verbatim", "build/twin"},
	"build":            {"build/processors", "build/catalog", "build/document", "build/durable", "build/index", "build/mapped", "build/market", "build/merchant", "build/picture", "build/problem", "build/release", "build/rendition", "build/site", "build/snapshot", "build/source", "build/stub"},
	"build/diff":       {"build/processors", "build/catalog", "build/document", "build/stub", "build/verbatim"},
	"build/hosts":      {"build/document", "templates", "build/twin"},
	"build/probe":      {"build/document", "build/problem", "build/release", "build/verbatim", "build/twin"},
	"dynamic/web":      {"build/document", "build/problem", "build/release"},
	// texts are in templates, which the others do not know of.
	"templates/texts": {},
	// markettest makes markets to measure with.
	"internal/testing/markettest": {"build/catalog", "build/rendition", "build/source"},
	"build/rendition":             {"build/durable", "build/picture"},
	"build/index/text":            {"build/fold"},
	"build/index/terms":           {"build/index/text"},
	"build/index/naming":          {"build/index/text"},
	"build/index":                 {"build/processors", "build/catalog", "build/document", "build/durable", "build/mapped", "build/markdown", "build/release", "build/index/naming", "build/index/terms", "build/index/text"},
	"dynamic/search":              {"build/catalog", "build/codes", "build/document", "build/fold", "build/index", "build/index/naming", "build/index/text", "dynamic/search/cluster", "dynamic/search/corpus", "dynamic/search/engine", "dynamic/search/facet", "dynamic/search/fault", "dynamic/search/hit", "dynamic/search/match", "dynamic/search/question", "dynamic/search/suggest"},
	"dynamic/web/searchapi":       {"build/document", "build/problem", "build/site", "dynamic/search", "dynamic/search/fault", "dynamic/search/suggest", "dynamic/web"},
	// script plays requests for tests.
	"internal/testing/script": {},
	// docsection holds made parts of the documentation, for tests.
	"internal/testing/docsection": {},
	// s3test runs an S3 server for tests.
	"internal/testing/s3test": {},
	// loopback runs servers for tests and benchmarks.
	"internal/testing/loopback": {"build/hosts"},
	"dynamic/verification":      {"build/catalog"},
	"dynamic/ledger":            {"build/catalog", "dynamic/verification"},
	"dynamic/lease":             {"dynamic/ledger"},
	"dynamic/mail":              {"build/durable", "templates", "templates/texts"},
	"dynamic/oidc":              {},
	"dynamic/preview":           {"build/problem", "templates"},
	"dynamic/metrics":           {},
	"dynamic/reach":             {},
	"dynamic/mcp":               {"build/document", "build/problem", "dynamic/reach", "dynamic/search", "dynamic/search/fault", "dynamic/search/suggest"},
	"dynamic/opensearch":        {"build/document", "dynamic/search/cluster", "dynamic/search/match"},
	// opensearchtest runs OpenSearch for tests.
	"internal/testing/opensearchtest": {},
	"dynamic/trace":                   {"build/catalog", "build/document", "build/fold", "build/index", "build/processors", "build/release", "build/twin", "dynamic/search", "dynamic/search/suggest"},
	// postgrestest runs a database for tests.
	"internal/testing/postgrestest": {},
	"dynamic":                       {"build", "build/catalog", "build/document", "build/index", "build/market", "build/problem", "build/publish", "build/release", "build/site", "build/stub", "dynamic/lease", "dynamic/ledger", "dynamic/mail", "dynamic/mcp", "dynamic/metrics", "dynamic/oidc", "dynamic/preview", "dynamic/reach", "dynamic/search", "dynamic/search/cluster", "dynamic/search/suggest", "dynamic/verification", "dynamic/web", "dynamic/web/searchapi", "templates", "templates/texts"},
	"dynamic/search/cluster":        {"build/catalog", "build/document", "build/index", "build/index/text", "dynamic/search/corpus", "dynamic/search/engine", "dynamic/search/facet", "dynamic/search/hit", "dynamic/search/match"},
	"dynamic/search/corpus":         {"build/catalog", "build/document", "build/index", "build/index/naming", "build/mapped", "build/processors", "templates/texts"},
	"dynamic/search/engine":         {"dynamic/search/corpus", "dynamic/search/facet", "dynamic/search/hit", "dynamic/search/match"},
	"dynamic/search/facet":          {"build/catalog", "build/codes", "build/document", "build/fold", "build/index", "build/index/text", "build/problem", "build/processors", "build/unit", "dynamic/search/corpus", "dynamic/search/fault", "dynamic/search/hit"},
	"dynamic/search/fault":          {"build/document", "build/problem"},
	"dynamic/search/hit":            {},
	"dynamic/search/match":          {"build/catalog", "build/document", "build/fold", "build/index", "build/index/terms", "build/index/text", "build/unit", "dynamic/search/corpus", "dynamic/search/hit", "dynamic/search/question"},
	"dynamic/search/suggest":        {"build/catalog", "build/document", "build/index", "build/index/naming", "build/index/terms", "build/index/text", "build/problem", "dynamic/search/corpus", "dynamic/search/fault", "dynamic/search/match"},
	"dynamic/search/question":       {"build/codes", "build/document", "build/fold", "build/index/text", "build/unit"},
	"cmd/souk":                      nil, // all
}

// alone holds libraries that one package wraps for all others, or two.
var alone = map[string]string{
	"go.yaml.in/yaml/v4":                     "build/source templates/texts",
	"github.com/yuin/goldmark":               "build/markdown",
	"github.com/blugelabs/bluge":             "build/index/terms",
	"github.com/molecule-man/go-brrr":        "build/release",
	"github.com/minio/minio-go":              "build/publish internal/testing/s3test",
	"github.com/bojanz/currency":             "templates/texts",
	"github.com/spf13/cobra":                 "cmd/souk",
	"github.com/fsnotify/fsnotify":           "dynamic",
	"github.com/wneessen/go-mail":            "dynamic/mail",
	"github.com/jackc/pgx":                   "dynamic/ledger",
	"modernc.org/sqlite":                     "dynamic/ledger",
	"github.com/coreos/go-oidc":              "dynamic/oidc",
	"github.com/modelcontextprotocol/go-sdk": "dynamic/mcp",
	"github.com/go-jose/go-jose":             "dynamic/oidc",
	"github.com/tdewolff/parse":              "build/picture build/theme",
}

func TestPackagesImportOnlyWhatTheArrowsAllow(t *testing.T) {
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
