package replica

import "flag"

// A check of a property publishes and copies half a dozen releases. `make
// test-long` asks for more of them.
func init() { _ = flag.Set("rapid.checks", "15") }
