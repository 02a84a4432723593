package text

import "unicode/utf8"

// A Passage is a part of a text around the words that were asked for.
type Passage struct {
	Text string
	// Marks are these words, in code points.
	Marks [][2]int
	// Weight is that of the different words in it.
	Weight float32
}

// The share of the room beside the words that is kept before them, and what marks
// a cut.
const (
	shareBefore = 3
	cutMark     = "…"
)

// Passage returns the part of a plain text of at most so many code points that has
// the most of the words by weight, the first of equal ones; the zero Passage if
// none is there. It is cut between words, and marked where it is.
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

// weigh returns the weight of the different words among mentions.
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

// window returns the first and the last of the mentions within so many code points
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
	// A word that occurs again behind the start is not needed there.
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

// before returns where a passage begins, at most so many code points before a word
// and at another word, and how many these are.
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

// after returns where a passage ends, at most so many code points behind a word and
// behind another one.
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
