//go:build unix

// Package loopback runs the web servers that package hosts has configurations for,
// on the loopback interface, for tests and measurements. A server has its own
// folder, and ends with the process that started it, even if that is killed.
//
// It knows Debian's nginx, Caddy and Apache httpd; it refuses to know what a
// configuration says.
package loopback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"souk/build/delivery/hosts"
)

// ErrMissing means that the program is not installed.
var ErrMissing = errors.New("the server is not installed")

// A Server is a running server.
type Server struct {
	process *exec.Cmd
	// lifeline keeps the server alive: it ends when this is closed.
	lifeline io.Closer
	messages *bytes.Buffer
	// ended is closed once the process has ended.
	ended chan struct{}
}

// A kind says how to start one kind of server.
type kind struct {
	// program is looked up in PATH; pack is Debian's package.
	program, pack string
	// file and wrapper are the name and the text of the configuration around the
	// site.
	file    string
	wrapper func(folder, site string) string
	// arguments and environment start it in the foreground.
	arguments   func(folder, wrapper string) []string
	environment func(folder string) []string
}

var kinds = map[string]kind{
	"nginx": {
		program: "nginx", pack: "nginx", file: "nginx.conf", wrapper: nginxWrapper,
		arguments: func(folder, wrapper string) []string { return []string{"-e", "stderr", "-p", folder, "-c", wrapper} },
	},
	"caddy": {
		program: "caddy", pack: "caddy", file: "Caddyfile", wrapper: caddyWrapper,
		arguments: func(_, wrapper string) []string {
			return []string{"run", "--adapter", "caddyfile", "--config", wrapper}
		},
		environment: func(folder string) []string {
			return []string{"HOME=" + folder, "XDG_CONFIG_HOME=" + folder, "XDG_DATA_HOME=" + folder}
		},
	},
	"apache": {
		program: "apache2", pack: "apache2", file: "apache.conf", wrapper: apacheWrapper,
		arguments: func(_, wrapper string) []string { return []string{"-D", "FOREGROUND", "-f", wrapper} },
	},
}

// Address returns a host:port on which nothing is listening.
func Address() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// Start starts the server of a host with its configuration in folder, which other
// users must be able to enter, and waits until it answers at the address. It fails
// with ErrMissing if the program is not installed.
func Start(ctx context.Context, host string, files []hosts.File, folder, address string) (*Server, error) {
	k, known := kinds[host]
	if !known {
		return nil, fmt.Errorf("%s does not run here", host)
	}
	program, err := k.find()
	if err != nil {
		return nil, err
	}
	site := filepath.Join(folder, "site.conf")
	if err := os.WriteFile(site, files[0].Body, 0o644); err != nil {
		return nil, err
	}
	wrapper := filepath.Join(folder, k.file)
	if err := os.WriteFile(wrapper, []byte(k.wrapper(folder, site)), 0o644); err != nil {
		return nil, err
	}
	s := &Server{messages: &bytes.Buffer{}, ended: make(chan struct{})}
	// A child of the server kills it when our end of its input is closed, which
	// also happens when this process is killed.
	const guard = `exec 3<&0; { read -r _ <&3; kill -TERM $$; } >/dev/null 2>&1 & exec 3<&-; exec "$@" </dev/null`
	s.process = exec.Command("/bin/sh", append([]string{"-c", guard, "sh", program}, k.arguments(folder, wrapper)...)...)
	s.process.Dir, s.process.Stdout, s.process.Stderr = folder, s.messages, s.messages
	if k.environment != nil {
		s.process.Env = append(os.Environ(), k.environment(folder)...)
	}
	if s.lifeline, err = s.process.StdinPipe(); err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", host, err)
	}
	go func() {
		_ = s.process.Wait() // a server that was told to end may report that
		close(s.ended)
	}()
	if err := s.answers(ctx, address); err != nil {
		return nil, fmt.Errorf("%s does not answer: %w\n%s", host, err, s.Stop())
	}
	return s, nil
}

// Stop ends the server and returns its messages.
func (s *Server) Stop() string {
	s.lifeline.Close()
	<-s.ended
	return s.messages.String()
}

// PID returns the process that was started; it may have children.
func (s *Server) PID() int { return s.process.Process.Pid }

// answers waits until the server accepts connections.
func (s *Server) answers(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	var d net.Dialer
	for {
		conn, err := d.DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return err
		case <-s.ended:
			return errors.New("it ended")
		case <-again.C:
		}
	}
}

// find returns the path of the program.
func (k kind) find() (string, error) {
	path, err := lookPath(k.program)
	if err != nil {
		return "", fmt.Errorf("%w: Debian has it in the package %s", ErrMissing, k.pack)
	}
	return path, nil
}

// lookPath also looks in the folder of programs that only root is meant to start.
func lookPath(program string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	return exec.LookPath("/usr/sbin/" + program)
}

func nginxWrapper(folder, site string) string {
	var temporary strings.Builder
	for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "    %s_temp_path %s/%s;\n", name, folder, name)
	}
	return fmt.Sprintf(`daemon off;
pid %[1]s/nginx.pid;
worker_processes auto;
events { worker_connections 1024; }
http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
%[2]s    include %[3]s;
}
`, folder, temporary.String(), site)
}

func caddyWrapper(_, site string) string {
	return fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n\tlog {\n\t\tlevel ERROR\n\t}\n}\nimport %s\n", site)
}

func apacheWrapper(folder, site string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "ServerRoot %[1]q\nPidFile %[1]s/apache.pid\nDefaultRuntimeDir %[1]s\nMutex file:%[1]s default\nServerName localhost\n", folder)
	if os.Geteuid() == 0 {
		text.WriteString("User www-data\nGroup www-data\n")
	}
	text.WriteString("ErrorLog /dev/stderr\nLogLevel error\nMaxKeepAliveRequests 0\n")
	for _, name := range []string{"mpm_event", "authz_core", "mime", "dir", "rewrite", "headers", "env", "setenvif", "proxy", "proxy_http"} {
		fmt.Fprintf(&text, "LoadModule %[1]s_module /usr/lib/apache2/modules/mod_%[1]s.so\n", name)
	}
	text.WriteString("TypesConfig /etc/mime.types\n")
	fmt.Fprintf(&text, "Include %s\n", site)
	return text.String()
}
