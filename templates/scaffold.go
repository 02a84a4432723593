package templates

import "embed"

// Init is the small marketplace that `souk init` writes: content is the content
// folder; the other files belong next to it.
//
//go:embed init
var Init embed.FS
