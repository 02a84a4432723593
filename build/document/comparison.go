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
	Listings []Listing         `json:"listings" doc:"The cards of those that were found, in the order asked for, each once."`
	Rows     []ComparisonRow   `json:"rows" doc:"Their attributes, in the order of the first listing that has each, then their price, delivery and availability, if any listing has it."`
	Differs  []string          `json:"differs" doc:"The names and fields of the rows in which two cells differ or one is missing, in the order of the rows."`
	Missing  []MissingCompared `json:"missing" doc:"What was asked for and is not public, in the order asked for."`
}

// ComparisonRow is an attribute, or a field, of all listings of a Comparison.
type ComparisonRow struct {
	Name  string          `json:"name,omitempty" doc:"The attribute, as the first listing that has it writes it; absent of a field."`
	Field string          `json:"field,omitempty" doc:"The field of the listings' documents; absent of an attribute." jsonschema:"enum=price,enum=delivery,enum=availability" schema:"ComparedField"`
	Unit  string          `json:"unit,omitempty" doc:"The unit of all cells. Absent where the numbers have none, or have units that do not convert to that of the first as finite decimals: then each cell has its own."`
	Cells ComparisonCells `json:"cells" doc:"What each of the listings has, in their order: of an attribute a ComparisonCell, of a field what the document says, and null where it is missing."`
	// Differs means that two cells differ, or one is missing.
	Differs bool `json:"-"`
}

// ComparisonCells are the cells of a row. Each is a *ComparisonCell, a *Price, a string, or
// nil if the listing does not have it.
type ComparisonCells []any

// ComparisonCell is the attribute of one listing.
type ComparisonCell struct {
	Value    any       `json:"value,omitempty" doc:"Text, a number, true or false, as in the document; a number that was converted is in the unit of the row. Absent of a list." schema:"PlainValue"`
	Values   []string  `json:"values,omitempty" doc:"Of a list: its texts, in the author's order."`
	Unit     string    `json:"unit,omitempty" doc:"Of a number, where the row has no unit."`
	Original *Quantity `json:"original,omitempty" doc:"Of a number that was converted: as it is in the document."`
}

// Quantity is a number with its unit.
type Quantity struct {
	Value json.Number `json:"value" doc:"The number."`
	Unit  string      `json:"unit" doc:"Its unit, as in kg."`
}

// MissingCompared is a listing that cannot be compared.
type MissingCompared struct {
	Ref    string `json:"ref" doc:"The Reference, as it was sent."`
	Status string `json:"status" doc:"removed if its company has left, so that its address answers 410; else unknown." jsonschema:"enum=removed,enum=unknown" schema:"ComparedStatus"`
}

// comparePath is the path of a comparison below the API.
const comparePath = "/marketplace/listings/compare"

func compareEndpoint() Endpoint {
	return Endpoint{
		ID: CompareID, Method: http.MethodGet, Path: comparePath, Tag: tagCompare,
		Summary: "Compare products and services",
		Description: "Answers a table of 2 to 8 listings: a row for each attribute, then their price, delivery and availability. Every cell is as in the listing's document, but for numbers, which have the unit of the first listing of their row " +
			"if all others convert to it as finite decimals, and keep `original`. Prices are not converted. Names of attributes and texts are equal without regard to case and accents, and lists without regard to their order. " +
			"An alias counts as what it leads to, and what is asked for twice is answered once.",
		Params: []Param{{
			Name: "ref", In: InQuery, Type: TypeString, Required: true, Repeat: true, Least: MinCompared, Most: MaxCompared,
			Pattern: "^(product|service):[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$", Example: []string{"product:a-company/arm-7", "product:another-company/arm-8"},
			Description: "A listing, by its Reference: product or service, the `companySlug` and the `slug`. Repeat it for each, 2 to 8 times in all.",
		}},
		Status: http.StatusOK, Response: Comparison{}, Answers: []Answer{{
			Status:      http.StatusNotModified,
			Description: "The answer is still the one whose `ETag` was sent as `If-None-Match`.",
		}}, Cache: SearchCache, Dynamic: true,
		Problems: []string{CodeInvalidParameter, CodeMethodNotAllowed, CodeUnavailable},
	}
}
