package hit

import "slices"

// A Least keeps the least of the keys that it is offered: it sorts them whenever twice as many are
// there, and from then on takes no key above the greatest that it kept.
type Least struct {
	// Most is how many are kept.
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

// Sorted returns them in order.
func (l *Least) Sorted() []uint64 {
	slices.Sort(l.keys)
	l.keys = l.keys[:min(len(l.keys), l.Most)]
	return l.keys
}
