package verification

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Restore undoes the Removals that hold for a seller, named by its slug,
// canonical id or official domain, and records the reason. Pending removal
// requests expire, so that no link from before can remove the seller again. It
// fails with CodeNotFound if no Removal holds, or with CodeInvalidField, also where
// the name is that of several companies.
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
		err = &Error{Code: CodeNotFound, Detail: "No removal holds for a seller of that name."}
	}
	return restored, err
}

// ofOneCompany refuses Removals of several companies, one of which may have the
// companySlug that another had before: who left for good is not brought back beside.
func ofOneCompany(name string, list []Removal) error {
	for _, one := range list {
		if first := list[0]; one.SellerID != first.SellerID && one.Domain != first.Domain {
			return &Error{Code: CodeInvalidField, Detail: fmt.Sprintf("Several companies that were removed are called %s: %s (%s) and %s (%s). Name one by its official domain.",
				name, first.Name, first.Domain, one.Name, one.Domain)}
		}
	}
	return nil
}

// namesOf returns everything that a seller may be called: the given name and, if
// there is content, its names there.
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

// isNamed reports whether a Removal concerns the seller of that name.
func (r Removal) isNamed(name string) bool {
	return name != "" && (name == r.SellerID || name == r.Slug || name == r.Domain)
}

// ListRemovals returns the Removals that hold or, with all, the restored ones
// too, oldest first.
func (p *Process) ListRemovals(ctx context.Context, all bool) (list []Removal, err error) {
	err = p.config.Ledger.View(ctx, func(r Reader) error {
		list, err = r.Removals(all)
		return err
	})
	return list, err
}

// History returns what is on record about a seller, named by its canonical id,
// any slug it ever had, or a domain. It fails with CodeNotFound if nothing is.
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
			return &Error{Code: CodeNotFound, Detail: "Nothing is on record about a seller of that name."}
		}
		h = found
		return err
	})
	return h, err
}
