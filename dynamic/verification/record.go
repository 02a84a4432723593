package verification

import "time"

// A Seller is the current state of a company.
type Seller struct {
	// ID is the canonical id; Slug is the current companySlug.
	ID, Slug, Name string
	// OfficialDomain is in lower-case ASCII.
	OfficialDomain string
	// Current means that the seller is public, or would be without a removal.
	Current bool
	// Removed means that a removal, from the ledger or a list, withholds the seller.
	Removed bool
}

// State is the state of a Request. Expired is not a state: it follows from the time.
type State string

// The states of a Request.
const (
	Pending State = "pending"
	Used    State = "used"
)

// A Request is a request by mail, verified or not.
type Request struct {
	ID      string
	Purpose Purpose
	State   State
	// SellerID, Slug, SellerName and Domain are as they were at the start.
	SellerID, Slug, SellerName, Domain string
	RequesterName                      string
	Requester                          Address
	// TokenHashes has a hash for each time that the mail was handed to its sender. All are
	// valid, since nobody knows whether an earlier copy arrived.
	TokenHashes []Hash
	// CreatedAt is inclusive, ExpiresAt exclusive; UsedAt is zero while
	// pending.
	CreatedAt, ExpiresAt, UsedAt time.Time
	// Workspace is the workspace that verified a claim.
	Workspace string
}

func (r Request) seller() Seller {
	return Seller{ID: r.SellerID, Slug: r.Slug, Name: r.SellerName, OfficialDomain: r.Domain}
}

// An Attachment records that a profile belongs to a workspace.
type Attachment struct {
	SellerID, Workspace, ClaimID string
	AttachedAt                   time.Time
}

// A Removal records that a seller's removal was verified, or ordered by the operator. It
// applies to the canonical id and the official domain until it is restored.
type Removal struct {
	ID, RequestID string
	// SellerID, Slug, Name and Domain are as they were when the removal was recorded.
	SellerID, Slug, Name, Domain string
	// SeparateIDs are the canonical ids of other companies, which the removal does not cover:
	// sellers that at the time had Domain among their former domains or an address of this
	// seller among their aliases, or that were at one of its former addresses.
	SeparateIDs []string
	// Reason is the operator's reason if nobody asked by mail; RequestID is then empty.
	Reason    string
	RemovedAt time.Time
	// Restored is nil while the removal is active.
	Restored *Restoration
}

// A Restoration undoes a Removal, ordered by the operator.
type Restoration struct {
	RemovalID string
	Reason    string
	At        time.Time
}

// A Publication is a period in which a seller was published under one slug and one official
// domain.
type Publication struct {
	SellerID, Slug, Domain string
	// FromRelease is the first release of the period; UntilRelease is the first release
	// after it. UntilRelease and Until are zero while the seller is published.
	FromRelease, UntilRelease string
	From, Until               time.Time
}

// A History is everything on record about a company, each list oldest first. It names no
// requester.
type History struct {
	Publications []Publication
	// Addresses is the number of addresses that the company ever had.
	Addresses int
	Removals  []Removal
	// Attachments are the current ones; Detachments are the ends of earlier ones.
	Attachments []Attachment
	Detachments []Detachment
}

// A MessageKind says what a mail is about.
type MessageKind string

// The kinds of mails. The first two carry a token.
const (
	MailClaim    MessageKind = "claim"
	MailRemoval  MessageKind = "removal"
	MailAttached MessageKind = "attached"
	MailRemoved  MessageKind = "removed"
)

// purpose returns the purpose of the mail's token, or "".
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

// A Place is a mail's place in line, chosen so that a flood delays only itself. The lowest
// Class comes first, then the lowest Turn. Among equals, mails alternate between two
// orders: newest first, so that no backlog delays a new mail, and smallest Crowd, then
// oldest first, so that no stream of new mails delays an old one.
type Place struct {
	// Class is 0 for mails about removals and 1 for those about claims.
	Class int
	// Turn is the number of earlier starts from the same address (for IPv6, the same /48
	// network) within an hour. So the first start of each address comes before the second
	// start of any other.
	Turn int
	// Crowd is the number of earlier starts within an hour for the same seller or from the
	// same region of the Internet (IPv4 /16, IPv6 /32).
	Crowd int
}

func classOf(p Purpose) int {
	if p == ForClaim {
		return 1
	}
	return 0
}

// A LineOrder is an order in which mails of equal Class and Turn are sent.
type LineOrder int

// The orders of mails.
const (
	ByCrowd LineOrder = iota
	ByNewest
)

// A Message is a mail to send, as data: its template, its recipient, and the values for the
// template. There is at most one of each kind for each record.
type Message struct {
	// ID is unique and stays the same over all attempts. A Message-ID derived from it lets
	// servers and mail programs drop a second copy.
	ID   string
	Kind MessageKind
	To   Address
	// Name is the requester's name, as they wrote it: a stranger's text.
	Name string
	// RequestID is the claim or removal request that the mail is about.
	RequestID                          string
	SellerID, Slug, SellerName, Domain string
	Workspace                          string
	CreatedAt                          time.Time
	// ExpiresAt is when the mail's link expires; zero if it has none.
	ExpiresAt time.Time
	// Place is the mail's place in line.
	Place Place
	// Attempt is how often the mail was handed to the sender, including this time.
	Attempt int
	// Token is only set when the mail is leased; no ledger stores it.
	Token Token
}

// Code returns a code equivalent to the link, for people whose mail gateway strips the
// fragment from links.
func (m Message) Code() string { return m.RequestID + "." + m.Token.Reveal() }

// Link returns the address of the page that redeems the token. The token is in the
// fragment, which browsers do not send.
func (m Message) Link(siteURL string) string {
	return siteURL + "/verify/" + string(m.Kind.purpose()) + "#id=" + m.RequestID + "&token=" + m.Token.Reveal()
}

// An Outcome says how a Message ended.
type Outcome string

// The outcomes of a Message.
const (
	// Accepted means that the mail server accepted it.
	Accepted Outcome = "accepted"
	// Dropped means that it will not be sent.
	Dropped Outcome = "dropped"
)

// An OutboxState describes the outbox.
type OutboxState struct {
	Waiting int
	// Accepted and Dropped are totals since the beginning.
	Accepted, Dropped int
	// Oldest is when the oldest waiting mail was created; zero if none waits.
	Oldest time.Time
	// Next is when the next waiting mail is due or its lease ends; zero if none waits.
	Next time.Time
}

// An APIToken lets a workspace verify claims. Its secret is not stored.
type APIToken struct {
	ID, Workspace string
	Hash          Hash
	CreatedAt     time.Time
	// LastUsedAt is accurate to lastUseStep; zero if the token is unused.
	LastUsedAt time.Time
	// RevokedAt is zero unless the token was revoked.
	RevokedAt time.Time
}

// An Idempotent records which Request a key created, so that its start can be repeated.
type Idempotent struct {
	Purpose   Purpose
	SellerID  string
	Key, Body Hash
	RequestID string
	CreatedAt time.Time
}
