// Command bench measures how fast a whole server answers the calls that have to
// be durable: the proof of a removal, from the request to the answer that
// nothing of the seller is public any more, and the starts of removals. They
// stand beside floors that are taken in the same run: the same number of files
// of the same sizes, written and synced with nothing in between, and one record,
// appended and synced.
//
// It runs the server in its own process, so that a profile shows what the time
// goes into, and talks to it over HTTP. The content is that of build/bench. It
// refuses to know how anything is done, and nothing in it decides whether an
// answer is right.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"souk/build/release"
)

type options struct {
	sizes    []int
	removals int
	starts   time.Duration
	content  string
	dir      string
	profile  string
	// precompress is that of the server.
	precompress precompress
}

// precompress is a flag; its default is that of souk serve.
type precompress struct{ release.Precompress }

// Set is that of flag.Value.
func (p *precompress) Set(text string) (err error) {
	p.Precompress, err = release.ParsePrecompress(text)
	return err
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	o := options{precompress: precompress{4 << 10}}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	sizes := flags.String("sizes", "1000,10000,100000", "numbers of listings, with commas between them")
	flags.IntVar(&o.removals, "removals", 30, "how many sellers are removed at each size")
	flags.DurationVar(&o.starts, "starts", 5*time.Second, "how long starts are counted at the first size; 0: not at all")
	flags.StringVar(&o.content, "content", "", "a `folder` with the contents, one folder for each size, as build/bench -generate writes them; default: they are written first")
	flags.StringVar(&o.dir, "dir", "", "the `folder` to work in; default: a new one for temporary files")
	flags.Var(&o.precompress, "precompress", "the size from which documents have compressed twins, as of souk serve")
	flags.StringVar(&o.profile, "cpuprofile", "", "write a processor profile of the last size's removals to this `file`")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return o, fmt.Errorf("-sizes %s: %q is no number of listings", *sizes, text)
		}
		o.sizes = append(o.sizes, n)
	}
	return o, nil
}

func run(ctx context.Context, args []string) (err error) {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.dir, err = os.MkdirTemp(o.dir, "souk-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.dir)) }()
	fmt.Println("| listings | removal, median / p99 | documents written, deleted | floor: the same files, synced | starts a second, 1 / 8 clients | floor: appends a second |")
	fmt.Println("|---|---|---|---|---|---|")
	for i, n := range o.sizes {
		starts := o.starts
		if i > 0 {
			starts = 0
		}
		if err := o.measure(ctx, n, starts, i == len(o.sizes)-1); err != nil {
			return fmt.Errorf("%d listings: %w", n, err)
		}
	}
	return nil
}

// measure prints the line of one size.
func (o options) measure(ctx context.Context, listings int, starts time.Duration, last bool) (err error) {
	content := filepath.Join(o.content, strconv.Itoa(listings))
	if o.content == "" {
		content = filepath.Join(o.dir, strconv.Itoa(listings), "content")
		if err := generate(ctx, content, listings); err != nil {
			return err
		}
	}
	s, err := open(ctx, content, filepath.Join(o.dir, strconv.Itoa(listings)), o.precompress.Precompress)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if o.profile != "" && last {
		out, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer out.Close()
		if err := pprof.StartCPUProfile(out); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	r, err := s.remove(ctx, o.removals)
	if err != nil {
		return err
	}
	fmt.Printf("| %d | %.0f / %.0f ms | %d, %d | %.0f ms |", listings,
		ms(middle(r.times)), ms(percentile(r.times, 99)), middle(r.written), middle(r.deleted),
		ms(middle(r.floors)))
	if starts == 0 {
		fmt.Println(" | |")
		return nil
	}
	one, eight, floor, err := s.starts(ctx, starts)
	if err != nil {
		return err
	}
	fmt.Printf(" %.0f / %.0f | %.0f |\n", one, eight, floor)
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
