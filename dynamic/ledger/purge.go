package ledger

import "souk/dynamic/verification"

// Purge implements verification.Tx.
func (r *records) Purge(p verification.Purge, most int) (deleted int, err error) {
	for _, one := range []struct {
		query string
		args  []any
	}{
		{"DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE state <> 'waiting' AND created_at <= ? ORDER BY created_at LIMIT ?)",
			[]any{micros(p.Mails), most}},
		{"DELETE FROM claims WHERE id IN (SELECT id FROM claims WHERE state = 'pending' AND expires_at <= ? ORDER BY expires_at LIMIT ?)",
			[]any{micros(p.Requests), most}},
		{"DELETE FROM removal_requests WHERE id IN (SELECT id FROM removal_requests WHERE state = 'pending' AND expires_at <= ? ORDER BY expires_at LIMIT ?)",
			[]any{micros(p.Requests), most}},
		// These tables have no id: delete everything up to the time of the last row to
		// delete.
		{"DELETE FROM idempotency WHERE created_at <= COALESCE((SELECT created_at FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT 1 OFFSET ?), ?)",
			[]any{micros(p.Keys), most - 1, micros(p.Keys)}},
		{"DELETE FROM rate_events WHERE at <= COALESCE((SELECT at FROM rate_events WHERE at <= ? ORDER BY at LIMIT 1 OFFSET ?), ?)",
			[]any{micros(p.Starts), most - 1, micros(p.Starts)}},
	} {
		n, err := r.exec("delete what is past its time", one.query, one.args...)
		if err != nil {
			return 0, err
		}
		deleted = max(deleted, int(n))
	}
	return deleted, nil
}
