package document

import "net/http"

// The Endpoints of claims and removals.
const (
	StartClaimID    = "startClaim"
	VerifyClaimID   = "verifyClaim"
	StartRemovalID  = "startRemoval"
	VerifyRemovalID = "verifyRemoval"
	CheckClaimID    = "checkClaim"
	CheckRemovalID  = "checkRemoval"
)

// IdempotencyKey is the header that identifies a repeated start.
const IdempotencyKey = "Idempotency-Key"

const startDescription = "The mail is sent to `requesterEmail`, which must be directly on the company's current official domain, not on a subdomain. " +
	"The answer is the same whether or not the profile is already claimed. Pending requests do not block each other: the first to be confirmed wins. " +
	"Requests are rate-limited by mailbox and by client address, separately for claims and removals."

func verifyEndpoints() []Endpoint {
	key := Param{
		Name: IdempotencyKey, In: InHeader, Type: TypeString, Min: 1, Max: 255, Example: "4f8a1d70-claim",
		Description: "Any text. For 24 hours, or until the link expires, a request with the same key, company, call and body returns the same answer and sends no second mail; with a different body it fails with 422.",
	}
	post := func(id, path, summary, description string, body, answer any, problems ...string) Endpoint {
		return Endpoint{
			ID: id, Method: http.MethodPost, Path: path, Tag: tagVerification, Summary: summary, Description: description,
			RequestBody: body, Status: http.StatusOK, Response: answer, Dynamic: true,
			Problems: append(problems, CodeInvalidBody, CodeMethodNotAllowed, CodeBodyTooLarge, CodeUnsupportedMediaType, CodeInvalidField, CodeUnavailable),
		}
	}
	start := func(id, path, summary, description string, answer any) Endpoint {
		e := post(id, "/marketplace/companies/{companySlug}/"+path, summary, description+" "+startDescription, Requester{}, answer,
			CodeNotFound, CodeRemoved, CodeEmailDomainMismatch, CodeNoOfficialDomain, CodeRateLimited)
		e.Params, e.Status = []Param{companySlugParam, key}, http.StatusAccepted
		return e
	}
	verify := func(id, path, param, summary, description string, answer any, problems ...string) Endpoint {
		e := post(id, "/marketplace/"+path+"/{"+param+"}/verify", summary, description, Verification{}, answer,
			append(problems, CodeNotFound, CodeVerificationNotFound, CodeVerificationUsed, CodeVerificationExpired, CodeRemoved, CodeEmailDomainMismatch, CodeNoOfficialDomain)...)
		e.Params = []Param{{
			Name: param, In: InPath, Description: "The id that the start returned.", Required: true, Type: TypeString, Min: 1, Max: 100, Example: "q7d2k9x4m1",
		}}
		return e
	}
	check := func(id, path, param, summary string) Endpoint {
		e := verify(id, path, param, summary,
			"Changes nothing, does not use up the token, and needs no bearer token. The page that the mail links to uses it to show the company's name before a person confirms. Fails whenever the confirmation would.",
			VerificationChecked{})
		e.Path, e.RequestBody = "/marketplace/"+path+"/{"+param+"}/check", VerificationCheck{}
		return e
	}
	claim := verify(VerifyClaimID, "company-claims", "claimId", "Confirm a claim",
		"Attaches the profile to the workspace of the bearer token. The token in the mail works once; if the same workspace confirms again, it gets the same answer and nothing changes.",
		ClaimVerified{}, CodeUnauthenticated, CodeAlreadyClaimed)
	claim.Bearer = true
	return []Endpoint{
		start(StartClaimID, "claims", "Start a claim of a company's profile", "Sends a mail with a link to confirm the claim. A marketplace can turn claims off.", ClaimStart{}).failing(CodeForbidden),
		claim,
		check(CheckClaimID, "company-claims", "claimId", "Check a claim's link"),
		start(StartRemovalID, "removal-requests", "Ask to remove a company", "Sends a mail with a link to remove the company from everything public.", RemovalStart{}),
		verify(VerifyRemovalID, "company-removal-requests", "requestId", "Confirm a removal",
			"Removes the company, its products and its services from every document, list, count, search and picture. Answers after the removal is stored durably and all its addresses answer 410.",
			RemovalVerified{}),
		check(CheckRemovalID, "company-removal-requests", "requestId", "Check a removal's link"),
	}
}
