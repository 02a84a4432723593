package text

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// A Vocabulary is a sorted set of words in one string, because there may be a million of them.
type Vocabulary struct {
	all string
	// ends are the ends of the words in all.
	ends []uint32
}

// NewVocabulary returns the Vocabulary of a sorted list of distinct words.
func NewVocabulary(words iter.Seq[string]) (v Vocabulary) {
	var all []byte
	for word := range words {
		all = append(all, word...)
		v.ends = append(v.ends, uint32(len(all)))
	}
	v.all, v.ends = string(all), slices.Clone(v.ends)
	return v
}

// VocabularyIn returns the Vocabulary whose words are concatenated in a text, with their ends.
// Neither may change, and the words are valid as long as the text is.
func VocabularyIn(all string, ends []uint32) Vocabulary { return Vocabulary{all, ends} }

// Text returns the concatenated words and their ends.
func (v Vocabulary) Text() (all string, ends []uint32) { return v.all, v.ends }

// Len returns the number of words.
func (v Vocabulary) Len() int { return len(v.ends) }

// At returns the word at an index.
func (v Vocabulary) At(i int) string {
	from, to := Bounds(v.ends, i)
	return v.all[from:to]
}

// Bounds returns the start and end of one of several concatenated lists, given their ends.
func Bounds(ends []uint32, i int) (from, to uint32) {
	if i > 0 {
		from = ends[i-1]
	}
	return from, ends[i]
}

// Words calls yield with the words in a range of indexes.
func (v Vocabulary) Words(from, to int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := from; i < to; i++ {
			if !yield(v.At(i)) {
				return
			}
		}
	}
}

// Find returns the index of a word, or the index where it would be inserted.
func (v Vocabulary) Find(word string) (at int, found bool) {
	return sort.Find(len(v.ends), func(i int) int { return strings.Compare(word, v.At(i)) })
}

// Span returns the index range of the words that begin with a prefix.
func (v Vocabulary) Span(prefix string) (from, to int) {
	from, _ = v.Find(prefix)
	return from, v.end(from, prefix)
}

// end returns the index after the words that begin with a prefix, given the index of the first
// such word, if there is any.
func (v Vocabulary) end(from int, prefix string) int {
	rest := len(v.ends) - from
	// Doubling steps find the end fast, because most spans are short.
	step := 1
	for step < rest && strings.HasPrefix(v.At(from+step-1), prefix) {
		step *= 2
	}
	low := step / 2
	high := min(step, rest)
	for low < high {
		mid := (low + high) / 2
		if strings.HasPrefix(v.At(from+mid), prefix) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return from + low
}

// holding calls yield with each word that contains a part, except at its beginning, and the
// position of the part.
func (v Vocabulary) holding(part string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		if part == "" {
			return
		}
		for from := 0; ; {
			at := strings.Index(v.all[from:], part)
			if at < 0 {
				return
			}
			at += from
			i := sort.Search(len(v.ends), func(i int) bool { return int(v.ends[i]) > at })
			begin, end := Bounds(v.ends, i)
			if at == int(begin) || at+len(part) > int(end) {
				from = at + 1
				continue
			}
			if !yield(v.all[begin:end], at-int(begin)) {
				return
			}
			from = int(end)
		}
	}
}

// Has reports whether the Vocabulary contains a word.
func (v Vocabulary) Has(word string) bool {
	_, found := v.Find(word)
	return found
}

// TypingErrors returns how many typing errors are tolerated in a word: one from four letters
// on, two from eight. None are tolerated in words with digits, since 2024 is not a misspelled
// 2025, nor in pairs of letters of unspaced scripts.
func TypingErrors(word string) int {
	n := utf8.RuneCountInString(word)
	if r, _ := utf8.DecodeRuneInString(word); HasDigit(word) || IsUnspaced(r) {
		return 0
	}
	switch {
	case n >= 8:
		return 2
	case n >= 4:
		return 1
	default:
		return 0
	}
}

// A Neighbour is a word of a Vocabulary that another may be a misspelling of. It remains valid
// without the Vocabulary.
type Neighbour struct {
	Word   string
	Errors int
}

// Neighbours returns the words within the given number of typing errors of a word, in order.
// An error is a letter left out, inserted or replaced, or two neighbours swapped (the
// restricted Damerau-Levenshtein distance). With begun set, it returns words that begin with
// such a word.
//
// The sorted list is read as a trie: the row of the distance table for a prefix is computed
// once for all words that share it, and a prefix that is too far away skips them all.
func (v Vocabulary) Neighbours(word string, most int, begun bool) []Neighbour {
	return v.NeighboursIn(0, v.Len(), word, most, begun)
}

// NeighboursIn is Neighbours for the words in a range of indexes.
func (v Vocabulary) NeighboursIn(from, to int, word string, most int, begun bool) []Neighbour {
	w := &walk{target: []rune(word), most: most, begun: begun}
	w.rows = append(w.rows, make([]uint8, len(w.target)+1))
	for i := range w.rows[0] {
		w.rows[0][i] = uint8(min(i, 200))
	}
	w.within = append(w.within, 0)
	w.ends = append(w.ends, 0)
	for i := from; i < to; {
		held := v.At(i)
		if hopeless := w.enter(held); hopeless >= 0 {
			i = v.end(i, held[:hopeless])
			continue
		}
		if errors := w.errors(); errors <= most && !HasDigit(held) {
			w.found = append(w.found, Neighbour{strings.Clone(held), errors})
		}
		i++
	}
	return w.found
}

// A walk is a pass through a sorted list of words, with the rows of the distance table for
// each letter of the current word.
type walk struct {
	target []rune
	most   int
	begun  bool
	last   string
	// The letters of last, the end of each in bytes, and the row after each.
	letters []rune
	ends    []int
	rows    [][]uint8
	// within is the smallest distance of the target from any beginning so far, plus one; zero
	// for none.
	within []uint8
	found  []Neighbour
}

// enter moves to the next word. It returns the length of the beginning after which no word can
// be close enough, or -1.
func (w *walk) enter(word string) int {
	shared := 0
	for shared < len(w.letters) && w.ends[shared+1] <= len(word) && w.last[:w.ends[shared+1]] == word[:w.ends[shared+1]] {
		shared++
	}
	w.letters = w.letters[:shared]
	w.ends = w.ends[:shared+1]
	w.last = word
	for at := w.ends[shared]; at < len(word); {
		r, size := decode(word[at:])
		at += size
		w.letters = append(w.letters, r)
		w.ends = append(w.ends, at)
		least := w.row(len(w.letters))
		if w.begun && w.within[len(w.letters)] != 0 {
			continue
		}
		if int(least) > w.most {
			return at
		}
	}
	return -1
}

// row computes the row after n letters and returns its smallest value.
func (w *walk) row(n int) uint8 {
	if len(w.rows) <= n {
		w.rows = append(w.rows, make([]uint8, len(w.target)+1))
		w.within = append(w.within, 0)
	}
	row, above, r := w.rows[n], w.rows[n-1], w.letters[n-1]
	row[0] = uint8(min(n, 200))
	least := row[0]
	for j := 1; j < len(row); j++ {
		cost := uint8(1)
		if w.target[j-1] == r {
			cost = 0
		}
		d := min(above[j]+1, row[j-1]+1, above[j-1]+cost)
		if n > 1 && j > 1 && r == w.target[j-2] && w.letters[n-2] == w.target[j-1] {
			d = min(d, w.rows[n-2][j-2]+1)
		}
		row[j] = d
		least = min(least, d)
	}
	w.within[n] = w.within[n-1]
	if end := row[len(row)-1]; int(end) <= w.most && (w.within[n] == 0 || end+1 < w.within[n]) {
		w.within[n] = end + 1
	}
	return least
}

// errors returns the distance between the current word and the target.
func (w *walk) errors() int {
	n := len(w.letters)
	if w.begun {
		if w.within[n] == 0 {
			return w.most + 1
		}
		return int(w.within[n]) - 1
	}
	return int(w.rows[n][len(w.target)])
}
