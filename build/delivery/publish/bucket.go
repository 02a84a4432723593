package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"souk/build/delivery/replica"
	"souk/build/document"
)

// A bucketStore is an S3 bucket, or the part of one below a prefix.
type bucketStore struct {
	bucketURL
	client minio.Core
	// anyone sends requests without credentials.
	anyone    minio.Core
	transport *countingTransport
}

// openBucket prepares requests to the bucket of a URL, and sends none.
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
	s := &bucketStore{bucketURL: b, transport: &countingTransport{Transport: transport}}
	lookup := map[string]minio.BucketLookupType{"true": minio.BucketLookupPath, "false": minio.BucketLookupDNS}
	o := minio.Options{
		Creds: credentialsOf(b), Secure: secure, Transport: s.transport, Region: b.region, BucketLookup: lookup[b.pathStyle],
		// The Publisher retries itself, since it knows how long to wait, and counts.
		MaxRetries: 1,
	}
	for _, client := range []*minio.Core{&s.client, &s.anyone} {
		if client.Client, err = minio.New(b.endpoint.Host, &o); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrDestination, err)
		}
		o.Creds = credentials.NewStatic("", "", "", credentials.SignatureAnonymous)
	}
	return s, nil
}

// A countingTransport counts requests.
type countingTransport struct {
	*http.Transport
	n atomic.Int64
}

func (t *countingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.n.Add(1)
	return t.Transport.RoundTrip(r)
}

// metadata is the header data of an object.
type metadata struct{ contentType, cacheControl, encoding string }

// describe returns the metadata of an object.
func describe(o object) metadata {
	if isPrivate(o.key) {
		return metadata{contentType: "application/octet-stream", cacheControl: "private, no-store"}
	}
	return metadata{document.ContentType(o.file), document.CacheFor(o.file).Header(), o.encoding}
}

func (s *bucketStore) put(ctx context.Context, o object, b body) error {
	_, err := s.write(ctx, o.key, b.sent(o), options(describe(o)))
	return err
}

// partSize is the maximum size of one request; larger objects are uploaded in parts.
const partSize = 16 << 20

// options returns the options of a write. Content-MD5 is the only checksum that AWS, R2,
// B2, Ceph and Google all accept. Since it is signed, it replaces a signature of the body,
// which not all of them accept.
func options(m metadata) minio.PutObjectOptions {
	return minio.PutObjectOptions{
		ContentType: m.contentType, CacheControl: m.cacheControl, ContentEncoding: m.encoding,
		SendContentMd5: true, DisableContentSha256: true, NumThreads: 1, PartSize: partSize,
	}
}

func (s *bucketStore) write(ctx context.Context, key string, data []byte, o minio.PutObjectOptions) (etag string, err error) {
	info, err := s.client.Client.PutObject(ctx, s.bucket, s.at(key), bytes.NewReader(data), int64(len(data)), o)
	return info.ETag, s.explain(err)
}

func (s *bucketStore) swap(ctx context.Context, o object, b body, etag string) (string, error) {
	return s.replace(ctx, o.key, etag, b.sent(o), describe(o))
}

// replace is like swap for any bytes: it replaces the object that has an ETag, or if that
// is "", creates one only if none exists. Stores without such conditions just write.
func (s *bucketStore) replace(ctx context.Context, key, etag string, data []byte, m metadata) (string, error) {
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
		if is, err := s.read(ctx, key); err == nil && bytes.Equal(is.data, data) {
			return is.tag, nil
		}
		return "", errOvertaken
	case status == http.StatusNotImplemented:
		return s.write(ctx, key, data, plain)
	}
	return now, err
}

// conditional reports whether the store supports ETag conditions. Google only supports
// conditions on its own generation numbers.
func (s *bucketStore) conditional() bool {
	return !s3utils.IsGoogleEndpoint(*s.client.EndpointURL())
}

func (s *bucketStore) remove(ctx context.Context, key string) error {
	return absentIsNil(s.explain(s.client.RemoveObject(ctx, s.bucket, s.at(key), minio.RemoveObjectOptions{})))
}

// absentIsNil ignores errors for missing objects, which Google reports when deleting.
func absentIsNil(err error) error {
	if errors.Is(err, errAbsent) {
		return nil
	}
	return err
}

func (s *bucketStore) read(ctx context.Context, key string) (version, error) {
	return s.get(ctx, key, math.MaxInt64-1, minio.GetObjectOptions{})
}

// get reads an object of at most that many bytes; its tag is the ETag.
func (s *bucketStore) get(ctx context.Context, key string, most int64, o minio.GetObjectOptions) (version, error) {
	r, info, _, err := s.client.GetObject(ctx, s.bucket, s.at(key), o)
	if err != nil {
		return version{}, s.explain(err)
	}
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = errLong
	}
	return version{data, info.ETag}, s.explain(errors.Join(err, r.Close()))
}

// exposed reports whether an object can be read without credentials.
func (s *bucketStore) exposed(ctx context.Context, key string) (bool, error) {
	r, _, _, err := s.anyone.GetObject(ctx, s.bucket, s.at(key), minio.GetObjectOptions{})
	if err == nil {
		return true, r.Close()
	}
	if status := statusOf(err); status >= 300 && status < 500 {
		return false, nil
	}
	return false, s.explain(err)
}

// at returns the name of a key in the bucket. The private data next to the release is not
// below its prefix.
func (s *bucketStore) at(key string) string {
	if isPrivate(key) {
		return strings.TrimSuffix(s.prefix, "/") + key
	}
	return s.prefix + key
}

func (s *bucketStore) list(ctx context.Context, yield func(key string) error) error {
	return s.listBelow(ctx, s.prefix, "", yield)
}

func (s *bucketStore) listPrivate(ctx context.Context, yield func(key string) error) error {
	return s.listBelow(ctx, s.at(replica.PrivatePrefix), replica.PrivatePrefix, yield)
}

// listBelow lists what is below a prefix, which is replaced by as in the keys.
func (s *bucketStore) listBelow(ctx context.Context, prefix, as string, yield func(key string) error) error {
	for o := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return s.explain(o.Err)
		}
		if err := yield(as + strings.TrimPrefix(o.Key, prefix)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (s *bucketStore) requests() int64 { return s.transport.n.Load() }

func (s *bucketStore) close() error {
	s.transport.CloseIdleConnections()
	return nil
}
