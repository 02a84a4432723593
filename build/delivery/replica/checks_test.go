package replica

import (
	"flag"

	_ "pgregory.net/rapid" // its flag must be initialized before
)

// A property check publishes and copies half a dozen releases. `make test-long` runs more
// of them.
func init() { _ = flag.Set("rapid.checks", "15") }
