package verification

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"
)

// A Start contains the input of a claim or removal request.
type Start struct {
	// Slug is the companySlug in the requested address.
	Slug                          string
	RequesterName, RequesterEmail string
	// IdempotencyKey identifies repetitions of the same start; "" for none.
	IdempotencyKey string
	// Client is the address that the request came from.
	Client netip.Addr
}

// A Started is the result, which does not depend on whether the profile is claimed.
type Started struct {
	// ID is the claimId or requestId.
	ID     string
	Seller Seller
	// SentTo is the masked mailbox.
	SentTo    string
	ExpiresAt time.Time
}

// StartClaim creates a pending claim and its mail. It fails with an *Error of
// CodeInvalidField, CodeNotFound, CodeRemoved, CodeNoDomain, CodeDomainMismatch or
// CodeRateLimited. When it returns nil, both survive any crash.
func (p *Process) StartClaim(ctx context.Context, s Start) (Started, error) {
	return p.start(ctx, ForClaim, s)
}

// StartRemoval creates a pending removal request and its mail, like StartClaim.
func (p *Process) StartRemoval(ctx context.Context, s Start) (Started, error) {
	return p.start(ctx, ForRemoval, s)
}

// A starting is a start in progress.
type starting struct {
	purpose Purpose
	seller  Seller
	name    string
	address Address
	// key is empty if there is none; body is the hash of the body that the key was sent
	// with.
	key, body Hash
	counted   counted
	now       time.Time
}

func (p *Process) start(ctx context.Context, purpose Purpose, s Start) (Started, error) {
	w, err := p.prepare(ctx, purpose, s)
	if err != nil {
		return Started{}, err
	}
	var made Request
	// Refuse what can be refused without waiting for the only writer.
	err = p.strangers.View(ctx, func(r Reader) error {
		_, _, err := w.admit(r)
		return err
	})
	if err == nil {
		err = p.strangers.Update(ctx, func(tx Tx) error {
			before, repeated, err := w.admit(tx)
			if err != nil || repeated {
				made = before
				return err
			}
			made, err = p.open(tx, w)
			return err
		})
	}
	if err != nil {
		return Started{}, err
	}
	return Started{ID: made.ID, Seller: made.seller(), SentTo: made.Requester.Masked(), ExpiresAt: made.ExpiresAt}, nil
}

// prepare checks everything that does not need the ledger.
func (p *Process) prepare(ctx context.Context, purpose Purpose, s Start) (starting, error) {
	w := starting{purpose: purpose, name: strings.TrimSpace(s.RequesterName), now: p.now()}
	seller, err := p.bySlug(ctx, s.Slug)
	if err != nil {
		return w, err
	}
	w.seller = seller
	if seller.OfficialDomain == "" {
		return w, noDomain()
	}
	faults := checkName(w.name)
	address, err := ParseAddress(s.RequesterEmail)
	if bad := (*Error)(nil); errors.As(err, &bad) {
		faults = append(faults, bad.Fields...)
	}
	if key := s.IdempotencyKey; key != "" {
		if len(key) > longestKey || !printable(key) {
			faults = append(faults, FieldFault{keyField, FaultInvalid, "a key has at most 255 printable characters"})
		}
		w.key, w.body = hashOf("key", key), hashOf("body", w.name, s.RequesterEmail)
	}
	if len(faults) > 0 {
		return w, invalid(faults...)
	}
	if !address.proves(seller.OfficialDomain) {
		return w, mismatch()
	}
	w.address = address
	w.counted = countedOf(purpose, seller.ID, address, s.Client)
	if p.config.Unlimited {
		w.counted.bounds = nil
	}
	return w, nil
}

const (
	keyField   = "Idempotency-Key"
	longestKey = 255
)

// admit fails if the start must be refused, or returns the Request that it repeats.
func (w starting) admit(r Reader) (before Request, repeated bool, err error) {
	if err := checkNotRemoved(r, w.seller); err != nil {
		return Request{}, false, err
	}
	if w.key != "" {
		i, ok, err := r.Idempotent(w.purpose, w.seller.ID, w.key)
		if err != nil {
			return Request{}, false, err
		}
		if ok && w.now.Before(i.CreatedAt.Add(idempotencyLifetime)) {
			before, ok, err := r.Request(w.purpose, i.RequestID)
			switch {
			case err != nil:
				return Request{}, false, err
			case !ok || !w.now.Before(before.ExpiresAt):
				// Its link is no longer useful, so the key starts a new Request.
			case i.Body != w.body:
				return Request{}, false, invalid(FieldFault{keyField, FaultReused, "this key was already sent with another body: use a new one"})
			default:
				return before, true, nil
			}
		}
	}
	return Request{}, false, w.counted.check(r, w.now)
}

// open creates a Request and everything that belongs to it.
func (p *Process) open(tx Tx, w starting) (Request, error) {
	id, err := newID(p.config.Random, string(w.purpose))
	if err != nil {
		return Request{}, err
	}
	r := Request{
		ID: id, Purpose: w.purpose, State: Pending,
		SellerID: w.seller.ID, Slug: w.seller.Slug, SellerName: w.seller.Name, Domain: w.seller.OfficialDomain,
		RequesterName: w.name, Requester: w.address,
		CreatedAt: w.now, ExpiresAt: w.now.Add(p.config.LinkLifetime),
	}
	kind := MailClaim
	if w.purpose == ForRemoval {
		kind = MailRemoval
	}
	mail := r.message(kind, w.now)
	mail.ExpiresAt = r.ExpiresAt
	if mail.Place, err = w.counted.place(tx, w.purpose, w.now); err != nil {
		return Request{}, err
	}
	steps := []func() error{
		func() error { return tx.AddRequest(r) },
		func() error { return tx.AddMessage(mail) },
		func() error { return tx.AddRecent(w.counted.keys(), w.now) },
		func() error { return w.remember(tx, r) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return Request{}, err
		}
	}
	return r, nil
}

// remember associates a start's key, if any, with the Request that it created.
func (w starting) remember(tx RequestWriter, r Request) error {
	if w.key == "" {
		return nil
	}
	return tx.AddIdempotent(Idempotent{
		Purpose: w.purpose, SellerID: w.seller.ID, Key: w.key, Body: w.body, RequestID: r.ID, CreatedAt: w.now,
	})
}

// message returns a mail about a Request to its requester.
func (r Request) message(kind MessageKind, now time.Time) Message {
	return Message{
		ID: string(kind) + "." + r.ID, Kind: kind, To: r.Requester, Name: r.RequesterName, RequestID: r.ID,
		SellerID: r.SellerID, Slug: r.Slug, SellerName: r.SellerName, Domain: r.Domain, CreatedAt: now,
		Place: Place{Class: classOf(r.Purpose)},
	}
}
