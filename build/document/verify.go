package document

import (
	"strings"
	"time"

	"golang.org/x/net/idna"
)

// The types in this file are the bodies of claims and removals.

// Requester is the body that starts a claim or a removal.
type Requester struct {
	RequesterName  string `json:"requesterName" doc:"The requester's name, one line of at most 100 characters; it appears in the mail." jsonschema:"minLength=1,maxLength=100,pattern=\\S"`
	RequesterEmail string `json:"requesterEmail" doc:"The address to which the mail is sent; it must be directly on the company's official domain." jsonschema:"minLength=5,maxLength=254,format=email"`
}

// ClaimStart is the answer to the start of a claim.
type ClaimStart struct {
	ClaimID string `json:"claimId" doc:"Identifies the claim; also part of the mail's link."`
	pendingStart
}

// RemovalStart is the answer to the start of a removal.
type RemovalStart struct {
	RequestID string `json:"requestId" doc:"Identifies the request; also part of the mail's link."`
	pendingStart
}

type pendingStart struct {
	Status    string    `json:"status" doc:"pending: nothing has changed yet." jsonschema:"enum=pending"`
	Company   Link      `json:"company" doc:"The company."`
	SentTo    string    `json:"sentTo" doc:"The address to which the mail was sent, partly masked."`
	ExpiresAt time.Time `json:"expiresAt" doc:"When the link in the mail expires."`
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
	OfficialDomain string `json:"officialDomain,omitempty" doc:"The company's official domain, as the person who confirms typed it. If it does not match, nothing happens and the token remains valid." jsonschema:"minLength=3,maxLength=253"`
}

// VerificationCheck is the body that asks what a link is for.
type VerificationCheck struct {
	Token string `json:"token" doc:"The value of token= in the link of the mail."`
}

// VerificationChecked is the response for a valid link.
type VerificationChecked struct {
	Company        Link      `json:"company" doc:"The company that would be claimed or removed."`
	OfficialDomain string    `json:"officialDomain" doc:"Its official domain, as people write it, with umlauts for example; domains are compared in their ASCII form."`
	ExpiresAt      time.Time `json:"expiresAt" doc:"When the link expires."`
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
	WorkspaceID string    `json:"workspaceId" doc:"The workspace to which the profile is attached: the one of the bearer token."`
	AttachedAt  time.Time `json:"attachedAt" doc:"When it took effect."`
}

// RemovalVerified is the response to a proven removal. It names the company only by its slug,
// which the caller already knows.
type RemovalVerified struct {
	RequestID   string    `json:"requestId" doc:"The request."`
	Status      string    `json:"status" doc:"removed: every address of the company answers 410 here." jsonschema:"enum=removed"`
	CompanySlug string    `json:"companySlug" doc:"The company."`
	RemovedAt   time.Time `json:"removedAt" doc:"When it took effect."`
	PublicCopy  string    `json:"publicCopy,omitempty" doc:"The state of copies published to other hosts: done if they no longer show the company, otherwise pending; the server retries until it is done. Absent if there are no copies." jsonschema:"enum=done,enum=pending"`
}
