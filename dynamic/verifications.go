package dynamic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"souk/build/document"
	"souk/dynamic/mail"
	"souk/dynamic/verification"
	"souk/dynamic/verification/oidc"
	"souk/dynamic/web"
)

// verifications handles the API calls of claims and removals.
type verifications struct {
	process *verification.Process
	sellers directory
	// oidc authenticates OpenID Connect access tokens; nil if no issuer is configured.
	oidc       *oidc.Authenticator
	trusted    []netip.Prefix
	dispatcher *mail.Dispatcher
	origin     remover
	leases     *leases
	// patience is how long the verification of a removal waits for its release.
	patience time.Duration
}

// handlers returns the Handlers by endpoint id.
func (v *verifications) handlers() map[string]web.Handler {
	return map[string]web.Handler{
		document.StartClaimID: v.start(v.startClaim, func(s verification.Started, l document.Link) any {
			return document.NewClaimStart(s.ID, l, s.SentTo, s.ExpiresAt)
		}),
		document.StartRemovalID: v.start(v.process.StartRemoval, func(s verification.Started, l document.Link) any {
			return document.NewRemovalStart(s.ID, l, s.SentTo, s.ExpiresAt)
		}),
		document.VerifyClaimID:   v.verifyClaim,
		document.VerifyRemovalID: v.verifyRemoval,
		document.CheckClaimID:    v.check(verification.ForClaim, "claimId"),
		document.CheckRemovalID:  v.check(verification.ForRemoval, "requestId"),
	}
}

type starter func(context.Context, verification.Start) (verification.Started, error)

func (v *verifications) start(begin starter, answer func(verification.Started, document.Link) any) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		fields, err := web.Fields(r, "requesterName", "requesterEmail")
		if err != nil {
			return err
		}
		key, err := idempotencyKey(r)
		if err != nil {
			return err
		}
		started, err := v.begin(r, begin, r.PathValue("companySlug"), fields, key)
		if err != nil {
			return err
		}
		return v.mailed(w, http.StatusAccepted, started.Seller, func(seller document.Link) any { return answer(started, seller) })
	}
}

// startClaim starts a claim, unless the marketplace accepts none.
func (v *verifications) startClaim(ctx context.Context, s verification.Start) (verification.Started, error) {
	m, err := v.sellers.market()
	if err == nil && m.noClaims {
		err = &web.Error{Code: document.CodeForbidden, Detail: "Profiles cannot be claimed here. Please write to the operator of this marketplace."}
	}
	if err != nil {
		return verification.Started{}, err
	}
	return v.process.StartClaim(ctx, s)
}

// begin starts a claim or a removal from the fields of an API call or a form.
func (v *verifications) begin(r *http.Request, begin starter, slug string, fields map[string]string, key string) (verification.Started, error) {
	started, err := begin(r.Context(), verification.Start{
		Slug: slug, RequesterName: fields["requesterName"], RequesterEmail: fields["requesterEmail"],
		IdempotencyKey: key, Client: web.Client(r, v.trusted),
	})
	if err != nil {
		return started, refused(err)
	}
	return started, nil
}

// idempotencyKey returns the key of a request, "" for none. An empty key is an error, since
// its sender believes to be safe.
func idempotencyKey(r *http.Request) (string, error) {
	lines := r.Header.Values(document.IdempotencyKey)
	if len(lines) == 0 || len(lines) == 1 && lines[0] != "" {
		return strings.Join(lines, ""), nil
	}
	return "", &web.Error{
		Code: document.CodeInvalidField, Detail: "Check " + document.IdempotencyKey + ".",
		Fields: []document.FieldError{{Field: document.IdempotencyKey, Code: verification.FaultInvalid, Message: "send one key of 1 to 255 printable characters, or no such header"}},
	}
}

// mailed answers a call that has queued a mail.
func (v *verifications) mailed(w http.ResponseWriter, status int, seller verification.Seller, answer func(document.Link) any) error {
	l, err := v.sellers.market()
	if err != nil {
		return refused(err)
	}
	v.dispatcher.Wake()
	return web.JSON(w, status, answer(l.link(seller)))
}

func (v *verifications) verifyClaim(w http.ResponseWriter, r *http.Request) error {
	workspace, err := v.authenticate(r)
	if err != nil {
		return err
	}
	fields, err := web.Fields(r, "token", "officialDomain")
	if err != nil {
		return err
	}
	a, err := v.claim(r, r.PathValue("claimId"), fields, workspace)
	if err != nil {
		return err
	}
	return v.mailed(w, http.StatusOK, a.Seller, func(seller document.Link) any {
		return document.ClaimVerified{
			ClaimID: a.ClaimID, Status: "attached", Company: seller, WorkspaceID: a.Workspace, AttachedAt: moment(a.AttachedAt),
		}
	})
}

// claim verifies a claim from the fields of an API call or a form.
func (v *verifications) claim(r *http.Request, id string, fields map[string]string, workspace string) (verification.Attached, error) {
	token, err := v.proof(r, verification.ForClaim, id, fields)
	if err != nil {
		return verification.Attached{}, err
	}
	a, err := v.process.VerifyClaim(r.Context(), id, token, workspace)
	if err != nil {
		return a, refused(err)
	}
	return a, nil
}

func (v *verifications) verifyRemoval(w http.ResponseWriter, r *http.Request) error {
	fields, err := web.Fields(r, "token", "officialDomain")
	if err != nil {
		return err
	}
	removal, err := v.remove(r, r.PathValue("requestId"), fields)
	if err != nil {
		return err
	}
	return web.JSON(w, http.StatusOK, document.RemovalVerified{
		RequestID: removal.RequestID, Status: "removed", CompanySlug: removal.Slug, RemovedAt: moment(removal.RemovedAt),
		PublicCopy: v.origin.copied(context.WithoutCancel(r.Context())),
	})
}

// remove verifies a removal from the fields of an API call or a form. It returns once
// nothing shows the seller.
func (v *verifications) remove(r *http.Request, id string, fields map[string]string) (verification.Removal, error) {
	token, err := v.proof(r, verification.ForRemoval, id, fields)
	if err != nil {
		return verification.Removal{}, err
	}
	removal, err := v.process.VerifyRemoval(r.Context(), id, token)
	if err != nil {
		return removal, refused(err)
	}
	v.dispatcher.Wake()
	// The wait has its own limit, since the limits on a request and on reading its body are
	// shorter than the rendering of a large marketplace.
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(r.Context()), v.patience, fmt.Errorf("waited for %s", v.patience))
	defer cancel()
	err = v.origin.remove(ctx, removal)
	if err == nil {
		err = v.leases.settle(ctx)
	}
	if err != nil {
		return removal, &web.Error{
			Code: document.CodeUnavailable, RetryAfter: 10, Cause: err,
			Detail: "Your removal is recorded and final. Some pages are still being updated; there is nothing more for you to do.",
		}
	}
	return removal, nil
}

// moment returns a time in the API's format.
func moment(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// proof returns the token, and checks the domain that a person typed.
func (v *verifications) proof(r *http.Request, purpose verification.Purpose, id string, fields map[string]string) (string, error) {
	token, err := tokenOf(fields)
	if err != nil {
		return "", err
	}
	if domain, typed := fields["officialDomain"]; typed {
		if err := v.process.ConfirmDomain(r.Context(), purpose, id, token, domain); err != nil {
			return "", refused(err)
		}
	}
	return token, nil
}

// authenticate returns the workspace of the bearer token (RFC 6750, section 2.1).
func (v *verifications) authenticate(r *http.Request) (string, error) {
	lines := r.Header["Authorization"]
	if len(lines) == 0 {
		return "", unauthenticated("", "Send the bearer token of a workspace: Authorization: Bearer …", nil)
	}
	scheme, token, _ := strings.Cut(lines[0], " ")
	if len(lines) == 1 && !strings.EqualFold(scheme, "Bearer") {
		return "", unauthenticated("", "Send the bearer token of a workspace: Authorization: Bearer …", nil)
	}
	if token = strings.TrimSpace(token); len(lines) > 1 || token == "" {
		return "", unauthenticated("invalid_request", "Send one bearer token: Authorization: Bearer …", nil)
	}
	workspace, err := v.process.Authenticate(r.Context(), token)
	if err == nil {
		return workspace, nil
	}
	if !errors.Is(err, &verification.Error{Code: verification.CodeUnauthenticated}) {
		return "", refused(err)
	}
	if v.oidc != nil && !verification.IsAPIToken(token) {
		if workspace, err = v.oidc.Authenticate(r.Context(), token); err == nil {
			return workspace, nil
		}
		var away *oidc.UnavailableError
		if errors.As(err, &away) {
			return "", &web.Error{
				Code: document.CodeUnavailable, Cause: err, RetryAfter: int((away.RetryAfter + time.Second - 1) / time.Second),
				Detail: "The bearer token cannot be checked right now. Try again in a moment.",
			}
		}
		if !errors.Is(err, oidc.ErrInvalid) {
			return "", err
		}
	}
	return "", unauthenticated("invalid_token", "The bearer token is not valid.", err)
}

func unauthenticated(fault, detail string, cause error) *web.Error {
	challenge := `Bearer realm="souk"`
	if fault != "" {
		challenge += `, error="` + fault + `"`
	}
	return &web.Error{Code: document.CodeUnauthenticated, Detail: detail, Cause: cause, Header: http.Header{"Www-Authenticate": {challenge}}}
}

// refused converts an error of verification to an error of the API; any other is a server
// error.
func refused(err error) error {
	var e *verification.Error
	if !errors.As(err, &e) {
		return err
	}
	answer := &web.Error{
		Code: string(e.Code), Detail: cmp.Or(e.Detail, string(e.Code)), Cause: e.Cause, RetryAfter: int(e.RetryAfter / time.Second),
	}
	for _, f := range e.Fields {
		answer.Fields = append(answer.Fields, document.FieldError(f))
	}
	return answer
}
