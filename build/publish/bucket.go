package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcerrors"

	"souk/build/document"
)

// A bucketStore is a bucket of an object store, or what is below a prefix of one.
type bucketStore struct {
	bucket *blob.Bucket
	// s3 is the client where the store speaks S3, else nil; id is the bucket's
	// name there.
	s3 *s3.Client
	id string
	// prefix is "" or ends in a slash; name is for people.
	prefix, name string
	asked        atomic.Int64
}

// openBucket opens the bucket of a URL; its path, or the parameter prefix, is a
// prefix of all keys.
func openBucket(ctx context.Context, destination string) (*bucketStore, error) {
	u, err := url.Parse(destination)
	if err != nil || u.Host == "" || u.User != nil {
		return nil, fmt.Errorf("%w: it is no URL of a bucket, as in s3://bucket or gs://bucket/prefix", ErrDestination)
	}
	q := u.Query()
	s := &bucketStore{id: u.Host, name: u.Scheme + "://" + u.Host + u.Path}
	if s.prefix = strings.Trim(q.Get("prefix")+u.Path, "/"); s.prefix != "" {
		s.prefix += "/"
	}
	q.Del("prefix")
	u.Path, u.RawPath, u.RawQuery = "", "", q.Encode()
	if u.Scheme == s3blob.Scheme {
		err = s.openS3(ctx, u)
	} else {
		s.bucket, err = blob.DefaultURLMux().OpenBucketURL(ctx, u)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrDestination, withoutQuery(err.Error(), u))
	}
	return s, nil
}

// withoutQuery takes a URL out of a message, since its parameters may be secret.
func withoutQuery(message string, u *url.URL) string {
	message = strings.ReplaceAll(message, u.String(), u.Scheme+"://"+u.Host)
	if u.RawQuery != "" {
		message = strings.ReplaceAll(message, u.RawQuery, "…")
	}
	return message
}

// openS3 opens a bucket whose client counts its requests and leaves trying
// again to the Publisher, which knows how long to wait.
func (s *bucketStore) openS3(ctx context.Context, u *url.URL) error {
	opener := &s3blob.URLOpener{}
	plain, err := opener.OpenBucketURL(ctx, u)
	if err != nil {
		return err
	}
	var client *s3.Client
	if !plain.As(&client) {
		return errors.New("the bucket has no S3 client")
	}
	s.s3 = s3.New(client.Options(), func(o *s3.Options) {
		o.Retryer = aws.NopRetryer{}
		o.HTTPClient = countingClient{o.HTTPClient, &s.asked}
	})
	s.bucket, err = s3blob.OpenBucket(ctx, s.s3, u.Host, &opener.Options)
	return errors.Join(err, plain.Close())
}

type countingClient struct {
	s3.HTTPClient
	asked *atomic.Int64
}

func (c countingClient) Do(r *http.Request) (*http.Response, error) {
	c.asked.Add(1)
	return c.HTTPClient.Do(r)
}

// count counts a request where no client does it.
func (s *bucketStore) count() {
	if s.s3 == nil {
		s.asked.Add(1)
	}
}

// metadata is what a store answers beside an object.
type metadata struct{ contentType, cacheControl, encoding string }

func (s *bucketStore) put(ctx context.Context, o object, b body) error {
	return s.write(ctx, o.key, b.sent(o), metadata{
		contentType: document.ContentType(o.file), cacheControl: document.CacheFor(o.file).Header(), encoding: o.encoding,
	})
}

func (s *bucketStore) write(ctx context.Context, key string, data []byte, m metadata) error {
	s.count()
	return discreet(s.bucket.Upload(ctx, s.prefix+key, bytes.NewReader(data), &blob.WriterOptions{
		ContentType: m.contentType, CacheControl: m.cacheControl, ContentEncoding: m.encoding, MaxConcurrency: 1,
	}))
}

// A discreetError leaves the parameters of URLs out of its message: Azure takes
// tokens in them.
type discreetError struct{ error }

var parameters = regexp.MustCompile(`(https?://[^\s"?]*)\?[^\s"]*`)

func (e discreetError) Error() string { return parameters.ReplaceAllString(e.error.Error(), "$1") }

func (e discreetError) Unwrap() error { return e.error }

func discreet(err error) error {
	if err == nil {
		return nil
	}
	return discreetError{err}
}

func (s *bucketStore) remove(ctx context.Context, key string) error {
	s.count()
	key = s.prefix + key
	if s.s3 != nil {
		// The portable call asks first whether the key is there: twice the requests.
		_, err := s.s3.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.id, Key: &key})
		return discreet(err)
	}
	err := s.bucket.Delete(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return discreet(err)
}

func (s *bucketStore) read(ctx context.Context, key string) ([]byte, error) {
	s.count()
	data, err := s.bucket.ReadAll(ctx, s.prefix+key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, errAbsent
	}
	return data, discreet(err)
}

func (s *bucketStore) list(ctx context.Context, yield func(key string) error) error {
	s.count()
	for at := s.bucket.List(&blob.ListOptions{Prefix: s.prefix}); ; {
		o, err := at.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return discreet(err)
		}
		if err := yield(strings.TrimPrefix(o.Key, s.prefix)); err != nil {
			return err
		}
	}
}

func (s *bucketStore) requests() int64 { return s.asked.Load() }

// permanent: what the request is told to be wrong in, or not allowed to, stays
// so. Too many requests, and requests that took too long, do not.
func (s *bucketStore) permanent(err error) bool {
	var answer *awshttp.ResponseError
	if errors.As(err, &answer) {
		status := answer.HTTPStatusCode()
		return status >= 400 && status < 500 && status != http.StatusRequestTimeout &&
			status != http.StatusTooManyRequests && status != http.StatusConflict
	}
	switch gcerrors.Code(err) {
	case gcerrors.PermissionDenied, gcerrors.InvalidArgument, gcerrors.NotFound, gcerrors.Unimplemented:
		return true
	}
	return false
}

func (s *bucketStore) close() error { return s.bucket.Close() }
