package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"
)

// A table lines up columns of text.
type table struct{ *tabwriter.Writer }

func newTable(w io.Writer) table {
	return table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
}

func (t table) row(cells ...any) {
	for _, c := range cells {
		fmt.Fprint(t, c, "\t")
	}
	fmt.Fprintln(t)
}

// printFigures prints all that was measured at one size.
func printFigures(w io.Writer, f figures) error {
	fmt.Fprintf(w, "\n%d listings: %d files of %s read, %d files of %s written, %d documents; median of %d\n\n",
		f.Listings, f.SourceFiles, megabytes(f.SourceBytes), f.OutputFiles, megabytes(f.OutputBytes), f.Documents, f.Runs)
	t := newTable(w)
	t.row("", "wall", "user", "system", "memory", "beside its floor", "user a listing")
	t.row("floor: read and write all", seconds(f.Floor.Wall), seconds(f.Floor.User), seconds(f.Floor.System))
	t.row("cold build", seconds(f.Cold.Wall), seconds(f.Cold.User), seconds(f.Cold.System), megabytes(f.Cold.Memory),
		ratio(f.Cold.Wall, f.Floor.Wall), perListing(f.Cold.User, f.Listings))
	t.row("floor: walk and stat", seconds(f.Walk.Wall), seconds(f.Walk.User), seconds(f.Walk.System))
	t.row("no-change build", seconds(f.NoChange.Wall), seconds(f.NoChange.User), seconds(f.NoChange.System),
		megabytes(f.NoChange.Memory), ratio(f.NoChange.Wall, f.Walk.Wall))
	t.row("one changed product, by the command", seconds(f.OneByCLI.Wall), seconds(f.OneByCLI.User),
		seconds(f.OneByCLI.System), megabytes(f.OneByCLI.Memory))
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n")
	t = newTable(w)
	t.row("watching, edit of a product's", "median", "max", "documents")
	for _, e := range f.Edits {
		t.row(e.Kind, milliseconds(e.Median), milliseconds(e.Max), e.Written)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "(from the call of Build to its end, of %d edits; being told by the file system is not included)\n\n", editsOfAKind)
	if len(f.Twins) == 0 {
		return nil
	}
	return printTwins(w, f)
}

func printTwins(w io.Writer, f figures) error {
	t := newTable(w)
	t.row("cold, --precompress", "wall", "user", "system", "twins", "of documents", "bytes", "saved by gzip", "by brotli", "more user a document")
	for _, one := range f.Twins {
		more := ""
		if one.Documents > 0 {
			more = perListing(one.Cost.User-f.Twins[0].Cost.User, one.Documents)
		}
		t.row(one.Policy, seconds(one.Cost.Wall), seconds(one.Cost.User), seconds(one.Cost.System), one.Files,
			one.Documents, megabytes(one.Bytes), megabytes(one.SavedGzip), megabytes(one.SavedBrotli), more)
	}
	return t.Flush()
}

// printGrowth compares each size with the one before.
func printGrowth(w io.Writer, all []figures) error {
	if len(all) < 2 {
		return nil
	}
	fmt.Fprintf(w, "\ngrowth\n\n")
	t := newTable(w)
	t.row("listings", "factor", "floor", "cold wall", "cold user", "memory", "no change", "edit of a summary")
	for i, b := range all[1:] {
		a := all[i]
		t.row(fmt.Sprintf("%d to %d", a.Listings, b.Listings), quotient(float64(b.Listings), float64(a.Listings)),
			ratio(b.Floor.Wall, a.Floor.Wall), ratio(b.Cold.Wall, a.Cold.Wall), ratio(b.Cold.User, a.Cold.User),
			quotient(float64(b.Cold.Memory), float64(a.Cold.Memory)), ratio(b.NoChange.Wall, a.NoChange.Wall),
			ratio(b.Edits[0].Median, a.Edits[0].Median))
	}
	return t.Flush()
}

func seconds(d time.Duration) string      { return fmt.Sprintf("%.2f s", d.Seconds()) }
func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }
func megabytes(n int64) string            { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }

func ratio(a, b time.Duration) string { return quotient(float64(a), float64(b)) }

func quotient(a, b float64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("× %.2f", a/b)
}

func perListing(d time.Duration, listings int) string {
	return fmt.Sprintf("%d µs", d.Microseconds()/int64(listings))
}

// writeJSON writes the figures for programs; nothing where no file is named.
func writeJSON(file string, all []figures) error {
	if file == "" {
		return nil
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("write the figures: %w", err)
	}
	return nil
}
