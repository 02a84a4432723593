package picture

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// levels writes parts that show the part before, each nine times over.
func levels(part func(id, before string) string) string {
	var all strings.Builder
	for i := 1; i < 10; i++ {
		all.WriteString(part(fmt.Sprint("a", i), fmt.Sprint("a", i-1)))
	}
	return all.String()
}

func TestDrawingsThatABrowserStandsStillOverAreRefused(t *testing.T) {
	nine := func(one string) string { return strings.Repeat(one, 9) }
	path := `d="M0 0L1 1L2 2 3 3 4 4 5 5 6 6 7 7 8 8"`
	for name, content := range map[string]string{
		"use": `<g id="a0"><rect/></g>` + levels(func(id, before string) string {
			return `<g id="` + id + `">` + nine(`<use href="#`+before+`"/>`) + `</g>`
		}),
		"xlink": `<g id="a0"><rect/></g>` + levels(func(id, before string) string {
			return `<g id="` + id + `">` + nine(`<use xlink:href="&#35;%61`+before[1:]+`"/>`) + `</g>`
		}),
		"pattern": levels(func(id, before string) string {
			return `<pattern id="` + id + `">` + nine(`<rect fill="url(#`+before+`)"/>`) + `</pattern>`
		}),
		"inherited": levels(func(id, before string) string {
			return `<pattern id="` + id + `"><g fill="url(#` + before + `)">` + nine(`<rect/>`) + `</g></pattern>`
		}),
		"mask": levels(func(id, before string) string {
			return `<mask id="` + id + `">` + nine(`<rect style="x:y;MASK : url('#`+before+`')"/>`) + `</mask>`
		}),
		"class": `<style>` + levels(func(_, before string) string {
			return `@media screen { g, .b` + before + `{fill:red;clip-path:url(#` + before + `)}}`
		}) + `</style>` + levels(func(id, before string) string {
			return `<clipPath id="` + id + `">` + nine(`<rect class="c b`+before+`"/>`) + `</clipPath>`
		}),
		"any element": `<style>*{mask:u\72l(#a9)}</style>` + levels(func(id, before string) string {
			return `<mask id="` + id + `">` + nine(`<use href="#`+before+`"/>`) + `</mask>`
		}),
		"marker": levels(func(id, before string) string {
			return `<marker id="` + id + `"><path ` + path + ` marker-mid="url(#` + before + `)"/></marker>`
		}),
		"marker of all": levels(func(id, before string) string {
			return `<marker id="` + id + `"><g style="marker:url(#` + before + `)"><path ` + path + `/></g></marker>`
		}),
		"circle": `<g id="a0"><use href="#a9"/><rect/></g>` + levels(func(id, before string) string {
			return `<g id="` + id + `">` + nine(`<use href="#`+before+`"/>`) + `</g>`
		}),
		"beside circle": `<g id="y"><use href="#x"/>` + nine(`<use href="#z"/>`) + `</g><g id="x"><use href="#y"/></g><g id="z">` + strings.Repeat("<rect/>", 5000) + `</g>` +
			strings.Repeat(`<use href="#x"/>`, 20),
	} {
		t.Run(name, func(t *testing.T) {
			_, faults := Inspect([]byte(inSVG(content)))
			if len(faults) != 1 || faults[0].Warning || !strings.Contains(faults[0].Text, "stands still") || faults[0].Line != 1 || faults[0].Column != 1 {
				t.Errorf("the faults are %v", faults)
			}
		})
	}
}

func TestADrawingWithAPrefixThatABrowserStandsStillOverIsRefused(t *testing.T) {
	content := `<s:g id="a0"/>` + levels(func(id, before string) string {
		return `<s:g id="` + id + `">` + strings.Repeat(`<s:use href="#`+before+`"/>`, 9) + `</s:g>`
	})
	_, faults := Inspect([]byte("<?xml version=\"1.0\"?>\n <s:svg xmlns:s=\"" + svgSpace + "\">" + content + "</s:svg>"))
	if len(faults) != 1 || faults[0].Line != 2 || faults[0].Column != 2 {
		t.Errorf("the faults are %v", faults)
	}
}

func TestDrawingsThatRepeatThemselvesWithinBoundsAreTaken(t *testing.T) {
	for name, content := range map[string]string{
		"a symbol many times": `<symbol id="a"><path/><path/></symbol>` + strings.Repeat(`<use href="#a"/>`, 5000),
		"gradients":           `<linearGradient id="a"><stop/></linearGradient>` + strings.Repeat(`<g fill="url(#a)">`, 50) + strings.Repeat(`<rect fill="url(#a)"/>`, 5000) + strings.Repeat(`</g>`, 50),
		"clipped":             `<clipPath id="a"><rect/></clipPath>` + strings.Repeat(`<g clip-path="url(#a)">`, 9) + strings.Repeat(`<rect class="b"/>`, 9000) + strings.Repeat(`</g>`, 9) + `<style>.b{mask:url(#a)}</style>`,
		"arrows":              `<marker id="a"><path d="M0 0L1 1"/></marker>` + strings.Repeat(`<path d="`+strings.Repeat("M1 1 ", 500)+`" marker-end="url(#a)"/>`, 50),
		"what shows itself":   `<mask id="a"><g mask="url(#a)"><use href="#a"/><use href="#b"/></g></mask><g id="b" mask="url(#a)"><use href="#b"/></g><use href="#"/>`,
		"classes in a circle": `<style>.b{clip-path:url(#a)} .c{clip-path:url(#d)}</style><clipPath id="a"><path class="b c"/></clipPath><clipPath id="d"><path class="c b"/></clipPath>` + strings.Repeat(`<path class="b"/>`, 2000),
		"many elements":       strings.Repeat(`<g/>`, maxParts+10),
	} {
		t.Run(name, func(t *testing.T) {
			if _, faults := Inspect([]byte(inSVG(content))); len(faults) != 0 {
				t.Errorf("the faults are %v", faults)
			}
		})
	}
}

// What is too costly for browsers must not be so for who finds that out.
func TestHowOftenADrawingRepeatsItselfIsFoundInTime(t *testing.T) {
	ids := func(n int, part func(i int) string) string {
		var all strings.Builder
		for i := range n {
			all.WriteString(part(i))
		}
		return all.String()
	}
	for name, content := range map[string]string{
		"a chain":          ids(20000, func(i int) string { return fmt.Sprintf(`<g id="a%d"><use href="#a%d"/></g>`, i, i+1) }),
		"all of all":       ids(2000, func(int) string { return `<g id="same"><use href="#same"/></g>` }),
		"rules of all":     `<style>` + strings.Repeat(`*{mask:url(#a)}`, 5000) + `</style><mask id="a"/>` + strings.Repeat(`<g/>`, 5000),
		"rules in circles": `<style>` + ids(2000, func(i int) string { return fmt.Sprintf(`.a{mask:url(#a%d)}`, i) }) + `</style>` + ids(2000, func(i int) string { return fmt.Sprintf(`<mask id="a%d"><g class="a"/></mask>`, i) }),
		"deep":             strings.Repeat(`<g id="a" mask="url(#a)">`, 5000) + strings.Repeat(`</g>`, 5000),
		"beyond":           strings.Repeat(`<g/>`, maxParts) + strings.Repeat(`<g mask="url(#a)"/>`, 20),
	} {
		began := time.Now()
		if info, _ := Inspect([]byte(inSVG(content))); info.Type == "" {
			t.Errorf("%s is no drawing", name)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
