package picture

import (
	"encoding/base64"
	"fmt"
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
		if want := (Info{"image/svg+xml", "svg", tt.width, tt.height}); info != want || len(faults) != 0 {
			t.Errorf("%s: got %+v with faults %v, want %+v", tt.attributes, info, faults, want)
		}
	}
}

func TestInspectRefusesSVGOfAbsurdSize(t *testing.T) {
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
		"prefixed namespace":         `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>`,
		"fragments":                  inSVG(`<use href="#a"/><use xlink:href=" #b "/><a href="#c"/><use href=""/>`),
		"embedded pictures": inSVG(`<image href="` + pixel + `"/><image xlink:href="DATA:image/JPEG,` + html.EscapeString(url.PathEscape(string(photo))) +
			`"/><image href="data:image/jpg;base64,` + base64.RawStdEncoding.EncodeToString(photo) + `"/>`),
		"CSS fragments":        inSVG(`<g fill="url(#a)" style="fill:url( '#b' );mask: url(&quot;#c&quot;)" clip-path="URL(#d) "/>`),
		"CSS embedded picture": inSVG(`<style>g{fill:url(` + pixel + `)}</style>`),
		"style sheet":          inSVG(`<style type="text/css"><![CDATA[ .a{fill:#fff} @media print {.b{fill:none}} @font-face{font-family:"x"} ]]></style>`),
		"transform":            inSVG(`<g transform="matrix(1 0 0 1 0 0)"/>`),
		"animation":            inSVG(`<animate attributeName="r" values="0;5;5;0" dur="1s"/><set attributeName="fill" to="url(#a)"/>`),
		"metadata": inSVG(`<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#">` +
			`<cc:Work r:about=""><cc:license r:resource="http://creativecommons.org/licenses/by/4.0/"/></cc:Work></r:RDF></metadata>`),
		"notes of a drawing program":     inSVG(`<n:namedview xmlns:n="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" n:docname="C:\a.svg" n:onclick="x" n:href="file:///a.svg"/>`),
		"foreign element of such a name": inSVG(`<m:object xmlns:m="adobe:ns:meta/"/>`),
		"other instructions":             `<?xpacket begin="" id="x"?>` + inSVG(`<?sodipodi x?>`),
		"speaking of forbidden things": inSVG(`<!-- <script>javascript:</script> --><title>javascript: &lt;script&gt; url(http://a)</title>` +
			`<g id="javascript:" data-name="url(http://a)" aria-label="image(1)" class="src(a)"/>`),
		"harmless words": inSVG(`<text font-family="Conserver">on src image url</text><g filter="drop-shadow(1px)" label="Image (1)"/>`),
		"entities":       inSVG(`<title>a &amp; b &lt; c &#233; &#xe9;</title>`),
	}
	for name, document := range tests {
		if info, faults := Inspect([]byte(document)); info.Type != "image/svg+xml" || len(faults) != 0 {
			t.Errorf("%s: got %+v with faults %v", name, info, faults)
		}
	}
}

// wantOneFault wants a document to be an SVG picture with a single fault.
func wantOneFault(t *testing.T, document, text string) {
	t.Helper()
	info, faults := Inspect([]byte(document))
	if info.Type != "image/svg+xml" || len(faults) != 1 || !strings.Contains(faults[0].Text, text) {
		t.Errorf("%s\n got %+v with faults %v\nwant one fault saying %q", document, info, faults, text)
	}
}

func TestInspectRefusesElementsAndAttributesThatRunOrReachOutside(t *testing.T) {
	tests := []struct{ content, text string }{
		{`<script>alert(1)</script>`, `"script" runs a script`},
		{`<script href="#a"/>`, "runs a script"},
		{`<s:script xmlns:s="http://www.w3.org/2000/svg"/>`, "runs a script"},
		{`<script xmlns="http://example.org/"/>`, "runs a script"},
		{`<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>`, "belongs to HTML"},
		{`<metadata><body xmlns="http://www.w3.org/1999/xhtml"/></metadata>`, "belongs to HTML"},
		{`<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"/>`, "belongs to MathML"},
		{`<e:listener xmlns:e="http://www.w3.org/2001/xml-events"/>`, "belongs to XML Events"},
		{`<foreignObject/>`, "piece of a web page"},
		{`<iframe/>`, "shows another page"}, {`<embed/>`, "another document"}, {`<object/>`, "another document"},
		{`<audio/>`, "sound"}, {`<video/>`, "video"}, {`<handler/>`, "script"}, {`<listener/>`, "script"},
		{`<g onclick="x()"/>`, `"onclick" runs a script`},
		{`<g OnLoad="x()"/>`, "runs a script"},
		{`<g o&#110;="x"/>`, "not well-formed"},
		{`<image href="http://example.org/a.png"/>`, "leads outside"},
		{`<image href="//example.org/a.png"/>`, "leads outside"},
		{`<image href="a.png"/>`, "leads outside"},
		{`<image href="d&#97;ta:text/html,x"/>`, "embeds something other"},
		{`<image xlink:href="data:image/svg+xml;base64,PHN2Zz4="/>`, "embeds something other"},
		{`<image href="data:image/png"/>`, "embeds something other"},
		{`<image href="da&#10;ta:image/png,x"/>`, "embeds something other"},
		{`<x:g x:href="http://a" xmlns:x="http://www.w3.org/1999/xlink"/>`, "leads outside"},
		{`<g xlink:href="http://a" xmlns:xlink="adobe:"/>`, "leads outside"},
		{`<l:g xmlns:l="adobe:" href="http://a"/>`, "leads outside"},
		{`<a href="https://example.org/"/>`, "a link to elsewhere"},
		{`<a xlink:href="javascript:x()"/>`, "runs a script"},
		{`<a href="&#106;avascript:x()"/>`, "runs a script"},
		{`<a href=" java&#9;scr&#10;ipt:x()"/>`, "runs a script"},
		{`<a href="&#x1;javascript:x()"/>`, "not well-formed"},
		{`<a href="JAVASCRIPT&colon;x()"/>`, "does not know this entity"},
		{`<a ping="http://a"/>`, "a link to elsewhere"},
		{`<g src="a"/>`, "leads outside"},
		{`<g xml:base="http://example.org/"/>`, "leads outside"},
	}
	for _, tt := range tests {
		wantOneFault(t, inSVG(tt.content), tt.text)
	}
}

func TestInspectRefusesStylesAndAnimationsThatRunOrReachOutside(t *testing.T) {
	tests := []struct{ content, text string }{
		{`<g style="fill:url(http://a)"/>`, `url("http://a") leads outside`},
		{`<g style="fill:\75rl(http://a)"/>`, `url("http://a") leads outside`},
		{`<g style="fill:\000075 RL( 'a.svg#b' )"/>`, `url("a.svg#b") leads outside`},
		{`<g style="fill:u\rl(a)"/>`, `url("a") leads outside`},
		{`<g style="fill:u&#114;l(//a)"/>`, `url("//a") leads outside`},
		{`<g style="fill:url(\22#a\22)"/>`, "leads outside"},
		{`<g style="fill:url(')a')"/>`, "leads outside"},
		{`<g style="fill:url(#a);mask:url(javascript:x())"/>`, "leads outside"},
		{`<g style="width:expression(x())"/>`, "expression()"},
		{`<g style="width:e\78 pression(x())"/>`, "expression()"},
		{`<g mask="-webkit-image-set('http://a' 1x)"/>`, "image-set()"},
		{`<g style="mask:image('a')"/>`, "image()"},
		{`<g style="mask: src('a')"/>`, "src()"},
		{`<g style="mask:\9src('a')"/>`, "src()"},
		{`<g cursor="url(a.cur), auto"/>`, "leads outside"},
		{`<g marker-mid="url(data:image/svg+xml,x)"/>`, "leads outside"},
		{`<g some-future-property="url(data:text/html,x)"/>`, "leads outside"},
		{`<style>@import "a.css";</style>`, "@import"},
		{`<style>@im<!-- -->po<![CDATA[rt 'a']]></style>`, "@import"},
		{`<style>@im<?x y?>port 'a'</style>`, "@import"},
		{`<style>@import url(http://a)</style>`, "@import"},
		{`<style>@IM\50ORT 'a'</style>`, "@import"},
		{`<style>g{fill:u&#x72;l(a)}</style>`, "leads outside"},
		{`<style>@font-face{src:url(data:font/woff2;base64,x)}</style>`, "turn text in a special font into paths"},
		{`<style xmlns="http://www.w3.org/1999/xhtml">g{}</style>`, "belongs to HTML"},
		{`<style>@im<g>x</g>port 'a'</style>`, "holds only text"},
		{`<set attributeName="href" to="#a"/>`, "changes the address"},
		{`<animate attributeName=" xlink:HREF " values="#a"/>`, "changes the address"},
		{`<set attributeName="onclick" to="x()"/>`, "sets the event handler"},
		{`<animate attributeName="x" values="#a; java&#10;script:x()"/>`, "sets the script"},
		{`<set attributeName="fill" to="url(http://a)"/>`, "leads outside"},
		{`<?xml-stylesheet href="a.css"?>`, "xml-stylesheet"},
		{`<?XML-stylesheet href="a.css"?>`, "xml-stylesheet"},
	}
	for _, tt := range tests {
		wantOneFault(t, inSVG(tt.content), tt.text)
	}
}

func TestInspectRefusesWhatIsNotWellFormed(t *testing.T) {
	root := inSVG("")
	tests := []struct{ document, text string }{
		{inSVG(`<g>`), `"g" is still open`},
		{rootStart, "cut short"},
		{rootStart[:30], "not well-formed"},
		{root + root, "a second picture"},
		{root + "</g>", "has no beginning"},
		{root + "x", "outside the svg element"},
		{"x" + root, "outside the svg element"},
		{inSVG(`<g a="1" a="2"/>`), "given twice"},
		{inSVG(`<g a="1"b="2"/>`), "a blank is missing"},
		{inSVG(`<g a=1/>`), "not well-formed"},
		{inSVG(`<g a="<"/>`), "not well-formed"},
		{inSVG(`<g :href="a"/>`), "colon at its edge"},
		{inSVG(`<:script/>`), "colon at its edge"},
		{inSVG(`<g x:a="1"/>`), `"x" is not declared`},
		{inSVG(`<x:g/>`), `"x" is not declared`},
		{inSVG(`<g xmlns:x=""><x:g/></g>`), `"x" is not declared`},
		{inSVG(`&nbsp;`), "does not know this entity"},
		{inSVG(`<title>A & B</title>`), "write &amp; for the character"},
		{inSVG(`<a href="?a=1&b=2"/>`), "write &amp; for the character"},
		{inSVG("\x00"), "U+0000"},
		{inSVG("<!--\x01-->"), "U+0001"},
		{inSVG("\xff"), "not UTF-8"},
		{`<svg/>`, "browsers do not show this"},
		{"<!-- svg --> <svg", "not well-formed"},
		{`<?xml version="1.1"?>` + root, "declaration cannot be read"},
		{`<?xml version="1.0" encoding="utf-16"?>` + root, "written in utf-16"},
		{`<?xml version="1.0" encoding = "shift_jis"?>` + root, "written in shift_jis"},
		{"\n" + `<?xml version="1.0" encoding="UTF-8"?>` + root, "only at the very beginning"},
		{inSVG(`<?xml version="1.0" encoding="shift_jis"?>`), "only at the very beginning"},
		{`<!DOCTYPE svg [<!ENTITY a "b">]>` + root, "declares entities"},
		{`<!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY a SYSTEM "http://a">]>` + inSVG("&a;"), "declares entities"},
		{`<!DOCTYPE svg SYSTEM "http://example.org/a.dtd">` + root, "not that of a drawing"},
		{`<!DOCTYPE svg><!DOCTYPE svg>` + root, "out of place"},
		{inSVG(`<!DOCTYPE svg>`), "out of place"},
		{`<!ENTITY a "b">` + root, "out of place"},
	}
	for _, tt := range tests {
		wantOneFault(t, tt.document, tt.text)
	}
}

func TestFaultsOfSVGTellTheirPlace(t *testing.T) {
	tests := []struct {
		document     string
		line, column int
	}{
		{rootStart + "\n  <g/>\n  <script/></svg>", 3, 3},
		{rootStart + "\n<g id=\"é>/\"\n   onclick = 'x' /></svg>", 3, 4},
		{rootStart + "\n<g a='\"' title=\"é\" href=\"b\"/></svg>", 2, 20},
		{"\ufeff<!-- é --><svg onclick='a' xmlns='http://www.w3.org/2000/svg'/>", 1, 16},
		{"<?xml version='1.0' encoding='latin1'?>\n<!-- \xe9 --><svg onclick='a' xmlns='http://www.w3.org/2000/svg'/>", 2, 16},
		{rootStart + "<style>\n a{}\n b{fill:url(c)}</style></svg>", 3, 9},
		{rootStart + "<style>\n<![CDATA[b{fill:url(c)}]]></style></svg>", 2, 17},
		{rootStart + "\n<style>a{}&#10;b{fill:url(c)}</style></svg>", 2, 8},
		{rootStart + "\n<style><![CDATA[b{fill:url(c)}]]></style></svg>", 2, 24},
		{rootStart + "\n<g></a></svg>", 2, 4},
		{rootStart + "\n\n", 3, 1},
	}
	for _, tt := range tests {
		_, faults := Inspect([]byte(tt.document))
		if len(faults) != 1 || faults[0].Line != tt.line || faults[0].Column != tt.column {
			t.Errorf("%q: got %v, want one fault at %d:%d", tt.document, faults, tt.line, tt.column)
		}
	}
}

func TestInspectStopsAtTheTwentiethFault(t *testing.T) {
	_, faults := Inspect([]byte(inSVG(strings.Repeat(`<g onclick="x"/>`, 1000))))
	if len(faults) != maxFaults+1 || !strings.Contains(faults[maxFaults].Text, "more than 20 faults") {
		t.Errorf("got %d faults ending in %v", len(faults), faults[len(faults)-1])
	}
}

func TestInspectBoundsNamespaceDeclarations(t *testing.T) {
	var declarations strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&declarations, ` xmlns:n%d="a"`, i)
	}
	if _, faults := Inspect([]byte(inSVG(`<g` + declarations.String() + `/>`))); len(faults) != 1 {
		t.Errorf("got %v, want one fault", faults)
	}
}
