package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"souk/build/kit/durable"
	"souk/dynamic/verification"
)

// ErrPostgres means that only a ledger in SQLite can be backed up and restored here.
var ErrPostgres = errors.New("this ledger is in PostgreSQL, whose own tools back it up and restore it: pg_dump and pg_restore")

// Backup copies the ledger, as it is at one moment, into a new file that only its owner can
// read. Other programs may go on using the ledger. It does not replace an existing file.
func (l *Ledger) Backup(ctx context.Context, file string) error {
	if l.Shared() {
		return ErrPostgres
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s exists: name a new file", file)
	}
	return withTempFile(filepath.Dir(file), func(unnamed string) error {
		if _, err := l.writer.ExecContext(ctx, "VACUUM INTO ?", unnamed); err != nil {
			return l.explain(failed("copy it", err))
		}
		copied, err := os.OpenFile(unnamed, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := errors.Join(copied.Chmod(0o600), copied.Sync(), copied.Close()); err != nil {
			return err
		}
		// Unlike a rename, a link replaces nothing. Not every file system has links.
		if err := os.Link(unnamed, file); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s exists: name a new file", file)
			}
			if err := os.Rename(unnamed, file); err != nil {
				return err
			}
		}
		return durable.SyncFolder(filepath.Dir(file))
	})
}

// withTempFile calls use with the path of a file that does not exist, in a folder below dir that
// only the owner can read and that is deleted afterwards.
func withTempFile(dir string, use func(unnamed string) error) (err error) {
	private, err := os.MkdirTemp(dir, ".ledger-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(private)) }()
	return use(filepath.Join(private, "ledger.db"))
}

// CheckBackup fails if a file is no backup that Restore can read.
func CheckBackup(ctx context.Context, file string) error {
	return withTempFile(os.TempDir(), func(copied string) error { return copyLedger(ctx, file, copied) })
}

// Lost is what Restore could not keep.
type Lost struct{ Attached, Pending int }

// Restore puts a backup in the place of what the ledger contains, in one transaction. The
// ledger keeps each removal that it has and the backup lacks or has restored, with what is
// on record about the seller, and returns these. It keeps its mails and notices too, so that
// none is sent twice, and revoked tokens stay revoked. Servers may go on: they read the
// restored removals like any other change.
func (l *Ledger) Restore(ctx context.Context, file string, now time.Time) (kept []verification.Removal, lost Lost, err error) {
	if l.Shared() {
		return nil, lost, ErrPostgres
	}
	err = withTempFile(filepath.Dir(l.name), func(copied string) error {
		if err := copyLedger(ctx, file, copied); err != nil {
			return err
		}
		return l.try(ctx, func() (err error) {
			kept, lost, err = l.restore(ctx, copied, now)
			return err
		})
	})
	return kept, lost, err
}

// copyLedger copies a ledger, brings the copy to the version of this program, and checks it.
// A backup that was copied as a file may have a log beside it.
func copyLedger(ctx context.Context, file, to string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the backup %s: %w", file, err)
		}
	}()
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(file+suffix, to+suffix); err != nil && (suffix == "" || !missing(err)) {
			return err
		}
	}
	l, err := OpenExisting(ctx, to)
	if err != nil {
		return errors.New(plainCause(err))
	}
	var damage string
	err = l.reader.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&damage)
	if err == nil && damage != "ok" {
		err = errors.New("it is damaged: " + damage)
	}
	return errors.Join(err, l.Close())
}

// plainCause returns the innermost message of an error that names a temporary file.
func plainCause(err error) string {
	var newer *ErrNewer
	if errors.As(err, &newer) {
		return newer.Error()
	}
	return "it is no ledger, or a damaged one"
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// restore is one attempt at Restore from a copy of the backup.
func (l *Ledger) restore(ctx context.Context, copied string, now time.Time) (kept []verification.Removal, lost Lost, err error) {
	if err := l.checkFile(); err != nil {
		return nil, lost, err
	}
	conn, err := l.writer.Conn(ctx)
	if err != nil {
		return nil, lost, failed("connect", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "ATTACH ? AS backup", copied); err != nil {
		return nil, lost, failed("open the backup", err)
	}
	defer func() {
		_, detached := conn.ExecContext(context.WithoutCancel(ctx), "DETACH backup")
		err = errors.Join(err, detached)
	}()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return nil, lost, failed("begin", err)
	}
	defer func() { _ = tx.Rollback() }()
	r := &records{ctx: ctx, tx: tx, bind: l.dialect.bind}
	kept, err = all(r, "read removals", scanRemoval, selectRemovals+"WHERE r.restored_at = 0 AND NOT EXISTS ("+
		"SELECT 1 FROM backup.removals b WHERE b.id = r.id AND b.restored_at = 0) ORDER BY r.removed_at, r.id")
	if err != nil {
		return nil, lost, err
	}
	err = r.each("read what is newer", func(one row) error { return one.Scan(&lost.Attached, &lost.Pending) },
		"SELECT (SELECT COUNT(*) FROM attachments WHERE claim_id NOT IN (SELECT claim_id FROM backup.attachments)), "+
			"(SELECT COUNT(*) FROM claims WHERE state = 'pending' AND id NOT IN (SELECT id FROM backup.claims)) + "+
			"(SELECT COUNT(*) FROM removal_requests WHERE state = 'pending' AND id NOT IN (SELECT id FROM backup.removal_requests))")
	if err != nil {
		return nil, lost, err
	}
	continued := 0
	err = r.each("compare the histories", func(one row) error { return one.Scan(&continued) },
		"SELECT NOT EXISTS (SELECT number, id, at FROM backup.releases EXCEPT SELECT number, id, at FROM main.releases)")
	if err != nil {
		return nil, lost, err
	}
	steps := restoring
	if continued == 0 {
		steps = append(steps[:len(steps):len(steps)], joining...)
	}
	for _, step := range append(steps, forgetting...) {
		if _, err := r.exec("put the backup in its place", step); err != nil {
			return nil, lost, err
		}
	}
	if err := r.revise(now); err != nil {
		return nil, lost, err
	}
	if err := tx.Commit(); err != nil {
		return nil, lost, failed(committing, err)
	}
	return kept, lost, l.checkFile()
}

// restoring replaces all records but the mails, the notices and the history. Foreign keys
// are checked at the commit.
var restoring = []string{
	"PRAGMA defer_foreign_keys = ON",
	"CREATE TEMP TABLE old_removals AS SELECT * FROM main.removals",
	"CREATE TEMP TABLE old_restorations AS SELECT * FROM main.restorations",
	"CREATE TEMP TABLE old_requests AS SELECT * FROM main.removal_requests WHERE state = 'used'",
	"CREATE TEMP TABLE old_tokens AS SELECT * FROM main.api_tokens WHERE revoked_at <> 0",

	"DELETE FROM main.restorations", "DELETE FROM main.removals", "DELETE FROM main.removal_requests",
	"DELETE FROM main.attachments", "DELETE FROM main.claims", "DELETE FROM main.detachments", "DELETE FROM main.api_tokens", "DELETE FROM main.idempotency",
	"INSERT INTO main.claims SELECT * FROM backup.claims",
	"INSERT INTO main.attachments SELECT * FROM backup.attachments",
	"INSERT INTO main.detachments SELECT * FROM backup.detachments",
	"INSERT INTO main.idempotency SELECT * FROM backup.idempotency",
	"INSERT INTO main.api_tokens SELECT * FROM backup.api_tokens",
	"UPDATE main.api_tokens SET revoked_at = (SELECT revoked_at FROM old_tokens t WHERE t.id = api_tokens.id) WHERE id IN (SELECT id FROM old_tokens)",

	"INSERT INTO main.removal_requests SELECT * FROM old_requests",
	"INSERT OR IGNORE INTO main.removal_requests SELECT * FROM backup.removal_requests",
	"INSERT INTO main.removals SELECT * FROM backup.removals",
	"INSERT INTO main.restorations SELECT * FROM backup.restorations",
	// What the ledger has as removed stays so, unless the seller is removed again.
	"UPDATE main.removals SET restored_at = 0 WHERE restored_at <> 0 AND id IN (SELECT id FROM old_removals WHERE restored_at = 0) " +
		"AND NOT EXISTS (SELECT 1 FROM main.removals o WHERE o.seller_id = removals.seller_id AND o.restored_at = 0)",
	"DELETE FROM main.restorations WHERE removal_id IN (SELECT id FROM main.removals WHERE restored_at = 0)",
	// If both removed the same seller in different ways, the same domain stays withheld.
	"INSERT INTO main.removals SELECT * FROM old_removals k WHERE id NOT IN (SELECT id FROM main.removals) " +
		"AND NOT EXISTS (SELECT 1 FROM main.removals o WHERE o.seller_id = k.seller_id AND o.domain = k.domain AND o.restored_at = 0 AND k.restored_at = 0)",
	"INSERT OR IGNORE INTO main.restorations SELECT * FROM old_restorations WHERE removal_id IN (SELECT id FROM main.removals WHERE restored_at <> 0)",

	"INSERT OR IGNORE INTO main.messages SELECT * FROM backup.messages",
	"UPDATE main.mail_counts SET mails = (SELECT COUNT(*) FROM main.messages WHERE state = 'waiting') WHERE state = 'waiting'",
	"UPDATE main.meta SET value = (SELECT MAX(CAST(value AS INTEGER)) FROM (SELECT value FROM main.meta WHERE name = 'revision' UNION ALL SELECT value FROM backup.meta WHERE name = 'revision')) WHERE name = 'revision'",
}

// joining replaces the history, unless it continues that of the backup, and adds what was
// public of the sellers whose removals are kept, after all that the backup has. The next
// build records the rest.
var joining = []string{
	"CREATE TEMP TABLE kept AS SELECT DISTINCT p.seller_id FROM main.publications p JOIN old_removals o ON o.seller_id = p.seller_id OR o.domain = p.domain AND o.domain <> '' " +
		"WHERE o.id NOT IN (SELECT id FROM backup.removals)",
	"CREATE TEMP TABLE old_publications AS SELECT * FROM main.publications WHERE seller_id IN (SELECT seller_id FROM kept)",
	"CREATE TEMP TABLE old_addresses AS SELECT * FROM main.addresses WHERE seller_id IN (SELECT seller_id FROM kept)",
	"CREATE TEMP TABLE old_releases AS SELECT * FROM main.releases",
	"DELETE FROM main.addresses", "DELETE FROM main.publications", "DELETE FROM main.releases",
	"INSERT INTO main.releases SELECT * FROM backup.releases",
	"INSERT INTO main.publications SELECT * FROM backup.publications",
	"INSERT INTO main.addresses SELECT * FROM backup.addresses",
	"CREATE TEMP TABLE base AS SELECT COALESCE(MAX(number), 0) AS n FROM backup.releases",
	"INSERT INTO main.releases SELECT number + n, id, at FROM old_releases, base",
	"UPDATE main.publications SET until_release = (SELECT MIN(number) FROM main.releases, base WHERE number > n) WHERE until_release = 0 AND seller_id IN (SELECT seller_id FROM kept)",
	"UPDATE main.addresses SET until_release = (SELECT MIN(number) FROM main.releases, base WHERE number > n) WHERE until_release = 0 AND seller_id IN (SELECT seller_id FROM kept)",
	"INSERT INTO main.publications SELECT seller_id, slug, domain, from_release + n, CASE until_release WHEN 0 THEN 0 ELSE until_release + n END, digest FROM old_publications, base",
	"INSERT INTO main.addresses SELECT seller_id, address, from_release + n, CASE until_release WHEN 0 THEN 0 ELSE until_release + n END FROM old_addresses, base",
	"UPDATE main.meta SET value = '' WHERE name = 'release'",
	"DROP TABLE kept", "DROP TABLE old_publications", "DROP TABLE old_addresses", "DROP TABLE old_releases", "DROP TABLE base",
}

var forgetting = []string{"DROP TABLE old_removals", "DROP TABLE old_restorations", "DROP TABLE old_requests", "DROP TABLE old_tokens"}
