package search

import "slices"

// A heap keeps the least keys that it is offered, with the greatest of them on
// top.
type heap struct {
	keys []uint64
	most int
}

func (h *heap) offer(key uint64) {
	if len(h.keys) < h.most {
		h.keys = append(h.keys, key)
		for i := len(h.keys) - 1; i > 0; {
			up := (i - 1) / 2
			if h.keys[up] >= h.keys[i] {
				break
			}
			h.keys[up], h.keys[i] = h.keys[i], h.keys[up]
			i = up
		}
		return
	}
	if h.most == 0 || key >= h.keys[0] {
		return
	}
	h.keys[0] = key
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(h.keys) {
			break
		}
		if down+1 < len(h.keys) && h.keys[down+1] > h.keys[down] {
			down++
		}
		if h.keys[i] >= h.keys[down] {
			break
		}
		h.keys[i], h.keys[down] = h.keys[down], h.keys[i]
		i = down
	}
}

func (h *heap) sorted() []uint64 {
	slices.Sort(h.keys)
	return h.keys
}
