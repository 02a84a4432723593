package question

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"souk/build/index/text"
	"souk/build/kit/fold"
)

// A role is the function of a phrase in a text. languages/README.md describes each.
type role uint8

const (
	under role = iota
	over
	atMost
	atLeast
	underBehind
	overBehind
	atMostBehind
	atLeastBehind
	less
	more
	measured
	money
	than
	between
	spanTo
	rangeTo
	around
	of
	aged
	or
	and
	but
	located
	near
	outside
	by
	without
	no
	not
	doNot
	nor
	idiom
	light
	vague
	verbEnding
	article
	similar
	like
	alternatives
	anything
	compare
	comparedTo
	versus
	speaks
	speaksEnding
	inLanguage
	onsite
	per
	unitOf
	rateOf
	services
	products
	service
	product
)

// roleNames are the keys of the files of languages, in the order of the roles.
var roleNames = [...]string{
	"under", "over", "at most", "at least", "under behind", "over behind", "at most behind", "at least behind", "less", "more", "of measure", "money", "than", "between", "to", "range to", "around", "of", "aged",
	"or", "and", "but", "in", "near", "outside", "by", "without", "no", "not", "do not", "nor", "idiom", "light", "vague", "verb ending", "article",
	"similar", "like", "alternatives", "anything", "compare", "compared to", "versus", "speaks", "speaks ending", "in language", "onsite", "per", "unit", "rate", "services", "products", "service", "product",
}

// A phrase is folded words with a role. Some roles have an argument: the measure that less and
// more compare, or the unit of a price.
type phrase struct {
	words    []string
	role     role
	argument string
}

// A Table contains the phrases of English and of the language of a market.
type Table struct {
	// phrases are by their first word, the longest first.
	phrases map[string][]*phrase
	// endings are the endings of verbs, and of words for speakers of a language.
	endings map[role][]string
	// comma means that the language has a decimal comma.
	comma bool
}

//go:embed languages/*.txt nations.txt money.txt measures.txt
var files embed.FS

// entries calls yield with each key and phrase of a file.
func entries(name string, yield func(key, phrase string)) {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the file is built in
	}
	for line := range strings.Lines(string(content)) {
		key, phrases, is := strings.Cut(strings.TrimSpace(line), ":")
		if !is || strings.HasPrefix(key, "#") {
			continue
		}
		for one := range strings.SplitSeq(phrases, " | ") {
			if one = strings.TrimSpace(one); one != "" {
				yield(key, one)
			}
		}
	}
}

// A dataset maps the words in a file, in compact form, to their meaning.
func dataset(name string) map[string][]string {
	set := map[string][]string{}
	entries(name, func(key, phrase string) {
		list := []string{phrase}
		if strings.HasSuffix(phrase, "sch") {
			for _, ending := range [...]string{"e", "en", "er", "es"} {
				list = append(list, phrase+ending)
			}
		}
		for _, one := range list {
			for _, spelling := range spellings(one) {
				if !slices.Contains(set[spelling], key) {
					set[spelling] = append(set[spelling], key)
				}
			}
		}
	})
	return set
}

var (
	nations  = sync.OnceValue(func() map[string][]string { return dataset("nations.txt") })
	measures = sync.OnceValue(func() map[string][]string { return dataset("measures.txt") })
)

// usual are the measures that an amount without further words belongs to, by dimension.
var usual = map[string]string{"mass": "weight"}

// spellings returns a phrase folded, and with umlauts as two letters if it has any.
func spellings(phrase string) []string {
	list := []string{fold.Text(phrase)}
	if digraphs := text.Digraphs(phrase); digraphs != "" {
		list = append(list, fold.Text(digraphs))
	}
	return list
}

// NewTable returns the phrases of a language, a BCP 47 tag, and of English. A language without
// a file has only the English ones.
func NewTable(tag string) *Table {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	t := &Table{phrases: map[string][]*phrase{}, endings: map[role][]string{}, comma: !slices.Contains([]string{"", "en", "zh", "ja", "ko", "th", "he"}, base)}
	for _, language := range tagsOf(base) {
		t.read("languages/" + language + ".txt")
		for key, phrase := range text.Denials(language) {
			if at := slices.Index(roleNames[:], key); at >= 0 {
				t.add(role(at), "", phrase)
			}
		}
	}
	entries("money.txt", func(code, phrase string) { t.add(money, code, phrase) })
	for _, list := range t.phrases {
		slices.SortStableFunc(list, func(a, b *phrase) int { return len(b.words) - len(a.words) })
	}
	return t
}

// tagsOf returns English and the language of a market, if it has a file.
func tagsOf(base string) []string {
	if _, err := files.Open("languages/" + base + ".txt"); err != nil || base == "en" {
		return []string{"en"}
	}
	return []string{"en", base}
}

// read adds the phrases of a file. Comparing words precede an amount with a word for than
// after them, and follow an amount with a word for or before them.
func (t *Table) read(name string) {
	joiners := map[string][]string{}
	entries(name, func(key, phrase string) { joiners[key] = append(joiners[key], phrase) })
	entries(name, func(key, phrase string) {
		r, argument := roleOf(key)
		switch r {
		case less, more:
			for _, than := range joiners["than"] {
				t.add(under+r-less, argument, phrase+" "+than)
			}
			for _, or := range joiners["or"] {
				t.add(atMostBehind+r-less, argument, or+" "+phrase)
			}
		case verbEnding, speaksEnding:
			t.endings[r] = append(t.endings[r], fold.Text(phrase))
		default:
			t.add(r, argument, phrase)
		}
	})
}

// roleOf returns the role and argument that a key in a file names.
func roleOf(key string) (role, string) {
	if at := slices.Index(roleNames[:], key); at >= 0 {
		return role(at), ""
	}
	name, argument, _ := strings.Cut(key, " ")
	if name == "of" {
		return measured, argument
	}
	at := slices.Index(roleNames[:], name)
	if at < 0 {
		panic(fmt.Sprintf("question: no role %q", key))
	}
	return role(at), argument
}

func (t *Table) add(r role, argument, words string) {
	for _, spelling := range spellings(words) {
		var list []string
		for _, p := range pieces(spelling) {
			list = append(list, p.folded)
		}
		t.phrases[list[0]] = append(t.phrases[list[0]], &phrase{list, r, argument})
	}
}

// Or reports whether a folded word joins alternatives.
func (t *Table) Or(word string) bool {
	return slices.ContainsFunc(t.phrases[word], func(p *phrase) bool { return p.role == or && len(p.words) == 1 })
}

// Speaks reports whether a folded word is part of a phrase in any language, or names a
// currency, so that it is not a misspelling of another word.
func Speaks(word string) bool { return spoken()[word] }

var spoken = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	list, err := files.ReadDir("languages")
	if err != nil {
		panic(err)
	}
	for _, file := range list {
		language, _, _ := strings.Cut(file.Name(), ".")
		for _, some := range NewTable(language).phrases {
			for _, p := range some {
				if !slices.Contains([]role{anything, aged, measured, unitOf, rateOf, services, products, service, product, onsite, vague, light}, p.role) {
					for _, word := range p.words {
						words[word] = true
					}
				}
			}
		}
	}
	return words
})
