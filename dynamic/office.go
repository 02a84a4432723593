package dynamic

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/dynamic/ledger"
	"souk/dynamic/mail"
	"souk/dynamic/oidc"
	"souk/dynamic/search"
	"souk/dynamic/verification"
)

// Requests says how claims and removals are taken. Ledger and Sender are
// required.
type Requests struct {
	Ledger *ledger.Ledger
	// Removals are held beside those of the ledger; nil for none.
	Removals *catalog.Removals
	// Sender brings mails to where they go; From is their sender, by default the
	// contactEmail of the marketplace.
	Sender mail.Sender
	From   string
	// LinkLifetime is how long a link is valid; default 24 hours.
	LinkLifetime time.Duration
	// OIDC judges access tokens; nil where only souk's own are taken.
	OIDC *oidc.Authenticator
	// Trusted are the networks of proxies that are believed.
	Trusted []netip.Prefix
	// Unlimited: no limit of how often may be asked.
	Unlimited bool
	// Random gives secrets; default crypto/rand.
	Random io.Reader
}

// An office is what claims and removals need of everything else: it keeps the
// directory and the set of the withheld up with the releases, and completes
// removals.
type office struct {
	Requests
	archive   *Archive
	process   *verification.Process
	directory directory
	mails     *mail.Dispatcher
	rebuilder *Rebuilder
	copier    *copier
	withheld  *search.Withheld
	config    Config

	mu sync.Mutex
	// going are the companySlugs whose removal is on record and not completed.
	going map[string]int
	// unrecorded: the last release is not in the publication history yet.
	unrecorded atomic.Bool
	// again: who is withheld is to be settled by one more release.
	again atomic.Bool
}

func newOffice(c Config, withheld *search.Withheld) (*office, error) {
	o := &office{Requests: c.Requests, archive: NewArchive(c.Requests.Ledger, c.Requests.Removals), withheld: withheld, config: c, going: map[string]int{}}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	var err error
	o.process, err = verification.New(verification.Config{
		Ledger: o.Ledger, Sellers: &o.directory, Now: c.Build.Clock, Random: o.Random,
		LinkLifetime: o.LinkLifetime, Unlimited: o.Unlimited,
	})
	if err != nil {
		return nil, err
	}
	box := &outbox{process: o.process, directory: &o.directory, leased: map[string]verification.Message{}}
	o.mails = mail.NewDispatcher(mail.Config{Outbox: box, Sender: o.Sender, From: o.sender, Log: c.Log, Now: c.Build.Clock})
	return o, nil
}

// sender gives the address that mails come from.
func (o *office) sender() string {
	if o.From != "" {
		return o.From
	}
	l, err := o.directory.listing()
	if err != nil {
		return ""
	}
	if l.market.ContactEmail != "" {
		return l.market.ContactEmail
	}
	return "no-reply@" + mailHost(l.site)
}

// mailHost gives the host of a site as mails name it.
func mailHost(site string) string {
	u, err := url.Parse(site)
	if err != nil || u.Hostname() == "" {
		return "localhost"
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return "localhost"
	}
	return u.Hostname()
}

// desk gives what answers the calls.
func (o *office) desk() *desk {
	return &desk{
		process: o.process, directory: &o.directory, oidc: o.OIDC, trusted: o.Trusted,
		mailed: o.mails.Wake, withdraw: o.withdraw,
	}
}

// released takes in what a Builder has just released, before anybody is told
// of the release.
func (o *office) released(b *build.Builder) {
	o.directory.renew(b, o.config.Build.SiteURL)
	slugs := o.archive.formerSlugs()
	b.Catalog().EachSeller(func(n *catalog.Node) {
		if n.Withheld() {
			slugs = append(slugs, n.Ref().Slug)
		}
	})
	o.mu.Lock()
	defer o.mu.Unlock()
	hidden := make([]string, 0, len(slugs))
	for _, slug := range slugs {
		// Who has the companySlug now may be somebody else.
		if n := b.Catalog().Node(catalog.SellerRef(slug)); n == nil || !n.Current() {
			hidden = append(hidden, slug)
		}
	}
	o.again.Store(false)
	for slug, waiting := range o.going {
		if hidden = append(hidden, slug); waiting == 0 {
			// This release may be one from before the removal, or after its undoing.
			delete(o.going, slug)
			o.again.Store(true)
		}
	}
	o.withheld.Set(hidden...)
}

// withhold has nothing answered any more of who is withdrawn, before a release
// shows it, or where none can be made: lists that stand in the folder then
// still name them.
func (o *office) withhold(t *release.Tree) {
	for _, slug := range o.leaving(t) {
		o.withheld.Add(slug)
	}
}

// record writes the release into the publication history.
func (o *office) record(ctx context.Context, b *build.Builder, report build.Report) {
	err := o.archive.Record(ctx, b, report, o.config.Build.Clock())
	if o.unrecorded.Store(err != nil); err != nil && ctx.Err() == nil {
		o.config.Log.Error("the release is served, and not in the publication history yet", "cause", err)
	}
}

// withdraw completes a removal that is on record: from here on nothing of the
// seller is answered, and when it returns nothing of it is public.
func (o *office) withdraw(ctx context.Context, r verification.Removal) (publicCopy string, err error) {
	o.mu.Lock()
	o.going[r.Slug]++
	o.mu.Unlock()
	o.withheld.Add(r.Slug)
	defer func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.going[r.Slug]--; o.going[r.Slug] == 0 && err == nil {
			delete(o.going, r.Slug)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for began := time.Now(); ; {
		if err = o.rebuilder.Withdraw(ctx); err == nil {
			return o.copier.await(ctx, copyPatience), nil
		}
		if ctx.Err() != nil || time.Since(began) > retriesFor {
			return "", fmt.Errorf("the removal is on record and not rendered: %w", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryRemoval):
		}
	}
}

const (
	// patience is how long somebody who has proven a removal waits for its
	// rendering, which goes on after that: less than the proxies in between do.
	patience = 30 * time.Second
	// copyPatience is how long the answer waits for the published copy, which
	// may take minutes.
	copyPatience = 5 * time.Second
	// retriesFor is how long a rendering that fails is tried again while
	// somebody waits, every retryRemoval.
	retriesFor   = 5 * time.Second
	retryRemoval = time.Second
)

// leaving gives the companySlugs of a release that are those of the withdrawn,
// as the history or the release itself knows them.
func (o *office) leaving(t *release.Tree) []string {
	removals := o.archive.removals()
	slugs := slices.DeleteFunc(o.archive.formerSlugs(), func(slug string) bool {
		owner, known := t.Owner(slug)
		return known && !removals.HoldsOwner(owner.ID, owner.Domains)
	})
	t.EachOwner(func(slug string, owner release.Owner) {
		if removals.HoldsOwner(owner.ID, owner.Domains) {
			slugs = append(slugs, slug)
		}
	})
	return slugs
}

// complete tells whether a release shows none of the withdrawn, where there is
// no catalog to render them away: what an earlier process left half done
// would be served.
func (o *office) complete(t *release.Tree) error {
	for _, slug := range o.leaving(t) {
		if t.Stands(document.SellerFile(slug)) {
			return errUnfinished
		}
	}
	return nil
}

var errUnfinished = errors.New("a seller that was removed stands in the public folder, and the content has mistakes, so that it cannot be rendered away: mend the mistakes, then start again")

// A publicTree is the release as it is served: who was withdrawn is gone from
// it with the commit of the removal, whatever still lies in the folder.
type publicTree struct {
	*release.Tree
	withheld *search.Withheld
}

// Lookup is that of web.Release.
func (t publicTree) Lookup(file string) (release.Entry, bool) {
	entry, stands := t.Tree.Lookup(file)
	company := document.CompanyOf(file)
	if company == "" || !t.withheld.Has(company) {
		return entry, stands
	}
	plain, stub := document.IsGone(file)
	return entry, stub && (stands || t.Tree.Stands(plain))
}

// health tells how the parts for claims and removals do.
func (o *office) health(ctx context.Context, checks map[string]string) (down bool) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	checks["ledger"] = "ok"
	if o.Ledger.Ping(ctx) != nil {
		checks["ledger"] = "it cannot be read"
		return true
	}
	checks["mail"] = "ok"
	if state, err := o.process.Outbox(ctx); err == nil && !state.Oldest.IsZero() {
		if waits := o.config.Build.Clock().Sub(state.Oldest); waits > lateMail {
			checks["mail"] = fmt.Sprintf("%d wait, the oldest for %s", state.Waiting, waits.Round(time.Minute))
		}
	}
	checks["history"] = cmp.Or(map[bool]string{true: "the last release is not on record yet"}[o.unrecorded.Load()], "ok")
	return false
}

// lateMail is how long a mail may wait before health tells.
const lateMail = 5 * time.Minute

// outdated tells whether there is anything left for one more release.
func (o *office) outdated() bool { return o.unrecorded.Load() || o.again.Load() }

// pending counts the removals that are on record and not completed here.
func (o *office) pending() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.going)
}
