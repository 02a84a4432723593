package hosts

// A Support says whether a host supports something.
type Support string

// The kinds of Support. Unproven means that the host's documentation or source code says
// so, but no test has confirmed it, since the host cannot run locally.
const (
	Yes      Support = "yes"
	No       Support = "no"
	Unproven Support = "unproven"
)

// A Host is a server or service, and what it can do with the generated configuration or, if
// none is offered, what it could do at best.
type Host struct {
	// Name is the argument of the command; Title is the host's own name.
	Name  string `json:"name"`
	Title string `json:"title"`
	// Refused says why there is no configuration for it; empty if there is one.
	Refused string `json:"refused,omitempty"`
	// Service means that it is a hosted service rather than a program.
	Service bool `json:"service"`
	// Gone is the status of GET at a removed address; 410 keeps the promise. GonePost is
	// the status of POST.
	Gone     int `json:"gone"`
	GonePost int `json:"gonePost"`
	// Proven means that the tests run the host itself, and the probe finds no mismatch.
	Proven bool `json:"proven"`
	// GoneBody and MissingBody say whether 410 and 404 have their problem bodies.
	GoneBody    Support `json:"goneBody"`
	MissingBody Support `json:"missingBody"`
	// Precompressed says how answers are compressed: "twins" if the host sends the files
	// that the build wrote, "own" if it compresses itself, or "none".
	Precompressed string `json:"precompressed"`
	// ErrorHeaders says whether 404 and 410 have the CORS and Cache-Control headers.
	ErrorHeaders Support `json:"errorHeaders"`
	// EncodingETag says whether each coding has its own strong ETag.
	EncodingETag Support `json:"encodingETag"`
	// Spelling says whether an address has only one spelling, so that encoded, doubled and
	// relative spellings are 404.
	Spelling Support `json:"spelling"`
	// Links says whether every spelling of a mail's link opens its page. On other hosts,
	// the script of the 404 page redirects.
	Links Support `json:"links"`
	// Markdown says whether Accept: text/markdown brings a page's Markdown.
	Markdown Support `json:"markdown"`
	// Dynamic says whether search and other dynamic endpoints are proxied to a program.
	Dynamic Support `json:"dynamic"`
	// List means that the configuration lists the removed addresses, so that it must be
	// written again for each release.
	List bool `json:"list"`
	// Note contains anything else that the operator should know.
	Note string `json:"note,omitempty"`

	// encodings are the twins that the host sends by default.
	encodings []string
	files     []output
}

// An output is a file written for a host.
type output struct{ name, template string }

// All returns all known hosts, with those that are offered first.
func All() []Host { return append([]Host{}, table...) }

// Lookup finds a host by its name.
func Lookup(name string) (Host, bool) {
	for _, h := range table {
		if h.Name == name {
			return h, true
		}
	}
	return Host{}, false
}

// Names returns the names of the hosts with a configuration.
func Names() []string {
	var all []string
	for _, h := range table {
		if h.Refused == "" {
			all = append(all, h.Name)
		}
	}
	return all
}

var table = []Host{
	{
		Name: "nginx", Title: "nginx", Gone: 410, GonePost: 410, Proven: true, GoneBody: Yes, MissingBody: Yes,
		Precompressed: "twins", ErrorHeaders: Yes, EncodingETag: Yes, Spelling: Yes, Links: Yes, Markdown: Yes, Dynamic: Yes,
		Note:      "Sends .gz copies if built with gzip_static, as Debian's package is; .br copies need ngx_brotli and --encodings gzip,br.",
		encodings: []string{"gzip"}, files: []output{{name: "souk.nginx.conf", template: "nginx.conf.tmpl"}},
	},
	{
		Name: "caddy", Title: "Caddy", Gone: 410, GonePost: 410, Proven: true, GoneBody: Yes, MissingBody: Yes,
		Precompressed: "twins", ErrorHeaders: Yes, EncodingETag: Yes, Spelling: Yes, Links: Yes, Markdown: Yes, Dynamic: Yes,
		Note:      "Needs Caddy 2.6 or later, and not 2.10.2, which answers 206 for compressed files.",
		encodings: []string{"br", "gzip"}, files: []output{{name: "souk.Caddyfile", template: "Caddyfile.tmpl"}},
	},
	{
		Name: "apache", Title: "Apache httpd", Gone: 410, GonePost: 410, Proven: true, GoneBody: Yes, MissingBody: Yes,
		Precompressed: "twins", ErrorHeaders: Yes, EncodingETag: Yes, Spelling: Yes, Links: Yes, Markdown: Yes, Dynamic: Yes,
		Note:      "Needs 2.4.39 or later. Ignores q values other than 0 in Accept-Encoding. Keeps the secrets in mailed links out of the access log if APACHE_LOG_DIR is defined, as in Debian's package.",
		encodings: []string{"br", "gzip"}, files: []output{{name: "souk.apache.conf", template: "apache.conf.tmpl"}},
	},
	{
		Name: "netlify", Title: "Netlify", Service: true, Gone: 410, GonePost: 404, GoneBody: Unproven, MissingBody: Unproven,
		Precompressed: "own", ErrorHeaders: Unproven, EncodingETag: Unproven, Spelling: No, Links: No, Markdown: No, Dynamic: Unproven, List: true,
		Note:  "Its rules cannot see Accept. netlify.toml lists the removed addresses: write it when you deploy, and keep it out of the repository.",
		files: []output{{name: "netlify.toml", template: "netlify.toml.tmpl"}, {name: missingFile, template: "missing.json.tmpl"}},
	},
	{
		Name: "vercel", Title: "Vercel", Service: true, Gone: 410, GonePost: 410, GoneBody: Unproven, MissingBody: Unproven,
		Precompressed: "own", ErrorHeaders: Unproven, EncodingETag: Unproven, Spelling: No, Links: Unproven, Markdown: No, Dynamic: Unproven, List: true,
		Note:  "410 follows from the documentation of routes and was not tested live: probe it. vercel.json lists the removed addresses: write it when you deploy, and keep it out of the repository.",
		files: []output{{name: "vercel.json", template: "vercel.json.tmpl"}, {name: missingFile, template: "missing.json.tmpl"}},
	},
	{
		Name: "cloudflare", Title: "Cloudflare Workers", Service: true, Gone: 410, GonePost: 410, GoneBody: Unproven, MissingBody: Unproven,
		Precompressed: "own", ErrorHeaders: Unproven, EncodingETag: No, Spelling: No, Links: Unproven, Markdown: No, Dynamic: Unproven,
		Note:  "A Worker in front of static assets; it runs, and is billed, for every request. The edge compresses responses itself, which makes ETags weak.",
		files: []output{{name: "worker.js", template: "worker.js.tmpl"}, {name: "wrangler.toml", template: "wrangler.toml.tmpl"}},
	},
	{
		Name: "cloudfront", Title: "Amazon CloudFront before S3", Service: true, Gone: 410, GonePost: 410, GoneBody: Unproven, MissingBody: No,
		Precompressed: "own", ErrorHeaders: Unproven, EncodingETag: Unproven, Spelling: Unproven, Links: Unproven, Markdown: No, Dynamic: Unproven, List: true,
		Note: "The removals are in a key-value store of hashes; load it before you count a removal as done. 404 bodies and headers need the settings at the top of the function; if the release has pages, 404 answers of the API contain the page too.",
		files: []output{
			{name: "function.js", template: "cloudfront.js.tmpl"}, {name: "removed.json", template: "cloudfront.json.tmpl"},
			{name: missingFile, template: "missing.json.tmpl"},
		},
	},
	{
		Name: "github-pages", Title: "GitHub Pages", Service: true, Gone: 404, GonePost: 405, GoneBody: No, MissingBody: No,
		Precompressed: "own", ErrorHeaders: No, EncodingETag: No, Spelling: No, Links: No, Markdown: No, Dynamic: No,
		Refused: "It cannot set headers or answer 410, and its terms forbid commerce.",
	},
	{
		Name: "s3-website", Title: "Amazon S3 website", Service: true, Gone: 403, GonePost: 405, GoneBody: No, MissingBody: No,
		Precompressed: "none", ErrorHeaders: No, EncodingETag: No, Spelling: Unproven, Links: No, Markdown: No, Dynamic: No,
		Refused: "It has only its own errors, 403 and 404; put CloudFront in front of it.",
	},
	{
		Name: "firebase", Title: "Firebase Hosting", Service: true, Gone: 404, GonePost: 404, GoneBody: No, MissingBody: No,
		Precompressed: "own", ErrorHeaders: Unproven, EncodingETag: Unproven, Spelling: No, Links: No, Markdown: No, Dynamic: Unproven,
		Refused: "Its redirects need a target and cannot answer 410; a program would have to answer every address.",
	},
	{
		Name: "amplify", Title: "AWS Amplify Hosting", Service: true, Gone: 404, GonePost: 404, GoneBody: No, MissingBody: No,
		Precompressed: "own", ErrorHeaders: Unproven, EncodingETag: Unproven, Spelling: No, Links: No, Markdown: No, Dynamic: Unproven,
		Refused: "Its rules support only 200, 301, 302, 404 and 404-200.",
	},
}

// missingFile is in the public folder of hosts that answer 404 with a file.
const missingFile = "public/404.problem.json"
