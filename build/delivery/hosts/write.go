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

// Settings are the inputs of a configuration besides the release.
type Settings struct {
	// Public is the folder of the release, which must be absolute for a server. It is read
	// for hosts with a List.
	Public string
	// Bind is the host:port, or :port, on which a server listens.
	Bind string
	// ServerName is the public host name; empty accepts any name.
	ServerName string
	// Dynamic is the URL of the program that answers search and other dynamic endpoints;
	// empty if there is none. A service can only reach public URLs.
	Dynamic string
	// Encodings are the twins to send, gzip and br; nil means what the host supports as
	// packaged by Debian.
	Encodings []string
	// Recorded are the recorded addresses of removed sellers, relative to the API. A List
	// contains those that are not documents of the release, and the addresses of its stubs.
	Recorded []string
}

// A File is a file of a configuration.
type File struct {
	// Name is relative to the folder of the configuration.
	Name string
	Body []byte
}

// Write returns the configuration of a host. It fails if a setting cannot be written into
// it, if the configuration would be too large for the host, or if the release cannot be
// read.
func (h Host) Write(s Settings) ([]File, error) {
	if h.Refused != "" {
		return nil, fmt.Errorf("souk writes no configuration for %s: %s", h.Title, h.Refused)
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

// reserved are the characters with a meaning in one of the configuration languages.
const reserved = "\"'`\\{}$;#\n\r\t"

// check rejects settings that would change meaning in one of the configuration languages.
func (s Settings) check(h Host) error {
	for _, text := range []string{s.Public, s.Bind, s.ServerName, s.Dynamic} {
		if strings.ContainsAny(text, reserved) {
			return fmt.Errorf("%q: %w: remove quotes, braces, $, ;, # and backslashes", text, ErrSetting)
		}
	}
	for _, text := range []string{s.Bind, s.ServerName, s.Dynamic} {
		if strings.Contains(text, " ") {
			return fmt.Errorf("%q: %w: remove the space", text, ErrSetting)
		}
	}
	if s.Dynamic == "" {
		return nil
	}
	u, err := url.Parse(s.Dynamic)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil {
		return fmt.Errorf("%q: %w: give scheme, host and port of the dynamic server, as in http://127.0.0.1:8080", s.Dynamic, ErrSetting)
	}
	if ip := net.ParseIP(u.Hostname()); h.Service && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()) {
		return fmt.Errorf("%q: %w: %s runs elsewhere and cannot reach a program on this machine", s.Dynamic, ErrSetting, h.Title)
	}
	return nil
}

// Port returns the port of Bind.
func (s Settings) Port() string { return s.Bind[strings.LastIndex(s.Bind, ":")+1:] }

// Address returns the host of Bind, or "" for all.
func (s Settings) Address() string { return s.Bind[:max(0, strings.LastIndex(s.Bind, ":"))] }

// Sends reports whether twins of a coding are sent.
func (s Settings) Sends(coding string) bool { return slices.Contains(s.Encodings, coding) }

// configurations are the templates by file name. Their delimiters [[ and ]] do not conflict
// with the braces of configurations.
var configurations = sync.OnceValue(func() *template.Template {
	t := template.New("").Option("missingkey=error").Delims("[[", "]]").Funcs(functions)
	return template.Must(t.ParseFS(templates.HostFiles, "hosts/*.tmpl"))
})

var functions = template.FuncMap{
	// backtick quotes text so that the Caddyfile reads it literally.
	"backtick": func(text string) string { return "`" + text + "`" },
	// join joins patterns into alternatives.
	"join": func(patterns []string) string { return strings.Join(patterns, "|") },
	// colons writes a path's wildcards as :name, and stars writes them as *.
	"colons":  func(path string) string { return named.ReplaceAllString(path, ":$1") },
	"stars":   func(path string) string { return named.ReplaceAllString(path, "*") },
	"literal": regexp.QuoteMeta,
	"lower":   strings.ToLower,
	// slashes escapes the slashes of a pattern for a JavaScript literal.
	"slashes": func(pattern string) string { return strings.ReplaceAll(pattern, "/", `\/`) },
	// quote puts text in double quotes, in the syntax of nginx, Caddy, Apache and TOML.
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
	// single puts text in single quotes, in nginx's syntax.
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

// named matches a wildcard in a path of the registry.
var named = regexp.MustCompile(`\{([^}]*)\}`)

// mostRoutes is how many routes Vercel accepts, minus the constant ones; longestPattern is
// the maximum length of a pattern in characters.
const (
	mostRoutes     = 2000
	longestPattern = 4000
)

// fits returns an error if the list is too long for the host.
func (v view) fits() error {
	if v.Host.Name == "vercel" && len(v.RemovedPatterns())+len(v.RemovedPagePatterns()) > mostRoutes {
		return fmt.Errorf("%d removed addresses are more than Vercel's routes can hold: choose a host whose configuration needs no list", len(v.Removed)+len(v.RemovedPages))
	}
	return nil
}

// RemovedPatterns returns the removed addresses as alternatives, as many in each pattern as
// a rule can contain.
func (v view) RemovedPatterns() []string { return alternatives(v.Removed) }

// RemovedPagePatterns is like RemovedPatterns, for pages.
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
