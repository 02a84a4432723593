package build_test

import (
	"strings"
	"testing"
)

// overviews reads the pictures and frame pages of newAliased.
func overviews(m aliased) map[string]string {
	all := map[string]string{}
	for _, of := range []string{"market-maps/atlas", "market-maps/globe", "categories/product/tools", "categories/product/gear"} {
		all[of+".svg"] = m.read(of + ".svg")
		all["embed/"+of+".html"] = m.read("embed/" + of + ".html")
	}
	return all
}

func TestARemovalHidesASellerInPicturesAndPagesForFrames(t *testing.T) {
	m := newAliased(t)
	for file, body := range overviews(m) {
		if moved := strings.Contains(body, `http-equiv="refresh"`); body == "" || !moved && !strings.Contains(body, "/companies/acme") {
			t.Errorf("before: %s does not lead to the seller: %q", file, body)
		}
	}
	m.removed["acme"] = true
	m.build()
	for file, body := range overviews(m) {
		if body == "" || strings.Contains(body, "acme") {
			t.Errorf("%s is not there, or shows the removed seller: %q", file, body)
		}
	}
}

func TestHidingAMapHidesItsPictureAndPageForFrames(t *testing.T) {
	m := newAliased(t)
	m.write("market-maps/atlas.yaml", "title: Atlas\nstatus: draft\nsegments: [{name: One, entries: [seller:acme]}]\naliases: [marketMap:globe]\n")
	m.write("categories/product/tools.yaml", "name: Tools\nstatus: draft\naliases: [category:product/gear]\n")
	m.build()
	for file := range overviews(m) {
		if m.stands(file) || m.stands(file+".gone.html") {
			t.Errorf("%s is still there", file)
		}
	}
}
