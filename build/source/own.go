package source

import (
	"crypto/sha256"
	"path"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/kit/problem"
)

// siteFolder contains the operator's own pages, and other files that are published as they
// are.
const siteFolder = "site"

// Pages returns the files of the operator's own pages, after a Change.
func (f *Folder) Pages() []string {
	return slices.Clone(f.pages)
}

// placeOwn returns the role of a file in site/, as place does. parts are its path below that
// folder.
func placeOwn(file string, parts []string) (role, catalog.Ref, *problem.Problem) {
	wrong := func(text, meant string) (role, catalog.Ref, *problem.Problem) {
		return stray, catalog.Ref{}, &problem.Problem{File: file, Text: text, Meant: meant}
	}
	below := strings.Join(parts, "/")
	ext := path.Ext(below)
	switch {
	case ext != ".md" && (strings.EqualFold(ext, ".md") || strings.EqualFold(ext, ".markdown")):
		return wrong("the name of the file ends in "+ext, "end it in .md")
	case ext != ".md":
		if err := catalog.CheckOwn(below); err != nil {
			return wrong(err.Error(), "")
		}
		return itemFile, catalog.Ref{Kind: catalog.KindFile, Slug: below}, nil
	}
	ref := catalog.Ref{Kind: catalog.KindPage, Slug: strings.TrimSuffix(below, ext)}
	for slug := range strings.SplitSeq(ref.Slug, "/") {
		if err := catalog.CheckSlug(slug); err != nil {
			return wrong(err.Error(), rightSlug(slug))
		}
	}
	if err := checkPage(ref); err != nil {
		return wrong(err.Error(), "give it another name")
	}
	return itemFile, ref, nil
}

// checkPage checks that one of the operator's own pages may have its address.
func checkPage(ref catalog.Ref) error { return catalog.CheckOwn(ref.Slug + ".html") }

// ownFile returns the item of a file that is published as it is, and a problem, if any.
func ownFile(file string, ref catalog.Ref, data []byte) (catalog.Item, problem.List) {
	sum := sha256.Sum256(data)
	item := &catalog.OwnFile{Head: catalog.Head{Ref: ref, File: file, Name: ref.Slug}, Digest: [16]byte(sum[:16])}
	if strings.HasSuffix(ref.Slug, ".html") {
		return item, problem.List{{
			File: file, Warning: true, Text: "requests that end in .html are not answered: the page is at /" + strings.TrimSuffix(ref.Slug, ".html"),
			Meant: "if the file proves that you own the site, use DNS instead",
		}}
	}
	return item, nil
}

func (f *pageFile) item(d *decoder, h catalog.Head) catalog.Item {
	f.fill(d, &h)
	h.Name, h.Summary = f.Title, f.Summary
	p := &catalog.OwnPage{Head: h, Menu: f.Menu, Order: orderOf(f.Order)}
	return p
}
