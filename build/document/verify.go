package document

import (
	"strings"
	"time"

	"golang.org/x/net/idna"
)

// The types in this file are the bodies of claims and removals.

// Requester is the body that starts a claim or a removal.
type Requester struct {
	RequesterName  string `json:"requesterName" doc:"Who asks, as one line of text of at most 100 characters; the mail names it." jsonschema:"minLength=1,maxLength=100,pattern=\\S"`
	RequesterEmail string `json:"requesterEmail" doc:"Where the mail goes: an address on the company's official domain itself." jsonschema:"minLength=5,maxLength=254,format=email"`
}

// ClaimStart is the answer to the start of a claim.
type ClaimStart struct {
	ClaimID string `json:"claimId" doc:"Names the claim; the mail's link holds it too."`
	pendingStart
}

// RemovalStart is the answer to the start of a removal.
type RemovalStart struct {
	RequestID string `json:"requestId" doc:"Names the request; the mail's link holds it too."`
	pendingStart
}

type pendingStart struct {
	Status    string    `json:"status" doc:"pending: nothing is changed yet." jsonschema:"enum=pending"`
	Company   Link      `json:"company" doc:"The company."`
	SentTo    string    `json:"sentTo" doc:"Where the mail went, with most of the name masked."`
	ExpiresAt time.Time `json:"expiresAt" doc:"When the link in the mail ends."`
}

// NewClaimStart returns the answer to the start of a claim.
func NewClaimStart(id string, company Link, sentTo string, expires time.Time) ClaimStart {
	return ClaimStart{id, pendingStart{"pending", company, written(sentTo), expires.UTC().Truncate(time.Second)}}
}

// NewRemovalStart returns the answer to the start of a removal.
func NewRemovalStart(id string, company Link, sentTo string, expires time.Time) RemovalStart {
	return RemovalStart{id, pendingStart{"pending", company, written(sentTo), expires.UTC().Truncate(time.Second)}}
}

// Verification is the body that proves a claim or a removal.
type Verification struct {
	Token string `json:"token" doc:"The value of token= in the link of the mail." jsonschema:"minLength=1"`
	// The page behind the mail's link sends it. The server compares it, because the page does
	// not know the company.
	OfficialDomain string `json:"officialDomain,omitempty" doc:"The company's official domain, as the person who confirms typed it. Where it is another, nothing is done and the token stays good." jsonschema:"minLength=3,maxLength=253"`
}

// VerificationCheck is the body that asks what a link is for.
type VerificationCheck struct {
	Token string `json:"token" doc:"The value of token= in the link of the mail."`
}

// VerificationChecked is the response for a valid link.
type VerificationChecked struct {
	Company        Link      `json:"company" doc:"The company that would be claimed or removed."`
	OfficialDomain string    `json:"officialDomain" doc:"Its official domain, as people write it, with umlauts for example; domains are compared in their ASCII form."`
	ExpiresAt      time.Time `json:"expiresAt" doc:"When the link ends."`
}

// NewVerificationChecked returns the response; domain is in its ASCII form.
func NewVerificationChecked(company Link, domain string, expires time.Time) VerificationChecked {
	return VerificationChecked{company, written(domain), expires.UTC().Truncate(time.Second)}
}

// DomainAsWritten returns a domain as people write it.
func DomainAsWritten(domain string) string { return written(domain) }

// written returns a domain, or a mailbox on one, as people write it.
func written(address string) string {
	local, domain, mailbox := strings.Cut(address, "@")
	if !mailbox {
		local, domain = "", address
	} else {
		local += "@"
	}
	if unicode, err := idna.Lookup.ToUnicode(domain); err == nil {
		domain = unicode
	}
	return local + domain
}

// ClaimVerified is the response to a proven claim.
type ClaimVerified struct {
	ClaimID     string    `json:"claimId" doc:"The claim."`
	Status      string    `json:"status" doc:"attached" jsonschema:"enum=attached"`
	Company     Link      `json:"company" doc:"The company."`
	WorkspaceID string    `json:"workspaceId" doc:"The workspace that the profile is attached to: that of the bearer token."`
	AttachedAt  time.Time `json:"attachedAt" doc:"Since when."`
}

// RemovalVerified is the response to a proven removal. It names the company only by its slug,
// which the caller already knows.
type RemovalVerified struct {
	RequestID   string    `json:"requestId" doc:"The request."`
	Status      string    `json:"status" doc:"removed: every address of the company answers 410 here." jsonschema:"enum=removed"`
	CompanySlug string    `json:"companySlug" doc:"The company."`
	RemovedAt   time.Time `json:"removedAt" doc:"Since when."`
	PublicCopy  string    `json:"publicCopy,omitempty" doc:"Where copies are published to another host: done once they are without the company, else pending; that is tried until it is done. Absent where there are none." jsonschema:"enum=done,enum=pending"`
}
