package verification

import (
	"context"
	"time"
)

// A Ledger keeps records durably. It is safe for concurrent use, also by
// several processes.
type Ledger interface {
	// View calls f with the records as they are at one moment.
	View(ctx context.Context, f func(Reader) error) error
	// Update calls f with records to change. If f returns nil, everything it
	// did is committed together, and survives any crash once Update returns
	// nil; otherwise none of it remains. All Updates happen as if one after the
	// other. f may be called again after a conflict, so it must have no other
	// effects. Update returns the error of f unchanged.
	Update(ctx context.Context, f func(Tx) error) error
}

// A Reader reads records: what each function needs of them is an interface below. ok is
// false, and the value zero, if there is no such record.
type Reader interface {
	RequestReader
	AttachmentReader
	RemovalReader
	TokenReader
	LimitReader
	// Outbox returns how many mails there are, without counting them.
	Outbox() (OutboxState, error)
}

// A Tx reads and changes records.
type Tx interface {
	Reader
	RequestWriter
	AttachmentWriter
	RemovalWriter
	TokenWriter
	MessageWriter
	// AddRecent records limited actions.
	AddRecent(keys []Hash, at time.Time) error
	// Purge deletes what is past its time, the oldest of each sort first, at
	// most that many of each, and returns how many of the most frequent sort.
	Purge(p Purge, most int) (deleted int, err error)
}

// Requests for claims and removals.
type (
	RequestReader interface {
		// Request returns a request of that purpose only.
		Request(p Purpose, id string) (r Request, ok bool, err error)
		// PendingClaims returns those whose link is valid, oldest first.
		PendingClaims(now time.Time) ([]Request, error)
		Idempotent(p Purpose, sellerID string, key Hash) (i Idempotent, ok bool, err error)
	}
	RequestWriter interface {
		AddRequest(Request) error
		// UseRequest settles a pending Request.
		UseRequest(p Purpose, id, workspace string, at time.Time) error
		// AddTokenHash adds one to those of a Request.
		AddTokenHash(p Purpose, id string, h Hash) error
		// ExpireRemovalRequests expires the pending ones of a seller.
		ExpireRemovalRequests(sellerID string, at time.Time) error
		// AddIdempotent adds one, in place of an earlier one of the same key.
		AddIdempotent(Idempotent) error
	}
)

// Attachments of claimed profiles to workspaces.
type (
	AttachmentReader interface {
		Attachment(sellerID string) (a Attachment, ok bool, err error)
		// Holdings returns the Attachments, by slug.
		Holdings() ([]Holding, error)
		// History finds by canonical id, by any slug the company ever had, or
		// by domain.
		History(name string) (h History, ok bool, err error)
	}
	AttachmentWriter interface {
		AddAttachment(Attachment) error
		// EndAttachment deletes the Attachment of a seller and records its end.
		EndAttachment(Detachment) error
	}
)

// Removals, and restorations that undo them.
type (
	RemovalReader interface {
		// ActiveRemoval returns one that holds for a canonical id or a domain.
		ActiveRemoval(sellerID, domain string) (r Removal, ok bool, err error)
		// SlugRemoved reports whether one that holds is of a seller that had that slug, then
		// or before.
		SlugRemoved(slug string) (bool, error)
		// Removals returns those that hold, or all, oldest first.
		Removals(all bool) ([]Removal, error)
		// Addresses returns every address that a company ever had, known by its
		// canonical id or its domain.
		Addresses(sellerID, domain string) ([]string, error)
	}
	RemovalWriter interface {
		AddRemoval(Removal) error
		AddRestoration(Restoration) error
	}
)

// Bearer tokens that verify claims.
type (
	TokenReader interface {
		APITokens() ([]APIToken, error)
		APIToken(h Hash) (t APIToken, ok bool, err error)
	}
	TokenWriter interface {
		AddAPIToken(APIToken) error
		// ChangeAPIToken writes LastUsedAt and RevokedAt.
		ChangeAPIToken(APIToken) error
	}
)

// LimitReader reads when limited actions were recorded.
type LimitReader interface {
	// Recent returns when an action was recorded after one moment and before
	// another, the newest first, at most that many.
	Recent(key Hash, after, before time.Time, most int) ([]time.Time, error)
}

// MessageWriter holds the mails that have yet to be sent.
type MessageWriter interface {
	AddMessage(Message) error
	// DueMessages returns those that are due by now, by their Place.
	DueMessages(now time.Time, o LineOrder, most int) ([]Message, error)
	// PostponeMessage sets the next attempt of a waiting one, and its
	// number of attempts.
	PostponeMessage(id string, attempt int, next time.Time) error
	// FailMessage does so and records the reason, if the number of attempts
	// is still the same.
	FailMessage(id string, attempt int, next time.Time, reason string) error
	// EndMessage settles a waiting one; any other is left as it is.
	EndMessage(id string, o Outcome, at time.Time, reason string) error
}

// Sellers is the marketplace as it is now, with the clock, the visibility of
// content, and removals applied. It is safe for concurrent use. ok is false if
// the content has no such seller.
type Sellers interface {
	// BySlug finds a seller by its slug, or by one that it had before.
	BySlug(ctx context.Context, slug string) (s Seller, ok bool, err error)
	// ByID finds a seller by its canonical id, whatever its slug is now.
	ByID(ctx context.Context, id string) (s Seller, ok bool, err error)
	// Formerly returns, in order, the canonical ids of sellers that list a domain among
	// their former ones or one of the addresses among their aliases, or whose profile is at
	// one of the addresses.
	Formerly(ctx context.Context, domain string, addresses []string) (ids []string, err error)
}
