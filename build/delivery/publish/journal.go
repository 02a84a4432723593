package publish

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"souk/build/kit/durable"
)

// A journal stores a record across processes.
type journal interface {
	// load returns the recorded state.
	load(ctx context.Context) (*state, error)
	// add records notes. If durable is set they survive any crash; otherwise they may be
	// lost, which only causes repeated work. s must already include them.
	add(ctx context.Context, s *state, durable bool, notes ...note) error
	// close ends a publish; everything is durable then.
	close(ctx context.Context, s *state) error
}

// A fileJournal is a file to which notes are appended.
type fileJournal struct {
	path string
	// size is the size of the intact part; lines is the number of lines since the last
	// rewrite.
	size  int64
	lines int
	file  *os.File
}

func (j *fileJournal) load(context.Context) (*state, error) {
	data, err := os.ReadFile(j.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the record of the destination: %w", err)
	}
	var s *state
	s, j.size = decode(data)
	j.lines = bytes.Count(data[:j.size], []byte{'\n'})
	return s, nil
}

func (j *fileJournal) add(_ context.Context, s *state, durable bool, notes ...note) error {
	if err := j.open(s); err != nil {
		return err
	}
	data, err := encode(notes)
	if err != nil {
		return err
	}
	if _, err := j.file.WriteAt(data, j.size); err != nil {
		return fmt.Errorf("write the record of the destination: %w", errors.Join(err, j.file.Truncate(j.size)))
	}
	j.size += int64(len(data))
	j.lines += len(notes)
	if durable {
		return j.file.Sync()
	}
	return nil
}

// open opens the file. If it is missing, damaged, or mostly outdated, open rewrites it
// first.
func (j *fileJournal) open(s *state) error {
	if j.file != nil {
		return nil
	}
	info, err := os.Stat(j.path)
	whole := err == nil && j.size > 0 && info.Size() == j.size
	if !whole || j.lines > 2*len(s.keys)+200 {
		if err := j.replace(s); err != nil {
			return fmt.Errorf("write the record of the destination: %w", err)
		}
	}
	j.file, err = os.OpenFile(j.path, os.O_RDWR, 0o600)
	return err
}

// replace rewrites the file, which only its owner may read.
func (j *fileJournal) replace(s *state) error {
	notes := s.allNotes()
	data, err := encode(notes)
	if err != nil {
		return err
	}
	data = append([]byte(recordMagic), data...)
	if err := durable.Replace(j.path, 0o600, data); err != nil {
		return err
	}
	j.size, j.lines = int64(len(data)), len(notes)
	return nil
}

func (j *fileJournal) close(context.Context, *state) error {
	if j.file == nil {
		return nil
	}
	f := j.file
	j.file = nil
	return errors.Join(f.Sync(), f.Close())
}

// A bucketJournal is a single object, which is written as a whole: before the first upload,
// occasionally, and at the end.
type bucketJournal struct {
	retry  retry
	bucket *bucketStore
	key    string
	now    func() time.Time
	// etag is the record's ETag when it was last read or written, or "" if it did not
	// exist.
	etag    string
	written time.Time
}

// flushAfter is how long acknowledgements may stay unwritten.
const flushAfter = 20 * time.Second

func (j *bucketJournal) load(ctx context.Context) (*state, error) {
	var is version
	err := j.retry(ctx, 8<<20, func(ctx context.Context) (err error) {
		is, err = j.bucket.read(ctx, j.key)
		return err
	})
	j.etag = is.tag
	if errors.Is(err, errAbsent) {
		return newState(), nil
	}
	var data []byte
	if err == nil {
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(is.data)); err == nil {
			data, err = io.ReadAll(r)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read the record of the destination from %s: %w", j.bucket.name(), err)
	}
	s, _ := decode(data)
	return s, nil
}

func (j *bucketJournal) add(ctx context.Context, s *state, durable bool, _ ...note) error {
	if !durable && j.now().Sub(j.written) < flushAfter {
		return nil
	}
	notes, err := encode(s.allNotes())
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err = w.Write(append([]byte(recordMagic), notes...))
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	// Only the known version of the record is replaced: of two machines that publish at
	// once, each would otherwise forget what the other did.
	err = j.retry(ctx, b.Len(), func(ctx context.Context) error {
		etag, err := j.bucket.replace(ctx, j.key, j.etag, b.Bytes(), metadata{contentType: "application/octet-stream", cacheControl: "no-store"})
		if err == nil {
			j.etag = etag
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("write the record of the destination to %s: %w", j.bucket.name(), err)
	}
	j.written = j.now()
	return nil
}

func (j *bucketJournal) close(ctx context.Context, s *state) error {
	// Record what was acknowledged even if the publish was canceled.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushAfter)
	defer cancel()
	return j.add(ctx, s, true)
}
