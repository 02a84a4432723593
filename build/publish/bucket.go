package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"souk/build/document"
)

// A bucketStore is a bucket of a store that speaks S3, or what is below a
// prefix of one.
type bucketStore struct {
	bucketURL
	client minio.Core
	asked  *countingTransport
}

// openBucket prepares requests to the bucket of a URL; it makes none.
func openBucket(destination string) (*bucketStore, error) {
	b, err := parseBucketURL(destination)
	if err != nil {
		return nil, err
	}
	secure := b.endpoint.Scheme == "https"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, err
	}
	s := &bucketStore{bucketURL: b, asked: &countingTransport{Transport: transport}}
	lookup := map[string]minio.BucketLookupType{"true": minio.BucketLookupPath, "false": minio.BucketLookupDNS}
	client, err := minio.New(b.endpoint.Host, &minio.Options{
		Creds: credentialsOf(b), Secure: secure, Transport: s.asked, Region: b.region, BucketLookup: lookup[b.pathStyle],
		// The Publisher tries again: it knows how long to wait, and counts.
		MaxRetries: 1,
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDestination, err)
	}
	s.client = minio.Core{Client: client}
	return s, nil
}

// A countingTransport counts the requests that are made.
type countingTransport struct {
	*http.Transport
	n atomic.Int64
}

func (t *countingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.n.Add(1)
	return t.Transport.RoundTrip(r)
}

// metadata is what a store answers besides an object.
type metadata struct{ contentType, cacheControl, encoding string }

// describe returns the metadata of an object.
func describe(o object) metadata {
	return metadata{document.ContentType(o.file), document.CacheFor(o.file).Header(), o.encoding}
}

func (s *bucketStore) put(ctx context.Context, o object, b body) error {
	_, err := s.write(ctx, o.key, b.sent(o), options(describe(o)))
	return err
}

// partSize is how much one request sends at most; what is larger goes in parts.
const partSize = 16 << 20

// options are those of every write. Of all checksums Content-MD5 is the one
// that AWS, R2, B2, Ceph and Google all take; being signed, it replaces
// a signature of the body, which not all of them take.
func options(m metadata) minio.PutObjectOptions {
	return minio.PutObjectOptions{
		ContentType: m.contentType, CacheControl: m.cacheControl, ContentEncoding: m.encoding,
		SendContentMd5: true, DisableContentSha256: true, NumThreads: 1, PartSize: partSize,
	}
}

func (s *bucketStore) write(ctx context.Context, key string, data []byte, o minio.PutObjectOptions) (etag string, err error) {
	info, err := s.client.Client.PutObject(ctx, s.bucket, s.prefix+key, bytes.NewReader(data), int64(len(data)), o)
	return info.ETag, s.explain(err)
}

// errOvertaken says that somebody else wrote what was to be replaced.
var errOvertaken = errors.New("another publish to this destination wrote the record meanwhile: let one run at a time, and publish again when it has ended")

// swap replaces the object that has an ETag, or writes one where none exists if
// that is "", and returns the new ETag. It fails with errOvertaken if something
// else is there. Stores that know no such condition just write.
func (s *bucketStore) swap(ctx context.Context, key, etag string, data []byte, m metadata) (string, error) {
	plain := options(m)
	plain.DisableMultipart = true
	if !s.conditional() {
		return s.write(ctx, key, data, plain)
	}
	o := plain
	if etag == "" {
		o.SetMatchETagExcept("*")
	} else {
		o.SetMatchETag(etag)
	}
	now, err := s.write(ctx, key, data, o)
	switch status := statusOf(err); {
	case status == http.StatusPreconditionFailed, errors.Is(err, errAbsent):
		return "", errOvertaken
	case status == http.StatusNotImplemented:
		return s.write(ctx, key, data, plain)
	}
	return now, err
}

// conditional: Google has conditions only on its own generation numbers.
func (s *bucketStore) conditional() bool {
	return !s3utils.IsGoogleEndpoint(*s.client.EndpointURL())
}

func (s *bucketStore) remove(ctx context.Context, key string) error {
	return absentIsNil(s.explain(s.client.RemoveObject(ctx, s.bucket, s.prefix+key, minio.RemoveObjectOptions{})))
}

// absentIsNil: Google reports that there was nothing to delete.
func absentIsNil(err error) error {
	if errors.Is(err, errAbsent) {
		return nil
	}
	return err
}

func (s *bucketStore) read(ctx context.Context, key string) ([]byte, error) {
	data, _, err := s.readVersion(ctx, key)
	return data, err
}

// readVersion reads an object and its ETag.
func (s *bucketStore) readVersion(ctx context.Context, key string) (data []byte, etag string, err error) {
	r, info, _, err := s.client.GetObject(ctx, s.bucket, s.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, "", s.explain(err)
	}
	data, err = io.ReadAll(r)
	return data, info.ETag, s.explain(errors.Join(err, r.Close()))
}

func (s *bucketStore) list(ctx context.Context, yield func(key string) error) error {
	for o := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, Recursive: true}) {
		if o.Err != nil {
			return s.explain(o.Err)
		}
		if err := yield(strings.TrimPrefix(o.Key, s.prefix)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (s *bucketStore) requests() int64 { return s.asked.n.Load() }

func (s *bucketStore) close() error {
	s.asked.CloseIdleConnections()
	return nil
}
