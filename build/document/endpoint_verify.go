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

const startDescription = "The mail goes to `requesterEmail`, which has to be on the company's current official domain itself: no sub-domain proves it. " +
	"The answer is the same whether or not someone has claimed the profile before. Requests wait side by side and lock no one out: the first to be proven wins. " +
	"How often may be asked is limited by mailbox and by client address, of claims and of removals apart."

func verifyEndpoints() []Endpoint {
	key := Param{
		Name: IdempotencyKey, In: InHeader, Type: TypeString, Min: 1, Max: 255, Example: "4f8a1d70-claim",
		Description: "Any text. The same key for the same company, call and body is the same start for 24 hours, or until its link expired, and sends no second mail; with another body it is 422.",
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
			Name: param, In: InPath, Description: "What the start answered.", Required: true, Type: TypeString, Min: 1, Max: 100, Example: "q7d2k9x4m1",
		}}
		return e
	}
	check := func(id, path, param, summary string) Endpoint {
		e := verify(id, path, param, summary,
			"Changes nothing and uses nothing up, and needs no bearer token: the page behind the mail's link names the company with it before a person confirms. Fails as the proof would.",
			VerificationChecked{})
		e.Path, e.RequestBody = "/marketplace/"+path+"/{"+param+"}/check", VerificationCheck{}
		return e
	}
	claim := verify(VerifyClaimID, "company-claims", "claimId", "Prove a claim",
		"Attaches the profile to the workspace of the bearer token. A token of the mail works once; verified again by the same workspace, the claim answers as it did and changes nothing.",
		ClaimVerified{}, CodeUnauthenticated, CodeAlreadyClaimed)
	claim.Bearer = true
	return []Endpoint{
		start(StartClaimID, "claims", "Start to claim a company's profile", "Sends a mail with a link that proves the claim. A marketplace may take no claims.", ClaimStart{}).failing(CodeForbidden),
		claim,
		check(CheckClaimID, "company-claims", "claimId", "Ask what a claim's link is for"),
		start(StartRemovalID, "removal-requests", "Ask to remove a company", "Sends a mail with a link that removes the company from everything that is public.", RemovalStart{}),
		verify(VerifyRemovalID, "company-removal-requests", "requestId", "Prove a removal",
			"Takes the company, its products and its services out of every document, list, count, search and picture. Answers once the removal is durable and all its addresses answer 410.",
			RemovalVerified{}),
		check(CheckRemovalID, "company-removal-requests", "requestId", "Ask what a removal's link is for"),
	}
}
