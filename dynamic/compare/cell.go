package compare

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/kit/fold"
	"souk/build/kit/unit"
)

// A quantity is a number of a cell and its unit.
type quantity struct {
	amount *big.Rat
	unit   unit.Unit
}

// quantityOf returns the quantity of a cell. ok is false for anything else, and for a number
// with more digits than anything that is measured.
func quantityOf(c *document.ComparisonCell) (q quantity, ok bool) {
	n, ok := c.Value.(json.Number)
	if !ok {
		return q, false
	}
	q.unit, _ = unit.Parse(c.Unit)
	q.amount, ok = unit.ParseDecimal(n.String())
	return q, ok
}

// align converts the cells of a row to the unit of the first, and returns that unit. If any
// of them is not a finite decimal in it, the cells keep their own units.
func align(cells document.ComparisonCells) string {
	own := ""
	var to quantity
	converted := make(document.ComparisonCells, len(cells))
	begun := false
	for i, c := range cells {
		cell, _ := c.(*document.ComparisonCell)
		if cell == nil {
			continue
		}
		q, ok := quantityOf(cell)
		if !begun {
			begun, own, to = true, cell.Unit, q
		}
		if !ok || q.unit.Dimension() != to.unit.Dimension() {
			return ""
		}
		number := cell.Value
		if q.unit != to.unit {
			text, exact := unit.Decimal(to.unit.FromBase(q.unit.Base(q.amount)))
			if !exact {
				return ""
			}
			number = json.Number(text)
		}
		one := &document.ComparisonCell{Value: number}
		if cell.Unit != own {
			one.Original = &document.Quantity{Value: cell.Value.(json.Number), Unit: cell.Unit}
		}
		converted[i] = one
	}
	copy(cells, converted)
	return own
}

// differ reports whether two cells of a row differ, or one is missing.
func differ(r document.ComparisonRow) bool {
	first := cellKey(r.Cells[0], r.Unit)
	return slices.ContainsFunc(r.Cells, func(c any) bool { return c == nil || cellKey(c, r.Unit) != first })
}

// cellKey returns a key that is equal for cells with the same content.
func cellKey(cell any, rowUnit string) string {
	switch c := cell.(type) {
	case *document.Price:
		plain := *c
		if amount, ok := unit.ParseDecimal(c.Amount); ok {
			plain.Amount = amount.RatString()
		}
		return fmt.Sprint(plain)
	case *document.ComparisonCell:
		if c.Values != nil {
			return folded(c.Values...)
		}
		with := *c
		if rowUnit != "" {
			with.Unit = rowUnit
		}
		if q, ok := quantityOf(&with); ok {
			return q.unit.Dimension() + " " + q.unit.Base(q.amount).RatString()
		}
		if text, is := c.Value.(string); is {
			return folded(text)
		}
		return fmt.Sprint(c.Value, " ", c.Unit)
	}
	return fmt.Sprint(cell)
}

// folded returns texts in any order, without case and accents.
func folded(list ...string) string {
	all := make([]string, 0, len(list))
	for _, text := range list {
		all = append(all, fold.Text(strings.TrimSpace(text)))
	}
	slices.Sort(all)
	return fmt.Sprintf("%q", all)
}
