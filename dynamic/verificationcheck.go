package dynamic

import (
	"net/http"

	"souk/build/document"
	"souk/dynamic/verification"
	"souk/dynamic/web"
)

// check answers what a link is for. For a claim this needs no bearer token: the holder of
// the link's token sees what the mail says, and nothing more.
func (v *verifications) check(purpose verification.Purpose, id string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		fields, err := web.Fields(r, "token")
		if err != nil {
			return err
		}
		token, err := tokenOf(fields)
		if err != nil {
			return err
		}
		checked, err := v.process.Check(r.Context(), purpose, r.PathValue(id), token)
		if err != nil {
			return refused(err)
		}
		l, err := v.sellers.market()
		if err != nil {
			return refused(err)
		}
		return web.JSON(w, http.StatusOK, document.NewVerificationChecked(l.link(checked.Seller), checked.Seller.OfficialDomain, checked.ExpiresAt))
	}
}

// tokenOf returns the token in a body.
func tokenOf(fields map[string]string) (string, error) {
	if token := fields["token"]; token != "" {
		return token, nil
	}
	return "", &web.Error{
		Code: document.CodeInvalidField, Detail: "The token is missing.",
		Fields: []document.FieldError{{Field: "token", Code: verification.FaultRequired, Message: "send the part after token= in the emailed link"}},
	}
}
