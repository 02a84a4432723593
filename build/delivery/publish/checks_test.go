package publish

import (
	"flag"

	_ "pgregory.net/rapid" // whose flag it is must be initialized before
)

// A check of a property publishes dozens of releases. `make test-long` asks for
// more of them.
func init() { _ = flag.Set("rapid.checks", "25") }
