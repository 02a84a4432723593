package site

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"souk/build/document"
	"souk/build/kit/theme"
	"souk/templates/texts"
)

var update = flag.Bool("update", false, "write the golden pages anew")

// market returns the configuration of the tests' market.
func market(language, siteURL string) Config {
	return Config{
		Name: "Market", Description: "What the market is for.", Language: language,
		SiteURL: siteURL, APIURL: siteURL + "/api/v1", Texts: texts.New(language, nil),
		Sections: []document.MenuLink{{Label: "Products", URL: siteURL + "/categories/product"}, {Label: "Companies", URL: siteURL + "/companies"}},
	}
}

func newSite(t testing.TB, c Config) *Site {
	t.Helper()
	s, err := New(c, theme.Theme{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rendered returns the files of a document by name.
func rendered(t testing.TB, s *Site, value any) map[string]string {
	t.Helper()
	files := map[string]string{}
	if err := s.Render(value, func(name string, body []byte) error {
		if _, twice := files[name]; twice {
			t.Errorf("%s is rendered twice", name)
		}
		files[name] = string(body)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// A page is a parsed page.
type page struct {
	*html.Node
	name string
}

func parsePage(t testing.TB, name, body string) page {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return page{root, name}
}

// all returns the elements with a tag, in order; "" matches any tag.
func all(n *html.Node, tag string) (found []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (tag == "" || d.Data == tag) {
			found = append(found, d)
		}
	}
	return found
}

func get(n *html.Node, name string) string {
	value, _ := lookup(n, name)
	return value
}

func lookup(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// words returns the text of an element with collapsed spaces.
func words(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// A filling chooses the values with which the fields of a document are filled.
type filling struct {
	text, uri, prose string
	addresses        *int
}

// ownAddresses are the types whose URL is the market's own.
var ownAddresses = map[string]bool{"Media": false, "Image": false, "Proof": false, "LabelledURL": false}

// filled returns a value of the type of sample in which every field is set and every list
// has two items.
func filled(sample any, f filling) any {
	f.addresses = new(int)
	v := reflect.New(reflect.TypeOf(sample)).Elem()
	f.fill(v, 0)
	return v.Interface()
}

func (f filling) fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text)
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface:
		v.Set(reflect.ValueOf(f.text))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), depth)
	case reflect.Slice:
		if depth > 8 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.field(v, i, depth+1)
		}
	}
}

// field fills one field. Fields that decide between branches of a template, and addresses
// of the market's own, get values that content can have.
func (f filling) field(v reflect.Value, i, depth int) {
	field, at := v.Type().Field(i), v.Field(i)
	tag := field.Tag.Get("jsonschema")
	if field.Type.Kind() != reflect.String {
		f.fill(at, depth)
		return
	}
	first, _, _ := strings.Cut(tag, ",")
	value, enumerated := strings.CutPrefix(first, "enum=")
	_, foreign := ownAddresses[v.Type().Name()]
	switch {
	case enumerated:
		at.SetString(value)
	case field.Name == "Kind", field.Name == "RootKind":
		at.SetString("product")
	case field.Name == "Rel":
		at.SetString("visitWebsite")
	case field.Name == "Type":
		at.SetString("image/png")
	case field.Name == "Description", field.Name == "Source":
		at.SetString(f.prose)
	case !foreign && (field.Name == "URL" || field.Name == "APIURL" || field.Name == "Next" || field.Name == "Previous"):
		*f.addresses++
		base := "https://market.example/companies/"
		if field.Name != "URL" {
			base = "https://market.example/api/v1/marketplace/companies/"
		}
		at.SetString(base + "n" + strconv.Itoa(*f.addresses))
	case strings.Contains(tag, "format=email"):
		at.SetString("desk@a.example") // content allows nothing else
	case strings.Contains(tag, "format=uri"):
		at.SetString(f.uri)
	default:
		at.SetString(f.text)
	}
}

// samples has a value of every type that has a page. A test checks that they show every
// layout.
var samples = []any{
	document.Home{}, document.Seller{}, document.Product{}, document.Service{}, document.Category{}, document.CategoryPage{}, document.CategoryRoot{},
	document.SummaryList{}, document.Article{}, document.MarketMap{}, document.ListingPageDocument{}, document.SummaryPageDocument{},
	document.SellerList{}, document.SellerPageDocument{}, document.OwnPage{}, document.APIReference{},
}

func TestSamplesShowEveryLayout(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	shown := map[string]bool{"search": true, "compare": true, "missing": true, "gone": true, "moved": true, "notice": true}
	for _, sample := range samples {
		views, ok := s.view(filled(sample, filling{text: "word", uri: "https://a.example/x", prose: "more words"}))
		if !ok {
			t.Errorf("%T has no page", sample)
		}
		for _, v := range views {
			shown[v.Layout] = true
		}
	}
	for name := range s.layout {
		if !shown[name] {
			t.Errorf("no sample shows the layout %s: add its document to samples", name)
		}
	}
}

// golden compares a text with a file below testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is different (go test ./build/site -update writes it anew):\n%s", path, got)
	}
}
