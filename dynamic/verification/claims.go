package verification

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Holding is an Attachment with what the ledger knows about its seller and the person who
// verified the claim.
type Holding struct {
	Attachment
	// Seller is the seller as it was last published or, before its first release, as it was
	// when the claim was started.
	Seller Seller
	// RequesterName and Requester identify the person whose mailbox verified the claim;
	// empty if the claim is no longer stored.
	RequesterName string
	Requester     Address
}

// A Detachment is the end of an Attachment, ordered by the operator.
type Detachment struct {
	Attachment
	// MovedTo is the workspace to which the profile was moved; "" if it was released.
	MovedTo string
	Reason  string
	At      time.Time
}

// Claims returns all attached profiles and the claims that have not been verified yet. It
// is for the operator; the public never learns of either.
func (p *Process) Claims(ctx context.Context) (attached []Holding, pending []Request, err error) {
	err = p.config.Ledger.View(ctx, func(r Reader) (err error) {
		if attached, err = r.Holdings(); err == nil {
			pending, err = r.PendingClaims(p.now())
		}
		return err
	})
	return attached, pending, err
}

// ReleaseClaim ends the Attachment of a seller, given by companySlug, canonical id or
// official domain, and records the reason. The next verified claim from any workspace then
// attaches the profile. It fails with CodeNotFound if the profile is not attached, or with
// CodeInvalidField.
func (p *Process) ReleaseClaim(ctx context.Context, seller, reason string) (Holding, error) {
	return p.detach(ctx, seller, "", reason)
}

// MoveClaim attaches a profile to another workspace, based on the claim that attached it,
// and records the reason. It fails in the same cases as ReleaseClaim, and with
// CodeAlreadyClaimed if the workspace already has the profile.
func (p *Process) MoveClaim(ctx context.Context, seller, workspace, reason string) (Holding, error) {
	if err := checkWorkspace(workspace); err != nil {
		return Holding{}, err
	}
	return p.detach(ctx, seller, workspace, reason)
}

// detach ends an Attachment, creates the one that replaces it, if any, and returns the
// ended one.
func (p *Process) detach(ctx context.Context, seller, to, reason string) (ended Holding, err error) {
	if reason, err = checkReason(reason); err != nil {
		return Holding{}, err
	}
	err = p.config.Ledger.Update(ctx, func(tx Tx) error {
		all, err := tx.Holdings()
		if err != nil {
			return err
		}
		if ended, err = theOne(all, seller); err != nil {
			return err
		}
		if ended.Workspace == to {
			return &Error{Code: CodeAlreadyClaimed, Detail: fmt.Sprintf("The workspace %s already has the profile of %s.", to, ended.Seller.Slug)}
		}
		now := p.now()
		if err := tx.EndAttachment(Detachment{Attachment: ended.Attachment, MovedTo: to, Reason: reason, At: now}); err != nil || to == "" {
			return err
		}
		next := ended.Attachment
		next.Workspace, next.AttachedAt = to, now
		return tx.AddAttachment(next)
	})
	if err != nil {
		return Holding{}, err
	}
	return ended, nil
}

// theOne returns the Holding of the seller with a name. Former owners of a slug or domain
// may be on record with it too; a canonical id takes precedence.
func theOne(all []Holding, name string) (Holding, error) {
	var found []Holding
	for _, one := range all {
		if one.SellerID == name {
			return one, nil
		}
		if one.Seller.IsNamed(name) {
			found = append(found, one)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Holding{}, &Error{Code: CodeNotFound, Detail: "No workspace has the profile of a seller of that name: run 'souk claims' to list attached profiles."}
	}
	var ids []string
	for _, one := range found {
		ids = append(ids, one.SellerID)
	}
	slices.Sort(ids)
	return Holding{}, &Error{Code: CodeInvalidField, Detail: "More than one seller has that name. Use the id:  " + strings.Join(ids, " or ") + "."}
}
