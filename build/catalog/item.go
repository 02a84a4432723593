package catalog

import (
	"math"
	"slices"
	"strings"
	"time"

	"souk/build/internal/markdown"
	"souk/build/kit/fold"
	"souk/build/kit/theme"
)

// Position is a place in a content file; both numbers count from 1.
type Position struct{ Line, Column int }

// A Mention is a Reference and its position.
type Mention struct {
	Ref Ref
	At  Position
}

// A Relation says that an Item belongs with another, and how.
type Relation struct {
	Mention
	Rel Rel
}

// Rel is how one thing relates to another.
type Rel uint8

// The relations that an author may state, the default first; then their inverses, and the
// relations that follow from mentions.
const (
	RelRelated Rel = iota
	RelWorksWith
	RelAlternativeTo
	RelRequires
	RelPartOf
	RelSuccessorOf
	RelServiceFor
	RelRequiredBy
	RelHasPart
	RelSucceededBy
	RelServicedBy
	RelMentions
	RelMentionedIn
	RelMapped
)

var relNames = [...]string{
	RelRelated: "related", RelWorksWith: "worksWith", RelAlternativeTo: "alternativeTo", RelRequires: "requires", RelPartOf: "partOf",
	RelSuccessorOf: "successorOf", RelServiceFor: "serviceFor", RelRequiredBy: "requiredBy", RelHasPart: "hasPart", RelSucceededBy: "succeededBy",
	RelServicedBy: "servicedBy", RelMentions: "mentions", RelMentionedIn: "mentionedIn", RelMapped: "mapped",
}

// String returns the name of the relation in content and documents.
func (r Rel) String() string { return relNames[r] }

// ParseRel returns the relation with a name, or RelRelated if there is none.
func ParseRel(name string) Rel { return Rel(max(0, slices.Index(relNames[:], name))) }

// Inverse returns the relation of the other item. A relation that follows from a mention has
// no inverse and is returned as it is.
func (r Rel) Inverse() Rel {
	switch r {
	case RelRequires:
		return RelRequiredBy
	case RelPartOf:
		return RelHasPart
	case RelSuccessorOf:
		return RelSucceededBy
	case RelServiceFor:
		return RelServicedBy
	default:
		return r // worksWith and alternativeTo are symmetric
	}
}

// Status is the editorial state of an Item.
type Status uint8

// The states; the zero value is the default.
const (
	Published Status = iota
	Draft
	Unpublished
)

// A Date is a day or a time as an author wrote it; the zero Date is none.
type Date struct {
	// Time is in UTC.
	Time time.Time
	// Day marks a date without a time of day; its Time is midnight UTC.
	Day bool
	// Offset is the author's time zone offset, in minutes east of UTC.
	Offset int
}

// String formats a day as 2006-01-02, a time as RFC 3339 in UTC, and the zero Date as "".
func (d Date) String() string {
	switch {
	case d.Time.IsZero():
		return ""
	case d.Day:
		return d.Time.Format(time.DateOnly)
	default:
		return d.Time.UTC().Format(time.RFC3339Nano)
	}
}

// Written formats a time as RFC 3339 with the author's offset, and anything else as String
// does.
func (d Date) Written() string {
	if d.Day || d.Offset == 0 {
		return d.String()
	}
	return d.Time.In(time.FixedZone("", d.Offset*60)).Format(time.RFC3339Nano)
}

// Text is Markdown together with the places where it names a Reference or a picture in the
// content folder.
type Text struct {
	Source  string
	Edits   []markdown.Edit
	Targets []Target
}

// Unlinked returns the Markdown in which each link to something that may cease to be public is
// reduced to its text, without address, title, label and definition. Pictures stay, without
// address.
func (t Text) Unlinked() string {
	return markdown.Apply(t.Source, t.Edits, func(i int) (string, bool) { return "", t.Targets[i].Image })
}

// A Target is what a place in a Text points to: a Ref, the picture File, or Web, a web address
// that may be that of a Seller or an offer here.
type Target struct {
	Ref  Ref
	File string
	Web  string
	// Alt is the alternative text if the picture is shown as an image.
	Alt   string
	Image bool
	At    Position
}

// A Picture is a logo or an item of media: a file in the content folder, or a web address.
type Picture struct {
	File string
	URL  string
	// Alt is set for media; the alternative text of a logo comes from the site's texts.
	Alt string
	At  Position
}

// An Attachment is a PDF in the content folder that an offer comes with.
type Attachment struct {
	File            string
	At              Position
	Label, Language string
}

// Media describes a picture file or a PDF, as determined from its bytes.
type Media struct {
	// Name is the content-addressed file name below public/media.
	Name   string
	Type   string
	Width  int
	Height int
	Bytes  int64
	// Renditions are its smaller renditions, the narrowest first.
	Renditions []Rendition
}

// A Rendition is a smaller version of a picture. Its Name is like that of Media. Two pictures
// can share a rendition.
type Rendition struct {
	Name          string
	Width, Height int
	Bytes         int64
}

// Names returns the public names of a picture and of its renditions.
func (m *Media) Names() []string {
	names := []string{m.Name}
	for _, r := range m.Renditions {
		names = append(names, r.Name)
	}
	return names
}

// Price is an amount of money: a decimal number as text, and an ISO 4217 code.
type Price struct {
	Amount   string
	Currency string
	Unit     string
	From     bool
	// List is the amount before a reduction, or "".
	List string
}

// ValueKind is the type of an attribute's value.
type ValueKind uint8

// The types of values.
const (
	TextValue ValueKind = iota
	NumberValue
	BooleanValue
)

// An Attribute is a named property of an offer. Value is a text, a JSON number, or true or
// false.
type Attribute struct {
	Name  string
	Value string
	Unit  string
	Kind  ValueKind
	// Listed marks a text of a list.
	Listed bool
	// Column and Line are the position of the name, in small types because there are many
	// attributes. A column beyond 65,535 is stored as 65,535.
	Column uint16
	Line   uint32
}

// Continues reports whether an attribute is a further text of the list that the one before it
// is of.
func Continues(all []Attribute, at int) bool {
	return at > 0 && all[at].Listed && all[at-1].Listed && all[at].Name == all[at-1].Name
}

// At returns the position of the name.
func (a *Attribute) At() Position { return Position{int(a.Line), int(a.Column)} }

// A Variant is one of the forms in which a Product is sold.
type Variant struct {
	Name       string
	SKU        string
	SKUAt      Position
	GTIN       string
	Attributes []Attribute
	Price      *Price
	// Availability is its own, or "" for the Product's.
	Availability string
	Image        *Picture
}

// Proof is a public piece of evidence for a seller's claims. Private evidence
// is never read into the catalog, so nothing can show it.
type Proof struct {
	Kind   string
	Title  string
	Issuer string
	URL    string
	Date   Date
}

// A Labelled is a label with a value or a web address.
type Labelled struct{ Label, Value string }

// Headquarters is the location of a Seller's head office.
type Headquarters struct{ City, Region, Country string }

// Head has the fields that all kinds of Items share.
type Head struct {
	Ref  Ref
	File string
	// Name is the title of an Article or a Market Map.
	Name        string
	Summary     string
	Status      Status
	PublishedAt Date
	UpdatedAt   Date
	ExpiresAt   Date
	// Aliases are former References of the same thing, of its own kind.
	Aliases     []Mention
	Related     []Relation
	Keywords    []string
	Description Text
}

// Common returns h itself; by embedding Head, each kind becomes an Item.
func (h *Head) Common() *Head { return h }

// Marketplace is the settings of the marketplace itself.
type Marketplace struct {
	// File is the file that describes it.
	File         string
	Name         string
	SiteURL      string
	APIURL       string
	Description  Text
	Language     string
	ContactEmail string
	// Featured are shown first on the home page.
	Featured []Mention
	// NoClaims means that companies cannot claim their profiles.
	NoClaims bool
	// Join is where a company asks to be listed, or "".
	Join string
	// Texts are the operator's own wording of the site's texts, by language and
	// key.
	Texts map[string]map[string]string
	// Theme contains the operator's design. LogoAt and FontAt are the positions of its logo
	// and font.
	Theme          theme.Theme
	LogoAt, FontAt Position
}

// Summary returns the description without its links, so that it does not depend on what is
// current.
func (m *Marketplace) Summary() string { return markdown.Plain(m.Description.Source) }

// Synonyms are words and phrases that mean the same to search: a search for one of From also
// matches each of To. If they are symmetric, the two are equal.
type Synonyms struct{ From, To []string }

// Contact is how to reach a Seller; each field may be empty.
type Contact struct {
	Email, Telephone, URL string
	Address               *Address
}

// Address is a postal address; each field may be empty.
type Address struct{ Street, PostalCode, City, Region, Country string }

// Seller is a company, as the selected version of its identity describes it; the
// other versions are never read into the catalog.
type Seller struct {
	Head
	// ID is the canonical identity.
	ID   string
	IDAt Position
	// OfficialDomain and FormerDomains are in lower-case ASCII form. A Seller without an
	// OfficialDomain cannot be claimed or removed by mail.
	OfficialDomain string
	// DomainDerived means that an import derived OfficialDomain from the website.
	DomainDerived bool
	DomainAt      Position
	FormerDomains []string
	// ReplacesRemoved declares that this is a different company from the removed Seller that
	// had the companySlug before.
	ReplacesRemoved bool
	LegalName       string
	Tagline         string
	Website         string
	Founded         int
	FoundedAt       Position
	Employees       string
	Headquarters    *Headquarters
	Logo            *Picture
	Languages       []string
	Links           []Labelled
	Categories      []Mention
	Contact         *Contact
	Details         []Labelled
	Proof           []Proof
}

// Offer is a Product or a Service, according to Head.Ref.Kind.
type Offer struct {
	Head
	Categories []Mention
	SKU        string
	SKUAt      Position
	GTIN       string
	// Availability is of a Product: inStock, outOfStock, preOrder, onRequest,
	// discontinued or "".
	Availability string
	Website      string
	Links        []Labelled
	Files        []Attachment
	Variants     []Variant
	Price        *Price
	Attributes   []Attribute
	Media        []Picture
	Proof        []Proof
	Delivery     string
	Regions      []string
}

// Named returns the attributes of some names, in the order of the names. Names are compared
// without case and accents.
func (o *Offer) Named(names []string) (all []Attribute) {
	for _, name := range names {
		name = fold.Text(strings.TrimSpace(name))
		for _, a := range o.Attributes {
			if fold.Text(strings.TrimSpace(a.Name)) == name {
				all = append(all, a)
			}
		}
	}
	return all
}

// NoOrder is the Order of an item without one; it comes last.
const NoOrder = math.MaxInt

// Category groups offers of one root kind.
type Category struct {
	Head
	Parent   *Mention
	Synonyms []string
	// Order is the author's, or NoOrder.
	Order int
	// Pins are the listings that come first in a search within the Category, as long as they
	// are in it.
	Pins []Mention
	// CardAttributes are the names of the attributes that cards of its listings show.
	CardAttributes []string
}

// Article is editorial content; its text is Head.Description.
type Article struct {
	Head
	Authors []string
	Media   []Picture
}

// MarketMap groups Sellers, Products and Services into segments.
type MarketMap struct {
	Head
	Segments []Segment
}

// Segment is one group of a MarketMap.
type Segment struct {
	Name     string
	Summary  string
	Category *Mention
	Entries  []Entry
}

// Entry is one member of a Segment.
type Entry struct {
	Mention
	Note string
}

// Item is anything with an address in the marketplace: *Seller, *Offer, *Category, *Article,
// *MarketMap, *OwnPage or *OwnFile, or a *Packed that contains one of them.
type Item interface {
	Common() *Head
	// mentions calls yield for each Reference in the file, in order. names is set if the
	// target lists this Item as related.
	mentions(yield func(m Mention, names bool))
	// pictures calls yield for each picture file that the Item shows.
	pictures(yield func(file string, at Position))
}

func (h *Head) mentionRelated(yield func(Mention, bool)) {
	for _, r := range h.Related {
		yield(r.Mention, true)
	}
}

func (t *Text) mentions(names bool, yield func(Mention, bool)) {
	for _, target := range t.Targets {
		if target.Ref.Kind != KindNone {
			yield(Mention{target.Ref, target.At}, names)
		}
	}
}

func mentionAll(list []Mention, yield func(Mention, bool)) {
	for _, m := range list {
		yield(m, false)
	}
}

func (s *Seller) mentions(yield func(Mention, bool)) {
	s.mentionRelated(yield)
	mentionAll(s.Categories, yield)
	s.Description.mentions(false, yield)
}

func (o *Offer) mentions(yield func(Mention, bool)) {
	o.mentionRelated(yield)
	mentionAll(o.Categories, yield)
	o.Description.mentions(false, yield)
}

func (c *Category) mentions(yield func(Mention, bool)) {
	c.mentionRelated(yield)
	if c.Parent != nil {
		yield(*c.Parent, false)
	}
	mentionAll(c.Pins, yield)
	c.Description.mentions(false, yield)
}

func (a *Article) mentions(yield func(Mention, bool)) {
	a.mentionRelated(yield)
	a.Description.mentions(true, yield)
}

func (m *MarketMap) mentions(yield func(Mention, bool)) {
	m.mentionRelated(yield)
	for _, s := range m.Segments {
		if s.Category != nil {
			yield(*s.Category, true)
		}
		for _, e := range s.Entries {
			yield(e.Mention, true)
		}
	}
	m.Description.mentions(false, yield)
}

func (t *Text) pictures(yield func(string, Position)) {
	for _, target := range t.Targets {
		if target.File != "" {
			yield(target.File, target.At)
		}
	}
}

func pictureAll(list []Picture, yield func(string, Position)) {
	for _, p := range list {
		if p.File != "" {
			yield(p.File, p.At)
		}
	}
}

func (s *Seller) pictures(yield func(string, Position)) {
	if s.Logo != nil && s.Logo.File != "" {
		yield(s.Logo.File, s.Logo.At)
	}
	s.Description.pictures(yield)
}

func (o *Offer) pictures(yield func(string, Position)) {
	pictureAll(o.Media, yield)
	for _, f := range o.Files {
		if f.File != "" {
			yield(f.File, f.At)
		}
	}
	for i := range o.Variants {
		if p := o.Variants[i].Image; p != nil && p.File != "" {
			yield(p.File, p.At)
		}
	}
	o.Description.pictures(yield)
}

func (c *Category) pictures(yield func(string, Position)) { c.Description.pictures(yield) }

func (a *Article) pictures(yield func(string, Position)) {
	pictureAll(a.Media, yield)
	a.Description.pictures(yield)
}

func (m *MarketMap) pictures(yield func(string, Position)) { m.Description.pictures(yield) }
