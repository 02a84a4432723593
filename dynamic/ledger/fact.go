package ledger

import (
	"strings"
	"time"

	"souk/dynamic/verification"
)

// Attachment implements verification.Reader.
func (r *records) Attachment(sellerID string) (verification.Attachment, bool, error) {
	return first(r, "read an attachment", scanAttachment,
		"SELECT seller_id, workspace, claim_id, attached_at FROM attachments WHERE seller_id = ?", sellerID)
}

func scanAttachment(one row) (a verification.Attachment, err error) {
	err = one.Scan(&a.SellerID, &a.Workspace, &a.ClaimID, moment{&a.AttachedAt})
	return a, err
}

// AddAttachment implements verification.Tx.
func (r *records) AddAttachment(a verification.Attachment) error {
	return r.one("attach a profile", "INSERT INTO attachments (seller_id, workspace, claim_id, attached_at) VALUES (?, ?, ?, ?)",
		a.SellerID, a.Workspace, a.ClaimID, micros(a.AttachedAt))
}

const selectRemovals = "SELECT r.id, r.request_id, r.seller_id, r.slug, r.seller_name, r.domain, r.beside, r.reason, r.removed_at, s.reason, s.at " +
	"FROM removals r LEFT JOIN restorations s ON s.removal_id = r.id "

func scanRemoval(one row) (m verification.Removal, err error) {
	var request, reason *string
	var at *int64
	var beside string
	err = one.Scan(&m.ID, &request, &m.SellerID, &m.Slug, &m.Name, &m.Domain, &beside, &m.Reason, moment{&m.RemovedAt}, &reason, &at)
	if request != nil {
		m.RequestID = *request
	}
	if beside != "" {
		m.SeparateIDs = strings.Split(beside, "\n")
	}
	if reason != nil && at != nil {
		m.Restored = &verification.Restoration{RemovalID: m.ID, Reason: *reason, At: time.UnixMicro(*at).UTC()}
	}
	return m, err
}

// ActiveRemoval implements verification.Reader.
func (r *records) ActiveRemoval(sellerID, domain string) (verification.Removal, bool, error) {
	return first(r, "read removals", scanRemoval,
		selectRemovals+"WHERE r.restored_at = 0 AND (r.seller_id = ? OR r.domain = ? AND r.domain <> '') ORDER BY r.removed_at, r.id",
		sellerID, domain)
}

// SlugRemoved implements verification.Reader.
func (r *records) SlugRemoved(slug string) (removed bool, err error) {
	err = r.each("read removals", func(row) error {
		removed = true
		return nil
	}, "SELECT r.id FROM removals r WHERE r.restored_at = 0 AND (r.slug = ? OR EXISTS (SELECT 1 FROM publications p WHERE p.slug = ? AND "+
		"(p.seller_id = r.seller_id OR p.domain = r.domain AND p.domain <> '' AND "+latest+"))) LIMIT 1", slug, slug)
	return removed, err
}

// Removals implements verification.Reader.
func (r *records) Removals(undone bool) ([]verification.Removal, error) {
	where := "WHERE r.restored_at = 0 "
	if undone {
		where = ""
	}
	return all(r, "read removals", scanRemoval, selectRemovals+where+"ORDER BY r.removed_at, r.id")
}

// AddRemoval implements verification.Tx.
func (r *records) AddRemoval(m verification.Removal) error {
	var request any
	if m.RequestID != "" {
		request = m.RequestID
	}
	err := r.one("remove a seller",
		"INSERT INTO removals (id, request_id, seller_id, slug, seller_name, domain, beside, reason, removed_at, restored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
		m.ID, request, m.SellerID, m.Slug, m.Name, m.Domain, strings.Join(m.SeparateIDs, "\n"), m.Reason, micros(m.RemovedAt))
	if err != nil {
		return err
	}
	return r.revise(m.RemovedAt)
}

// AddRestoration implements verification.Tx.
func (r *records) AddRestoration(s verification.Restoration) error {
	err := r.one("undo a removal", "UPDATE removals SET restored_at = ? WHERE id = ? AND restored_at = 0", micros(s.At), s.RemovalID)
	if err != nil {
		return err
	}
	err = r.one("undo a removal", "INSERT INTO restorations (removal_id, reason, at) VALUES (?, ?, ?)", s.RemovalID, s.Reason, micros(s.At))
	if err != nil {
		return err
	}
	return r.revise(s.At)
}

func scanAPIToken(one row) (t verification.APIToken, err error) {
	err = one.Scan(&t.ID, &t.Workspace, &t.Hash, moment{&t.CreatedAt}, moment{&t.LastUsedAt}, moment{&t.RevokedAt})
	return t, err
}

const selectAPITokens = "SELECT id, workspace, hash, created_at, last_used_at, revoked_at FROM api_tokens "

// APITokens implements verification.Reader.
func (r *records) APITokens() ([]verification.APIToken, error) {
	return all(r, "read tokens", scanAPIToken, selectAPITokens+"ORDER BY created_at, id")
}

// APIToken implements verification.Reader.
func (r *records) APIToken(h verification.Hash) (verification.APIToken, bool, error) {
	return first(r, "read tokens", scanAPIToken, selectAPITokens+"WHERE hash = ?", string(h))
}

// AddAPIToken implements verification.Tx.
func (r *records) AddAPIToken(t verification.APIToken) error {
	return r.one("add a token", "INSERT INTO api_tokens (id, workspace, hash, created_at, last_used_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?)",
		t.ID, t.Workspace, string(t.Hash), micros(t.CreatedAt), micros(t.LastUsedAt), micros(t.RevokedAt))
}

// ChangeAPIToken implements verification.Tx.
func (r *records) ChangeAPIToken(t verification.APIToken) error {
	return r.one("change a token", "UPDATE api_tokens SET last_used_at = ?, revoked_at = ? WHERE id = ?",
		micros(t.LastUsedAt), micros(t.RevokedAt), t.ID)
}
