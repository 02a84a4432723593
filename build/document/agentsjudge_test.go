package document

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"souk/build/catalog"
)

func TestTheServerCardMatchesItsSchema(t *testing.T) {
	folder := os.Getenv("SOUK_TEST_AGENT_SCHEMAS")
	if folder == "" {
		t.Skip("set SOUK_TEST_AGENT_SCHEMAS to a folder with schema.json of github.com/modelcontextprotocol/experimental-ext-server-card")
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(folder, "schema.json") + "#/$defs/ServerCard")
	if err != nil {
		t.Fatal(err)
	}
	card, err := jsonschema.UnmarshalJSON(bytes.NewReader(describedRenderer(catalog.Marketplace{Name: "Bench & Byre"}).serverCard()))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(card); err != nil {
		t.Error(err)
	}
}
