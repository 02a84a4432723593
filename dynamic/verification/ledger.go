package verification

import (
	"context"
	"time"
)

// A Ledger keeps records durably. It is safe for concurrent use, by several
// processes too.
type Ledger interface {
	// View returns f the records as they are at one moment.
	View(ctx context.Context, f func(Reader) error) error
	// Update returns f the records to change. What f does is committed as a whole
	// when f returns nil, and then survives any crash once Update returns nil;
	// otherwise nothing of it is there. All Updates happen as if one after the
	// other. f may be called again where they met, so it has no other effects.
	// Update returns the error of f as it is.
	Update(ctx context.Context, f func(Tx) error) error
}

// ok is false, and the value zero, where there is no such record.
type (
	// A Reader reads records.
	Reader interface {
		// Request returns that of one purpose alone.
		Request(p Purpose, id string) (r Request, ok bool, err error)
		Attachment(sellerID string) (a Attachment, ok bool, err error)
		// ActiveRemoval returns one that holds for a canonical id or a domain.
		ActiveRemoval(sellerID, domain string) (r Removal, ok bool, err error)
		// Removals returns those that hold, or all, oldest first.
		Removals(all bool) ([]Removal, error)
		// History gathers by canonical id, by any slug it ever had, or by domain.
		History(name string) (h History, ok bool, err error)
		Idempotent(p Purpose, sellerID string, key Hash) (i Idempotent, ok bool, err error)
		// Recent returns when a thing that is limited happened after a moment, the
		// newest first, at most that many.
		Recent(key Hash, after time.Time, most int) ([]time.Time, error)
		APITokens() ([]APIToken, error)
		APIToken(h Hash) (t APIToken, ok bool, err error)
		// Outbox counts the mails.
		Outbox() (OutboxState, error)
	}

	// A Tx reads and changes records.
	Tx interface {
		Reader
		AddRequest(Request) error
		// UseRequest settles a pending Request.
		UseRequest(p Purpose, id, workspace string, at time.Time) error
		// AddTokenHash adds one to those of a Request.
		AddTokenHash(p Purpose, id string, h Hash) error
		// ExpireRemovalRequests ends the pending ones of a seller.
		ExpireRemovalRequests(sellerID string, at time.Time) error
		AddAttachment(Attachment) error
		AddRemoval(Removal) error
		AddRestoration(Restoration) error
		AddIdempotent(Idempotent) error
		// AddRecent notes that things that are limited happened.
		AddRecent(keys []Hash, at time.Time) error
		// Forget deletes Idempotents and notes of AddRecent that are older.
		Forget(idempotents, recents time.Time) error
		AddAPIToken(APIToken) error
		// ChangeAPIToken writes LastUsedAt and RevokedAt.
		ChangeAPIToken(APIToken) error
		Mails
	}

	// Mails is the outbox.
	Mails interface {
		AddMessage(Message) error
		// DueMessages returns those to be tried by now, longest due first.
		DueMessages(now time.Time, most int) ([]Message, error)
		// PostponeMessage sets the next try of a waiting one, and its count of
		// attempts.
		PostponeMessage(id string, attempt int, next time.Time) error
		// FailMessage does it and notes why, where the count is still the same.
		FailMessage(id string, attempt int, next time.Time, reason string) error
		// EndMessage settles a waiting one; another is left as it is.
		EndMessage(id string, o Outcome, at time.Time, reason string) error
	}
)

// Sellers is the marketplace as it is now: content that is published or not,
// the clock, and removals. It is safe for concurrent use. ok is false where the
// content has no such seller.
type Sellers interface {
	BySlug(ctx context.Context, slug string) (s Seller, ok bool, err error)
	// ByID finds a seller under its canonical id, whatever its slug is now.
	ByID(ctx context.Context, id string) (s Seller, ok bool, err error)
	// Formerly returns the canonical ids of sellers that have a domain among
	// their former ones, in order.
	Formerly(ctx context.Context, domain string) (ids []string, err error)
}
