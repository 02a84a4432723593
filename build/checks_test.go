package build_test

import (
	"flag"
	"testing"
)

// fewChecks is how often a property is checked, since a check builds a few dozen
// marketplaces. `make test-long` asks for more of them.
const fewChecks = "12"

func init() { _ = flag.Set("rapid.checks", fewChecks) }

// checks has the properties of a test checked so often, unless the command line says
// another number.
func checks(t *testing.T, often string) {
	value := flag.Lookup("rapid.checks").Value
	if value.String() != fewChecks {
		return
	}
	if err := value.Set(often); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = value.Set(fewChecks) })
}
