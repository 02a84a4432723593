package mail

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

func TestMailsReachAServer(t *testing.T) {
	for name, test := range map[string]struct {
		mode   serverMode
		prefix string
		logins int
		plain  int
	}{
		"STARTTLS and a login":   {serverMode{login: true}, "smtp://souk:hunter2@", 1, 0},
		"STARTTLS where offered": {serverMode{}, "smtp://", 0, 0},
		"TLS from the start":     {serverMode{tls: true, login: true}, "smtps://souk:hunter2@", 1, 0},
		"TLS without a login":    {serverMode{tls: true}, "smtps://", 0, 0},
		"a relay that has none":  {serverMode{noStartTLS: true}, "smtp://", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			server := startServer(t, test.mode)
			l := letter(t, RemovalLink, monday)
			if err := server.sender(t, test.prefix).Send(t.Context(), l); err != nil {
				t.Fatal(err)
			}
			mails := server.received()
			if len(mails) != 1 || mails[0].from != "no-reply@market.example" || mails[0].to != "jane@acme.example" {
				t.Fatalf("the server has %v", mails)
			}
			if got := parse(t, mails[0].text); got.parts["text/plain"] != l.Text || got.parts["text/html"] != l.HTML {
				t.Errorf("the mail is another:\n%s", mails[0].text)
			}
			if server.logins != test.logins || server.plain != test.plain {
				t.Errorf("%d logins and %d mails without TLS", server.logins, server.plain)
			}
		})
	}
}

func TestPasswordIsNeverSentWithoutTLS(t *testing.T) {
	server := startServer(t, serverMode{noStartTLS: true, login: true})
	err := server.sender(t, "smtp://souk:hunter2@").Send(t.Context(), letter(t, ClaimLink, monday))
	if err == nil || !strings.Contains(err.Error(), "STARTTLS") {
		t.Errorf("the failure is %v", err)
	}
	if server.logins != 0 || len(server.received()) != 0 {
		t.Errorf("%d logins, %d mails", server.logins, len(server.received()))
	}
}

func TestUnknownCertificateIsRefused(t *testing.T) {
	for _, mode := range []serverMode{{}, {tls: true}} {
		server := startServer(t, mode)
		sender := server.sender(t, map[bool]string{false: "smtp://", true: "smtps://"}[mode.tls])
		sender.Roots = x509.NewCertPool()
		err := sender.Send(t.Context(), letter(t, ClaimLink, monday))
		if _, final := reasonOf(err); err == nil || final || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("the failure is %v", err)
		}
		if len(server.received()) != 0 {
			t.Error("a mail was sent all the same")
		}
	}
}

func TestFailuresSayWhetherToTryAgain(t *testing.T) {
	for name, test := range map[string]struct {
		fault fault
		want  string
		final bool
	}{
		"recipient unknown":     {fault{rcpt: rejection(550, smtp.EnhancedCode{5, 1, 1})}, "naming the recipient failed: the mail server answered 550 5.1.1", true},
		"recipient greylisted":  {fault{rcpt: rejection(451, smtp.EnhancedCode{4, 7, 1})}, "naming the recipient failed: the mail server answered 451 4.7.1", false},
		"mail refused":          {fault{data: rejection(554, smtp.EnhancedCode{5, 7, 1})}, "waiting for the mail to be accepted failed: the mail server answered 554 5.7.1", true},
		"mail refused for now":  {fault{data: rejection(452, smtp.EnhancedCode{4, 3, 1})}, "waiting for the mail to be accepted failed: the mail server answered 452 4.3.1", false},
		"sender refused":        {fault{mailFrom: rejection(550, smtp.EnhancedCode{5, 7, 1})}, "naming the sender failed: the mail server answered 550 5.7.1", false},
		"login wanted at RCPT":  {fault{rcpt: rejection(530, smtp.EnhancedCode{5, 7, 0})}, "naming the recipient failed: the mail server answered 530 5.7.0", false},
		"recipient moved":       {fault{rcpt: rejection(551, smtp.EnhancedCode{5, 1, 6})}, "naming the recipient failed: the mail server answered 551 5.1.6", true},
		"recipient disabled":    {fault{rcpt: rejection(550, smtp.EnhancedCode{5, 2, 1})}, "naming the recipient failed: the mail server answered 550 5.2.1", true},
		"domain takes no mail":  {fault{rcpt: rejection(556, smtp.EnhancedCode{5, 1, 10})}, "naming the recipient failed: the mail server answered 556 5.1.10", true},
		"media refused":         {fault{data: rejection(554, smtp.EnhancedCode{5, 6, 1})}, "waiting for the mail to be accepted failed: the mail server answered 554 5.6.1", true},
		"unknown, as some say":  {fault{rcpt: rejection(550, smtp.EnhancedCode{5, 5, 0})}, "naming the recipient failed: the mail server answered 550 5.5.0", true},
		"quota at RCPT":         {fault{rcpt: rejection(550, smtp.EnhancedCode{5, 4, 5})}, "naming the recipient failed: the mail server answered 550 5.4.5", false},
		"quota at DATA":         {fault{data: rejection(550, smtp.EnhancedCode{5, 4, 5})}, "waiting for the mail to be accepted failed: the mail server answered 550 5.4.5", false},
		"relay misconfigured":   {fault{rcpt: rejection(554, smtp.EnhancedCode{5, 3, 5})}, "naming the recipient failed: the mail server answered 554 5.3.5", false},
		"too many recipients":   {fault{rcpt: rejection(550, smtp.EnhancedCode{5, 5, 3})}, "naming the recipient failed: the mail server answered 550 5.5.3", false},
		"sender refused late":   {fault{rcpt: rejection(553, smtp.EnhancedCode{5, 1, 8})}, "naming the recipient failed: the mail server answered 553 5.1.8", false},
		"relaying denied":       {fault{rcpt: rejection(554, smtp.EnhancedCode{5, 7, 1})}, "naming the recipient failed: the mail server answered 554 5.7.1", false},
		"sender not proven":     {fault{data: rejection(550, smtp.EnhancedCode{5, 7, 26})}, "waiting for the mail to be accepted failed: the mail server answered 550 5.7.26", false},
		"dropped before answer": {fault{dropAfterData: true}, "waiting for the mail to be accepted failed", false},
	} {
		t.Run(name, func(t *testing.T) {
			err := startServerWith(t, test.fault).Send(t.Context(), letter(t, ClaimLink, monday))
			var f *Failure
			if !errors.As(err, &f) || f.Error() != test.want || f.Final != test.final {
				t.Errorf("the failure is %v, final: %v", err, f != nil && f.Final)
			}
		})
	}
}

func startServerWith(t *testing.T, f fault) SMTP {
	return startServer(t, serverMode{login: true}, f).sender(t, "smtp://souk:hunter2@")
}

func TestWrongLoginIsRetriedAndRevealsNothing(t *testing.T) {
	server := startServer(t, serverMode{login: true})
	err := server.sender(t, "smtp://souk:hunter2wrong@").Send(t.Context(), letter(t, ClaimLink, monday))
	if err == nil || err.Error() != "logging in at the mail server failed: the mail server answered 535" &&
		err.Error() != "logging in at the mail server failed: the mail server answered 454" {
		t.Errorf("the failure is %v", err)
	}
	if _, final := reasonOf(err); final {
		t.Error("a wrong login gave the mail up")
	}
	assertSilent(t, err.Error())
}

func TestAcceptedMailIsSentEvenIfTheConnectionBreaksAfterwards(t *testing.T) {
	server := startServer(t, serverMode{login: true}, fault{dropAfterAnswer: true})
	if err := server.sender(t, "smtp://souk:hunter2@").Send(t.Context(), letter(t, ClaimLink, monday)); err != nil {
		t.Errorf("the mail was accepted, and then: %v", err)
	}
	if n := len(server.received()); n != 1 {
		t.Errorf("the server has %d mails", n)
	}
}

func TestUnavailableServerIsAnError(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := ParseServer("smtp://souk:hunter2@" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan net.Conn, 1)
	go func() {
		c, err := listener.Accept()
		if err == nil {
			accepted <- c
		}
	}()
	// The server accepts the connection and never answers.
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err = SMTP{Server: server, Timeout: 200 * time.Millisecond}.Send(ctx, letter(t, ClaimLink, monday))
	if _, final := reasonOf(err); err == nil || final {
		t.Errorf("the failure is %v", err)
	}
	c := <-accepted
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Errorf("the connection was left open: %v", err)
	}
	c.Close()
	listener.Close()
	err = SMTP{Server: server}.Send(t.Context(), letter(t, ClaimLink, monday))
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("the failure is %v", err)
	}
	assertSilent(t, err.Error())
}
