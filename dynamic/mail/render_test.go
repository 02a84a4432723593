package mail

import (
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"souk/templates/texts"
)

var monday = time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)

const token = "c2VjcmV0LXRva2VuLXNlY3JldC10b2tlbi1zZWNyZXQ"

// message returns a complete Message of a kind.
func message(kind Kind) Message {
	m := Message{
		ID: "rq-7f3a", Kind: kind, From: "no-reply@market.example", To: "jane@acme.example", Requester: "Jane Doe",
		Marketplace: "Robot Market", SiteURL: "https://market.example", Contact: "help@market.example",
		Company: "Acme Robotics", CompanyURL: "https://market.example/companies/acme",
	}
	if kind.isLink() {
		m.Domain = "acme.example"
		m.Link = "https://market.example/verify/claim#id=rq-7f3a&token=" + token
		m.Code = "rq-7f3a." + token
		m.ExpiresAt = monday.Add(24 * time.Hour)
		return m
	}
	m.DoneAt = monday
	if kind == ClaimDone {
		m.Workspace = "acme-team"
	}
	return m
}

// from returns m with another sender address.
func from(m Message, address string) Message {
	m.From = address
	return m
}

var kinds = []Kind{ClaimLink, RemovalLink, ClaimDone, RemovalDone}

func TestEachMailSaysWhoAskedForWhatAndHowToStopIt(t *testing.T) {
	tells := map[Kind][]string{
		ClaimLink: {"Jane Doe", "Acme Robotics", "attached to your workspace", "just delete this email", "3 March 2026, 09:30 UTC",
			"acme.example", "https://market.example/companies/acme", "help@market.example", "rq-7f3a"},
		RemovalLink: {"Jane Doe", "Acme Robotics", "disappear", "cannot undo this", "just delete this email",
			"3 March 2026, 09:30 UTC", "acme.example", "help@market.example"},
		ClaimDone:   {"Jane Doe", "Acme Robotics", "acme-team", "2 March 2026, 09:30 UTC", "object", "help@market.example", "rq-7f3a"},
		RemovalDone: {"Jane Doe", "Acme Robotics", "removed", "2 March 2026, 09:30 UTC", "object", "help@market.example", "rq-7f3a"},
	}
	for _, kind := range kinds {
		m := message(kind)
		got, err := Render(m)
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.Join(strings.Fields(got.Text), " ")
		html := strings.Join(strings.Fields(htmlTags.ReplaceAllString(got.HTML, " ")), " ")
		for _, want := range tells[kind] {
			if !strings.Contains(strings.ToLower(plain), strings.ToLower(want)) {
				t.Errorf("the text of %s does not tell %q:\n%s", kind, want, got.Text)
			}
			if !strings.Contains(strings.ToLower(html+got.HTML), strings.ToLower(want)) {
				t.Errorf("the HTML of %s does not tell %q:\n%s", kind, want, html)
			}
		}
		if kind.isLink() && (!strings.Contains(got.Text, "\n"+m.Link+"\n") || !strings.Contains(got.HTML, `href="https://market.example/verify/claim#id=rq-7f3a&amp;token=`+token)) {
			t.Errorf("%s does not hold the link on a line and as a button", kind)
		}
		if kind.isLink() && (!strings.Contains(got.Text, "\n"+m.Code+"\n") || !strings.Contains(got.HTML, ">"+m.Code+"<")) {
			t.Errorf("%s does not hold the code on a line", kind)
		}
		if !strings.Contains(got.Subject, "Acme Robotics") || strings.Contains(got.Subject, "Jane") {
			t.Errorf("%s has the subject %q", kind, got.Subject)
		}
	}
}

func TestMailsInAllLanguagesHaveTheCode(t *testing.T) {
	for _, language := range []string{"en", "de", "fr", "es", "it", "nl"} {
		for _, kind := range []Kind{ClaimLink, RemovalLink} {
			m := message(kind)
			m.Texts = texts.New(language, nil)
			got, err := Render(m)
			if err != nil {
				t.Fatal(err)
			}
			asked := strings.Join(strings.Fields(m.Texts.Text("mail.code")), " ")
			if !strings.Contains(got.Text, asked+"\n\n"+m.Code+"\n") || !strings.Contains(got.HTML, m.Texts.Text("mail.code")+"<br>") {
				t.Errorf("the mail %s in %s does not say what its code is for:\n%s", kind, language, got.Text)
			}
		}
	}
}

var htmlTags = regexp.MustCompile(`<[^>]*>`)

func TestHTMLLoadsNothing(t *testing.T) {
	for _, kind := range kinds {
		got, err := Render(message(kind))
		if err != nil {
			t.Fatal(err)
		}
		if found := regexp.MustCompile(`(?i)<(img|script|link|iframe|object|video|audio|form|style)|url\(|src=|background=`).FindString(got.HTML); found != "" {
			t.Errorf("the HTML of %s holds %q", kind, found)
		}
		for _, address := range regexp.MustCompile(`https?://[^"<\s]+`).FindAllString(got.HTML, -1) {
			if !strings.HasPrefix(address, "https://market.example") {
				t.Errorf("the HTML of %s leads to %s", kind, address)
			}
		}
	}
}

func TestNamesAreSanitized(t *testing.T) {
	for given, want := range map[string]string{
		"Jane Doe":                              "Jane Doe",
		"  Jane\r\nBcc: all@x.example\t Doe ":   "Jane Bcc all x. example Doe",
		"Dr. J.R. Müller-Lüdenscheidt":          "Dr. J. R. Müller-Lüdenscheidt",
		"visit https://evil.example/now":        "visit https evil. example now",
		"evil。example":                          "evil. example",
		"a\u202egnirts\u200b\u2066b\u0000\x1bc": "agnirtsb c",
		"نرگس\u200cها":                          "نرگس\u200cها",
		"bad\xffbytes":                          "badbytes",
		"\u2028\n\t":                            "no name given",
		strings.Repeat("ab ", 100):              strings.TrimSpace(strings.Repeat("ab ", 27)[:79]) + "…",
	} {
		m := message(ClaimLink)
		m.Requester = given
		got, err := Render(m)
		if err != nil {
			t.Fatal(err)
		}
		// A long name wraps onto a second line.
		if !strings.Contains(strings.Join(strings.Fields(got.Text), " "), "Requested by: "+want+" (the name") {
			t.Errorf("%q is unicodeDomain as %q, want %q", given, strings.Split(got.Text, "\n")[2], want)
		}
	}
}

// Browsers map a name before they look for its dots (UTS 46), so each character is tested
// as what it maps to.
func TestNoCharacterTurnsANameIntoALink(t *testing.T) {
	mapped := idna.New(idna.MapForLookup(), idna.StrictDomainName(false), idna.Transitional(false))
	link := regexp.MustCompile(`[/\\<>@:]|\S[.。]+[^\s.。]`)
	dots := 0
	for r := rune(1); r < 0x20000; r++ { // the rest are ideographs
		name := strip(unlinked("evil"+string(r)+"example"), longestRequester)
		browser, _ := mapped.ToUnicode(name)
		for _, read := range []string{name, norm.NFKC.String(name), browser} {
			if link.MatchString(read) {
				t.Errorf("%U stands in %q, read as %q", r, name, read)
			}
		}
		if strings.Contains(name, ". ") {
			dots++
		}
	}
	if dots < 20 {
		t.Errorf("only %d characters are dots", dots)
	}
	for _, name := range []string{"evil\u2024example", "evil\ufe12example", "evil⒈example", "evil㏇m", "evil․\u200dexample", "evil‥example", "evil.\ufe0fexample"} {
		if got := norm.NFKC.String(strip(unlinked(name), longestRequester)); link.MatchString(got) {
			t.Errorf("%q is read as %q", name, got)
		}
	}
}

func TestNamesAreEscapedInHTML(t *testing.T) {
	m := message(RemovalLink)
	m.Requester, m.Company = `<b onclick="x">&`, `A<script>"&Co`
	got, err := Render(m)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got.HTML, "<script") || strings.Contains(got.HTML, "<b ") {
		t.Errorf("markup of a name came through:\n%s", got.HTML)
	}
}

func TestIncompleteMailIsRejected(t *testing.T) {
	for _, make := range []func(*Message){
		func(m *Message) { m.Link = "" }, func(m *Message) { m.Code = "" }, func(m *Message) { m.ExpiresAt = time.Time{} },
		func(m *Message) { m.Company = "" }, func(m *Message) { m.Domain = "" }, func(m *Message) { m.Kind = "other" },
		func(m *Message) { m.Contact = "" }, func(m *Message) { m.ID = "" },
	} {
		m := message(ClaimLink)
		make(&m)
		if _, err := Render(m); err == nil {
			t.Errorf("%#v was rendered", m)
		} else if strings.Contains(err.Error(), "@") || strings.Contains(err.Error(), token) {
			t.Errorf("the error tells too much: %v", err)
		}
	}
}

// parsed is a mail as a mail program parses it.
type parsed struct {
	header mail.Header
	parts  map[string]string
}

func parse(t *testing.T, eml string) parsed {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(eml))
	if err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("the mail is %s: %v", kind, err)
	}
	p := parsed{m.Header, map[string]string{}}
	reader := multipart.NewReader(m.Body, params["boundary"])
	var order []string
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var body io.Reader = part
		if part.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
			body = quotedprintable.NewReader(part)
		}
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		order = append(order, kind)
		p.parts[kind] = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	if fmt.Sprint(order) != "[text/plain text/html]" {
		t.Errorf("the parts are %v", order)
	}
	return p
}

func wire(t *testing.T, l Letter) string {
	t.Helper()
	m, err := format(l, gomail.EncodingQP)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if _, err := m.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestMailOnTheWire(t *testing.T) {
	l, err := compose(message(RemovalLink), monday)
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, wire(t, l))
	for name, want := range map[string]string{
		"From": `"Robot Market" <no-reply@market.example>`, "To": "<jane@acme.example>", "Reply-To": "<help@market.example>",
		"Subject": "Confirm: remove Acme Robotics from Robot Market", "Auto-Submitted": "auto-generated",
		"Date": "Mon, 02 Mar 2026 09:30:00 +0000",
	} {
		if got := p.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if p.parts["text/plain"] != l.Text || p.parts["text/html"] != l.HTML {
		t.Errorf("the parts are not what was rendered:\n%q\n%q", p.parts["text/plain"], l.Text)
	}
}

// The sender's name is the name of the marketplace, which may be any text of one line.
func TestSenderMayHaveAnyName(t *testing.T) {
	for _, name := range []string{`19" Racks & Co`, `"`, `"Racks"`, `Plain\`, `a\"b`, "Märkte, GmbH <x@y.example>", `Ärzte "Nord"`, "=?utf-8?q?x?=", strings.Repeat("Ä ", 100)} {
		m := message(ClaimLink)
		m.Marketplace = name
		l, err := compose(m, monday)
		if err != nil {
			t.Fatal(err)
		}
		got, err := mail.ParseAddress(parse(t, wire(t, l)).header.Get("From"))
		if err != nil || got.Address != "no-reply@market.example" || got.Name != l.From.Name {
			t.Errorf("%q is sent as %v: %v", name, got, err)
		}
	}
}

func TestMessageIDDependsOnlyOnTheRecord(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range kinds {
		first, err := compose(from(message(kind), "a@market.example"), monday)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := compose(from(message(kind), "a@market.example"), monday.Add(time.Hour))
		other := message(kind)
		other.ID = "rq-8"
		second, _ := compose(from(other, "a@market.example"), monday)
		if first.MessageID != again.MessageID || first.MessageID == second.MessageID || seen[first.MessageID] {
			t.Errorf("%s: %s, again %s, another record %s", kind, first.MessageID, again.MessageID, second.MessageID)
		}
		seen[first.MessageID] = true
	}
}

func TestNoTextBecomesAHeader(t *testing.T) {
	const evil = "X\r\nBcc: victim@other.example\r\n\r\n<b>"
	m := message(ClaimLink)
	m.Requester, m.Company, m.Marketplace, m.Workspace, m.ID = evil, evil, evil, evil, evil
	l, err := compose(m, monday)
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, wire(t, l))
	if p.header.Get("Bcc") != "" || len(p.header) != 9 {
		t.Errorf("the headers are %v", p.header)
	}
	if !plainName.MatchString(l.Name) {
		t.Errorf("the name is %q", l.Name)
	}
	for _, to := range []string{"jane@acme.example\r\nBcc: x@y.example", "Jane <jane@acme.example>", "a@b.example, c@d.example", "jane", ""} {
		l.To = to
		if _, err := format(l, gomail.EncodingQP); err == nil || strings.Contains(err.Error(), "example") {
			t.Errorf("the recipient %q: %v", to, err)
		}
	}
	l.To, l.ReplyTo = "jane@acme.example", "x@y.example\nBcc: z@y.example"
	if _, err := format(l, gomail.EncodingQP); err == nil {
		t.Error("a line break in the contact was let through")
	}
}

func TestInternationalDomainIsSentInASCII(t *testing.T) {
	m := message(ClaimLink)
	m.To, m.Contact = "jane@müller.example", "hilfe@müller.example"
	l, err := compose(from(m, "kontakt@müller.example"), monday)
	if err != nil {
		t.Fatal(err)
	}
	id, _, _ := strings.Cut(l.MessageID, "@")
	p := parse(t, wire(t, l))
	for name, want := range map[string]string{
		"To": "<jane@xn--mller-kva.example>", "From": `"Robot Market" <kontakt@xn--mller-kva.example>`,
		"Reply-To": "<hilfe@xn--mller-kva.example>", "Message-ID": "<" + id + "@xn--mller-kva.example>",
	} {
		if got := p.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestLoggedMessageRevealsNothing(t *testing.T) {
	var out strings.Builder
	l := Leased{Message: message(ClaimLink), Key: "7"}
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "mail", l, "message", l.Message)
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "mail", l, "message", l.Message)
	fmt.Fprintf(&out, "%v %+v %#v %s", l, l, l, l.Message)
	assertSilent(t, out.String())
}

// assertSilent fails if text contains anything that must not be logged.
func assertSilent(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{"jane", "Jane", "acme.example", token, "#id", "verify/", "hunter2"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in:\n%s", secret, text)
		}
	}
}

func TestMailIsInTheMarketsLanguage(t *testing.T) {
	german := texts.New("de", nil)
	tells := map[Kind][]string{
		ClaimLink:   {"Angefragt von", "Bitte bestätigen: Acme Robotics auf Robot Market übernehmen", "3. März 2026, 09:30 Uhr (UTC)", "müller.example"},
		RemovalLink: {"Bitte bestätigen: Acme Robotics von Robot Market entfernen", "rückgängig", "müller.example"},
		ClaimDone:   {"Erledigt: Acme Robotics auf Robot Market ist übernommen", "Arbeitsbereich", "2. März 2026, 09:30 Uhr (UTC)"},
		RemovalDone: {"Erledigt: Acme Robotics wurde von Robot Market entfernt", "wiederherstellen"},
	}
	english := regexp.MustCompile(`(?i)\b(the|who|you|your|company|nothing|valid|write)\b`)
	for _, kind := range kinds {
		m := message(kind)
		m.Texts = german
		if kind.isLink() {
			m.Domain = "xn--mller-kva.example"
		}
		got, err := Render(m)
		if err != nil {
			t.Fatal(err)
		}
		html := htmlTags.ReplaceAllString(got.HTML, " ")
		for _, want := range tells[kind] {
			if all := got.Subject + got.Text; !strings.Contains(strings.Join(strings.Fields(all), " "), want) {
				t.Errorf("the text of %s does not tell %q:\n%s", kind, want, all)
			}
			if !strings.Contains(html, want) {
				t.Errorf("the HTML of %s does not tell %q:\n%s", kind, want, html)
			}
		}
		if !strings.Contains(got.HTML, `<html lang="de" dir="ltr">`) {
			t.Errorf("the HTML of %s does not tell its language", kind)
		}
		for _, all := range []string{got.Subject, got.Text, html} {
			if word := english.FindString(all); word != "" {
				t.Errorf("%s in German says %q:\n%s", kind, word, all)
			}
		}
		for line := range strings.Lines(got.Text) {
			if length := len([]rune(strings.TrimSpace(line))); length > 72 && !strings.Contains(line, token) {
				t.Errorf("a line of %s has %d characters: %s", kind, length, line)
			}
		}
	}
}
