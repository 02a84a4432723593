package question

// An As is the way in which a part of a text was understood.
type As uint8

const (
	// Filter: Values of Filter are required, as if they had been sent.
	Filter As = iota
	// Preferred: listings with one of Values of Filter come first.
	Preferred
	// Excluded: listings with one of Values of Filter, or with all of Words, are excluded.
	Excluded
	// LeftOut: the part is not searched for.
	LeftOut
	// Similar: listings like Listings are requested, but not Listings themselves.
	Similar
	// Compared: Listings come first.
	Compared
)

// A Meaning is a part of a text that is not taken literally.
type Meaning struct {
	// From and To are the position of the part in the text, in bytes.
	From, To int
	As       As
	// Filter is the name of a filter of search, or City. Values are in the form of parameters;
	// a listing with any of them matches. Currency is that of a price.
	Filter   string
	Values   []string
	Currency string
	// Words are the folded words of a denial. A listing matches if it has all of them.
	Words []string
	// Listings are the listings that the part names, by the Market's numbers.
	Listings []uint32
}

// City is the Filter of a city or region of headquarters, which no parameter can filter by.
const City = "city"

// maxDenials is the maximum number of denials in a text that are understood.
const maxDenials = 4

// A Reading is the meaning of a text.
type Reading struct {
	// Rest is the text with spaces in place of the parts that were understood. Names is the
	// same, but with the names of Similar listings.
	Rest, Names string
	// Services means that the text asks for services, which may be offered where their sellers
	// are not.
	Services bool
	// Meanings are in the order of the text. They may overlap if several were read from one
	// part.
	Meanings []Meaning
}

// A Thing is the meaning of a name: a value of a filter, or of City.
type Thing struct{ Filter, Value string }

// A Market resolves the names and numbers in a text. Values that only withheld sellers have do
// not exist for it.
type Market interface {
	// Names returns everything whose full name is a text: countries, cities, regions, sellers
	// with listings, categories, attributes, and spoken languages.
	Names(text string) []Thing
	// Begun returns the sellers whose names begin with a text, if they are few.
	Begun(text string) []string
	// Listings returns the listings that a text names: by the full name or, unless whole is
	// set, a single listing by a part of it.
	Listings(text string, whole bool) []uint32
	// Says reports whether a listing contains the words of a text side by side; Called,
	// whether the name of a listing, a seller or a category does.
	Says(text string) bool
	Called(text string) bool
	// Currencies returns the currencies of all prices.
	Currencies() []string
	// Measured returns the names of the attributes that are numbers of a dimension; if the
	// text names categories, only those of their listings.
	Measured(dimension string) []string
	// Has reports whether any listing has a value of a filter, and returns the value in the
	// form of parameters.
	Has(filter, value string) (sent string, has bool)
	// Serves reports whether the text asks for services.
	Serves() bool
	// Asks reports whether a part of the text has meaning. Stop reports whether a folded word
	// has none, and Trades whether it is a word for sellers.
	Asks(text string) bool
	Stop(word string) bool
	Trades(word string) bool
	// Stem returns the common part of the forms of a folded word.
	Stem(word string) string
}
