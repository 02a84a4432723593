package dynamic

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/agents/mcp"
	"souk/dynamic/search"
	"souk/dynamic/search/suggest"
)

// AgentsConfig says what agents read on a pair of streams. All fields are
// required, but Log alone of what is not a folder.
type AgentsConfig struct {
	// Build says what is built, into folders of its own.
	Build build.Config
	// Removals reads who is removed.
	Removals func(context.Context) (*catalog.Removals, error)
	// Version is that of the program.
	Version string
	Log     *slog.Logger
}

// ServeAgents builds the content and answers MCP on a pair of streams until ctx or
// the input ends. Before each call it reads who is removed and, where that has
// changed, builds again: a removal by whatever process is seen by the next call.
// Edits of the content are not followed.
func ServeAgents(ctx context.Context, c AgentsConfig, in io.ReadCloser, out io.WriteCloser) (err error) {
	c.Build.LongLived = true
	builder, err := build.New(c.Build)
	if err != nil {
		return err
	}
	open, end := context.WithCancel(ctx)
	b := &bench{config: c, builder: builder, open: open}
	defer func() {
		end()
		b.mu.Lock()
		defer b.mu.Unlock()
		err = errors.Join(err, b.live.Swap(nil), builder.Close())
	}()
	if err := b.renew(); err != nil {
		return err
	}
	name := builder.Catalog().Market().Name
	return mcp.New(mcp.Config{Market: b, Log: c.Log, Name: func() string { return name }, Version: c.Version}).ServeStream(ctx, in, out)
}

// A bench is a market that one client reads, which is brought up to date before
// each look.
type bench struct {
	config AgentsConfig
	// open ends with the streams.
	open     context.Context
	builder  *build.Builder
	removals catalog.Register
	live     search.Live
	// mu guards the Builder.
	mu        sync.Mutex
	addresses document.Addresses
}

var _ mcp.Market = (*bench)(nil)

// renew builds if the removals are not those of the last release. It goes on where
// the call that it is made for has no time left: the next call finds it made.
func (b *bench) renew() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	removals, err := b.config.Removals(b.open)
	if err != nil {
		return err
	}
	b.removals.Learn(removals)
	removals = b.removals.Now()
	if b.live.Current() != nil && b.builder.Made().Key() == removals.Key() {
		return nil
	}
	if _, err := b.builder.Build(b.open, removals); err != nil {
		return err
	}
	r := document.NewRenderer(b.builder.Catalog(), b.config.Build.SiteURL)
	b.addresses = r.Addresses()
	opened, err := search.Open(b.open, index.Extract(b.builder.Catalog(), r), search.Options{
		Removals: &b.removals, State: b.builder.SearchState(), Previous: b.live.Current(), Log: b.config.Log,
	})
	if err != nil {
		return err
	}
	return b.live.Swap(opened)
}

// Search implements mcp.Market.
func (b *bench) Search(ctx context.Context, q search.Query) (*search.Result, error) {
	if err := b.renew(); err != nil {
		return nil, err
	}
	return b.live.Search(ctx, q)
}

// Companies implements mcp.Market.
func (b *bench) Companies(ctx context.Context, q search.Query) (*search.CompanyResult, error) {
	if err := b.renew(); err != nil {
		return nil, err
	}
	return b.live.Companies(ctx, q)
}

// Suggest implements mcp.Market.
func (b *bench) Suggest(ctx context.Context, q suggest.Query) (*search.Suggestions, error) {
	if err := b.renew(); err != nil {
		return nil, err
	}
	return b.live.Suggest(ctx, q)
}

// Document implements mcp.Market.
func (b *bench) Document(ctx context.Context, file string) ([]byte, mcp.State, error) {
	if err := b.renew(); err != nil {
		return nil, mcp.Unknown, err
	}
	return agentsMarket{release: surface{b.builder.Tree(), &b.removals}}.Document(ctx, file)
}

// Addresses implements mcp.Market.
func (b *bench) Addresses() (document.Addresses, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.addresses, nil
}
