package build_test

import "flag"

// A check of a property builds a few dozen marketplaces. `make test-long` asks
// for more of them.
func init() { _ = flag.Set("rapid.checks", "12") }
