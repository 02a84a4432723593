//go:build unix

package ledger_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

func (m *market) leaves(slug string) {
	m.t.Helper()
	id, token := m.removal(slug)
	if _, err := m.VerifyRemoval(m.t.Context(), id, token); err != nil {
		m.t.Fatal(err)
	}
}

func (m *market) removed() (slugs []string) {
	m.t.Helper()
	list, err := m.ListRemovals(m.t.Context(), false)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, one := range list {
		slugs = append(slugs, one.Slug)
	}
	return slugs
}

func (m *market) backup() string {
	m.t.Helper()
	file := filepath.Join(m.t.TempDir(), "backup.db")
	if err := m.ledger.Backup(m.t.Context(), file); err != nil {
		m.t.Fatal(err)
	}
	return file
}

// restore restores a backup and returns the slugs of the removals that were kept.
func (m *market) restore(file string) (kept []string, lost ledger.Lost) {
	m.t.Helper()
	list, lost, err := m.ledger.Restore(m.t.Context(), file, m.now())
	if err != nil {
		m.t.Fatal(err)
	}
	for _, one := range list {
		kept = append(kept, one.Slug)
	}
	return kept, lost
}

// addresses returns the addresses on record of a removed seller.
func (m *market) addresses(slug string) []string {
	m.t.Helper()
	list, err := m.ledger.Removed(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	for _, one := range list {
		if one.Slug == slug {
			return one.Addresses
		}
	}
	return nil
}

func TestBackupIsConsistentDuringWrites(t *testing.T) {
	here := filepath.Join(t.TempDir(), "ledger.db")
	m, busy := newMarket(t, here, false), newMarket(t, here, false)
	m.leaves("acme")
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				if _, err := busy.StartClaim(t.Context(), start("zinc")); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	file := m.backup()
	close(stop)
	<-stopped
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := ledger.CheckBackup(t.Context(), file); err != nil {
		t.Error(err)
	}
	if got := newMarket(t, file, false).removed(); !slices.Equal(got, []string{"acme"}) {
		t.Errorf("removed are %v", got)
	}
	if err := m.ledger.Backup(t.Context(), file); err == nil {
		t.Error("a backup replaced a file")
	}
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name()[0] == '.' }) {
		t.Errorf("beside it are %v, %v", entries, err)
	}
}

func TestRestoreKeepsRemovalsNewerThanTheBackup(t *testing.T) {
	m := newMarket(t, filepath.Join(t.TempDir(), "ledger.db"), false)
	record(t, m.ledger, whole("r1", 0, published("acme", "/products/arm"), published("bolt"), published("zinc")))
	m.leaves("zinc")
	_, secret, err := m.NewAPIToken(t.Context(), "ws-1")
	if err != nil {
		t.Fatal(err)
	}
	file := m.backup()
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m.pass(time.Hour)
	record(t, m.ledger, whole("r2", 1, published("acme", "/products/arm", "/products/new"), published("bolt")))
	m.leaves("acme")
	if _, err := m.Restore(t.Context(), "zinc", "a mistake"); err != nil {
		t.Fatal(err)
	}
	id, token := m.claim("bolt")
	if _, err := m.VerifyClaim(t.Context(), id, token, "ws-1"); err != nil {
		t.Fatal(err)
	}
	m.claim("cord")
	tokens, err := m.APITokens(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.RevokeAPIToken(t.Context(), tokens[0].ID); err != nil {
		t.Fatal(err)
	}
	known, err := m.ledger.Removals(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	outbox, err := m.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	kept, lost := m.restore(file)
	if !slices.Equal(kept, []string{"acme"}) || lost != (ledger.Lost{Attached: 1, Pending: 1}) {
		t.Errorf("kept %v, lost %+v", kept, lost)
	}
	if got := m.removed(); !slices.Equal(got, []string{"zinc", "acme"}) {
		t.Errorf("removed are %v", got)
	}
	if got, want := m.addresses("acme"), []string{"companies/acme", "companies/acme/products/arm", "companies/acme/products/new"}; !slices.Equal(got, want) {
		t.Errorf("the addresses are %v, want %v", got, want)
	}
	if attached, pending, err := m.Claims(t.Context()); err != nil || len(attached)+len(pending) != 0 {
		t.Errorf("claims are %v, %v, %v", attached, pending, err)
	}
	if _, err := m.Authenticate(t.Context(), secret.Reveal()); err == nil {
		t.Error("a revoked token is valid again")
	}
	if after, err := m.Outbox(t.Context()); err != nil || after != outbox {
		t.Errorf("the outbox is %+v, was %+v, %v", after, outbox, err)
	}
	if now, err := m.ledger.Removals(t.Context(), known, nil); err != nil || now.Revision <= known.Revision {
		t.Errorf("servers do not read that the removals changed: %v", err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Error("the backup was changed")
	}
	m.leaves("bolt")
	if kept, _ := m.restore(file); len(kept) != 2 || !slices.Contains(kept, "acme") || !slices.Contains(kept, "bolt") {
		t.Errorf("the second time kept %v", kept)
	}
}

func TestRestoreKeepsRemovalUndoneOnlyInTheBackup(t *testing.T) {
	here := filepath.Join(t.TempDir(), "ledger.db")
	m := newMarket(t, here, false)
	m.leaves("acme")
	older := m.backup()
	if _, err := m.Restore(t.Context(), "acme", "a mistake"); err != nil {
		t.Fatal(err)
	}
	newer := m.backup()
	m.restore(older)
	if kept, _ := m.restore(newer); !slices.Equal(kept, []string{"acme"}) || !slices.Equal(m.removed(), []string{"acme"}) {
		t.Errorf("kept %v, removed are %v", kept, m.removed())
	}
}

func TestRestoreMergesALedgerStartedAfterALoss(t *testing.T) {
	m := newMarket(t, filepath.Join(t.TempDir(), "ledger.db"), false)
	record(t, m.ledger, whole("r1", 0, published("acme", "/products/old"), published("bolt", "/products/nut"), published("zinc")))
	m.leaves("bolt")
	file := m.backup()
	begun := newMarket(t, filepath.Join(t.TempDir(), "ledger.db"), false)
	begun.pass(48 * time.Hour)
	record(t, begun.ledger, whole("r7", 40, published("acme", "/products/new"), published("zinc")))
	begun.leaves("acme")
	if kept, _ := begun.restore(file); !slices.Equal(kept, []string{"acme"}) {
		t.Errorf("kept %v", kept)
	}
	if got := begun.removed(); !slices.Equal(got, []string{"bolt", "acme"}) {
		t.Errorf("removed are %v", got)
	}
	for slug, want := range map[string][]string{
		"acme": {"companies/acme", "companies/acme/products/new", "companies/acme/products/old"},
		"bolt": {"companies/bolt", "companies/bolt/products/nut"},
	} {
		if got := begun.addresses(slug); !slices.Equal(got, want) {
			t.Errorf("the addresses of %s are %v, want %v", slug, got, want)
		}
	}
	record(t, begun.ledger, whole("r8", 49, published("zinc", "/products/cup")))
	if last, err := begun.ledger.LastRelease(t.Context()); err != nil || last != "r8" {
		t.Errorf("the last release is %q, %v", last, err)
	}
}

func TestSellerRemovedInBothIsRemovedOnce(t *testing.T) {
	m := newMarket(t, filepath.Join(t.TempDir(), "ledger.db"), false)
	m.leaves("acme")
	file := m.backup()
	other := newMarket(t, filepath.Join(t.TempDir(), "ledger.db"), false)
	other.leaves("acme")
	other.restore(file)
	if got := other.removed(); !slices.Equal(got, []string{"acme"}) {
		t.Errorf("removed are %v", got)
	}
}

func TestInvalidBackupChangesNothing(t *testing.T) {
	here := filepath.Join(t.TempDir(), "ledger.db")
	m := newMarket(t, here, false)
	m.leaves("acme")
	good := m.backup()
	text, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	before := rows(t, here, "removals")
	for name, text := range map[string][]byte{
		"empty": {}, "text": []byte("no ledger"), "cut": text[:len(text)/2], "zeros": append(slices.Clone(text[:4096]), make([]byte, len(text)-4096)...),
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := m.ledger.Restore(t.Context(), file, m.now()); err == nil {
			t.Errorf("%s was restored", name)
		}
	}
	for _, file := range []string{filepath.Join(t.TempDir(), "missing"), t.TempDir()} {
		if _, _, err := m.ledger.Restore(t.Context(), file, m.now()); err == nil {
			t.Errorf("%s was restored", file)
		}
	}
	if after := rows(t, here, "removals"); !slices.Equal(after, before) || !slices.Equal(m.removed(), []string{"acme"}) {
		t.Error("the ledger was changed")
	}
	if err := m.ledger.Backup(t.Context(), filepath.Join(t.TempDir(), "no", "such", "folder")); err == nil {
		t.Error("a backup into a missing folder succeeded")
	}
}

func TestPostgreSQLBackupIsRefused(t *testing.T) {
	m := newMarket(t, postgres(t).Database(t), false)
	if err := m.ledger.Backup(t.Context(), filepath.Join(t.TempDir(), "backup")); !errors.Is(err, ledger.ErrPostgres) {
		t.Error(err)
	}
	if _, _, err := m.ledger.Restore(t.Context(), "backup", m.now()); !errors.Is(err, ledger.ErrPostgres) {
		t.Error(err)
	}
}

var _ verification.Sellers = (*market)(nil)
