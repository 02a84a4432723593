package build_test

import (
	"flag"
	"testing"
)

// fewChecks is the default number of checks of a property, since each check builds a few
// dozen marketplaces. `make test-long` runs more of them.
const fewChecks = "12"

func init() { _ = flag.Set("rapid.checks", fewChecks) }

// checks sets the number of checks of a test's properties, unless the command line sets it.
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
