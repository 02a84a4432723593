package opensearch

import (
	"math"

	"souk/dynamic/search/cluster"
	"souk/dynamic/search/match"
)

const (
	// step is the value of a step of strictness: more than anything that orders the listings
	// within one. The largest sum is below 2^24, up to which a float represents every whole
	// number.
	step = 1 << 20
	// pinned is the minimum score of pinned listings, with a distance of two between
	// neighbours: above 2^24 a float represents every second whole number.
	pinned = 1 << 24
	// maxClauses is the maximum number of clauses in a query; OpenSearch allows 1024.
	maxClauses = 960
)

// others is the share that a lower-scoring form of a word adds. Constants are multiples that
// make it whole.
const (
	others = 0.25
	grain  = 4
)

// What words add, relative to their weight. The values are those of package search for the
// same purposes.
const (
	usualImpact = 0.8
	nameBonus   = 0.3
	coverBonus  = 0.6
	// heldBonus is what a word of a question adds wherever it occurs, so that listings with
	// more of the question come first.
	heldBonus   = 0.35
	strictWords = 3
	// prefixImpact is the weight of a word that only begins like a requested one.
	prefixImpact   = 0.4
	preferredBonus = 3
)

// scores builds the clauses that order the listings of a step.
type scores struct {
	conditions
	// unit is the value of a weight of one.
	unit float64
	// named is how many words count more in a name.
	named int
	list  []object
}

// unitOf returns the value of a weight of one, so that the total stays below a step.
func unitOf(q *cluster.Question) float64 {
	sum := 1.0
	for _, w := range q.Words {
		sum += w.Weight * (1 + others*float64(len(leaves(w.Terms, 1))) + heldBonus + nameBonus + coverBonus)
	}
	for range q.Preferred {
		sum += preferredBonus + sum
	}
	return min(1<<14, math.Floor((step-grain*maxClauses)/sum))
}

// constant returns a clause that adds a part of a weight.
func (s *scores) constant(filter object, part float64) object {
	return object{"constant_score": object{"filter": filter, "boost": grain * max(1, math.Floor(part*s.unit/grain))}}
}

// best adds the best of some clauses, and a share of the others.
func (s *scores) best(list []object, share float64) {
	if len(list) > 0 {
		s.list = append(s.list, object{"dis_max": object{"queries": list, "tie_breaker": share}})
	}
}

// scoring returns the clauses that order the listings of a step by the words.
func scoring(q *cluster.Question, used int) []object {
	s := &scores{conditions: conditions{used}, unit: unitOf(q)}
	sum := 0.0
	for _, w := range q.Words {
		sum += w.Weight
		if w.Named {
			s.named++
		}
	}
	for i := range q.Words {
		s.word(&q.Words[i])
	}
	for _, p := range q.Preferred {
		s.list = append(s.list, s.constant(s.leaf("terms", object{"f." + p.Filter: p.IDs}), preferredBonus+sum))
	}
	return s.list
}

// word adds a word with all its equivalents. If there are too many clauses, all listings with
// it count the same.
func (s *scores) word(w *cluster.WordWeight) {
	var list []object
	var plain []match.WeightedTerms
	for _, leaf := range leaves(w.Terms, 1) {
		switch {
		case leaf.Field == match.Words && !leaf.Prefix:
			plain = append(plain, leaf)
		case s.clauses < maxClauses:
			list = append(list, s.constant(s.of(leaf.Terms), leaf.Factor*prefixImpact*w.Weight))
		}
	}
	var typed, all []string
	for _, leaf := range plain {
		all = append(all, leaf.Text)
		if leaf.Factor == 1 {
			typed = append(typed, leaf.Text)
		}
	}
	question := s.named > strictWords
	if len(all) > 0 && question {
		s.list = append(s.list, s.constant(s.leaf("terms", object{"w": all}), w.Weight*heldBonus))
	}
	switch {
	case len(all) == 0:
	case !question && s.clauses+impactBits*len(plain) <= maxClauses:
		for _, leaf := range plain {
			list = append(list, s.impact(leaf.Text, leaf.Factor*w.Weight))
		}
	case s.clauses+degrees*len(plain) <= maxClauses:
		list = s.degrees(list, plain, w.Weight)
	default:
		list = append(list, s.constant(s.leaf("terms", object{"w": all}), w.Weight/2))
	}
	if question {
		s.best(list, 0)
	} else {
		s.best(list, others)
	}
	if w.Named && len(typed) > 0 && s.clauses+lengths <= maxClauses {
		s.name(w.Weight, typed)
	}
}

// impact adds up to the importance of a word.
func (s *scores) impact(word string, weight float64) object {
	sum := make([]object, impactBits)
	for bit := range sum {
		sum[bit] = s.constant(s.leaf("term", object{"i": graded(word, bit)}), weight*float64(int(1)<<bit)/(1<<impactBits))
	}
	return object{"bool": object{"should": sum}}
}

// degrees adds to a list what words with the same factor add in each degree.
func (s *scores) degrees(list []object, words []match.WeightedTerms, weight float64) []object {
	for len(words) > 0 {
		factor := words[0].Factor
		var same []string
		var others []match.WeightedTerms
		for _, w := range words {
			if w.Factor == factor {
				same = append(same, w.Text)
			} else {
				others = append(others, w)
			}
		}
		words = others
		for degree := range degrees {
			list = append(list, s.constant(s.leaf("terms", object{"d": all(same, degree)}), weight*factor*shareOf(degree)))
		}
	}
	return list
}

// name adds what a word in the name adds: the more of the name is requested, the more.
func (s *scores) name(weight float64, words []string) {
	if s.named > strictWords {
		var terms []string
		for length := range lengths {
			terms = append(terms, all(words, length+1)...)
		}
		s.list = append(s.list, s.constant(s.leaf("terms", object{"t": terms}), weight*usualImpact*nameBonus))
		return
	}
	var list []object
	for length := 1; length <= lengths; length++ {
		cover := min(1, float64(s.named)/float64(length))
		list = append(list, s.constant(s.leaf("terms", object{"t": all(words, length)}), weight*usualImpact*(nameBonus+coverBonus*cover)))
	}
	s.best(list, 0)
}

// all returns the words of a degree.
func all(words []string, degree int) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = graded(w, degree)
	}
	return list
}
