package ledger

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// An ErrNewer says that a newer program wrote the ledger.
type ErrNewer struct{ Ledger, Program int64 }

func (e *ErrNewer) Error() string {
	return fmt.Sprintf("it is of version %d, and this program knows version %d: use the program that wrote it, or a newer one", e.Ledger, e.Program)
}

// A migrator is what differs between the databases when they are migrated.
type migrator interface {
	goose() (goose.Dialect, []goose.ProviderOption, error)
	// exists asks how many tables of a ledger of any version are there.
	exists() string
}

func (inSQLite) goose() (goose.Dialect, []goose.ProviderOption, error) {
	return goose.DialectSQLite3, nil, nil
}

func (inSQLite) exists() string {
	return "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'meta'"
}

func (inPostgres) goose() (goose.Dialect, []goose.ProviderOption, error) {
	// Machines that start at once look every second whether it is done.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
	return goose.DialectPostgres, []goose.ProviderOption{goose.WithSessionLocker(locker)}, err
}

func (inPostgres) exists() string {
	return "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'meta'"
}

// prepare brings a ledger to the form that this program knows.
func (l *Ledger) prepare(ctx context.Context, create bool) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	// Two programs may begin the same SQLite file at once. Each migration is one
	// transaction: the one that comes second fails, and then finds it done.
	const tries = 3
	for n := 1; ; n++ {
		err = l.migrate(ctx, files, create)
		if err == nil || errors.Is(err, ErrMissing) {
			return err
		}
		if n == tries || errors.As(err, new(*ErrNewer)) || ctx.Err() != nil {
			return fmt.Errorf("open %w", l.explain(err))
		}
	}
}

// migrate applies the migrations of a folder that a ledger has not seen.
func (l *Ledger) migrate(ctx context.Context, files fs.FS, create bool) error {
	dialect, options, err := l.dialect.goose()
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, l.writer, files, append(options, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	has, err := l.version(ctx, dialect)
	if err != nil {
		return fmt.Errorf("read its version: %w", err)
	}
	if has == 0 && !create {
		return fmt.Errorf("open the ledger: %w in %s: look for a slip in the name, or run souk serve once to begin one there", ErrMissing, l.name)
	}
	var knows int64
	for _, s := range p.ListSources() {
		knows = max(knows, s.Version)
	}
	if has > knows {
		return &ErrNewer{Ledger: has, Program: knows}
	}
	if has == knows {
		return nil
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("bring it from version %d to %d: %w", has, knows, err)
	}
	return nil
}

// version gives that of the ledger; 0 where there is none. It waits for nobody
// who migrates, since the tables and their version come together.
func (l *Ledger) version(ctx context.Context, dialect goose.Dialect) (int64, error) {
	var tables int
	if err := l.writer.QueryRowContext(ctx, l.dialect.exists()).Scan(&tables); err != nil || tables == 0 {
		return 0, err
	}
	store, err := database.NewStore(dialect, goose.DefaultTablename)
	if err != nil {
		return 0, err
	}
	return store.GetLatestVersion(ctx, l.writer)
}
