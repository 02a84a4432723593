package trace_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"souk/build/source"
	"souk/dynamic/trace"
)

const (
	logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>logo</title></svg>`
	seal = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>seal</title></svg>`
)

// kinship is a marketplace in which one company has two sellers, which share a
// picture with another company.
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

func TestASubjectIsTheWholeCompanyAndWhatItAloneShows(t *testing.T) {
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

func TestACompanyIsTracedAtItsFormerAddressesToo(t *testing.T) {
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

func TestACompanyIsRemovedUnderAllItsSlugs(t *testing.T) {
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
