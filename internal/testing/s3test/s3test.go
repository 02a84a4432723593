// Package s3test runs a real S3 server for tests, as net/http/httptest runs an
// HTTP server. The server is built from its module at its first use and kept in
// the user's cache folder; where it cannot be had, the test is skipped.
package s3test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// The server, see https://github.com/versity/versitygw.
const (
	module  = "github.com/versity/versitygw/cmd/versitygw"
	version = "v1.8.0"
)

// The credentials of every Server.
const (
	AccessKey = "souk-test"
	SecretKey = "souk-test-secret"
)

const region = "us-east-1"

// A Server is an S3 server with a proxy before it, through which tests watch
// and spoil requests.
type Server struct {
	folder string
	proxy  *httptest.Server
	client *minio.Client // past the proxy
	meddle atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
	mu     sync.Mutex
	// open are the connections, each true that was there at the last Mark.
	open map[net.Conn]bool
}

// Start starts a server, which ends with the test, and sets the credentials in
// the environment.
func Start(t testing.TB) *Server {
	t.Helper()
	program := built(t)
	t.Setenv("AWS_ACCESS_KEY_ID", AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", SecretKey)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	s := &Server{folder: t.TempDir()}
	address := freeAddress(t)
	cmd := exec.Command(program, "--port", address, "--access", AccessKey, "--secret", SecretKey, "--quiet",
		"--keep-alive", "posix", "--sidecar", t.TempDir(), s.folder)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = cmd.Wait()
	})
	awaitListening(t, address)
	var err error
	s.client, err = minio.New(address, &minio.Options{Creds: credentials.NewStaticV4(AccessKey, SecretKey, ""), Region: region})
	if err != nil {
		t.Fatal(err)
	}
	target := &url.URL{Scheme: "http", Host: address}
	forward := &httputil.ReverseProxy{
		// The signature covers the host, which stays as the client wrote it.
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		Transport:    &http.Transport{MaxIdleConnsPerHost: 64},
	}
	s.open = map[net.Conn]bool{}
	s.proxy = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if meddle := s.meddle.Load(); meddle != nil && (*meddle)(w, r) {
			return
		}
		// A client that is killed ends no request that the server has begun with.
		forward.ServeHTTP(w, r.WithContext(context.WithoutCancel(r.Context())))
	}))
	s.proxy.Config.ConnState = s.connection
	s.proxy.Start()
	t.Cleanup(s.proxy.Close)
	return s
}

// Meddle has a function see every request from now on; where it returns true,
// it answered and the server never hears of the request. nil ends it.
func (s *Server) Meddle(meddle func(w http.ResponseWriter, r *http.Request) bool) {
	if meddle == nil {
		s.meddle.Store(nil)
		return
	}
	s.meddle.Store(&meddle)
}

func (s *Server) connection(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.open[c] = false
	case http.StateClosed, http.StateHijacked:
		delete(s.open, c)
	}
}

// Mark notes the connections there are, for Settle.
func (s *Server) Mark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		s.open[c] = true
	}
}

// Settle returns once all is carried out that clients have asked for which
// connected since Mark and were killed: what they had sent is read after that.
func (s *Server) Settle(t testing.TB) {
	t.Helper()
	// Connections are accepted one after the other: with this one, all before it.
	c, err := net.Dial("tcp", s.proxy.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: s3.example\r\nConnection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Fatal(err)
	}
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for deadline := time.After(time.Minute); s.unsettled() > 0; {
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("%d connections of clients that were killed are still open", s.unsettled())
		}
	}
}

func (s *Server) unsettled() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, marked := range s.open {
		if !marked {
			n++
		}
	}
	return n
}

// Bucket makes a bucket and gives its URL.
func (s *Server) Bucket(t testing.TB, name string) string {
	t.Helper()
	if err := os.Mkdir(filepath.Join(s.folder, name), 0o755); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("s3://%s?endpoint=%s&use_path_style=true&region=%s", name, url.QueryEscape(s.proxy.URL), region)
}

// An Object is what stands at a key of a bucket.
type Object struct {
	Body                                       []byte
	ContentType, CacheControl, ContentEncoding string
}

// Objects reads a bucket by the keys below a prefix. Its requests are not seen
// by Meddle.
func (s *Server) Objects(t testing.TB, bucket, prefix string) map[string]Object {
	t.Helper()
	objects := map[string]Object{}
	for listed := range s.client.ListObjectsIter(t.Context(), bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if listed.Err != nil {
			t.Fatal(listed.Err)
		}
		object, err := s.Object(t.Context(), bucket, listed.Key)
		if err != nil {
			t.Fatal(err)
		}
		objects[strings.TrimPrefix(listed.Key, prefix)] = object
	}
	return objects
}

// Object reads one object. Its requests are not seen by Meddle.
func (s *Server) Object(ctx context.Context, bucket, key string) (Object, error) {
	core := minio.Core{Client: s.client}
	r, info, header, err := core.GetObject(ctx, bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return Object{}, err
	}
	data, err := io.ReadAll(r)
	return Object{data, info.ContentType, header.Get("Cache-Control"), header.Get("Content-Encoding")}, errors.Join(err, r.Close())
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// awaitListening returns once something listens at an address.
func awaitListening(t testing.TB, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("the S3 server does not listen: %v", err)
		}
	}
}

// built returns the program, which is built where it is not there.
func built(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("there is no folder to build an S3 server in: %v", err)
	}
	folder := filepath.Join(cache, "souk-test", "versitygw-"+version)
	program := filepath.Join(folder, "versitygw")
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	aside, err := os.MkdirTemp(folder, "build-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(aside)
	cmd := exec.Command("go", "install", module+"@"+version)
	cmd.Env = append(os.Environ(), "GOBIN="+aside, "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("an S3 server cannot be built, most likely since its module is out of reach: %v\n%s", err, out)
	}
	// Another test may have built it meanwhile; either will do.
	if err := os.Rename(filepath.Join(aside, "versitygw"), program); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	return program
}
