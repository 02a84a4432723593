package trace_test

import (
	"bytes"
	"image"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"souk/build"
	"souk/build/catalog"
	"souk/build/source"
	"souk/dynamic/operator/trace"
)

const (
	logo = `<svg viewBox="0 0 8 8" xmlns="http://www.w3.org/2000/svg"><title>logo</title></svg>`
	seal = `<svg viewBox="0 0 8 8" xmlns="http://www.w3.org/2000/svg"><title>seal</title></svg>`
)

// kinship is a marketplace in which one company has two sellers, which share a picture with
// another company.
var kinship = map[string]string{
	"marketplace.yaml":                     "name: Market\nsiteUrl: https://market.example\n",
	"categories/product/robots.yaml":       "name: Robots\n",
	"sellers/acme/seller.yaml":             "officialDomain: acme.example\nversions:\n- {version: 1, name: Acme Works, legalName: Acme AG}\n- {version: 2, name: Acme, logo: media/logo.svg}\n",
	"sellers/acme/media/logo.svg":          logo,
	"sellers/acme/media/seal.svg":          seal,
	"sellers/acme/products/arm.yaml":       "name: Arm\ncategories: [robots]\nmedia: [{file: ../media/seal.svg, alt: Seal}]\n",
	"sellers/acme/products/draft.yaml":     "name: Draft\nstatus: draft\ncategories: [robots]\n",
	"sellers/acme-east/seller.yaml":        "officialDomain: acme-east.example\nformerDomains: [acme.example]\nversions: [{version: 1, name: Acme East}]\n",
	"sellers/globex/seller.yaml":           "officialDomain: globex.example\nversions: [{version: 1, name: Globex, logo: media/seal.svg}]\n",
	"sellers/globex/media/seal.svg":        seal,
	"sellers/globex/products/crane.yaml":   "name: Crane\ncategories: [robots]\n",
	"sellers/globex/products/unnamed.yaml": "name: Hoist\ncategories: [robots]\n",
}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSubjectIsTheWholeCompanyAndItsOwnPictures(t *testing.T) {
	m := newMarket(t, write(t, kinship), 0)
	m.remove()
	got, known := trace.Of(m.builder.Catalog(), "acme")
	want := trace.Subject{
		Slugs: []string{"acme", "acme-east"}, Names: []string{"Acme", "Acme East"},
		Domains: []string{"acme-east.example", "acme.example"},
		Media:   []string{mediaName(logo)}, Offers: []string{"Arm", "Draft"},
		Addresses: []string{"companies/acme", "companies/acme-east", "companies/acme/products/arm", "companies/acme/products/draft"},
	}
	if !known || !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if _, known := trace.Of(m.builder.Catalog(), "nobody"); known {
		t.Error("there is no seller nobody")
	}
	names, err := source.SellerNames(m.content, "sellers/acme/seller.yaml")
	if err != nil || !reflect.DeepEqual(names, []string{"Acme Works", "Acme AG", "Acme"}) {
		t.Errorf("the names of all versions are %q, error %v", names, err)
	}
}

func TestFormerDomainOfARemovedSellerIsNotTracedIfAPublicSellerHasIt(t *testing.T) {
	files := maps.Clone(kinship)
	files["sellers/acme/seller.yaml"] = "officialDomain: acme.example\nformerDomains: [globex.example]\nversions: [{version: 1, name: Acme}]\n"
	m := newMarket(t, write(t, files), 0)
	m.remove()
	m.remove("acme")
	got, _ := trace.Of(m.builder.Catalog(), "acme")
	if want := []string{"acme-east.example", "acme.example"}; !slices.Equal(got.Domains, want) {
		t.Errorf("domains %q, want %q", got.Domains, want)
	}
}

// photo returns a picture that is large enough to get smaller versions.
func photo(t *testing.T) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 340, 24))
	noise := uint32(1)
	for i := range m.Pix {
		noise = noise*1664525 + 1013904223
		if m.Pix[i] = uint8(noise >> 24); i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPicturesAreTracedInAllWidths(t *testing.T) {
	files := maps.Clone(kinship)
	files["sellers/acme/products/media/photo.png"] = photo(t)
	files["sellers/acme/products/arm.yaml"] = "name: Arm\ncategories: [robots]\nmedia: [{file: media/photo.png, alt: Arm}]\n"
	m := newMarket(t, write(t, files), 0)
	m.remove()
	smaller, err := filepath.Glob(filepath.Join(m.public, "media", "*.jpg"))
	if err != nil || len(smaller) != 1 {
		t.Fatalf("the smaller forms are %q, error %v", smaller, err)
	}
	name := filepath.Base(smaller[0])
	data, err := os.ReadFile(smaller[0])
	if err != nil {
		t.Fatal(err)
	}
	subject := m.subject("acme")
	found, _ := m.trace(subject)
	for _, file := range []string{"media/" + name, "api/v1/marketplace/companies/acme/products/arm.json"} {
		if !slices.ContainsFunc(found, func(f trace.Finding) bool {
			return f.What == trace.WhatMedia && f.File == file && strings.Contains(f.Excerpt, strings.TrimSuffix(name, ".jpg"))
		}) {
			t.Errorf("%s is not found in %s: %+v", name, file, found)
		}
	}
	m.remove("acme")
	if found, _ := m.trace(subject); len(found) > 0 {
		t.Errorf("after the removal it shows: %+v", found)
	}
	if err := os.WriteFile(filepath.Join(m.public, "copy.jpg"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if found, _ := m.trace(subject); !shows(found, trace.WhatMedia, "copy.jpg") {
		t.Errorf("a copy of a smaller form is not found: %+v", found)
	}
}

func TestCompanyIsAlsoTracedAtItsFormerAddresses(t *testing.T) {
	files := maps.Clone(kinship)
	files["sellers/globex/seller.yaml"] += "aliases: [seller:hoists]\n"
	files["sellers/globex/products/crane.yaml"] += "aliases: [product:acme/crane]\n"
	m := newMarket(t, write(t, files), 0)
	m.remove()
	subject := m.subject("globex")
	if former, known := trace.Of(m.builder.Catalog(), "hoists"); !known || !slices.Contains(former.Slugs, "globex") {
		t.Errorf("by its former slug it is %+v", former)
	}
	found, _ := m.trace(subject)
	copies := []string{"companies/hoists.json", "companies/hoists/products/crane.json", "companies/acme/products/crane.json"}
	for _, file := range copies {
		if !shows(found, trace.WhatAddress, "api/v1/marketplace/"+file) {
			t.Errorf("%s is not found", file)
		}
	}
	m.remove("globex")
	if found, _ := m.trace(subject); len(found) > 0 {
		t.Errorf("after the removal it shows: %+v", found)
	}
}

func TestCompanyIsRemovedUnderAllItsSlugs(t *testing.T) {
	m := newMarket(t, write(t, kinship), 0)
	m.remove()
	subject := m.subject("acme")
	m.remove("acme")
	if found, _ := m.trace(subject); len(found) > 0 {
		t.Errorf("it shows: %+v", found)
	}
	m.remove("globex")
	if found, _ := m.trace(subject); !shows(found, trace.WhatSlug, "api/v1/marketplace/companies/acme-east.json") {
		t.Error("the other seller of the company is not found")
	}
}

func TestSeparateCompanyWithARemovedSellersDomainIsNotTraced(t *testing.T) {
	m := newMarket(t, write(t, kinship), 0)
	m.removed = catalog.NewRemovals([]catalog.Removal{{ID: "acme", Domain: "acme.example", SeparateIDs: []string{"acme-east"}}})
	if _, err := m.builder.Build(t.Context(), m.removed, build.Whole); err != nil {
		t.Fatal(err)
	}
	if got := m.subject("acme").Slugs; !slices.Equal(got, []string{"acme"}) {
		t.Errorf("it is traced as %v", got)
	}
	// It is a separate company. Tracing the other slug still finds both.
	if got := m.subject("acme-east").Slugs; !slices.Equal(got, []string{"acme", "acme-east"}) {
		t.Errorf("the other is traced as %v", got)
	}
}
