package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"souk/internal/testing/s3test"
)

// An s3arrangement is a bucket of a real server.
type s3arrangement struct {
	*arrangement
	server *s3test.Server
}

func arrangeS3(t *testing.T, o Options) s3arrangement {
	t.Helper()
	a := arrange(t, o)
	server := s3test.Start(t)
	a.destination = server.Bucket(t, "market")
	a.memory = nil
	return s3arrangement{a, server}
}

// holds compares the bucket with the release when the server is idle.
func (a s3arrangement) holds(t *testing.T, s *shelf) {
	t.Helper()
	a.server.Meddle(nil)
	whole := *a.arrangement
	whole.bucket = open(t, a.server, a.destination)
	whole.holds(t, s)
}

func TestAnS3BucketContainsTheReleaseWithItsMetadata(t *testing.T) {
	for name, o := range map[string]Options{"identity": {}, "gzip": {Gzip: true}} {
		t.Run(name, func(t *testing.T) {
			a := arrangeS3(t, o)
			s := newShelf(t, t.TempDir())
			first := a.publish(t, s)
			// In addition to the files, the bucket is listed once, and the description is
			// read and marked.
			if int64(len(s.docs)+4) != first.Requests {
				t.Errorf("%d files take %d requests", len(s.docs)+1, first.Requests)
			}
			a.holds(t, s)
			s.remove(t, "acme")
			// The stubs and deletions of two documents, two pages, their Markdown and two
			// forms; a picture; and the description, which is read, marked and written.
			if report := a.publish(t, s); report.Requests != 20 || len(report.Removed) != 8 {
				t.Errorf("the removal of %d addresses takes %d requests", len(report.Removed), report.Requests)
			}
			a.holds(t, s)
		})
	}
}

func TestAPathOfABucketIsAPrefixOfItsKeys(t *testing.T) {
	a := arrangeS3(t, Options{})
	s := newShelf(t, t.TempDir())
	a.destination = strings.Replace(a.destination, "s3://market", "s3://market/some/where", 1)
	a.publish(t, s)
	s.remove(t, "acme")
	a.publish(t, s)
	a.holds(t, s)
	for key := range a.server.Objects(t, "market", "") {
		if !strings.HasPrefix(key, "some/where/") {
			t.Errorf("%s stands beside the prefix", key)
		}
	}
}

func TestRequestsToAFlakyServerAreRetried(t *testing.T) {
	a := arrangeS3(t, Options{Requests: Requests{Parallel: 8, Attempts: 12, Timeout: 2 * time.Second}})
	s := newShelf(t, t.TempDir())
	for i := range 60 {
		s.docs[fmt.Sprintf("%sacme/products/p%d.json", companies, i)] = strings.Repeat("x", i*10)
	}
	s.build(t)
	var asked atomic.Int64
	a.server.Meddle(func(w http.ResponseWriter, r *http.Request) bool {
		n := asked.Add(1)
		switch {
		case n%7 == 0:
			w.WriteHeader(http.StatusServiceUnavailable)
		case n%11 == 0:
			w.WriteHeader(http.StatusTooManyRequests)
		case n%13 == 0:
			hijacked, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				hijacked.Close()
			}
		case n == 30:
			// The request hangs until the client disconnects, which a server only notices
			// after reading the body.
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		default:
			return false
		}
		return true
	})
	report := a.publish(t, s)
	if report.Requests <= int64(report.Uploaded) || report.Requests != asked.Load() {
		t.Errorf("%d uploads took %d requests, and the server saw %d", report.Uploaded, report.Requests, asked.Load())
	}
	a.holds(t, s)
	a.server.Meddle(nil)
	if again := a.publish(t, s); again.Uploaded != 0 {
		t.Errorf("%d objects are uploaded again", again.Uploaded)
	}
}

func TestAPublishContinuesAfterAPermanentServerFailure(t *testing.T) {
	a := arrangeS3(t, Options{Requests: Requests{Attempts: 3, Parallel: 1}})
	s := newShelf(t, t.TempDir())
	var asked atomic.Int64
	for _, status := range []int{http.StatusForbidden, http.StatusServiceUnavailable} {
		asked.Store(0)
		works := int64(6) // reading the description, a listing, the mark and three uploads
		a.server.Meddle(func(w http.ResponseWriter, _ *http.Request) bool {
			if asked.Add(1) > works {
				w.WriteHeader(status)
				return true
			}
			return false
		})
		report, err := a.publisher(t).Publish(t.Context(), s.tree, nil)
		var failed *IncompleteError
		if !errors.As(err, &failed) || failed.Done != 3 || !failed.Removals {
			t.Fatalf("it ends with %v", err)
		}
		if text := err.Error(); strings.Contains(text, s3test.SecretKey) || strings.Contains(text, "endpoint") || !strings.Contains(text, "continues from there") {
			t.Errorf("it says: %s", text)
		}
		tries := int64(3)
		if status == http.StatusForbidden {
			tries = 1 // a retry would not help
		}
		if report.Uploaded != 3 || asked.Load() != works+tries {
			t.Errorf("after %d uploads and %d requests", report.Uploaded, asked.Load())
		}
	}
	a.server.Meddle(nil)
	if report := a.publish(t, s); report.Uploaded != len(s.docs)+1-6 {
		t.Errorf("the next run uploads %d of %d files", report.Uploaded, len(s.docs)+1)
	}
	a.holds(t, s)
}

func TestTheRecordMayBeInASeparateBucket(t *testing.T) {
	a := arrangeS3(t, Options{})
	a.options.Record = strings.Replace(a.server.Bucket(t, "private"), "s3://private", "s3://private/souk", 1)
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	a.holds(t, s)
	// The next machine only knows that bucket.
	a.options.State = t.TempDir()
	s.docs[companies+"acme.json"] = "changed"
	s.build(t)
	report := a.publish(t, s)
	if report.Uploaded != 2 {
		t.Errorf("another machine uploads %d objects for one change", report.Uploaded)
	}
	a.holds(t, s)
	records := open(t, a.server, a.options.Record).keys(t)
	if len(records) != 1 || !strings.HasPrefix(records[0], "publish-") {
		t.Errorf("beside the record stands %q", records)
	}
}

func TestAnInterruptedPublishRecordsAcknowledgedUploads(t *testing.T) {
	a := arrangeS3(t, Options{Requests: Requests{Parallel: 1}})
	a.options.Record = a.server.Bucket(t, "private")
	s := newShelf(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	a.options.Progress = func(done, _ int) {
		if done == 5 {
			cancel()
		}
	}
	if _, err := a.publisher(t).Publish(ctx, s.tree, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("it ends with %v", err)
	}
	a.options.State, a.options.Progress = t.TempDir(), nil
	report := a.publish(t, s)
	if report.Uploaded >= len(s.docs)+1-3 || report.Uploaded < len(s.docs)+1-5 {
		t.Errorf("the next run uploads %d of %d files", report.Uploaded, len(s.docs)+1)
	}
	a.holds(t, s)
}

func TestConcurrentRequestsAreLimited(t *testing.T) {
	a := arrangeS3(t, Options{Requests: Requests{Parallel: 4}})
	s := newShelf(t, t.TempDir())
	for i := range 40 {
		s.docs[fmt.Sprintf("%sacme/products/p%d.json", companies, i)] = "x"
	}
	s.build(t)
	var mu sync.Mutex
	open, most := 0, 0
	all := make(chan struct{})
	a.server.Meddle(func(_ http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		open++
		if most = max(most, open); most == 4 {
			select {
			case <-all:
			default:
				close(all)
			}
		}
		mu.Unlock()
		defer func() { mu.Lock(); open--; mu.Unlock() }()
		if strings.Contains(r.URL.Path, "/products/") {
			<-all // so that as many requests as possible run at once
		}
		return false
	})
	a.publish(t, s)
	if most != 4 {
		t.Errorf("%d requests were made at a time", most)
	}
	a.holds(t, s)
}
