package match

// A Field is one of what a Document of a Cluster has.
type Field string

// The Fields of terms.
const (
	// Words are all words of a listing.
	Words Field = "w"
	// Own are the words that a listing says of itself, and not that they are absent.
	Own Field = "o"
	// Exact are what the whole of a name or an SKU is, and by what a seller is to be found.
	Exact Field = "e"
	// Beginnings are the words of a name, and the name as one word.
	Beginnings Field = "b"
)

// Terms are listings, told by what they hold: a term, what begins like it, any or all of
// several, or by their numbers. With none of these they are none.
type Terms struct {
	Field Field
	Text  string
	// Prefix: what begins like the text.
	Prefix bool
	Any    []WeightedTerms
	All    []*Terms
	// Numbers are those of listings that no term tells of.
	Numbers []uint32
}

// WeightedTerms are Terms that count less than a word as it was typed.
type WeightedTerms struct {
	*Terms
	Factor float64
}

func (p *Postings) saidBy(t *Terms) *Postings {
	p.Terms = t
	return p
}

// anyOf says in terms what a union holds.
func anyOf(lists []weighted) *Terms {
	t := &Terms{Any: make([]WeightedTerms, len(lists))}
	for i, l := range lists {
		t.Any[i] = WeightedTerms{l.Terms, l.factor}
	}
	return t
}
