package question

// An As is how a part of a text was understood.
type As uint8

const (
	// Filter: the part means Values of Filter, as if they had been sent.
	Filter As = iota
	// Preferred: what has one of Values of Filter comes first.
	Preferred
	// Excluded: what has one of Values of Filter is not wanted, or what has all of Words.
	Excluded
	// LeftOut: the part is not searched for.
	LeftOut
	// Similar: something like Listings is wanted, but not Listings themselves.
	Similar
	// Compared: Listings come first.
	Compared
)

// A Meaning is a part of a text that means something beyond its words.
type Meaning struct {
	// From and To are where the part is in the text, in bytes.
	From, To int
	As       As
	// Filter is the name of a filter of search, or City; Values are as they are sent. A
	// listing that has any of them has the meaning. Currency is that of a price.
	Filter   string
	Values   []string
	Currency string
	// Words are folded words of what is denied. A listing has them if it has them all.
	Words []string
	// Listings are those that the part names, by the numbers that the Market gave them.
	Listings []uint32
}

// City is the Filter of a city or a region of headquarters, which no request can filter by.
const City = "city"

// maxDenials is how many denials of a text are understood.
const maxDenials = 4

// A Reading is what a text means.
type Reading struct {
	// Rest is the text with spaces in place of what was understood. Names is the same, but
	// has the names of Similar listings.
	Rest, Names string
	// Services: the text asks for services, which are done elsewhere than their sellers are.
	Services bool
	// Meanings are in the order of the text. They may overlap where several were read from
	// one part.
	Meanings []Meaning
}

// A Thing is what a name stands for: a value of a filter, or of City.
type Thing struct{ Filter, Value string }

// A Market answers what the names and numbers of a text stand for. What only withheld sellers
// have is as if nobody had it.
type Market interface {
	// Names returns what a text is wholly a name of: countries, cities, regions, sellers with
	// listings, categories, names of attributes, and languages spoken.
	Names(text string) []Thing
	// Begun returns the sellers whose names begin with a text, if they are few.
	Begun(text string) []string
	// Listings returns the listings that a text names: by a whole name or, unless it has to be
	// one, of one listing alone by a part of it.
	Listings(text string, whole bool) []uint32
	// Says reports whether a listing has the words of a text side by side; Called, whether
	// a listing, a seller or a category has them so in its name.
	Says(text string) bool
	Called(text string) bool
	// Currencies returns the currencies of all prices.
	Currencies() []string
	// Measured returns the names of the attributes that are numbers of a dimension; where the
	// text names categories, of those that their listings have.
	Measured(dimension string) []string
	// Has reports whether anything has a value of a filter, and returns it as it is sent.
	Has(filter, value string) (sent string, has bool)
	// Serves reports whether the text asks for services.
	Serves() bool
	// Asks reports whether a part of the text asks for anything. Stop reports whether a
	// folded word has no meaning of its own, and Trades whether it is one for who trades.
	Asks(text string) bool
	Stop(word string) bool
	Trades(word string) bool
	// Stem returns what the forms of a folded word have in common.
	Stem(word string) string
}
