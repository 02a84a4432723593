package hit

import "slices"

// A Least keeps the smallest of the keys offered to it. It sorts them when it has twice as
// many, and from then on rejects keys above the largest that it kept.
type Least struct {
	// Most is the number of keys to keep.
	Most  int
	keys  []uint64
	bound uint64
	full  bool
}

func (l *Least) Offer(key uint64) {
	if l.full && key >= l.bound {
		return
	}
	if l.keys = append(l.keys, key); len(l.keys) > 2*l.Most {
		l.Sorted()
		l.full, l.bound = true, 0
		if l.Most > 0 {
			l.bound = l.keys[l.Most-1]
		}
	}
}

// Sorted returns the kept keys in order.
func (l *Least) Sorted() []uint64 {
	slices.Sort(l.keys)
	l.keys = l.keys[:min(len(l.keys), l.Most)]
	return l.keys
}
