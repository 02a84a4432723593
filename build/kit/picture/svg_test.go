package picture

import (
	"encoding/base64"
	"html"
	"image/png"
	"net/url"
	"strings"
	"testing"
)

const rootStart = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 5 3">`

func inSVG(content string) string { return rootStart + content + "</svg>" }

func TestInspectReadsTheSizeOfSVG(t *testing.T) {
	tests := []struct {
		attributes    string
		width, height int
	}{
		{`viewBox="0 0 5 3"`, 5, 3},
		{`viewBox=" -1.5,-2 , 24.4 17.5 "`, 24, 18},
		{`viewBox="0 0 1e2 .2"`, 100, 1},
		{`viewBox="0 0 21000 29700"`, 21000, 29700},
		{`viewBox="0 0 90000 90000" width="32" height="32"`, 32, 32},
		{`viewBox="0 0 10 5" width="2in" height="96px"`, 192, 96},
		{`viewBox="0 0 10 5" width="100%" height="50%"`, 10, 5},
		{`viewBox="0 0 10 5" width="40em" height="20"`, 10, 5},
		{`viewBox="0 0 10 5" width="40"`, 10, 5},
		{`viewBox="0 0 10 5" width="0" height="0"`, 10, 5},
		{`width="40" height="30px"`, 40, 30},
		{`width="1in" height="2.54cm"`, 96, 96},
		{`width="72pt" height="25.4mm"`, 96, 96},
		{`width="6pc" height="101.6Q"`, 96, 96},
		{`viewBox="0 0 5" width="40" height="30"`, 40, 30},
		{`viewBox="0 0 NaN Inf"`, 0, 0},
		{`width="100%" height="100%"`, 0, 0},
		{`width="10em" height="2ex"`, 0, 0},
		{`width="40"`, 0, 0},
		{``, 0, 0},
	}
	for _, tt := range tests {
		info, faults := Inspect([]byte(`<svg xmlns="http://www.w3.org/2000/svg" ` + tt.attributes + `/>`))
		warned := len(faults) == 1 && faults[0].Warning && strings.Contains(faults[0].Text, "give the svg element a viewBox")
		if want := (Info{"image/svg+xml", "svg", tt.width, tt.height}); info != want || warned != (tt.width == 0) || !warned && len(faults) > 0 {
			t.Errorf("%s: got %+v with faults %v, want %+v", tt.attributes, info, faults, want)
		}
	}
}

func TestInspectRejectsSVGOfAbsurdSize(t *testing.T) {
	for _, attributes := range []string{
		`viewBox="0 0 0 10"`, `viewBox="0 0 10 -1"`, `viewBox="0 0 1e300 1"`,
		`width="0" height="10"`, `width="30001" height="1"`, `width="20000" height="5001"`, `width="1e30" height="1"`,
	} {
		info, faults := Inspect([]byte(`<svg xmlns="http://www.w3.org/2000/svg" ` + attributes + `/>`))
		if info.Type != "image/svg+xml" || len(faults) != 1 {
			t.Errorf("%s: got %+v with faults %v, want one fault", attributes, info, faults)
		}
	}
}

func TestInspectAcceptsHarmlessSVG(t *testing.T) {
	pixel := "data:image/png;base64," + base64.StdEncoding.EncodeToString(encoded(t, png.Encode, 1, 1))
	photo := encoded(t, asJPEG, 1, 1)
	tests := map[string]string{
		"byte order mark":            "\ufeff" + `<?xml version="1.0" encoding="UTF-8" standalone="no"?>` + inSVG(""),
		"blanks in the declaration":  `<?xml version = '1.0' encoding = 'utf-8' ?>` + inSVG(""),
		"Latin-1":                    `<?xml version="1.0" encoding="iso-8859-1"?>` + inSVG("<title>Caf\xe9</title>"),
		"ASCII":                      `<?xml version="1.0" encoding="US-ASCII"?>` + inSVG(""),
		"public document type":       `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">` + inSVG(""),
		"bare document type":         `<!DOCTYPE svg>` + inSVG(""),
		"leading blanks and comment": "\n <!-- drawn by hand -->\n" + inSVG("") + "\n<!-- end -->\n",
		"prefixed namespace":         `<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 5 3"><s:g/></s:svg>`,
		"fragments":                  inSVG(`<use href="#a"/><use xlink:href=" #b "/><a href="#c"/>`),
		"embedded pictures": inSVG(`<image href="` + pixel + `"/><image xlink:href="DATA:image/JPEG,` + html.EscapeString(url.PathEscape(string(photo))) +
			`"/><image href="data:image/jpg;base64,` + base64.RawStdEncoding.EncodeToString(photo) + `"/>`),
		"CSS fragments": inSVG(`<g fill="url(#a)" style="fill:url( '#b' );mask: url(&quot;#c&quot;)" clip-path="URL(#d) "/>`),
		"style sheet":   inSVG(`<style type="text/css"><![CDATA[ .a{fill:#fff} ]]></style>`),
		"transform":     inSVG(`<g transform="matrix(1 0 0 1 0 0)"/>`),
		"metadata": inSVG(`<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#">` +
			`<cc:Work r:about=""><cc:license r:resource="http://creativecommons.org/licenses/by/4.0/"/></cc:Work></r:RDF></metadata>`),
		"notes of a drawing program":     inSVG(`<n:namedview xmlns:n="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" n:docname="C:\a.svg" n:onclick="x" n:href="file:///a.svg"/>`),
		"foreign element of such a name": inSVG(`<m:object xmlns:m="adobe:ns:meta/"/>`),
		"other instructions":             `<?xpacket begin="" id="x"?>` + inSVG(`<?sodipodi x?>`),
		"speaking of forbidden things": inSVG(`<!-- <script>javascript:</script> --><title>javascript: &lt;script&gt; url(http://a)</title>` +
			`<g id="javascript:" data-name="url(http://a)" aria-label="image(1)" class="src(a)"/>`),
		"harmless words": inSVG(`<text font-family="Conserver">on src image url</text><g label="Image (1)"/>`),
		"entities":       inSVG(`<title>a &amp; b &lt; c &#233; &#xe9;</title>`),
	}
	for name, document := range tests {
		if info, faults := Inspect([]byte(document)); info.Type != "image/svg+xml" || len(faults) != 0 {
			t.Errorf("%s: got %+v with faults %v", name, info, faults)
		}
	}
}

// wantOneFault checks that a document is an SVG picture with a single fault.
func wantOneFault(t *testing.T, document, text string) {
	t.Helper()
	info, faults := Inspect([]byte(document))
	if info.Type != "image/svg+xml" || len(faults) != 1 || !strings.Contains(faults[0].Text, text) {
		t.Errorf("%s\n got %+v with faults %v\nwant one fault saying %q", document, info, faults, text)
	}
}

// hostile lists contents of drawings that would run something or connect elsewhere if they
// were published unchanged.
var hostile = []string{
	`<script>alert(1)</script>`,
	`<script href="#a"/>`,
	`<s:script xmlns:s="http://www.w3.org/2000/svg"/>`,
	`<script xmlns="http://example.org/"/>`,
	`<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>`,
	`<metadata><body xmlns="http://www.w3.org/1999/xhtml"/></metadata>`,
	`<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"/>`,
	`<e:listener xmlns:e="http://www.w3.org/2001/xml-events"/>`,
	`<foreignObject/>`,
	`<iframe/>`,
	`<embed/>`,
	`<object/>`,
	`<audio/>`,
	`<video/>`,
	`<handler/>`,
	`<listener/>`,
	`<g onclick="x()"/>`,
	`<g OnLoad="x()"/>`,
	`<image href="http://example.org/a.png"/>`,
	`<image href="//example.org/a.png"/>`,
	`<image href="a.png"/>`,
	`<image href="d&#97;ta:text/html,x"/>`,
	`<image xlink:href="data:image/svg+xml;base64,PHN2Zz4="/>`,
	`<image href="data:image/png"/>`,
	`<image href="da&#10;ta:image/png,x"/>`,
	`<x:g x:href="http://a" xmlns:x="http://www.w3.org/1999/xlink"/>`,
	`<g xlink:href="http://a" xmlns:xlink="adobe:"/>`,
	`<l:g xmlns:l="adobe:" href="http://a"/>`,
	`<a href="https://example.org/"/>`,
	`<a xlink:href="javascript:x()"/>`,
	`<a href="&#106;avascript:x()"/>`,
	`<a href=" java&#9;scr&#10;ipt:x()"/>`,
	`<a ping="http://a"/>`,
	`<g src="a"/>`,
	`<g xml:base="http://example.org/"/>`,
	`<g style="fill:url(http://a)"/>`,
	`<g style="fill:\75rl(http://a)"/>`,
	`<g style="fill:\000075 RL( 'a.svg#b' )"/>`,
	`<g style="fill:u\rl(a)"/>`,
	`<g style="fill:u&#114;l(//a)"/>`,
	`<g style="fill:url(\22#a\22)"/>`,
	`<g style="fill:url(')a')"/>`,
	`<g style="fill:url(#a);mask:url(javascript:x())"/>`,
	`<g style="width:expression(x())"/>`,
	`<g style="width:e\78 pression(x())"/>`,
	`<g mask="-webkit-image-set('http://a' 1x)"/>`,
	`<g style="mask:image('a')"/>`,
	`<g style="mask: src('a')"/>`,
	`<g style="mask:\9src('a')"/>`,
	`<g cursor="url(a.cur), auto"/>`,
	`<g marker-mid="url(data:image/svg+xml,x)"/>`,
	`<g some-future-property="url(data:text/html,x)"/>`,
	`<style>@import "a.css";</style>`,
	`<style>@im<!-- -->po<![CDATA[rt 'a']]></style>`,
	`<style>@im<?x y?>port 'a'</style>`,
	`<style>@import url(http://a)</style>`,
	`<style>@IM\50ORT 'a'</style>`,
	`<style>g{fill:u&#x72;l(a)}</style>`,
	`<style>@font-face{src:url(data:font/woff2;base64,x)}</style>`,
	`<style xmlns="http://www.w3.org/1999/xhtml">g{}</style>`,
	`<style>@im<g>x</g>port 'a'</style>`,
	`<set attributeName="href" to="#a"/>`,
	`<animate attributeName=" xlink:HREF " values="#a"/>`,
	`<set attributeName="onclick" to="x()"/>`,
	`<animate attributeName="x" values="#a; java&#10;script:x()"/>`,
	`<set attributeName="fill" to="url(http://a)"/>`,
	`<?xml-stylesheet href="a.css"?>`,
	`<?XML-stylesheet href="a.css"?>`,
}

func TestInspectRejectsMalformedXML(t *testing.T) {
	root := inSVG("")
	tests := []struct{ document, text string }{
		{inSVG(`<g>`), "element <g> closed by </svg>"},
		{rootStart, "cut short"},
		{rootStart[:30], "cut short"},
		{root + root, "a second picture"},
		{root + "</g>", "not well-formed"},
		{root + "x", "outside the svg element"},
		{"x" + root, "outside the svg element"},
		{inSVG(`<g a=1/>`), "not well-formed"},
		{inSVG(`<g a="<"/>`), "not well-formed"},
		{inSVG(`<g o&#110;="x"/>`), "not well-formed"},
		{inSVG(`<a href="&#x1;javascript:x()"/>`), "not well-formed"},
		{inSVG(`<a href="JAVASCRIPT&colon;x()"/>`), "does not know this entity (&colon;)"},
		{inSVG(`&nbsp;`), "does not know this entity (&nbsp;)"},
		{inSVG(`<title>A & B</title>`), "write &amp; for the character"},
		{inSVG(`<a href="?a=1&b=2"/>`), "write &amp; for the character"},
		{inSVG("\x00"), "U+0000"},
		{inSVG("<!--\x01-->"), "U+0001"},
		{inSVG("\xff"), "not UTF-8"},
		{`<svg/>`, "browsers do not show this"},
		{"<!-- svg --> <svg", "cut short"},
		{"<!-- <svg -->", "no svg element"},
		{`<?xml version="1.1"?>` + root, "declaration cannot be read"},
		{`<?xml version="1.0" encoding="utf-16"?>` + root, "written in utf-16"},
		{`<?xml version="1.0" encoding = "shift_jis"?>` + root, "written in shift_jis"},
		{"\n" + `<?xml version="1.0" encoding="shift_jis"?>` + root, "only at the very beginning"},
		{inSVG(`<?xml version="1.0" encoding="shift_jis"?>`), "only at the very beginning"},
		{inSVG(strings.Repeat("<g>", 5000) + strings.Repeat("</g>", 5000)), "elements are nested more than 1000 levels deep"},
	}
	for _, tt := range tests {
		wantOneFault(t, tt.document, tt.text)
	}
}

func TestFaultsOfSVGHaveAPosition(t *testing.T) {
	tests := []struct {
		document     string
		line, column int
	}{
		{rootStart + "\n  <g/>\n  <script/></svg>", 3, 3},
		{rootStart + "\n<g id=\"é>/\"\n   fill = 'url(a)' /></svg>", 3, 4},
		{rootStart + "\n<g a='\"' title=\"é\" href=\"b\"/></svg>", 2, 20},
		{"\ufeff<!-- é --><svg viewBox='0 0 1 1' fill='url(a)' xmlns='http://www.w3.org/2000/svg'/>", 1, 34},
		{"<?xml version='1.0' encoding='latin1'?>\n<!-- \xe9 --><svg viewBox='0 0 1 1' fill='url(a)' xmlns='http://www.w3.org/2000/svg'/>", 2, 34},
		{rootStart + "<style>\n a{}\n b{fill:url(c)}</style></svg>", 3, 4},
		{rootStart + "<style>\n a{fill:red;fill:url(c)}\n b{fill:url(c)}</style></svg>", 2, 13},
		{rootStart + "<style>\n<![CDATA[b{fill:url(c)}]]></style></svg>", 2, 12},
		{rootStart + "<g>\n<style>a{}b{fill:u&#114;l(c)}</style></g></svg>", 2, 1},
		{rootStart + "\n<g style='opacity:1;\nfill:url(c)'/></svg>", 2, 4},
		{rootStart + "\n<g></a></svg>", 2, 8},
		{rootStart + "\n<title>a &b; c</title></svg>", 2, 13},
		{rootStart + "\n\n", 3, 1},
	}
	for _, tt := range tests {
		_, faults := Inspect([]byte(tt.document))
		if len(faults) == 0 || faults[0].Line != tt.line || faults[0].Column != tt.column {
			t.Errorf("%q: got %v, want one fault at %d:%d", tt.document, faults, tt.line, tt.column)
		}
	}
}

func TestAtMostTwentyFaultsAreReported(t *testing.T) {
	_, faults := Inspect([]byte(inSVG(`<style>` + strings.Repeat(`a b{}`, 1000) + `</style>`)))
	if len(faults) != maxFaults+1 || !strings.Contains(faults[maxFaults].Text, "the first 20 faults are listed") {
		t.Errorf("got %d faults ending in %v", len(faults), faults[len(faults)-1])
	}
	public, _, faults := Clean([]byte(inSVG(strings.Repeat(`<script/>`, 1000))))
	if len(faults) != maxFaults || public == nil {
		t.Errorf("got %d warnings, and published is %s", len(faults), public)
	}
	public, _, faults = Clean([]byte(inSVG(strings.Repeat(`<script/>`, 1000) + `<style>a b{}</style>`)))
	if len(faults) != maxFaults+1 || public != nil {
		t.Errorf("got %d faults, and published is %s", len(faults), public)
	}
}
