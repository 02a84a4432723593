package publish

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"souk/internal/testing/s3test"
)

// A bucket is read by tests; err is errAbsent for a missing key.
type bucket interface {
	keys(t fatal) []string
	look(key string) (thing, error)
}

// A thing is an object at a key.
type thing struct {
	data []byte
	metadata
}

// A memory is a store in memory, since the property test fills about ten thousand of them.
type memory struct {
	mu     sync.Mutex
	things map[string]thing
	asked  atomic.Int64
}

func newMemory() *memory { return &memory{things: map[string]thing{}} }

func (m *memory) put(ctx context.Context, o object, b body) error {
	m.asked.Add(1)
	m.set(o.key, thing{bytes.Clone(b.sent(o)), describe(o)})
	return ctx.Err()
}

func (m *memory) set(key string, t thing) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.things[key] = t
}

func (m *memory) remove(ctx context.Context, key string) error {
	m.asked.Add(1)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.things, key)
	return ctx.Err()
}

func (m *memory) look(key string) (thing, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.things[key]
	if !ok {
		return t, errAbsent
	}
	return t, nil
}

// has reports whether a key exists.
func (m *memory) has(key string) bool {
	_, err := m.look(key)
	return err == nil
}

func (m *memory) read(_ context.Context, key string) (version, error) {
	m.asked.Add(1)
	t, err := m.look(key)
	if err != nil {
		return version{}, err
	}
	return versionOf(t.data), nil
}

func (m *memory) swap(ctx context.Context, o object, b body, tag string) (string, error) {
	return swapAfterLook(ctx, m, o, b, tag)
}

func (m *memory) keys(fatal) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.things))
}

func (m *memory) list(_ context.Context, yield func(key string) error) error {
	return m.listBelow(false, yield)
}

func (m *memory) listPrivate(_ context.Context, yield func(key string) error) error {
	return m.listBelow(true, yield)
}

func (m *memory) listBelow(private bool, yield func(key string) error) error {
	m.asked.Add(1)
	for _, key := range m.keys(nil) {
		if isPrivate(key) != private {
			continue
		}
		if err := yield(key); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) id() string           { return "memory" }
func (m *memory) requests() int64      { return m.asked.Load() }
func (m *memory) permanent(error) bool { return false }
func (m *memory) close() error         { return nil }

// A served is a bucket of a real server, as its clients see it, below a prefix.
type served map[string]s3test.Object

func (s served) keys(fatal) []string { return slices.Sorted(maps.Keys(s)) }

func (s served) look(key string) (thing, error) {
	o, ok := s[key]
	if !ok {
		return thing{}, errAbsent
	}
	return thing{o.Body, metadata{o.ContentType, o.CacheControl, o.ContentEncoding}}, nil
}

// open reads the bucket of a URL below its prefix.
func open(t *testing.T, server *s3test.Server, address string) served {
	t.Helper()
	b, err := parseBucketURL(address)
	if err != nil {
		t.Fatal(err)
	}
	return served(server.Objects(t, b.bucket, b.prefix))
}
