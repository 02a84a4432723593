package mail

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// mailServer is a real SMTP server that a test can make misbehave.
type mailServer struct {
	address string
	roots   *x509.CertPool

	mu sync.Mutex
	// faults apply to the next mails, one each.
	faults []fault
	mails  []received
	// plain counts mails sent without TLS; logins counts logins.
	plain, logins int
}

type received struct{ from, to, text string }

// A fault is how a server mishandles a mail.
type fault struct {
	mailFrom, rcpt, data *smtp.SMTPError
	// dropAfterData breaks the connection after reading the mail, before the answer. takes
	// means that the server keeps the mail.
	dropAfterData, takes bool
	// dropAfterAnswer breaks the connection after sending the acceptance.
	dropAfterAnswer bool
}

type serverMode struct{ tls, noStartTLS, login bool }

func startServer(t *testing.T, mode serverMode, faults ...fault) *mailServer {
	t.Helper()
	certificate, roots := selfSigned(t)
	m := &mailServer{roots: roots, faults: faults}
	s := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{server: m, conn: c, login: mode.login}, nil
	}))
	s.Domain, s.AllowInsecureAuth = "localhost", true
	s.ErrorLog = log.New(io.Discard, "", 0)
	config := &tls.Config{Certificates: []tls.Certificate{certificate}}
	if !mode.noStartTLS {
		s.TLSConfig = config
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.address = listener.Addr().String()
	if mode.tls {
		listener = tls.NewListener(listener, config)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(listener)
	}()
	t.Cleanup(func() {
		_ = s.Close()
		<-done
	})
	return m
}

// sender returns a sender for the server; prefix is the start of its address, such as
// smtp://user:password@.
func (m *mailServer) sender(t *testing.T, prefix string) SMTP {
	t.Helper()
	server, err := ParseServer(prefix + m.address)
	if err != nil {
		t.Fatal(err)
	}
	return SMTP{Server: server, Roots: m.roots, Timeout: 10 * time.Second}
}

func (m *mailServer) received() []received {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]received(nil), m.mails...)
}

type session struct {
	server   *mailServer
	conn     *smtp.Conn
	login    bool
	loggedIn bool
	fault    fault
	mail     received
	drop     bool
}

func (s *session) AuthMechanisms() []string {
	if s.login {
		return []string{sasl.Plain}
	}
	return nil
}

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "souk" || password != "hunter2" {
			return errors.New("no such login: " + user + " " + password)
		}
		s.loggedIn = true
		s.server.mu.Lock()
		s.server.logins++
		s.server.mu.Unlock()
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.login && !s.loggedIn {
		return &smtp.SMTPError{Code: 530, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "log in first"}
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if len(s.server.faults) > 0 {
		s.fault, s.server.faults = s.server.faults[0], s.server.faults[1:]
	}
	s.mail.from = from
	if s.fault.mailFrom != nil {
		return s.fault.mailFrom
	}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.to = to
	if s.fault.rcpt != nil {
		return s.fault.rcpt
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.mail.text = string(text)
	if s.fault.data != nil {
		return s.fault.data
	}
	if s.fault.dropAfterData {
		defer s.conn.Conn().Close()
	}
	if s.fault.dropAfterData && !s.fault.takes {
		return nil
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if _, encrypted := s.conn.TLSConnectionState(); !encrypted {
		s.server.plain++
	}
	s.server.mails = append(s.server.mails, s.mail)
	s.drop = s.fault.dropAfterAnswer
	return nil
}

// Reset is called after the answer to a mail.
func (s *session) Reset() {
	if s.drop {
		_ = s.conn.Conn().Close()
	}
}

func (s *session) Logout() error { return nil }

// selfSigned returns a self-signed certificate for 127.0.0.1.
func selfSigned(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail server of a test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, roots
}

func rejection(code int, enhanced smtp.EnhancedCode) *smtp.SMTPError {
	return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: "<jane@acme.example>: not for Jane"}
}

// messageIDs returns the Message-ID of each mail.
func messageIDs(t *testing.T, mails []received) string {
	t.Helper()
	var ids []string
	for _, mail := range mails {
		ids = append(ids, parse(t, mail.text).header.Get("Message-ID"))
	}
	return strings.Join(ids, " ")
}
