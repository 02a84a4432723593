package picture

import (
	"bytes"
	"encoding/binary"
	"html"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
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
		if info.Type == "image/svg+xml" && len(faults) == 0 {
			if found := crudelyForbidden(string(data)); found != "" {
				t.Fatalf("accepted although it contains %q", found)
			}
		}
	})
}

// checkPlace wants a fault to be within the lines of data.
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
	// Latin-1 has as many characters as bytes.
	longest := max(utf8.RuneCount(lines[fault.Line-1]), len(lines[fault.Line-1]))
	if fault.Column < 1 || fault.Column > longest+1 {
		t.Fatalf("column %d of %d", fault.Column, longest)
	}
}

// The crude check below knows nothing of the reader it checks: it takes a
// document apart with a few patterns.
var (
	crudeInert     = regexp.MustCompile(`(?s)<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>`)
	crudeSection   = regexp.MustCompile(`(?s)<!\[CDATA\[(.*?)\]\]>`)
	crudeTag       = regexp.MustCompile(`(?s)<([^\s/>!?]+)((?:[^>"']|"[^"]*"|'[^']*')*)>`)
	crudeAttribute = regexp.MustCompile(`(?s)([^\s=/]+)\s*=\s*("[^"]*"|'[^']*')`)
	crudeStyle     = regexp.MustCompile(`(?s)<style(?:\s[^>]*[^/>])?>(.*?)</style`)
	crudeElement   = regexp.MustCompile(`(?i)^(script|foreignobject|iframe|embed|object|audio|video|handler|listener)$`)
	crudeAddress   = regexp.MustCompile(`(?is)^\s*($|#|data:image/(png|jpe?g|gif|webp)[;,])`)
	crudeCSS       = regexp.MustCompile(`(?i)@import|expression\(|image-set\(`)
	crudeURL       = regexp.MustCompile(`(?is)url\(\s*['"]?\s*(#|\)|'|"|$|data:image/(png|jpe?g|gif|webp)[;,])`)
	crudeAnyURL    = regexp.MustCompile(`(?i)url\(`)
)

// crudelyForbidden returns something in a document that may not be published,
// or nothing.
func crudelyForbidden(document string) string {
	// Sections first become plain text, so that what looks like a comment
	// within them is not taken for one.
	document = crudeSection.ReplaceAllStringFunc(document, func(s string) string {
		return html.EscapeString(crudeSection.FindStringSubmatch(s)[1])
	})
	if strings.Contains(document, "<?xml-stylesheet") && !strings.Contains(document, "<!--") {
		return "xml-stylesheet"
	}
	document = crudeInert.ReplaceAllString(document, "")
	for _, style := range crudeStyle.FindAllStringSubmatch(document, -1) {
		if found := crudelyForbiddenCSS(html.UnescapeString(style[1])); found != "" {
			return found
		}
	}
	for _, tag := range crudeTag.FindAllStringSubmatch(document, -1) {
		if crudeElement.MatchString(tag[1]) {
			return tag[0]
		}
		for _, attribute := range crudeAttribute.FindAllStringSubmatch(tag[2], -1) {
			name, value := strings.ToLower(attribute[1]), html.UnescapeString(strings.Trim(attribute[2], `"'`))
			switch {
			case strings.HasPrefix(name, "on") && !strings.Contains(name, ":"):
				return attribute[0]
			case name == "href" || name == "xlink:href" || name == "src":
				if !crudeAddress.MatchString(value) {
					return attribute[0]
				}
			case name == "attributename" && tag[1] == "set":
				if value == "href" || strings.HasSuffix(value, ":href") || strings.HasPrefix(value, "on") {
					return attribute[0]
				}
			case name == "style" || name == "fill" || name == "mask":
				if found := crudelyForbiddenCSS(value); found != "" {
					return found
				}
			}
		}
	}
	return ""
}

func crudelyForbiddenCSS(css string) string {
	if found := crudeCSS.FindString(css); found != "" {
		return found
	}
	if len(crudeAnyURL.FindAllString(css, -1)) != len(crudeURL.FindAllString(css, -1)) {
		return css
	}
	return ""
}

// A clean picture has the type and the pixels of the one before, and no fault, and
// to clean it again changes nothing.
func FuzzClean(f *testing.F) {
	for _, p := range laden(f) {
		f.Add(p.laden)
	}
	f.Add(withOrientation(encoded(f, asJPEG, 5, 3), binary.BigEndian, "MM\x00*", 6))
	f.Add(inserted(encoded(f, png.Encode, 5, 3), 33, pngChunk("eXIf", "MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x05\x00\x00")))
	for _, content := range []string{
		`<!-- a --><i:a xmlns:i="b" i:c="d"><g i:e="f"/></i:a>`, `<metadata>a<b/></metadata>`, `<style>@import "a";b/* c */{}</style>`,
		`<g style="@import 'a'/**/;fill:url(data:image/png,x)"/>`, `<text>]]<!-- a -->&gt;</text>`, `<style><![CDATA[/*]]><!-- a --><![CDATA[*/b]]></style>`,
	} {
		f.Add([]byte(inSVG(content)))
	}
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
		if info.Type == "image/svg+xml" {
			if found := crudelyPrivate(string(public)); found != "" {
				t.Fatalf("%q is published", found)
			}
		} else if info.Width*info.Height < 1<<16 && !bytes.Contains(data, []byte("MM\x00*")) && !bytes.Contains(data, []byte("II*\x00")) {
			samePixels(t, info.Type, data, public)
		}
	})
}

var crudeComment = regexp.MustCompile(`(?s)<!--.+?-->|<\?|<!DOCTYPE|<metadata[\s/>]`)

// crudelyPrivate returns something in a clean drawing that nobody sees, or nothing.
func crudelyPrivate(document string) string {
	document = crudeSection.ReplaceAllString(document, "")
	document = crudeAttribute.ReplaceAllString(document, "")
	return crudeComment.FindString(document)
}

// Whatever a picture says of itself, scaling it down ends, in little memory, with
// pictures that may be published.
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
			return // seconds each, under a fuzzer's eyes
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
