package picture

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"strings"
	"testing"
)

// written returns a drawing as it is published.
func written(content string) string {
	const root = `<svg viewBox="0 0 5 3" xmlns="http://www.w3.org/2000/svg"`
	if content == "" {
		return root + "/>"
	}
	return root + ">" + content + "</svg>"
}

// wantWritten checks the published form of a drawing, and that a warning contains a text,
// or that there is none.
func wantWritten(t *testing.T, name, content, want, warning string) {
	t.Helper()
	public, _, faults := Clean([]byte(inSVG(content)))
	if string(public) != written(want) {
		t.Errorf("%s:\n got %s\nwant %s", name, public, written(want))
	}
	for _, f := range faults {
		if !f.Warning || warning == "" || !strings.Contains(f.Text, warning) {
			t.Errorf("%s: %v", name, f)
		}
	}
	if len(faults) == 0 && warning != "" {
		t.Errorf("%s: there is no warning of %s", name, warning)
	}
	if again, _, faults := Clean(public); !bytes.Equal(again, public) || len(faults) > 0 {
		t.Errorf("%s: cleaned twice it is %s, with faults %v", name, again, faults)
	}
}

func TestDrawingsArePublishedWithoutInvisibleParts(t *testing.T) {
	const ink = ` xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"`
	for name, tt := range map[string]struct{ content, want string }{
		"comment":                  {`<g/><!-- a --><g/>`, `<g/><g/>`},
		"comment within text":      {`<text>a<!-- b -->c</text>`, `<text>ac</text>`},
		"comment between signs":    {`<text>]]<!-- a -->&gt;]<!-- a -->]</text>`, `<text>]]&gt;]]</text>`},
		"text between elements":    {` a <g>b<g> </g></g>`, `<g><g/></g>`},
		"section":                  {`<text><![CDATA[<a>&]]></text>`, `<text>&lt;a&gt;&amp;</text>`},
		"instruction":              {`<?xpacket a?><g/><?xml-stylesheet href="a.css"?>`, `<g/>`},
		"metadata":                 {`<metadata id="a"><rdf:RDF xmlns:rdf="b"><rdf:li>c</rdf:li></rdf:RDF><!-- d --></metadata><g/>`, `<g/>`},
		"drawing in metadata":      {`<metadata><path d="M0 0"/></metadata>`, ``},
		"editor's element":         {`<i:grid xmlns:i="a" b="c"/><g/>`, `<g/>`},
		"undeclared prefix":        {`<i:grid/><g i:a="b"/>`, `<g/>`},
		"editor's default space":   {`<g><pgf xmlns="a">b<c/></pgf></g>`, `<g/>`},
		"drawing in an editor's":   {`<i:pgf xmlns:i="a"><path d="M0 0"/></i:pgf>`, ``},
		"editor's attribute":       {`<g` + ink + ` id="a" inkscape:label="b" class="c" data-name="d" onclick="e"/>`, `<g id="a"/>`},
		"XLink and xml":            {`<use xml:space="preserve" xlink:href=" #a " xlink:title="b" xml:base="c"/>`, `<use href="#a" xml:space="preserve"/>`},
		"both references":          {`<use xlink:href="#a" href="#b"/><use href="#b" xlink:href="#a"/>`, `<use href="#b"/><use href="#b"/>`},
		"prefix":                   {`<s:g xmlns:s="http://www.w3.org/2000/svg" s:id="a" id="b"/>`, `<g id="b"/>`},
		"extension of a program":   {`<switch><foreignObject requiredExtensions="&#110;s_ai;" x="0"><i:ref xmlns:i="a"/></foreignObject><g/></switch>`, `<switch><g/></switch>`},
		"elements in a title":      {`<title>a<g/><tspan>b</tspan></title><desc><image/></desc>`, `<title>a</title><desc/>`},
		"words in titles":          {`<title>a /* b */ @import</title><desc id="c">d</desc>`, `<title>a /* b */ @import</title><desc id="c">d</desc>`},
		"lines in attributes":      {"<path d=\"M0 0\n\tL1 1&#10;2 2\"/>", `<path d="M0 0  L1 1 2 2"/>`},
		"order of attributes":      {`<rect y="1" x="2" fill="a&amp;&lt;b" width="3"/>`, `<rect width="3" x="2" y="1"/>`},
		"signs in attributes":      {`<g aria-label="&quot;&lt;&amp;'&gt;"/>`, `<g aria-label="&quot;&lt;&amp;'>"/>`},
		"editor's properties":      {`<g style="-inkscape-font-specification:'a';line-height:1;fill:red"/>`, `<g fill="red"/>`},
		"comment in a style":       {`<style>/* a */.b/* c */{d:e;/* f */fill/* g */:/* h */red/* i */}</style><g class="b"/>`, `<g fill="red"/>`},
		"comments of both":         {`<style>a{}<!-- b -->/* c --></style>`, ``},
		"other language of styles": {`<style media="print">.a{fill:red}</style><g class="a"/>`, `<g/>`},
	} {
		warning := ""
		if name == "order of attributes" {
			warning = "not a plain value"
		}
		wantWritten(t, name, tt.content, tt.want, warning)
	}
}

func TestActiveContentIsRemovedWithAWarning(t *testing.T) {
	picture := "data:image/png;base64," + base64.StdEncoding.EncodeToString(encoded(t, png.Encode, 1, 1))
	for _, tt := range []struct{ content, want, warning string }{
		{`<script>alert(1)</script><g/>`, `<g/>`, `"script" is not part of a static drawing`},
		{`<s:script xmlns:s="http://www.w3.org/2000/svg"/>`, ``, `"script"`},
		{`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">a</body></foreignObject>`, ``, `"foreignObject"`},
		{`<g><set attributeName="href" to="a"/><animate attributeName="r" dur="1s"/></g>`, `<g/>`, `is not part of a static drawing`},
		{`<iframe/><audio/><video/><handler/><listener/><font/><tref/><image2/>`, ``, `is not part of a static drawing`},
		{`<image href="http://example.org/a.png" x="1"/>`, `<image x="1"/>`, `"http://example.org/a.png" is left out, because it leads outside`},
		{`<image xlink:href="a.png"/>`, `<image/>`, `leads outside`},
		{`<image href=""/>`, `<image/>`, `leads outside`},
		{`<use href="a.svg#b"/>`, `<use/>`, `leads outside`},
		{`<use href="#a%62"/>`, `<use/>`, `leads outside`},
		{`<a href="https://example.org/"><g/></a>`, `<a><g/></a>`, `leads outside`},
		{`<a xlink:href=" java&#9;script:x()"/>`, `<a/>`, `leads outside`},
		{`<image href="data:text/html,x"/>`, `<image/>`, `it embeds something else`},
		{`<image href="data:image/svg+xml;base64,PHN2Zz4="/>`, `<image/>`, `it embeds something else`},
		{`<image href="data:image/png,x"/>`, `<image/>`, `it embeds something else`},
		{`<image href="data:image/png;base64,iVBORw0KGgo="/>`, `<image/>`, `is broken or too large`},
		{`<image href="data:image/png;base64,` + base64.StdEncoding.EncodeToString(lyingPNG(60_000, 60_000, 8, 2)) + `"/>`, `<image/>`, `is broken or too large`},
		{`<image href="` + strings.Replace(picture, "image/png", "text/html", 1) + `" xlink:href="http://a"/>`, `<image href="` + picture + `"/>`, ``},
		{`<g fill="url(http://a)" stroke="red"/>`, `<g stroke="red"/>`, `fill is left out, because "url(http://a)" is not a plain value`},
		{`<g fill="url(&#35;a) url(a)"/>`, `<g/>`, `not a plain value`},
		{`<g style="fill:\75rl(http://a);mask:url(javascript:x())"/>`, `<g/>`, `not a plain value`},
		{`<g style="filter:progid:a(src='b');marker:url(a)"/>`, `<g/>`, `not a plain value`},
		{`<g style="fill:expression(a());stroke:var(--b);mask:image-set('a' 1x)"/>`, `<g/>`, `not a plain value`},
		{`<g fill="red/* a */"/>`, `<g/>`, `not a plain value`},
		{`<style>@import url("a.css") print;.b{fill:red}</style><g class="b"/>`, `<g fill="red"/>`, `"@import" is left out`},
		{`<style>@font-face{font-family:a;src:url(data:font/woff2;base64,x)} .b{fill:red}</style><g class="b"/>`, `<g fill="red"/>`, `"@font-face" is left out`},
		{`<style>@media print{.b:hover{fill:red}} .b{fill:blue}</style><g class="b"/>`, `<g fill="blue"/>`, `"@media" is left out`},
		{`<g style="@import 'a';fill:red"/>`, `<g fill="red"/>`, `"@import" is left out`},
	} {
		if tt.warning != "" {
			wantWritten(t, tt.content, tt.content, tt.want, tt.warning)
			continue
		}
		if public, _, _ := Clean([]byte(inSVG(tt.content))); string(public) != written(tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.content, public, written(tt.want))
		}
	}
}

func TestPrivateTextOfADrawingIsNotPublished(t *testing.T) {
	const secret = "canary"
	for _, content := range []string{
		`<!-- canary -->`, `<?canary canary?>`, `<metadata>canary</metadata>`, `<g><metadata><a:b xmlns:a="canary">canary</a:b></metadata></g>`,
		`canary`, `<g>canary</g>`, `<path>canary</path>`, `<script>canary</script>`, `<foreignObject>canary<text>canary</text></foreignObject>`,
		`<canary>canary</canary>`, `<a:title xmlns:a="canary">canary</a:title>`, `<text><canary>canary</canary></text>`, `<title><desc>canary</desc></title>`,
		`<g class="canary" data-name="canary" canary="canary" onclick="canary" xml:base="canary" a:label="canary" xmlns:a="b"/>`,
		`<g style="canary:canary;/* canary */-inkscape-canary:canary;--canary:canary;fill:url(canary)"/>`, `<g fill="/* canary */red"/>`,
		`<style>/* canary */.canary{fill:red}@canary canary{canary{}}.a{/* canary */canary:canary}</style><g class="a"/>`,
		`<style><!-- canary --><![CDATA[.canary{fill:red}]]></style>`, `<style type="canary" media="canary">canary</style>`,
		`<image href="file:///home/canary/a.png"/>`, `<image xlink:href="canary.png" xlink:title="canary"/>`, `<a href="canary"/>`,
		`<image href="data:canary;canary;base64,` + base64.StdEncoding.EncodeToString(inserted(encoded(t, png.Encode, 1, 1), 33, pngChunk("tEXt", "Comment\x00canary"))) + `"/>`,
	} {
		for _, document := range []string{
			inSVG(content),
			`<?xml version="1.0"?><!-- canary --><!DOCTYPE svg PUBLIC "canary" "canary" [<!ENTITY canary "canary">]>` + inSVG(content) + "<!-- canary -->",
		} {
			public, _, _ := Clean([]byte(document))
			whole := string(public)
			if _, packed, found := strings.Cut(whole, "base64,"); found {
				data, _ := base64.StdEncoding.DecodeString(packed[:strings.IndexByte(packed, '"')])
				whole += string(data)
			}
			if public == nil || strings.Contains(whole, secret) {
				t.Errorf("%s is published as %s", document, whole)
			}
		}
	}
}

// The expected winners follow CSS Cascade 4, section 6.
func TestStylesBecomeAttributes(t *testing.T) {
	for name, tt := range map[string]struct{ content, want string }{
		"class":              {`<g class="a b"/><style>.b{fill:red}</style>`, `<g fill="red"/>`},
		"element":            {`<style>path,rect{fill:red}</style><path/><rect/><g/>`, `<path fill="red"/><rect fill="red"/><g/>`},
		"id":                 {`<style>#a{fill:red}</style><g id="a"/><g id="A"/>`, `<g fill="red" id="a"/><g id="A"/>`},
		"case":               {`<style>.A{FILL:Red}</style><g class="A"/><g class="a"/>`, `<g fill="Red"/><g/>`},
		"attribute":          {`<style>g{fill:red}</style><g fill="blue"/>`, `<g fill="red"/>`},
		"later":              {`<style>.a{fill:red}.b{fill:blue}</style><g class="b a"/><style>.a{stroke:red}.a{stroke:blue}</style>`, `<g fill="blue" stroke="blue"/>`},
		"class over element": {`<style>.a{fill:red}g{fill:blue}</style><g class="a"/>`, `<g fill="red"/>`},
		"id over class":      {`<style>#b{fill:red}.a{fill:blue}</style><g id="b" class="a"/>`, `<g fill="red" id="b"/>`},
		"own over id":        {`<style>#b{fill:red}</style><g id="b" style="fill:blue"/>`, `<g fill="blue" id="b"/>`},
		"important":          {`<style>g{fill:red!important}#b{fill:blue}</style><g id="b" style="fill:green"/>`, `<g fill="red" id="b"/>`},
		"own and important":  {`<style>#b{fill:red ! important}</style><g id="b" style="fill:green !important;fill:blue"/>`, `<g fill="green" id="b"/>`},
		"unknown value":      {`<style>.a{fill:red;fill:}</style><g class="a"/>`, `<g fill="red"/>`},
		"no attribute":       {`<g transform="scale(2)" style="transform:scale(3px, 4);mix-blend-mode:multiply"/>`, `<g style="mix-blend-mode:multiply;transform:scale(3px,4)" transform="scale(2)"/>`},
		"background":         {`<g style="background-color:black"/>`, `<g style="background-color:black"/>`},
		"shorthands": {
			`<text style="font:italic bold 12px/1.5 'A b', serif;marker:url(#c)"/><style>text{font-size:9px!important}</style>`,
			`<text font-family="'A b',serif" font-size="9px" font-style="italic" font-variant="normal" font-weight="bold" marker-end="url(#c)" marker-mid="url(#c)" marker-start="url(#c)"/>`,
		},
		"shortest shorthand":  {`<text style="font:normal 2em a"/>`, `<text font-family="a" font-size="2em" font-style="normal" font-variant="normal" font-weight="normal"/>`},
		"inherited shorthand": {`<text style="font:inherit"/>`, `<text font-family="inherit" font-size="inherit" font-style="inherit" font-variant="inherit" font-weight="inherit"/>`},
		"section":             {`<style type="text/css"><![CDATA[ .a{fill:#fff} ]]>.a{stroke:red}</style><g class="a"/>`, `<g fill="#fff" stroke="red"/>`},
		"wherever it is":      {`<g class="a"/><metadata><style>.a{fill:red}</style></metadata>`, `<g fill="red"/>`},
		"semicolons":          {`<style>.a{;;fill:red;;}</style><style>.a{stroke:red</style><g class="a" style=";opacity:1"/>`, `<g fill="red" opacity="1" stroke="red"/>`},
		"references":          {`<g style="fill:url( '#b' );mask:URL(#c)"/>`, `<g fill="url( '#b' )" mask="URL(#c)"/>`},
		"size":                {`<rect x="2" style="width:5px;x:1"/><style>text{x:1px}</style><text/>`, `<rect style="width:5px;x:1" x="2"/><text style="x:1px"/>`},
	} {
		wantWritten(t, name, tt.content, tt.want, "")
	}
}

func TestCompoundSelectorsAreMistakes(t *testing.T) {
	for _, tt := range []struct {
		sheet        string
		line, column int
	}{
		{"\n.a .b{}", 2, 1}, {"a{}\n  a>b{}", 2, 3}, {"a{}\na,b:hover{}", 2, 1}, {".a.b{}", 1, 109}, {"*{}", 1, 109}, {"[a]{}", 1, 109},
		{":root{}", 1, 109}, {"\n.a{fill:red;\n .b{}}", 3, 2}, {"\na&gt;b{}", 1, 102}, {"<![CDATA[\n\n a b{}]]>", 3, 2}, {"{}", 1, 109}, {`.\61{}`, 1, 109},
	} {
		public, _, faults := Clean([]byte(inSVG("<style>" + tt.sheet + "</style>")))
		if public != nil || len(faults) != 1 || faults[0].Warning || !strings.Contains(faults[0].Text, "single class, element or id") ||
			faults[0].Line != tt.line || faults[0].Column != tt.column {
			t.Errorf("%q: got %v, want one mistake at %d:%d", tt.sheet, faults, tt.line, tt.column)
		}
	}
}

func TestDrawingIsPublishedAsUTF8WithoutItsProlog(t *testing.T) {
	const doctype = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">`
	title := inSVG("<title>Café €</title>")
	for name, data := range map[string]string{
		"byte order mark":         "\ufeff" + `<?xml version="1.0" encoding="latin1"?>` + title,
		"lines of another system": "\r\n" + title,
		"document type":           `<?xml version="1.0" encoding="UTF-8"?>` + doctype + "<!-- a -->" + title,
		"Latin-1":                 `<?xml version="1.0" encoding="iso-8859-1"?>` + inSVG("<title>Caf\xe9 \x80</title>"),
		"namespaces as entities": `<!DOCTYPE svg PUBLIC "a" "b" [ <!-- c -->
			<!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY ns_ai 'http://ns.adobe.com/AdobeIllustrator/10.0/'> ]>
			<svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" viewBox="0 0 5 3" i:a="b"><title>Café €</title></svg>`,
	} {
		if public, _, faults := Clean([]byte(data)); string(public) != written("<title>Café €</title>") || len(faults) > 0 {
			t.Errorf("%s: got %s with faults %v", name, public, faults)
		}
	}
}

func TestLongEntitiesAreUnknown(t *testing.T) {
	for _, document := range []string{
		`<!DOCTYPE svg [<!ENTITY a "` + strings.Repeat("a", maxEntities/100) + `">]>` + inSVG(strings.Repeat("<title>&a;</title>", 101)),
		`<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>` + inSVG("<title>&c;</title>"),
		`<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>` + inSVG("<title>&a;</title>"),
		`<!DOCTYPE svg [<!ENTITY % a "b"> %a;]>` + inSVG("<title>&a;</title>"),
	} {
		wantOneFault(t, document, "does not know this entity")
	}
}

func TestADrawingWithOnlyASizeGetsAViewBox(t *testing.T) {
	for attributes, want := range map[string]string{
		`width="40" height="30"`:                      `height="30" viewBox="0 0 40 30" width="40"`,
		`width="1in" height="0.5px"`:                  `height="0.5px" viewBox="0 0 96 0.5" width="1in"`,
		`width="40" height="30" viewBox="0 0 5"`:      `height="30" viewBox="0 0 40 30" width="40"`,
		`width="40" height="30" viewBox="1 2 3 4"`:    `height="30" viewBox="1 2 3 4" width="40"`,
		`width="1e5px" height="30" viewBox="1 2 3 4"`: `height="30" viewBox="1 2 3 4" width="1e5px"`,
	} {
		public, _, faults := Clean([]byte(`<svg xmlns="` + svgSpace + `" ` + attributes + `/>`))
		if string(public) != "<svg "+want+` xmlns="`+svgSpace+`"/>` || len(faults) > 0 {
			t.Errorf("%s: got %s with faults %v", attributes, public, faults)
		}
	}
}
