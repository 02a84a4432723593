package match

import "sync"

// A postingsCache keeps decoded postings up to a number of bytes. When it is full, it drops an
// arbitrary half: frequent entries are soon cached again.
type postingsCache struct {
	mu       sync.RWMutex
	postings map[string]*Postings
	bytes    int
	most     int
}

func newPostingsCache(bytes int) *postingsCache {
	return &postingsCache{postings: map[string]*Postings{}, most: bytes}
}

func (c *postingsCache) get(key string) *Postings {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.postings[key]
}

func (c *postingsCache) put(key string, p *Postings) {
	size := p.bytes() + len(key)
	if size > c.most/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.postings[key] != nil {
		return
	}
	c.postings[key] = p
	c.bytes += size
	for k, old := range c.postings {
		if c.bytes <= c.most {
			break
		}
		if k != key {
			c.bytes -= old.bytes() + len(k)
			delete(c.postings, k)
		}
	}
}

func (x *Lexicon) cached(key string, find func() (*Postings, error)) (*Postings, error) {
	if p := x.cache.get(key); p != nil {
		return p, nil
	}
	p, err := find()
	if err != nil {
		return nil, err
	}
	x.cache.put(key, p)
	return p, nil
}
