package unit

import (
	_ "embed"
	"strings"
)

// A row is a unit of the table. Its factor is the value of one unit in the dimension's base
// unit, as a product and quotient of decimals ("0.3048*0.3048", "5/9"). offset, used only
// for temperatures, is added to an amount before multiplying. Symbols are first compared
// with their case; words, where "(s)" means an optional s, without.
type row struct {
	symbol, factor string
	symbols, words string // further ones, separated by "|"
	offset         string
}

// A dimension is what units measure. The factor of its base unit is 1.
type dimension struct {
	name  string
	units []row
}

//go:embed units.txt
var units string

// table contains the dimensions with their units.
var table = readTable(units)

// readTable parses the lines of units.txt.
func readTable(lines string) (all []dimension) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSuffix(line, "\n")
		name, heading := strings.CutPrefix(line, "[")
		switch {
		case line == "" || line[0] == '#':
		case heading:
			all = append(all, dimension{name: strings.TrimSuffix(name, "]")})
		default:
			var columns [5]string
			copy(columns[:], strings.Split(line, "\t"))
			last := &all[len(all)-1]
			last.units = append(last.units, row{columns[0], columns[1], columns[2], columns[3], columns[4]})
		}
	}
	return all
}
