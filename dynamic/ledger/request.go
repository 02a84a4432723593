package ledger

import (
	"errors"
	"strings"
	"time"

	"souk/dynamic/verification"
)

// table returns the table that stores the requests of a purpose.
func table(p verification.Purpose) (string, error) {
	switch p {
	case verification.ForClaim:
		return "claims", nil
	case verification.ForRemoval:
		return "removal_requests", nil
	default:
		return "", errors.New("requests have one of two purposes")
	}
}

const requestColumns = "id, state, seller_id, slug, seller_name, domain, requester_name, requester_local, requester_domain, " +
	"token_hashes, created_at, expires_at, used_at, workspace"

// Request implements verification.Reader.
func (r *records) Request(p verification.Purpose, id string) (verification.Request, bool, error) {
	name, err := table(p)
	if err != nil {
		return verification.Request{}, false, err
	}
	return first(r, "read a request", func(one row) (q verification.Request, err error) {
		var hashes string
		q.Purpose = p
		err = one.Scan(&q.ID, &q.State, &q.SellerID, &q.Slug, &q.SellerName, &q.Domain,
			&q.RequesterName, &q.Requester.Local, &q.Requester.Domain, &hashes,
			moment{&q.CreatedAt}, moment{&q.ExpiresAt}, moment{&q.UsedAt}, &q.Workspace)
		for h := range strings.FieldsSeq(hashes) {
			q.TokenHashes = append(q.TokenHashes, verification.Hash(h))
		}
		return q, err
	}, "SELECT "+requestColumns+" FROM "+name+" WHERE id = ?", id)
}

// AddRequest implements verification.Tx.
func (r *records) AddRequest(q verification.Request) error {
	name, err := table(q.Purpose)
	if err != nil {
		return err
	}
	hashes := make([]string, len(q.TokenHashes))
	for i, h := range q.TokenHashes {
		hashes[i] = string(h)
	}
	return r.one("add a request", "INSERT INTO "+name+" ("+requestColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		q.ID, string(q.State), q.SellerID, q.Slug, q.SellerName, q.Domain,
		q.RequesterName, q.Requester.Local, q.Requester.Domain, strings.Join(hashes, " "),
		micros(q.CreatedAt), micros(q.ExpiresAt), micros(q.UsedAt), q.Workspace)
}

// UseRequest implements verification.Tx.
func (r *records) UseRequest(p verification.Purpose, id, workspace string, at time.Time) error {
	name, err := table(p)
	if err != nil {
		return err
	}
	return r.one("use a request", "UPDATE "+name+" SET state = 'used', used_at = ?, workspace = ? WHERE id = ? AND state = 'pending'",
		micros(at), workspace, id)
}

// AddTokenHash implements verification.Tx.
func (r *records) AddTokenHash(p verification.Purpose, id string, h verification.Hash) error {
	name, err := table(p)
	if err != nil {
		return err
	}
	return r.one("add a token", "UPDATE "+name+" SET token_hashes = token_hashes || ' ' || ? WHERE id = ?", string(h), id)
}

// ExpireRemovalRequests implements verification.Tx.
func (r *records) ExpireRemovalRequests(sellerID string, at time.Time) error {
	_, err := r.exec("end removal requests",
		"UPDATE removal_requests SET expires_at = ? WHERE seller_id = ? AND state = 'pending' AND expires_at > ?",
		micros(at), sellerID, micros(at))
	return err
}

// Idempotent implements verification.Reader.
func (r *records) Idempotent(p verification.Purpose, sellerID string, key verification.Hash) (verification.Idempotent, bool, error) {
	return first(r, "read a key", func(one row) (i verification.Idempotent, err error) {
		i.Purpose, i.SellerID, i.Key = p, sellerID, key
		err = one.Scan(&i.Body, &i.RequestID, moment{&i.CreatedAt})
		return i, err
	}, "SELECT body_hash, request_id, created_at FROM idempotency WHERE purpose = ? AND seller_id = ? AND key_hash = ?",
		string(p), sellerID, string(key))
}

// AddIdempotent implements verification.Tx.
func (r *records) AddIdempotent(i verification.Idempotent) error {
	return r.one("add a key", "INSERT INTO idempotency (purpose, seller_id, key_hash, body_hash, request_id, created_at) VALUES (?, ?, ?, ?, ?, ?) "+
		"ON CONFLICT (purpose, seller_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash, request_id = excluded.request_id, created_at = excluded.created_at",
		string(i.Purpose), i.SellerID, string(i.Key), string(i.Body), i.RequestID, micros(i.CreatedAt))
}

// Recent implements verification.Reader.
func (r *records) Recent(key verification.Hash, after, before time.Time, most int) ([]time.Time, error) {
	return all(r, "read a limit", func(one row) (t time.Time, err error) {
		err = one.Scan(moment{&t})
		return t, err
	}, "SELECT at FROM rate_events WHERE key_hash = ? AND at > ? AND at < ? ORDER BY at DESC LIMIT ?", string(key), micros(after), micros(before), most)
}

// AddRecent implements verification.Tx.
func (r *records) AddRecent(keys []verification.Hash, at time.Time) error {
	for _, key := range keys {
		if err := r.one("count for a limit", "INSERT INTO rate_events (key_hash, at) VALUES (?, ?)", string(key), micros(at)); err != nil {
			return err
		}
	}
	return nil
}
