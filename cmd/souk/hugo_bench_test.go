//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"souk/internal/testing/markettest"
)

// hugoSite makes the HTML and JSON of each product and service, with Souk's content except
// pictures and forms, and a list for each seller.
var hugoSite = map[string]string{
	"hugo.toml": `baseURL = "https://market.example/"
title = "Market"
disableKinds = ["taxonomy", "term", "rss", "sitemap", "404"]
[outputs]
page = ["html", "json"]
`,
	"layouts/baseof.html": `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Params.name}} · {{.Site.Title}}</title>
{{with .Params.summary}}<meta name="description" content="{{.}}">{{end}}
<link rel="canonical" href="{{.Permalink}}">
{{with .OutputFormats.Get "json"}}<link rel="alternate" type="application/json" href="{{.Permalink}}">{{end}}
<meta property="og:site_name" content="{{.Site.Title}}">
<meta property="og:title" content="{{.Params.name}}">
<meta property="og:description" content="{{.Params.summary}}">
<meta property="og:url" content="{{.Permalink}}">
{{block "data" .}}{{end}}
</head>
<body>
<header><a href="/">{{.Site.Title}}</a>
<form role="search" action="/search"><input type="search" name="q"><button>Search</button></form>
<nav><ul><li><a href="/categories/product">Products</a><li><a href="/categories/service">Services</a><li><a href="/companies">Companies</a></ul></nav></header>
<nav><ol>{{range .Ancestors.Reverse}}<li><a href="{{.RelPermalink}}">{{.Title}}</a>{{end}}<li>{{.Params.name}}</ol></nav>
{{block "main" .}}{{end}}
<footer><p>{{.Site.Title}}</p>{{with .OutputFormats.Get "json"}}<a href="{{.Permalink}}">This page as JSON</a>{{end}}</footer>
</body>
</html>
`,
	"layouts/page.html": `{{define "data"}}<script type="application/ld+json">{{dict "@context" "https://schema.org" "@type" "Product" "name" .Params.name "url" .Permalink "description" .Params.summary "sku" .Params.sku "brand" (dict "@type" "Organization" "name" .Parent.Title "url" .Parent.Permalink) | jsonify | safeJS}}</script>{{end}}
{{define "main"}}<main>
<p><a href="{{.Parent.RelPermalink}}">{{.Parent.Title}}</a></p>
<h1>{{.Params.name}}</h1>
{{with .Params.summary}}<p>{{.}}</p>{{end}}
<ul>{{range .Params.categories}}<li><a href="/categories/product/{{.}}">{{humanize .}}</a>{{end}}</ul>
<aside>
{{with .Params.price}}<p>{{.amount}} {{.currency}}</p>{{end}}
{{with .Params.sku}}<p>Article number {{.}}</p>{{end}}
<dl>{{range $name, $value := .Params.attributes}}<div><dt>{{$name}}</dt><dd>{{if reflect.IsMap $value}}{{$value.value}} {{$value.unit}}{{else}}{{$value}}{{end}}</dd></div>{{end}}</dl>
</aside>
<h2>Description</h2>
<div>{{.Content}}</div>
{{with .Params.variants}}<h2>Variants</h2>
<table>{{range .}}<tr><th>{{.name}}<td>{{.sku}}{{range $name, $value := .attributes}}<td>{{$value}}{{end}}{{with .price}}<td>{{.amount}} {{.currency}}{{end}}{{end}}</table>{{end}}
{{with .Params.proof}}<h2>Proof</h2>
<ul>{{range .}}<li>{{.kind}}: <strong>{{.title}}</strong>{{with .issuer}} {{.}}{{end}}{{end}}</ul>{{end}}
{{with partial "related" .}}<h2>Related</h2>
<ul>{{range .}}<li><span>{{.kind}}</span> <a href="{{.path}}">{{.name}}</a>{{end}}</ul>{{end}}
{{with .Params.updatedAt}}<p>Last changed {{.}}</p>{{end}}
</main>{{end}}
`,
	"layouts/_partials/related.html": `{{$all := slice}}{{range .Params.related}}{{$words := split . ":"}}{{$kind := index $words 0}}{{with index $words 1}}{{$at := split . "/"}}` +
		`{{with and (eq (len $at) 2) (site.GetPage (printf "/%s/%ss/%s" (index $at 0) $kind (index $at 1)))}}{{$all = $all | append (dict "kind" $kind "name" .Params.name "url" .Permalink "path" .RelPermalink)}}{{end}}{{end}}{{end}}{{return $all}}`,
	"layouts/page.json": `{{dict "name" .Params.name "summary" .Params.summary "url" .Permalink "seller" (dict "name" .Parent.Title "url" .Parent.Permalink) "categories" .Params.categories "sku" .Params.sku ` +
		`"price" .Params.price "attributes" .Params.attributes "variants" .Params.variants "proof" .Params.proof "related" (partial "related" .) "updatedAt" .Params.updatedAt "description" .RawContent | jsonify}}`,
	"layouts/section.html": `{{define "main"}}<main><h1>{{.Title}}</h1><ul>{{range .RegularPagesRecursive}}<li><a href="{{.RelPermalink}}">{{.Params.name}}</a><p>{{.Params.summary}}</p>{{end}}</ul></main>{{end}}`,
	"layouts/home.html":    `{{define "main"}}<main><ul>{{range .Sections}}<li><a href="{{.RelPermalink}}">{{.Title}}</a>{{end}}</ul></main>{{end}}`,
}

// BenchmarkHugoBuild measures how long Hugo takes for the HTML and JSON of the same
// products and services.
func BenchmarkHugoBuild(b *testing.B) {
	hugo, err := exec.LookPath("hugo")
	if err != nil {
		b.Skip("hugo is not installed: go install github.com/gohugoio/hugo@v0.165.0")
	}
	content, site := markettest.Content(b), b.TempDir()
	put := func(name string, data []byte) {
		path := filepath.Join(site, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for name, text := range hugoSite {
		put(name, []byte(text))
	}
	offers, err := filepath.Glob(filepath.Join(content, "sellers", "*", "[ps]*s", "*.*"))
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range offers {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if filepath.Ext(file) == ".yaml" {
			text = append(append([]byte("---\n"), bytes.TrimPrefix(text, []byte("---\n"))...), "\n---\n"...)
		}
		name, _ := filepath.Rel(filepath.Join(content, "sellers"), file)
		put(filepath.Join("content", name[:len(name)-len(filepath.Ext(name))]+".md"), text)
	}
	for b.Loop() {
		to := b.TempDir()
		program := exec.Command(hugo, "--source", site, "--destination", to, "--noBuildLock", "--quiet")
		markettest.Settle()
		began := time.Now()
		if out, err := program.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s")
		b.ReportMetric((program.ProcessState.UserTime() + program.ProcessState.SystemTime()).Seconds(), "cpu-s")
		b.ReportMetric(float64(program.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/(1<<10), "peak-MB")
		files := markettest.Files(b, to, time.Time{})
		b.ReportMetric(float64(len(files)), "files")
	}
}
