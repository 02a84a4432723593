package picture

import (
	"bytes"
	"strings"
	"testing"
)

func TestDrawingIsPublishedWithoutWhatNobodySees(t *testing.T) {
	const ink = ` xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"`
	tests := map[string]struct{ content, want string }{
		"comment":                {`<g/><!-- a --><g/>`, `<g/><g/>`},
		"comment within text":    {`<text>a<!-- b -->c</text>`, `<text>ac</text>`},
		"comment between signs":  {`<text>]]<!-- a -->&gt;]<!-- a -->]</text>`, `<text>]]<!---->&gt;]<!---->]</text>`},
		"instruction":            {`<?xpacket a?><g/>`, `<g/>`},
		"metadata":               {`<metadata id="a"><rdf:RDF xmlns:rdf="b"><rdf:li>c</rdf:li></rdf:RDF><!-- d --></metadata><g/>`, `<g/>`},
		"editor's element":       {`<i:grid xmlns:i="a" b="c"/><g/>`, `<g/>`},
		"editor's default space": {`<g><pgf xmlns="a">b<c/></pgf></g>`, `<g></g>`},
		"editor's attribute":     {`<g` + ink + ` id="a" inkscape:label="b" class="c"/>`, `<g id="a" class="c"/>`},
		"all of an element":      {`<g` + ink + ` inkscape:label="b" />`, `<g />`},
		"XLink and xml":          {`<use xml:space="preserve" xlink:href="#a" xlink:title="b"/>`, `<use xml:space="preserve" xlink:href="#a" xlink:title="b"/>`},
		"import":                 {`<style>@import url("a.css") print;.b{fill:red}</style>`, `<style>/**/.b{fill:red}</style>`},
		"import in disguise":     {`<style>a{}@\69MPORT 'a;b}';.b{fill:red}</style>`, `<style>a{}/**/.b{fill:red}</style>`},
		"import in a section":    {`<style><![CDATA[@import url(a;b);a>b{}]]></style>`, `<style>/**/a&gt;b{}</style>`},
		"import in an attribute": {`<g style="@import 'a';fill:&quot;b&quot;"/>`, `<g style="/**/fill:&quot;b&quot;"/>`},
		"import with a block":    {`<style>@import a{b:c}d{}</style>`, `<style>/**/d{}</style>`},
		"import without end":     {`<style>@media a{@import b}c{}</style>`, `<style>@media a{/**/}c{}</style>`},
		"comment in a style":     {`<style>a/* b */c{d:"/* e */";f:url(#/*g*/)}</style>`, `<style>a/**/c{d:"/* e */";f:url(#/*g*/)}</style>`},
		"comments of both":       {`<style>a{}<!-- b -->/* c --></style>`, `<style>a{}/**/</style>`},
		"clean style":            {`<style>a &gt; b{fill:url(#c)}<!-- d --></style>`, `<style>a &gt; b{fill:url(#c)}</style>`},
		"words in titles":        {`<title>a /* b */ @import</title><desc id="/* c */">d</desc>`, `<title>a /* b */ @import</title><desc id="/* c */">d</desc>`},
	}
	for name, tt := range tests {
		public, _, faults := Clean([]byte(inSVG(tt.content)))
		for _, f := range faults {
			if !f.Warning {
				t.Errorf("%s: %v", name, faults)
			}
		}
		if want := inSVG(tt.want); string(public) != want {
			t.Errorf("%s:\n got %s\nwant %s", name, public, want)
		}
		if again, _, _ := Clean(public); !bytes.Equal(again, public) {
			t.Errorf("%s: cleaned twice it differs: %s", name, again)
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
	} {
		if public, _, faults := Clean([]byte(data)); strings.TrimLeft(string(public), "\n") != title || len(faults) > 0 {
			t.Errorf("%s: got %s with faults %v", name, public, faults)
		}
	}
}

func TestPartOfADrawingWithinAnEditorsElementIsAMistake(t *testing.T) {
	for _, content := range []string{
		`<i:pgf xmlns:i="a"><path id="b"/></i:pgf>`, `<metadata><style>a{}</style></metadata>`, `<i:pgf xmlns:i="a"><style/></i:pgf>`,
	} {
		public, _, faults := Clean([]byte(inSVG(content)))
		if public != nil || len(faults) != 1 || !strings.Contains(faults[0].Text, "plain SVG") {
			t.Errorf("%s: faults %v", content, faults)
		}
	}
}
