package ledger

import (
	"time"

	"souk/dynamic/verification"
)

// Holdings implements verification.Reader.
func (r *records) Holdings() ([]verification.Holding, error) {
	return all(r, "read who has which profile", func(one row) (h verification.Holding, err error) {
		err = one.Scan(&h.SellerID, &h.Workspace, &h.ClaimID, moment{&h.AttachedAt}, &h.Seller.Slug, &h.Seller.Name, &h.Seller.OfficialDomain,
			&h.RequesterName, &h.Requester.Local, &h.Requester.Domain)
		h.Seller.ID = h.SellerID
		return h, err
	}, "SELECT a.seller_id, a.workspace, a.claim_id, a.attached_at, COALESCE(p.slug, c.slug, ''), COALESCE(c.seller_name, ''), COALESCE(p.domain, c.domain, ''), "+
		"COALESCE(c.requester_name, ''), COALESCE(c.requester_local, ''), COALESCE(c.requester_domain, '') "+
		"FROM attachments a LEFT JOIN claims c ON c.id = a.claim_id LEFT JOIN publications p ON p.seller_id = a.seller_id AND "+latest+
		" ORDER BY 5, a.seller_id")
}

// PendingClaims implements verification.Reader.
func (r *records) PendingClaims(now time.Time) ([]verification.Request, error) {
	return all(r, "read the pending claims", func(one row) (q verification.Request, err error) {
		q.Purpose, q.State = verification.ForClaim, verification.Pending
		err = one.Scan(&q.ID, &q.SellerID, &q.Slug, &q.SellerName, &q.Domain, &q.RequesterName, &q.Requester.Local, &q.Requester.Domain,
			moment{&q.CreatedAt}, moment{&q.ExpiresAt})
		return q, err
	}, "SELECT id, seller_id, slug, seller_name, domain, requester_name, requester_local, requester_domain, created_at, expires_at "+
		"FROM claims WHERE state = 'pending' AND expires_at > ? ORDER BY created_at, id", micros(now))
}

// EndAttachment implements verification.Tx.
func (r *records) EndAttachment(d verification.Detachment) error {
	if err := r.one("detach a profile", "DELETE FROM attachments WHERE seller_id = ? AND workspace = ?", d.SellerID, d.Workspace); err != nil {
		return err
	}
	return r.one("detach a profile",
		"INSERT INTO detachments (seller_id, workspace, claim_id, attached_at, moved_to, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
		d.SellerID, d.Workspace, d.ClaimID, micros(d.AttachedAt), d.MovedTo, d.Reason, micros(d.At))
}

// detachments returns a seller's past attachments, the earliest end first.
func (r *records) detachments(sellerID string) ([]verification.Detachment, error) {
	return all(r, "read the history", func(one row) (d verification.Detachment, err error) {
		err = one.Scan(&d.SellerID, &d.Workspace, &d.ClaimID, moment{&d.AttachedAt}, &d.MovedTo, &d.Reason, moment{&d.At})
		return d, err
	}, "SELECT seller_id, workspace, claim_id, attached_at, moved_to, reason, at FROM detachments WHERE seller_id = ? ORDER BY at", sellerID)
}
