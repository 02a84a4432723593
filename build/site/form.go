package site

import (
	"slices"

	"souk/build/document"
)

// The outcomes of a form that starts a claim or a removal.
const (
	FormSent    = "sent"
	FormDomain  = "domain"
	FormInvalid = "invalid"
	FormLater   = "later"
	FormAway    = "away"
	// FormClosed: this cannot be done by mail.
	FormClosed = "closed"
)

var outcomeTexts = map[string]string{
	FormSent: "site.form.sent", FormDomain: "site.form.domain", FormInvalid: "site.form.invalid",
	FormLater: "site.form.later", FormAway: "site.form.away", FormClosed: "site.form.closed",
}

// A Typed is a form as a person filled it in, and its outcome. The zero value is an empty
// form.
type Typed struct {
	Name, Email string
	// Domain is what follows the @ in a mailbox that can prove something.
	Domain string
	// Outcome is sent, domain, invalid, later, away or closed, or "" before the form was sent.
	Outcome string
	// Faults are the names of the wrong fields.
	Faults []string
}

// Wrong reports whether a field is wrong.
func (t Typed) Wrong(field string) bool { return slices.Contains(t.Faults, field) }

// Sent reports whether the form was sent successfully.
func (t Typed) Sent() bool { return t.Outcome == FormSent }

// Closed reports whether the page has no form.
func (t Typed) Closed() bool { return t.Outcome == FormClosed }

// Form returns the page that starts a claim or a removal of a company, with the form's
// outcome. form is ClaimForm or RemoveForm of package document.
func (s *Site) Form(form string, company document.Link, typed Typed) ([]byte, error) {
	v := s.form(form, company)
	v.Typed = typed
	return s.rendered(v)
}

// Unread returns the page for a form that was not processed, because another site sent it or
// because it could not be parsed.
func (s *Site) Unread(foreign bool) ([]byte, error) {
	v := s.missing()
	v.Layout, v.Title, v.Description = "notice", s.text("site.form.unread"), s.text("site.form.unread.text")
	if foreign {
		v.Description = s.text("site.form.foreign")
	}
	return s.rendered(v)
}

// form returns the page that starts a claim or a removal.
func (s *Site) form(form string, company document.Link) view {
	title, crumb := s.text("site.claim.title", "company", company.Name), s.text("site.claim.crumb")
	if form == document.RemoveForm {
		title, crumb = s.text("site.remove.title", "company", company.Name), s.text("site.remove.crumb")
	}
	v := s.start(form, title, "", company.URL+"/"+form, company.APIURL)
	v.Crumbs = s.crumbs(s.companies(), Crumb{company.Name, company.URL}, Crumb{crumb, v.URL})
	v.Hidden, v.Bare, v.Doc = true, true, company
	return v
}
