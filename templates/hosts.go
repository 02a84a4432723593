package templates

import "embed"

// HostFiles contains the configuration templates for other web servers. Package
// hosts parses them, since it defines the functions that they call.
//
//go:embed hosts/*.tmpl
var HostFiles embed.FS
