// Package compare lines up listings attribute by attribute, from their public documents
// alone, so that every cell says what its document says. It does not know where documents
// come from, or who asks.
package compare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/kit/fold"
)

// The states of a listing that cannot be compared.
const (
	Removed = "removed"
	Unknown = "unknown"
)

// Read returns a file of the release. gone means that the server answers 410 for it; a nil
// body otherwise means that there is no such file.
type Read func(file string) (body []byte, gone bool, err error)

// A Request is a listing to compare: a reference as it was sent, and the file of its
// document.
type Request struct{ Ref, File string }

// WrongNumber says what is wrong with comparing so many references; "" if nothing is.
func WrongNumber(references int) string {
	if references < document.MinCompared || references > document.MaxCompared {
		return fmt.Sprintf("a comparison has %d to %d listings, and this has %d", document.MinCompared, document.MaxCompared, references)
	}
	return ""
}

// Listings reads and compares listings. It fails if a document cannot be read.
func Listings(requests []Request, read Read) (document.Comparison, error) {
	c := document.Comparison{Listings: []document.Listing{}, Missing: []document.MissingCompared{}}
	var offers []Offer
	known := map[string]bool{}
	for _, r := range requests {
		body, gone, err := read(r.File)
		if err != nil {
			return c, err
		}
		if body == nil {
			missing := document.MissingCompared{Ref: r.Ref, Status: Unknown}
			if gone {
				missing.Status = Removed
			}
			if !slices.Contains(c.Missing, missing) {
				c.Missing = append(c.Missing, missing)
			}
			continue
		}
		// A former address has a copy of the document, which contains the present one.
		o, err := Parse(body)
		if err != nil {
			return c, fmt.Errorf("%s: %w", r.File, err)
		}
		if known[o.APIURL] {
			continue
		}
		known[o.APIURL] = true
		if err := o.finishCard(read); err != nil {
			return c, err
		}
		offers = append(offers, o)
		c.Listings = append(c.Listings, o.Listing)
	}
	c.Rows = Rows(offers)
	c.Differs = []string{}
	for _, r := range c.Rows {
		if r.Differs {
			c.Differs = append(c.Differs, cmp.Or(r.Name, r.Field))
		}
	}
	return c, nil
}

// finishCard adds to a card what other documents say: the logo of the seller, if the listing
// has no picture, and which attributes cards show.
func (o *Offer) finishCard(read Read) error {
	if o.Image == nil {
		var seller struct{ Logo *document.Image }
		if err := decode(document.SellerFile(o.CompanySlug), read, &seller); err != nil {
			return err
		}
		o.Image = seller.Logo
	}
	if len(o.Categories) == 0 {
		return nil
	}
	var first struct{ CardAttributes []string }
	if err := decode(document.CategoryFile(o.Categories[0].RootKind, o.Categories[0].Slug), read, &first); err != nil {
		return err
	}
	for _, name := range first.CardAttributes {
		for _, a := range o.Attributes {
			if folded(a.Name) == folded(name) {
				o.Listing.Attributes = append(o.Listing.Attributes, a)
			}
		}
	}
	return nil
}

// decode reads a document into a value, which stays as it is if there is no such document.
func decode(file string, read Read, into any) error {
	body, _, err := read(file)
	if body == nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// An Offer is the document of a Product or Service, as far as it is compared.
type Offer struct {
	document.Listing
	Attributes []document.Attribute `json:"attributes"`
	Delivery   string               `json:"delivery"`
}

// maxNotes is how much proof a card shows.
const maxNotes = 3

// Parse reads a document. The image of the card is that of the document, if it has one.
func Parse(body []byte) (Offer, error) {
	var o struct {
		Offer
		Media []document.Media
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		return Offer{}, fmt.Errorf("read a document to compare: %w", err)
	}
	o.Proof, o.Image = o.Proof[:min(maxNotes, len(o.Proof))], document.FirstFile(o.Media)
	return o.Offer, nil
}

// Rows returns the table of some listings: their attributes, then their fields.
func Rows(offers []Offer) []document.ComparisonRow {
	rows := []document.ComparisonRow{}
	// A listing may have a name twice, in different spellings.
	type key struct {
		name string
		nth  int
	}
	at := map[key]int{}
	for i, o := range offers {
		had := map[string]int{}
		for _, a := range o.Attributes {
			name := fold.Text(strings.TrimSpace(a.Name))
			k := key{name, had[name]}
			had[name]++
			row, known := at[k]
			if !known {
				row = len(rows)
				at[k] = row
				rows = append(rows, document.ComparisonRow{Name: a.Name, Cells: make(document.ComparisonCells, len(offers))})
			}
			rows[row].Cells[i] = &document.ComparisonCell{Value: a.Value, Values: a.Values, Unit: a.Unit}
		}
	}
	for i := range rows {
		rows[i].Unit = align(rows[i].Cells)
	}
	for _, field := range []struct {
		name string
		of   func(Offer) any
	}{
		{"price", func(o Offer) any {
			if o.Price == nil {
				return nil
			}
			return o.Price
		}},
		{"delivery", func(o Offer) any { return filled(o.Delivery) }},
		{"availability", func(o Offer) any { return filled(o.Availability) }},
	} {
		cells := make(document.ComparisonCells, len(offers))
		for i, o := range offers {
			cells[i] = field.of(o)
		}
		if slices.ContainsFunc(cells, func(c any) bool { return c != nil }) {
			rows = append(rows, document.ComparisonRow{Field: field.name, Cells: cells})
		}
	}
	for i := range rows {
		rows[i].Differs = differ(rows[i])
	}
	return rows
}

// filled returns a text, or nil if it is empty.
func filled(text string) any {
	if text == "" {
		return nil
	}
	return text
}
