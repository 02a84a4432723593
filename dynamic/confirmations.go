package dynamic

import (
	"errors"
	"io"
	"net/http"

	"souk/build/document"
	"souk/dynamic/verification"
	"souk/dynamic/web"
	"souk/templates"
)

// confirmations handles the forms of the pages that mails link to, for browsers without
// scripts. The rules are the same as for API calls, and the domain that a person typed is
// required. Each answer is the form's page.
type confirmations struct {
	verifications *verifications
	release       web.Release
}

// handlers returns the Handlers by method and path.
func (c confirmations) handlers() map[string]web.Handler {
	all := map[string]web.Handler{}
	for kind, confirm := range map[templates.VerifyKind]confirmer{
		templates.VerifyClaim: c.verifications.confirmClaim, templates.VerifyRemoval: c.verifications.confirmRemoval,
	} {
		all["GET "+templates.VerifyAction(kind)] = func(http.ResponseWriter, *http.Request) error {
			wrong := &web.Error{Code: document.CodeMethodNotAllowed, Header: http.Header{"Allow": {"OPTIONS, POST"}}}
			return c.refused(kind, wrong)
		}
		all["POST "+templates.VerifyAction(kind)] = func(w http.ResponseWriter, r *http.Request) error {
			if err := c.confirm(r, confirm); err != nil {
				return c.refused(kind, err)
			}
			page, err := c.page(kind, "done")
			if err != nil {
				return err
			}
			web.Page(w, http.StatusOK, document.Uncached, page)
			return nil
		}
	}
	return all
}

// A confirmer confirms the request with an id. fields contains its token and official
// domain, as in the API.
type confirmer func(r *http.Request, id string, fields map[string]string) error

func (v *verifications) confirmClaim(r *http.Request, id string, fields map[string]string) error {
	workspace, err := v.authenticate(r)
	if err != nil {
		return err
	}
	_, err = v.claim(r, id, fields, workspace)
	v.dispatcher.Wake()
	return err
}

func (v *verifications) confirmRemoval(r *http.Request, id string, fields map[string]string) error {
	_, err := v.remove(r, id, fields)
	return err
}

// confirm reads a form and confirms the request that its code belongs to.
func (c confirmations) confirm(r *http.Request, confirm confirmer) error {
	market, err := c.verifications.sellers.market()
	if err != nil {
		return refused(err)
	}
	// Check this before reading the body, so that a page of another site learns nothing
	// from what it sends.
	if err := checkOrigin(r, market.site); err != nil {
		return err
	}
	fields, err := web.Form(r, "code", "officialDomain", "accessToken")
	if err != nil {
		return err
	}
	id, token := verification.ReadLink(fields["code"])
	if id == "" {
		return &web.Error{Code: document.CodeVerificationNotFound}
	}
	r.Header.Set("Authorization", "Bearer "+fields["accessToken"])
	return confirm(r, id, map[string]string{"token": token, "officialDomain": fields["officialDomain"]})
}

// outcomes maps the code of an error to the outcome that the page shows; for other codes it
// is "refused".
var outcomes = map[string]string{
	document.CodeMethodNotAllowed: "nolink", document.CodeUnauthenticated: "unauthenticated", document.CodeVerificationNotFound: "unknown",
	document.CodeVerificationUsed: "used", document.CodeAlreadyClaimed: "claimed", document.CodeVerificationExpired: "expired",
	document.CodeRemoved: "removed", document.CodeEmailDomainMismatch: "moved", document.CodeNoOfficialDomain: "moved", document.CodeRateLimited: "limited", document.CodeUnavailable: "unavailable",
}

// refused answers with the page that says what is wrong.
func (c confirmations) refused(kind templates.VerifyKind, err error) error {
	var e *web.Error
	if !errors.As(err, &e) {
		e = &web.Error{Code: document.CodeUnavailable, RetryAfter: 2, Cause: err}
	}
	outcome, known := outcomes[e.Code]
	if !known {
		outcome = "refused"
	}
	for _, fault := range e.Fields {
		if fault.Field == "officialDomain" {
			outcome = "mistyped"
		}
	}
	page, failed := c.page(kind, outcome)
	if failed != nil {
		return failed
	}
	return e.WithPage(page)
}

// page returns the page of a kind with an outcome in it.
func (c confirmations) page(kind templates.VerifyKind, outcome string) ([]byte, error) {
	name := document.VerifyClaimFile
	if kind == templates.VerifyRemoval {
		name = document.VerifyRemovalFile
	}
	file, err := c.release.OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	page, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return templates.VerifyAnswer(page, outcome)
}
