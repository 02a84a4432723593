package source

import (
	"fmt"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/kit/rendition"
)

func TestAttributesHaveTheirPosition(t *testing.T) {
	text := product("attributes:\n  Reach: {value: 850, unit: mm}\n  Mounting: wall\nvariants:\n  - {name: A, attributes: {Reach: 1}}")
	o := read(productAt, []byte(text), rendition.Open("")).Item.(*catalog.Offer)
	var got []string
	for _, list := range [][]catalog.Attribute{o.Attributes, o.Variants[0].Attributes} {
		for i := range list {
			got = append(got, fmt.Sprint(list[i].Name, list[i].At()))
		}
	}
	if want := "Reach{5 3} Mounting{6 3} Reach{8 28}"; strings.Join(got, " ") != want {
		t.Errorf("they are at %v, want %s", got, want)
	}
}

func TestColumnsBeyondTheLimitAreClamped(t *testing.T) {
	text := "{name: Arm, categories: [robots], " + strings.Repeat(" ", 70_000) + "attributes: {Reach: 1}}\n"
	o := read("sellers/acme/products/arm.yaml", []byte(text), rendition.Open("")).Item.(*catalog.Offer)
	if at := o.Attributes[0].At(); at != (catalog.Position{Line: 1, Column: 65535}) {
		t.Errorf("it is at %v", at)
	}
}
