package dynamic

import (
	"io"
	"mime"
	"net/http"
	"net/mail"
	"strings"
	"testing"
)

// subject returns the subject of a mail and its body.
func (l letter) subject(t *testing.T) (subject, body string) {
	t.Helper()
	parsed, err := mail.ReadMessage(strings.NewReader(l.text))
	if err != nil {
		t.Fatal(err)
	}
	subject, err = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(parsed.Body)
	if err != nil {
		t.Fatal(err)
	}
	return subject, string(data)
}

// A mail sent after an edit is in the current language of the content.
func TestMailsAreInTheCurrentLanguageOfTheContent(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.Watch = true
	h.open()
	asked := func() (subject, body string) {
		id := h.must(http.StatusAccepted, "/companies/mueller/removal-requests", "", requester{"Jane Doe", "jane@müller.example"}).Value("requestId")
		return h.mailed(id).subject(t)
	}
	if subject, _ := asked(); subject != "Confirm: remove The mueller from Test Market" {
		t.Errorf("in English the subject is %q", subject)
	}

	h.write("marketplace.yaml", "name: Test Market\nsiteUrl: https://market.example\nlanguage: de\n")
	h.untilAnswer("/companies/acme", http.StatusOK, "Profil übernehmen")
	var body string
	h.until("the subject is German", func() (german bool) {
		subject, text := asked()
		body = text
		return subject == "Bitte bestätigen: The mueller von Test Market entfernen"
	})
	if !strings.Contains(body, `<html lang="de" dir="ltr">`) || !strings.Contains(body, "Unternehmens, müller.example, ein") {
		t.Errorf("the mail is\n%s", body)
	}

	h.write("texts/de.yaml", "mail.removalLink.subject: \"{company} verlässt {market}?\"\n")
	h.until("the subject is the operator's", func() bool {
		subject, _ := asked()
		return subject == "The mueller verlässt Test Market?"
	})
}
