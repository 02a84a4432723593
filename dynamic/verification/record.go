package verification

import "time"

// A Seller is a company as it is now.
type Seller struct {
	// ID is the canonical identity; Slug its current companySlug.
	ID, Slug, Name string
	// OfficialDomain is the current one, in lower-case ASCII form.
	OfficialDomain string
	// Current: public, or hidden by nothing but a removal.
	Current bool
	// Removed: withheld by a removal, of the ledger or of a list.
	Removed bool
}

// State is that of a Request. Expired is not a state: it follows from the time.
type State string

// The states.
const (
	Pending State = "pending"
	Used    State = "used"
)

// A Request is what somebody asked for, proven or not yet.
type Request struct {
	ID      string
	Purpose Purpose
	State   State
	// SellerID, Slug, SellerName and Domain are as they were at the start.
	SellerID, Slug, SellerName, Domain string
	RequesterName                      string
	Requester                          Address
	// TokenHashes has one for each time that the mail was handed to its sender.
	// Nobody knows whether an earlier copy arrived after all, so all are valid.
	TokenHashes []Hash
	// CreatedAt is inclusive, ExpiresAt exclusive; UsedAt is zero while
	// pending.
	CreatedAt, ExpiresAt, UsedAt time.Time
	// Workspace is the one that verified a claim.
	Workspace string
}

func (r Request) seller() Seller {
	return Seller{ID: r.SellerID, Slug: r.Slug, Name: r.SellerName, OfficialDomain: r.Domain}
}

// An Attachment is the fact that a profile belongs to a workspace.
type Attachment struct {
	SellerID, Workspace, ClaimID string
	AttachedAt                   time.Time
}

// A Removal is the fact that a seller's removal was verified, or ordered by the
// operator. It holds for the canonical id and the official domain until it is
// restored.
type Removal struct {
	ID, RequestID string
	// SellerID, Slug, Name and Domain are as they were when it was made.
	SellerID, Slug, Name, Domain string
	// Beside are the canonical ids of sellers that had Domain among their former domains, or
	// an address of this one among their aliases, or that were at one of its former
	// addresses, then: other companies, which the removal does not cover.
	Beside []string
	// Reason is the operator's, if nobody asked by mail; RequestID is empty
	// then.
	Reason    string
	RemovedAt time.Time
	// Restored is nil while the removal holds.
	Restored *Restoration
}

// A Restoration undoes a Removal, by the operator's decision.
type Restoration struct {
	RemovalID string
	Reason    string
	At        time.Time
}

// A Publication is one span of time in which a seller was published under one
// slug and one official domain.
type Publication struct {
	SellerID, Slug, Domain string
	// FromRelease is the first that had it, UntilRelease the first that no
	// longer did; empty and zero while it is published.
	FromRelease, UntilRelease string
	From, Until               time.Time
}

// A History is everything on record about a company, each list oldest first. It
// names no requester.
type History struct {
	Publications []Publication
	// Addresses counts every address that it ever had.
	Addresses int
	Removals  []Removal
	// Attachments are those that hold, Detachments the ends of those that do not.
	Attachments []Attachment
	Detachments []Detachment
}

// A MessageKind is what a mail is about.
type MessageKind string

// The kinds of mails. The first two carry a token.
const (
	MailClaim    MessageKind = "claim"
	MailRemoval  MessageKind = "removal"
	MailAttached MessageKind = "attached"
	MailRemoved  MessageKind = "removed"
)

// purpose returns that of the token in the mail, or "".
func (k MessageKind) purpose() Purpose {
	switch k {
	case MailClaim:
		return ForClaim
	case MailRemoval:
		return ForRemoval
	default:
		return ""
	}
}

// A Place is where a mail is in line: whoever floods the line waits, and nobody
// behind them. The lowest Class is first, then the lowest Turn. Among equals,
// every other mail is the newest, so that no backlog delays a mail that has just
// been made, and the others are the least Crowd's, the oldest first, so that no
// stream of new mails does.
type Place struct {
	// Class is 0 for mails about removals and 1 for those about claims.
	Class int
	// Turn counts the earlier starts from the same address (of IPv6, the same
	// /48 network) within an hour: the first of each address is before the
	// second of any.
	Turn int
	// Crowd counts the earlier starts for the same seller within an hour, and
	// those from the same region of the Internet (IPv4 /16, IPv6 /32).
	Crowd int
}

func classOf(p Purpose) int {
	if p == ForClaim {
		return 1
	}
	return 0
}

// A LineOrder is one of the two in which mails of equal Class and Turn are sent.
type LineOrder int

// The orders.
const (
	ByCrowd LineOrder = iota
	ByNewest
)

// A Message is a mail to be sent, as data: which template, to whom, and what
// goes into it. There is at most one of a kind for each record.
type Message struct {
	// ID is unique and stays the same over all attempts: a Message-ID made from
	// it lets servers and readers drop a second copy.
	ID   string
	Kind MessageKind
	To   Address
	// Name is the requester's, as they wrote it: a stranger's text.
	Name string
	// RequestID is the claim or the removal request that it is about.
	RequestID                          string
	SellerID, Slug, SellerName, Domain string
	Workspace                          string
	CreatedAt                          time.Time
	// ExpiresAt is when its link expires; zero if it has none.
	ExpiresAt time.Time
	// Place is where it is in line.
	Place Place
	// Attempt counts how often it was handed to the sender, this time included.
	Attempt int
	// Token is set only in the sender's hands; no ledger has it.
	Token Token
}

// Code returns what proves the same as the link, for people whose mail gateway
// takes the fragment off links.
func (m Message) Code() string { return m.RequestID + "." + m.Token.Reveal() }

// Link returns the address of the page on which a token is redeemed. The token
// is in the fragment, which browsers do not send.
func (m Message) Link(siteURL string) string {
	return siteURL + "/verify/" + string(m.Kind.purpose()) + "#id=" + m.RequestID + "&token=" + m.Token.Reveal()
}

// An Outcome is how a Message ended.
type Outcome string

// The outcomes.
const (
	// Accepted: the server took it.
	Accepted Outcome = "accepted"
	// Dropped: it will not be sent.
	Dropped Outcome = "dropped"
)

// An OutboxState counts the mails.
type OutboxState struct {
	Waiting int
	// Accepted and Dropped count all that there ever were.
	Accepted, Dropped int
	// Oldest is when the oldest waiting one was made; zero if none waits.
	Oldest time.Time
	// Next is when the next waiting one is due, or its lease ends; zero if none
	// waits.
	Next time.Time
}

// An APIToken lets a workspace verify claims. Its secret is not stored.
type APIToken struct {
	ID, Workspace string
	Hash          Hash
	CreatedAt     time.Time
	// LastUsedAt is accurate to lastUseStep; zero while unused.
	LastUsedAt time.Time
	// RevokedAt is zero while the token works.
	RevokedAt time.Time
}

// An Idempotent is a start that may be repeated: which Request a key made.
type Idempotent struct {
	Purpose   Purpose
	SellerID  string
	Key, Body Hash
	RequestID string
	CreatedAt time.Time
}
