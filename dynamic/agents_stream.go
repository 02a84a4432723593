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

// AgentsConfig configures ServeAgents. All fields except Log are required.
type AgentsConfig struct {
	// Build configures the build, into folders of its own.
	Build build.Config
	// Removals returns the current removals.
	Removals func(context.Context) (*catalog.Removals, error)
	// Version is the version of the program.
	Version string
	Log     *slog.Logger
}

// ServeAgents builds the content and serves MCP on a pair of streams until ctx or the input
// ends. Before each call it reads the removals and, if they have changed, builds again, so
// that the next call sees a removal by any process. It does not follow edits of the
// content.
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
		err = errors.Join(err, b.live.Swap(nil))
	}()
	if err := b.renew(); err != nil {
		return err
	}
	name := builder.Catalog().Market().Name
	return mcp.New(mcp.Config{Market: b, Log: c.Log, Name: func() string { return name }, Version: c.Version}).ServeStream(ctx, in, out)
}

// A bench is a market for one client that is updated before each access.
type bench struct {
	config AgentsConfig
	// open ends when the streams do.
	open     context.Context
	builder  *build.Builder
	removals catalog.Register
	live     search.Live
	// mu guards the Builder.
	mu        sync.Mutex
	addresses document.Addresses
}

var _ mcp.Market = (*bench)(nil)

// renew builds if the removals have changed since the last release. If the call runs out of
// time, the build continues, and the next call finds its result.
func (b *bench) renew() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	removals, err := b.config.Removals(b.open)
	if err != nil {
		return err
	}
	b.removals.Learn(removals)
	removals = b.removals.Now()
	if b.live.Current() != nil && b.builder.BuiltFrom().Key() == removals.Key() {
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
