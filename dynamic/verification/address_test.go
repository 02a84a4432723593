package verification

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// proofs are mailboxes, each with the official domain to compare it with.
type proofs []struct{ text, official string }

const (
	acme   = "acme.example"
	muller = "xn--mller-kva.example"
)

func (list proofs) check(t *testing.T, want bool) {
	t.Helper()
	for _, c := range list {
		a, err := ParseAddress(c.text)
		if got := err == nil && a.proves(c.official); got != want {
			t.Errorf("%q proves %s: %t, want %t (%v)", c.text, c.official, got, want, err)
		}
		var known *Error
		if err != nil && (!errors.As(err, &known) || known.Code != CodeInvalidField || len(c.text) > 8 && strings.Contains(err.Error(), c.text)) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

func TestMailboxProvesItsOwnDomain(t *testing.T) {
	proofs{
		{"jane@acme.example", acme},
		{"Jane.Doe+souk@ACME.Example", acme},
		{"o'neill@acme.example", acme},
		{"jane@müller.example", muller},
		{"jane@MÜLLER.example", muller},
		{"jane@mu\u0308ller.example", muller},
		{"jane@xn--mller-kva.example", muller},
	}.check(t, true)
}

func TestMailboxProvesNoOtherDomain(t *testing.T) {
	proofs{
		{"jane@mail.acme.example", acme},
		{"jane@acme.example.evil.example", acme},
		{"jane@notacme.example", acme},
		{"jane@example", acme},
		{"jane@acme.com", acme},
		// Letters that look like others: Cyrillic а, Greek ο, digit one.
		{"jane@\u0430cme.example", acme},
		{"jane@acme.ex\u0430mple", acme},
		{"jane@acrne.example", acme},
		{"jane@muller.example", muller},
		// Spellings that IDNA would convert.
		{"jane@\uff41cme.example", acme},
		{"jane@ac\u00adme.example", acme},
		{"jane@ac\u200bme.example", acme},
		{"jane@acme\u3002example", acme},
		{"jane@acme.exam\u200dple", acme},
		{"jane@acme.example.", acme},
		{"jane@acme..example", acme},
		{"jane@.acme.example", acme},
		{"jane@-acme.example", acme},
		{"jane@acme_.example", acme},
		{"jane@acme.example ", acme},
		{" jane@acme.example", acme},
		{"jane@ acme.example", acme},
		{"jane@acme.example\r\nBcc: all@evil.example", acme},
		{"jane@acme.example\x00", acme},
		{"jane@acme.example\x00.evil.example", acme},
	}.check(t, false)
}

func TestTextThatIsNotABareMailboxProvesNothing(t *testing.T) {
	proofs{
		{"Jane <jane@acme.example>", acme},
		{"<jane@acme.example>", acme},
		{"jane@acme.example (comment)", acme},
		{"jane@(evil.example)acme.example", acme},
		{"jane@acme.example,eve@evil.example", acme},
		{"eve@evil.example,jane@acme.example", acme},
		{"jane@acme.example;", acme},
		{"eve@evil.example@acme.example", acme},
		{`"eve@evil.example"@acme.example`, acme},
		{`"jane doe"@acme.example`, acme},
		{`"jane"@acme.example`, acme},
		{"jane@[127.0.0.1]", acme},
		{"jane@127.0.0.1", "127.0.0.1"},
		{"jane@[IPv6:::1]", acme},
		{".jane@acme.example", acme},
		{"jane.@acme.example", acme},
		{"ja..ne@acme.example", acme},
		{"jäne@acme.example", acme},
		{"eve%evil.example@acme.example", acme},
		{"evil.example!eve@acme.example", acme},
		{"@acme.example", acme},
		{"jane", acme},
		{"jane@", acme},
		{"acme.example", acme},
		{"", acme},
		{"jane@\xff.example", acme},
		{strings.Repeat("a", 65) + "@acme.example", acme},
		{strings.Repeat("a", 300) + "@acme.example", acme},
		{"jane@" + strings.Repeat("a", 64) + ".example", strings.Repeat("a", 64) + ".example"},

		// Domains below which strangers have mailboxes prove nothing.
		{"jane@co.uk", "co.uk"},
		{"jane@github.io", "github.io"},
		{"jane@acme.example", ""},
	}.check(t, false)
}

func TestLocalPartIsKeptAndTheDomainIsNormalized(t *testing.T) {
	a, err := ParseAddress("Jane.DOE+Souk@MÜLLER.Example")
	if err != nil || a.Mailbox() != "Jane.DOE+Souk@xn--mller-kva.example" {
		t.Errorf("%q, %v", a.Mailbox(), err)
	}
}

func TestMaskedAddressesHideTheLength(t *testing.T) {
	for local, want := range map[string]string{
		"j": "***@acme.example", "jo": "j***@acme.example", "jane.doe+souk": "j***@acme.example",
	} {
		if got := (Address{local, "acme.example"}).Masked(); got != want {
			t.Errorf("%s: %s, want %s", local, got, want)
		}
	}
}

func TestMailboxesAndNetworksAreCountedAsOne(t *testing.T) {
	for _, local := range []string{"jane", "Jane", "jane+1", "JANE+2"} {
		if got := folded(Address{local, "acme.example"}); got != "jane@acme.example" {
			t.Errorf("%s counts for %s", local, got)
		}
	}
	for client, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8::1": "2001:db8::/64", "2001:db8::ffff:1": "2001:db8::/64", "fe80::1%eth0": "fe80::/64",
	} {
		if got := network(netip.MustParseAddr(client), 32, 64); got != want && got != want+"/32" {
			t.Errorf("%s counts for %s, want %s", client, got, want)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, seed := range []string{"jane@acme.example", "jane@müller.example", `"a b"@c.example`, "a@[1.2.3.4]", "a@b@c.example", "a@xn--.example"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err != nil {
			return
		}
		// An accepted address, parsed again in the form to which mail is sent, is accepted
		// with the same result.
		again, err := ParseAddress(a.Mailbox())
		if err != nil || again != a {
			t.Errorf("%q is %+v, then %+v, %v", text, a, again, err)
		}
		if strings.ContainsAny(a.Mailbox(), " \t\r\n\"<>(),;:\\[]\x00") || strings.Count(a.Mailbox(), "@") != 1 {
			t.Errorf("%q is taken", text)
		}
	})
}

func TestServerMessagesAreScrubbed(t *testing.T) {
	got := Scrub("550 5.1.1 <jane@acme.example>: see\r\nhttps://mail.example/why?u=jane#x (id " + strings.Repeat("a1_-", 11) + ")")
	if want := "550 5.1.1 [address] see [link] (id [secret])"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Scrub(strings.Repeat("too long ", 100)); len(got) > longestReport+len("…") {
		t.Errorf("%d bytes are kept", len(got))
	}
}
