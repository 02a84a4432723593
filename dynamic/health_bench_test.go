package dynamic

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"testing"
	"time"
)

// withMails adds notices to a house's ledger, all in one state, created and due one after
// the other from a time on.
func (h *house) withMails(count int, state string, from time.Time) {
	h.Helper()
	db, err := sql.Open("sqlite", filepath.Join(h.home, "ledger.db"))
	if err != nil {
		h.Fatal(err)
	}
	defer db.Close()
	const insert = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO messages (id, kind, state, to_local, to_domain, name, request_id, seller_id, slug, seller_name, domain,
			workspace, created_at, expires_at, attempts, next_try, accepted_at, last_error)
		SELECT 'removed.' || i, 'removed', ?, 'jane' || i, 'acme.example', 'Jane', 'r' || i, 'acme', 'acme', 'Acme', 'acme.example',
			'', ? + i, 0, 0, ? + i, 0, '' FROM n`
	if _, err := db.Exec(insert, count, state, from.UnixMicro(), from.UnixMicro()); err != nil {
		h.Fatal(err)
	}
}

// BenchmarkHealth requests /health with 400,000 mails on record, from as many concurrent
// clients as there are processors.
func BenchmarkHealth(b *testing.B) {
	for _, state := range []string{"accepted", "waiting"} {
		b.Run(state, func(b *testing.B) {
			h := newHouse(b)
			h.withMails(400_000, state, time.Now().Add(24*time.Hour))
			h.open()
			b.ResetTimer()
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					response, err := http.Get(h.base + "/health")
					if err != nil {
						b.Error(err)
						return
					}
					response.Body.Close()
				}
			})
		})
	}
}
