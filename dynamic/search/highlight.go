package search

import (
	"context"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/match"
)

const (
	// maxSnippet is the maximum length of a snippet, in characters.
	maxSnippet = 200
)

// A highlighter finds the words of a query in listings.
type highlighter struct {
	query *text.Asked
	// unfinished are texts that may be the beginning of a word in a name.
	unfinished, compact []string
}

// newHighlighter returns the highlighter of a query, or nil if it has no words. Rare words
// weigh most; corrections of a word count as the word.
func newHighlighter(ctx context.Context, x *match.Lexicon, r *match.ParsedQuery, u match.Understanding, v *corpus.Visibility) *highlighter {
	if len(r.Compacts) == 0 {
		return nil
	}
	h := &highlighter{query: text.NewAsked(x.Language), compact: r.Compacts}
	for i, w := range r.Words {
		if w.Stop {
			continue
		}
		weight := float32(1)
		if p, err := x.Inflected(ctx, w.Text, match.TypedForms); err == nil {
			weight = float32(x.Idf(v.Count(p.Docs), v))
		}
		words := []string{w.Text}
		for _, c := range slices.Concat(u.Corrected, u.Apart) {
			if c.Word == i {
				for _, to := range c.To {
					words = append(words, strings.Fields(to)...)
				}
			}
		}
		compounds, _ := x.Compounds(ctx, w.Text)
		h.query.Add(weight, words, slices.Concat(w.Others, compounds)...)
		if i == len(r.Words)-1 && r.Open {
			h.unfinished = append(h.unfinished, w.Text)
		}
	}
	return h
}

// of finds the words in an offer. It reads the description only for words that are neither in
// the name nor in the summary.
func (h *highlighter) of(o *catalog.Offer) *HitHighlight {
	if h == nil {
		return nil
	}
	// If no word is unfinished, only whole words match.
	unfinished, compact, whole := h.unfinished, h.compact, []string(nil)
	if len(unfinished) > 0 && slices.ContainsFunc(text.Tokens(nil, o.Name), func(t text.Token) bool { return t.Text == unfinished[0] }) {
		unfinished = nil
	}
	if len(unfinished) == 0 {
		compact, whole = nil, h.compact
	}
	marks := &HitHighlight{Name: joinedRanges(h.query.Marks(o.Name), text.Highlight(o.Name, unfinished, compact, whole))}
	summary := strings.Join(strings.Fields(o.Summary), " ")
	p := h.query.Passage(summary, maxSnippet)
	if source := o.Description.Source; source != "" && h.query.Lacks(o.Name, summary) {
		if d := h.query.Passage(source, maxSnippet); d.Weight > p.Weight {
			p = d
		}
	}
	marks.Snippet, marks.SnippetHighlight = p.Text, p.Marks
	return marks
}

// joinedRanges returns what either of two lists of ranges covers.
func joinedRanges(a, b [][2]int) [][2]int {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	list := [][2]int{}
	for _, r := range all {
		if n := len(list); n > 0 && r[0] <= list[n-1][1] {
			list[n-1][1] = max(r[1], list[n-1][1])
			continue
		}
		list = append(list, r)
	}
	return list
}
