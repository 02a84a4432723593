package verification

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"souk/build/catalog"
)

// IsNamed reports whether a name given by an operator means this seller: its companySlug,
// its canonical id, or its official domain in any spelling.
func (s Seller) IsNamed(name string) bool {
	if name == "" {
		return false
	}
	domain, ok := comparedDomain(name)
	return name == s.Slug || name == s.ID || ok && domain == s.OfficialDomain
}

// comparedDomain returns the form in which a domain is compared and recorded.
func comparedDomain(name string) (domain string, ok bool) {
	domain, ok = asciiDomain(name)
	return catalog.BareDomain(domain), ok
}

// Remove creates a Removal without a request, ordered by the operator, and records the
// reason. market is the current marketplace; it decides which sellers are separate
// companies. As with VerifyRemoval, once Remove returns nil every later build must withhold
// the seller, and its pending verifications fail. It fails with CodeRemoved if a Removal is
// already active, or with CodeInvalidField. It sends no mail, since nobody asked.
func (p *Process) Remove(ctx context.Context, market Sellers, seller Seller, reason string) (Removal, error) {
	reason, err := checkReason(reason)
	if err != nil {
		return Removal{}, err
	}
	beside, err := p.beside(ctx, market, seller)
	if err != nil {
		return Removal{}, err
	}
	id, err := newID(p.config.Random, "removed")
	if err != nil {
		return Removal{}, err
	}
	made := Removal{
		ID: id, SellerID: seller.ID, Slug: seller.Slug, Name: seller.Name, Domain: seller.OfficialDomain,
		SeparateIDs: beside, Reason: reason, RemovedAt: p.now(),
	}
	err = p.config.Ledger.Update(ctx, func(tx Tx) error {
		before, held, err := tx.ActiveRemoval(seller.ID, seller.OfficialDomain)
		if err == nil && held {
			return before.holdsAlready()
		}
		if err != nil {
			return err
		}
		return tx.AddRemoval(made)
	})
	if err != nil {
		return Removal{}, err
	}
	return made, nil
}

// RemovedAlready fails with CodeRemoved if a Removal is active for a seller with that name,
// whether or not the content still has it.
func (p *Process) RemovedAlready(ctx context.Context, name string) error {
	list, err := p.ListRemovals(ctx, false)
	if err != nil {
		return err
	}
	for _, one := range list {
		if (Seller{ID: one.SellerID, Slug: one.Slug, OfficialDomain: one.Domain}).IsNamed(name) {
			return one.holdsAlready()
		}
	}
	return nil
}

// Published returns the seller with a name in the last release on record: the content may
// have lost it since, or contain a mistake about it.
func (p *Process) Published(ctx context.Context, name string) (s Seller, ok bool, err error) {
	h, err := p.History(ctx, name)
	if errors.Is(err, notFound()) {
		return Seller{}, false, nil
	}
	for _, one := range h.Publications {
		if now := (Seller{ID: one.SellerID, Slug: one.Slug, OfficialDomain: one.Domain}); one.Until.IsZero() && now.IsNamed(name) {
			return now, true, err
		}
	}
	return Seller{}, false, err
}

func (r Removal) holdsAlready() *Error {
	return &Error{
		Code:   CodeRemoved,
		Detail: fmt.Sprintf("%s is already removed, since %s: run 'souk removals' to list removals.", r.Named(), r.RemovedAt.UTC().Format(time.RFC3339)),
	}
}

// Named returns the removed seller's companySlug, followed by its official domain if it had
// one.
func (r Removal) Named() string {
	if r.Domain == "" {
		return r.Slug
	}
	return r.Slug + " (" + r.Domain + ")"
}

// checkReason returns the operator's reason as it is recorded.
func checkReason(reason string) (string, error) {
	reason = strings.TrimSpace(reason)
	if reason == "" || !utf8.ValidString(reason) || strings.ContainsRune(reason, 0) || utf8.RuneCountInString(reason) > longestReason {
		return "", invalid(FieldFault{"reason", FaultRequired, "say why, in 1 to 1000 characters, for the record"})
	}
	return reason, nil
}
