package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/dynamic/compare"
	"souk/dynamic/search/fault"
)

// comparison implements the view compare of the tool get: an item for each reference, and
// the table of the API beside them. Rows that do not fit are left for the next answer.
func comparison(ctx context.Context, m Market, a arguments) (*answer, error) {
	begin, err := a.offset()
	if err != nil {
		return nil, err
	}
	refs := a.lists["refs"]
	if wrong := compare.WrongNumber(len(refs)); wrong != "" {
		return nil, invalid("refs", fault.Invalid, "%s", wrong)
	}
	roots, err := m.Addresses()
	if err != nil {
		return nil, err
	}
	got := &answer{Total: len(refs)}
	var requests []compare.Request
	for _, ref := range refs {
		file, err := roots.FileOf(ref)
		if err != nil {
			return nil, invalid("refs", fault.Invalid, "%s", err)
		}
		if !document.IsListing(file) {
			return nil, invalid("refs", fault.Invalid, "%q is neither a product nor a service", line(ref, 200))
		}
		one, err := read(ctx, m, ref)
		if err != nil {
			return nil, err
		}
		if one.document != nil {
			one.row = []string{one.row[0], one.row[1], one.row[3]} // the table has the others
		}
		requests, got.Items = append(requests, compare.Request{Ref: short(clean(ref), 300), File: file}), append(got.Items, one.item)
	}
	c, err := compare.Listings(requests, func(file string) ([]byte, bool, error) {
		body, state, err := m.Document(ctx, file)
		return body, state == Removed, err
	})
	if err != nil {
		return nil, err
	}
	if begin > 0 && begin >= len(c.Rows) {
		return nil, invalid("next", fault.Invalid, "%d is past the %d rows: send the same refs as before", begin, len(c.Rows))
	}
	got.Lead = fmt.Sprintf("%d refs compared: name, seller, address, or removed or unknown; then a line a row with a cell for each listing found, \u2260 if they differ.", len(refs))
	return got, got.addTable(c, begin, a.full())
}

const (
	// mostCards is the maximum size of all cards of a comparison, mostRow that of a row.
	mostCards = 5_000
	mostRow   = 5_000
)

// rowLevels cut the texts of a row, and no cell.
var rowLevels = []level{{all, all}, {100, 500}, {50, 200}, {document.MaxCompared, 80}}

// addTable adds the rows of a comparison from begin on, as many as there is room for.
func (a *answer) addTable(c document.Comparison, begin int, full bool) error {
	cards := make([]any, len(c.Listings))
	for i, one := range c.Listings {
		card, levels := asMap(one), wholeLevels
		if !full {
			card, levels = brief(card), briefLevels
		}
		var cut bool
		cards[i], cut = fitted(card, levels, mostCards/len(cards))
		a.Truncated = a.Truncated || cut
	}
	a.Extra = map[string]any{"listings": cards, "differs": c.Differs, "missing": c.Missing}
	room := budget - ends - len(a.Lead)
	for i := range a.Items {
		size, err := a.Items[i].size()
		if err != nil {
			return err
		}
		room -= size
	}
	extra, err := json.Marshal(a.Extra)
	if err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	room -= len(extra)
	rows := []any{}
	for i, r := range c.Rows[begin:] {
		row := item{row: rowCells(r)}
		row.value, row.cut = fitted(asMap(r), rowLevels, mostRow)
		size, err := row.size()
		if err != nil {
			return err
		}
		if room -= size; room < 0 && i > 0 {
			a.Next, a.Truncated = strconv.Itoa(begin+i), true
			break
		}
		a.Truncated = a.Truncated || row.cut
		rows, a.Table = append(rows, row.encoded), append(a.Table, row)
	}
	a.Extra["rows"] = rows
	return nil
}

// rowCells returns the cells of a row of a comparison as text, its name first.
func rowCells(r document.ComparisonRow) []string {
	name := cmp.Or(r.Name, r.Field)
	if r.Differs {
		name += " \u2260"
	}
	cells := []string{name}
	for _, c := range r.Cells {
		text := "\u2013"
		switch c := c.(type) {
		case string:
			text = c
		case *document.Price:
			text = priceText(c)
		case *document.ComparisonCell:
			if text = strings.Join(c.Values, ", "); c.Values == nil {
				text = strings.TrimSpace(fmt.Sprint(c.Value, " ", cmp.Or(r.Unit, c.Unit)))
			}
		}
		cells = append(cells, text)
	}
	return cells
}
