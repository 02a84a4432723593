package dynamic

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/build/document"
)

// bounds are the lengths that the OpenAPI document allows for a field or parameter.
type bounds struct{ MinLength, MaxLength int }

// lengths reads the bounds from the served document.
func (h *house) lengths() (fields map[string]bounds, key bounds) {
	h.Helper()
	data, err := os.ReadFile(filepath.Join(h.Config.Build.Public, "api/v1/openapi.json"))
	if err != nil {
		h.Fatal(err)
	}
	var described struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema bounds
			}
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]bounds }
		}
	}
	if err := json.Unmarshal(data, &described); err != nil {
		h.Fatal(err)
	}
	fields = map[string]bounds{}
	for _, name := range []string{"Requester", "Verification"} {
		for field, b := range described.Components.Schemas[name].Properties {
			fields[field] = b
		}
	}
	for _, p := range described.Paths["/marketplace/companies/{companySlug}/claims"]["post"].Parameters {
		if p.Name == document.IdempotencyKey {
			key = p.Schema
		}
	}
	return fields, key
}

// Values at the limits of the schema are accepted, and those beyond them rejected.
func TestLengthsInTheSchemaAreEnforced(t *testing.T) {
	h := newHouse(t)
	long := strings.Repeat("a", 63)
	domain := long + "." + long + "." + long[:59] + ".c" // 189 characters
	for slug, domain := range map[string]string{"short": "b.c", "long": domain} {
		h.write("sellers/"+slug+"/seller.yaml", "officialDomain: "+domain+"\nversions:\n  - version: 1\n    name: Name\n")
	}
	h.open()
	fields, key := h.lengths()

	name, mailbox := fields["requesterName"], fields["requesterEmail"]
	longest := strings.Repeat("x", mailbox.MaxLength-1-len(domain)) + "@" + domain
	for _, call := range []string{"claims", "removal-requests"} {
		for _, c := range []struct {
			what, slug string
			body       requester
			status     int
		}{
			{"shortest name", "short", requester{strings.Repeat("A", name.MinLength), "a@b.c"}, http.StatusAccepted},
			{"shorter name", "short", requester{strings.Repeat("A", name.MinLength-1), "a@b.c"}, http.StatusUnprocessableEntity},
			{"longest name", "short", requester{strings.Repeat("é", name.MaxLength), "a@b.c"}, http.StatusAccepted},
			{"longer name", "short", requester{strings.Repeat("é", name.MaxLength+1), "a@b.c"}, http.StatusUnprocessableEntity},
			{"shortest mailbox", "short", requester{"Ada", "a@b.c"[:mailbox.MinLength]}, http.StatusAccepted},
			{"shorter mailbox", "short", requester{"Ada", "a@b.c"[:mailbox.MinLength-1]}, http.StatusUnprocessableEntity},
			{"longest mailbox", "long", requester{"Ada", longest}, http.StatusAccepted},
			{"longer mailbox", "long", requester{"Ada", "x" + longest}, http.StatusUnprocessableEntity},
		} {
			if a, err := h.post("/companies/"+c.slug+"/"+call, "", c.body); err != nil || a.Status != c.status {
				t.Errorf("%s: %s: %d, %v, want %d", call, c.what, a.Status, err, c.status)
			}
		}
		for length, status := range map[int]int{
			key.MinLength: http.StatusAccepted, key.MinLength - 1: http.StatusUnprocessableEntity,
			key.MaxLength: http.StatusAccepted, key.MaxLength + 1: http.StatusUnprocessableEntity,
		} {
			request, err := http.NewRequest(http.MethodPost, h.base+"/api/v1/marketplace/companies/short/"+call,
				strings.NewReader(`{"requesterName":"Ada","requesterEmail":"a@b.c"}`))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set(document.IdempotencyKey, strings.Repeat("k", length))
			a, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			if a.Body.Close(); a.StatusCode != status {
				t.Errorf("%s: a key of %d: %d, want %d", call, length, a.StatusCode, status)
			}
		}
	}

	address, proof := h.askRemoval("short", "a@b.c")
	token, typed := fields["token"], fields["officialDomain"]
	for _, c := range []struct {
		token, domain string
		status        int
	}{
		{strings.Repeat("x", token.MinLength), "b.c", http.StatusNotFound},
		{strings.Repeat("x", token.MinLength-1), "b.c", http.StatusUnprocessableEntity},
		{proof.Token, "b.c"[:typed.MinLength-1], http.StatusUnprocessableEntity},
		{proof.Token, strings.Repeat("a", typed.MaxLength+1), http.StatusUnprocessableEntity},
		{proof.Token, "b.c"[:typed.MinLength], http.StatusOK},
	} {
		body := map[string]string{"token": c.token, "officialDomain": c.domain}
		if a, err := h.post(address, "", body); err != nil || a.Status != c.status {
			t.Errorf("a token of %d, a domain of %d: %d, %v, want %d", len(c.token), len(c.domain), a.Status, err, c.status)
		}
	}
}
