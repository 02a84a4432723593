package mail

import (
	"fmt"
	"strings"
	"testing"
)

func TestServerAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"smtp://mail.example":                         "smtp://mail.example:25  ",
		"smtp://mail.example:2525/":                   "smtp://mail.example:2525  ",
		"smtp://jane:hunter2@mail.example":            "smtp://mail.example:587 jane hunter2",
		"smtps://jane%40x.example:a%3Ab%2Fc@[::1]":    "smtps://[::1]:465 jane@x.example a:b/c",
		"smtps://jane:hunter2@mail.example:8465":      "smtps://mail.example:8465 jane hunter2",
		"smtp://u:p%25w@127.0.0.1:25":                 "smtp://127.0.0.1:25 u p%w",
		"smtp://apikey:SG.abc-def_123+x=@smtp.x.test": "smtp://smtp.x.test:587 apikey SG.abc-def_123+x=",
	} {
		s, err := ParseServer(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if got := fmt.Sprintf("%v %s %s", s, s.User, s.password); got != want {
			t.Errorf("%s is read as %q, want %q", address, got, want)
		}
	}
}

func TestWrongServerAddressesAreExplained(t *testing.T) {
	for address, want := range map[string]string{
		"":                                       "smtp://user:password@host:port",
		"mail.example:25":                        "smtp://user:password@host:port",
		"http://jane:hunter2@mail.example":       "smtps://",
		"smtp://jane:hunter2@":                   "names no host",
		"smtp://jane@mail.example":               "both a user and a password",
		"smtp://:hunter2@mail.example":           "both a user and a password",
		"smtp://jane:hunter2#x@mail.example":     "%23",
		"smtp://jane:hunter2/x@mail.example":     "%2F",
		"smtp://jane:hunter2@x@mail.example":     "%40",
		"smtp://jane:hunter2%zz@mail.example":    "%25",
		"smtp://jane:hunter2@mail.example:0":     "between 1 and 65535",
		"smtp://jane:hunter2@mail.example:99999": "between 1 and 65535",
		"smtp://jane:hunter2@mail.example:x":     "cannot be read",
		"smtp://jane:hunter2@mail.example?tls=0": "cannot be read",
		"smtp://jane:hunter2@mail.example/inbox": "cannot be read",
	} {
		_, err := ParseServer(address)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want one with %q", address, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "jane")) {
			t.Errorf("%s: the error tells too much: %v", address, err)
		}
	}
}

func TestServerNeverPrintsItsPassword(t *testing.T) {
	s, err := ParseServer("smtp://jane:hunter2@mail.example")
	if err != nil {
		t.Fatal(err)
	}
	sender := SMTP{Server: s}
	assertSilent(t, fmt.Sprintf("%v %+v %#v %s %v %+v %#v", s, s, s, s, sender, sender, sender))
}
