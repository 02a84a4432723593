package publish

import (
	"flag"

	_ "pgregory.net/rapid" // its flag must be initialized before
)

// A property check publishes dozens of releases. `make test-long` runs more of them.
func init() { _ = flag.Set("rapid.checks", "25") }
