package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
)

func FuzzInspect(f *testing.F) {
	for _, content := range []string{
		``, `<script/>`, `<g onclick="a"/>`, `<a xlink:href="&#106;avascript:a"/>`, `<use href="#a"/>`,
		`<g style="fill:\75rl(a)"/>`, `<g fill="url(#a)"/>`, `<style>@import "a";</style>`, `<style><![CDATA[a]]>b</style>`,
		`<set attributeName="href" to="a"/>`, `<image href="data:image/png;base64,A"/>`, `<!-- a --><title>b</title>`,
		`<s:script xmlns:s="http://www.w3.org/2000/svg"/>`, `<g style="mask:image-set('a' 1x)"/>`, "<g\n a='b'/>\n<iframe/>",
	} {
		f.Add([]byte(inSVG(content)))
	}
	f.Add([]byte(`<?xml version="1.0" encoding="latin1"?><!DOCTYPE svg PUBLIC "a" "b"><svg xmlns="http://www.w3.org/2000/svg"/>`))
	f.Add([]byte(`<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>`))
	f.Add(encoded(f, png.Encode, 5, 3))
	f.Add(encoded(f, asGIF, 5, 3))
	f.Add(encoded(f, asJPEG, 5, 3))
	f.Add(webP(extendedChunk(0), losslessChunk))
	f.Fuzz(func(t *testing.T, data []byte) {
		info, faults := Inspect(data)
		if (info.Type == "") != (info.Extension == "") || info.Width < 0 || info.Height < 0 {
			t.Fatalf("impossible info %+v", info)
		}
		if info.Type == "" && len(faults) == 0 {
			t.Fatal("no picture and no fault")
		}
		for _, fault := range faults {
			checkPlace(t, data, info, fault)
		}
	})
}

// checkPlace checks that a fault is within the lines of data.
func checkPlace(t *testing.T, data []byte, info Info, fault Fault) {
	if fault.Text == "" {
		t.Fatal("a fault without a text")
	}
	if fault.Line == 0 && fault.Column == 0 && info.Type != "image/svg+xml" {
		return
	}
	lines := bytes.Split(withLineFeeds(data), []byte("\n"))
	if fault.Line < 1 || fault.Line > len(lines) {
		t.Fatalf("line %d of %d", fault.Line, len(lines))
	}
	// In Latin-1, characters are bytes.
	longest := max(utf8.RuneCount(lines[fault.Line-1]), len(lines[fault.Line-1]))
	if fault.Column < 1 || fault.Column > longest+1 {
		t.Fatalf("column %d of %d", fault.Column, longest)
	}
}

// The check below shares no code with the parser that it checks. It parses a published
// drawing as XML and, since somebody may paste it into a page, as HTML, and searches for
// anything that runs, loads, links elsewhere or is invisible.
var (
	activeElement = regexp.MustCompile(`(?i)^(script|style|foreignobject|iframe|embed|object|audio|video|img|link|base|meta|form|handler|listener|set|animate.*|discard)$`)
	activeWord    = regexp.MustCompile(`(?i)url\(|@|\\|expression|:\s*/|/\*|[{}<>]`)
	ownFragment   = regexp.MustCompile(`(?i)url\(\s*["']?#[^()"'\\]*["']?\s*\)`)
)

// activeAttribute returns what is wrong with an attribute, or "".
func activeAttribute(name, value string) string {
	name = strings.ToLower(name)
	switch {
	case strings.HasPrefix(name, "on"), name == "src", name == "ping", name == "action", name == "xml:base", name == "class", strings.HasPrefix(name, "data-"):
		return name
	case strings.HasSuffix(name, "href"):
		if strings.HasPrefix(value, "#") {
			return ""
		}
		head, packed, _ := strings.Cut(value, ";base64,")
		data, err := base64.StdEncoding.DecodeString(packed)
		if f := rasterFormatOf(data); err != nil || f == nil || "data:"+f.info.Type != head {
			return name
		}
	case name == "xmlns":
		if value != svgSpace {
			return name
		}
	case (properties[name] || styles[name] || name == "style") && activeWord.MatchString(ownFragment.ReplaceAllString(value, "")):
		return name
	}
	return ""
}

// active returns a part of a published drawing that does not belong to a static drawing, or
// "".
func active(public []byte) string {
	for decoder := xml.NewDecoder(bytes.NewReader(public)); ; {
		token, err := decoder.Token()
		switch t := token.(type) {
		case nil:
			if err != io.EOF {
				return err.Error()
			}
			return activePage(public)
		case xml.StartElement:
			if t.Name.Space != svgSpace || activeElement.MatchString(t.Name.Local) {
				return t.Name.Local
			}
			for _, a := range t.Attr {
				if a.Name.Space != "" && a.Name.Space != "http://www.w3.org/XML/1998/namespace" || activeAttribute(a.Name.Local, a.Value) != "" {
					return a.Name.Local + "=" + a.Value
				}
			}
		case xml.Comment, xml.Directive, xml.ProcInst:
			return "it has more than elements and text"
		}
	}
}

func activePage(public []byte) string {
	page, err := nethtml.Parse(bytes.NewReader(slices.Concat([]byte("<!DOCTYPE html><body>"), public)))
	if err != nil {
		return err.Error()
	}
	for n := range page.Descendants() {
		switch {
		case n.Type == nethtml.CommentNode, n.Type == nethtml.ElementNode && activeElement.MatchString(n.Data):
			return "in a page: " + n.Data
		case n.Type == nethtml.ElementNode && n.Namespace == "" && n.Data != "html" && n.Data != "head" && n.Data != "body":
			return "in a page, as HTML: " + n.Data
		}
		for _, a := range n.Attr {
			if activeAttribute(a.Key, a.Val) != "" {
				return "in a page: " + a.Key + "=" + a.Val
			}
		}
	}
	return ""
}

func TestPublishedDrawingsNeitherRunNorConnectElsewhere(t *testing.T) {
	for _, content := range hostile {
		public, _, faults := Clean([]byte(inSVG(content)))
		if found := active(public); found != "" || public == nil {
			t.Errorf("%s: published is %s, where %q is active, with faults %v", content, public, found, faults)
		}
		if strings.Contains(string(public), "//") && strings.Count(string(public), "//") > 1 {
			t.Errorf("%s: published is %s", content, public)
		}
	}
}

// A clean picture has the original type and pixels and no fault, and cleaning it again
// changes nothing.
func FuzzClean(f *testing.F) {
	for _, p := range laden(f) {
		f.Add(p.laden)
	}
	f.Add(withOrientation(encoded(f, asJPEG, 5, 3), binary.BigEndian, "MM\x00*", 6))
	f.Add(inserted(encoded(f, png.Encode, 5, 3), 33, pngChunk("eXIf", "MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x05\x00\x00")))
	f.Fuzz(func(t *testing.T, data []byte) {
		public, info, faults := Clean(data)
		if public == nil {
			if len(faults) == 0 {
				t.Fatal("nothing to publish and no fault")
			}
			return
		}
		before, _ := Inspect(data)
		after, faults := Inspect(public)
		if after.Type != before.Type || after != info {
			t.Fatalf("%+v was published as %+v", before, after)
		}
		again, _, faultsAgain := Clean(public)
		for _, fault := range append(faults, faultsAgain...) {
			if !fault.Warning {
				t.Fatalf("the clean picture has the fault %v", fault)
			}
		}
		if !bytes.Equal(again, public) {
			t.Fatalf("cleaned twice it differs:\n%q\n%q", public, again)
		}
		if info.Width*info.Height < 1<<16 && !bytes.Contains(data, []byte("MM\x00*")) && !bytes.Contains(data, []byte("II*\x00")) {
			samePixels(t, info.Type, data, public)
		}
	})
}

// The published form of any drawing is static, and cleaning it again changes nothing.
func FuzzDrawing(f *testing.F) {
	for _, content := range hostile {
		f.Add([]byte(inSVG(content)))
	}
	f.Add([]byte(`<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" width="&a;" height="5">&a;</svg>`))
	for _, content := range []string{
		`<!-- a --><i:a xmlns:i="b" i:c="d"><g i:e="f"/></i:a>`, `<metadata>a<b/></metadata>`, `<style>@import "a";b/* c */{}</style>`,
		`<g style="@import 'a'/**/;fill:url(data:image/png,x);font:bold 5px/2 a,'b';transform:rotate(5deg)!important"/>`,
		`<style>.a,#b{fill:red;mask:url(#c)}g{marker:none}</style><g class="a" id="b"/><mask id="c"><path d="M0 0h1" stroke-dasharray="5%"/></mask>`,
		`<title>a<g/></title><switch><a href="#b"/><text xml:space="preserve"> a </text></switch><pattern width="1" height="1"/>`, `<text>]]<!-- a -->&gt;</text>`, `<style><![CDATA[/*]]><!-- a --><![CDATA[*/b]]></style>`,
	} {
		f.Add([]byte(inSVG(content)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		public, info, faults := Clean(data)
		if public == nil || info.Type != "image/svg+xml" {
			return
		}
		if found := active(public); found != "" {
			t.Fatalf("%q is published in %q", found, public)
		}
		if twin, _, again := Clean(data); !bytes.Equal(twin, public) || !slices.Equal(again, faults) {
			t.Fatalf("of the same drawing is published %q, %v, and then %q, %v", public, faults, twin, again)
		}
		again, after, faults := Clean(public)
		if !bytes.Equal(again, public) || after != info {
			t.Fatalf("cleaned twice it differs: %+v %q\n%+v %q\n%v", info, public, after, again, faults)
		}
	})
}

// Whatever a picture claims about itself, scaling it down terminates, with little memory
// and with pictures that may be published.
func FuzzRenditions(f *testing.F) {
	f.Add(encoded(f, png.Encode, 400, 3))
	f.Add(encoded(f, asGIF, 400, 3))
	f.Add(encoded(f, asJPEG, 400, 3))
	f.Add(lyingPNG(60_000, 60_000, 8, 2))
	f.Add(lyingPNG(2000, 2000, 16, 6))
	f.Add(mustDecode(lossyScene))
	f.Add(mustDecode(losslessScene))
	f.Add(mustDecode(alphaScene))
	f.Fuzz(func(t *testing.T, data []byte) {
		if info, _ := Inspect(data); info.Width*info.Height > 1<<24 {
			return // they take seconds each under a fuzzer
		}
		all, faults := Renditions(data)
		for _, fault := range faults {
			if !fault.Warning || fault.Text == "" {
				t.Fatalf("got %+v", fault)
			}
		}
		for _, r := range all {
			if info, faults := Inspect(r.Data); info != r.Info || len(faults) > 0 {
				t.Fatalf("%+v is %+v, %v", r.Info, info, faults)
			}
		}
	})
}
