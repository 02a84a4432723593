package ledger

import (
	"time"

	"souk/dynamic/verification"
)

const messageColumns = "id, kind, to_local, to_domain, name, request_id, seller_id, slug, seller_name, domain, workspace, created_at, expires_at, attempts, class, turn, crowd"

// AddMessage implements verification.Tx.
func (r *records) AddMessage(m verification.Message) error {
	err := r.one("add a mail",
		"INSERT INTO messages ("+messageColumns+", state, next_try, accepted_at, last_error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, 0, '')",
		m.ID, string(m.Kind), m.To.Local, m.To.Domain, m.Name, m.RequestID, m.SellerID, m.Slug, m.SellerName, m.Domain, m.Workspace,
		micros(m.CreatedAt), micros(m.ExpiresAt), m.Attempt, m.Place.Class, m.Place.Turn, m.Place.Crowd, micros(m.CreatedAt))
	if err != nil {
		return err
	}
	return r.count(waiting, 1)
}

// lineOrders match the indexes messages_crowd and messages_newest.
var lineOrders = map[verification.LineOrder]string{
	verification.ByCrowd:  "class, turn, crowd, created_at, id",
	verification.ByNewest: "class, turn, created_at DESC, id",
}

// DueMessages implements verification.Tx.
func (r *records) DueMessages(now time.Time, o verification.LineOrder, most int) ([]verification.Message, error) {
	return all(r, "read the outbox", func(one row) (m verification.Message, err error) {
		err = one.Scan(&m.ID, &m.Kind, &m.To.Local, &m.To.Domain, &m.Name, &m.RequestID, &m.SellerID, &m.Slug, &m.SellerName,
			&m.Domain, &m.Workspace, moment{&m.CreatedAt}, moment{&m.ExpiresAt}, &m.Attempt,
			&m.Place.Class, &m.Place.Turn, &m.Place.Crowd)
		return m, err
	}, "SELECT "+messageColumns+" FROM messages WHERE state = 'waiting' AND next_try <= ? ORDER BY "+lineOrders[o]+" LIMIT ?",
		micros(now), most)
}

// PostponeMessage implements verification.Tx.
func (r *records) PostponeMessage(id string, attempt int, next time.Time) error {
	return r.one("lease a mail", "UPDATE messages SET attempts = ?, next_try = ? WHERE id = ? AND state = 'waiting'",
		attempt, micros(next), id)
}

// FailMessage implements verification.Tx.
func (r *records) FailMessage(id string, attempt int, next time.Time, reason string) error {
	_, err := r.exec("postpone a mail",
		"UPDATE messages SET next_try = ?, last_error = ? WHERE id = ? AND state = 'waiting' AND attempts = ?",
		micros(next), reason, id, attempt)
	return err
}

// EndMessage implements verification.Tx.
func (r *records) EndMessage(id string, o verification.Outcome, at time.Time, reason string) error {
	var accepted int64
	if o == verification.Accepted {
		accepted = micros(at)
	}
	n, err := r.exec("settle a mail",
		"UPDATE messages SET state = ?, accepted_at = ?, last_error = ? WHERE id = ? AND state = 'waiting'",
		string(o), accepted, reason, id)
	if err != nil || n == 0 {
		return err
	}
	if err := r.count(waiting, -1); err != nil {
		return err
	}
	return r.count(string(o), 1)
}

// waiting is the state of a mail that has not been accepted or given up.
const waiting = "waiting"

// count adds n to the number of mails in a state.
func (r *records) count(state string, n int) error {
	return r.one("count mails", "UPDATE mail_counts SET mails = mails + ? WHERE state = ?", n, state)
}

// Outbox implements verification.Reader.
func (r *records) Outbox() (o verification.OutboxState, err error) {
	err = r.each("read how many mails wait", func(one row) error {
		var state string
		var n int
		err := one.Scan(&state, &n, moment{&o.Oldest}, moment{&o.Next})
		switch state {
		case waiting:
			o.Waiting = n
		case string(verification.Accepted):
			o.Accepted = n
		case string(verification.Dropped):
			o.Dropped = n
		}
		return err
	}, "SELECT state, mails, "+
		"COALESCE((SELECT created_at FROM messages WHERE state = 'waiting' ORDER BY created_at LIMIT 1), 0), "+
		"COALESCE((SELECT next_try FROM messages WHERE state = 'waiting' ORDER BY next_try LIMIT 1), 0) FROM mail_counts")
	return o, err
}
