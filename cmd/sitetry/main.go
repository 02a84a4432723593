package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"strings"

	"souk/build/document"
	"souk/build/site"
)

func main() {
	pub, out := os.Args[1], os.Args[2]
	s, err := site.New(site.Config{Name: os.Args[3], Description: os.Args[4], Language: os.Args[5], SiteURL: os.Args[6], APIURL: os.Args[6] + "/api/v1"})
	if err != nil {
		panic(err)
	}
	put := func(name string, body []byte) error {
		f := filepath.Join(out, name)
		os.MkdirAll(filepath.Dir(f), 0o755)
		return os.WriteFile(f, body, 0o644)
	}
	for _, a := range s.Assets() {
		put(a.Name, a.Body)
	}
	var values []any
	home := document.Home{}
	filepath.WalkDir(filepath.Join(pub, "api/v1/marketplace"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".json") {
			return err
		}
		data, _ := os.ReadFile(p)
		var k struct{ Kind string }
		json.Unmarshal(data, &k)
		dec := func(v any) { x := json.NewDecoder(bytes.NewReader(data)); x.UseNumber(); if err := x.Decode(v); err != nil { panic(p + err.Error()) } }
		switch k.Kind {
		case "seller":
			var v document.Seller
			dec(&v); values = append(values, v); home.Companies++
		case "product":
			var v document.Product
			dec(&v); values = append(values, v); home.Products++
		case "service":
			var v document.Service
			dec(&v); values = append(values, v); home.Services++
		case "category":
			var v document.Category
			dec(&v); values = append(values, v)
		case "categoryPage":
			var v document.CategoryPage
			dec(&v); values = append(values, v)
		case "categoryRoot":
			var v document.CategoryRoot
			dec(&v); values = append(values, v); home.Roots = append(home.Roots, v)
		case "articleList", "marketMapList":
			var v document.SummaryList
			dec(&v); values = append(values, v)
			if k.Kind == "articleList" { home.Articles = v.Items[:min(6, len(v.Items))] } else { home.MarketMaps = v.Items[:min(6, len(v.Items))] }
		case "article":
			var v document.Article
			dec(&v); values = append(values, v)
		case "marketMap":
			var v document.MarketMap
			dec(&v); values = append(values, v)
		case "page":
			if strings.Contains(p, "marketplace/articles/") || strings.Contains(p, "market-maps/") {
				var v document.SummaryPageDocument
				dec(&v); values = append(values, v)
			} else {
				var v document.ListingPageDocument
				dec(&v); values = append(values, v)
			}
		}
		return nil
	})
	values = append(values, home)
	start := time.Now()
	n, total := 0, 0
	for _, v := range values {
		if err := s.Render(v, func(string, []byte) error { n++; return nil }); err != nil { panic(err) }
	}
	took := time.Since(start)
	for _, v := range values {
		s.Render(v, func(name string, b []byte) error { total += len(b); return put(name, b) })
	}
	fmt.Println(len(values), "documents,", n, "pages,", total, "bytes,", took, took/time.Duration(n), "a page")
}
