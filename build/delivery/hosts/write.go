package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"souk/templates"
)

// Settings are what a configuration depends on besides the release.
type Settings struct {
	// Public is the folder of the release, which must be absolute for a server.
	// For hosts with a List it is read.
	Public string
	// Bind is the host:port, or :port, that a server listens on.
	Bind string
	// ServerName is the public host name; empty accepts any name.
	ServerName string
	// Dynamic is the URL of the program that answers search and the rest; empty if
	// there is none. A service reaches only what is public.
	Dynamic string
	// Encodings are the twins to send, gzip and br; nil is what the host supports
	// as packaged by Debian.
	Encodings []string
	// Recorded are the addresses on record of removed sellers, relative to the API.
	// A List has those of them that are no document of the release, besides the
	// addresses of its stubs.
	Recorded []string
}

// A File is a file of a configuration.
type File struct {
	// Name is relative to the folder of the configuration.
	Name string
	Body []byte
}

// Write returns the configuration of a host. It fails if a setting cannot be
// written into it, if the host cannot hold what the release needs, or if the
// release cannot be read.
func (h Host) Write(s Settings) ([]File, error) {
	if h.Refused != "" {
		return nil, fmt.Errorf("%s is not offered: %s", h.Title, h.Refused)
	}
	if s.Encodings == nil {
		s.Encodings = h.encodings
	}
	if err := s.check(h); err != nil {
		return nil, err
	}
	v, err := newView(h, s)
	if err != nil {
		return nil, err
	}
	if err := v.fits(); err != nil {
		return nil, err
	}
	var files []File
	for _, o := range h.files {
		var b bytes.Buffer
		if err := configurations().ExecuteTemplate(&b, o.template, v); err != nil {
			return nil, fmt.Errorf("write %s: %w", o.name, err)
		}
		files = append(files, File{Name: o.name, Body: b.Bytes()})
	}
	return files, nil
}

// ErrSetting means that a setting cannot be written into a configuration.
var ErrSetting = errors.New("this cannot be written into a configuration")

// reserved are the characters that mean something in one of the configuration languages.
const reserved = "\"'`\\{}$;#\n\r\t"

// check refuses what would mean something else in one of the configuration
// languages.
func (s Settings) check(h Host) error {
	for _, text := range []string{s.Public, s.Bind, s.ServerName, s.Dynamic} {
		if strings.ContainsAny(text, reserved) {
			return fmt.Errorf("%q: %w: take quotes, braces, $, ;, # and backslashes out", text, ErrSetting)
		}
	}
	for _, text := range []string{s.Bind, s.ServerName, s.Dynamic} {
		if strings.Contains(text, " ") {
			return fmt.Errorf("%q: %w: take the space out", text, ErrSetting)
		}
	}
	if s.Dynamic == "" {
		return nil
	}
	u, err := url.Parse(s.Dynamic)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil {
		return fmt.Errorf("%q: %w: the dynamic server is scheme, host and port, as http://127.0.0.1:8080", s.Dynamic, ErrSetting)
	}
	if ip := net.ParseIP(u.Hostname()); h.Service && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()) {
		return fmt.Errorf("%q: %w: %s runs elsewhere, and reaches no program on this machine", s.Dynamic, ErrSetting, h.Title)
	}
	return nil
}

// Port returns the port of Bind.
func (s Settings) Port() string { return s.Bind[strings.LastIndex(s.Bind, ":")+1:] }

// Address returns the host of Bind, or "" for all.
func (s Settings) Address() string { return s.Bind[:max(0, strings.LastIndex(s.Bind, ":"))] }

// Sends reports whether twins of a coding are sent.
func (s Settings) Sends(coding string) bool { return slices.Contains(s.Encodings, coding) }

// configurations are the templates by file name. What a delimiter would take from the
// braces of a configuration, [[ and ]] leave alone.
var configurations = sync.OnceValue(func() *template.Template {
	t := template.New("").Option("missingkey=error").Delims("[[", "]]").Funcs(functions)
	return template.Must(t.ParseFS(templates.HostFiles, "hosts/*.tmpl"))
})

var functions = template.FuncMap{
	// backtick quotes text so that the Caddyfile takes it literally.
	"backtick": func(text string) string { return "`" + text + "`" },
	// join joins patterns into alternatives.
	"join": func(patterns []string) string { return strings.Join(patterns, "|") },
	// colons writes the wildcards of a path as :name, and stars writes them as *.
	"colons":  func(path string) string { return named.ReplaceAllString(path, ":$1") },
	"stars":   func(path string) string { return named.ReplaceAllString(path, "*") },
	"literal": regexp.QuoteMeta,
	"lower":   strings.ToLower,
	// slashes escapes the slashes of a pattern for a JavaScript literal.
	"slashes": func(pattern string) string { return strings.ReplaceAll(pattern, "/", `\/`) },
	// quote puts text in double quotes, as nginx, Caddy, Apache and TOML read it.
	"quote": func(text string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
	},
	"json": func(value any) (string, error) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		err := e.Encode(value)
		return strings.TrimSuffix(b.String(), "\n"), err
	},
	// single puts text in single quotes, as nginx reads it.
	"single": func(text string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`).Replace(text) + "'"
	},
	// twin returns the extension of the twins of a coding.
	"twin": func(coding string) string { return strings.NewReplacer("gzip", "gz").Replace(coding) },
	// variable returns the name of a variable for a header.
	"variable": func(header string) string { return "souk_" + strings.ReplaceAll(strings.ToLower(header), "-", "_") },
	// regexp writes a pattern as a JavaScript literal.
	"regexp": func(pattern string) string { return "/^(?:" + strings.ReplaceAll(pattern, "/", `\/`) + ")$/" },
}

// named is a wildcard in a path of the registry.
var named = regexp.MustCompile(`\{([^}]*)\}`)

// mostRoutes is how many routes Vercel accepts, less those that are always there;
// longestPattern is how many characters one may have.
const (
	mostRoutes     = 2000
	longestPattern = 4000
)

// fits returns an error if the list is too long for the host.
func (v view) fits() error {
	if v.Host.Name == "vercel" && len(v.RemovedPatterns())+len(v.RemovedPagePatterns()) > mostRoutes {
		return fmt.Errorf("%d removed addresses are more than the routes of Vercel hold: choose a host whose configuration holds no list", len(v.Removed)+len(v.RemovedPages))
	}
	return nil
}

// RemovedPatterns returns the removed addresses as alternatives, as many in each
// pattern as one rule can hold.
func (v view) RemovedPatterns() []string { return alternatives(v.Removed) }

// RemovedPagePatterns does so for those of pages.
func (v view) RemovedPagePatterns() []string {
	var quoted []string
	for _, address := range v.RemovedPages {
		quoted = append(quoted, regexp.QuoteMeta(address))
	}
	return alternatives(quoted)
}

func alternatives(addresses []string) []string {
	var all []string
	one := ""
	for _, address := range addresses {
		if one != "" && len(one)+1+len(address) > longestPattern {
			all, one = append(all, one), ""
		}
		if one != "" {
			one += "|"
		}
		one += address
	}
	if one != "" {
		all = append(all, one)
	}
	return all
}
