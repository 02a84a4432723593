package web

import (
	"container/list"
	"sync"

	"souk/build/release"
)

// A key identifies bytes by content, not by address: a new version of a document has
// another key, so no entry is ever stale.
type key struct {
	digest release.Digest
	coding coding
}

// A cache keeps the most recently used bodies, up to a total number of bytes. The
// well-known libraries limit the number of entries, which says little if entries have 1 to
// 64 KB each. The cache is split into shards, so that requests on several processors do not
// wait for one another.
type cache struct{ shards [16]shard }

type shard struct {
	mu    sync.Mutex
	most  int
	size  int
	byKey map[key]*list.Element
	// used lists the bodies, the most recently used first.
	used *list.List
}

type entry struct {
	key  key
	data []byte
}

// overhead is roughly the memory that one entry takes in addition to its bytes.
const overhead = 200

func newCache(most int) *cache {
	c := &cache{}
	for i := range c.shards {
		c.shards[i] = shard{most: most / len(c.shards), byKey: map[key]*list.Element{}, used: list.New()}
	}
	return c
}

// Any four bits will do, since those of a digest are as good as random.
func (c *cache) shard(k key) *shard { return &c.shards[int(k.digest[0])%len(c.shards)] }

// get returns a body, or nil. The body must not be changed.
func (c *cache) get(k key) []byte {
	s := c.shard(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byKey[k]
	if e == nil {
		return nil
	}
	s.used.MoveToFront(e)
	return e.Value.(*entry).data
}

func (c *cache) add(k key, data []byte) {
	s := c.shard(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byKey[k] != nil {
		return
	}
	s.byKey[k] = s.used.PushFront(&entry{k, data})
	s.size += len(data) + overhead
	for s.size > s.most {
		last := s.used.Remove(s.used.Back()).(*entry)
		delete(s.byKey, last.key)
		s.size -= len(last.data) + overhead
	}
}
