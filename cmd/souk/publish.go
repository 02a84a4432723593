package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/catalog"
	"souk/build/delivery/hosts"
	"souk/build/delivery/publish"
	"souk/build/document"
	"souk/build/kit/durable"
	"souk/build/kit/problem"
	"souk/build/release"
	"souk/build/release/stub"
	"souk/build/source"
	"souk/dynamic/ledger"
)

type publishCommandOptions struct {
	publishOptions
	removedOptions
	public       string
	dryRun, json bool
}

func newPublish(w environment) *cobra.Command {
	var o publishCommandOptions
	cmd := &cobra.Command{
		Use:   "publish DESTINATION",
		Short: "Upload the public folder to another folder or a bucket",
		Long: `Publish copies the release in the public folder to another folder or to a bucket of a store
that speaks S3: AWS, Cloudflare R2, Backblaze B2, Google Cloud Storage, MinIO, Ceph. The bucket
is s3://bucket, with a path below it if you like; ?endpoint= names a store other than AWS.
Credentials are those of AWS's own tools: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a
profile of ~/.aws, or a role.

Only what has changed since the last time is sent. What is at the destination is known from
a record, which --state or --record keeps; without one the destination is listed. Removals come
first, then documents, lists and sitemaps, then deletions. The next publish continues one
that was stopped or killed.

Removals are published only to a host that answers 410 or 404 for them, as --base-url shows
or --host says. Nobody is brought back: nothing is sent if the release shows a seller that the
ledger or the list of --removals has as removed, or if the destination has a 410 stub that
neither of them explains, where the release has no stub.

Exit codes: 0 published, 1 it failed in part or was refused, 2 the command line is wrong.`,
		Example: `  souk publish /srv/market/public
  souk publish 's3://market?region=eu-central-1' --base-url https://market.example --purge-command ./purge.sh
  souk publish 's3://market/public?region=eu-central-1' --host cloudfront --for-servers
  souk publish 's3://market/site?endpoint=https://storage.googleapis.com&region=auto' --dry-run`,
		Args: exactArgs(1, "one destination: a folder, or the URL of a bucket"),
		RunE: func(cmd *cobra.Command, args []string) error { return runPublish(cmd.Context(), w, o, args[0]) },
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *publishCommandOptions) AddFlags(flags *pflag.FlagSet) {
	o.publishOptions.add(flags)
	o.removedOptions.add(flags)
	addFolder(flags, &o.public, "public", "public", "the folder with the release")
	flags.StringArrayVar(&o.Forget, "forget", nil, "a companySlug or address whose 410 answers at the destination may be dropped although no recorded removal explains them; may repeat")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print what would be done without doing it")
	flags.BoolVar(&o.json, "json", false, "print the summary as JSON; with --dry-run every step")
}

// A publishOptions holds the flags of every command that publishes.
type publishOptions struct {
	publish.Options
	encoding, host string
}

func (o *publishOptions) add(flags *pflag.FlagSet) {
	flags.StringVar(&o.Record, "record", "", "a private folder or bucket for the record of the destination, for machines that keep no --state")
	flags.BoolVar(&o.Adopt, "adopt", false, "list the destination instead of trusting the record: upload what is missing, delete what a build wrote and nobody recorded")
	flags.IntVar(&o.Requests.Parallel, "parallel", publish.DefaultParallel, "the most requests to run at a time")
	flags.IntVar(&o.Requests.Attempts, "attempts", publish.DefaultAttempts, "how often to try a request")
	flags.DurationVar(&o.Requests.Timeout, "request-timeout", publish.DefaultTimeout, "the timeout of one attempt")
	flags.BoolVar(&o.Extensionless, "extensionless", false, "name objects without .json, for hosts that serve keys as they are")
	flags.BoolVar(&o.ForServers, "for-servers", false, "also publish what 'souk serve --from' needs, to DESTINATION.release; keep it private")
	flags.StringVar(&o.encoding, "encoding", "identity", "identity, or gzip to upload compressed copies; every client then receives gzip")
	flags.StringVar(&o.host, "host", "", "the kind of host that serves the destination: "+strings.Join(hostNames(), ", "))
	flags.StringVar(&o.Host.BaseURL, "base-url", "", "the public URL of the destination, to check that removed addresses are gone")
	flags.DurationVar(&o.Host.VerifyTimeout, "verify-timeout", publish.DefaultVerifyTimeout, "how long removed addresses may still answer")
	flags.StringVar(&o.Purge.Command, "purge-command", "", "a shell command that purges a cache; it reads the changed URLs, one per line")
	flags.StringVar(&o.Purge.URL, "purge-url", "", `a webhook that purges a cache; it receives the changed URLs as {"urls": [...]}`)
	flags.IntVar(&o.Purge.Batch, "purge-batch", publish.DefaultPurgeBatch, "the most URLs in one purge")
	flags.StringVar(&o.IndexNow.Key, "indexnow-key", "", "announce changed pages to search engines through IndexNow with this key")
	flags.StringVar(&o.IndexNow.Endpoint, "indexnow-endpoint", publish.DefaultIndexNowEndpoint, "the IndexNow endpoint")
}

// hostNames returns every known kind of host, including those that Souk writes no
// configuration for: publishing removals to one that cannot answer 410 is refused.
func hostNames() []string {
	var names []string
	for _, h := range hosts.All() {
		names = append(names, h.Name)
	}
	return names
}

var indexNowKey = regexp.MustCompile(`^[A-Za-z0-9-]{8,128}$`)

// config returns a Publisher's options for a destination, as the flags set them.
func (o *publishOptions) config(w environment, state, public, destination string) (publish.Options, error) {
	c := o.Options
	c.State, c.Now, c.Output = state, w.now, w.stderr
	c.Gzip = o.encoding == "gzip"
	if h, known := hosts.Lookup(o.host); known {
		c.Host.Gone = h.Gone
	}
	switch {
	case o.encoding != "identity" && o.encoding != "gzip":
		return c, usagef("--encoding is identity or gzip, not %q", o.encoding)
	case o.host != "" && !slices.Contains(hostNames(), o.host):
		if meant := problem.Nearest(o.host, hostNames()); meant != "" {
			return c, usagef("--host %q is not known (%s)", o.host, meant)
		}
		return c, usagef("--host %q is not known; give the public address with --base-url instead, so that it can be checked", o.host)
	case o.IndexNow.Key != "" && o.Host.BaseURL == "":
		return c, usagef("--indexnow-key needs --base-url: search engines must not be notified of a removed page before it is verified to be gone")
	case o.IndexNow.Key != "" && !indexNowKey.MatchString(o.IndexNow.Key):
		return c, usagef("--indexnow-key takes 8 to 128 letters, digits and dashes")
	case o.Requests.Parallel < 1 || o.Requests.Attempts < 1 || o.Purge.Batch < 2 || o.Requests.Timeout <= 0 || o.Host.VerifyTimeout <= 0:
		return c, usagef("--parallel, --attempts, --request-timeout and --verify-timeout must be above 0, --purge-batch above 1")
	}
	for flag, address := range map[string]string{
		"--base-url": o.Host.BaseURL, "--purge-url": o.Purge.URL, "--indexnow-endpoint": o.IndexNow.Endpoint,
	} {
		if address != "" && !source.IsWebAddress(address) {
			return c, usagef("%s is not a web address, as in https://market.example", flag)
		}
	}
	if folder, is := publish.FolderOf(destination); is {
		if content := source.Around(build.Resolved(folder)); content != "" {
			return c, fmt.Errorf("%w: the content folder %s and the destination %s must not contain one another", build.ErrFolders, content, destination)
		}
	}
	if beside := release.Folder(public); isWithin(destination, beside) {
		return c, usagef("the destination %s must be outside %s, which contains private data", destination, beside)
	}
	for _, served := range []string{public, release.Folder(public)} {
		if o.Record != "" && isWithin(o.Record, served) {
			return c, usagef("--record %s must be outside %s: the record names removed companies", o.Record, served)
		}
	}
	for flag, folder := range map[string]string{"--state": state, "--record": o.Record} {
		if folder != "" && isWithin(folder, destination) {
			return c, usagef("%s %s must be outside the destination: the record names removed companies", flag, folder)
		}
		if beside, _, _ := strings.Cut(destination, "?"); o.ForServers && folder != "" && isWithin(folder, strings.TrimRight(beside, "/")+".release") {
			return c, usagef("%s %s must be outside what --for-servers writes, %s.release", flag, folder, strings.TrimRight(beside, "/"))
		}
	}
	c.Waiting = func() {
		fmt.Fprintln(w.stderr, "souk: waiting for another publish to the same destination")
	}
	c.Notice = func(text string) { fmt.Fprintf(w.stderr, "souk: %s\n", text) }
	return c, nil
}

// isWithin reports whether a folder, or a bucket with a prefix, is the other or below it.
func isWithin(inner, outer string) bool {
	inner, _, _ = strings.Cut(inner, "?")
	outer, _, _ = strings.Cut(outer, "?")
	for _, place := range []*string{&inner, &outer} {
		if folder, is := publish.FolderOf(*place); is {
			*place = folder
		}
	}
	if strings.Contains(inner, "://") != strings.Contains(outer, "://") {
		return false
	}
	separator := "/"
	if !strings.Contains(inner, "://") {
		inner, outer, separator = build.Resolved(inner), build.Resolved(outer), string(filepath.Separator)
	}
	outer = strings.TrimSuffix(outer, separator)
	return inner == outer || strings.HasPrefix(inner, outer+separator)
}

// openPublisher opens a Publisher. An impossible destination is a usage error.
func openPublisher(destination string, c publish.Options) (*publish.Publisher, error) {
	p, err := publish.Open(destination, c)
	if errors.Is(err, publish.ErrDestination) || errors.Is(err, publish.ErrLayout) {
		return nil, usageError{err}
	}
	return p, err
}

func runPublish(ctx context.Context, w environment, o publishCommandOptions, destination string) (err error) {
	config, err := o.config(w, o.state, o.public, destination)
	if err != nil {
		return err
	}
	if isWithin(destination, o.public) || isWithin(o.public, destination) {
		return usagef("the destination %s and --public %s must not contain one another", destination, o.public)
	}
	if !o.json && isTerminal(w.stderr) {
		config.Progress = progress(w, "publishing")
	}
	tree, err := openRelease(w, o.public)
	if err != nil {
		return err
	}
	// Read the list first, so that a wrong list fails before anything else is done.
	removals, err := o.removed(ctx, w)
	if err != nil {
		return err
	}
	if err := look(ctx, tree); err != nil {
		return err
	}
	if lost := tree.Lost(); len(lost) > 0 {
		return fmt.Errorf("%s has no release metadata, so souk cannot tell its own files from yours (for example %s): "+
			"run 'souk build', or copy %s here too", o.public, lost[0], release.Folder(o.public))
	}
	warnUnowned(w, tree, removals)
	warnPlaceholders(w, o.public)
	roomForGarbage(w)
	var held building
	config.Permit = held.begin
	p, err := openPublisher(destination, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if o.dryRun {
		return printPlan(ctx, w, o, p, tree)
	}
	if ledger.IsShared(o.database) {
		// The ledger coordinates with other publishers, and announces the release to servers.
		l, err := o.openExisting(ctx)
		if err != nil {
			return err
		}
		defer func() {
			_ = l.Announce(context.WithoutCancel(ctx)) // servers also poll
			held.close()
			err = errors.Join(err, l.Close())
		}()
		if err := held.destination(ctx, w, l, p); err != nil {
			return err
		}
	}
	report, err := publishNewest(ctx, w, p, tree, &o.removedOptions)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(w.stderr, "souk: interrupted: run it again to continue")
		return errReported
	}
	if err != nil {
		return o.advise(err)
	}
	return tellPublished(w, o, p.Name(), report)
}

// openRelease opens the public folder, which must exist.
func openRelease(w environment, public string) (*release.Tree, error) {
	_, err := os.Stat(public)
	if err == nil && !durable.IsFolder(release.Folder(public)) {
		// release.Open would create a metadata folder beside any other folder.
		_, err = os.Stat(filepath.Join(public, release.DescriptionFile))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", publish.ErrNoRelease, err)
	}
	return release.Open(release.Options{
		Public: public, Now: w.now, Ours: document.Ours,
		Waiting: func() { fmt.Fprintf(w.stderr, "souk: waiting for a build that is writing to %s\n", public) },
	})
}

// look updates a Tree to the last release.
func look(ctx context.Context, tree *release.Tree) error {
	if err := tree.Lock(ctx); err != nil {
		return err
	}
	return tree.Unlock()
}

// publishNewest publishes until the destination has the newest release. A release that a build
// makes meanwhile is published at once, since it may contain a removal. The removals are read
// after each release, and a release that misses a removal is not published; publishNewest
// waits for the next.
func publishNewest(ctx context.Context, w environment, p *publish.Publisher, tree *release.Tree, who *removedOptions) (report publish.Report, err error) {
	const most = 10
	if err := look(ctx, tree); err != nil {
		return report, err
	}
	var sum publish.Report
	for range most {
		var removals *catalog.Removals
		if removals, err = who.removed(ctx, w); err != nil {
			return sum, err
		}
		before := tree.ID()
		report, err = p.Publish(ctx, tree, removals)
		add(&sum, report)
		withdrawn := errors.As(err, new(*stub.WithdrawnError))
		if err != nil && !withdrawn && !errors.Is(err, publish.ErrNewer) {
			return sum, err
		}
		if err := look(ctx, tree); err != nil {
			return sum, err
		}
		if withdrawn && tree.ID() == before {
			return sum, err
		}
		if err == nil && tree.ID() == report.Release {
			return sum, nil
		}
	}
	if err == nil {
		err = publish.ErrNewer
	}
	return sum, fmt.Errorf("%w, %d times in a row: run it again when no build is running", err, most)
}

// add adds the counts of another publish.
func add(sum *publish.Report, r publish.Report) {
	sum.Release, sum.Unchanged = r.Release, r.Unchanged
	sum.Uploaded += r.Uploaded
	sum.Deleted += r.Deleted
	sum.Bytes += r.Bytes
	sum.Requests += r.Requests
	sum.Purged += r.Purged
	sum.Verified += r.Verified
	sum.Announced += r.Announced
	sum.Duration += r.Duration
	for list, more := range map[*[]string][]string{&sum.Changed: r.Changed, &sum.Removed: r.Removed} {
		*list = append(*list, more...)
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// printPlan prints what a publish would do.
func printPlan(ctx context.Context, w environment, o publishCommandOptions, p *publish.Publisher, tree *release.Tree) error {
	if err := look(ctx, tree); err != nil {
		return err
	}
	removals, err := o.removed(ctx, w)
	if err != nil {
		return err
	}
	plan, err := p.Plan(ctx, tree, removals)
	if err != nil {
		return o.advise(err)
	}
	if o.json {
		return printJSON(w.stdout, plan)
	}
	var bytes int64
	counts := map[publish.Action]int{}
	var lines []string
	for i, s := range plan.Steps {
		bytes += s.Bytes
		counts[s.Action]++
		if i+1 == len(plan.Steps) || plan.Steps[i+1].Phase != s.Phase {
			lines = append(lines, fmt.Sprintf("  %-12s %d uploads, %d deletions", s.Phase,
				counts[publish.ActionUpload], counts[publish.ActionDelete]))
			clear(counts)
		}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w.stdout, line); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w.stdout, "release %s to %s: %s, %s, %d unchanged; nothing was done\n",
		plan.Release, p.Name(), problem.Count(len(plan.Steps), "step"), size(bytes), plan.Unchanged)
	return err
}

// A publishJSON is a report as --json prints it.
type publishJSON struct {
	Release     string   `json:"release"`
	Destination string   `json:"destination"`
	Uploaded    int      `json:"uploaded"`
	Deleted     int      `json:"deleted"`
	Unchanged   int      `json:"unchanged"`
	Removed     int      `json:"removed"`
	Bytes       int64    `json:"bytes"`
	Requests    int64    `json:"requests"`
	Seconds     float64  `json:"seconds"`
	Changed     []string `json:"changed"`
	Purged      int      `json:"purged"`
	Verified    int      `json:"verified"`
	Announced   int      `json:"announced"`
}

func tellPublished(w environment, o publishCommandOptions, name string, r publish.Report) error {
	if o.json {
		return printJSON(w.stdout, publishJSON{
			Release: r.Release, Destination: name, Uploaded: r.Uploaded, Deleted: r.Deleted, Unchanged: r.Unchanged,
			Removed: len(r.Removed), Bytes: r.Bytes, Requests: r.Requests, Seconds: r.Duration.Seconds(),
			Changed: append([]string{}, r.Changed...), Purged: r.Purged, Verified: r.Verified, Announced: r.Announced,
		})
	}
	text := fmt.Sprintf("release %s at %s: %d uploaded, %d deleted, %d unchanged; %s in %s, %.2f s",
		r.Release, name, r.Uploaded, r.Deleted, r.Unchanged, size(r.Bytes), problem.Count(int(r.Requests), "request"),
		r.Duration.Truncate(time.Millisecond).Seconds())
	if n := len(r.Removed); n > 0 {
		text += fmt.Sprintf("; %d removed", n)
	}
	if r.Verified > 0 {
		text += fmt.Sprintf(", %d verified as gone", r.Verified)
	}
	_, err := fmt.Fprintln(w.stdout, text)
	return err
}
