package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// A Notice is a verified claim or removal of which an address of the operator has not been
// notified.
type Notice struct {
	// ID identifies the Notice at every address.
	ID string
	// Claim tells a claim, which has a Workspace, from a removal.
	Claim                 bool
	Slug, Name, Workspace string
	At                    time.Time
	// Attempts counts the attempts so far. The next one is due at NextTry; zero means now.
	Attempts int
	NextTry  time.Time
}

// A NoticeState is the state of a Notice at an address.
type NoticeState string

const (
	NoticeAccepted NoticeState = "accepted"
	// NoticeEnded means that the address accepts no notices any more, of anything.
	NoticeEnded NoticeState = "ended"
)

// Notices returns what was verified after a time and an address has not accepted, the oldest
// first. ended means that the address accepts nothing any more; the list is then empty.
// What the operator decided is not in it.
func (l *Ledger) Notices(ctx context.Context, address string, after time.Time) (list []Notice, ended bool, err error) {
	err = l.view(ctx, func(r *records) error {
		list, ended = nil, false
		key := noticeAddress(address)
		rows, err := r.texts("SELECT notice FROM notices WHERE address = ? AND state = 'ended'", key)
		if ended = len(rows) > 0; err != nil || ended {
			return err
		}
		list, err = all(r, "read notices", func(one row) (n Notice, err error) {
			err = one.Scan(&n.ID, &n.Claim, &n.Slug, &n.Name, &n.Workspace, moment{&n.At}, &n.Attempts, moment{&n.NextTry})
			return n, err
		}, "SELECT v.id, v.claim, v.slug, v.seller_name, v.workspace, v.at, COALESCE(n.attempts, 0), COALESCE(n.next_try, 0) FROM ("+
			"SELECT id, TRUE AS claim, slug, seller_name, workspace, used_at AS at FROM claims WHERE state = 'used' AND used_at > ? UNION ALL "+
			"SELECT id, FALSE, slug, seller_name, '', removed_at FROM removals WHERE request_id IS NOT NULL AND removed_at > ?) v "+
			"LEFT JOIN notices n ON n.address = ? AND n.notice = v.id WHERE COALESCE(n.state, 'waiting') = 'waiting' ORDER BY v.at, v.id",
			micros(after), micros(after), key)
		return err
	})
	return list, ended, err
}

// TryNotice records that an attempt begins and when the next one is due unless this one
// succeeds. mine is false if another process has begun one since n was read.
func (l *Ledger) TryNotice(ctx context.Context, address string, n Notice, next time.Time) (mine bool, err error) {
	err = l.update(ctx, func(r *records) error {
		rows, err := r.exec("note an attempt to notify", "INSERT INTO notices (address, notice, state, attempts, next_try) VALUES (?, ?, 'waiting', 1, ?) "+
			"ON CONFLICT (address, notice) DO UPDATE SET attempts = notices.attempts + 1, next_try = excluded.next_try "+
			"WHERE notices.state = 'waiting' AND notices.attempts = ?", noticeAddress(address), n.ID, micros(next), n.Attempts)
		mine = rows > 0
		return err
	})
	return mine, err
}

// SettleNotice records how a Notice ended at an address.
func (l *Ledger) SettleNotice(ctx context.Context, address string, n Notice, s NoticeState) error {
	return l.update(ctx, func(r *records) error {
		return r.one("note a notice", "UPDATE notices SET state = ? WHERE address = ? AND notice = ?", string(s), noticeAddress(address), n.ID)
	})
}

// KeepNotices forgets, of all other addresses, that they accept nothing any more, so that
// they can be used again, and what was settled before a time.
func (l *Ledger) KeepNotices(ctx context.Context, addresses []string, before time.Time) error {
	return l.update(ctx, func(r *records) error {
		args, others := []any{}, ""
		for _, a := range addresses {
			args, others = append(args, noticeAddress(a)), others+" AND address <> ?"
		}
		_, err := r.exec("forget old notices", "DELETE FROM notices WHERE state = 'ended'"+others, args...)
		if err != nil {
			return err
		}
		_, err = r.exec("forget old notices", "DELETE FROM notices WHERE state <> 'ended' AND next_try <= ?", micros(before))
		return err
	})
}

// noticeAddress returns an address as it is stored.
func noticeAddress(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:])
}
