package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// OpenToRead opens an existing ledger for reading. The file and its folder need not be
// writable, so it works on a read-only file system where OpenExisting fails. It refuses a
// ledger of another version, since it cannot migrate it.
func OpenToRead(ctx context.Context, target string) (*Ledger, error) {
	if strings.Contains(target, "://") || target == "" {
		return OpenExisting(ctx, target)
	}
	steps, err := readSteps()
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(target)
	if err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	if err := provide(path, false); err != nil {
		return nil, err
	}
	// If there is no log, no program is writing. SQLite must then not look for the memory
	// that readers and writers share, which it could not create (SQLite, Write-Ahead
	// Logging, section 5).
	ways := []string{"mode=ro"}
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		ways = append(ways, "mode=ro&immutable=1")
	}
	for _, way := range ways {
		var l *Ledger
		if l, err = readable(ctx, path, way, len(steps)); err == nil {
			return l, nil
		}
	}
	return nil, err
}

// readable opens the file in one way and checks its version.
func readable(ctx context.Context, path, way string, version int) (*Ledger, error) {
	file, err := trackFile(path)
	if err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: way}).String())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the ledger %s: %w", path, err), file.release())
	}
	l := &Ledger{name: path, writer: db, reader: db, file: file, dialect: inSQLite{}}
	has, err := l.version(ctx, l.reader)
	if err == nil && has != version {
		err = fmt.Errorf("it has version %d, and this program reads version %d: run 'souk serve' or 'souk build' to upgrade an older one", has, version)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %w", l.own(err)), l.Close())
	}
	return l, nil
}
