package replica

import (
	"flag"

	_ "pgregory.net/rapid" // whose flag it is must be initialized before
)

// A check of a property publishes and copies half a dozen releases. `make
// test-long` asks for more of them.
func init() { _ = flag.Set("rapid.checks", "15") }
