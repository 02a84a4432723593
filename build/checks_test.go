package build_test

import "flag"

// fewChecks is how often a property is checked, since a check builds a few dozen
// marketplaces. `make test-long` asks for more of them.
const fewChecks = "12"

func init() { _ = flag.Set("rapid.checks", fewChecks) }
