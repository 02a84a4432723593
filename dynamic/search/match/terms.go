package match

// A Field is a field of a Document in a Cluster.
type Field string

// The Fields of terms.
const (
	// Words are all words of a listing.
	Words Field = "w"
	// Own are the own words of a listing.
	Own Field = "o"
	// Exact are whole names and SKUs, and the search words of sellers.
	Exact Field = "e"
	// Beginnings are the words of a name, and the name as one word.
	Beginnings Field = "b"
)

// Terms describe listings: by a term, a beginning, any or all of several terms, or their
// numbers. With none of these they describe no listing.
type Terms struct {
	Field Field
	Text  string
	// Prefix means that Text is a beginning.
	Prefix bool
	Any    []WeightedTerms
	All    []*Terms
	// Numbers are the numbers of listings that no term describes.
	Numbers []uint32
}

// WeightedTerms are Terms that count less than the typed word.
type WeightedTerms struct {
	*Terms
	Factor float64
}

func (p *Postings) saidBy(t *Terms) *Postings {
	p.Terms = t
	return p
}

// anyOf describes a union in terms.
func anyOf(lists []weighted) *Terms {
	t := &Terms{Any: make([]WeightedTerms, len(lists))}
	for i, l := range lists {
		t.Any[i] = WeightedTerms{l.Terms, l.factor}
	}
	return t
}
