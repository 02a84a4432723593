package match

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"souk/build/document"
	"souk/build/index/text"
)

// maxArticles is the maximum number of articles in a response.
const maxArticles = 5

// An articleScore is how much of a text an article contains, by the inverse document
// frequencies of the words, and its score.
type articleScore struct {
	score, held, inTitle float32
	// word is the last word counted, plus one; 0 for none.
	word int32
}

// An articleScratch is the working memory of one query.
type articleScratch struct {
	of      []articleScore
	touched []int
}

// Find returns the articles with the meaningful words of a text: all of up to three, otherwise
// at least half by weight. Articles with all of them in the title come first, then by score,
// date and address.
func (x *Articles) Find(r *ParsedQuery, l *text.Language) []document.FoundArticle {
	found := []document.FoundArticle{}
	if len(r.Compacts) == 0 || len(x.list) == 0 {
		return found
	}
	s := x.scratch.Get().(*articleScratch)
	defer x.scratch.Put(s)
	asked := float32(0)
	for i, w := range r.Words {
		if !w.Stop {
			asked += x.weigh(s, int32(i+1), x.postingsOf(w, l, i == len(r.Words)-1 && r.Open))
		}
	}
	// Sums of floats depend on the order of their parts in the last bits.
	const almost = 0.999
	least := asked / 2
	if r.Telling <= StrictWords {
		least = asked * almost
	}
	best := make([]articleFound, 0, maxArticles+1)
	for _, at := range s.touched {
		one := s.of[at]
		s.of[at] = articleScore{}
		if one.held < least {
			continue
		}
		f := articleFound{at, one.score, one.inTitle >= asked*almost}
		if to, _ := slices.BinarySearchFunc(best, f, compareFound); to < maxArticles {
			best = slices.Insert(best, to, f)
			best = best[:min(len(best), maxArticles)]
		}
	}
	s.touched = s.touched[:0]
	for _, f := range best {
		found = append(found, document.FoundArticle{Link: x.list[f.at].Link, Summary: x.list[f.at].Head().Summary})
	}
	return found
}

type articleFound struct {
	at    int
	score float32
	// whole means that its title contains all words.
	whole bool
}

func compareFound(a, b articleFound) int {
	if a.whole != b.whole {
		if a.whole {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at))
}

// weigh adds a word to the scores of its articles, and returns the weight.
func (x *Articles) weigh(s *articleScratch, word int32, lists [][]articlePosting) float32 {
	n, having := float64(len(x.list)), 0
	for _, list := range lists {
		having = max(having, len(list))
	}
	idf := float32(math.Log(1 + (n-float64(having)+0.5)/(float64(having)+0.5)))
	for _, list := range lists {
		for _, p := range list {
			one := &s.of[p.article()]
			switch one.word {
			case word:
				continue // another form of a word already counted
			case 0:
				s.touched = append(s.touched, p.article())
			}
			one.word = word
			one.held += idf
			one.score += idf * float32(p&fullImpact) / fullImpact
			if p&titled != 0 {
				one.inTitle += idf
			}
		}
	}
	return idf
}

// postingsOf returns the articles of a word and its equivalents. If no article has an
// unfinished word, it counts as a beginning.
func (x *Articles) postingsOf(w queryWord, l *text.Language, open bool) (lists [][]articlePosting) {
	for _, form := range append([]string{w.Text}, w.Others...) {
		if at, known := x.words.Find(l.Stem(form)); known {
			lists = append(lists, x.postings[x.first[at]:x.first[at+1]])
		}
	}
	if len(lists) == 0 && open && utf8.RuneCountInString(w.Text) > 2 {
		from, to := x.words.Span(w.Text)
		for at := from; at < to; at++ {
			lists = append(lists, x.postings[x.first[at]:x.first[at+1]])
		}
	}
	return lists
}
