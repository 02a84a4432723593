package verification

import (
	"context"
	"time"
)

// A Ledger stores records durably. It is safe for concurrent use, also by several
// processes.
type Ledger interface {
	// View calls f with a consistent snapshot of the records.
	View(ctx context.Context, f func(Reader) error) error
	// Update calls f with records that it may change. If f returns nil, all its changes are
	// committed together, and survive any crash once Update returns nil; otherwise none of
	// them remains. Updates are serialized. f may be called again after a conflict, so it
	// must have no other effects. Update returns the error of f unchanged.
	Update(ctx context.Context, f func(Tx) error) error
}

// A Reader reads records; the interfaces below say which part each function needs. If there
// is no such record, ok is false and the value is zero.
type Reader interface {
	RequestReader
	AttachmentReader
	RemovalReader
	TokenReader
	LimitReader
	// Outbox returns the number of mails without counting them.
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
	// Purge deletes expired records, the oldest of each kind first and at most that many of
	// each kind. It returns the number for the kind of which it deleted the most.
	Purge(p Purge, most int) (deleted int, err error)
}

// Requests for claims and removals.
type (
	RequestReader interface {
		// Request returns a request of that purpose only.
		Request(p Purpose, id string) (r Request, ok bool, err error)
		// PendingClaims returns the claims whose link is valid, oldest first.
		PendingClaims(now time.Time) ([]Request, error)
		Idempotent(p Purpose, sellerID string, key Hash) (i Idempotent, ok bool, err error)
	}
	RequestWriter interface {
		AddRequest(Request) error
		// UseRequest settles a pending Request.
		UseRequest(p Purpose, id, workspace string, at time.Time) error
		// AddTokenHash adds a hash to a Request.
		AddTokenHash(p Purpose, id string, h Hash) error
		// ExpireRemovalRequests expires a seller's pending requests.
		ExpireRemovalRequests(sellerID string, at time.Time) error
		// AddIdempotent adds a record, replacing an earlier one with the same key.
		AddIdempotent(Idempotent) error
	}
)

// Attachments of claimed profiles to workspaces.
type (
	AttachmentReader interface {
		Attachment(sellerID string) (a Attachment, ok bool, err error)
		// Holdings returns the Attachments, sorted by slug.
		Holdings() ([]Holding, error)
		// History finds a company by canonical id, by any slug it ever had, or by domain.
		History(name string) (h History, ok bool, err error)
	}
	AttachmentWriter interface {
		AddAttachment(Attachment) error
		// EndAttachment deletes a seller's Attachment and records its end.
		EndAttachment(Detachment) error
	}
)

// Removals, and the restorations that undo them.
type (
	RemovalReader interface {
		// ActiveRemoval returns an active removal of a canonical id or a domain.
		ActiveRemoval(sellerID, domain string) (r Removal, ok bool, err error)
		// SlugRemoved reports whether an active removal applies to a seller that has or had
		// the slug.
		SlugRemoved(slug string) (bool, error)
		// Removals returns the active removals, or all, oldest first.
		Removals(all bool) ([]Removal, error)
		// Addresses returns every address that a company ever had; the company is given by
		// its canonical id or its domain.
		Addresses(sellerID, domain string) ([]string, error)
	}
	RemovalWriter interface {
		AddRemoval(Removal) error
		AddRestoration(Restoration) error
	}
)

// Bearer tokens for verifying claims.
type (
	TokenReader interface {
		APITokens() ([]APIToken, error)
		APIToken(h Hash) (t APIToken, ok bool, err error)
	}
	TokenWriter interface {
		AddAPIToken(APIToken) error
		// ChangeAPIToken updates LastUsedAt and RevokedAt.
		ChangeAPIToken(APIToken) error
	}
)

// LimitReader reads the times of limited actions.
type LimitReader interface {
	// Recent returns when an action was recorded between two times, the newest first, at
	// most that many.
	Recent(key Hash, after, before time.Time, most int) ([]time.Time, error)
}

// MessageWriter stores the mails that have not been sent.
type MessageWriter interface {
	AddMessage(Message) error
	// DueMessages returns the mails that are due by now, ordered by Place.
	DueMessages(now time.Time, o LineOrder, most int) ([]Message, error)
	// PostponeMessage sets a waiting mail's next attempt and its number of attempts.
	PostponeMessage(id string, attempt int, next time.Time) error
	// FailMessage sets the next attempt and records the reason, if the number of attempts
	// is still the same.
	FailMessage(id string, attempt int, next time.Time, reason string) error
	// EndMessage settles a waiting mail, and does nothing to any other.
	EndMessage(id string, o Outcome, at time.Time, reason string) error
}

// Sellers is the current marketplace, with the clock, the visibility of content, and
// removals applied. It is safe for concurrent use. ok is false if the content has no such
// seller.
type Sellers interface {
	// BySlug finds a seller by its current slug or an earlier one.
	BySlug(ctx context.Context, slug string) (s Seller, ok bool, err error)
	// ByID finds a seller by its canonical id, whatever its current slug.
	ByID(ctx context.Context, id string) (s Seller, ok bool, err error)
	// Formerly returns, sorted, the canonical ids of sellers that list the domain among
	// their former domains or one of the addresses among their aliases, or whose profile is
	// at one of the addresses.
	Formerly(ctx context.Context, domain string, addresses []string) (ids []string, err error)
}
