package publish

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"

	"github.com/minio/minio-go/v7"

	"souk/build/delivery/replica"
	"souk/build/release"
)

// An Origin is a place to which a Publisher published for servers, as they read it.
type Origin struct {
	name    string
	id      string
	store   store
	retry   retry
	options Options
}

// OpenOrigin returns the place named by a folder or the s3:// URL of a bucket. It sends no
// request. It fails with ErrDestination or ErrLayout like Open. It uses the options
// Attempts, Timeout and Sleep.
func OpenOrigin(from string, o Options) (*Origin, error) {
	o = o.withDefaults()
	if folder, ok := FolderOf(from); ok {
		root, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		s := &folderStore{root: root}
		return &Origin{name: folder, id: s.id(), store: s, retry: retrier(o, s.permanent), options: o}, nil
	}
	s, err := openBucket(from)
	if err != nil {
		return nil, err
	}
	if s.prefix == "" {
		return nil, errors.Join(fmt.Errorf("%w: the root of a bucket has no release metadata: name the path that 'souk publish --for-servers' published to, as in s3://%s/public", ErrLayout, s.bucket), s.close())
	}
	return &Origin{name: s.name(), id: s.id(), store: s, retry: retrier(o, s.permanent), options: o}, nil
}

// Name returns the place for messages, without secrets.
func (o *Origin) Name() string { return o.name }

// ID identifies the place.
func (o *Origin) ID() string { return o.id }

// Requests returns the number of requests so far.
func (o *Origin) Requests() int64 { return o.store.requests() }

// Close closes the connections.
func (o *Origin) Close() error { return o.store.close() }

// Head returns the head and its version, or replica.ErrUnchanged if that is the known version.
// It tries once.
func (o *Origin) Head(ctx context.Context, known string) (data []byte, now string, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.options.Requests.Timeout)
	defer cancel()
	var is version
	if b, ok := o.store.(*bucketStore); ok {
		var asked minio.GetObjectOptions
		if known != "" {
			if err := asked.SetMatchETagExcept(known); err != nil {
				return nil, "", err
			}
		}
		is, err = b.get(ctx, replica.HeadKey, replica.MaxHeadSize, asked)
		if statusOf(err) == http.StatusNotModified {
			return nil, known, replica.ErrUnchanged
		}
	} else if is, err = o.store.read(ctx, replica.HeadKey); err == nil && is.tag == known {
		return nil, known, replica.ErrUnchanged
	}
	return is.data, is.tag, absentInWords(err)
}

// Read returns what is at a key of the private data next to the release, of at most that
// many bytes.
func (o *Origin) Read(ctx context.Context, key string, most int64) ([]byte, error) {
	var is version
	err := o.retry(ctx, int(min(most, 1<<30)), func(ctx context.Context) (err error) {
		if b, ok := o.store.(*bucketStore); ok {
			is, err = b.get(ctx, key, most, minio.GetObjectOptions{})
			if errors.Is(err, errLong) {
				return nil // its reader notices the difference
			}
			return err
		}
		is, err = o.store.read(ctx, key)
		return err
	})
	return is.data, absentInWords(err)
}

// File returns the bytes of a file of the release, in whatever form the place stores it.
func (o *Origin) File(ctx context.Context, file string, e release.Entry, extensionless bool) ([]byte, error) {
	// gzip makes incompressible data a little longer.
	data, err := o.Read(ctx, layout{extensionless: extensionless}.keyOf(file), e.Size+e.Size/1000+100)
	if err != nil || release.DigestOf(data) == e.Digest || !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, err
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data, nil // its reader notices the different digest
	}
	plain, err := io.ReadAll(io.LimitReader(r, e.Size+1))
	if err != nil {
		return data, nil
	}
	return plain, nil
}

func absentInWords(err error) error {
	if errors.Is(err, errAbsent) {
		return replica.ErrAbsent
	}
	return err
}
