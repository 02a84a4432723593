// Package table reads tables, as spreadsheets and shops export them, into a batch. It
// knows their encodings and the headers of Shopify, WooCommerce and souk export, and
// refuses to know what content there is.
package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

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

// Read adds the rows of a table to a batch. mapping has the targets of columns by their
// names, beside those that their headers say by themselves.
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
	columns := map[string]bool{}
	for _, name := range g.header {
		columns[name] = true
	}
	for name, target := range mapping {
		if !columns[name] {
			return fmt.Errorf("the table has no column %q: it has %s", name, strings.Join(g.header, ", "))
		}
		if _, _, known := feed.FieldOf(target); !known && target != "-" {
			return fmt.Errorf("the column %q is mapped to %q, which is no field that can be imported (docs/import.md lists them)", name, target)
		}
	}
	for _, d := range b.Defaults {
		b.Covered = append(b.Covered, d.Target)
	}
	target := func(name string, own map[string]string) string {
		to, mapped := mapping[name]
		if !mapped {
			to = own[name]
		}
		if to == "" {
			if _, _, known := feed.FieldOf(name); known {
				to = name
			}
		}
		b.Column(name, to)
		if to != "" && to != "-" {
			b.Covered = append(b.Covered, covers(to))
		}
		return to
	}
	switch {
	case columns["Handle"] && columns["Title"] || columns["URL handle"] && columns["Title"]:
		readShopify(b, g, target)
	case columns["Type"] && columns["SKU"] && columns["Name"] && columns["Parent"]:
		readWooCommerce(b, g, target)
	default:
		readPlain(b, g, target)
	}
	return nil
}

// covers returns the field that a target fills.
func covers(target string) string {
	if kind, is := strings.CutSuffix(target, ".html"); is {
		return kind + ".description"
	}
	if before, _, is := strings.Cut(target, ".attributes."); is {
		name := strings.TrimPrefix(target, before+".attributes.")
		if at := strings.LastIndexAny(name, "(["); at > 0 {
			name = name[:at]
		}
		return before + ".attributes." + strings.TrimSpace(name)
	}
	for _, list := range []string{"links", "details"} {
		if kind, _, is := strings.Cut(target, "."+list+"."); is {
			return kind + "." + list
		}
	}
	return target
}

// NoPlace is why a column is lost that nothing is mapped to.
const NoPlace = "no field is mapped to it"

// readPlain reads a table of which each row describes one thing, or a thing and its seller.
func readPlain(b *feed.Batch, g *grid, target func(string, map[string]string) string) {
	targets := make([]string, len(g.header))
	for i, name := range g.header {
		targets[i] = target(name, nil)
	}
	for _, r := range g.rows {
		b.Row(r.line, mapped(b, r, g.header, targets))
	}
}

// mapped returns the cells of a row that have a target, and reports the others as lost.
func mapped(b *feed.Batch, r row, header, targets []string) (cells []feed.Cell) {
	for i, text := range r.cells {
		if strings.TrimSpace(text) == "" {
			continue
		}
		b.See(header[i], targets[i], text)
		if targets[i] == "" || targets[i] == "-" {
			b.Lose(header[i], NoPlace, r.line, 1)
			continue
		}
		cells = append(cells, feed.Cell{Column: header[i], Target: targets[i], Text: text})
	}
	return cells
}

// decoded returns a text in UTF-8, whatever a spreadsheet wrote it in.
func decoded(b *feed.Batch, data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if utf8.Valid(data) {
		return data, nil
	}
	b.Notes["read the file as Windows-1252, since it is not UTF-8"]++
	return charmap.Windows1252.NewDecoder().Bytes(data)
}

// separator returns what separates the cells of the first line.
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
	rows, err := book.Rows(names[0])
	if err != nil {
		return nil, fmt.Errorf("read the workbook: %w", err)
	}
	defer rows.Close()
	g := &grid{}
	for line := 1; rows.Next(); line++ {
		cells, err := rows.Columns()
		if err != nil {
			return nil, fmt.Errorf("read the workbook: %w", err)
		}
		for len(cells) < len(g.header) {
			cells = append(cells, "") // a sheet ends its rows at the last cell with a value
		}
		g.add(b, row{line, cells})
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
