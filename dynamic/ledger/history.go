package ledger

import (
	"slices"

	"souk/dynamic/verification"
)

// History implements verification.Reader.
func (r *records) History(name string) (h verification.History, ok bool, err error) {
	ids, err := r.companies(name)
	if err != nil || len(ids) == 0 {
		return h, false, err
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if err := r.addHistory(id, &h); err != nil {
			return h, false, err
		}
	}
	slices.SortStableFunc(h.Publications, func(a, b verification.Publication) int { return a.From.Compare(b.From) })
	slices.SortStableFunc(h.Removals, func(a, b verification.Removal) int { return a.RemovedAt.Compare(b.RemovedAt) })
	slices.SortStableFunc(h.Attachments, func(a, b verification.Attachment) int { return a.AttachedAt.Compare(b.AttachedAt) })
	slices.SortStableFunc(h.Detachments, func(a, b verification.Detachment) int { return a.At.Compare(b.At) })
	return h, len(h.Publications)+len(h.Removals)+len(h.Attachments)+len(h.Detachments) > 0, nil
}

// companies returns the canonical ids that a slug, domain or id may refer to.
func (r *records) companies(name string) (ids []string, err error) {
	for _, table := range []string{"publications", "removals", "claims"} {
		found, err := r.texts("SELECT DISTINCT seller_id FROM "+table+" WHERE seller_id = ? OR slug = ? OR domain = ?", name, name, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, found...)
	}
	return ids, nil
}

// addHistory adds the records of one canonical id.
func (r *records) addHistory(id string, h *verification.History) error {
	publications, err := all(r, "read the history", func(one row) (p verification.Publication, err error) {
		var until *string
		var at *int64
		err = one.Scan(&p.SellerID, &p.Slug, &p.Domain, &p.FromRelease, moment{&p.From}, &until, &at)
		if err == nil && until != nil && at != nil {
			p.UntilRelease = *until
			err = moment{&p.Until}.Scan(*at)
		}
		return p, err
	}, "SELECT p.seller_id, p.slug, p.domain, f.id, f.at, u.id, u.at FROM publications p "+
		"JOIN releases f ON f.number = p.from_release LEFT JOIN releases u ON u.number = p.until_release "+
		"WHERE p.seller_id = ? ORDER BY p.from_release", id)
	if err != nil {
		return err
	}
	removals, err := all(r, "read the history", scanRemoval, selectRemovals+"WHERE r.seller_id = ? ORDER BY r.removed_at, r.id", id)
	if err != nil {
		return err
	}
	attachments, err := all(r, "read the history", scanAttachment,
		"SELECT seller_id, workspace, claim_id, attached_at FROM attachments WHERE seller_id = ?", id)
	if err != nil {
		return err
	}
	detachments, err := r.detachments(id)
	if err != nil {
		return err
	}
	addresses, err := r.texts("SELECT DISTINCT address FROM addresses WHERE seller_id = ?", id)
	h.Addresses += len(addresses)
	h.Publications = append(h.Publications, publications...)
	h.Removals = append(h.Removals, removals...)
	h.Attachments = append(h.Attachments, attachments...)
	h.Detachments = append(h.Detachments, detachments...)
	return err
}
