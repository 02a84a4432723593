package ledger_test

import (
	"testing"

	"souk/dynamic/ledger"
)

func TestNameOfALedgerTellsNoPassword(t *testing.T) {
	for target, want := range map[string]string{
		"var/ledger.db":                                   "var/ledger.db",
		"postgres://souk:hunter2@db/souk":                 "postgres://souk:xxxxx@db/souk",
		"postgres://souk@db/souk?password=hunter2":        "postgres://souk@db/souk",
		"postgres://souk:hun%zzter2@db/souk":              "at PostgreSQL",
		"postgresql://souk:hunter2@db/souk?sslmode=x#y=z": "postgresql://souk:xxxxx@db/souk",
	} {
		if got := ledger.Redacted(target); got != want {
			t.Errorf("%s is named %s, want %s", target, got, want)
		}
	}
}
