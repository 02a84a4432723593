package web_test

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"souk/build/document"
	"souk/dynamic/web"
)

func TestTextIsUsedExactlyAsSentOrRejected(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{`"A"`, "A"},
		{`"\ud83d\ude00 \u00e9\n"`, "😀 é\n"},
		{`"\\ud800"`, `\ud800`},
		{`"\\\\ud800"`, `\\ud800`},
		{`"\ufffd�"`, "��"},
		{`"A\ud800"`, ""},
		{`"A\uD800\u0041"`, ""},
		{`"A\ud83dB\ude00"`, ""},
		{`"\ude00\ud83d"`, ""},
		{`"\\\ud800"`, ""},
		{`"\ud83d\ude00\ude00"`, ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(`{"name":`+test.name+`}`))
		r.Header.Set("Content-Type", "application/json")
		fields, err := web.Fields(r, "name")
		var known *web.Error
		switch errors.As(err, &known); {
		case test.text == "" && (known == nil || known.Code != document.CodeInvalidBody):
			t.Errorf("%s is taken as %q (%v)", test.name, fields["name"], err)
		case test.text != "" && (err != nil || fields["name"] != test.text):
			t.Errorf("%s is taken as %q, not %q (%v)", test.name, fields["name"], test.text, err)
		}
	}
}

func TestBodyWithContentEncodingIsRejected(t *testing.T) {
	for kind, read := range map[string]func(*http.Request, ...string) (map[string]string, error){
		"application/json": web.Fields, "application/x-www-form-urlencoded": web.Form,
	} {
		for coding, refused := range map[string]bool{"": false, "identity": false, "gzip": true, "br, identity": true} {
			body := map[string]string{"application/json": `{"name":"A"}`}[kind]
			if body == "" {
				body = "name=A"
			}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
			r.Header = http.Header{"Content-Type": {kind}, "Content-Encoding": {coding}}
			fields, err := read(r, "name")
			var known *web.Error
			switch errors.As(err, &known); {
			case refused && (known == nil || known.Code != document.CodeUnsupportedMediaType || known.Header.Get("Accept-Encoding") != "identity"):
				t.Errorf("%s in %s: %v", kind, coding, err)
			case !refused && (err != nil || !maps.Equal(fields, map[string]string{"name": "A"})):
				t.Errorf("%s in %q: %v, %v", kind, coding, fields, err)
			}
		}
	}
}
