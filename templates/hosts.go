package templates

import (
	"embed"
	"text/template"
)

//go:embed hosts/*.tmpl
var hostFiles embed.FS

// HostFuncs are what the templates of Hosts call; package hosts gives them what
// they do before it executes one.
var HostFuncs = template.FuncMap{
	"backtick": func(string) string { return "" },
	"colons":   func(string) string { return "" },
	"join":     func([]string) string { return "" },
	"json":     func(any) string { return "" },
	"literal":  func(string) string { return "" },
	"lower":    func(string) string { return "" },
	"quote":    func(string) string { return "" },
	"regexp":   func(string) string { return "" },
	"slashes":  func(string) string { return "" },
	"stars":    func(string) string { return "" },
	"single":   func(string) string { return "" },
	"twin":     func(string) string { return "" },
	"variable": func(string) string { return "" },
}

// Hosts holds the configurations of other servers, by file name. What a
// delimiter would take from their own braces, [[ and ]] leave alone.
var Hosts = template.Must(template.New("").Option("missingkey=error").Delims("[[", "]]").Funcs(HostFuncs).ParseFS(hostFiles, "hosts/*.tmpl"))
