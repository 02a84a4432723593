package publish

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"souk/internal/testing/s3test"
)

// An exchange is the part of a request that a test records.
type exchange struct {
	line   string
	header http.Header
}

// watch records every request of a server from now on.
func (a s3arrangement) watch() (seen func() []exchange) {
	var mu sync.Mutex
	var all []exchange
	a.server.Meddle(func(_ http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, exchange{r.Method + " " + r.URL.Path + "?" + r.URL.RawQuery, r.Header.Clone()})
		return false
	})
	return func() []exchange {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

func TestNoRequestUsesFeaturesThatR2OrGoogleLack(t *testing.T) {
	a := arrangeS3(t, Options{})
	a.options.Record = a.server.Bucket(t, "private")
	s := newShelf(t, t.TempDir())
	seen := a.watch()
	a.publish(t, s)
	puts := 0
	for _, e := range seen() {
		for name, values := range e.header {
			lower, value := strings.ToLower(name), strings.Join(values, " ")
			if strings.HasPrefix(lower, "x-amz-checksum") || lower == "x-amz-trailer" || lower == "x-amz-sdk-checksum-algorithm" ||
				strings.Contains(value, "aws-chunked") || strings.Contains(value, "STREAMING-") {
				t.Errorf("%s has %s: %s, which R2, B2 or Google refuse", e.line, name, value)
			}
		}
		// Google's front end adds to this header before the signature is checked.
		if authorization := e.header.Get("Authorization"); !strings.Contains(authorization, "SignedHeaders=") || strings.Contains(authorization, "accept-encoding") {
			t.Errorf("%s is signed as %q", e.line, authorization)
		}
		if strings.HasPrefix(e.line, "PUT ") {
			puts++
			if e.header.Get("Content-Md5") == "" || !strings.Contains(e.header.Get("Authorization"), "content-md5") {
				t.Errorf("%s has no digest of its body that is signed: %v", e.line, e.header)
			}
		}
	}
	if puts <= len(s.docs) {
		t.Errorf("%d uploads were seen", puts)
	}
}

func TestABodyDamagedInTransitIsSentAgain(t *testing.T) {
	a := arrangeS3(t, Options{Requests: Requests{Parallel: 1}})
	s := newShelf(t, t.TempDir())
	hurt := 0
	a.server.Meddle(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && hurt == 0 {
			hurt++
			data, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			data[0] ^= 1
			r.Body = io.NopCloser(bytes.NewReader(data))
		}
		return false
	})
	if report := a.publish(t, s); report.Requests != int64(len(s.docs)+1)+1+3 { // plus a listing, reading the description, and its mark
		t.Errorf("%d files, one of them hurt, took %d requests", len(s.docs)+1, report.Requests)
	}
	a.holds(t, s)
}

func TestLargeFilesAreSentInPartsAndFailedPartsAreRetried(t *testing.T) {
	a := arrangeS3(t, Options{Requests: Requests{Parallel: 1}})
	s := newShelf(t, t.TempDir())
	large := make([]byte, partSize+partSize/2)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range large {
		large[i] = byte('a' + random.IntN(26))
	}
	s.docs[picture("large")] = string(large)
	s.build(t)
	failed, lines := false, []string{}
	a.server.Meddle(func(w http.ResponseWriter, r *http.Request) bool {
		if q := r.URL.Query(); q.Has("uploads") || q.Has("uploadId") {
			lines = append(lines, r.Method+" "+q.Get("partNumber"))
			if !failed && q.Get("partNumber") == "2" {
				failed = true
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			}
		}
		return false
	})
	a.publish(t, s)
	// The upload is begun, one of its two parts fails, and it is aborted; then it is
	// repeated to the end.
	want := []string{"POST ", "PUT 1", "PUT 2", "DELETE ", "POST ", "PUT 1", "PUT 2", "POST "}
	if !slices.Equal(lines, want) {
		t.Errorf("the parts were sent as %q", lines)
	}
	a.holds(t, s)
}

func TestTwoMachinesWithOneRecordDoNotOverwriteIt(t *testing.T) {
	a := arrangeS3(t, Options{Requests: Requests{Parallel: 1}})
	a.options.Record = a.server.Bucket(t, "private")
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	s.docs[companies+"acme.json"] = "changed"
	s.build(t)

	// Another machine begins and ends after this one has read the record.
	other := *a.arrangement
	other.options.State = t.TempDir()
	overtaken := false
	a.options.Requests.Parallel = 1
	a.server.Meddle(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && strings.HasPrefix(r.URL.Path, "/private/") && !overtaken {
			overtaken = true
			other.publish(t, s)
		}
		return false
	})
	before := a.server.Objects(t, "market", "")
	report, err := a.publisher(t).Publish(t.Context(), s.tree, nil)
	if !errors.Is(err, errOvertaken) || report.Uploaded != 0 || strings.Count(err.Error(), "in the meantime") != 1 {
		t.Fatalf("after %d uploads it ends with %v", report.Uploaded, err)
	}
	if key := companies + "acme.json"; bytes.Equal(before[key].Body, a.server.Objects(t, "market", "")[key].Body) {
		t.Error("the other machine did not publish")
	}
	a.server.Meddle(nil)
	if report := a.publish(t, s); report.Uploaded != 0 {
		t.Errorf("the record of the other machine is not followed: %d uploads", report.Uploaded)
	}
	a.holds(t, s)
}

func TestARecordIsRecognizedIfTheAnswerToItsWriteWasLost(t *testing.T) {
	a := arrangeS3(t, Options{Requests: Requests{Attempts: 4}})
	a.options.Record = a.server.Bucket(t, "private")
	s := newShelf(t, t.TempDir())
	var lost sync.Map
	a.server.Meddle(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || !strings.HasPrefix(r.URL.Path, "/private/") {
			return false
		}
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if _, again := lost.LoadOrStore(string(data), true); again {
			r.Body = io.NopCloser(bytes.NewReader(data))
			return false
		}
		// It is written, but the client receives an error.
		b, err := openBucket(a.options.Record)
		if err != nil {
			t.Error(err)
			return false
		}
		if _, err := b.write(r.Context(), strings.TrimPrefix(r.URL.Path, "/private/"), data, options(metadata{})); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	a.publish(t, s)
	a.holds(t, s)
	if again := a.publish(t, s); again.Uploaded != 0 {
		t.Errorf("%d objects are uploaded again", again.Uploaded)
	}
}

func TestAStoreWithoutConditionsStillStoresARecord(t *testing.T) {
	a := arrangeS3(t, Options{})
	a.options.Record = a.server.Bucket(t, "private")
	s := newShelf(t, t.TempDir())
	refused := 0
	a.server.Meddle(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("If-Match")+r.Header.Get("If-None-Match") == "" {
			return false
		}
		refused++
		w.WriteHeader(http.StatusNotImplemented)
		return true
	})
	a.publish(t, s)
	if again := a.publish(t, s); again.Uploaded != 0 || refused == 0 {
		t.Errorf("after %d refusals %d objects are uploaded again", refused, again.Uploaded)
	}
}

func TestErrorsOfAStoreSayHowToFixThem(t *testing.T) {
	a := arrangeS3(t, Options{Requests: Requests{Attempts: 3}})
	s := newShelf(t, t.TempDir())
	for _, one := range []struct {
		name        string
		environment map[string]string
		destination string
		want        []string
	}{
		{"another key", map[string]string{"AWS_ACCESS_KEY_ID": "somebody"}, a.destination, []string{"404 XAdminUserNotFound: ", "user"}},
		{"another secret", map[string]string{"AWS_SECRET_ACCESS_KEY": "wrong-secret"}, a.destination, []string{"SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY"}},
		{"no keys", map[string]string{"AWS_ACCESS_KEY_ID": "", "HOME": t.TempDir()}, a.destination, []string{"there are no credentials", "AWS_PROFILE"}},
		{"no such profile", map[string]string{"HOME": t.TempDir()}, a.destination + "&profile=nobody", []string{"there are no credentials", "no such file"}},
		{"no such bucket", nil, strings.Replace(a.destination, "s3://market", "s3://nowhere", 1), []string{"there is no bucket nowhere", "endpoint"}},
	} {
		t.Run(one.name, func(t *testing.T) {
			for name, value := range one.environment {
				t.Setenv(name, value)
			}
			asked := 0
			a.server.Meddle(func(http.ResponseWriter, *http.Request) bool { asked++; return false })
			wrong := *a.arrangement
			wrong.destination, wrong.options.State, wrong.options.Requests.Parallel = one.destination, t.TempDir(), 1
			report, err := wrong.publisher(t).Publish(t.Context(), s.tree, nil)
			if err == nil || report.Uploaded > 0 || asked > 2 {
				t.Fatalf("after %d requests it ends with %v", asked, err)
			}
			for _, want := range one.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the message does not tell of %q: %v", want, err)
				}
			}
			if strings.Contains(err.Error(), "wrong-secret") {
				t.Errorf("the message tells a secret: %v", err)
			}
		})
	}
}

func TestAProfileOfTheSharedFilesIsUsed(t *testing.T) {
	a := arrangeS3(t, Options{})
	file := filepath.Join(t.TempDir(), "credentials")
	profile := "[market]\naws_access_key_id = " + s3test.AccessKey + "\naws_secret_access_key = " + s3test.SecretKey + "\n"
	if err := os.WriteFile(file, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
	a.destination += "&profile=market"
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	a.holds(t, s)
}

func TestAWSIsRecognizedByItsHost(t *testing.T) {
	for address, want := range map[string]string{
		"s3://market?region=eu-central-1": "https://s3.eu-central-1.amazonaws.com true",
		"s3://market?region=cn-north-1":   "https://s3.cn-north-1.amazonaws.com.cn true",
		"s3://market?region=eu-central-1&endpoint=https://bucket.vpce-1.s3.eu-central-1.vpce.amazonaws.com": "https://bucket.vpce-1.s3.eu-central-1.vpce.amazonaws.com true",
		"s3://market?endpoint=https://amazonaws.com.example":                                                "https://amazonaws.com.example false",
	} {
		b, err := parseBucketURL(address)
		if got := fmt.Sprintf("%v %v", b.endpoint, b.aws); err != nil || got != want {
			t.Errorf("%s is %q, %v", address, got, err)
		}
	}
}

func TestGoogleGetsNoConditionalRequests(t *testing.T) {
	for endpoint, conditional := range map[string]bool{"https://storage.googleapis.com": false, "https://s3.example": true} {
		b, err := openBucket("s3://market?region=auto&endpoint=" + endpoint)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.conditional(); got != conditional {
			t.Errorf("%s: %v", endpoint, got)
		}
	}
}
