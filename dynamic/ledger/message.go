package ledger

import (
	"time"

	"souk/dynamic/verification"
)

const messageColumns = "id, kind, to_local, to_domain, name, request_id, seller_id, slug, seller_name, domain, workspace, created_at, expires_at, attempts, class, turn, crowd"

// AddMessage implements verification.Mails.
func (r *records) AddMessage(m verification.Message) error {
	return r.one("add a mail",
		"INSERT INTO messages ("+messageColumns+", state, next_try, accepted_at, last_error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, 0, '')",
		m.ID, string(m.Kind), m.To.Local, m.To.Domain, m.Name, m.RequestID, m.SellerID, m.Slug, m.SellerName, m.Domain, m.Workspace,
		micros(m.CreatedAt), micros(m.ExpiresAt), m.Attempt, m.Place.Class, m.Place.Turn, m.Place.Crowd, micros(m.CreatedAt))
}

// lineOrders are those of the indexes messages_crowd and messages_newest.
var lineOrders = map[verification.LineOrder]string{
	verification.ByCrowd:  "class, turn, crowd, created_at, id",
	verification.ByNewest: "class, turn, created_at DESC, id",
}

// DueMessages implements verification.Mails.
func (r *records) DueMessages(now time.Time, o verification.LineOrder, most int) ([]verification.Message, error) {
	return all(r, "read the outbox", func(one row) (m verification.Message, err error) {
		err = one.Scan(&m.ID, &m.Kind, &m.To.Local, &m.To.Domain, &m.Name, &m.RequestID, &m.SellerID, &m.Slug, &m.SellerName,
			&m.Domain, &m.Workspace, moment{&m.CreatedAt}, moment{&m.ExpiresAt}, &m.Attempt,
			&m.Place.Class, &m.Place.Turn, &m.Place.Crowd)
		return m, err
	}, "SELECT "+messageColumns+" FROM messages WHERE state = 'waiting' AND next_try <= ? ORDER BY "+lineOrders[o]+" LIMIT ?",
		micros(now), most)
}

// PostponeMessage implements verification.Mails.
func (r *records) PostponeMessage(id string, attempt int, next time.Time) error {
	return r.one("lease a mail", "UPDATE messages SET attempts = ?, next_try = ? WHERE id = ? AND state = 'waiting'",
		attempt, micros(next), id)
}

// FailMessage implements verification.Mails.
func (r *records) FailMessage(id string, attempt int, next time.Time, reason string) error {
	_, err := r.exec("postpone a mail",
		"UPDATE messages SET next_try = ?, last_error = ? WHERE id = ? AND state = 'waiting' AND attempts = ?",
		micros(next), reason, id, attempt)
	return err
}

// EndMessage implements verification.Mails.
func (r *records) EndMessage(id string, o verification.Outcome, at time.Time, reason string) error {
	var accepted int64
	if o == verification.Accepted {
		accepted = micros(at)
	}
	_, err := r.exec("settle a mail",
		"UPDATE messages SET state = ?, accepted_at = ?, last_error = ? WHERE id = ? AND state = 'waiting'",
		string(o), accepted, reason, id)
	return err
}

// Outbox implements verification.Reader.
func (r *records) Outbox() (o verification.OutboxState, err error) {
	err = r.each("count the outbox", func(one row) error {
		var state string
		var n int
		var oldest, next time.Time
		if err := one.Scan(&state, &n, moment{&oldest}, moment{&next}); err != nil {
			return err
		}
		switch state {
		case string(verification.Accepted):
			o.Accepted = n
		case string(verification.Dropped):
			o.Dropped = n
		default:
			o.Waiting, o.Oldest, o.Next = n, oldest, next
		}
		return nil
	}, "SELECT state, COUNT(*), MIN(created_at), MIN(next_try) FROM messages GROUP BY state")
	return o, err
}
