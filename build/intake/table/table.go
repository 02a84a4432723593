// Package table reads tables exported by spreadsheets and shops into a batch. It
// knows their encodings and the headers of Shopify, WooCommerce and souk export, but
// not the existing content.
package table

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"souk/build/intake/feed"
	"souk/build/kit/problem"
)

// A row is one row of a table, with the line where it begins.
type row struct {
	line  int
	cells []string
}

// A grid is a table as it was read.
type grid struct {
	header []string
	rows   []row
}

// Read adds the rows of a table to a batch. mapping contains the targets of columns by
// name, in addition to those that are clear from the headers.
func Read(b *feed.Batch, data []byte, xlsx bool, mapping map[string]string) error {
	var g *grid
	var err error
	if xlsx {
		g, err = readSheet(b, data)
	} else {
		g, err = readCSV(b, data)
	}
	if err != nil {
		return err
	}
	b.Covered = []string{}
	for name, target := range mapping {
		if !slices.Contains(g.header, name) {
			return fmt.Errorf("the table has no column %q: it has %s", name, strings.Join(g.header, ", "))
		}
		if f, _ := feed.FieldOf(target); f == nil && target != "-" {
			return fmt.Errorf("the column %q is mapped to %q, which is no field that can be imported (docs/reference/import.md lists them)", name, target)
		}
	}
	for _, d := range b.Defaults {
		b.Covered = append(b.Covered, d.Target)
	}
	known := func(string) string { return "" }
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(g.header, name) })
	}
	shopify, woo := has("Title") && (has("Handle") || has("URL handle")), has("Type", "SKU", "Name", "Parent")
	switch {
	case shopify:
		known = columns(Shopify)
	case woo:
		known = wooCommerce
	}
	targets := make([]string, len(g.header))
	for i, name := range g.header {
		if f, _ := feed.FieldOf(name); f != nil {
			targets[i] = name
		}
		targets[i] = cmp.Or(mapping[name], known(name), targets[i])
		b.Column(name, targets[i])
		if strings.Contains(targets[i], ".") {
			b.Covered = append(b.Covered, covers(targets[i]))
		}
	}
	if shopify || woo {
		readShop(b, g, targets, woo)
		return nil
	}
	for _, r := range g.rows {
		var cells []feed.Cell
		for i, text := range r.cells {
			if strings.TrimSpace(text) == "" {
				continue
			}
			b.See(g.header[i], targets[i], text)
			if targets[i] == "" || targets[i] == "-" {
				b.Lose(g.header[i], NoPlace, r.line, 1)
			} else {
				cells = append(cells, feed.Cell{Column: g.header[i], Target: targets[i], Text: text})
			}
		}
		b.Row(r.line, cells)
	}
	return nil
}

// NoPlace is why a column is lost that nothing is mapped to.
const NoPlace = "no field is mapped to it"

// covers returns the field that a target fills.
func covers(target string) string {
	part := strings.SplitN(target, ".", 3)
	switch kind, field := part[0], part[1]; {
	case field == "html":
		return kind + ".description"
	case field == "links" || field == "details":
		return kind + "." + field
	case field == "attributes" && len(part) == 3:
		name := part[2]
		if at := strings.LastIndexAny(name, "(["); at > 0 {
			name = name[:at]
		}
		return kind + ".attributes." + feed.Name(name)
	}
	return target
}

// decoded returns a text in UTF-8, whatever a spreadsheet wrote it in.
func decoded(b *feed.Batch, data []byte) ([]byte, error) {
	if data = bytes.TrimPrefix(data, []byte("\ufeff")); utf8.Valid(data) {
		return data, nil
	}
	if data[0] < 0xfe { // UTF-16 begins with a byte order mark
		b.Notes["read the file as Windows-1252, since it is not UTF-8"]++
	}
	text, _, err := transform.Bytes(unicode.BOMOverride(charmap.Windows1252.NewDecoder()), data)
	return text, err
}

// separator returns the separator of the cells in the first line.
func separator(data []byte) rune {
	counts, quoted := map[byte]int{}, false
	for _, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			best := byte(',')
			for _, s := range []byte(";\t|") {
				if counts[s] > counts[best] {
					best = s
				}
			}
			return rune(best)
		case !quoted:
			counts[c]++
		}
	}
	return ','
}

func readCSV(b *feed.Batch, data []byte) (*grid, error) {
	data, err := decoded(b, data)
	if err != nil {
		return nil, err
	}
	if !bytes.HasSuffix(data, []byte("\n")) {
		data = append(data, '\n')
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.FieldsPerRecord = separator(data), -1
	if r.Comma == ';' {
		b.Decimal = ',' // a spreadsheet writes semicolons where the comma separates decimals
	}
	g := &grid{}
	for {
		cells, err := r.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return g, g.fits()
		case errors.As(err, &wrong):
			b.Refuse(wrong.StartLine, 0, wrong.Err.Error())
		case err != nil:
			return nil, err
		default:
			line, _ := r.FieldPos(0)
			g.add(b, row{line, cells})
		}
	}
}

// readSheet reads the first sheet of a workbook.
func readSheet(b *feed.Batch, data []byte) (*grid, error) {
	book, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the workbook: %w", err)
	}
	defer book.Close()
	names := book.GetSheetList()
	if len(names) > 1 {
		b.Notes["left out a sheet of the workbook: the first is read"] += len(names) - 1
	}
	rows, err := book.GetRows(names[0])
	if err != nil {
		return nil, fmt.Errorf("read the workbook: %w", err)
	}
	g := &grid{}
	for i, cells := range rows {
		for len(cells) < len(g.header) {
			cells = append(cells, "") // a sheet ends its rows at the last cell with a value
		}
		g.add(b, row{i + 1, cells})
	}
	return g, g.fits()
}

func (g *grid) fits() error {
	if g.header == nil {
		return errors.New("the table is empty: its first row has the names of its columns")
	}
	return nil
}

// add adds a row, of which the first that is not blank is the header.
func (g *grid) add(b *feed.Batch, r row) {
	values := 0
	for _, cell := range r.cells {
		if strings.TrimSpace(cell) != "" {
			values++
		}
	}
	switch {
	case values == 0:
	case g.header == nil:
		seen := map[string]int{}
		for i, name := range r.cells {
			name = strings.TrimSpace(name)
			if name == "" {
				name = fmt.Sprintf("column %d", i+1)
			}
			if seen[name]++; seen[name] > 1 {
				name = fmt.Sprintf("%s (%d)", name, seen[name])
			}
			g.header = append(g.header, name)
		}
	case len(r.cells) != len(g.header):
		b.Found += values
		b.Refuse(r.line, values, fmt.Sprintf("it has %s, and the header %d", problem.Count(len(r.cells), "cell"), len(g.header)))
	default:
		g.rows = append(g.rows, r)
	}
}
