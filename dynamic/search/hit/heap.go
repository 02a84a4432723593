package hit

import "slices"

// A Heap keeps the least keys that it is offered, with the greatest of them on
// top.
type Heap struct {
	Keys []uint64
	Most int
}

func (h *Heap) Offer(key uint64) {
	if len(h.Keys) < h.Most {
		h.Keys = append(h.Keys, key)
		for i := len(h.Keys) - 1; i > 0; {
			up := (i - 1) / 2
			if h.Keys[up] >= h.Keys[i] {
				break
			}
			h.Keys[up], h.Keys[i] = h.Keys[i], h.Keys[up]
			i = up
		}
		return
	}
	if h.Most == 0 || key >= h.Keys[0] {
		return
	}
	h.Keys[0] = key
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(h.Keys) {
			break
		}
		if down+1 < len(h.Keys) && h.Keys[down+1] > h.Keys[down] {
			down++
		}
		if h.Keys[i] >= h.Keys[down] {
			break
		}
		h.Keys[i], h.Keys[down] = h.Keys[down], h.Keys[i]
		i = down
	}
}

func (h *Heap) Sorted() []uint64 {
	slices.Sort(h.Keys)
	return h.Keys
}
