package catalog

import (
	"slices"
	"sync"

	"souk/build/kit/processors"
)

// tallyShare is how many nodes are tallied at a time, which limits how many attributes are in
// memory.
const tallyShare = 1 << 12

// tally appends nodes, given in the order of lists, to the lists that they belong on, and
// counts them there. First each worker reads a part of the nodes, then each fills a part of
// the lists. Finally the counts are packed.
func (c *Catalog) tally(listed List, workers int) {
	readers := make([]*factReader, workers)
	for i := range readers {
		readers[i] = newFactReader()
	}
	has, lists := make([]counts, tallyShare), make([][]ListRef, tallyShare)
	for share := range slices.Chunk(listed, tallyShare) {
		each(workers, func(worker int) {
			for i := worker; i < len(share); i += workers {
				if o := share[i].offer(); o != nil {
					has[i], lists[i] = readers[worker].counts(o), c.listsOfOffer(share[i], o)
				} else {
					has[i], lists[i] = counts{}, c.listsOf(share[i])
				}
			}
		})
		each(workers, func(worker int) {
			for i, n := range share {
				for _, p := range lists[i] {
					if p.part(workers) == worker {
						tallies, list := p.tallies(), c.list(p)
						*list = append(*list, n)
						tallies.count(n, has[i], 1)
					}
				}
			}
		})
	}
	processors.Each(len(c.categories), func(i int) { c.categories[i].keep() })
}

// each calls work once for each worker, concurrently.
func each(workers int, work func(worker int)) {
	var working sync.WaitGroup
	for worker := range workers {
		working.Go(func() { work(worker) })
	}
	working.Wait()
}

// part assigns a list to a part. All lists of a node are in the same part.
func (r ListRef) part(parts int) int {
	if r.Node == nil {
		return int(r.Kind) % parts
	}
	return int(r.Node.digest % uint64(parts))
}
