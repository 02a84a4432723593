package document

import (
	"encoding/json"
	"slices"
)

// The types in this file are the public documents. The doc tags describe each field and become
// part of the OpenAPI description. A field without omitempty is always present, and lists are
// never null.

// Link links to one item of the marketplace.
type Link struct {
	Kind        string `json:"kind" doc:"The kind of item: seller, product, service, category, article or marketMap; categoryRoot; or a list, such as sellerList."`
	RootKind    string `json:"rootKind,omitempty" doc:"For a category or a root: product or service."`
	CompanySlug string `json:"companySlug,omitempty" doc:"For a product or service: its seller."`
	Slug        string `json:"slug" doc:"Its name in addresses, unique within its kind and, for a product or service, its seller."`
	Name        string `json:"name" doc:"Its name or title."`
	URL         string `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL      string `json:"apiUrl" doc:"Its document in this API." jsonschema:"format=uri"`
	Rel         string `json:"rel,omitempty" doc:"In related: the kind of relation." jsonschema:"enum=related,enum=worksWith,enum=alternativeTo,enum=requires,enum=partOf,enum=successorOf,enum=serviceFor,enum=requiredBy,enum=hasPart,enum=succeededBy,enum=servicedBy,enum=mentions,enum=mentionedIn,enum=mapped" schema:"Rel"`
}

// CountedLink is a Link to a Category with the numbers of its listings and companies.
type CountedLink struct {
	Link
	ListingCount int `json:"listingCount" doc:"Current listings in the category and its descendants."`
	CompanyCount int `json:"companyCount" doc:"Current companies that name the category or a descendant, or have a listing there."`
}

// Empty reports whether the category is empty.
func (l CountedLink) Empty() bool { return l.ListingCount+l.CompanyCount == 0 }

// CategoryTree is a Category with everything below it.
type CategoryTree struct {
	CountedLink
	Children []CategoryTree `json:"children" doc:"The direct subcategories, in their order."`
}

// Image is the picture of a card.
type Image struct {
	URL    string `json:"url" doc:"The picture's address." jsonschema:"format=uri"`
	Alt    string `json:"alt" doc:"A text alternative."`
	Width  int    `json:"width,omitempty" doc:"In pixels. Absent if unknown."`
	Height int    `json:"height,omitempty" doc:"As width."`
	// Renditions are absent, not empty: most pictures have none.
	Renditions []Rendition `json:"variants,omitempty" doc:"Smaller versions, narrowest first, for srcset."`
}

// Rendition is a smaller version of a picture.
type Rendition struct {
	URL    string `json:"url" doc:"Its address; content-addressed." jsonschema:"format=uri"`
	Width  int    `json:"width" doc:"In pixels: 320, 640 or 1280."`
	Height int    `json:"height" doc:"In pixels."`
	Bytes  int64  `json:"bytes" doc:"Size of the file; less than that of the next wider version."`
}

// Media is a picture.
type Media struct {
	URL    string `json:"url" doc:"The picture's address; content-addressed if the marketplace serves it." jsonschema:"format=uri"`
	Alt    string `json:"alt" doc:"A text alternative."`
	Type   string `json:"type,omitempty" doc:"Media type, such as image/png. Absent for a picture on another site."`
	Width  int    `json:"width,omitempty" doc:"In pixels. Absent if unknown."`
	Height int    `json:"height,omitempty" doc:"As width."`
	Bytes  int64  `json:"bytes,omitempty" doc:"Size of the file. Absent for a picture on another site."`
	// Renditions are like those of an Image.
	Renditions []Rendition `json:"variants,omitempty" doc:"Smaller versions, narrowest first, for srcset."`
}

// Price is an amount of money.
type Price struct {
	Amount   string `json:"amount" doc:"A decimal number as a string, so that no digit is lost." jsonschema:"pattern=^[0-9]+(\\.[0-9]+)?$"`
	Currency string `json:"currency" doc:"ISO 4217, as in EUR."`
	Unit     string `json:"unit,omitempty" doc:"What the price is for, such as hour."`
	From     bool   `json:"from,omitempty" doc:"true if it is the lowest of several."`
	List     string `json:"list,omitempty" doc:"The amount before a reduction; higher than amount."`
}

// Attribute is a named property.
type Attribute struct {
	Name   string   `json:"name" doc:"Its name."`
	Value  any      `json:"value,omitempty" doc:"Text, a number, true or false. Absent if there are values." schema:"PlainValue"`
	Values []string `json:"values,omitempty" doc:"The texts of a list."`
	Unit   string   `json:"unit,omitempty" doc:"The unit of a number, such as kg."`
}

// Variant is one form in which a product is sold.
type Variant struct {
	Name         string      `json:"name" doc:"The property that distinguishes it from the other variants."`
	SKU          string      `json:"sku,omitempty" doc:"The seller's article number."`
	GTIN         string      `json:"gtin,omitempty" doc:"The number under its bar code: 8, 12, 13 or 14 digits."`
	Attributes   []Attribute `json:"attributes" doc:"Properties of this variant, in the author's order."`
	Price        *Price      `json:"price,omitempty" doc:"The variant's own, or the product's."`
	Availability string      `json:"availability,omitempty" doc:"The variant's own, or the product's." jsonschema:"enum=inStock,enum=outOfStock,enum=preOrder,enum=onRequest,enum=discontinued" schema:"Availability"`
	Image        *Media      `json:"image,omitempty" doc:"A picture of it."`
}

// Proof is evidence for what a seller says about itself or its offers.
type Proof struct {
	Kind   string `json:"kind" doc:"The kind of proof." jsonschema:"enum=certification,enum=award,enum=customer,enum=caseStudy,enum=review,enum=publication"`
	Title  string `json:"title" doc:"A title of the proof."`
	Issuer string `json:"issuer,omitempty" doc:"Who vouches for it."`
	URL    string `json:"url,omitempty" doc:"Its address on the web." jsonschema:"format=uri"`
	Date   Date   `json:"date,omitempty" doc:"A day, or an RFC 3339 timestamp."`
}

// Action is something that a reader can do next.
type Action struct {
	Rel    string `json:"rel" doc:"Its effect: claim, requestRemoval, visitWebsite, contact, viewSeller or viewPage."`
	Method string `json:"method" doc:"The HTTP method."`
	Href   string `json:"href" doc:"Where to." jsonschema:"format=uri"`
	Title  string `json:"title" doc:"The text of a button."`
}

// Listing is the card of a Product or a Service.
type Listing struct {
	Kind         string      `json:"kind" doc:"product or service." jsonschema:"enum=product,enum=service"`
	CompanySlug  string      `json:"companySlug" doc:"Its seller."`
	Slug         string      `json:"slug" doc:"Unique within the kind and the seller."`
	Name         string      `json:"name" doc:"Its name."`
	Summary      string      `json:"summary,omitempty" doc:"A description in a sentence or two."`
	URL          string      `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL       string      `json:"apiUrl" doc:"Its document in this API." jsonschema:"format=uri"`
	Seller       Link        `json:"seller" doc:"Who offers it."`
	Categories   []Link      `json:"categories" doc:"Its categories, in the author's order."`
	Price        *Price      `json:"price,omitempty" doc:"What it costs."`
	Availability string      `json:"availability,omitempty" doc:"For a product: its availability." jsonschema:"enum=inStock,enum=outOfStock,enum=preOrder,enum=onRequest,enum=discontinued" schema:"Availability"`
	Image        *Image      `json:"image,omitempty" doc:"Its first picture, or the seller's logo."`
	Attributes   []Attribute `json:"attributes,omitempty" doc:"The attributes that its first category shows on cards."`
	Proof        []ProofNote `json:"proof,omitempty" doc:"Its first public proof, in the author's order; at most 3. Absent if there is none."`
	UpdatedAt    Date        `json:"updatedAt,omitempty" doc:"When its content last changed."`
}

// ProofNote is a Proof on a card.
type ProofNote struct {
	Kind   string `json:"kind" doc:"The kind of proof." jsonschema:"enum=certification,enum=award,enum=customer,enum=caseStudy,enum=review,enum=publication"`
	Title  string `json:"title" doc:"A title of the proof."`
	Issuer string `json:"issuer,omitempty" doc:"Who vouches for it."`
}

// Summary is the entry of an Article or a Market Map in its list.
type Summary struct {
	Kind        string   `json:"kind" doc:"article or marketMap." jsonschema:"enum=article,enum=marketMap"`
	Slug        string   `json:"slug" doc:"Unique within the kind."`
	Title       string   `json:"title" doc:"The headline."`
	Summary     string   `json:"summary,omitempty" doc:"A summary in a sentence or two."`
	URL         string   `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL      string   `json:"apiUrl" doc:"Its document in this API." jsonschema:"format=uri"`
	Authors     []string `json:"authors,omitzero" doc:"For an article: its authors."`
	Image       *Image   `json:"image,omitempty" doc:"For an article: its first picture that the marketplace serves."`
	PublishedAt Date     `json:"publishedAt,omitempty" doc:"When it became public."`
	UpdatedAt   Date     `json:"updatedAt,omitempty" doc:"When its content last changed."`
}

// ListingPage is the first page of a list of Listings.
type ListingPage struct {
	Total int       `json:"total" doc:"The number of items in the whole list."`
	Items []Listing `json:"items" doc:"Ordered by name ignoring case and accents, then name, then address; at most 100."`
	Next  string    `json:"next,omitempty" doc:"The document of the next page; absent if there is none." jsonschema:"format=uri"`
}

// ListingPageDocument is a page after the first of a list of Listings.
type ListingPageDocument struct {
	Kind     string    `json:"kind" doc:"page." jsonschema:"enum=page"`
	Of       Link      `json:"of" doc:"The owner of the list."`
	APIURL   string    `json:"apiUrl" doc:"This document." jsonschema:"format=uri"`
	Items    []Listing `json:"items" doc:"Ordered by name ignoring case and accents, then name, then address; at most 100."`
	Next     string    `json:"next,omitempty" doc:"The document of the next page; absent on the last page." jsonschema:"format=uri"`
	Previous string    `json:"previous,omitempty" doc:"The document of the previous page; on the second page, the main document." jsonschema:"format=uri"`
}

// SummaryPageDocument is a page after the first of the Articles or Market Maps.
type SummaryPageDocument struct {
	Kind     string    `json:"kind" doc:"page." jsonschema:"enum=page"`
	Of       Link      `json:"of" doc:"The list that it belongs to."`
	APIURL   string    `json:"apiUrl" doc:"This document." jsonschema:"format=uri"`
	Items    []Summary `json:"items" doc:"Newest first; at most 100."`
	Next     string    `json:"next,omitempty" doc:"The document of the next page; absent on the last page." jsonschema:"format=uri"`
	Previous string    `json:"previous,omitempty" doc:"The document of the previous page; on the second page, the list." jsonschema:"format=uri"`
}

// SummaryList is the list of the Articles or of the Market Maps.
type SummaryList struct {
	Kind   string    `json:"kind" doc:"articleList or marketMapList." jsonschema:"enum=articleList,enum=marketMapList"`
	Slug   string    `json:"slug" doc:"articles or market-maps."`
	Title  string    `json:"title" doc:"The headline of the list."`
	URL    string    `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL string    `json:"apiUrl" doc:"This document." jsonschema:"format=uri"`
	Total  int       `json:"total" doc:"The number of items in the whole list."`
	Items  []Summary `json:"items" doc:"Newest first; at most 100."`
	Next   string    `json:"next,omitempty" doc:"The document of the next page; absent if there is none." jsonschema:"format=uri"`
}

// Headquarters is the head office of a seller.
type Headquarters struct {
	City    string `json:"city,omitempty" doc:"The town."`
	Region  string `json:"region,omitempty" doc:"The state, province or canton."`
	Country string `json:"country,omitempty" doc:"ISO 3166-1 alpha-2, as in DE."`
}

// Contact is how to reach a company.
type Contact struct {
	Email     string         `json:"email,omitempty" doc:"Its email address for inquiries." jsonschema:"format=email"`
	Telephone string         `json:"telephone,omitempty" doc:"Its telephone number, as the author wrote it."`
	URL       string         `json:"url,omitempty" doc:"Its contact page." jsonschema:"format=uri"`
	Address   *PostalAddress `json:"address,omitempty" doc:"Its postal address."`
}

// PostalAddress is a postal address.
type PostalAddress struct {
	Street     string `json:"street,omitempty" doc:"Street and number."`
	PostalCode string `json:"postalCode,omitempty" doc:"The postal code."`
	City       string `json:"city,omitempty" doc:"The town."`
	Region     string `json:"region,omitempty" doc:"The state, province or canton."`
	Country    string `json:"country,omitempty" doc:"ISO 3166-1 alpha-2, as in DE."`
}

// LabelledURL is a link with a label.
type LabelledURL struct {
	Label string `json:"label" doc:"The text of the link."`
	URL   string `json:"url" doc:"The link's target." jsonschema:"format=uri"`
}

// File is a file to read or to print.
type File struct {
	Label    string `json:"label" doc:"What it is."`
	URL      string `json:"url" doc:"Its address; content-addressed." jsonschema:"format=uri"`
	Type     string `json:"type" doc:"Media type: application/pdf."`
	Bytes    int64  `json:"bytes" doc:"Size of the file."`
	Language string `json:"language,omitempty" doc:"Its language, a BCP 47 tag."`
}

// Detail is a fact with a label.
type Detail struct {
	Label string `json:"label" doc:"Its name."`
	Value string `json:"value" doc:"The detail itself."`
}

// Seller is a Seller Profile: the selected version of a company's identity,
// and what it offers.
type Seller struct {
	Kind         string        `json:"kind" doc:"seller." jsonschema:"enum=seller"`
	Slug         string        `json:"slug" doc:"The companySlug."`
	Name         string        `json:"name" doc:"The company's name."`
	LegalName    string        `json:"legalName,omitempty" doc:"Its registered name."`
	Tagline      string        `json:"tagline,omitempty" doc:"A short description, in half a line."`
	Summary      string        `json:"summary,omitempty" doc:"A description in a sentence or two."`
	URL          string        `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL       string        `json:"apiUrl" doc:"This document's current address, also if it is read at a former one." jsonschema:"format=uri"`
	Website      string        `json:"website,omitempty" doc:"The company's own website." jsonschema:"format=uri"`
	Founded      int           `json:"founded,omitempty" doc:"Year in which it was founded."`
	Employees    any           `json:"employees,omitempty" doc:"The number of employees, or a range as text." jsonschema:"oneof_type=integer;string"`
	Headquarters *Headquarters `json:"headquarters,omitempty" doc:"The location of its head office."`
	Logo         *Media        `json:"logo,omitempty" doc:"Its logo."`
	Languages    []string      `json:"languages" doc:"Languages spoken with customers, as BCP 47 tags."`
	Links        []LabelledURL `json:"links" doc:"Other pages of the company."`
	Description  string        `json:"description,omitempty" doc:"Markdown."`
	Pictures     []Media       `json:"descriptionMedia,omitempty" doc:"The pictures in the description."`
	Categories   []Link        `json:"categories" doc:"Its categories."`
	Contact      *Contact      `json:"contact,omitempty" doc:"How to reach the company."`
	Details      []Detail      `json:"details" doc:"Further facts, in the author's order."`
	Proof        []Proof       `json:"proof" doc:"Evidence for claims about the company."`
	ListingCount int           `json:"listingCount" doc:"The number of its products and services."`
	Products     ListingPage   `json:"products" doc:"The first page of its products."`
	Services     ListingPage   `json:"services" doc:"The first page of its services."`
	Related      []Link        `json:"related" doc:"Items that the profile refers to, then items that refer to it; at most 100."`
	Actions      []Action      `json:"actions" doc:"Actions that a reader can take next."`
	UpdatedAt    Date          `json:"updatedAt,omitempty" doc:"When its content last changed."`
	// Domain is the official domain as people write it. Only the forms of claims and removals
	// show it.
	Domain string `json:"-"`
}

// Can reports whether a reader can do something.
func (s Seller) Can(rel string) bool {
	return slices.ContainsFunc(s.Actions, func(a Action) bool { return a.Rel == rel })
}

// offer has the fields that Products and Services share.
type offer struct {
	Slug        string        `json:"slug" doc:"Unique within the kind and the seller."`
	CompanySlug string        `json:"companySlug" doc:"Its seller."`
	Name        string        `json:"name" doc:"Its name."`
	Summary     string        `json:"summary,omitempty" doc:"A description in a sentence or two."`
	URL         string        `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL      string        `json:"apiUrl" doc:"This document's current address, also if it is read at a former one." jsonschema:"format=uri"`
	Description string        `json:"description,omitempty" doc:"Markdown."`
	Pictures    []Media       `json:"descriptionMedia,omitempty" doc:"The pictures in the description that are not in media."`
	Seller      Link          `json:"seller" doc:"Who offers it."`
	Categories  []Link        `json:"categories" doc:"Its categories, in the author's order."`
	Price       *Price        `json:"price,omitempty" doc:"What it costs."`
	Attributes  []Attribute   `json:"attributes" doc:"Its properties, in the author's order."`
	Media       []Media       `json:"media" doc:"Its pictures, in the author's order."`
	Website     string        `json:"website,omitempty" doc:"Its page on the seller's website." jsonschema:"format=uri"`
	Links       []LabelledURL `json:"links,omitempty" doc:"Other pages about it. Absent if there are none."`
	Files       []File        `json:"files,omitempty" doc:"Files such as data sheets, in the author's order. Absent if there are none."`
	Proof       []Proof       `json:"proof" doc:"Evidence for claims about it."`
	Related     []Link        `json:"related" doc:"Items that it refers to, then items that refer to it; at most 100."`
	Actions     []Action      `json:"actions" doc:"Actions that a reader can take next."`
	UpdatedAt   Date          `json:"updatedAt,omitempty" doc:"When its content last changed."`
	// By has what pages show of the seller: its name, address, tagline, logo, head office,
	// languages and first proof.
	By Seller `json:"-"`
}

// Product is the page of a Product.
type Product struct {
	Kind string `json:"kind" doc:"product." jsonschema:"enum=product"`
	offer
	SKU          string    `json:"sku,omitempty" doc:"The seller's article number."`
	GTIN         string    `json:"gtin,omitempty" doc:"The number under its bar code: 8, 12, 13 or 14 digits."`
	Availability string    `json:"availability,omitempty" doc:"Its availability." jsonschema:"enum=inStock,enum=outOfStock,enum=preOrder,enum=onRequest,enum=discontinued" schema:"Availability"`
	Variants     []Variant `json:"variants" doc:"Its variants, in the author's order."`
}

// Service is the page of a Service.
type Service struct {
	Kind string `json:"kind" doc:"service." jsonschema:"enum=service"`
	offer
	Delivery string   `json:"delivery,omitempty" doc:"Where the work is done." jsonschema:"enum=remote,enum=onsite,enum=hybrid"`
	Regions  []string `json:"regions" doc:"The regions where it is offered."`
}

// CategoryPage is the page of a category slug, under whichever roots.
type CategoryPage struct {
	Kind    string        `json:"kind" doc:"categoryPage." jsonschema:"enum=categoryPage"`
	Slug    string        `json:"slug" doc:"The slug that its types share."`
	Name    string        `json:"name" doc:"The name of the first of its types."`
	Summary string        `json:"summary,omitempty" doc:"The summary of the first of its types that has one."`
	URL     string        `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL  string        `json:"apiUrl" doc:"This document's current address, also if it is read at a former one." jsonschema:"format=uri"`
	Types   []CountedLink `json:"types" doc:"The typed Categories of this slug, product before service."`
	Related []Link        `json:"related" doc:"Items that its types refer to or that refer to them; at most 100."`
}

// Category is a typed Category.
type Category struct {
	Kind           string         `json:"kind" doc:"category." jsonschema:"enum=category"`
	RootKind       string         `json:"rootKind" doc:"The root that it is under." jsonschema:"enum=product,enum=service" schema:"RootKind"`
	Slug           string         `json:"slug" doc:"Unique under its root."`
	Name           string         `json:"name" doc:"Its name."`
	Summary        string         `json:"summary,omitempty" doc:"A summary of its contents."`
	Description    string         `json:"description,omitempty" doc:"Markdown."`
	Pictures       []Media        `json:"descriptionMedia,omitempty" doc:"The pictures in the description."`
	URL            string         `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL         string         `json:"apiUrl" doc:"This document's current address, also if it is read at a former one." jsonschema:"format=uri"`
	Parents        []Link         `json:"parents" doc:"All current ancestors, topmost first."`
	Children       []CountedLink  `json:"children" doc:"The direct subcategories, in their order."`
	ListingCount   int            `json:"listingCount" doc:"Current listings in it and its descendants."`
	Listings       ListingPage    `json:"listings" doc:"The first page of its listings, including its descendants' listings."`
	CompanyCount   int            `json:"companyCount" doc:"Current companies that name it or a descendant, or have a listing there."`
	Companies      CompanyPage    `json:"companies" doc:"The first page of these companies."`
	Countries      []CountryCount `json:"countries" doc:"The number of listings by the country of the seller's head office, most listings first. Listings of sellers that name no country are not counted."`
	PriceRanges    []PriceRange   `json:"priceRanges" doc:"The number of listings by price range: up to 8 contiguous ranges in each of up to 3 currencies, the currency with the most listings first. A price that is the lowest of several counts as its amount."`
	CardAttributes []string       `json:"cardAttributes,omitempty" doc:"The names of the attributes shown on the cards of listings whose first category this is. Absent if there are none."`
	Attributes     []AttributeUse `json:"attributes" doc:"The attributes by which the listings can be filtered, most frequent first, then by name; at most 50. A product also has the attributes of its variants. Names and values are compared without case and accents. An attribute with values of several types or dimensions is listed once for each."`
	Related        []Link         `json:"related" doc:"Items that it refers to, then items that refer to it; at most 100."`
	UpdatedAt      Date           `json:"updatedAt,omitempty" doc:"When its content last changed."`
}

// AttributeUse is an attribute that listings of a Category have.
type AttributeUse struct {
	Name   string           `json:"name" doc:"Its name in the most frequent spelling; to search for it, send attribute=name:value."`
	Type   string           `json:"type" doc:"The type of its values." jsonschema:"enum=text,enum=number,enum=boolean"`
	Unit   string           `json:"unit,omitempty" doc:"For numbers: the most frequent unit, such as kg. Values in other units of the dimension are converted."`
	Values []AttributeValue `json:"values,omitempty" doc:"For text and boolean: the most frequent values first, then by value; at most 20. Absent for text if more than 80 % of the values are distinct."`
	Min    json.Number      `json:"min,omitempty" doc:"For numbers: the minimum, in unit; rounded down if it is not a finite decimal."`
	Max    json.Number      `json:"max,omitempty" doc:"For numbers: the maximum, in unit; rounded up if it is not a finite decimal."`
	Count  int              `json:"count" doc:"The number of current listings that have it."`
}

// AttributeValue is a value of an attribute.
type AttributeValue struct {
	Value string `json:"value" doc:"The value to send to search after the name: a text in its most frequent spelling, or true or false."`
	Count int    `json:"count" doc:"The number of current listings that have it."`
}

// CountryCount is the number of a Category's listings in a country.
type CountryCount struct {
	Country      string `json:"country" doc:"ISO 3166-1 alpha-2 code, such as DE; a value for the search parameter country."`
	ListingCount int    `json:"listingCount" doc:"Current listings of sellers with their head office there."`
}

// PriceRange is the number of a Category's listings in a range of prices.
type PriceRange struct {
	Currency     string `json:"currency" doc:"ISO 4217, as in EUR."`
	Min          string `json:"min" doc:"The lowest amount of the range, a decimal number as a string."`
	Max          string `json:"max" doc:"The lowest amount above the range."`
	ListingCount int    `json:"listingCount" doc:"Current listings with a price of at least min and less than max."`
}

// CategoryRoot is the tree of all Categories under one root.
type CategoryRoot struct {
	Kind       string         `json:"kind" doc:"categoryRoot." jsonschema:"enum=categoryRoot"`
	RootKind   string         `json:"rootKind" doc:"product or service." jsonschema:"enum=product,enum=service" schema:"RootKind"`
	Slug       string         `json:"slug" doc:"The rootKind."`
	Name       string         `json:"name" doc:"The root's name."`
	URL        string         `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL     string         `json:"apiUrl" doc:"This document." jsonschema:"format=uri"`
	Categories []CategoryTree `json:"categories" doc:"The top-level categories, in their order."`
}

// Article is an article with its Markdown.
type Article struct {
	Kind        string   `json:"kind" doc:"article." jsonschema:"enum=article"`
	Slug        string   `json:"slug" doc:"Unique among the articles."`
	Title       string   `json:"title" doc:"The headline."`
	Summary     string   `json:"summary,omitempty" doc:"A summary in a sentence or two."`
	URL         string   `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL      string   `json:"apiUrl" doc:"This document's current address, also if it is read at a former one." jsonschema:"format=uri"`
	Authors     []string `json:"authors" doc:"Its authors."`
	Source      string   `json:"source" doc:"The author's Markdown, with References and pictures turned into canonical URLs."`
	Media       []Media  `json:"media" doc:"Its pictures: first those that the author lists, then those that appear only in the text."`
	Related     []Link   `json:"related" doc:"Items that it refers or links to, then items that refer to it; at most 100."`
	PublishedAt Date     `json:"publishedAt,omitempty" doc:"When it became public."`
	UpdatedAt   Date     `json:"updatedAt,omitempty" doc:"When its content last changed."`
	Actions     []Action `json:"actions" doc:"Actions that a reader can take next."`
}

// MapEntry is a member of a segment.
type MapEntry struct {
	Link
	Note    string `json:"note,omitempty" doc:"The author's note."`
	Summary string `json:"summary,omitempty" doc:"The member's own summary. Absent in a map of more than 100 entries, like logo and image."`
	Logo    *Media `json:"logo,omitempty" doc:"For a seller: its logo."`
	Image   *Image `json:"image,omitempty" doc:"For a product or service: its first picture, or the seller's logo."`
}

// Segment is one group of a Market Map.
type Segment struct {
	Name     string     `json:"name" doc:"The name of the segment."`
	Summary  string     `json:"summary,omitempty" doc:"A summary of the segment."`
	Category *Link      `json:"category,omitempty" doc:"The corresponding category."`
	Entries  []MapEntry `json:"entries" doc:"Its current members, in the author's order."`
}

// MarketMap groups sellers, products and services into segments.
type MarketMap struct {
	Kind        string    `json:"kind" doc:"marketMap." jsonschema:"enum=marketMap"`
	Slug        string    `json:"slug" doc:"Unique among the market maps."`
	Title       string    `json:"title" doc:"The headline."`
	Summary     string    `json:"summary,omitempty" doc:"A summary of the map."`
	Description string    `json:"description,omitempty" doc:"Markdown."`
	Pictures    []Media   `json:"descriptionMedia,omitempty" doc:"The pictures in the description."`
	URL         string    `json:"url" doc:"Its canonical page." jsonschema:"format=uri"`
	APIURL      string    `json:"apiUrl" doc:"This document's current address, also if it is read at a former one." jsonschema:"format=uri"`
	Segments    []Segment `json:"segments" doc:"The groups, in the author's order."`
	Related     []Link    `json:"related" doc:"Items that it names as related, then items that refer to it; at most 100."`
	PublishedAt Date      `json:"publishedAt,omitempty" doc:"When it became public."`
	UpdatedAt   Date      `json:"updatedAt,omitempty" doc:"When its content last changed."`
	Actions     []Action  `json:"actions" doc:"Actions that a reader can take next."`
}

// Release describes the whole output of one build.
type Release struct {
	ID         string `json:"id" doc:"A digest of all documents."`
	Clock      string `json:"clock" doc:"The time at which the documents were current, RFC 3339 in UTC."`
	Documents  int    `json:"documents" doc:"The number of documents, including pictures and sitemaps."`
	Bytes      int64  `json:"bytes" doc:"Their total size, without compressed copies."`
	Preview    bool   `json:"preview,omitempty" doc:"True for a preview on its author's machine: its links point there, it may show drafts, and it is never published."`
	Publishing string `json:"publishing,omitempty" doc:"Present while another release is replacing this one, or if that was interrupted: documents may belong to either. The value is always unique."`
}

// Health reports whether the service is up.
type Health struct {
	Status  string            `json:"status" doc:"ok, or down." jsonschema:"enum=ok,enum=down"`
	Version string            `json:"version,omitempty" doc:"The server's version; absent on a static host."`
	Release string            `json:"release,omitempty" doc:"The id of the current release; absent on a static host."`
	Checks  map[string]string `json:"checks,omitempty" doc:"For each part, ok or an error; absent on a static host."`
}

// FieldError is one fault in a request.
type FieldError struct {
	Field   string `json:"field" doc:"The parameter or field."`
	Code    string `json:"code" doc:"A code for programs."`
	Message string `json:"message" doc:"A message for people: what is wrong and how to fix it."`
}

// Problem is the body of every error (RFC 9457).
type Problem struct {
	Type   string       `json:"type" doc:"about:blank: the status identifies the kind of problem."`
	Title  string       `json:"title" doc:"The status as text."`
	Status int          `json:"status" doc:"The HTTP status."`
	Detail string       `json:"detail" doc:"An explanation for people."`
	Code   string       `json:"code" doc:"A code for programs."`
	Errors []FieldError `json:"errors,omitempty" doc:"The individual errors."`
}
