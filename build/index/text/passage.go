package text

import "unicode/utf8"

// A Passage is an excerpt of a text around the words of a query.
type Passage struct {
	Text string
	// Marks are the positions of these words, in code points.
	Marks [][2]int
	// Weight is the total weight of the distinct words in it.
	Weight float32
}

// The share of the remaining room that is used before the words, and the mark of a cut.
const (
	shareBefore = 3
	cutMark     = "…"
)

// Passage returns the part of a plain text, of at most the given number of code points, whose
// query words have the greatest total weight. It returns the first of several, or the zero
// Passage if no word occurs. It cuts between words and marks the cuts.
func (a *Asked) Passage(text string, most int) Passage {
	found := a.mentions(text)
	if len(found) == 0 {
		return Passage{}
	}
	room := most - 2*len([]rune(cutMark))
	if n := utf8.RuneCountInString(text); n <= most {
		return Passage{text, rangesOf(found, 0), a.weigh(found)}
	}
	first, last := a.window(found, room)
	chosen := found[first : last+1]
	p := Passage{Weight: a.weigh(chosen)}
	spare := max(0, room-(chosen[len(chosen)-1].untilRune-chosen[0].fromRune))
	from, back := before(text, chosen[0].from, spare/shareBefore)
	to := after(text, chosen[len(chosen)-1].to, spare-back)
	shift := back - chosen[0].fromRune
	p.Text = text[from:to]
	if from > 0 {
		p.Text = cutMark + p.Text
		shift++
	}
	if to < len(text) {
		p.Text += cutMark
	}
	for last+1 < len(found) && found[last+1].to <= to {
		last++
	}
	for first > 0 && found[first-1].from >= from {
		first--
	}
	p.Marks = rangesOf(found[first:last+1], shift)
	return p
}

// weigh returns the total weight of the distinct words among mentions.
func (a *Asked) weigh(found []mention) (sum float32) {
	seen := make([]bool, len(a.weights))
	for _, m := range found {
		if !seen[m.word] {
			seen[m.word] = true
			sum += a.weights[m.word]
		}
	}
	return sum
}

// window returns the first and last of the mentions within the given number of code points
// that weigh most.
func (a *Asked) window(found []mention, room int) (first, last int) {
	times := make([]int, len(a.weights))
	sum, best := float32(0), float32(-1)
	for from, to := 0, 0; to < len(found); to++ {
		if times[found[to].word]++; times[found[to].word] == 1 {
			sum += a.weights[found[to].word]
		}
		for from < to && found[to].untilRune-found[from].fromRune > room {
			if times[found[from].word]--; times[found[from].word] == 0 {
				sum -= a.weights[found[from].word]
			}
			from++
		}
		if sum > best+1e-4 {
			first, last, best = from, to, sum
		}
	}
	// The first word is not needed if it occurs again later.
	for first < last && repeated(found[first].word, found[first+1:last+1]) {
		first++
	}
	return first, last
}

func repeated(word int, later []mention) bool {
	for _, m := range later {
		if m.word == word {
			return true
		}
	}
	return false
}

// before returns the start of a passage at the beginning of a word, at most the given number
// of code points before another word, and the distance.
func before(text string, word, most int) (from, runes int) {
	from, at := word, word
	for n := 0; at > 0; n++ {
		if n == most+1 {
			return from, runes
		}
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if r == ' ' || IsUnspaced(r) {
			from, runes = at, n
		}
		at -= size
		if at == 0 && n < most {
			return 0, n + 1
		}
	}
	return from, runes
}

// after returns the end of a passage at the end of a word, at most the given number of code
// points after another word.
func after(text string, word, most int) int {
	to, at := word, word
	for range most {
		if at == len(text) {
			return at
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == ' ' || IsUnspaced(r) {
			to = at
		}
		at += size
	}
	if at == len(text) || text[at] == ' ' {
		return at
	}
	return to
}
