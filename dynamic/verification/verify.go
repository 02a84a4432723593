package verification

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// An Attached is the result of a verified claim.
type Attached struct {
	ClaimID    string
	Seller     Seller
	Workspace  string
	AttachedAt time.Time
}

// VerifyClaim redeems a claim's token for a workspace and attaches the profile to it. The
// caller must have authenticated the workspace.
//
// It fails with an *Error of CodeVerificationNotFound for an unknown id or a wrong token.
// With the correct token it fails with CodeVerificationUsed, CodeVerificationExpired,
// CodeRemoved, CodeNotFound if the seller is not public now, CodeNoDomain or
// CodeDomainMismatch if its official domain was deleted or has changed, or
// CodeAlreadyClaimed if another workspace has the profile. Only success uses up the token.
//
// Verifying a claim again from the workspace to which it attached the profile succeeds and
// changes nothing. Two verifications that overlap in time are a race, not a repetition: one
// of them fails with CodeVerificationUsed.
func (p *Process) VerifyClaim(ctx context.Context, claimID, token, workspace string) (Attached, error) {
	if err := checkWorkspace(workspace); err != nil {
		return Attached{}, err
	}
	race, leave := p.claiming.enter(claimID[:min(len(claimID), longestID)])
	defer leave()
	r, err := p.redeem(ctx, ForClaim, claimID, token)
	if errors.Is(err, used()) && r.Workspace == workspace && !p.claiming.lost(race) {
		return p.repeatedClaim(ctx, r)
	}
	if err != nil {
		return Attached{}, err
	}
	p.claiming.foundPending(race)
	seller, err := p.byID(ctx, r.SellerID)
	if err != nil {
		return Attached{}, err
	}
	var a Attachment
	err = p.strangers.Update(ctx, func(tx Tx) (err error) {
		a, err = p.attach(tx, claimID, token, workspace, seller)
		return err
	})
	if err != nil {
		return Attached{}, err
	}
	return Attached{claimID, seller, workspace, a.AttachedAt}, nil
}

// repeatedClaim returns the result of a claim that was verified before.
func (p *Process) repeatedClaim(ctx context.Context, claim Request) (Attached, error) {
	seller, err := p.byID(ctx, claim.SellerID)
	if err != nil {
		return Attached{}, err
	}
	var a Attachment
	err = p.strangers.View(ctx, func(r Reader) error {
		if err := checkNotRemoved(r, seller); err != nil {
			return err
		}
		found, ok, err := r.Attachment(claim.SellerID)
		if err == nil && (!ok || found.Workspace != claim.Workspace) {
			return used()
		}
		a = found
		return err
	})
	if err != nil {
		return Attached{}, err
	}
	return Attached{claim.ID, seller, a.Workspace, a.AttachedAt}, nil
}

// attach is the transaction of VerifyClaim.
func (p *Process) attach(tx Tx, claimID, token, workspace string, seller Seller) (Attachment, error) {
	now := p.now()
	r, err := redeemable(tx, ForClaim, claimID, token, now)
	if err != nil {
		return Attachment{}, err
	}
	if err := checkProof(tx, r, seller); err != nil {
		return Attachment{}, err
	}
	a, attached, err := tx.Attachment(seller.ID)
	if err != nil {
		return Attachment{}, err
	}
	if attached && a.Workspace != workspace {
		return Attachment{}, &Error{Code: CodeAlreadyClaimed, Detail: "The profile is attached to another workspace."}
	}
	if err := tx.UseRequest(ForClaim, r.ID, workspace, now); err != nil || attached {
		return a, err
	}
	a = Attachment{SellerID: seller.ID, Workspace: workspace, ClaimID: r.ID, AttachedAt: now}
	if err := tx.AddAttachment(a); err != nil {
		return Attachment{}, err
	}
	notice := r.message(MailAttached, now)
	notice.Workspace = workspace
	return a, tx.AddMessage(notice)
}

// VerifyRemoval redeems a removal request's token. When it returns nil the Removal survives
// any crash, and every later build must withhold the seller. It fails in the same cases as
// VerifyClaim, with CodeRemoved if another removal came first. The caller answers the
// requester once the removal is released.
func (p *Process) VerifyRemoval(ctx context.Context, requestID, token string) (Removal, error) {
	r, err := p.redeem(ctx, ForRemoval, requestID, token)
	if err != nil {
		return Removal{}, err
	}
	seller, err := p.byID(ctx, r.SellerID)
	if err != nil {
		return Removal{}, err
	}
	beside, err := p.beside(ctx, p.config.Sellers, seller)
	if err != nil {
		return Removal{}, err
	}
	var made Removal
	err = p.config.Ledger.Update(ctx, func(tx Tx) (err error) {
		made, err = p.remove(tx, requestID, token, seller, beside)
		return err
	})
	return made, err
}

// beside returns the ids of sellers that could be mistaken for the removed one but are
// other companies.
func (p *Process) beside(ctx context.Context, market Sellers, s Seller) (ids []string, err error) {
	var addresses []string
	err = p.config.Ledger.View(ctx, func(r Reader) error {
		addresses, err = r.Addresses(s.ID, s.OfficialDomain)
		return err
	})
	if err != nil {
		return nil, err
	}
	ids, err = market.Formerly(ctx, s.OfficialDomain, addresses)
	if err != nil {
		return nil, err
	}
	h, err := p.History(ctx, s.ID)
	if err != nil && !errors.Is(err, notFound()) {
		return nil, err
	}
	// A seller that an earlier removal of this one withheld does not count as separate until
	// a release has published either of them: the restore may have been a moment ago.
	unseen := slices.DeleteFunc(h.Removals, func(one Removal) bool {
		return one.Restored == nil || slices.ContainsFunc(h.Publications, func(p Publication) bool {
			return p.SellerID == s.ID && p.From.After(one.Restored.At)
		})
	})
	var beside []string
	for _, id := range ids {
		now, published, err := p.Published(ctx, id)
		if err != nil {
			return nil, err
		}
		if id != s.ID && (published && now.ID == id || !slices.ContainsFunc(unseen, func(one Removal) bool { return !slices.Contains(one.SeparateIDs, id) })) {
			beside = append(beside, id)
		}
	}
	return beside, nil
}

// remove is the transaction of VerifyRemoval.
func (p *Process) remove(tx Tx, requestID, token string, seller Seller, beside []string) (Removal, error) {
	now := p.now()
	r, err := redeemable(tx, ForRemoval, requestID, token, now)
	if err != nil {
		return Removal{}, err
	}
	if err := checkProof(tx, r, seller); err != nil {
		return Removal{}, err
	}
	id, err := newID(p.config.Random, "removed")
	if err != nil {
		return Removal{}, err
	}
	made := Removal{
		ID: id, RequestID: r.ID, SellerID: seller.ID, Slug: seller.Slug, Name: seller.Name,
		Domain: seller.OfficialDomain, SeparateIDs: beside, RemovedAt: now,
	}
	if err := tx.UseRequest(ForRemoval, r.ID, "", now); err != nil {
		return Removal{}, err
	}
	if err := tx.AddRemoval(made); err != nil {
		return Removal{}, err
	}
	return made, tx.AddMessage(r.message(MailRemoved, now))
}

// ConfirmDomain fails if the domain that a person typed to confirm a request is not the
// seller's. It does not report a request that would be refused anyway; the verification
// does.
func (p *Process) ConfirmDomain(ctx context.Context, purpose Purpose, id, token, domain string) error {
	r, err := p.redeem(ctx, purpose, id, token)
	var refused *Error
	if errors.As(err, &refused) {
		return nil
	}
	if err != nil {
		return err
	}
	seller, err := p.byID(ctx, r.SellerID)
	if err != nil {
		return err
	}
	// If it is the mailbox's domain, the verification reports that the official domain has
	// changed or was deleted.
	if isTyped(domain, seller.OfficialDomain) || isTyped(domain, r.Requester.Domain) {
		return nil
	}
	return invalid(FieldFault{"officialDomain", FaultMismatch, "type the company's official domain, which is the part after the @ of the email address that made the request"})
}

// redeem checks the token before waiting for the only writer, so that guessing blocks
// nobody. It returns the Request if the token is correct.
func (p *Process) redeem(ctx context.Context, purpose Purpose, id, token string) (r Request, err error) {
	from := p.strangers
	if purpose == ForRemoval {
		from = p.guesses
	}
	var refused error
	err = from.View(ctx, func(reader Reader) error {
		r, refused = redeemable(reader, purpose, id, token, p.now())
		var known *Error
		if refused != nil && !errors.As(refused, &known) {
			return refused
		}
		return nil
	})
	if err != nil {
		return Request{}, err
	}
	return r, refused
}

// redeemable returns the Request of a purpose with this token, and fails if it can no
// longer be redeemed. An unknown id is treated like a wrong token and compared with a hash
// that no token has, so that timing reveals nothing.
func redeemable(r RequestReader, purpose Purpose, id, token string, now time.Time) (Request, error) {
	asked := id
	if !isID(id) {
		asked = "none"
	}
	found, ok, err := r.Request(purpose, asked)
	if err != nil {
		return Request{}, err
	}
	if !ok || len(found.TokenHashes) == 0 {
		found = Request{ID: asked, Purpose: purpose, TokenHashes: []Hash{hashOf("nobody's")}}
	}
	// Longer text is cut, so that hashing takes constant time.
	switch right := found.redeems(token[:min(len(token), tokenLength+1)]); {
	case !right:
		return Request{}, unknown("no such request, or not its token")
	case found.State == Used:
		return found, used()
	case !now.Before(found.ExpiresAt):
		return found, expired()
	}
	return found, nil
}

// byID looks a seller up for a verification.
func (p *Process) byID(ctx context.Context, id string) (Seller, error) {
	s, ok, err := p.config.Sellers.ByID(ctx, id)
	if err != nil {
		return Seller{}, err
	}
	refused := checkPublic(s, ok)
	if refused == nil || ok {
		return s, refused
	}
	// The content of a removed seller may have been deleted.
	err = p.strangers.View(ctx, func(r Reader) error { return checkNotRemoved(r, Seller{ID: id}) })
	return s, cmp.Or(err, refused)
}

// checkProof fails if a Request no longer proves anything about the current state of its
// seller.
func checkProof(r RemovalReader, request Request, seller Seller) error {
	if err := checkNotRemoved(r, seller); err != nil {
		return err
	}
	if seller.OfficialDomain == "" {
		return noDomain()
	}
	if !request.Requester.proves(seller.OfficialDomain) {
		return mismatch()
	}
	return nil
}

// checkWorkspace rejects names that could be confused when displayed.
func checkWorkspace(workspace string) error {
	if workspace == "" || strings.TrimSpace(workspace) != workspace || !printable(workspace) ||
		utf8.RuneCountInString(workspace) > longestWorkspace {
		return invalid(FieldFault{"workspace", FaultInvalid, "a workspace name has 1 to 200 printable characters, without spaces at either end"})
	}
	return nil
}
