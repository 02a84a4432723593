package picture

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// levels returns parts each of which shows the previous one nine times.
func levels(part func(id, before string) string) string {
	var all strings.Builder
	for i := 1; i < 10; i++ {
		all.WriteString(part(fmt.Sprint("a", i), fmt.Sprint("a", i-1)))
	}
	return all.String()
}

func TestDrawingsThatWouldHangABrowserAreRejected(t *testing.T) {
	nine := func(one string) string { return strings.Repeat(one, 9) }
	path := `d="M0 0L1 1L2 2 3 3 4 4 5 5 6 6 7 7 8 8"`
	for name, content := range map[string]string{
		"use": `<g id="a0"><rect/></g>` + levels(func(id, before string) string {
			return `<g id="` + id + `">` + nine(`<use href="#`+before+`"/>`) + `</g>`
		}),
		"xlink": `<g id="a0"><rect/></g>` + levels(func(id, before string) string {
			return `<g id="` + id + `">` + nine(`<use xlink:href=" &#35;&#97;`+before[1:]+`"/>`) + `</g>`
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
			return `g, .b` + before + `{fill:red;clip-path:url(#` + before + `)}`
		}) + `</style>` + levels(func(id, before string) string {
			return `<clipPath id="` + id + `">` + nine(`<rect class="c b`+before+`"/>`) + `</clipPath>`
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
		"beside circle": `<g id="y"><use href="#x"/>` + nine(`<use href="#z"/>`) + `</g><g id="x"><use href="#y"/></g><g id="z">` + strings.Repeat("<rect/>", 9000) + `</g>` +
			strings.Repeat(`<use href="#y"/>`, 20),
		"two filters":          `<filter id="a0"><feMorphology/></filter><filter id="b0"><feMorphology/></filter>` + strings.Repeat(`<g filter="url(#a0) url(#b0)"/>`, 60),
		"large filters":        `<filter id="a0">` + strings.Repeat(`<feMorphology radius="500"/>`, 500) + `</filter><rect filter="url(#a0)"/>`,
		"blur of blur":         `<filter id="a0"><feGaussianBlur/></filter>` + strings.Repeat(`<g filter="url(#a0)">`, 600) + strings.Repeat(`</g>`, 600),
		"tiny tiles":           `<pattern id="a0" patternUnits="userSpaceOnUse" width="0.00001" height="0.00001"/><rect fill="url(#a0)"/>`,
		"tiny parts of tiles":  `<pattern id="a0" width="0.001%" height="1e-5"/><rect fill="url(#a0)"/>`,
		"tiny dashes":          `<path d="M0 0H5" style="stroke-dasharray:0.00001,1e-6"/>`,
		"tiny inherited":       `<g stroke-dasharray=".00001"><line x2="5"/></g>`,
		"tiny dashes in a use": `<path id="a0" d="M0 0h5"/><use href="#a0" stroke-dasharray=".00001"/>`,
		"long lines":           `<polyline stroke-dasharray="1" points="` + strings.Repeat("0,0 5000,5000 ", 20) + `"/>`,
		"long parts of lines":  `<line stroke-dasharray=".0001" x2="1000%"/>`,
		"dashed letters":       `<text stroke-dasharray=".0001">` + strings.Repeat("a", 9) + `</text>`,
	} {
		t.Run(name, func(t *testing.T) {
			_, faults := Inspect([]byte(inSVG(content)))
			if len(faults) != 1 || faults[0].Warning || !strings.Contains(faults[0].Text, "browsers hang") || faults[0].Line != 1 || faults[0].Column != 1 {
				t.Errorf("the faults are %v", faults)
			}
		})
	}
}

func TestAPrefixedDrawingThatWouldHangABrowserIsRejected(t *testing.T) {
	content := `<s:g id="a0"/>` + levels(func(id, before string) string {
		return `<s:g id="` + id + `">` + strings.Repeat(`<s:use href="#`+before+`"/>`, 9) + `</s:g>`
	})
	_, faults := Inspect([]byte("<?xml version=\"1.0\"?>\n <s:svg viewBox=\"0 0 5 3\" xmlns:s=\"" + svgSpace + "\">" + content + "</s:svg>"))
	if len(faults) != 1 || faults[0].Line != 2 || faults[0].Column != 2 {
		t.Errorf("the faults are %v", faults)
	}
}

func TestDrawingsWithModerateRepetitionAreAccepted(t *testing.T) {
	for name, content := range map[string]string{
		"a symbol many times":            `<symbol id="a"><path/><path/></symbol>` + strings.Repeat(`<use href="#a"/>`, 5000),
		"gradients":                      `<linearGradient id="a"><stop/></linearGradient>` + strings.Repeat(`<g fill="url(#a)">`, 50) + strings.Repeat(`<rect fill="url(#a)"/>`, 5000) + strings.Repeat(`</g>`, 50),
		"clipped":                        `<clipPath id="a"><rect/></clipPath>` + strings.Repeat(`<g clip-path="url(#a)">`, 9) + strings.Repeat(`<rect class="b"/>`, 9000) + strings.Repeat(`</g>`, 9) + `<style>.b{mask:url(#a)}</style>`,
		"arrows":                         `<marker id="a"><path d="M0 0L1 1"/></marker>` + strings.Repeat(`<path d="`+strings.Repeat("M1 1 ", 500)+`" marker-end="url(#a)"/>`, 50),
		"what shows itself":              `<mask id="a"><g mask="url(#a)"><use href="#a"/><use href="#b"/></g></mask><g id="b" mask="url(#a)"><use href="#b"/></g>`,
		"a pattern within what it fills": `<g fill="url(#a)"><pattern id="a"><path/></pattern><path/></g>`,
		"a colour like an id":            `<g id="fff" fill="#fff"/>`,
		"a radius":                       `<filter id="a"><feMorphology radius="500"/><feGaussianBlur/></filter>` + strings.Repeat(`<rect filter="url(#a)"/>`, 30),
		"dashes":                         `<g stroke-dasharray=".1,.1">` + strings.Repeat(`<path d="M0,0C5,3 5,0 0,3"/><line x1="9" x2="8"/>`, 500) + `</g>`,
		"a dash of no length":            `<path d="M0 0H5" stroke-dasharray="0 0"/><path d="M0 0H5" stroke-dasharray="none"/>`,
		"tiles":                          `<pattern id="a" patternUnits="userSpaceOnUse" width=".01" height=".1"><path/></pattern>` + strings.Repeat(`<rect fill="url(#a)"/>`, 900),
		"many elements":                  strings.Repeat(`<g/>`, 2*maxShown),
	} {
		t.Run(name, func(t *testing.T) {
			if _, faults := Inspect([]byte(inSVG(content))); len(faults) != 0 {
				t.Errorf("the faults are %v", faults)
			}
		})
	}
}

func TestDashesGrowWithTheShape(t *testing.T) {
	content := `<g style="vector-effect:non-scaling-stroke" transform="scale(1e6)"><path d="M0 0h5" stroke-dasharray="1"/></g>`
	wantWritten(t, "dashes", content, `<g transform="scale(1e6)"><path d="M0 0h5" stroke-dasharray="1"/></g>`, "")
	plain := `<path d="M0 0h5" vector-effect="non-scaling-stroke"/>`
	wantWritten(t, "no dashes", plain, plain, "")
}

func TestAnElementDoesNotShowItself(t *testing.T) {
	for content, want := range map[string]string{
		`<g id="a"><use href="#a" x="1"/></g>`:                                                     `<g id="a"><use x="1"/></g>`,
		`<mask id="a"><g mask="url(#b)"/></mask><mask id="b"><g mask="url(#a)"/></mask>`:           `<mask id="a"><g mask="url(#b)"/></mask><mask id="b"><g/></mask>`,
		`<style>path{marker-end:url(#a)}</style><path/><marker id="a"><path/></marker><path/>`:     `<path marker-end="url(#a)"/><marker id="a"><path/></marker><path marker-end="url(#a)"/>`,
		`<pattern id="a" fill="url(#a)"><rect filter="url(#b) url(#c)" fill="url(#a)"/></pattern>`: `<pattern id="a"><rect filter="url(#b) url(#c)"/></pattern>`,
	} {
		wantWritten(t, content, content, want, "")
	}
}

func TestLongChainsOfReferencesAreRejected(t *testing.T) {
	var chain strings.Builder
	for i := range 2 * maxDepth {
		fmt.Fprintf(&chain, `<g id="a%d"><use href="#a%d"/></g>`, i, i+1)
	}
	wantOneFault(t, inSVG(chain.String()), "too long a chain of references")
}

// Detecting drawings that are too expensive for browsers must not be expensive itself.
func TestRepetitionIsComputedQuickly(t *testing.T) {
	ids := func(n int, part func(i int) string) string {
		var all strings.Builder
		for i := range n {
			all.WriteString(part(i))
		}
		return all.String()
	}
	for name, content := range map[string]string{
		"a chain":       ids(20000, func(i int) string { return fmt.Sprintf(`<g id="a%d"><use href="#a%d"/></g>`, i, i+1) }),
		"all of all":    ids(2000, func(int) string { return `<g id="same"><use href="#same"/></g>` }),
		"rules of all":  `<style>` + strings.Repeat(`g{mask:url(#a)}`, 20000) + `</style><mask id="a"/>` + strings.Repeat(`<g/>`, 20000),
		"rules of many": `<style>` + strings.Repeat(`.a,`, 50000) + `g{` + strings.Repeat(`fill:red;`, 50000) + `}</style>`,
		"classes":       `<style>.a{` + strings.Repeat(`fill:red;`, 50000) + `}</style><g class="` + strings.Repeat(`a `, 500000) + `"/>`,
		"deep":          strings.Repeat(`<g id="a" mask="url(#a)">`, 900) + strings.Repeat(`</g>`, 900),
		"corners":       strings.Repeat(`<path marker-mid="url(#a)" stroke-dasharray="1" d="`+strings.Repeat("1 ", 1000)+`"/>`, 50),
		"beyond":        strings.Repeat(`<g/>`, maxShown/2) + strings.Repeat(`<g mask="url(#a)"/>`, 20),
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
