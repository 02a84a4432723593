package dynamic

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"souk/build/document"
	"souk/build/site"
	"souk/dynamic/verification"
	"souk/dynamic/web"
)

// forms handles the forms that start a claim or a removal without a script. Starts and
// limits are the same as for API calls. Each answer is the form's page.
type forms struct {
	verifications *verifications
	pages         *atomic.Pointer[site.Site]
	now           func() time.Time
}

func newForms(c Config, v *verifications, pages *atomic.Pointer[site.Site]) forms {
	return forms{v, pages, c.Build.Clock}
}

// handlers returns the Handlers by method and path.
func (f forms) handlers() map[string]web.Handler {
	process := f.verifications.process
	return map[string]web.Handler{
		"GET " + document.FormPath(document.ClaimForm):   f.read,
		"GET " + document.FormPath(document.RemoveForm):  f.read,
		"POST " + document.FormPath(document.ClaimForm):  f.start(document.ClaimForm, f.verifications.startClaim),
		"POST " + document.FormPath(document.RemoveForm): f.start(document.RemoveForm, process.StartRemoval),
	}
}

// read answers a GET of the address that a form is sent to, for example from a browser's
// history.
func (f forms) read(http.ResponseWriter, *http.Request) error {
	wrong := &web.Error{Code: document.CodeMethodNotAllowed, Detail: "This address accepts a form.", Header: http.Header{"Allow": {"OPTIONS, POST"}}}
	if pages := f.pages.Load(); pages != nil {
		return unread(pages, wrong)
	}
	return wrong
}

// start handles one of the forms.
func (f forms) start(kind string, begin starter) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		pages := f.pages.Load()
		if pages == nil {
			return &web.Error{Code: document.CodeNotFound, Detail: document.NotFoundDetail}
		}
		// Check this before reading the body, so that a page of another site learns nothing
		// from what it sends.
		if err := checkOrigin(r, pages.Config().SiteURL); err != nil {
			return unread(pages, err)
		}
		fields, err := web.Form(r, "companySlug", "requesterName", "requesterEmail")
		if err != nil {
			return unread(pages, err)
		}
		slug := fields["companySlug"]
		started, err := f.verifications.begin(r, begin, slug, fields, f.key(r, kind, fields))
		if err != nil {
			return f.refused(r, pages, kind, fields, err)
		}
		f.verifications.dispatcher.Wake()
		company, err := f.company(started.Seller)
		if err != nil {
			return refused(err)
		}
		body, err := pages.Form(kind, company, site.Typed{Outcome: site.FormSent, Domain: document.DomainAsWritten(started.Seller.OfficialDomain)})
		if err != nil {
			return err
		}
		web.Page(w, http.StatusAccepted, document.Uncached, body)
		return nil
	}
}

// checkOrigin fails unless a request comes from a page of the site, a page at the requested
// address, or no page at all, as from programs and browsers without scripts.
func checkOrigin(r *http.Request, siteURL string) error {
	check := http.NewCrossOriginProtection()
	if u, err := url.Parse(siteURL); err == nil && u.Host != "" {
		if err := check.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			return err
		}
	}
	if err := check.Check(r); err != nil {
		return &web.Error{Code: document.CodeForbidden, Detail: "This was sent from a page on another site.", Cause: err}
	}
	return nil
}

// key returns a key that makes repeated submissions within a minute one start, such as a
// double click or a reload.
func (f forms) key(r *http.Request, kind string, fields map[string]string) string {
	sum := sha256.New()
	for _, part := range []string{
		kind, fields["companySlug"], fields["requesterName"], fields["requesterEmail"], web.Client(r, f.verifications.trusted).String(),
		strconv.FormatInt(f.now().Unix()/60, 10),
	} {
		sum.Write([]byte(strconv.Quote(part)))
	}
	return "form-" + hex.EncodeToString(sum.Sum(nil)[:16])
}

// company returns the Link of a seller.
func (f forms) company(s verification.Seller) (document.Link, error) {
	l, err := f.verifications.sellers.market()
	if err != nil {
		return document.Link{}, err
	}
	return l.link(s), nil
}

// refused answers with the form as it was filled in and what is wrong with it. If there is
// no such public company, there is no form either.
func (f forms) refused(r *http.Request, pages *site.Site, kind string, fields map[string]string, err error) error {
	var e *web.Error
	if !errors.As(err, &e) {
		e = &web.Error{Code: document.CodeUnavailable, Detail: document.UnavailableDetail, RetryAfter: 2, Cause: err}
	}
	if e.Code == document.CodeNotFound || e.Code == document.CodeRemoved {
		return e
	}
	seller, there, missing := f.verifications.sellers.BySlug(r.Context(), fields["companySlug"])
	if missing != nil || !there || !seller.Current || seller.Removed {
		return unread(pages, e)
	}
	company, missing := f.company(seller)
	if missing != nil {
		return unread(pages, e)
	}
	typed := site.Typed{Domain: document.DomainAsWritten(seller.OfficialDomain), Name: fields["requesterName"], Email: fields["requesterEmail"], Outcome: outcomeOf(e.Code)}
	for _, fault := range e.Fields {
		typed.Faults = append(typed.Faults, fault.Field)
	}
	if typed.Outcome == site.FormDomain {
		typed.Faults = append(typed.Faults, "requesterEmail")
	}
	body, failed := pages.Form(kind, company, typed)
	if failed != nil {
		return failed
	}
	return e.WithPage(body)
}

// outcomeOf returns the outcome to show for a refused form.
func outcomeOf(code string) string {
	switch code {
	case document.CodeInvalidField:
		return site.FormInvalid
	case document.CodeEmailDomainMismatch:
		return site.FormDomain
	case document.CodeRateLimited:
		return site.FormLater
	case document.CodeForbidden, document.CodeNoOfficialDomain:
		return site.FormClosed
	default:
		return site.FormAway
	}
}

// unread answers if it is not known which company the form is for.
func unread(pages *site.Site, err error) error {
	var e *web.Error
	if !errors.As(err, &e) {
		return err
	}
	body, failed := pages.Unread(e.Code == document.CodeForbidden)
	if failed != nil {
		return failed
	}
	return e.WithPage(body)
}
