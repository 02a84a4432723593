package naming

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"souk/build/index/text"
)

// A Writer builds a List, one name at a time. The zero Writer is empty.
type Writer struct{ names []named }

type named struct {
	document uint32
	name     string
}

// Add adds the name of a document. A name without letters and digits has no words.
func (w *Writer) Add(document int, name string) {
	w.names = append(w.names, named{uint32(document), name})
}

// List returns the List of the added names. The Writer must not be used afterwards.
func (w *Writer) List() (l List) {
	slices.SortFunc(w.names, func(a, b named) int {
		return cmp.Or(cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.document, b.document))
	})
	uses := map[string][]Use{}
	var r Reader
	for rank, n := range w.names {
		count := r.Each(n.name, func(word string, as As) {
			of, known := uses[word]
			if !known {
				word = strings.Clone(word) // it may share the name's memory
			}
			uses[word] = append(of, use(as, rank))
		})
		l.Documents, l.Lengths = append(l.Documents, n.document), append(l.Lengths, uint32(len(n.name)))
		l.Counts = append(l.Counts, uint8(max(1, min(count, 255))))
	}
	words := slices.Sorted(maps.Keys(uses))
	l.Words = text.NewVocabulary(slices.Values(words))
	for _, word := range words {
		slices.Sort(uses[word])
		l.Uses = append(l.Uses, uses[word]...)
		l.Ends = append(l.Ends, uint32(len(l.Uses)))
	}
	return l
}
