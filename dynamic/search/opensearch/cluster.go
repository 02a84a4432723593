package opensearch

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"souk/dynamic/search/cluster"
)

// Options are the options of a cluster.
type Options struct {
	// Transport sends requests; nil is the default of package http.
	Transport http.RoundTripper
	// After is the timer; nil is time.After.
	After func(time.Duration) <-chan time.Time
	// Log reports indexing. It may be nil.
	Log *slog.Logger
}

// A Cluster is a cluster.Cluster on OpenSearch.
type Cluster struct {
	client *client
	after  func(time.Duration) <-chan time.Time
	log    *slog.Logger
}

var _ cluster.Cluster = (*Cluster)(nil)

// Open returns a cluster without contacting it.
func Open(t *Target, o Options) *Cluster {
	if o.Transport == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = 64
		o.Transport = transport
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Cluster{
		client: &client{target: t, http: &http.Client{
			Transport: o.Transport,
			// The password must not be sent elsewhere.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}},
		after: o.After, log: o.Log,
	}
}

// Hold implements cluster.Cluster.
func (c *Cluster) Hold(ctx context.Context, d *cluster.Documents) (cluster.Holding, error) {
	f := &filling{Cluster: c, documents: d, name: c.client.target.Alias + "-" + d.Key()}
	if err := f.run(ctx); err != nil {
		return nil, err
	}
	h := &holding{client: c.client, name: f.name, sizes: map[string]size{}}
	for _, filter := range d.Filters() {
		if ids := d.IDs(filter); ids > 0 {
			h.sizes[filter] = size{ids: ids, listed: d.Told(filter)}
		}
	}
	return h, nil
}

// A filling indexes the documents of a release.
type filling struct {
	*Cluster
	documents *cluster.Documents
	name      string
}

func (f *filling) run(ctx context.Context) error {
	began := time.Now()
	if err := f.create(ctx); err != nil {
		return err
	}
	lacking, err := f.missing(ctx)
	if err != nil {
		return err
	}
	if len(lacking) > 0 {
		sending, failed := errgroup.WithContext(ctx)
		sending.SetLimit(senders)
		for _, from := range lacking {
			if failed.Err() != nil {
				break
			}
			// Requests in progress continue if another fails, so that they need not be
			// repeated.
			sending.Go(func() error { return f.send(ctx, from) })
		}
		if err := sending.Wait(); err != nil {
			return err
		}
		if lacking, err = f.missing(ctx); err != nil {
			return err
		}
		if len(lacking) > 0 {
			return &Error{Doing: "fill " + f.name, cause: fmt.Errorf("listings %d to %d are missing after they were sent", lacking[0], lacking[0]+batch-1), Mend: "delete the index: it will be filled again"}
		}
		f.log.Info("OpenSearch has the listings of the release", "index", f.name, "listings", f.documents.Len(), "took", time.Since(began).Round(time.Millisecond))
	}
	return f.lead(ctx)
}

// create creates the index unless it exists, and checks that it is one of ours.
func (f *filling) create(ctx context.Context) error {
	doing := "create the index " + f.name
	err := f.client.do(ctx, doing, http.MethodPut, "/"+f.name, encode(indexOf(f.documents, f.client.target.Shards)), nil)
	if e := asError(err); e == nil || e.Type != "resource_already_exists_exception" {
		return err
	}
	var told map[string]struct {
		Mappings struct {
			Meta struct {
				Key string `json:"souk"`
			} `json:"_meta"`
		} `json:"mappings"`
	}
	if err := f.client.do(ctx, "read the mapping of "+f.name, http.MethodGet, "/"+f.name+"/_mapping", nil, &told); err != nil {
		return err
	}
	if told[f.name].Mappings.Meta.Key != f.documents.Key() {
		return &Error{Doing: doing, cause: fmt.Errorf("another index has this name"), Mend: "delete it, or choose another name for the alias"}
	}
	return nil
}

// batch is how many listings are sent in one request, and the unit of missing ones. senders is
// how many requests are prepared or in progress at a time, so that neither side waits for the
// other.
const (
	batch   = 1000
	senders = 4
)

// missing refreshes the index and returns the first numbers of incomplete batches.
func (f *filling) missing(ctx context.Context) (from []int, err error) {
	if err := f.client.do(ctx, "refresh "+f.name, http.MethodPost, "/"+f.name+"/_refresh", nil, &shards{}); err != nil {
		return nil, err
	}
	var told found
	body := encode(object{"size": 0, "track_total_hits": true, "aggs": object{"n": object{"histogram": object{"field": "n", "interval": batch, "min_doc_count": 1}}}})
	if err := f.client.do(ctx, "count "+f.name, http.MethodPost, "/"+f.name+searchPath, body, &told); err != nil {
		return nil, err
	}
	if err := told.whole(); err != nil {
		return nil, &Error{Doing: "count " + f.name, cause: err}
	}
	has := map[int]int{}
	for _, b := range told.Aggregations["n"].Buckets {
		has[int(b.Key)] = b.Count
	}
	all := f.documents.Len()
	for at := 0; at < all; at += batch {
		if has[at] != min(batch, all-at) {
			from = append(from, at)
		}
	}
	return from, nil
}

// attempts is how often a batch is sent to a cluster that is not ready, doubling the wait each
// time.
const (
	attempts  = 8
	firstWait = 100 * time.Millisecond
)

// send sends the batch that begins at a number.
func (f *filling) send(ctx context.Context, from int) error {
	body, err := f.bulk(from, min(from+batch, f.documents.Len()))
	if err != nil {
		return err
	}
	wait := firstWait
	for attempt := 1; ; attempt++ {
		err := f.sendOnce(ctx, body)
		e := asError(err)
		if err == nil || e == nil || !e.retry() || attempt == attempts || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.after(wait):
		}
		wait *= 2
	}
}

func (f *filling) sendOnce(ctx context.Context, body []byte) error {
	var told struct {
		Errors *bool `json:"errors"`
		Items  []map[string]struct {
			Status int `json:"status"`
			Error  struct {
				Type   string `json:"type"`
				Reason string `json:"reason"`
			} `json:"error"`
		} `json:"items"`
	}
	doing := "fill " + f.name
	if err := f.client.do(ctx, doing, http.MethodPost, "/"+f.name+"/_bulk?filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason", body, &told); err != nil {
		return err
	}
	if told.Errors == nil {
		return &Error{Doing: doing, cause: errUnexpected}
	}
	for _, item := range told.Items {
		for _, one := range item {
			if one.Status/100 != 2 {
				return &Error{Doing: doing, Status: one.Status, Type: one.Error.Type, Reason: one.Error.Reason}
			}
		}
	}
	return nil
}

// lead points the alias to the index, and deletes the indexes before the previous one.
func (f *filling) lead(ctx context.Context) error {
	alias := f.client.target.Alias
	var all map[string]struct {
		Aliases  map[string]struct{} `json:"aliases"`
		Settings struct {
			Index struct {
				Created string `json:"creation_date"`
			} `json:"index"`
		} `json:"settings"`
	}
	if err := f.client.do(ctx, "list the indexes of "+alias, http.MethodGet, "/"+alias+"-*", nil, &all); err != nil {
		return err
	}
	own, there := all[f.name]
	if !there {
		return &Error{Doing: "list the indexes of " + alias, cause: fmt.Errorf("%s is not among them", f.name)}
	}
	if _, leads := own.Aliases[alias]; leads {
		return nil
	}
	actions := []object{{"add": object{"index": f.name, "alias": alias}}}
	var old []string
	for name, one := range all {
		if !keyed(name, alias) || name == f.name {
			continue
		}
		if _, led := one.Aliases[alias]; led {
			actions = append(actions, object{"remove": object{"index": name, "alias": alias}})
		} else if len(one.Settings.Index.Created) == len(own.Settings.Index.Created) && one.Settings.Index.Created < own.Settings.Index.Created {
			old = append(old, name) // a newer index is being filled
		}
	}
	if err := f.client.do(ctx, "point the alias "+alias+" to "+f.name, http.MethodPost, "/_aliases", encode(object{"actions": actions}), nil); err != nil {
		if e := asError(err); e != nil && e.Type == "invalid_alias_name_exception" {
			e.Mend = "an index has the name of the alias: choose another name"
		}
		return err
	}
	slices.Sort(old)
	for _, name := range old {
		if err := f.client.do(ctx, "delete "+name, http.MethodDelete, "/"+name, nil, nil); err != nil {
			f.log.Warn("could not delete the index of an earlier release", "index", name, "cause", err)
		}
	}
	return nil
}

// keyed reports whether an index belongs to a release.
func keyed(name, alias string) bool {
	key, ours := strings.CutPrefix(name, alias+"-")
	return ours && len(key) == 16 && strings.Trim(key, "0123456789abcdef") == ""
}
