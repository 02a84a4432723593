package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"strings"

	"souk/build/document"
	"souk/templates"
)

// asset returns a file whose name contains a digest of its bytes, so that no cache ever serves
// an old file with a new page.
func asset(name, ending, body string) File {
	sum := sha256.Sum256([]byte(body))
	return File{document.AssetFolder + name + "-" + hex.EncodeToString(sum[:8]) + "." + ending, []byte(body)}
}

// policy returns the Content-Security-Policy (CSP 3) of every page: our own script, style and
// pictures, also as objects, other pictures only over https, and the API.
func policy(apiURL string, fonts bool) template.HTMLAttr {
	api := ""
	if u, err := url.Parse(apiURL); err == nil && u.Host != "" && !strings.ContainsAny(u.Host, ";, '") {
		api = " " + u.Scheme + "://" + u.Host
	}
	text := "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; object-src 'self'; frame-src 'self'; connect-src 'self'" + api +
		"; form-action 'self'; base-uri 'none'"
	if fonts {
		text += "; font-src 'self'"
	}
	// html/template does not fill the content of a meta element, because it may be a policy;
	// this one is safe.
	return template.HTMLAttr(`content="` + html.EscapeString(text) + `"`)
}

// favicon returns the market's icon: the initial of its name.
func favicon(name, accent, on string) []byte {
	return []byte(fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><metadata>`+document.Generator+`</metadata>`+
		`<rect width="64" height="64" rx="14" fill="%s"/>`+
		`<text x="32" y="45" font-family="Georgia,serif" font-size="38" font-weight="700" text-anchor="middle" fill="%s">%s</text></svg>`+"\n",
		accent, on, html.EscapeString(templates.Initial(name))))
}

// preview returns the social preview of pages without a picture: awnings in the market's
// colours, 1200 by 630 pixels, in an order that depends on the market's name.
func preview(name string, accent, strong color.RGBA) []byte {
	const width, height, stripes = 1200, 630, 12
	colours := color.Palette{
		color.RGBA{0xf4, 0xf5, 0xf3, 255}, accent, strong,
		color.RGBA{0xe3, 0xb3, 0x41, 255}, color.RGBA{0xd9, 0xde, 0xdb, 255}, color.RGBA{0xc7, 0x5b, 0x39, 255},
	}
	sum := sha256.Sum256([]byte(name))
	img := image.NewPaletted(image.Rect(0, 0, width, height), colours)
	const step = width / stripes
	for y := range height {
		for x := range width {
			i := x / step
			// Each stripe of the awning ends in a semicircle.
			dx := x%step - step/2
			reach := 300 + int(sum[i]%4)*20
			inside := y < reach || y < reach+step/2 && (y-reach)*(y-reach)+dx*dx < step*step/4
			switch {
			case inside && i%2 == 0:
				img.SetColorIndex(x, y, 1+sum[i]%2)
			case inside:
				img.SetColorIndex(x, y, [...]uint8{3, 4, 5, 4}[sum[i]%4])
			}
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err != nil {
		panic(err) // writing to a Buffer cannot fail
	}
	return b.Bytes()
}
