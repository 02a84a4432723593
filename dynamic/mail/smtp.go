package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// SMTP sends through a mail server, over a new connection for each mail.
type SMTP struct {
	Server Server
	// Roots are the trusted certificate authorities; nil means the system's.
	Roots *x509.CertPool
	// Timeout limits one attempt; default 30 seconds.
	Timeout time.Duration
}

// Failure says why a mail was not sent, in words that are safe to log: it does not quote
// the server's answer, which may name the recipient.
type Failure struct {
	// Step is the step that failed.
	Step string
	// Code is the server's reply code, like 550, and Enhanced its enhanced
	// status code, like 5.1.1; zero and empty if it did not answer.
	Code     int
	Enhanced string
	// Detail is a cause on our side, such as a refused connection.
	Detail string
	// Final means that the server permanently rejects this mail.
	Final bool
}

func (f *Failure) Error() string {
	words := []string{f.Step + " failed"}
	if f.Code != 0 {
		words = append(words, strings.TrimSpace(fmt.Sprintf("the mail server answered %d %s", f.Code, f.Enhanced)))
	}
	if f.Detail != "" {
		words = append(words, f.Detail)
	}
	return strings.Join(words, ": ")
}

// Send sends a Letter. It returns nil if the server has accepted it.
func (s SMTP) Send(ctx context.Context, l Letter) error {
	message, err := format(l, gomail.EncodingQP)
	if err != nil {
		return &Failure{Step: "writing the mail", Detail: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.Timeout, 30*time.Second))
	defer cancel()
	// The library leaves the connection open if TLS or the login fails, and only respects
	// ctx while dialing.
	var conn net.Conn
	client, err := s.client(func(ctx context.Context, network, address string) (c net.Conn, err error) {
		c, err = s.dial(ctx, network, address)
		if err == nil {
			conn = c
		}
		return c, err
	})
	if err != nil {
		return s.connectFailure(err)
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if conn != nil {
		defer conn.Close()
	}
	if err != nil {
		return s.connectFailure(err)
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	err = client.SendWithSMTPClient(session, message)
	if message.IsDelivered() {
		// The server has accepted the mail, so later failures do not matter.
		_ = client.CloseWithSMTPClient(session)
		return nil
	}
	return sendFailure(err)
}

// dial connects, using TLS from the start for smtps.
func (s SMTP) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if s.Server.TLS {
		return (&tls.Dialer{Config: s.tls()}).DialContext(ctx, network, address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

func (s SMTP) tls() *tls.Config {
	return &tls.Config{ServerName: s.Server.Host, RootCAs: s.Roots, MinVersion: tls.VersionTLS12}
}

// client returns the library's client for one mail. If there is a password, STARTTLS is
// required: otherwise an attacker on the path could strip the STARTTLS offer from the
// server's answer and read the password. Without a password STARTTLS is used if offered.
func (s SMTP) client(dial gomail.DialContextFunc) (*gomail.Client, error) {
	options := []gomail.Option{
		gomail.WithPort(s.Server.Port), gomail.WithTimeout(cmp.Or(s.Timeout, 30*time.Second)),
		gomail.WithTLSConfig(s.tls()), gomail.WithDialContextFunc(dial),
		gomail.WithoutNoop(), gomail.WithoutRset(),
	}
	policy := gomail.TLSOpportunistic
	if s.Server.User != "" {
		policy = gomail.TLSMandatory
		options = append(options, gomail.WithUsername(s.Server.User), gomail.WithPassword(s.Server.password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
	}
	options = append(options, gomail.WithTLSPolicy(policy))
	if s.Server.TLS {
		options = append(options, gomail.WithSSL())
	}
	return gomail.NewClient(s.Server.Host, options...)
}

// connectFailure describes a failure of the connection, TLS or the login. It is never
// final, since it says nothing about the mail.
func (s SMTP) connectFailure(err error) *Failure {
	f := &Failure{Step: "reaching the mail server"}
	var answer *textproto.Error
	if errors.As(err, &answer) {
		f.Step, f.Code = "logging in at the mail server", answer.Code
		if !strings.Contains(err.Error(), "AUTH") {
			f.Step = "greeting the mail server"
		}
		return f
	}
	f.Detail = err.Error()
	if s.Server.password != "" {
		f.Detail = strings.ReplaceAll(f.Detail, s.Server.password, "…")
	}
	return f
}

// steps describes where a failure happened.
var steps = map[gomail.SendErrReason]string{
	gomail.ErrSMTPMailFrom:  "naming the sender",
	gomail.ErrSMTPRcptTo:    "naming the recipient",
	gomail.ErrSMTPData:      "handing over the mail",
	gomail.ErrWriteContent:  "handing over the mail",
	gomail.ErrSMTPDataClose: "waiting for the mail to be accepted",
}

// sendFailure describes a failure while sending the mail. It is final if the server
// permanently rejects the recipient or the mail (5xx). A rejected sender, a missing login
// or a quota is for the operator to fix, and must not lose the mail.
func sendFailure(err error) *Failure {
	var failed *gomail.SendError
	if !errors.As(err, &failed) {
		return &Failure{Step: "sending the mail"}
	}
	f := &Failure{Step: cmp.Or(steps[failed.Reason], "sending the mail"), Code: failed.ErrorCode(), Enhanced: failed.EnhancedStatusCode()}
	switch failed.Reason {
	case gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrSMTPDataClose:
		f.Final = f.Code >= 500 && f.Code < 600 && !operatorReplies[f.Code] && !operatorStatus(f.Enhanced, failed.Reason == gomail.ErrSMTPDataClose)
	}
	return f
}

// operatorReplies are reply codes about the connection rather than the mail: commands out
// of order and everything about the login.
var operatorReplies = map[int]bool{502: true, 503: true, 530: true, 534: true, 535: true, 538: true}

// operatorStatus reports whether an enhanced code is about the sender or the mail system
// rather than the recipient or the mail. The second number decides (RFC 3463, 3), unless
// the third is 0, which leaves the cause open: some servers send 5.5.0 for an unknown
// mailbox. read means that the server had received the text before it answered; until then,
// its policy can only reject the sender, for example by 5.7.1 for "relay access denied".
func operatorStatus(enhanced string, read bool) bool {
	_, status, _ := strings.Cut(enhanced, ".")
	subject, detail, _ := strings.Cut(status, ".")
	switch {
	case detail == "0":
		return false
	case subject == "1": // address: the sender's
		return detail == "7" || detail == "8"
	case subject == "3", subject == "4", subject == "5": // mail system; network, including congestion and quotas; protocol
		return true
	case subject == "7": // policy: authorization in general, logins, or proofs of the sender (RFC 7372)
		return detail != "1" || !read
	}
	return false
}
