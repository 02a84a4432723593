package dynamic

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"math/big"
	"mime/quotedprintable"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"souk/dynamic/mail"
)

// mailPassword is the password of the mail server's only login.
const mailPassword = "mail-hunter2"

// A mailServer is a real SMTP server with STARTTLS and a login.
type mailServer struct {
	roots *x509.CertPool
	tls   *tls.Config

	mu sync.Mutex
	// refusal, if set, is its answer to every recipient; %s stands for the address.
	refusal *smtp.SMTPError
	mails   []letter
}

func newMailServer(t testing.TB) *mailServer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	m := &mailServer{roots: x509.NewCertPool()}
	m.roots.AddCert(leaf)
	m.tls = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	return m
}

// listen starts the server at an address and returns the address; port 0 means a free one.
func (m *mailServer) listen(t testing.TB, at string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	s := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &mailSession{server: m, conn: c}, nil }))
	s.Domain, s.TLSConfig, s.ErrorLog = "localhost", m.tls, log.New(io.Discard, "", 0)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l)
	}()
	t.Cleanup(func() {
		_ = s.Close()
		<-done
	})
	return l.Addr().String()
}

// sender returns the Sender of --smtp for an address.
func (m *mailServer) sender(t testing.TB, address string) mail.Sender {
	t.Helper()
	server, err := mail.ParseServer("smtp://souk:" + mailPassword + "@" + address)
	if err != nil {
		t.Fatal(err)
	}
	return mail.SMTP{Server: server, Roots: m.roots, Timeout: 5 * time.Second}
}

func (m *mailServer) received() []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]letter(nil), m.mails...)
}

func (m *mailServer) refuse(e *smtp.SMTPError) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refusal = e
}

type mailSession struct {
	server   *mailServer
	conn     *smtp.Conn
	loggedIn bool
	to       string
}

func (s *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if s.loggedIn = user == "souk" && password == mailPassword; !s.loggedIn {
			return errors.New("no such login: " + password)
		}
		return nil
	}), nil
}

func (s *mailSession) Mail(string, *smtp.MailOptions) error {
	if _, encrypted := s.conn.TLSConnectionState(); !encrypted || !s.loggedIn {
		return &smtp.SMTPError{Code: 530, Message: "log in first"}
	}
	return nil
}

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if r := s.server.refusal; r != nil {
		return &smtp.SMTPError{Code: r.Code, EnhancedCode: r.EnhancedCode, Message: strings.ReplaceAll(r.Message, "%s", to)}
	}
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	one := letter{file: s.to, text: string(data)}
	plain, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(one.text)))
	if err != nil {
		plain = data
	}
	if link := linkLine.FindStringSubmatch(string(plain)); link != nil {
		one.id, one.token = link[1], link[2]
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.mails = append(s.server.mails, one)
	return nil
}

func (s *mailSession) Reset()        {}
func (s *mailSession) Logout() error { return nil }
