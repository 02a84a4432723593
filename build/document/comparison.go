package document

import (
	"encoding/json"
	"net/http"
)

// CompareID is the ID of the Endpoint that compares Listings.
const CompareID = "compareListings"

// The limits of a comparison, in References.
const (
	MinCompared = 2
	MaxCompared = 8
)

// Comparison is the answer to a comparison of Listings.
type Comparison struct {
	Listings []Listing         `json:"listings" doc:"The cards of the listings that were found, in the requested order, without duplicates."`
	Rows     []ComparisonRow   `json:"rows" doc:"The attributes, in the order of the first listing that has them, then price, delivery and availability, if any listing has them."`
	Differs  []string          `json:"differs" doc:"The names and fields of the rows with different or missing cells, in the order of the rows."`
	Missing  []MissingCompared `json:"missing" doc:"The requested listings that are not public, in the requested order."`
}

// ComparisonRow is an attribute, or a field, of all listings of a Comparison.
type ComparisonRow struct {
	Name  string          `json:"name,omitempty" doc:"The attribute, as the first listing that has it writes it; absent for a field."`
	Field string          `json:"field,omitempty" doc:"The field of the listings' documents; absent for an attribute." jsonschema:"enum=price,enum=delivery,enum=availability" schema:"ComparedField"`
	Unit  string          `json:"unit,omitempty" doc:"The unit of all cells. Absent if the numbers have no unit, or if they cannot be converted to the first listing's unit as finite decimals; each cell then has its own unit."`
	Cells ComparisonCells `json:"cells" doc:"The value of each listing, in order: a ComparisonCell for an attribute, the document's value for a field, or null if it is missing."`
	// Differs means that two cells differ, or one is missing.
	Differs bool `json:"-"`
}

// ComparisonCells are the cells of a row. Each is a *ComparisonCell, a *Price, a string, or
// nil if the listing does not have it.
type ComparisonCells []any

// ComparisonCell is the attribute of one listing.
type ComparisonCell struct {
	Value    any       `json:"value,omitempty" doc:"Text, a number, true or false, as in the document; a converted number is in the unit of the row. Absent for a list." schema:"PlainValue"`
	Values   []string  `json:"values,omitempty" doc:"The texts of a list, in the author's order."`
	Unit     string    `json:"unit,omitempty" doc:"The unit of a number, if the row has no unit."`
	Original *Quantity `json:"original,omitempty" doc:"For a converted number: the value in the document."`
}

// Quantity is a number with its unit.
type Quantity struct {
	Value json.Number `json:"value" doc:"The number."`
	Unit  string      `json:"unit" doc:"Its unit, such as kg."`
}

// MissingCompared is a listing that cannot be compared.
type MissingCompared struct {
	Ref    string `json:"ref" doc:"The Reference, as it was sent."`
	Status string `json:"status" doc:"removed if its company was removed, so that its address answers 410; otherwise unknown." jsonschema:"enum=removed,enum=unknown" schema:"ComparedStatus"`
}

// comparePath is the path of a comparison below the API.
const comparePath = "/marketplace/listings/compare"

func compareEndpoint() Endpoint {
	return Endpoint{
		ID: CompareID, Method: http.MethodGet, Path: comparePath, Tag: tagCompare,
		Summary: "Compare products and services",
		Description: "Returns a table of 2 to 8 listings: a row for each attribute, then price, delivery and availability. Cells contain the values of the listings' documents, except that numbers are converted to the unit of the first listing in their row " +
			"if all of them are finite decimals in it; `original` keeps the document's value. Prices are not converted. Names and texts are compared ignoring case and accents, and lists ignoring their order. " +
			"Aliases are resolved, and duplicates are returned once.",
		Params: []Param{{
			Name: "ref", In: InQuery, Type: TypeString, Required: true, Repeat: true, Least: MinCompared, Most: MaxCompared,
			Pattern: "^(product|service):[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$", Example: []string{"product:a-company/arm-7", "product:another-company/arm-8"},
			Description: "The Reference of a listing: product or service, the `companySlug` and the `slug`. Repeat it for each of 2 to 8 listings.",
		}},
		Status: http.StatusOK, Response: Comparison{}, Answers: []Answer{{
			Status:      http.StatusNotModified,
			Description: "The answer has not changed: its `ETag` is the one in `If-None-Match`.",
		}}, Cache: SearchCache, Dynamic: true,
		Problems: []string{CodeInvalidParameter, CodeMethodNotAllowed, CodeUnavailable},
	}
}
