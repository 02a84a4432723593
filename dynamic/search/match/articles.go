package match

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"souk/build/catalog"
	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
)

// newest is the order that breaks ties: newest first, those without a date last, then by
// address.
func newest(a, b corpus.Article) int {
	x, y := a.Head(), b.Head()
	return cmp.Or(
		y.PublishedAt.Time.Compare(x.PublishedAt.Time),
		cmp.Compare(x.Ref.Kind, y.Ref.Kind), x.Ref.ComparePath(y.Ref),
	)
}

// Articles finds Articles and Market Maps by their words, in memory. They belong to no seller,
// so no removal hides them.
type Articles struct {
	list []corpus.Article // newest first
	// words are the stems of all words; the postings of word i are
	// postings[first[i]:first[i+1]], in no particular order.
	words    text.Vocabulary
	postings []articlePosting
	first    []uint32
	// depth is how many bytes of each text are read.
	depth   int
	scratch sync.Pool
}

// An articlePosting encodes the number of an article, whether its title contains the word, and
// the impact of the word in seven bits.
type articlePosting uint32

const (
	impactBits                   = 7
	titled                       = articlePosting(1) << impactBits
	fullImpact                   = 1<<impactBits - 1
	deepest                      = 32 << 10
	fewArticles                  = 1 << 10
	weightTitle                  = 8
	weightArticleSummary         = 3
	weightText                   = 1
	usualText            float64 = 400 // words
)

func (p articlePosting) article() int { return int(p >> (impactBits + 1)) }

// depthOf returns how much of each of n texts is read: the more texts, the less, so that all
// of them stay within about 32 MB.
func depthOf(n int) int { return deepest >> bits.Len(uint(n/fewArticles)) }

// newArticles indexes articles. It reuses the previous index's data about unchanged articles,
// so that one edit costs one reading.
func newArticles(list []corpus.Article, l *text.Language, previous *Articles) *Articles {
	slices.SortFunc(list, newest)
	x := &Articles{list: list, depth: depthOf(len(list))}
	x.scratch.New = func() any { return &articleScratch{of: make([]articleScore, len(x.list))} }
	b := &articleBuilder{Articles: x, language: l, ids: map[string]uint32{}, stems: map[string]uint32{}}
	known := b.take(previous)
	for at := range list {
		if !known[at] {
			b.read(at)
		}
	}
	b.finish()
	return x
}

// hold reports whether an article contains a word in any form.
func (x *Articles) hold(word string, s *stems) bool { return x.words.Has(s.Of(word)) }

type articleBuilder struct {
	*Articles
	language *text.Language
	ids      map[string]uint32 // of stems
	stems    map[string]uint32 // of words
	found    []articleWord
	list     []text.Token
	of       map[uint32]*articleTerm
	length   int
}

type articleWord struct {
	id      uint32
	posting articlePosting
}

type articleTerm struct {
	weight  int
	inTitle bool
}

func (b *articleBuilder) id(stem string) uint32 {
	id, known := b.ids[stem]
	if !known {
		id = uint32(len(b.ids))
		b.ids[stem] = id
	}
	return id
}

// take reuses the data about unchanged articles, and returns which these are.
func (b *articleBuilder) take(previous *Articles) (known []bool) {
	known = make([]bool, len(b.Articles.list))
	if previous == nil || previous.depth != b.depth {
		return known
	}
	now := make(map[index.Digest]int, len(known))
	for at := range b.Articles.list {
		now[b.Articles.list[at].Digest] = at
	}
	to := make([]int, len(previous.list))
	for before := range previous.list {
		to[before] = -1
		if at, same := now[previous.list[before].Digest]; same {
			to[before], known[at] = at, true
		}
	}
	const rest = 1<<(impactBits+1) - 1
	for i := range previous.words.Len() {
		word := previous.words.At(i)
		for _, p := range previous.postings[previous.first[i]:previous.first[i+1]] {
			if at := to[p.article()]; at >= 0 {
				b.found = append(b.found, articleWord{b.id(word), articlePosting(at)<<(impactBits+1) | p&rest})
			}
		}
	}
	return known
}

// read finds the words of an article, including stop words, because a title may consist of
// them.
func (b *articleBuilder) read(at int) {
	h := b.Articles.list[at].Head()
	b.of, b.length = map[uint32]*articleTerm{}, 0
	b.add(h.Name, weightTitle, true)
	b.add(h.Summary, weightArticleSummary, false)
	if m, is := b.Articles.list[at].Item.(*catalog.MarketMap); is {
		// Entries and their notes are about sellers, who may be withheld.
		for _, s := range m.Segments {
			b.add(s.Name, weightArticleSummary, false)
			b.add(s.Summary, weightText, false)
		}
	}
	source := h.Description.Source
	if len(source) > b.depth {
		source = source[:strings.LastIndexAny(source[:b.depth], " \n")+1]
	}
	b.add(source, weightText, false)
	for id, term := range b.of {
		// The saturation and length normalisation of BM25.
		tf := float64(term.weight)
		impact := tf / (tf + 0.6 + 0.6*float64(b.length)/usualText)
		p := articlePosting(at)<<(impactBits+1) | articlePosting(max(1, impact*fullImpact))
		if term.inTitle {
			p |= titled
		}
		b.found = append(b.found, articleWord{id, p})
	}
}

func (b *articleBuilder) add(of string, weight int, inTitle bool) {
	b.list = text.Tokens(b.list[:0], of)
	b.length += len(b.list)
	for i, t := range b.list {
		b.word(t.Text, weight, inTitle)
		b.word(t.Digraphs, weight, inTitle)
		if inTitle && i > 0 && !t.Pair && !b.list[i-1].Pair {
			b.word(text.Join(b.list[i-1:i+1]), weight, inTitle)
			b.word(text.JoinDigraphs(b.list[i-1:i+1]), weight, inTitle)
		}
	}
}

func (b *articleBuilder) word(word string, weight int, inTitle bool) {
	if word == "" || len(word) > index.MaxWord {
		return
	}
	id, known := b.stems[word]
	if !known {
		id = b.id(b.language.Stem(word))
		b.stems[word] = id
	}
	term := b.of[id]
	if term == nil {
		term = &articleTerm{}
		b.of[id] = term
	}
	term.weight += weight
	term.inTitle = term.inTitle || inTitle
}

// finish sorts the words and groups the postings of each.
func (b *articleBuilder) finish() {
	x := b.Articles
	stems := slices.Sorted(maps.Keys(b.ids))
	x.words = text.NewVocabulary(slices.Values(stems))
	place := make([]uint32, len(b.ids))
	for at, stem := range stems {
		place[b.ids[stem]] = uint32(at)
	}
	x.first = make([]uint32, len(stems)+1)
	for _, f := range b.found {
		x.first[place[f.id]+1]++
	}
	for i := range stems {
		x.first[i+1] += x.first[i]
	}
	x.postings = make([]articlePosting, len(b.found))
	next := slices.Clone(x.first)
	for _, f := range b.found {
		at := place[f.id]
		x.postings[next[at]] = f.posting
		next[at]++
	}
}
