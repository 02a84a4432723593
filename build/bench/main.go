// Command bench measures how long `souk build` takes beside the least that any
// program could take for the same files. It writes synthetic marketplaces of
// several sizes, builds them with the command line program in a process of its
// own, and in the same run reads every source byte and writes every output byte
// with nothing in between: the floor. Times differ from machine to machine, the
// ratios to the floor hardly do.
//
// With -touched it counts the files that edits of a marketplace write instead.
//
// It knows the program by its command line and, for the rebuilds of `souk serve
// --watch` and the edits, the Builder and its catalog; it refuses to know how anything is read, rendered or
// written, and nothing in it decides whether a build is right.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
)

// Options are what the command line says.
type options struct {
	sizes    []int
	runs     int
	dir      string
	keep     bool
	json     string
	generate string
	listings int
	profile  string
	memory   string
	quick    bool
	touched  string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := start(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func start(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == stepFlag {
		return runStep(ctx, args[1:])
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	return run(ctx, o)
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	sizes := flags.String("sizes", "1000,10000,100000", "numbers of listings, with commas between them")
	million := flags.Bool("million", false, "measure 1,000,000 listings too")
	flags.IntVar(&o.runs, "runs", 0, "cold builds and floors of each size, of which the median is told; 0: 3 up to 10,000 listings, then 1")
	flags.StringVar(&o.dir, "dir", "", "an empty `folder` to work in; default: a new one for temporary files")
	flags.BoolVar(&o.keep, "keep", false, "leave the work folder as it is at the end")
	flags.StringVar(&o.json, "json", "", "write the figures to this `file` too")
	flags.StringVar(&o.generate, "generate", "", "only write a synthetic content `folder` of -listings listings")
	flags.IntVar(&o.listings, "listings", 1000, "how many listings -generate writes")
	flags.StringVar(&o.profile, "cpuprofile", "", "only build the first of -sizes in this process, and write its processor profile to this `file`")
	flags.BoolVar(&o.quick, "quick", false, "leave out the builds that measure precompression")
	flags.StringVar(&o.touched, "touched", "", "only count the files that edits of this content `folder` write; it is edited and left as it was")
	flags.StringVar(&o.memory, "memprofile", "", "with -cpuprofile: write what was allocated to this `file`")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q: there are only flags", flags.Arg(0))
	}
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return o, fmt.Errorf("-sizes %s: %q is no number of listings", *sizes, text)
		}
		o.sizes = append(o.sizes, n)
	}
	if *million {
		o.sizes = append(o.sizes, 1_000_000)
	}
	if o.listings < 1 {
		return o, fmt.Errorf("-listings %d: there must be at least one", o.listings)
	}
	return o, nil
}

func run(ctx context.Context, o options) (err error) {
	if o.generate != "" {
		return newMarket(o.listings).write(o.generate)
	}
	work, err := workFolder(o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.clean(work)) }()
	if o.profile != "" {
		return profileBuild(ctx, o, filepath.Join(work, "profile"))
	}
	if o.touched != "" {
		return touched(ctx, o.touched, work)
	}
	b, err := newBench(ctx, work, o.runs)
	if err != nil {
		return err
	}
	b.quick = o.quick
	var all []figures
	for _, n := range o.sizes {
		f, err := b.measure(n)
		if err != nil {
			return fmt.Errorf("%d listings: %w", n, err)
		}
		all = append(all, f)
		if err := printFigures(os.Stdout, f); err != nil {
			return err
		}
	}
	if err := printGrowth(os.Stdout, all); err != nil {
		return err
	}
	return writeJSON(o.json, all)
}

// workFolder returns an empty folder to work in.
func workFolder(dir string) (string, error) {
	if dir == "" {
		return os.MkdirTemp("", "souk-bench-")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make the work folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("look into the work folder: %w", err)
	}
	if len(entries) > 0 {
		return "", fmt.Errorf("the work folder %s is not empty: -dir takes an empty or a new one", dir)
	}
	return filepath.Abs(dir)
}

// clean deletes the work folder; only at the very end, since a file system is
// slow at creating files after many were deleted.
func (o options) clean(work string) error {
	if o.keep {
		fmt.Fprintln(os.Stderr, "bench: everything is left in", work)
		return nil
	}
	return os.RemoveAll(work)
}
