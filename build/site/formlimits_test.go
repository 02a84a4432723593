package site

import (
	"reflect"
	"strings"
	"testing"

	"souk/build/document"
)

func TestFormsAcceptWhatTheSchemaAccepts(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	limits := map[string]string{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[document.Requester]()) {
		_, rest, _ := strings.Cut(f.Tag.Get("jsonschema"), "maxLength=")
		limits[strings.Split(f.Tag.Get("json"), ",")[0]], _, _ = strings.Cut(rest, ",")
	}
	files := rendered(t, s, document.Seller{Kind: "seller", Slug: "acme", Name: "Acme", URL: "https://market.example/companies/acme", APIURL: "https://market.example/api/v1/marketplace/companies/acme",
		Actions: []document.Action{{Rel: "claim"}, {Rel: "requestRemoval"}}})
	for _, form := range []string{"companies/acme/claim.html", "companies/acme/remove.html"} {
		found := map[string]string{}
		for _, input := range all(parsePage(t, form, files[form]).Node, "input") {
			if limits[get(input, "name")] != "" {
				found[get(input, "name")] = get(input, "maxlength")
			}
		}
		if len(limits) != 2 || !reflect.DeepEqual(found, limits) {
			t.Errorf("%s takes %v, the schema %v", form, found, limits)
		}
	}
}
