package templates

import "embed"

// HostFiles has the templates of the configurations of other servers; package hosts
// parses them with what they call.
//
//go:embed hosts/*.tmpl
var HostFiles embed.FS
