package verification

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Restore undoes the active Removals of a seller, given by its slug, canonical id or
// official domain, and records the reason. Pending removal requests expire, so that no
// earlier link can remove the seller again. It fails with CodeNotFound if no Removal is
// active, or with CodeInvalidField, also if several companies have the name.
func (p *Process) Restore(ctx context.Context, seller, reason string) ([]Removal, error) {
	reason, err := checkReason(reason)
	if err != nil {
		return nil, err
	}
	names, err := p.namesOf(ctx, seller)
	if err != nil {
		return nil, err
	}
	var restored []Removal
	err = p.config.Ledger.Update(ctx, func(tx Tx) error {
		restored = nil
		all, err := tx.Removals(false)
		if err != nil {
			return err
		}
		named := slices.DeleteFunc(all, func(one Removal) bool { return !slices.ContainsFunc(names, one.isNamed) })
		if err := ofOneCompany(seller, named); err != nil {
			return err
		}
		for _, one := range named {
			one.Restored = &Restoration{RemovalID: one.ID, Reason: reason, At: p.now()}
			if err := tx.AddRestoration(*one.Restored); err != nil {
				return err
			}
			if err := tx.ExpireRemovalRequests(one.SellerID, one.Restored.At); err != nil {
				return err
			}
			restored = append(restored, one)
		}
		return nil
	})
	if err == nil && len(restored) == 0 {
		err = &Error{Code: CodeNotFound, Detail: "No seller of that name is removed."}
	}
	return restored, err
}

// ofOneCompany rejects Removals of several companies, one of which may have a companySlug
// that another had before. Restoring one company must not bring back another that left for
// good.
func ofOneCompany(name string, list []Removal) error {
	for _, one := range list {
		if first := list[0]; one.SellerID != first.SellerID && one.Domain != first.Domain {
			return &Error{Code: CodeInvalidField, Detail: fmt.Sprintf("Several removed companies have the name %s: %s (%s) and %s (%s). Use an official domain instead.",
				name, first.Name, first.Domain, one.Name, one.Domain)}
		}
	}
	return nil
}

// namesOf returns all names that a seller may have: the given name and, if there is
// content, its names there.
func (p *Process) namesOf(ctx context.Context, seller string) ([]string, error) {
	names := []string{seller}
	if domain, ok := comparedDomain(seller); ok {
		names = append(names, domain)
	}
	if p.config.Sellers == nil {
		return names, nil
	}
	s, ok, err := p.config.Sellers.BySlug(ctx, seller)
	if err == nil && ok {
		names = append(names, s.ID, s.OfficialDomain)
	}
	return names, err
}

// isNamed reports whether a Removal applies to the seller with that name.
func (r Removal) isNamed(name string) bool {
	return name != "" && (name == r.SellerID || name == r.Slug || name == r.Domain)
}

// ListRemovals returns the active Removals or, with all, the undone ones too, oldest first.
func (p *Process) ListRemovals(ctx context.Context, all bool) (list []Removal, err error) {
	err = p.config.Ledger.View(ctx, func(r Reader) error {
		list, err = r.Removals(all)
		return err
	})
	return list, err
}

// History returns everything on record about a seller, given by its canonical id, any slug
// it ever had, or a domain. It fails with CodeNotFound if there is nothing.
func (p *Process) History(ctx context.Context, seller string) (h History, err error) {
	if !utf8.ValidString(seller) || strings.ContainsRune(seller, 0) {
		return History{}, notFound()
	}
	if domain, ok := comparedDomain(seller); ok {
		seller = domain
	}
	err = p.config.Ledger.View(ctx, func(r Reader) error {
		found, ok, err := r.History(seller)
		if err == nil && !ok {
			return &Error{Code: CodeNotFound, Detail: "There is no record of a seller of that name."}
		}
		h = found
		return err
	})
	return h, err
}
