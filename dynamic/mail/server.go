package mail

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// Server is the address of a mail server and the login for it. It never prints its
// password.
type Server struct {
	Host string
	Port int
	// TLS means that the connection is encrypted from its first byte (smtps). Otherwise
	// STARTTLS encrypts it.
	TLS  bool
	User string

	password string
}

// Default ports: submission, and submission over TLS (RFC 8314); plain relay if there is no
// login.
const (
	portRelay  = 25
	portSubmit = 587
	portTLS    = 465
)

// ParseServer parses smtp://user:password@host:port or smtps://…. Its errors quote nothing
// of the address, which contains a password.
func ParseServer(address string) (Server, error) {
	scheme, rest, found := strings.Cut(address, "://")
	if !found || scheme != "smtp" && scheme != "smtps" {
		return Server{}, errors.New("write the mail server as smtp://user:password@host:port, or smtps:// for TLS from the start")
	}
	u, err := url.Parse(address)
	if err != nil || strings.Count(rest, "@") > 1 || u.Path != "" && u.Path != "/" || strings.ContainsAny(rest, "?#") {
		// The parser's own error quotes its input.
		return Server{}, errors.New("the mail server's address cannot be read: write smtp://user:password@host:port, " +
			"with the characters @ : / ? # % in a user or password written as %40 %3A %2F %3F %23 %25")
	}
	s := Server{Host: u.Hostname(), TLS: scheme == "smtps", User: u.User.Username()}
	s.password, _ = u.User.Password()
	switch {
	case s.Host == "":
		return Server{}, errors.New("the mail server's address names no host")
	case (s.User == "") != (s.password == ""):
		return Server{}, errors.New("the mail server's address needs both a user and a password, or neither")
	}
	s.Port, err = portOf(u.Port(), s)
	return s, err
}

func portOf(text string, s Server) (int, error) {
	switch {
	case text != "":
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil || port == 0 {
			return 0, errors.New("the port of the mail server is not between 1 and 65535")
		}
		return int(port), nil
	case s.TLS:
		return portTLS, nil
	case s.User != "":
		return portSubmit, nil
	}
	return portRelay, nil
}

// String returns the address without user and password.
func (s Server) String() string {
	scheme := "smtp"
	if s.TLS {
		scheme = "smtps"
	}
	return fmt.Sprintf("%s://%s", scheme, net.JoinHostPort(s.Host, strconv.Itoa(s.Port)))
}

// GoString returns String, so that %#v does not print the password.
func (s Server) GoString() string { return s.String() }
